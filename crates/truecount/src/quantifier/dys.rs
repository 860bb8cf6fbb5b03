//! DyS (Maletzke et al. 2019): the prevalence at which the mixture of the labelled histograms of
//! posterior probabilities is nearest to the histogram of the test scores.
//!
//! There are 8 bins. The distance is Hellinger's, or Topsøe's divergence for `dys-topsoe`. A
//! ternary search minimises it to 1e-5.
//!
//! A posterior exactly on an edge belongs to the bin farther from ½ (`numeric::histogram`), so that
//! swapping the classes gives 1 − α̂. This symmetry would be lost with the bins of `QuaPy`, [a, b)
//! and last [a, 1], and of the paper's code, (a, b].

use super::Method;
use super::method::{FamilyUse, MethodRow, SummaryKind};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::numeric::{histogram, pass};
use crate::sweep::Separation;
use crate::tally::{BinCounts, MethodTally};
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// DyS, `dys`: the mixture of histograms of posterior probabilities that is nearest by the
    /// Hellinger distance.
    pub const DYS: Self = Self::from_row(&DYS);
    /// DyS with Topsøe's divergence instead of the Hellinger distance, `dys-topsoe`.
    pub const DYS_TOPSOE: Self = Self::from_row(&MethodRow {
        name: "dys-topsoe",
        summary: "DyS with Topsøe's divergence",
        fit: |training, _| Ok(Arc::new(Dys::fit(training, Divergence::Topsoe)?)),
        fit_known: Some(|separation, options| Ok(Arc::new(Dys::known(separation, options.prior, Divergence::Topsoe)))),
        ..DYS
    });
}

const DYS: MethodRow = MethodRow {
    input: InputKind::Posterior,
    summary_kind: SummaryKind::Bins,
    family_use: FamilyUse::Posteriors,
    fit_known: Some(|separation, options| Ok(Arc::new(Dys::known(separation, options.prior, Divergence::Hellinger)))),
    ..MethodRow::new("dys", "DyS: histograms of posteriors, Hellinger distance", |training, _| {
        Ok(Arc::new(Dys::fit(training, Divergence::Hellinger)?))
    })
};

const BINS: usize = 8;

/// The width at which the search stops.
const TOLERANCE: f64 = 1e-5;

/// The relative rounding error of a distance.
const ROUNDING: f64 = 1e-15;

/// The number of values that are counted at a time, so that they fit into the level-1 cache.
const CHUNK: usize = 1024;

/// A divergence between two histograms.
#[derive(Clone, Copy, Debug)]
enum Divergence {
    /// Σ (√p − √q)².
    Hellinger,
    /// Σ p ln(2p/(p+q)) + q ln(2q/(p+q)).
    Topsoe,
}

#[derive(Clone, Debug)]
struct Dys {
    shares: PerClass<Vec<f64>>,
    divergence: Divergence,
}

impl Dys {
    fn fit(training: &Training, divergence: Divergence) -> Result<Self, Error> {
        let shares = training.column(InputKind::Posterior)?.map(|posteriors| {
            let mut counts = [0; BINS];
            count(posteriors, &mut counts);
            histogram::shares(&counts)
        });
        Ok(Self { shares, divergence })
    }

    /// Returns the quantifier for two known distributions, with the exact probabilities of the bins
    /// of posteriors for this prior.
    fn known(separation: &Separation, prior: f64, divergence: Divergence) -> Self {
        let log_odds = |p: f64| (p / (1.0 - p)).ln();
        let inner = (1..BINS)
            .map(|k| separation.ln_ratio_at_or_above(log_odds(histogram::lower_edge(k, BINS)) - log_odds(prior)));
        let (all, none) = (PerClass { positive: 1.0, negative: 1.0 }, PerClass::default());
        let above: Vec<PerClass<f64>> = [all].into_iter().chain(inner).chain([none]).collect();
        let shares =
            |class: fn(&PerClass<f64>) -> f64| above.windows(2).map(|pair| class(&pair[0]) - class(&pair[1])).collect();
        let shares = PerClass { positive: shares(|above| above.positive), negative: shares(|above| above.negative) };
        Self { shares, divergence }
    }

    /// Returns the divergence of the mixture at alpha from the test scores.
    fn distance(&self, alpha: f64, test: &[f64]) -> f64 {
        let pairs = histogram::mixture(&self.shares, alpha).zip(test);
        match self.divergence {
            Divergence::Hellinger => pairs.map(|(p, q)| (p.sqrt() - q.sqrt()).powi(2)).sum(),
            Divergence::Topsoe => {
                let term = |a: f64, sum: f64| if a > 0.0 { a * (2.0 * a / sum).ln() } else { 0.0 };
                pairs.map(|(p, q)| term(p, p + q) + term(*q, p + q)).sum()
            }
        }
    }
}

