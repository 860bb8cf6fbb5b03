//! Totals and differences of prevalences from counts, whose rates may come from the same study.
//!
//! The counts of two groups are independent. A rate with the same value and denominator in both is
//! taken to be from one study, so both estimates share its error. With D = Se + Sp − 1,
//!
//! ```text
//! Cov(α̂_j, α̂_k) = [α_jα_k Var(Se) + (1−α_j)(1−α_k) Var(Sp)]/(D_j D_k)
//! ```
//!
//! with the variances of the shared rates only. A total is α̂ = Σ w_j α̂_j, with weights
//! w_j = n_j/Σn, or those of a standard population. Its errors come from the counts of each group and
//! from each study of a rate, all independent. MOVER (Donner and Zou 2012) combines the distances δ to
//! the ends of their Wilson intervals, with the derivatives ∂ of the total:
//!
//! ```text
//! L = α̂ − √Σ (∂δ)²,   ∂ by p_j: w_j/D_j,   by Se: −Σ_j w_jα_j/D_j,   by Sp: Σ_j w_j(1−α_j)/D_j
//! ```
//!
//! where δ points downwards if ∂ > 0, and otherwise upwards. The intervals of the groups themselves would
//! not do: they are clipped at 0, and an error downwards must make up for errors upwards in other groups.

use super::interval::RateInterval;
use super::rate::{ClassRate, Rate};
use super::rates::{Rates, outside_warning};
use crate::inference::{Difference, Ends, IntervalEstimate};
use crate::{Error, Estimate, IntervalOptions, Method, Problem};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RateKind {
    Sensitivity,
    Specificity,
}

/// The derivative of a total by a rate: summed over the groups, and the sum of its squares.
#[derive(Default)]
struct StudyEffect {
    sum: f64,
    sum_of_squares: f64,
}

/// The squared distances between a total and the ends of its interval.
#[derive(Default)]
struct Margins {
    below: f64,
    above: f64,
}

impl Margins {
    /// Adds an independent share, with the derivative of the total by it and the distances to the ends of
    /// its interval.
    fn add(&mut self, derivative: f64, [below, above]: [f64; 2]) {
        let [below, above] = if derivative < 0.0 { [above, below] } else { [below, above] };
        self.below += (derivative * below).powi(2);
        self.above += (derivative * above).powi(2);
    }
}

impl Rates {
    /// Estimates the difference between a group's prevalence and another group's, from their
    /// estimates with this kind of interval.
    pub fn difference(
        &self,
        estimate: &Estimate,
        (other_rates, other_estimate): (&Self, &Estimate),
        interval: RateInterval,
        options: &IntervalOptions,
    ) -> Difference {
        let correlation = self.correlation(estimate, (other_rates, other_estimate), interval);
        let [first, second] = [estimate, other_estimate].map(|estimate| (ends(estimate), std_error(estimate)));
        Difference::from_intervals((&first.0, first.1), (&second.0, second.1), correlation, options)
    }

