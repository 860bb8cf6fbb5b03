//! The threshold `p_Δ` and the region R that it defines.

use crate::Error;
use std::hash::{Hash, Hasher};

/// The paper's p^Δ, strictly between 0 and 1: R contains the scores with J ≥ `p_Δ`.
///
/// The complement 1 − `p_Δ` is stored too, since the optimum rounds to 1 for well separated
/// classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinSeparation {
    value: f64,
    complement: f64,
}

/// The numbers are finite and not 0, so equal numbers have equal bits.
impl Eq for MinSeparation {}

impl Hash for MinSeparation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.value.to_bits(), self.complement.to_bits()).hash(state);
    }
}

impl MinSeparation {
    /// Forman's ¼, the *traditional* threshold.
    pub const TRADITIONAL: Self = Self { value: 0.25, complement: 0.75 };

    /// Creates the threshold p.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) unless 1e-6 ≤ p < 1; a
    /// smaller p loses all digits of the estimate.
    pub fn new(p: f64) -> Result<Self, Error> {
        Error::unless_in_domain((1e-6..1.0).contains(&p), ("threshold", p), "at least 0.000001 and below 1")?;
        Ok(Self { value: p, complement: 1.0 - p })
    }

    /// Creates a threshold from its value and its complement.
    pub(super) fn from_both(value: f64, complement: f64) -> Self {
        Self { value, complement }
    }

    /// Returns `p_Δ`, which may round to 1 for classes more than 16 standard deviations apart.
    pub fn value(self) -> f64 {
        self.value
    }

    /// Returns 1 − `p_Δ`, which is never 0.
    pub fn complement(self) -> f64 {
        self.complement
    }
}

/// The region R = {θ : J(θ) ≥ `p_Δ`}: one or more disjoint closed intervals of scores, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    threshold: MinSeparation,
    intervals: Vec<[f64; 2]>,
}

impl Region {
    pub(super) fn new(threshold: MinSeparation, intervals: Vec<[f64; 2]>) -> Self {
        Self { threshold, intervals }
    }

    /// Returns the `p_Δ` that defines the region.
    pub fn threshold(&self) -> MinSeparation {
        self.threshold
    }

    /// Returns the intervals `[θ_l, θ_r]`, in units of the score.
    pub fn intervals(&self) -> &[[f64; 2]] {
        &self.intervals
    }

    /// Returns the total width |R|.
    pub fn width(&self) -> f64 {
        self.intervals.iter().map(|[left, right]| right - left).sum()
    }
}
