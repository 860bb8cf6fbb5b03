//! Tallies: all a quantifier needs to know of the test scores.

use crate::numeric::sum::Sum;

/// What a quantifier keeps of the test scores pushed so far. Mergeable in any order: batches, threads, groups and files are
/// all the same operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Tally {
    /// The mean of one function: counts, sweeps. Of constant size.
    Moments(Moments),
    /// The means of several functions: Efficient Sweep. Of constant size.
    Several(Vec<Moments>),
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
    /// The number of scores.
    pub fn n(&self) -> u64 {
        match self {
            Self::Moments(moments) => moments.n,
            Self::Several(several) => several.first().map_or(0, |moments| moments.n),
            Self::Counts { n, .. } => *n,
            Self::Values(values) => values.len() as u64,
        }
    }

    /// Whether every score counted the same, as when all are equal; not told for a single function, of which a step has but two
    /// values, and for bins.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Several(several) => several.iter().all(|m| m.variance() <= 1e-12 * m.sum_squares() / m.n as f64),
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
            (Self::Values(a), Self::Values(b)) => a.extend_from_slice(b),
            _ => panic!("tallies of different quantifiers cannot be merged"),
        }
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
