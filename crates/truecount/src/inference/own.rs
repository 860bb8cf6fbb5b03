//! What an estimate's own test scores leave uncertain, as if its rates were known.

use super::cornish_fisher::student;
use super::mover::Ends;
use super::{Interval, Quadratic, Reporting, Systematic};

/// The part of an estimate's spread that it shares with no other of other test scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    /// Inside [0, 1].
    pub(super) estimate: f64,
    /// The effective number of test scores.
    pub(super) n: f64,
    /// Its variance at the estimate.
    pub(super) variance: f64,
    /// The variance as a function of the prevalence, below the estimate and above it, with what labelled scores cannot have shown.
    pub(super) sides: [Quadratic; 2],
    /// What misfit adds to all of it.
    pub(super) systematic: Systematic,
    /// The degrees of freedom: infinite, or one less than the clusters.
    pub(super) freedom: f64,
}

impl Own {
    /// The variance at the estimate.
    pub(crate) fn variance(&self) -> f64 {
        self.variance
    }

    /// Two-sided ends wherever they lie: that one estimate cannot miss on the far side of 0 or 1 does not keep its difference to
    /// another from doing so.
    pub(super) fn ends(&self, reporting: &Reporting) -> Ends {
        let Self { estimate, variance, .. } = *self;
        let z = student(reporting.quantiles()[0], self.systematic.freedom_with(variance, self.freedom));
        let (lower, upper) = match reporting.interval() {
            Interval::Wilson => {
                let added = Quadratic::constant(self.systematic.variance);
                let [below, above] = self.sides.map(|side| side.plus(&added).wilson_uncut(estimate, z));
                (below.0, above.1)
            }
            Interval::Wald => {
                let error = z * (variance + self.systematic.variance).sqrt();
                (estimate - error, estimate + error)
            }
        };
        let least = 0.5 / self.n;
        Ends { lower: lower.min(estimate - least), estimate, upper: upper.max(estimate + least) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near 0 the ends are as far apart as anywhere; a variance that is no number excludes nothing.
    #[test]
    fn ends_are_two_sided_wherever_they_lie() {
        let of = |estimate: f64, variance: f64| {
            let sides = [Quadratic::constant(variance); 2];
            let own = Own { estimate, n: 100.0, variance, sides, systematic: Systematic::NONE, freedom: f64::INFINITY };
            own.ends(&Reporting::default())
        };
        let z = 1.959_963_984_540_054;
        let ends = of(0.05, 0.01);
        assert!((ends.lower - (0.05 - 0.1 * z)).abs() < 1e-12 && (ends.upper - (0.05 + 0.1 * z)).abs() < 1e-12);
        // No nearer than half a score.
        let ends = of(0.0, 0.0);
        assert_eq!((ends.lower, ends.upper), (-0.005, 0.005));
        let ends = of(0.3, f64::NAN);
        assert_eq!((ends.lower, ends.upper), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
