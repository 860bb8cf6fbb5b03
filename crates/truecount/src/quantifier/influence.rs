//! Influence functions: what one test score adds to a linear quantifier.

use super::{Tally, kernel};
use crate::Error;
use crate::numeric::ramp::{self, Ramp};

/// A bounded non-decreasing g, 0 on the far left.
#[derive(Clone, Debug)]
pub(crate) enum Influence {
    /// 1 for scores at or above the cut: Classify & Count and its corrections.
    Step { cut: f64 },
    /// A smooth g, the sum of one or a few ramps: the sweeps.
    Smooth(Vec<Ramp>),
}

impl Influence {
    pub(crate) fn value(&self, score: f64) -> f64 {
        match self {
            Self::Step { cut } => f64::from(u8::from(score >= *cut)),
            Self::Smooth(ramps) => ramp::value(ramps, score),
        }
    }

    /// The largest value, g(∞).
    pub(crate) fn largest(&self) -> f64 {
        self.value(f64::MAX)
    }

    /// Adds the scores to the tally; the tally is untouched when one of them is not a finite number.
    pub(crate) fn push(&self, tally: &mut Tally, scores: &[f64]) -> Result<(), Error> {
        let pass = match self {
            Self::Step { cut } => kernel::step(scores, *cut),
            Self::Smooth(ramps) => kernel::ramps(scores, ramps),
        };
        if !pass.finite {
            return Err(Error::first_not_finite(scores));
        }
        tally.add(scores.len() as u64, &pass.sum, &pass.sum_squares);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::sum::Sum;

    fn two_ramps() -> Influence {
        let first = Ramp::new(0.0, 1.0, vec![0.0, 0.5]);
        Influence::Smooth(vec![first, Ramp::new(1.0, 3.0, vec![0.0, 0.25, 0.0, 0.25])])
    }

    #[test]
    fn every_kernel_sums_the_values() {
        let influences = [
            Influence::Step { cut: 0.7 },
            Influence::Smooth(vec![Ramp::new(-1.0, 2.0, vec![0.0, 0.75, 0.0, 0.25])]),
            two_ramps(),
        ];
        let scores: Vec<f64> = (0..9001).map(|i| f64::from(i * 7919 % 9001) / 1500.0 - 2.0).collect();
        for g in influences {
            for n in [0, 1, 31, 32, 33, 4096, 9001] {
                let mut tally = Tally::default();
                g.push(&mut tally, &scores[..n]).unwrap();
                let values = scores[..n].iter().map(|s| g.value(*s));
                let sum = values.clone().collect::<Sum>().value();
                let squares = values.map(|v| v * v).collect::<Sum>().value();
                assert_eq!(tally.n(), n as u64);
                assert!((tally.sum() - sum).abs() <= 1e-15 * n as f64, "{g:?}, {n}: {} not {sum}", tally.sum());
                assert!((tally.sum_squares() - squares).abs() <= 1e-15 * n as f64);
            }
        }
    }

    #[test]
    fn far_scores_count_exactly_nothing_or_everything() {
        let g = two_ramps();
        let mut tally = Tally::default();
        g.push(&mut tally, &[-1e308, -5.0, 0.0, f64::MIN]).unwrap();
        assert_eq!((tally.sum(), g.largest()), (0.0, 2.0));
        g.push(&mut tally, &[f64::MAX, 1e300, 3.0]).unwrap();
        assert_eq!(tally.sum(), 6.0);
    }

    #[test]
    fn a_bad_score_is_named_and_leaves_the_tally_alone() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for g in [Influence::Step { cut: 0.0 }, two_ramps()] {
                let mut scores = vec![0.5; 100];
                scores[77] = bad;
                let mut tally = Tally::default();
                let error = g.push(&mut tally, &scores).unwrap_err();
                assert!(matches!(error, Error::NotFinite { index: 77, .. }), "{error}");
                assert_eq!(tally, Tally::default());
            }
        }
    }
}
