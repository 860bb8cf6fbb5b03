//! Labels inside the target: what they say of one sample.

use super::refused::{Failure, Place, Tested};
use std::borrow::Cow;
use truecount::{Audited, AuditedRows, Error, Model, Reporting};

/// What audited rows say of a target, of which these are all scores; or, where the audited ones come `beside`, all others.
///
/// # Errors
/// Those of [`Model::audit`] and [`Model::push`], of the columns.
pub fn audit(
    model: Option<&Model>,
    scores: &[f64],
    rows: &AuditedRows,
    beside: bool,
    reporting: &Reporting,
) -> Result<Audited, Failure> {
    let of = model_of(model, rows)?;
    let mut tallies = of.tallies();
    of.push(&mut tallies, scores).map_err(|error| Failure::at(Place::Columns(Tested::Target), error))?;
    if beside {
        of.push(&mut tallies, rows.scores).map_err(of_audited)?;
    }
    let found = of.audit(rows).and_then(|audit| audit.of(0, &tallies, model.is_some(), reporting));
    found.map_err(of_audited)
}

/// The model, or one of the audited rows alone.
pub(super) fn model_of<'a>(model: Option<&'a Model>, rows: &AuditedRows) -> Result<Cow<'a, Model>, Failure> {
    model.map_or_else(|| rows.model().map(Cow::Owned).map_err(of_audited), |model| Ok(Cow::Borrowed(model)))
}

/// Of the columns of the audited rows.
pub(super) fn of_audited(error: Error) -> Failure {
    Failure::at(Place::Columns(Tested::Audited), error)
}