/// Adds values to the counts of their bins, which are differences of counts at or above each edge.
fn count(values: &[f64], counts: &mut [u64]) {
    for chunk in values.chunks(CHUNK) {
        let mut above = chunk.len() as u64;
        for k in 1..=BINS {
            let next = if k < BINS { pass::count_at_or_above(chunk, histogram::lower_edge(k, BINS)) } else { 0 };
            counts[k - 1] += above - next;
            above = next;
        }
    }
}

/// Returns the α in [0, 1] that minimises f, which decreases and then increases, to the tolerance.
///
/// If f is equal at both thirds, apart from rounding errors, the search continues between them, so
/// that neither end is preferred.
fn ternary(f: impl Fn(f64) -> f64) -> f64 {
    let (mut left, mut right) = (0.0, 1.0);
    while right - left >= TOLERANCE {
        let third = (right - left) / 3.0;
        let (lower, upper) = (f(left + third), f(right - third));
        let rounding = ROUNDING * (lower + upper);
        if lower - upper >= -rounding {
            left += third;
        }
        if upper - lower >= -rounding {
            right -= third;
        }
    }
    0.5 * (left + right)
}

impl Quantify for Dys {
    fn empty_state(&self) -> MethodTally {
        MethodTally::Counts(BinCounts::new(BINS))
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        let MethodTally::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let mut added = [0; BINS];
        count(values, &mut added);
        added.into_iter().enumerate().for_each(|(bin, n)| counts.add(bin, n));
        Ok(())
    }

    fn bin_edges(&self) -> Vec<f64> {
        (1..BINS).map(|k| histogram::lower_edge(k, BINS)).collect()
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let MethodTally::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let test = histogram::shares(&counts.iter().collect::<Vec<_>>());
        RawEstimate::without_variance(ternary(|alpha| self.distance(alpha, &test)), Vec::new())
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        vec![("bins", BINS as f64)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Distribution, Normal, ScoreDistribution};

    #[test]
    fn values_are_counted_in_their_bins() {
        let mut counts = [0; BINS];
        count(&[0.0, 0.125, 0.126, 0.5, 0.5, 0.874, 0.875, 0.999, 1.0], &mut counts);
        assert_eq!(counts, [2, 1, 0, 0, 2, 0, 1, 3]);
    }

    #[test]
    fn search_over_a_flat_minimum_is_symmetric() {
        assert!((ternary(|_| 0.3) - 0.5).abs() < TOLERANCE);
        // The distance is 0 if both classes and the test scores are in one bin.
        assert!((ternary(|_| 0.0) - 0.5).abs() < TOLERANCE);
        let flat = |alpha: f64| (alpha - 0.6).abs().max(0.2);
        assert!((ternary(flat) + ternary(|alpha| flat(1.0 - alpha)) - 1.0).abs() < 1e-12);
    }

    /// For normals with means 1 and 0 and unit variance, the log odds are x − ½ plus those of the
    /// prior.
    #[test]
    fn bins_of_known_distributions_are_exact() {
        let normal = |mean| ScoreDistribution::from(Normal::new(mean, 1.0).unwrap());
        let (positive, negative) = (normal(1.0), normal(0.0));
        let separation = Separation::new(positive.clone(), negative.clone()).unwrap();
        let dys = Dys::known(&separation, 0.3, Divergence::Hellinger);
        let edge = |k: usize| 0.5 + (k as f64 / (BINS - k) as f64).ln() - (0.3_f64 / 0.7).ln();
        for (class, shares) in [(positive, &dys.shares.positive), (negative, &dys.shares.negative)] {
            let above: Vec<f64> = (1..BINS).map(|k| class.tails(edge(k)).1).collect();
            let above = [&[1.0], above.as_slice(), &[0.0]].concat();
            assert!(above.windows(2).zip(shares).all(|(pair, share)| (pair[0] - pair[1] - share).abs() < 1e-15));
        }
    }

    #[test]
    fn prevalence_of_an_exact_mixture_is_recovered() {
        let shares = PerClass { positive: vec![0.1, 0.2, 0.7], negative: vec![0.6, 0.3, 0.1] };
        let test: Vec<f64> = histogram::mixture(&shares, 0.37).collect();
        for divergence in [Divergence::Hellinger, Divergence::Topsoe] {
            let dys = Dys { shares: shares.clone(), divergence };
            let estimate = ternary(|alpha| dys.distance(alpha, &test));
            assert!((estimate - 0.37).abs() < TOLERANCE, "{estimate}");
        }
    }
}
