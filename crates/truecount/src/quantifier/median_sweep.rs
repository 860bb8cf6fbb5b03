//! Median Sweep (Forman 2008) as Kloos et al. define it (§2).
//!
//! The estimate is the median of the Adjusted Counts (CC(θ) − F̂⁻(θ))/(F̂⁺(θ) − F̂⁻(θ)) over the
//! distinct **test** scores θ with F̂⁺ − F̂⁻ ≥ `p_Δ`. The rates are those of the labelled scores.
//! `t-ms` has `p_Δ` = ¼, `o-ms` the optimal threshold of Continuous Sweep.

use super::Method;
use super::cuts::{self, Criterion};
use super::method::{FamilyUse, MethodRow, SummaryKind};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::distribution::{Distribution, Empirical};
use crate::inference::Warning;
use crate::numeric::sum::median;
use crate::sweep::{MinSeparation, Region, Separation, optimal_region};
use crate::tally::MethodTally;
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Median Sweep over the test scores with the traditional threshold ¼, `t-ms`, also called
    /// `ms`.
    pub const T_MS: Self = Self::from_row(&T_MS);
    /// Median Sweep over the test scores with the optimal threshold of Continuous Sweep, `o-ms`.
    pub const O_MS: Self = Self::from_row(&MethodRow {
        name: "o-ms",
        aliases: &[],
        summary: "Median Sweep, Continuous Sweep's optimal threshold",
        family_use: FamilyUse::Threshold,
        fit: |training, _| {
            let p = training.optimal_region()?.threshold();
            Ok(Arc::new(MedianSweep::optimal(training.empirical(), p.value())?))
        },
        fit_known: Some(|separation, options| {
            Ok(Arc::new(MedianSweep::known(separation, optimal_region(separation, options.optimal_at)?)))
        }),
        ..T_MS
    });
}

const T_MS: MethodRow = MethodRow {
    aliases: &["ms"],
    summary_kind: SummaryKind::Scores,
    fit_known: Some(|separation, _| {
        Ok(Arc::new(MedianSweep::known(separation, separation.region(MinSeparation::TRADITIONAL)?)))
    }),
    ..MethodRow::new("t-ms", "Median Sweep, threshold 1/4; also ms", |training, _| {
        Ok(Arc::new(MedianSweep::new(training.empirical(), MinSeparation::TRADITIONAL.value())?))
    })
};

#[derive(Clone, Debug)]
struct MedianSweep {
    rates: ClassRates,
    threshold: f64,
    /// The cut with the largest difference of the rates, used if J is below the threshold at every
    /// test score.
    best_cut: f64,
}

/// The source of F⁺ and F⁻.
#[derive(Clone, Debug)]
enum ClassRates {
    /// The labelled scores.
    Labelled(PerClass<Empirical>),
    /// Known distributions, with the region where J is at least the threshold.
    Known(Box<Separation>, Region),
}

impl MedianSweep {
    /// Fits a sweep with a threshold.
    ///
    /// # Errors
    /// Returns [`Problem::ThresholdNotReached`] if no labelled score, and so no score, has F̂⁺ −
    /// F̂⁻ ≥ `p_Δ`.
    fn new(empirical: &PerClass<Empirical>, threshold: f64) -> Result<Self, Error> {
        let (sweep, max_j) = Self::with_largest_threshold(empirical)?;
        if max_j < threshold {
            Err(Problem::ThresholdNotReached { threshold, max_j }.into())
        } else {
            Ok(Self { threshold, ..sweep })
        }
    }

    /// Fits a sweep with the optimal threshold of Continuous Sweep, or with max Ĵ of the labelled
    /// scores if that is smaller. The optimal threshold comes from the fitted J, so that max Ĵ can
    /// be below it.
    fn optimal(empirical: &PerClass<Empirical>, threshold: f64) -> Result<Self, Error> {
        let (sweep, max_j) = Self::with_largest_threshold(empirical)?;
        Ok(Self { threshold: threshold.min(max_j), ..sweep })
    }

    /// Returns the sweep for two known distributions with the threshold of the region.
    fn known(separation: &Separation, region: Region) -> Self {
        let (threshold, best_cut) = (region.threshold().value(), separation.theta_max());
        Self { rates: ClassRates::Known(Box::new(separation.clone()), region), threshold, best_cut }
    }

    /// Returns the sweep with max Ĵ, the largest F̂⁺ − F̂⁻, as the threshold, and max Ĵ.
    fn with_largest_threshold(empirical: &PerClass<Empirical>) -> Result<(Self, f64), Error> {
        let best_cut = cuts::choose(empirical, Criterion::LargestDifference)?;
        let rates = ClassRates::Labelled(empirical.clone());
        let best_rates = rates.at(best_cut);
        let threshold = best_rates.positive - best_rates.negative;
        Ok((Self { rates, threshold, best_cut }, threshold))
    }
}

