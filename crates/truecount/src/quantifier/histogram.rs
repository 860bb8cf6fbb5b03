//! Matching histograms of the posterior probabilities: the mixture of the labelled classes' histograms nearest to that of the
//! test scores.
//!
//! * `dys` (Maletzke et al. 2019): 8 bins, Hellinger distance, or Topsøe's divergence as `dys-topsoe`, by ternary search to 1e-5;
//! * `hdy` (González-Castro et al. 2013): for 10, 20, …, 110 bins the best of the prevalences 0, 0.01, …, 1 by Hellinger distance,
//!   and the median of these eleven.
//!
//! Bins are [a, b), the last one [a, 1], as in numpy and so in `QuaPy`; the paper's code has (a, b].

use super::{Finding, Quantify, Tally};
use crate::numeric::edges::Edges;
use crate::numeric::median::median;
use crate::numeric::pass;
use crate::training::{Column, Training};
use crate::{Error, PerClass};

const DYS_BINS: usize = 8;
const DYS_TOLERANCE: f64 = 1e-5;

/// Values counted at a time edge by edge: they stay in the nearest cache.
const CHUNK: usize = 1024;

/// Prevalences tried by `HDy`.
const GRID: usize = 101;

/// How far apart two histograms are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// Σ (√p − √q)².
    Hellinger,
    /// Σ p ln(2p/(p+q)) + q ln(2q/(p+q)).
    Topsoe,
}

#[derive(Clone, Debug)]
pub(super) struct Histogram {
    bins: Vec<Bins>,
    search: Search,
}

#[derive(Clone, Debug)]
enum Search {
    /// On the first and only histogram.
    Ternary(Divergence),
    /// For every histogram √(α p⁺ + (1−α) p⁻) by bin and prevalence, made once: each test set is then a few dot products.
    Grid { roots: Vec<Vec<[f64; GRID]>>, merged: Merged },
}

/// All edges of several histograms in one.
#[derive(Clone, Debug)]
struct Merged {
    edges: Edges,
    /// The bin, counted over all histograms, that each piece between two edges lies in, histogram by histogram.
    bins: Vec<Vec<usize>>,
}

impl Merged {
    fn new(histograms: &[Bins]) -> Self {
        let inner = |bins: &Bins| (1..bins.count).map(|k| edge(k, bins.count)).collect::<Vec<_>>();
        let mut edges: Vec<f64> = histograms.iter().flat_map(inner).collect();
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        let starts: Vec<f64> = [0.0].into_iter().chain(edges.iter().copied()).collect();
        let mut offset = 0;
        let bins = histograms.iter().map(|bins| {
            offset += bins.count;
            starts.iter().map(|start| offset - bins.count + bin(*start, bins.count)).collect()
        });
        Self { bins: bins.collect(), edges: Edges::new(edges) }
    }

    /// One count for each value, then all histograms from those.
    fn count(&self, values: &[f64], counts: &mut [u64]) {
        let mut pieces = vec![0_u64; self.edges.len() + 1];
        for p in values {
            pieces[self.edges.at_or_below(*p)] += 1;
        }
        for bins in &self.bins {
            bins.iter().zip(&pieces).for_each(|(bin, n)| counts[*bin] += n);
        }
    }
}

/// Bins of equal width on [0, 1], with each class's shares.
#[derive(Clone, Debug)]
struct Bins {
    count: usize,
    shares: PerClass<Vec<f64>>,
}

impl Bins {
    fn fit(count: usize, posteriors: &PerClass<Vec<f64>>) -> Self {
        let shares = posteriors.map(|posteriors| {
            let mut counts = vec![0; count];
            for p in posteriors {
                counts[bin(*p, count)] += 1;
            }
            shares(&counts)
        });
        Self { count, shares }
    }

    fn mixture(&self, alpha: f64) -> impl Iterator<Item = f64> + '_ {
        self.shares.positive.iter().zip(&self.shares.negative).map(move |(p, n)| alpha * p + (1.0 - alpha) * n)
    }
}

/// The left edge of bin k.
fn edge(k: usize, count: usize) -> f64 {
    k as f64 * (count as f64).recip()
}

