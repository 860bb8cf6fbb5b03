//! Bins between the quantiles of the class-balanced labelled distribution H = ½F̂⁺ + ½F̂⁻.
//!
//! In H, the sizes of the classes do not matter. If labelled rows have weights, F̂± are weighted.
//!
//! An edge lies halfway between two labelled scores. A test score exactly on an edge, as scores of
//! a few digits often are, belongs to the bin farther from the middle of H. So both ends are
//! treated alike: negated scores with swapped labels fall into the same bins in the opposite order.
//! (A score exactly at the middle of H, where nothing distinguishes the ends, belongs to the upper
//! bin.)
//!
//! A strictly increasing map of the scores does not change which labelled scores share a bin. Of
//! the test scores between the labelled scores of two bins, it may move some to the other bin. An
//! edge at the upper bin's lowest labelled score would be exactly invariant, but then all test
//! scores between the bins would count as below the edge: with thirty labels a class this is a bias
//! of a tenth of a standard error.

use crate::design::LabelDesign;
use crate::numeric::edges::Edges;
use crate::{LabelledScores, PerClass};
use std::sync::Arc;

/// The number of bins of equal H, if there are enough distinct scores.
const BINS: usize = 64;

/// The total mass of a class, in whole units, so that sums do not depend on the order of the rows.
const MASS_UNITS: f64 = (1_u64 << 60) as f64;

/// Bins with the counts of labelled scores.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    edges: Arc<Edges>,
    counts: PerClass<Vec<u64>>,
    /// The effective counts, if rows have weights.
    effective_counts: Option<PerClass<Vec<f64>>>,
}

/// A distinct labelled score with its number of rows in each class and their mass.
struct DistinctScore {
    score: f64,
    counts: PerClass<u64>,
    mass: u128,
}

impl Bins {
    /// Creates the bins of labelled scores; `None` if all labelled scores are equal.
    ///
    /// Up to 64 distinct scores get a bin each. Otherwise there are 64 bins of equal mass, built
    /// symmetrically: edges are where H first reaches each multiple of 1/64, from both ends to the
    /// middle.
    pub(crate) fn new(labelled: &LabelledScores) -> Option<Self> {
        let distinct = distinct_scores(labelled);
        let masses: Vec<u128> = distinct.iter().map(|score| score.mass).collect();
        let starts: Vec<usize> = if distinct.len() <= BINS {
            (1..distinct.len()).collect()
        } else {
            let mut starts = bin_starts(masses.iter());
            let from_above = bin_starts(masses.iter().rev());
            starts.extend(from_above.into_iter().rev().map(|index| masses.len() - index));
            starts.sort_unstable();
            starts.dedup();
            starts
        };
        let mut below: Vec<u128> = vec![0];
        below.extend(masses.iter().scan(0, |sum, mass| {
            *sum += mass;
            Some(*sum)
        }));
        let in_lower_half = |start: usize| 2 * below[start] < below[masses.len()];
        let edge =
            |start: &usize| edge_between(distinct[*start - 1].score, distinct[*start].score, in_lower_half(*start));
        let edges: Vec<f64> = starts.iter().map(edge).collect();
        if edges.is_empty() {
            return None;
        }
        let ends = starts.iter().copied().chain([distinct.len()]);
        let mut counts = PerClass { positive: Vec::new(), negative: Vec::new() };
        let mut from = 0;
        for end in ends {
            counts.positive.push(distinct[from..end].iter().map(|score| score.counts.positive).sum());
            counts.negative.push(distinct[from..end].iter().map(|score| score.counts.negative).sum());
            from = end;
        }
        let edges = Arc::new(Edges::new(edges));
        let effective_counts = labelled.design().map(|design| effective_counts(&edges, labelled.scores(), design));
        Some(Self { edges, counts, effective_counts })
    }

    /// Returns the edges, where every bin except the first begins.
    pub(crate) fn edges(&self) -> &Arc<Edges> {
        &self.edges
    }

    pub(crate) fn len(&self) -> usize {
        self.edges.len() + 1
    }

    /// Returns the number of labelled scores of each class in each bin.
    pub(crate) fn counts(&self) -> &PerClass<Vec<u64>> {
        &self.counts
    }

    /// Returns the effective number of labelled scores of each class in each bin.
    ///
    /// Each class's numbers add up to its effective sample size; without weights they are the
    /// counts.
    pub(crate) fn effective_counts(&self) -> PerClass<Vec<f64>> {
        let as_numbers = |counts: &Vec<u64>| counts.iter().map(|n| *n as f64).collect();
        self.effective_counts.clone().unwrap_or_else(|| self.counts.map(as_numbers))
    }
}

