//! What the check finds in samples, and the intervals that allow for it.

use super::samples::{Checked, EvaluatedMethod};
use truecount::{Batch, Error, Estimate, Estimates, Model, OnMisfit, Reporting, Warning};

/// What is found in one sample: as if nothing had been checked, and allowing for misfit.
pub struct Both {
    /// As if nothing had been checked.
    pub plain: Estimates,
    widened: Estimates,
}

impl Both {
    /// Of a sample.
    ///
    /// # Errors
    /// Those of [`Model::estimate`].
    pub fn new(model: &Model, batch: Batch, reporting: &Reporting) -> Result<Self, Error> {
        let plain = model.estimate(batch, &reporting.on_misfit(OnMisfit::Warn))?;
        let widened = if plain.iter().any(is_misfit) {
            model.estimate(batch, &reporting.on_misfit(OnMisfit::Widen))?
        } else {
            plain.clone()
        };
        Ok(Self { plain, widened })
    }

    /// How many times larger deviations from a mixture are than chance explains.
    fn scale(&self) -> Option<f64> {
        Some(self.plain.first()?.misfit?.scale)
    }

    /// Every method's estimate, and the same allowing for misfit.
    pub fn pairs(&self) -> impl Iterator<Item = (&Estimate, &Estimate)> {
        self.plain.iter().zip(&self.widened)
    }

    /// Whether the sample is no mixture of the labelled classes; none where that was not checked.
    pub fn misfit(&self) -> Option<bool> {
        self.scale().map(|_| self.is_rejected())
    }

    fn is_rejected(&self) -> bool {
        self.plain.iter().any(is_misfit)
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
    let scales: Vec<f64> = samples.iter().map(Both::scale).collect::<Option<_>>()?;
    let rejected = samples.iter().filter(|both| both.is_rejected()).count();
    let widened = EvaluatedMethod::all(model, &samples.iter().map(|both| &both.widened).collect::<Vec<_>>());
    Some(Checked { scales, rejected, widened })
}

fn is_misfit(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_of_misfit)
}