/// The bin p falls in. Multiplying may round across an edge; comparing with the edge itself sets that right.
fn bin(p: f64, count: usize) -> usize {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // p is in [0, 1]
    let k = ((p * count as f64) as usize).min(count - 1);
    if p < edge(k, count) {
        k - 1
    } else if k + 1 < count && p >= edge(k + 1, count) {
        k + 1
    } else {
        k
    }
}

/// Adds a few bins' counts by counting how many values lie at or above each edge: no value is looked up.
fn count_by_edges(values: &[f64], counts: &mut [u64]) {
    let count = counts.len();
    let mut above = values.len() as u64;
    for k in 1..=count {
        let next = if k < count { pass::at_or_above(values, edge(k, count)) } else { 0 };
        counts[k - 1] += above - next;
        above = next;
    }
}

fn shares(counts: &[u64]) -> Vec<f64> {
    let n: u64 = counts.iter().sum();
    counts.iter().map(|count| *count as f64 / n as f64).collect()
}

impl Histogram {
    /// `dys`.
    pub(super) fn dys(training: &Training, divergence: Divergence) -> Result<Self, Error> {
        let posteriors = training.column(Column::Posterior)?;
        Ok(Self { bins: vec![Bins::fit(DYS_BINS, posteriors)], search: Search::Ternary(divergence) })
    }

    /// `hdy`.
    pub(super) fn hdy(training: &Training) -> Result<Self, Error> {
        let posteriors = training.column(Column::Posterior)?;
        let bins: Vec<Bins> = (1..=11).map(|k| Bins::fit(10 * k, posteriors)).collect();
        let roots = |bins: &Bins| {
            let mut roots = vec![[0.0; GRID]; bins.count];
            for k in 0..GRID {
                roots.iter_mut().zip(bins.mixture(prevalence(k))).for_each(|(root, share)| root[k] = share.sqrt());
            }
            roots
        };
        let search = Search::Grid { roots: bins.iter().map(roots).collect(), merged: Merged::new(&bins) };
        Ok(Self { bins, search })
    }
}

fn prevalence(k: usize) -> f64 {
    k as f64 / (GRID - 1) as f64
}

fn divergence(kind: Divergence, mixture: impl Iterator<Item = f64>, test: &[f64]) -> f64 {
    let pairs = mixture.zip(test);
    match kind {
        Divergence::Hellinger => pairs.map(|(p, q)| (p.sqrt() - q.sqrt()).powi(2)).sum(),
        Divergence::Topsoe => {
            let term = |a: f64, sum: f64| if a > 0.0 { a * (2.0 * a / sum).ln() } else { 0.0 };
            pairs.map(|(p, q)| term(p, p + q) + term(*q, p + q)).sum()
        }
    }
}

/// The α in [0, 1] with the least f, to the tolerance; f falls and then rises.
fn ternary(f: impl Fn(f64) -> f64) -> f64 {
    let (mut left, mut right) = (0.0, 1.0);
    while right - left >= DYS_TOLERANCE {
        let third = (right - left) / 3.0;
        if f(left + third) > f(right - third) {
            left += third;
        } else {
            right -= third;
        }
    }
    0.5 * (left + right)
}

/// The prevalence of the grid with the least Hellinger distance, that is with the largest Σ √(mixture · test).
fn nearest(roots: &[[f64; GRID]], counts: &[u64]) -> f64 {
    let mut affinity = [0.0; GRID];
    for (root, count) in roots.iter().zip(counts).filter(|(_, count)| **count > 0) {
        let test = (*count as f64).sqrt();
        affinity.iter_mut().zip(root).for_each(|(sum, root)| *sum += test * root);
    }
    let best = (0..GRID).fold(0, |best, k| if affinity[k] > affinity[best] { k } else { best });
    prevalence(best)
}

impl Quantify for Histogram {
    fn column(&self) -> Column {
        Column::Posterior
    }

    fn tally(&self) -> Tally {
        Tally::Counts { n: 0, counts: vec![0; self.bins.iter().map(|bins| bins.count).sum()] }
    }

