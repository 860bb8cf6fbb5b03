//! Quantifiers: one file each, one table that names them.
//!
//! Every one follows the same path: fit → tally (push slices, merge) → estimate.

mod adjusted_count;
mod classify_count;
mod continuous_sweep;
mod influence;
mod kernel;
mod linear;
mod method;
mod tally;

pub use continuous_sweep::{ContinuousSweep, Threshold};
pub use linear::Linear;
pub use method::Method;
pub use tally::Tally;

use crate::Error;
use crate::inference::Warning;
use crate::model::{Cutoff, Separated};

/// Labelled scores of a class below which a warning says that the fit itself is uncertain.
const FEW: u64 = 10;

/// A method after fitting.
#[derive(Clone, Debug)]
pub struct Quantifier {
    method: Method,
    fitted: Fitted,
}

#[derive(Clone, Debug)]
enum Fitted {
    Sweep(ContinuousSweep),
    Count(Linear),
}

impl Quantifier {
    /// Fits one method to the labelled data's summary.
    pub(crate) fn fit(method: Method, classes: &Separated, cutoff: &Cutoff) -> Result<Self, Error> {
        let warnings = fit_warnings(method, classes, cutoff);
        let fitted = match method {
            Method::ContinuousSweep(threshold) => {
                Fitted::Sweep(ContinuousSweep::new(&classes.separation, threshold)?.warning(warnings))
            }
            Method::ClassifyCount => Fitted::Count(classify_count::fit(cutoff).warning(warnings)),
            Method::AdjustedCount => Fitted::Count(adjusted_count::fit(cutoff)?.warning(warnings)),
        };
        Ok(Self { method, fitted })
    }

    /// Which method it is.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Threshold and region, for a Continuous Sweep.
    pub fn sweep(&self) -> Option<&ContinuousSweep> {
        match &self.fitted {
            Fitted::Sweep(sweep) => Some(sweep),
            Fitted::Count(_) => None,
        }
    }

    /// What tallies and estimates.
    pub fn linear(&self) -> &Linear {
        match &self.fitted {
            Fitted::Sweep(sweep) => sweep.linear(),
            Fitted::Count(linear) => linear,
        }
    }
}

/// What the labelled sample itself gives reason to warn about.
fn fit_warnings(method: Method, classes: &Separated, cutoff: &Cutoff) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let n = classes.positives().min(classes.negatives());
    if n < FEW {
        warnings.push(Warning::FewLabelled { n });
    }
    if let Method::ContinuousSweep(_) = method {
        let (max_j, noise) = (classes.separation.max_j(), classes.max_j_standard_error());
        if max_j < 3.0 * noise {
            warnings.push(Warning::WeakSeparation { max_j, noise });
        }
    } else if cutoff.true_positive_rate() <= cutoff.false_positive_rate() {
        warnings.push(Warning::UselessCutoff);
    }
    warnings
}
