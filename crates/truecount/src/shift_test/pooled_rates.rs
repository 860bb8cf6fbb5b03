//! The classes' rates and their shares under prior probability shift, estimated from labelled and
//! test scores, for the sampling distribution of the shift check.
//!
//! Labelled rates give a variance of 0 to a bin that no labelled positive is in, so that test
//! positives in it would count as a misfit: among fifteen labelled scores of thirteen grades, a rare
//! grade is often missing. As in a test of two shares with a pooled variance, the rates are therefore
//! estimated as if the test scores were a mixture: in bin c, with n±c labelled and m_c test scores,
//!
//! ```text
//! F±c ∝ n±c + h_c + κ± m_c r±c,    r₊c = α F₊c / (α F₊c + (1−α) F₋c),    r₋c = 1 − r₊c
//! ```
//!
//! by the EM algorithm (Dempster, Laird and Rubin 1977), with two additions. h is half a score for
//! each class, shared by the two outermost bins, because beyond its labelled scores a class has some
//! mass. κ± = min(1, n±/(n α±)) lets the test scores count at most as much as the labelled scores;
//! otherwise many test scores of a third class would be taken for scores of a small class.
//!
//! α̃ is too near to the middle of the classes' noise if Ĵ is little more than noise itself, as a
//! slope whose variable is measured with error (Fuller 1987). The share α of the positives is without
//! this attenuation:
//!
//! ```text
//! α = (α̃ Σ W Ĵ² − V₋) / (Σ W Ĵ² − V₊ − V₋),    V± = Σ W F̂±(1−F̂±)/(n± − 1)
//! ```

use super::grid::{Grid, at_or_above, in_bins};
use crate::PerClass;

/// The additional scores of each class in each of the two outermost bins.
const AT_EACH_END: f64 = 0.25;

/// The number of EM steps. More change rejection rates by less than a tenth.
const STEPS: usize = 10;

/// The least share of Σ W Ĵ² that is not noise.
const MIN_RELIABILITY: f64 = 0.2;

/// The labelled scores in each bin, with the noise of their rates.
#[derive(Clone, Debug)]
pub(super) struct LabelledBins {
    /// n±c, in effective numbers, with the additional scores at the ends.
    counts: PerClass<Vec<f64>>,
    /// The shares of the bins in each class from which EM starts: none is empty, as half a score is spread
    /// like both classes together.
    start: PerClass<Vec<f64>>,
    sizes: PerClass<f64>,
    /// V±.
    noise: PerClass<f64>,
    /// Σ W Ĵ².
    squared_distance: f64,
}

/// Rates and factors under prior probability shift.
pub(super) struct PooledRates {
    /// α.
    pub(super) share: f64,
    /// F± at each edge.
    pub(super) rates: PerClass<Vec<f64>>,
    /// a and b.
    pub(super) factors: PerClass<f64>,
}

impl PooledRates {
    /// Returns the mean of a value of each class in the mixture.
    pub(super) fn mix(&self, positive: f64, negative: f64) -> f64 {
        self.share * positive + (1.0 - self.share) * negative
    }
}

impl LabelledBins {
    /// Counts the labelled scores of a grid, which are worth `sizes` independent scores.
    pub(super) fn new(grid: &Grid, sizes: PerClass<f64>) -> Self {
        let weigh = |of_edge: &dyn Fn(usize) -> f64| -> f64 {
            grid.weights.iter().enumerate().map(|(k, w)| w * of_edge(k)).sum()
        };
        let class = |rates: &[f64], n: f64| {
            let counts: Vec<f64> = in_bins(rates, 1.0).iter().map(|share| n * share).collect();
            (counts, weigh(&|k| rates[k] * (1.0 - rates[k])) / (n - 1.0).max(1.0))
        };
        let (positive, positive_noise) = class(&grid.rates.positive, sizes.positive);
        let (negative, negative_noise) = class(&grid.rates.negative, sizes.negative);
        let pairs = positive.iter().zip(&negative);
        let balanced: Vec<f64> = pairs.map(|(p, n)| 0.25 * (p / sizes.positive + n / sizes.negative)).collect();
        let with_ends = |mut counts: Vec<f64>| {
            let last = counts.len() - 1;
            counts[0] += AT_EACH_END;
            counts[last] += AT_EACH_END;
            counts
        };
        let counts = PerClass { positive: with_ends(positive), negative: with_ends(negative) };
        let start = |counts: &Vec<f64>| {
            let mut shares: Vec<f64> = counts.iter().zip(&balanced).map(|(count, more)| count + more).collect();
            normalise(&mut shares);
            shares
        };
        Self {
            start: counts.map(start),
            counts,
            sizes,
            noise: PerClass { positive: positive_noise, negative: negative_noise },
            squared_distance: weigh(&|k| grid.distance[k] * grid.distance[k]),
        }
    }

    /// Returns the factors a and b for a share of positives and an effective number of test scores.
    pub(super) fn factors(&self, share: f64, n: f64) -> PerClass<f64> {
        let factor = |share: f64, labelled: f64| share / n + share * share / labelled;
        let alpha = inside(share, n);
        PerClass { positive: factor(alpha, self.sizes.positive), negative: factor(1.0 - alpha, self.sizes.negative) }
    }

    /// Pools the labelled scores with test scores, whose nearest mixture has this prevalence.
    /// `test` has their effective number in each bin.
    pub(super) fn pool(&self, prevalence: f64, test: &[f64]) -> PooledRates {
        let n: f64 = test.iter().sum();
        let share = inside(self.without_attenuation(prevalence), n);
        let mut bins = self.start.clone();
        let weight = |labelled: f64, share: f64| (labelled / (n * share)).min(1.0);
        let (of_positive, of_negative) = (weight(self.sizes.positive, share), weight(self.sizes.negative, 1.0 - share));
        for _ in 0..STEPS {
            let counts = self.counts.positive.iter().zip(&self.counts.negative);
            let pairs = bins.positive.iter_mut().zip(&mut bins.negative);
            for ((m, (positive, negative)), (p, q)) in test.iter().zip(counts).zip(pairs) {
                let (of_p, of_q) = (share * *p, (1.0 - share) * *q);
                let positives = if of_p + of_q > 0.0 { m * of_p / (of_p + of_q) } else { m * share };
                *p = positive + of_positive * positives;
                *q = negative + of_negative * (m - positives);
            }
            normalise(&mut bins.positive);
            normalise(&mut bins.negative);
        }
        PooledRates { share, rates: bins.map(|bins| at_or_above(bins)), factors: self.factors(share, n) }
    }

    /// Returns α from α̃.
    fn without_attenuation(&self, prevalence: f64) -> f64 {
        let Self { noise, squared_distance: square, .. } = self;
        (prevalence * square - noise.negative)
            / (square - noise.positive - noise.negative).max(MIN_RELIABILITY * square)
    }
}

/// Divides numbers by their sum.
fn normalise(numbers: &mut [f64]) {
    let total: f64 = numbers.iter().sum();
    for number in numbers {
        *number /= total;
    }
}

/// Returns the share clamped so that each class has at least half a score among n, and its sampling
/// error is always included.
fn inside(share: f64, n: f64) -> f64 {
    let half = 0.5 / n;
    share.clamp(half, 1.0 - half)
}
