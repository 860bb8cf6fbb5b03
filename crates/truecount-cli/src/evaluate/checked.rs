//! What the check finds in samples, and the intervals that allow for it.

use super::EvaluatedMethod;
use truecount::{Batch, Error, Estimate, Estimates, Model, OnMisfit, Reporting, Warning};

/// The check of every sample.
pub struct Checked {
    /// How many times larger deviations from a mixture are than chance explains.
    scales: Vec<f64>,
    /// In how many of the samples it finds no mixture.
    pub rejected: usize,
    /// Every method, with intervals that are widened where it does.
    pub widened: Vec<EvaluatedMethod>,
}

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

impl Checked {
    /// `None` if there were too few labelled scores to check.
    pub fn of(model: &Model, samples: &[Both]) -> Option<Self> {
        let scales: Vec<f64> =
            samples.iter().map(|both| Some(both.plain.first()?.misfit?.scale)).collect::<Option<_>>()?;
        let rejected = samples.iter().filter(|both| both.plain.iter().any(is_misfit)).count();
        let widened = EvaluatedMethod::all(model, &samples.iter().map(|both| &both.widened).collect::<Vec<_>>());
        Some(Self { scales, rejected, widened })
    }

    /// The share of the samples in which it finds no mixture.
    pub fn share(&self) -> f64 {
        self.rejected as f64 / self.scales.len() as f64
    }

    /// The median scale factor.
    pub fn scale(&self) -> f64 {
        let mut scales = self.scales.clone();
        scales.sort_unstable_by(f64::total_cmp);
        let last = scales.len() - 1;
        0.5 * (scales[last / 2] + scales[last.div_ceil(2)])
    }
}

fn is_misfit(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_of_misfit)
}
