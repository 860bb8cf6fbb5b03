//! Tallies: all a quantifier needs to know of the test scores.

use super::weighted::Weighted;
use crate::numeric::sum::Sum;

/// What a quantifier keeps of the test scores pushed so far. Mergeable in any order: batches, threads, groups and files are
/// all the same operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Tally {
    /// The mean of one function: counts, sweeps. Of constant size.
    Moments(Moments),
    /// The means of several functions: Efficient Sweep. Of constant size.
    Several(Vec<Moments>),
    /// The weighted means of one function or several. Of constant size.
    Weighted(Weighted),
    /// How many scores fall into each bin: DyS, `HDy`, the shift check. Of constant size.
    Counts {
        /// Number of scores.
        n: u64,
        /// Scores in each bin.
        counts: Vec<u64>,
    },
    /// One number for each score: Median Sweep, SLD. Grows with the data.
    Values(Vec<f64>),
}

impl Tally {
    /// The number of scores; of weighted ones, of those with a weight above 0.
    pub fn n(&self) -> u64 {
        match self {
            Self::Moments(moments) => moments.n,
            Self::Several(several) => several.first().map_or(0, |moments| moments.n),
            Self::Weighted(weighted) => weighted.n(),
            Self::Counts { n, .. } => *n,
            Self::Values(values) => values.len() as u64,
        }
    }

    /// The effective number of weighted scores; none without weights.
    pub fn effective_n(&self) -> Option<f64> {
        match self {
            Self::Weighted(weighted) => Some(weighted.effective_n()),
            _ => None,
        }
    }

    /// What the scores say of one of the functions whose means are tallied.
    pub(super) fn sampled(&self, place: usize) -> Sampled {
        match self {
            Self::Moments(moments) => moments.sampled(),
            Self::Several(several) => several[place].sampled(),
            Self::Weighted(weighted) => weighted.sampled(place),
            Self::Counts { .. } | Self::Values(_) => unreachable!("a tally of means"),
        }
    }

    /// Whether every score counted the same, as when all are equal; not told for a single function, of which a step has but two
    /// values, and for bins.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Several(several) => several.iter().all(|moments| moments.sampled().is_constant()),
            Self::Weighted(weighted) => {
                let functions = weighted.functions();
                functions > 1 && (0..functions).all(|place| weighted.sampled(place).is_constant())
            }
            Self::Values(values) => values.iter().all(|value| *value == values[0]),
            Self::Moments(_) | Self::Counts { .. } => false,
        }
    }

    /// Adds another tally of the **same** quantifier.
    ///
    /// # Panics
    /// When the two are not of the same kind and size.
    pub fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Self::Moments(a), Self::Moments(b)) => a.merge(b),
            (Self::Several(a), Self::Several(b)) if a.len() == b.len() => {
                a.iter_mut().zip(b).for_each(|(a, b)| a.merge(b));
            }
            (Self::Counts { n, counts }, Self::Counts { n: more, counts: others }) if counts.len() == others.len() => {
                *n += more;
                counts.iter_mut().zip(others).for_each(|(a, b)| *a += b);
            }
            (Self::Weighted(a), Self::Weighted(b)) if a.functions() == b.functions() => a.merge(b),
            (Self::Values(a), Self::Values(b)) => a.extend_from_slice(b),
            _ => panic!("tallies of different quantifiers cannot be merged"),
        }
    }
}

/// What test scores say of one function g of them, weighted or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    /// Σw; n without weights.
    pub(super) total: f64,
    /// Σwg.
    pub(super) sum: f64,
    /// Σwg².
    pub(super) sum_squares: f64,
    /// Σw²g/Σw²; the mean itself without weights.
    pub(super) mean_by_square: f64,
    /// Kish's effective number (Σw)²/Σw²; n without weights.
    pub(super) size: f64,
}

impl Sampled {
    /// Σwg/Σw.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.total
    }

    /// Whether g is the same everywhere, to six digits of its size.
    fn is_constant(&self) -> bool {
        let square = self.sum_squares / self.total;
        square - self.mean().powi(2) <= 1e-12 * square
    }
}

/// n, Σg and Σg² of a function g of the test scores, exact to about one rounding whatever their number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    n: u64,
    sum: Sum,
    sum_squares: Sum,
}

impl Moments {
    pub(super) fn add(&mut self, n: u64, sum: &Sum, sum_squares: &Sum) {
        self.n += n;
        self.sum.merge(sum);
        self.sum_squares.merge(sum_squares);
    }

    fn merge(&mut self, other: &Self) {
        self.add(other.n, &other.sum, &other.sum_squares);
    }

    fn sampled(&self) -> Sampled {
        let (total, sum) = (self.n as f64, self.sum());
        Sampled { total, sum, sum_squares: self.sum_squares(), mean_by_square: sum / total, size: total }
    }

    /// The number of scores.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Σ g.
    pub fn sum(&self) -> f64 {
        self.sum.value()
    }

    /// Σ g².
    pub fn sum_squares(&self) -> f64 {
        self.sum_squares.value()
    }

    /// Σ g / n.
    pub fn mean(&self) -> f64 {
        self.sum() / self.n as f64
    }

    /// Σ g²/n − mean², never negative.
    pub fn variance(&self) -> f64 {
        (self.sum_squares() / self.n as f64 - self.mean().powi(2)).max(0.0)
    }
}
