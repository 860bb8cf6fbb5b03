//! Rates at every labelled score, and the cut that T50, MAX and X choose among them (Forman 2008, §4):
//!
//! * T50: the true positive rate nearest to ½;
//! * MAX: the largest true minus false positive rate;
//! * X: the false positive rate nearest to the false negative rate.
//!
//! Among equals the cut with the largest difference of the rates wins, then the lowest.

use crate::distribution::Empirical;
use crate::{Error, PerClass, Problem};

/// A cut and how many labelled scores of each class lie at or above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) score: f64,
    pub(super) above: PerClass<u64>,
}

impl Cut {
    /// F̂⁺ − F̂⁻, as PN·J: exact in whole numbers.
    fn excess(&self, n: PerClass<u64>) -> i128 {
        cross(self.above.positive, n.negative) - cross(self.above.negative, n.positive)
    }
}

/// What the cut is to minimise.
#[derive(Clone, Copy, Debug)]
pub(super) enum Criterion {
    /// |F̂⁺ − ½|.
    HalfOfPositives,
    /// F̂⁻ − F̂⁺.
    LargestDifference,
    /// |1 − F̂⁺ − F̂⁻|.
    EqualErrors,
}

/// Every distinct labelled score as a cut, ascending.
pub(super) fn all(empirical: &PerClass<Empirical>) -> Vec<Cut> {
    let mut rest = empirical.map(Empirical::scores);
    let mut cuts = Vec::with_capacity(rest.positive.len() + rest.negative.len());
    let least = |rest: &PerClass<&[f64]>| {
        [rest.positive, rest.negative].iter().filter_map(|s| s.first()).copied().reduce(f64::min)
    };
    while let Some(score) = least(&rest) {
        cuts.push(Cut { score, above: rest.map(|scores| scores.len() as u64) });
        rest = rest.map(|scores| &scores[scores.iter().take_while(|s| **s == score).count()..]);
    }
    cuts
}

/// The cut the criterion likes best among those where F̂⁺ > F̂⁻.
///
/// # Errors
/// [`Problem::NoSeparation`] when there is none.
pub(super) fn choose(empirical: &PerClass<Empirical>, criterion: Criterion) -> Result<f64, Error> {
    let n = empirical.map(Empirical::n);
    let loss = |cut: &Cut| match criterion {
        Criterion::HalfOfPositives => (2 * i128::from(cut.above.positive) - i128::from(n.positive)).abs(),
        Criterion::LargestDifference => -cut.excess(n),
        Criterion::EqualErrors => {
            let both = cross(cut.above.positive, n.negative) + cross(cut.above.negative, n.positive);
            (cross(n.positive, n.negative) - both).abs()
        }
    };
    let useful = all(empirical).into_iter().filter(|cut| cut.excess(n) > 0);
    // `min_by_key` keeps the first of equals.
    useful
        .min_by_key(|cut| (loss(cut), -cut.excess(n)))
        .map(|cut| cut.score)
        .ok_or_else(|| Problem::NoSeparation { max_j: 0.0 }.into())
}

fn cross(a: u64, b: u64) -> i128 {
    i128::from(a) * i128::from(b)
}
