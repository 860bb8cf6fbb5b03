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
use crate::model::{Cutoff, Separated};

/// A method after fitting.
#[derive(Clone, Debug)]
pub struct Quantifier {
    method: Method,
    sweep: Option<ContinuousSweep>,
    linear: Linear,
}

impl Quantifier {
    /// Fits one method to the labelled data's summary.
    pub(crate) fn fit(method: Method, classes: &Separated, cutoff: &Cutoff) -> Result<Self, Error> {
        let (linear, sweep) = match method {
            Method::ContinuousSweep(threshold) => {
                let sweep = ContinuousSweep::new(&classes.separation, threshold)?;
                (continuous_sweep::with_fit_warning(&sweep, classes), Some(sweep))
            }
            Method::ClassifyCount => (classify_count::fit(cutoff), None),
            Method::AdjustedCount => (adjusted_count::fit(cutoff)?, None),
        };
        Ok(Self { method, sweep, linear })
    }

    /// Which method it is.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Threshold and region, for a Continuous Sweep.
    pub fn sweep(&self) -> Option<&ContinuousSweep> {
        self.sweep.as_ref()
    }

    /// What tallies and estimates.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }
}
