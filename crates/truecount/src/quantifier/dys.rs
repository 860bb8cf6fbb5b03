//! DyS (Maletzke et al. 2019): the mixture of the labelled classes' histograms of posterior
//! probabilities that is nearest to that of the test scores; 8 bins, Hellinger distance, or
//! Topsøe's divergence as `dys-topsoe`, by ternary search to 1e-5.
//!
//! A posterior exactly on an edge belongs to the bin farther from ½ (`numeric::histogram`). `QuaPy`
//! has [a, b), the last one [a, 1], the paper's code (a, b]: with neither would the other class get
//! 1 − α̂.

use super::Method;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::numeric::{histogram, pass};
use crate::sweep::Separation;
use crate::tally::{BinCounts, TallyState};
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// DyS, `dys`: the mixture of histograms of posterior probabilities that is nearest by the
    /// Hellinger distance.
    pub const DYS: Self = Self::from_row(&DYS);
    /// The same by Topsøe's divergence, `dys-topsoe`.
    pub const DYS_TOPSOE: Self = Self::from_row(&MethodRow {
        name: "dys-topsoe",
        summary: "DyS with Topsøe's divergence",
        fit: |training, _| Ok(Arc::new(Dys::fit(training, Divergence::Topsoe)?)),
        fit_known: Some(|separation, options| Ok(Arc::new(Dys::known(separation, options.prior, Divergence::Topsoe)))),
        ..DYS
    });
}

const DYS: MethodRow = MethodRow {
    name: "dys",
    aliases: &[],
    summary: "DyS: histograms of posteriors, Hellinger distance",
    input: InputKind::Posterior,
    summary_kind: SummaryKind::Bins,
    family_use: FamilyUse::Posteriors,
    rates: RatesOrigin::Labels,
    model_rates: None,
    takes_label_design: false,
    variance: VarianceOrigin::Unavailable,
    fit: |training, _| Ok(Arc::new(Dys::fit(training, Divergence::Hellinger)?)),
    fit_known: Some(|separation, options| Ok(Arc::new(Dys::known(separation, options.prior, Divergence::Hellinger)))),
};

const BINS: usize = 8;
const TOLERANCE: f64 = 1e-5;

/// What rounding may make of a distance, relative to it.
const ROUNDING: f64 = 1e-15;

/// Values counted at a time edge by edge: they stay in the nearest cache.
const CHUNK: usize = 1024;

/// How far apart two histograms are.
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

    /// For two known distributions: the bins' exact probabilities, of posteriors at the prior.
    fn known(separation: &Separation, prior: f64, divergence: Divergence) -> Self {
        let log_odds = |p: f64| (p / (1.0 - p)).ln();
        let inner = (1..BINS)
            .map(|k| separation.ln_ratio_at_or_above(log_odds(histogram::lower_edge(k, BINS)) - log_odds(prior)));
        let (all, none) = (PerClass { positive: 1.0, negative: 1.0 }, PerClass::default());
        let above: Vec<PerClass<f64>> = [all].into_iter().chain(inner).chain([none]).collect();
        let of =
            |class: fn(&PerClass<f64>) -> f64| above.windows(2).map(|pair| class(&pair[0]) - class(&pair[1])).collect();
        Self {
            shares: PerClass { positive: of(|above| above.positive), negative: of(|above| above.negative) },
            divergence,
        }
    }

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

/// Counts how many values lie at or above each edge; no value is looked up.
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

/// The α in [0, 1] with the least f, to the tolerance; f falls and then rises. Where it is the same
/// at both thirds, but for rounding, the least lies between them: neither end is preferred.
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
    fn empty_state(&self) -> TallyState {
        TallyState::Counts(BinCounts::new(BINS))
    }

    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        let TallyState::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
        let mut found = [0; BINS];
        count(values, &mut found);
        found.into_iter().enumerate().for_each(|(bin, n)| counts.add(bin, n));
        Ok(())
    }

    fn bin_edges(&self) -> Vec<f64> {
        (1..BINS).map(|k| histogram::lower_edge(k, BINS)).collect()
    }

    fn estimate(&self, state: &TallyState) -> RawEstimate {
        let TallyState::Counts(counts) = state else { unreachable!("a tally of this quantifier") };
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
    use crate::distribution::{Normal, ScoreDistribution};

    #[test]
    fn values_are_counted_in_their_bins() {
        let mut counts = [0; BINS];
        count(&[0.0, 0.125, 0.126, 0.5, 0.5, 0.874, 0.875, 0.999, 1.0], &mut counts);
        assert_eq!(counts, [2, 1, 0, 0, 2, 0, 1, 3]);
    }

    /// Nothing tells one prevalence from another.
    #[test]
    fn the_search_prefers_no_end() {
        assert!((ternary(|_| 0.3) - 0.5).abs() < TOLERANCE);
        // Both classes and the test scores in one bin.
        assert!((ternary(|_| 0.0) - 0.5).abs() < TOLERANCE);
        let flat = |alpha: f64| (alpha - 0.6).abs().max(0.2);
        assert!((ternary(flat) + ternary(|alpha| flat(1.0 - alpha)) - 1.0).abs() < 1e-12);
    }

    /// Of two normals of unit variance, 0 and 1 apart, the log odds are x − ½ plus those of the
    /// prior.
    #[test]
    fn known_bins_are_exact() {
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
    fn an_exact_mixture_is_recognised() {
        let shares = PerClass { positive: vec![0.1, 0.2, 0.7], negative: vec![0.6, 0.3, 0.1] };
        let test: Vec<f64> = histogram::mixture(&shares, 0.37).collect();
        for divergence in [Divergence::Hellinger, Divergence::Topsoe] {
            let dys = Dys { shares: shares.clone(), divergence };
            let found = ternary(|alpha| dys.distance(alpha, &test));
            assert!((found - 0.37).abs() < TOLERANCE, "{found}");
        }
    }
}