/// Returns the edge halfway between two scores; for neighbouring doubles, the higher one.
///
/// A score exactly halfway belongs to the upper bin, or to the lower one if `halfway_is_below`.
fn edge_between(low: f64, high: f64, halfway_is_below: bool) -> f64 {
    let middle = 0.5 * low + 0.5 * high;
    let edge = if halfway_is_below { middle.next_up() } else { middle };
    if edge > low && edge < high { edge } else { high }
}

/// Returns the effective number of weighted scores in each bin.
fn effective_counts(edges: &Edges, scores: &PerClass<Vec<f64>>, design: &LabelDesign) -> PerClass<Vec<f64>> {
    let (shares, effective) = (design.normalized_weights(), design.effective_sizes());
    PerClass::from_fn(|class| {
        let mut counts = vec![0.0; edges.len() + 1];
        let rows = scores.get(class).iter().zip(shares.get(class));
        rows.for_each(|(score, share)| counts[edges.at_or_below(*score)] += share * effective.get(class));
        counts
    })
}

/// Returns the mass of each row in whole units; the masses give both classes the same weight.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the whole
fn row_masses(labelled: &LabelledScores) -> PerClass<Vec<u128>> {
    let scores = labelled.scores();
    match labelled.design() {
        Some(design) => {
            design.normalized_weights().map(|shares| shares.iter().map(|share| (share * MASS_UNITS) as u128).collect())
        }
        None => PerClass {
            positive: vec![scores.negative.len() as u128; scores.positive.len()],
            negative: vec![scores.positive.len() as u128; scores.negative.len()],
        },
    }
}

/// Returns the distinct labelled scores in ascending order.
fn distinct_scores(labelled: &LabelledScores) -> Vec<DistinctScore> {
    let (scores, masses) = (labelled.scores(), row_masses(labelled));
    let mut all: Vec<(f64, bool, u128)> = Vec::with_capacity(scores.positive.len() + scores.negative.len());
    let rows = |scores: &[f64], masses: &[u128], positive: bool| {
        let rows = scores.iter().zip(masses);
        rows.map(move |(score, mass)| (*score, positive, *mass)).collect::<Vec<_>>()
    };
    all.extend(rows(&scores.positive, &masses.positive, true));
    all.extend(rows(&scores.negative, &masses.negative, false));
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut distinct: Vec<DistinctScore> = Vec::with_capacity(all.len());
    for (score, positive, mass) in all {
        if distinct.last().is_none_or(|last| last.score < score) {
            distinct.push(DistinctScore { score, counts: PerClass::default(), mass: 0 });
        }
        let last = distinct.last_mut().expect("one has just been added");
        last.mass += mass;
        *if positive { &mut last.counts.positive } else { &mut last.counts.negative } += 1;
    }
    distinct
}

/// Returns the indices before which the sum of masses first reaches 1/64, 2/64, … up to one half of
/// the total.
///
/// The indices are ascending and are the first scores of bins.
fn bin_starts<'a>(masses: impl Iterator<Item = &'a u128> + Clone) -> Vec<usize> {
    let total: u128 = masses.clone().sum();
    let (mut before, mut starts, mut next) = (0, Vec::with_capacity(BINS), 1);
    for (index, mass) in masses.enumerate() {
        let reached = before * BINS as u128 / total;
        if reached >= next {
            starts.push(index);
            next = reached + 1;
        }
        before += mass;
        if next > BINS as u128 / 2 {
            break;
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(positive: &[f64], negative: &[f64]) -> Option<Bins> {
        let labels: Vec<bool> = (0..positive.len() + negative.len()).map(|i| i < positive.len()).collect();
        Bins::new(&LabelledScores::new(&[positive, negative].concat(), &labels).unwrap())
    }

    fn edges(positive: &[f64], negative: &[f64]) -> Vec<f64> {
        bins(positive, negative).map_or_else(Vec::new, |bins| bins.edges.iter().collect())
    }

    #[test]
    fn few_values_have_a_bin_each() {
        // H is 0.3, 0.4 and ⅔ at the three edges.
        assert_eq!(edges(&[5.0, 4.0, 5.0], &[1.0, 4.0, 2.0, 1.0, 1.0]), [1.5f64.next_up(), 3.0f64.next_up(), 4.5]);
        assert_eq!(edges(&[1.0, 0.0, 1.0], &[0.0, -0.0]), [0.5]);
        assert_eq!(
            edges(&[1.0f64.next_up(), f64::MAX], &[1.0, f64::MIN]),
            [(0.5 * f64::MIN + 0.5).next_up(), 1.0f64.next_up(), 0.5 * f64::MAX + 0.5]
        );
        assert_eq!(edges(&[2.0], &[2.0, 2.0]), [0.0; 0]);
        let bins = bins(&[5.0, 4.0, 5.0], &[1.0, 4.0, 2.0, 1.0]).unwrap();
        assert_eq!(bins.counts, PerClass { positive: vec![0, 0, 1, 2], negative: vec![2, 1, 1, 0] });
    }
}
