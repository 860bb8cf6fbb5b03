//! Rates at every labelled score, and the cuts of T50, MAX and X (Forman 2008, §4):
//!
//! * T50: the true positive rate nearest to ½;
//! * MAX: the largest true minus false positive rate;
//! * X: the false positive rate nearest to the false negative rate.
//!
//! Ties go to the cut with the largest difference of the rates, then to the lowest cut.

use crate::distribution::Empirical;
use crate::{Error, PerClass, Problem};

/// A cut and the number of labelled scores of each class at or above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) score: f64,
    pub(super) above: PerClass<u64>,
}

impl Cut {
    /// Returns n₊ n₋ (F̂⁺ − F̂⁻), an exact integer.
    fn scaled_j(&self, n: PerClass<u64>) -> i128 {
        product(self.above.positive, n.negative) - product(self.above.negative, n.positive)
    }
}

/// The criterion that a cut minimises.
#[derive(Clone, Copy, Debug)]
pub(super) enum Criterion {
    /// |F̂⁺ − ½|.
    HalfOfPositives,
    /// F̂⁻ − F̂⁺.
    LargestDifference,
    /// |1 − F̂⁺ − F̂⁻|.
    EqualErrors,
}

/// Returns every distinct labelled score as a cut, in ascending order.
pub(super) fn all(empirical: &PerClass<Empirical>) -> Vec<Cut> {
    let mut rest = empirical.map(Empirical::scores);
    let mut cuts = Vec::with_capacity(rest.positive.len() + rest.negative.len());
    let smallest = |rest: &PerClass<&[f64]>| {
        [rest.positive, rest.negative].iter().filter_map(|s| s.first()).copied().reduce(f64::min)
    };
    while let Some(score) = smallest(&rest) {
        cuts.push(Cut { score, above: rest.map(|scores| scores.len() as u64) });
        rest = rest.map(|scores| &scores[scores.iter().take_while(|s| **s == score).count()..]);
    }
    cuts
}

/// Returns the best cut by a criterion among the cuts with F̂⁺ > F̂⁻.
///
/// # Errors
/// Returns [`Problem::ClassesNotSeparated`] if there is no such cut.
pub(super) fn choose(empirical: &PerClass<Empirical>, criterion: Criterion) -> Result<f64, Error> {
    let n = empirical.map(Empirical::n);
    let loss = |cut: &Cut| match criterion {
        Criterion::HalfOfPositives => (2 * i128::from(cut.above.positive) - i128::from(n.positive)).abs(),
        Criterion::LargestDifference => -cut.scaled_j(n),
        Criterion::EqualErrors => {
            let rate_sum = product(cut.above.positive, n.negative) + product(cut.above.negative, n.positive);
            (product(n.positive, n.negative) - rate_sum).abs()
        }
    };
    // `min_by_key` returns the first of several minima.
    all(empirical)
        .into_iter()
        .filter(|cut| cut.scaled_j(n) > 0)
        .min_by_key(|cut| (loss(cut), -cut.scaled_j(n)))
        .map(|cut| cut.score)
        .ok_or_else(|| Problem::ClassesNotSeparated { max_j: 0.0 }.into())
}

fn product(a: u64, b: u64) -> i128 {
    i128::from(a) * i128::from(b)
}
