//! The variance of one estimate, by source.

use super::{Quadratic, Target};
use crate::PerClass;

/// V as a function of the prevalence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variance {
    /// What each class's scores contribute, test scores and labelled ones, the classes of the test scores being given.
    pub(crate) given: PerClass<Quadratic>,
    /// What drawing the test scores from a population adds.
    pub(crate) drawing: Quadratic,
    /// Degrees of freedom with which each class's part is estimated; infinite where it is known.
    pub(crate) freedom: PerClass<f64>,
}

impl Variance {
    /// The whole, for a target.
    pub(crate) fn of(&self, target: Target) -> Quadratic {
        let given = self.given.positive.plus(&self.given.negative);
        match target {
            Target::Sample => given,
            Target::Population => given.plus(&self.drawing),
        }
    }

    /// The degrees of freedom of the whole at α, after Satterthwaite (1946): V²/(V₊²/f₊ + V₋²/f₋).
    pub(crate) fn freedom(&self, alpha: f64, target: Target) -> f64 {
        let part = |of: &Quadratic, freedom: f64| of.at(alpha).powi(2) / freedom;
        let parts = part(&self.given.positive, self.freedom.positive) + part(&self.given.negative, self.freedom.negative);
        let freedom = self.of(target).at(alpha).powi(2) / parts;
        if freedom.is_nan() { f64::INFINITY } else { freedom }
    }
}