    /// Estimates the prevalence of all groups together from their rates, their estimates with this
    /// kind of interval, and their weights: the number tested in each, or the sizes of the groups in a
    /// standard population.
    ///
    /// # Errors
    /// Returns [`Problem::DenominatorZero`] without groups, and [`Problem::AllWeightsZero`].
    pub fn total(
        groups: &[(Self, &Estimate, f64)],
        interval: RateInterval,
        options: &IntervalOptions,
    ) -> Result<Estimate, Error> {
        let n: u64 = groups.iter().map(|(_, estimate, _)| estimate.n).sum();
        let all: f64 = groups.iter().map(|(.., weight)| weight).sum();
        if n == 0 {
            return Err(Problem::DenominatorZero { name: "positives" }.into());
        }
        if all <= 0.0 {
            return Err(Problem::AllWeightsZero.into());
        }
        let z = options.quantiles()[0];
        let (mut raw, mut variance, mut margins) = (0.0, 0.0, Margins::default());
        let mut studies: BTreeMap<(RateKind, u64, u64), StudyEffect> = BTreeMap::new();
        for (rates, estimate, weight) in groups {
            let (weight, prevalence) = (weight / all, estimate.prevalence);
            let unit = weight / rates.youden();
            raw += weight * estimate.raw;
            variance += (weight * std_error(estimate)).powi(2);
            let fpc = options.finite_population_correction(estimate.n)?;
            margins.add(
                unit,
                rates
                    .count_deviations(estimate, z)
                    .map(|deviation| deviation * rates.sampled_fraction(prevalence, fpc).sqrt()),
            );
            if interval == RateInterval::ExactRates {
                continue;
            }
            let effects = [
                (RateKind::Sensitivity, rates.sensitivity(), -unit * prevalence),
                (RateKind::Specificity, rates.specificity(), unit * (1.0 - prevalence)),
            ];
            for (kind, rate, effect) in effects {
                if let Some(denominator) = rate.denominator() {
                    let study = studies.entry((kind, rate.share().to_bits(), denominator)).or_default();
                    study.sum += effect;
                    study.sum_of_squares += effect * effect;
                }
            }
        }
        for ((_, share, denominator), StudyEffect { sum, sum_of_squares }) in studies {
            let rate = ClassRate { share: f64::from_bits(share), denominator: Some(denominator) };
            // The variances of the groups have the sum of squares.
            variance += (sum * sum - sum_of_squares) * rate.sampling_variance();
            margins.add(sum, rate.wilson_deviations(z).map(|deviation| z * deviation));
        }
        let (prevalence, se) = (raw.clamp(0.0, 1.0), variance.max(0.0).sqrt());
        let (lower, upper) = (raw - margins.below.sqrt(), raw + margins.above.sqrt());
        let limits = IntervalEstimate::around(prevalence, n as f64, se, (lower, upper));
        Ok(Estimate {
            method: Method::AC,
            n,
            effective_n: None,
            size: options.size_of_target(n, n as f64),
            apparent: None,
            prevalence,
            raw,
            std_error: Some(se),
            interval: Some(limits.interval()),
            level: options.level(),
            target: options.target(),
            misfit: None,
            warnings: outside_warning(raw, se, upper < 0.0 || lower > 1.0).into_iter().collect(),
            warning_strata: Vec::new(),
            origin: None,
        })
    }

    /// Returns the distances from the share of positive tests to the ends of its Wilson interval, below
    /// and above.
    fn count_deviations(&self, estimate: &Estimate, z: f64) -> [f64; 2] {
        let share = estimate.raw * self.youden() + 1.0 - self.specificity().share();
        let tests = ClassRate { share: share.clamp(0.0, 1.0), denominator: Some(estimate.n) };
        tests.wilson_deviations(z).map(|deviation| z * deviation)
    }

    /// Returns the fraction of the variance of positive tests that applies to the target. `fpc` is the
    /// fraction of the variance of true positives that does.
    pub(super) fn sampled_fraction(&self, prevalence: f64, fpc: f64) -> f64 {
        let within = |share: f64| share * (1.0 - share);
        let errors =
            prevalence * within(self.sensitivity().share()) + (1.0 - prevalence) * within(self.specificity().share());
        let drawing = within(prevalence) * self.youden().powi(2);
        if drawing > 0.0 { (errors + fpc * drawing) / (errors + drawing) } else { 1.0 }
    }

    /// Returns the correlation of two groups' estimates through the rates that they share.
    fn correlation(
        &self,
        estimate: &Estimate,
        (other_rates, other_estimate): (&Self, &Estimate),
        interval: RateInterval,
    ) -> f64 {
        let product = std_error(estimate) * std_error(other_estimate);
        if interval == RateInterval::ExactRates || product <= 0.0 {
            return 0.0;
        }
        let study = |rate: &Rate| (rate.share(), rate.denominator());
        let shared =
            |rate: &Rate, others: &Rate| if study(rate) == study(others) { rate.sampling_variance() } else { 0.0 };
        let [a, b] = [estimate, other_estimate].map(|estimate| estimate.prevalence);
        let covariance = a * b * shared(self.sensitivity(), other_rates.sensitivity())
            + (1.0 - a) * (1.0 - b) * shared(self.specificity(), other_rates.specificity());
        (covariance / (self.youden() * other_rates.youden() * product)).clamp(-1.0, 1.0)
    }
}

fn std_error(estimate: &Estimate) -> f64 {
    estimate.std_error.unwrap_or(0.0)
}

fn ends(estimate: &Estimate) -> Ends {
    let [lower, upper] =
        estimate.interval.map_or([estimate.prevalence; 2], |interval| [interval.lower, interval.upper]);
    Ends { lower, estimate: estimate.prevalence, upper }
}
