//! A fitted model, with the check of prior probability shift or without.

use truecount::Model;

/// A model as it was fitted, and the same without the check, which many calls leave out.
pub struct Fitted {
    model: Model,
    unchecked: Model,
}

impl Fitted {
    /// Of that model.
    pub fn new(model: Model) -> Self {
        Self { unchecked: model.clone().without_check(), model }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model, or the one without the check.
    pub fn checked_if(&self, check: bool) -> &Model {
        if check { &self.model } else { &self.unchecked }
    }
}
