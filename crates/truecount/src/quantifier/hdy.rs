//! `HDy` (González-Castro, Alaiz-Rodríguez & Alegre 2013).
//!
//! Histograms of the posterior probabilities have 10, 20, …, 110 bins. For each number of bins the
//! best of the prevalences 0, 0.01, …, 1 minimises the Hellinger distance between the mixture of
//! the labelled histograms and the histogram of the test scores. The estimate is the median of
//! these eleven prevalences.
//!
//! The tally counts the scores between all edges of the eleven histograms, whose counts are sums of
//! these. A posterior exactly on an edge belongs to the bin farther from ½ (`numeric::histogram`).

use super::Method;
use super::method::{FamilyUse, MethodRow, SummaryKind};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::numeric::edges::Edges;
use crate::numeric::histogram;
use crate::numeric::sum::median;
use crate::tally::MethodTally;
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// HDy, `hdy`: the median of the estimates from histograms of posterior probabilities with
    /// eleven numbers of bins, by the Hellinger distance.
    pub const HDY: Self = Self::from_row(&MethodRow {
        input: InputKind::Posterior,
        summary_kind: SummaryKind::Bins,
        family_use: FamilyUse::Posteriors,
        ..MethodRow::new("hdy", "HDy: median over eleven histograms of posteriors", |training, _| {
            Ok(Arc::new(Hdy::fit(training)?))
        })
    });
}

/// The number of prevalences in the grid.
const GRID: usize = 101;

/// The relative difference up to which two affinities are equal.
const TIE: f64 = 1e-12;

#[derive(Clone, Debug)]
struct Hdy {
    /// The inner edges of all histograms.
    edges: Edges,
    histograms: Vec<Histogram>,
}

#[derive(Clone, Debug)]
struct Histogram {
    /// The bin of each piece between two neighbouring edges.
    bins: Vec<usize>,
    /// √(α p⁺ + (1−α) p⁻) by bin and prevalence α, so that an estimate needs only dot products.
    roots: Vec<[f64; GRID]>,
}

impl Hdy {
    fn fit(training: &Training) -> Result<Self, Error> {
        let posteriors = training.column(InputKind::Posterior)?;
        let counts: Vec<usize> = (1..=11).map(|k| 10 * k).collect();
        let edges = merged_edges(&counts);
        let pieces = posteriors.map(|posteriors| {
            let mut pieces = vec![0; edges.len() + 1];
            assert!(edges.count(posteriors, |bin, n| pieces[bin] += n), "posteriors are finite");
            pieces
        });
        let histograms = counts.into_iter().map(|count| Histogram::new(count, &edges, &pieces)).collect();
        Ok(Self { edges, histograms })
    }
}

/// Returns the distinct inner edges of histograms with these numbers of bins.
fn merged_edges(counts: &[usize]) -> Edges {
    let inner = |count: &usize| (1..*count).map(|k| histogram::lower_edge(k, *count)).collect::<Vec<_>>();
    let mut edges: Vec<f64> = counts.iter().flat_map(inner).collect();
    edges.sort_unstable_by(f64::total_cmp);
    edges.dedup();
    Edges::new(edges)
}

impl Histogram {
    fn new(count: usize, edges: &Edges, pieces: &PerClass<Vec<u64>>) -> Self {
        let inner_edges: Vec<f64> = (1..count).map(|k| histogram::lower_edge(k, count)).collect();
        let starts = [0.0].into_iter().chain(edges.iter());
        let bins = starts.map(|start| inner_edges.partition_point(|edge| *edge <= start)).collect();
        let mut histogram = Self { bins, roots: vec![[0.0; GRID]; count] };
        let shares = pieces.map(|pieces| histogram::shares(&histogram.counts(pieces)));
        for k in 0..GRID {
            let mixture = histogram::mixture(&shares, prevalence(k));
            histogram.roots.iter_mut().zip(mixture).for_each(|(root, share)| root[k] = share.sqrt());
        }
        histogram
    }

    fn counts(&self, pieces: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; self.roots.len()];
        self.bins.iter().zip(pieces).for_each(|(bin, n)| counts[*bin] += n);
        counts
    }

    /// Returns the prevalence of the grid with the smallest Hellinger distance, which is the one
    /// with the largest affinity Σ √(mixture · test); the midpoint of the first and the last if
    /// several have it.
    fn nearest(&self, pieces: &[u64]) -> f64 {
        let mut affinity = [0.0; GRID];
        let counts = self.counts(pieces);
        for (root, count) in self.roots.iter().zip(&counts).filter(|(_, count)| **count > 0) {
            let test = (*count as f64).sqrt();
            affinity.iter_mut().zip(root).for_each(|(sum, root)| *sum += test * root);
        }
        let largest = affinity.iter().copied().fold(0.0, f64::max);
        let is_largest = |sum: &f64| *sum >= largest * (1.0 - TIE);
        let (first, last) = (affinity.iter().position(is_largest), affinity.iter().rposition(is_largest));
        let prevalence = |index: Option<usize>| prevalence(index.expect("a largest affinity"));
        0.5 * (prevalence(first) + prevalence(last))
    }
}

/// Returns the k-th prevalence of the grid.
fn prevalence(k: usize) -> f64 {
    k as f64 / (GRID - 1) as f64
}

impl Quantify for Hdy {
    fn edges(&self) -> Option<&Edges> {
        Some(&self.edges)
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let MethodTally::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let counts: Vec<u64> = counts.iter().collect();
        let mut prevalences: Vec<f64> = self.histograms.iter().map(|histogram| histogram.nearest(&counts)).collect();
        RawEstimate::without_variance(median(&mut prevalences).expect("there are histograms"), Vec::new())
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        vec![("histograms", self.histograms.len() as f64)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_add_up_to_every_histogram() {
        let counts: Vec<usize> = (1..=11).map(|k| 10 * k).collect();
        let edges = merged_edges(&counts);
        // All edges with their neighbouring numbers, and a fine grid.
        let all_edges =
            counts.iter().flat_map(|count| (0..=*count).map(|k| histogram::lower_edge(k, *count)).collect::<Vec<_>>());
        let neighbours = all_edges.flat_map(|e| [e.next_down().max(0.0), e.min(1.0), e.next_up().min(1.0)]);
        let values: Vec<f64> = neighbours.chain((0..9000).map(|k| f64::from(k) / 8999.0)).collect();
        let mut pieces = vec![0; edges.len() + 1];
        assert!(edges.count(&values, |bin, n| pieces[bin] += n));
        for bins in counts {
            let histogram =
                Histogram::new(bins, &edges, &PerClass { positive: pieces.clone(), negative: pieces.clone() });
            let mut expected = vec![0; bins];
            for p in &values {
                expected[(1..bins).filter(|k| histogram::lower_edge(*k, bins) <= *p).count()] += 1;
            }
            assert_eq!(histogram.counts(&pieces), expected, "{bins} bins");
        }
    }

    /// Test scores in bins without labelled scores give all prevalences the same affinity.
    #[test]
    fn tied_prevalences_give_their_midpoint() {
        let edges = merged_edges(&[10]);
        let mut labelled = PerClass { positive: vec![0; edges.len() + 1], negative: vec![0; edges.len() + 1] };
        (labelled.positive[9], labelled.negative[1]) = (5, 5);
        let histogram = Histogram::new(10, &edges, &labelled);
        let mut test = vec![0; edges.len() + 1];
        test[3] = 7;
        assert_eq!(histogram.nearest(&test), 0.5);
    }
}
