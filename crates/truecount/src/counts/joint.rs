//! Totals and differences of prevalences from counts, whose rates may come from the same study.
//!
//! The counts of two groups are independent. A rate with the same value and denominator in both is
//! taken to be from one study, so both estimates share its error. With D = Se + Sp − 1,
//!
//! ```text
//! Cov(α̂_j, α̂_k) = [α_jα_k Var(Se) + (1−α_j)(1−α_k) Var(Sp)]/(D_j D_k)
//! ```
//!
//! with the variances of the shared rates only. A total is Σ w_j α̂_j, with the weights w_j = n_j/Σn. Its
//! limits are those of MOVER (Donner and Zou 2012), from the limits l_j of the groups and the
//! correlations ρ_jk:
//!
//! ```text
//! L = α̂ − √Σ_jk w_jw_k ρ_jk (α̂_j − l_j)(α̂_k − l_k)
//! ```

use super::interval::RateInterval;
use super::rate::Rate;
use super::rates::{Rates, outside_warning};
use crate::inference::{Difference, Ends, IntervalEstimate};
use crate::{Error, Estimate, IntervalOptions, Method, Problem};

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

    /// Estimates the prevalence of all groups together, weighted by the number tested in each, from
    /// their rates and their estimates with this kind of interval.
    ///
    /// # Errors
    /// Returns [`Problem::NoDenominator`] without groups.
    pub fn total(
        groups: &[(Self, &Estimate)],
        interval: RateInterval,
        options: &IntervalOptions,
    ) -> Result<Estimate, Error> {
        let n: u64 = groups.iter().map(|(_, estimate)| estimate.n).sum();
        if n == 0 {
            return Err(Problem::NoDenominator { name: "positives" }.into());
        }
        let weights: Vec<f64> = groups.iter().map(|(_, estimate)| estimate.n as f64 / n as f64).collect();
        let raw: f64 = groups.iter().zip(&weights).map(|((_, estimate), weight)| weight * estimate.raw).sum();
        let prevalence = raw.clamp(0.0, 1.0);
        // Combines one error of each group into that of the total, the square root of a quadratic form.
        let combine = |error: &dyn Fn(&Estimate) -> f64| {
            let errors: Vec<f64> =
                groups.iter().zip(&weights).map(|((_, estimate), weight)| weight * error(estimate)).collect();
            let row = |(j, (rates, estimate)): (usize, &(Self, &Estimate))| {
                let before = groups[..j].iter().zip(&errors);
                let common = before.map(|((other_rates, other_estimate), error)| {
                    rates.correlation(estimate, (other_rates, other_estimate), interval) * error
                });
                errors[j] * (errors[j] + 2.0 * common.sum::<f64>())
            };
            groups.iter().enumerate().map(row).sum::<f64>().max(0.0).sqrt()
        };
        let se = combine(&std_error);
        let (below, above) = (combine(&|estimate| ends(estimate).below()), combine(&|estimate| ends(estimate).above()));
        let limits = IntervalEstimate::around(prevalence, n as f64, se, (prevalence - below, prevalence + above));
        Ok(Estimate {
            method: Method::AC,
            n,
            effective_n: None,
            prevalence,
            raw,
            std_error: Some(se),
            interval: Some(limits.interval()),
            level: options.level(),
            target: options.target(),
            misfit: None,
            warnings: outside_warning(raw, se, false).into_iter().collect(),
            origin: None,
        })
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