impl ClassRates {
    /// Returns the rates at a cut.
    fn at(&self, cut: f64) -> PerClass<f64> {
        match self {
            Self::Labelled(empirical) => empirical.map(|class| class.at_or_above(cut) as f64 / class.n() as f64),
            Self::Known(separation, _) => known_rates(separation, cut),
        }
    }

    /// Returns a function from ascending cuts to the rates, or to `None` where their difference is
    /// below the threshold.
    fn at_ascending_cuts(&self, threshold: f64) -> Box<dyn FnMut(f64) -> Option<PerClass<f64>> + '_> {
        match self {
            Self::Labelled(empirical) => {
                let mut classes = empirical.map(|class| AscendingRates { scores: class.scores(), below: 0 });
                Box::new(move |cut| {
                    let positive = classes.positive.rate_at_or_above(cut);
                    let negative = classes.negative.rate_at_or_above(cut);
                    (positive - negative >= threshold).then_some(PerClass { positive, negative })
                })
            }
            Self::Known(separation, region) => {
                let contains =
                    |cut: f64| region.intervals().iter().any(|[left, right]| (*left..=*right).contains(&cut));
                Box::new(move |cut| contains(cut).then(|| known_rates(separation, cut)))
            }
        }
    }
}

fn known_rates(separation: &Separation, cut: f64) -> PerClass<f64> {
    PerClass { positive: separation.positive().tails(cut).1, negative: separation.negative().tails(cut).1 }
}

/// The rates of a class at ascending cuts.
struct AscendingRates<'a> {
    /// The scores of the class in ascending order.
    scores: &'a [f64],
    /// The number of scores below the last cut.
    below: usize,
}

impl AscendingRates<'_> {
    fn rate_at_or_above(&mut self, x: f64) -> f64 {
        while self.below < self.scores.len() && self.scores[self.below] < x {
            self.below += 1;
        }
        (self.scores.len() - self.below) as f64 / self.scores.len() as f64
    }
}

impl Quantify for MedianSweep {
    fn empty_state(&self) -> MethodTally {
        MethodTally::Values(Vec::new())
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        let MethodTally::Values(all) = state else { unreachable!("a tally of this quantifier") };
        Error::unless_finite(values)?;
        all.extend_from_slice(values);
        Ok(())
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let MethodTally::Values(values) = state else { unreachable!("a tally of this quantifier") };
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let mut rates = self.rates.at_ascending_cuts(self.threshold);
        let mut counts = Vec::with_capacity(sorted.len());
        let mut below = 0;
        for ties in sorted.chunk_by(|a, b| a == b) {
            if let Some(PerClass { positive, negative }) = rates(ties[0]) {
                let count = (sorted.len() - below) as f64 / n;
                counts.push((count - negative) / (positive - negative));
            }
            below += ties.len();
        }
        if let Some(raw) = median(&mut counts) {
            return RawEstimate::without_variance(raw, Vec::new());
        }
        let rates = self.rates.at(self.best_cut);
        let count = sorted.iter().filter(|s| **s >= self.best_cut).count() as f64 / n;
        let raw = (count - rates.negative) / (rates.positive - rates.negative);
        RawEstimate::without_variance(raw, vec![Warning::SingleCutUsed { threshold: self.threshold }])
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        vec![("threshold", self.threshold)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_agree_with_a_calculation_by_hand() {
        // F̂⁺ and F̂⁻ at 1, 2, 3: (1, ½), (½, ½) and (½, 0).
        let empirical = PerClass { positive: Empirical::new(&[1.5, 3.5]), negative: Empirical::new(&[0.5, 2.5]) };
        let sweep = MedianSweep::new(&empirical, 0.25).unwrap();
        let mut state = sweep.empty_state();
        sweep.update(&mut state, &[3.0, 1.0, 2.0, 1.0]).unwrap();
        // CC(1) = 1 gives (1 − ½)/½ = 1; 2 has J = 0; CC(3) = ¼ gives ½.
        assert_eq!(sweep.estimate(&state).raw, 0.75);
        // No test score with J ≥ ¼: Adjusted Count at 1.5, where CC = ½ and the rates are 1 and ½.
        let mut state = sweep.empty_state();
        sweep.update(&mut state, &[0.0, 9.0]).unwrap();
        let estimate = sweep.estimate(&state);
        assert_eq!(estimate.raw, 0.0);
        assert!(matches!(estimate.warnings[..], [Warning::SingleCutUsed { .. }]));
        assert_eq!(MedianSweep::new(&empirical, 0.6).unwrap_err().code(), "threshold-not-reached");
    }
}
