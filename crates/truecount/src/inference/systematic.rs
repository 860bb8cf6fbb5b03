//! What is added to the variance of an estimate where the test scores are no mixture of the labelled classes.
//!
//! The nearest mixture leaves deviations D from the test scores whose mean square is T, E T by chance alone. A scale factor
//! S = √(T/E T) (Birge 1932; the Particle Data Group's, of a statistic that weighs deviations over many scores as an estimate does) says
//! how many times larger they are than chance explains. Those along the difference of the classes cannot be seen, because they look
//! like another prevalence; if they are as large as the others, an estimate of variance V has a systematic error of variance
//!
//! ```text
//! (S² − 1) V
//! ```
//!
//! S² is known with few degrees of freedom, as T rests on few deviations: (Σλ)²/Σλ² of its weights λ, which is about 3. Where both
//! errors are there, their degrees of freedom are put together as Welch (1947) and Satterthwaite do.

use super::cornish_fisher::student;

/// A scale factor above 1, and the degrees of freedom with which its square is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) factor: f64,
    pub(crate) freedom: f64,
}

/// The systematic error of one estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Systematic {
    pub(crate) variance: f64,
    pub(crate) freedom: f64,
}

impl Scale {
    /// That of an estimate of this variance.
    pub(crate) fn of(self, variance: f64) -> Systematic {
        Systematic { variance: (self.factor * self.factor - 1.0) * variance, freedom: self.freedom }
    }
}

impl Systematic {
    /// None at all.
    pub(crate) const NONE: Self = Self { variance: 0.0, freedom: f64::INFINITY };

    /// How many times farther from the estimate, together with another error of this variance, ends lie that are z standard deviations away.
    pub(crate) fn wider(&self, variance: f64, z: f64) -> f64 {
        let heavier = student(z, self.freedom_with(variance, f64::INFINITY)) / z;
        ((variance + self.variance) / variance).sqrt() * heavier
    }

    /// The degrees of freedom together with another error.
    pub(crate) fn freedom_with(&self, variance: f64, freedom: f64) -> f64 {
        if self.variance == 0.0 {
            return freedom;
        }
        let whole = variance + self.variance;
        ((variance / whole).powi(2) / freedom + (self.variance / whole).powi(2) / self.freedom).recip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_systematic_error_makes_up_for_the_factor() {
        let systematic = Scale { factor: 3.0, freedom: 4.0 }.of(0.02);
        assert!((systematic.variance + 0.02 - 9.0 * 0.02).abs() < 1e-15);
        // (1/9)²/16 + (8/9)²/4.
        assert!((systematic.freedom_with(0.02, 16.0) - 81.0 / (1.0 / 16.0 + 16.0)).abs() < 1e-12);
        assert_eq!(Systematic::NONE.freedom_with(0.02, 7.0), 7.0);
    }
}
