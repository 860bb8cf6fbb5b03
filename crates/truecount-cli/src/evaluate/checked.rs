//! What the check finds in samples, and the intervals that allow for it.

use super::{Checked, EvaluatedMethod};
use truecount::{Batch, Error, Estimate, Estimates, Model, OnMisfit, Reporting, Warning};

/// What is found in one sample: as if nothing had been checked, and allowing for misfit.
pub struct Both {
    pub plain: Estimates,
    widened: Estimates,
}

impl Both {
    pub fn new(model: &Model, batch: Batch, reporting: &Reporting) -> Result<Self, Error> {
        let plain = model.estimate(batch, &reporting.on_misfit(OnMisfit::Warn))?;
        let widened = if plain.iter().any(is_misfit) {
            model.estimate(batch, &reporting.on_misfit(OnMisfit::Widen))?
        } else {
            plain.clone()
        };
        Ok(Self { plain, widened })
    }

    /// The estimates with what is to be said of them; of misfit the table says how often there is one.
    pub fn without_misfit(self) -> Estimates {
        let mut estimates = self.plain;
        estimates.iter_mut().for_each(|estimate| estimate.warnings.retain(|warning| !warning.is_of_misfit()));
        estimates
    }
}

/// What the check finds; `None` if there were too few labelled scores to check.
pub fn checked(model: &Model, samples: &[Both]) -> Option<Checked> {
    let scales: Vec<f64> = samples.iter().map(|both| Some(both.plain.first()?.misfit?.scale)).collect::<Option<_>>()?;
    let rejected = samples.iter().filter(|both| both.plain.iter().any(is_misfit)).count();
    let widened = EvaluatedMethod::all(model, &samples.iter().map(|both| &both.widened).collect::<Vec<_>>());
    Some(Checked { scales, rejected, widened })
}

fn is_misfit(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_of_misfit)
}