    fn push(&self, tally: &mut Tally, values: &[f64]) -> Result<(), Error> {
        let Tally::Counts { n, counts } = tally else { unreachable!("a tally of this quantifier") };
        *n += values.len() as u64;
        match &self.search {
            Search::Grid { merged, .. } if values.len() > merged.edges.len() => merged.count(values, counts),
            Search::Ternary(_) if values.len() >= CHUNK => {
                values.chunks(CHUNK).for_each(|chunk| count_by_edges(chunk, counts));
            }
            _ => {
                let mut rest = counts.as_mut_slice();
                for bins in &self.bins {
                    let (here, after) = rest.split_at_mut(bins.count);
                    for p in values {
                        here[bin(*p, bins.count)] += 1;
                    }
                    rest = after;
                }
            }
        }
        Ok(())
    }

    fn find(&self, tally: &Tally) -> Finding {
        let Tally::Counts { counts, .. } = tally else { unreachable!("a tally of this quantifier") };
        let raw = match &self.search {
            Search::Ternary(kind) => {
                let test = shares(counts);
                ternary(|alpha| divergence(*kind, self.bins[0].mixture(alpha), &test))
            }
            Search::Grid { roots, .. } => {
                let mut rest = counts.as_slice();
                let best = |roots: &Vec<[f64; GRID]>| {
                    let (here, after) = rest.split_at(roots.len());
                    rest = after;
                    nearest(roots, here)
                };
                let mut prevalences: Vec<f64> = roots.iter().map(best).collect();
                median(&mut prevalences).expect("there are histograms")
            }
        };
        Finding::without_variance(raw, Vec::new())
    }

    fn learnt(&self) -> Vec<(&'static str, f64)> {
        match &self.search {
            Search::Ternary(_) => vec![("bins", DYS_BINS as f64)],
            Search::Grid { .. } => vec![("histograms", self.bins.len() as f64)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_closed_on_the_left() {
        assert_eq!([0.0, 0.124, 0.125, 0.5, 0.999, 1.0].map(|p| bin(p, 8)), [0, 0, 1, 4, 7, 7]);
        for count in (10..=110).step_by(10) {
            for k in 0..count {
                let edge = k as f64 * (count as f64).recip();
                assert_eq!(bin(edge, count), k);
                if k > 0 {
                    assert_eq!(bin(edge.next_down(), count), k - 1);
                }
            }
        }
    }

    #[test]
    fn every_way_to_count_gives_the_same() {
        let posteriors = PerClass { positive: vec![0.9, 0.4, 0.75], negative: vec![0.1, 0.5, 0.3] };
        // Edges, their neighbours, and much between.
        let edges = (0..=110).flat_map(|k| [10, 80, 110].map(|count| edge(k.min(count), count)));
        let near = edges.flat_map(|e| [e, e.next_up().min(1.0), e.next_down().max(0.0)]);
        let values: Vec<f64> = near.chain((0..9000).map(|k| f64::from(k) / 8999.0)).collect();
        let bins: Vec<Bins> = (1..=11).map(|k| Bins::fit(10 * k, &posteriors)).collect();
        let direct = |count: usize| {
            let mut counts = vec![0; count];
            for p in &values {
                counts[bin(*p, count)] += 1;
            }
            counts
        };
        let expected: Vec<u64> = bins.iter().flat_map(|bins| direct(bins.count)).collect();
        let mut merged = vec![0; expected.len()];
        Merged::new(&bins).count(&values, &mut merged);
        assert_eq!(merged, expected);
        let mut by_edges = vec![0; DYS_BINS];
        count_by_edges(&values, &mut by_edges);
        assert_eq!(by_edges, direct(DYS_BINS));
    }

    #[test]
    fn an_exact_mixture_is_recognised() {
        let shares = PerClass { positive: vec![0.1, 0.2, 0.7], negative: vec![0.6, 0.3, 0.1] };
        let bins = Bins { count: 3, shares };
        let test: Vec<f64> = bins.mixture(0.37).collect();
        for kind in [Divergence::Hellinger, Divergence::Topsoe] {
            let found = ternary(|alpha| divergence(kind, bins.mixture(alpha), &test));
            assert!((found - 0.37).abs() < DYS_TOLERANCE, "{found}");
        }
    }
}
