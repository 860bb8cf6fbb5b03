//! Efficient Sweep with the densities and rates of a fitted family, or of two known distributions.

use super::super::mixture_score;
use super::super::quantify::Quantify;
use super::super::raw_estimate::RawEstimate;
use super::ScoreFunctions;
use crate::Error;
use crate::inference::{FamilyError, Precision, Variance};
use crate::quantifier::anchored_mean::InfluenceMean;
use crate::quantifier::score_choice::{QS, ScoreChoice};
use crate::sweep::Separation;
use crate::tally::{FunctionMoments, MethodTally};
use crate::training::Training;

/// Efficient Sweep as a function of the balanced posterior f⁺/(f⁺ + f⁻).
#[derive(Clone, Debug)]
pub(super) struct FittedSweep(ScoreFunctions);

/// Fits the sweep to the labelled scores.
///
/// # Errors
/// Returns an error if the family cannot be fitted, or if ψ does not separate the classes.
pub(super) fn fit(training: &Training) -> Result<FittedSweep, Error> {
    ScoreFunctions::separated(mixture_score::with_model_rates(training, &QS)?, None).map(FittedSweep)
}

/// Returns the sweep for two known distributions.
pub(super) fn known(separation: &Separation) -> FittedSweep {
    FittedSweep(ScoreFunctions::new(mixture_score::with_known_rates(separation, &QS), None))
}

impl Quantify for FittedSweep {
    fn empty_state(&self) -> MethodTally {
        MethodTally::Several(vec![FunctionMoments::default(); self.anchored_means().len()])
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        let MethodTally::Several(several) = state else { unreachable!("a tally of this quantifier") };
        self.anchored_means()
            .iter()
            .zip(several)
            .try_for_each(|(step, moments)| step.influence().update(moments, values))
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        self.0.estimate(|index| state.statistics(index), None)
    }

    fn estimate_for_size(&self, state: &MethodTally, n: f64) -> RawEstimate {
        self.0.estimate(|index| state.statistics(index), Some(n))
    }

    fn first_step_variance(&self, state: &MethodTally) -> Option<Variance> {
        self.0.first_step_variance(|index| state.statistics(index))
    }

    fn mean_index(&self, state: &MethodTally) -> usize {
        self.0.final_function(|index| state.statistics(index), None)
    }

    fn anchored_means(&self) -> &[InfluenceMean] {
        &self.0.means
    }

    fn score_choice(&self) -> Option<&ScoreChoice> {
        Some(&self.0.choice)
    }

    fn precision(&self, alpha: f64, n: f64) -> Option<Precision> {
        self.0.at(alpha, n).estimator().precision()
    }

    fn precisions(&self, _: f64) -> Vec<Precision> {
        self.0.precisions()
    }

    fn family_bias(&self, prevalence: f64) -> Option<FamilyError> {
        self.0.at(prevalence, f64::INFINITY).estimator().family_bias(prevalence)
    }

    fn class_difference(&self, by_family: Option<(f64, f64)>) -> Option<(f64, f64)> {
        self.0.class_difference().or(by_family)
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        self.0.parameters()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PerClass;
    use crate::distribution::{Distribution, Normal, ScoreDistribution, SkewNormal};
    use crate::sweep::ClassMoments;

    fn pairs() -> Vec<Separation> {
        let normal = |mean, sd| ScoreDistribution::from(Normal::new(mean, sd).unwrap());
        let skew = |location, shape| ScoreDistribution::from(SkewNormal::new(location, 1.5, shape).unwrap());
        let pairs = [
            (normal(1.0, 1.0), normal(0.0, 1.0)),
            (normal(2.0, 0.5), normal(0.0, 1.5)),
            (skew(0.5, 3.0), skew(0.5, -2.0)),
        ];
        pairs.into_iter().map(|(positive, negative)| Separation::new(positive, negative).unwrap()).collect()
    }

    /// Returns ∫ f over [-50, 50] by the trapezoid rule, whose error is negligible for bell-shaped
    /// functions.
    fn integral(f: impl Fn(f64) -> f64) -> f64 {
        (-100_000..100_000).map(|k| f(f64::from(k) * 5e-4) * 5e-4).sum()
    }

    fn moments(separation: &Separation, alpha: f64) -> PerClass<ClassMoments> {
        *mixture_score::with_known_rates(separation, &[alpha])[0].estimator().moments()
    }

    #[test]
    fn moments_agree_with_integrals() {
        for separation in pairs() {
            for alpha in QS {
                let both = moments(&separation, alpha);
                for (class, moments) in [(separation.positive(), both.positive), (separation.negative(), both.negative)]
                {
                    let densities = |x: f64| [separation.positive(), separation.negative()].map(|d| d.ln_pdf(x).exp());
                    let psi = |x: f64| {
                        let [p, n] = densities(x);
                        if p + n > 1e-290 { (p - n) / (alpha * p + (1.0 - alpha) * n) } else { 0.0 }
                    };
                    let mean = integral(|x| psi(x) * class.ln_pdf(x).exp());
                    let square = integral(|x| psi(x).powi(2) * class.ln_pdf(x).exp());
                    assert!(
                        (moments.mean - mean).abs() < 1e-11 * (1.0 + mean.abs()),
                        "{alpha}: {} {mean}",
                        moments.mean
                    );
                    let variance = square - mean * mean;
                    assert!((moments.variance - variance).abs() < 1e-11 * (1.0 + variance), "{alpha}: {variance}");
                }
            }
        }
    }
}
