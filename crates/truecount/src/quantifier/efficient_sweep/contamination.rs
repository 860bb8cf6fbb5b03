//! The change of an estimate if some items of a class score differently from the labelled items.
//!
//! No test of the scores can detect a shift that looks like another prevalence, but its effect is
//! bounded. If a share ε of class c lies in bin b of the score instead, the estimate changes by
//!
//! ```text
//! ε α_c (ψ_b − E_cψ)/(E₊ψ − E₋ψ)
//! ```
//!
//! with α_c the share of the class. As ψ is bounded, the bins with the largest change in each
//! direction bound every such change.

use super::BinnedSweep;
use super::binned::psi_in_bins;
use crate::{Class, Error, PerClass, Problem};

/// The change of an estimate if a share of one class scores differently. All fields except the
/// class are shares between -1 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContaminationEffect {
    /// The class.
    pub class: Class,
    /// The share of the class that scores differently.
    pub share: f64,
    /// The largest decrease of the estimate, as a change of at most 0.
    pub down: f64,
    /// The largest increase of the estimate.
    pub up: f64,
    /// A typical change: the root mean square if the items score like the test scores of both
    /// classes.
    pub typical: f64,
}

impl BinnedSweep {
    /// Returns the change of an estimate alpha if a share of one class scores differently, for each
    /// class. `counts` are the numbers of test scores in the bins.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] if the share is not in [0, 1],
    /// [`Problem::NoTestScores`] if all counts are 0, and [`Problem::TallyModelMismatch`] if there
    /// is not one count for each bin.
    pub fn contamination(
        &self,
        share: f64,
        alpha: f64,
        counts: &[u64],
    ) -> Result<PerClass<ContaminationEffect>, Error> {
        let name = "the share that scores differently";
        Error::unless_in_domain((0.0..=1.0).contains(&share), (name, share), "between 0 and 1")?;
        let n = counts.iter().sum::<u64>() as f64;
        if n == 0.0 {
            return Err(Problem::NoTestScores.into());
        }
        let changes = PerClass::from_fn(|class| self.contamination_by_bin(class, share, alpha, n));
        if counts.len() != changes.negative.len() {
            return Err(Problem::TallyModelMismatch.into());
        }
        Ok(PerClass::from_fn(|class| {
            let changes = changes.get(class);
            let mean_square: f64 = changes.iter().zip(counts).map(|(by, count)| by * by * (*count as f64 / n)).sum();
            let (down, up) = changes.iter().fold((0.0, 0.0), |(down, up): (f64, f64), by| (down.min(*by), up.max(*by)));
            ContaminationEffect { class, share, down, up, typical: mean_square.sqrt() }
        }))
    }

    /// Returns, for each bin, the change of the estimate `alpha` from `n` test scores if the
    /// contaminating share scores in that bin.
    pub fn contamination_by_bin(&self, class: Class, share: f64, alpha: f64, n: f64) -> Vec<f64> {
        let function = self.function_for(alpha, n);
        let rated = function.estimator().coefficients();
        let (class_share, mean) = match class {
            Class::Positive => (alpha, rated.negative + rated.distance),
            Class::Negative => (1.0 - alpha, rated.negative),
        };
        psi_in_bins(function).iter().map(|psi| share * class_share * (psi - mean) / rated.distance).collect()
    }
}
