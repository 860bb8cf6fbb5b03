//! Maximum likelihood of a mixture of two known densities.
//!
//! The estimate is the prevalence α that maximises Σ ln(α f⁺(s) + (1−α) f⁻(s)). It is the zero of
//! S(α) = mean (f⁺ − f⁻)/(α f⁺ + (1−α) f⁻), which needs only posterior probabilities and their
//! prior. A step of expectation maximisation (Saerens, Latinne & Decaestecker 2002) is α ← α +
//! α(1−α) S(α).
//!
//! * `sld` starts at the training prevalence and stops when a step is below 1e-4, after 12 to
//!   1000 steps, as in `QuaPy` and Kloos et al. Near 0 and 1 it can stop before the maximum, which
//!   is a warning.
//! * `sld-bcts` (Alexandari, Kundaje & Shrikumar 2020) is `sld` with recalibrated probabilities
//!   (`recalibrated`).
//! * `ml` computes the maximum by a bracketed Newton's method.
//! * `kdey-ml` (Moreo, González & del Coz 2024) is `ml` with kernel densities of the posterior
//!   probabilities.
//!
//! To first order the maximum is the mean of the mixture's score function at α. Its variance is
//! therefore that of Efficient Sweep with q = α and the same densities: 1/(nI) for a population,
//! plus the variance from estimating the densities (`mixture_score`).
//!
//! An interval tests each α with the variance of the score function at α, clamped so that it is no
//! nearer to 0 or 1 than the estimate T (`inference::judge`). T > t if and only if the mean of the
//! score function at t is positive, so that the functions at t and at T are both valid to first
//! order; the one nearer to an end is more skewed. Variances are interpolated between the two
//! nearest [`ALPHAS`]. For a classifier's probabilities the information at α is estimated from the
//! test scores, weighted by h_α/h_T with h the mixture:
//!
//! ```text
//! I(α) = mean (f⁺ − f⁻)²/(h_α h_T) = [S(T) − S(α)]/(α − T)     since h_α − h_T = (α − T)(f⁺ − f⁻)
//! ```
//!
//! If S(T) < 0, which happens at T = 0, the weighted test scores represent only the fraction mean
//! f⁺/h_T = 1 + (1−T) S(T) of the positives. The remaining fraction lies where there are no test
//! scores and therefore no negatives. For α > T it adds this fraction, divided by α, to the
//! information. The other end is symmetric.

use super::Method;
use super::anchored_mean::InfluenceMean;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::mixture_score;
use super::quantify::{Quantify, VarianceFunction};
use super::raw_estimate::RawEstimate;
use super::recalibrated::Recalibration;
use crate::distribution::{Distribution, Kernel};
use crate::inference::{FamilyError, Precision, Variance, Warning, testing_prevalence};
use crate::numeric::pass;
use crate::tally::MethodTally;
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// Saerens, Latinne and Decaestecker's expectation maximisation, `sld`.
    pub const SLD: Self = Self::from_row(&SLD);
    /// SLD with posterior probabilities that are recalibrated on the labelled ones, `sld-bcts`.
    pub const SLD_BCTS: Self = Self::from_row(&MethodRow {
        name: "sld-bcts",
        summary: "SLD with recalibrated posteriors (bias-corrected temperature scaling)",
        rates: RatesOrigin::Labels,
        variance: VarianceOrigin::Observed,
        fit: |training, _| {
            let densities = Densities::Recalibrated(Recalibration::new(training.column(InputKind::Posterior)?)?);
            let start = training.prior();
            Ok(Arc::new(Mixture { densities, ..Mixture::known(start, Solver::Em { start }) }))
        },
        fit_known: None,
        ..SLD
    });
    /// Maximum likelihood, `ml`: the exact maximum that [`SLD`](Self::SLD) approaches.
    pub const ML: Self = Self::from_row(&MethodRow {
        name: "ml",
        summary: "Maximum likelihood: the exact maximum that sld approximates",
        fit: |training, _| Ok(Arc::new(Mixture::fit_posteriors(training, Solver::Newton)?)),
        fit_known: Some(|_, options| Ok(Arc::new(Mixture::known(options.prior, Solver::Newton)))),
        ..SLD
    });
    /// `KDEy`: maximum likelihood with kernel densities of the posterior probabilities, `kdey-ml`.
    pub const KDEY_ML: Self = Self::from_row(&MethodRow {
        name: "kdey-ml",
        summary: "KDEy: maximum likelihood with kernel densities",
        rates: RatesOrigin::Labels,
        fit: |training, _| Ok(Arc::new(Mixture::fit_kernels(training)?)),
        fit_known: None,
        ..SLD
    });
}

const SLD: MethodRow = MethodRow {
    input: InputKind::Posterior,
    summary_kind: SummaryKind::Scores,
    family_use: FamilyUse::Posteriors,
    rates: RatesOrigin::Posteriors,
    variance: VarianceOrigin::Formula,
    fit_known: Some(|_, options| Ok(Arc::new(Mixture::known(options.prior, Solver::Em { start: options.prior })))),
    ..MethodRow::new("sld", "Saerens-Latinne-Decaestecker expectation maximisation", |training, _| {
        Ok(Arc::new(Mixture::fit_posteriors(training, Solver::Em { start: training.prior() })?))
    })
};

/// The change below which expectation maximisation stops.
const TOLERANCE: f64 = 1e-4;

/// The minimum number of steps of expectation maximisation.
const MIN_EM_STEPS: u32 = 12;

/// The maximum number of steps of expectation maximisation.
const MAX_EM_STEPS: u32 = 1000;

/// The distance from the maximum above which `sld` warns.
const EM_DISTANCE: f64 = 0.001;

/// The value of −S′ below which the likelihood is flat, as all posterior probabilities almost equal
/// the prior.
const FLAT: f64 = 1e-12;

/// The maximum number of Newton steps; about twelve suffice unless the likelihood is almost flat.
const MAX_NEWTON_STEPS: u32 = 200;

/// The default bandwidth of `QuaPy`: 0.1 for the points (p, 1−p), whose distance is √2 |Δp|.
const KDEY_BANDWIDTH: f64 = 0.1 * std::f64::consts::FRAC_1_SQRT_2;

/// The q at which the variance is computed, spaced about evenly in log odds.
const ALPHAS: [f64; 19] = [
    0.001, 0.0025, 0.006, 0.015, 0.03, 0.06, 0.11, 0.2, 0.35, 0.5, 0.65, 0.8, 0.89, 0.94, 0.97, 0.985, 0.994, 0.9975,
    0.999,
];

#[derive(Clone, Debug)]
struct Mixture {
    densities: Densities,
    solver: Solver,
    /// The score functions at [`ALPHAS`]; `None` for a classifier's probabilities, whose variance
    /// is estimated from the test scores.
    scores: Option<Vec<InfluenceMean>>,
    /// The variance of the log odds of the prior, if it is the labelled share; otherwise 0.
    prior_variance: f64,
}

/// The source of f⁺/f⁻.
#[derive(Clone, Debug)]
enum Densities {
    /// Posterior probabilities with this prior, by Bayes' rule.
    Posterior { prior: f64 },
    /// Recalibrated posterior probabilities. The tally has the recalibrated values.
    Recalibrated(Recalibration),
    /// Kernel densities of the posterior probabilities. The tally has f⁺/(f⁺ + f⁻), the posterior
    /// for the prior ½.
    Kernels(PerClass<Kernel>),
}

#[derive(Clone, Copy, Debug)]
enum Solver {
    /// Expectation maximisation from this start.
    Em { start: f64 },
    /// Newton's method.
    Newton,
}

impl Mixture {
    /// Returns the mixture for posterior probabilities that are exact for this prior.
    fn known(prior: f64, solver: Solver) -> Self {
        Self { densities: Densities::Posterior { prior }, solver, scores: None, prior_variance: 0.0 }
    }

    fn fit_posteriors(training: &Training, solver: Solver) -> Result<Self, Error> {
        let mixture = Self::known(training.prior(), solver);
        if training.needs_family(InputKind::Posterior) {
            // The prior of posteriors by Bayes' rule cancels.
            return Ok(Self { scores: Some(mixture_score::with_model_rates(training, &ALPHAS)?), ..mixture });
        }
        let PerClass { positive, negative } = training.sizes().map(|n| (*n as f64).recip());
        Ok(Self { prior_variance: positive + negative, ..mixture })
    }

    /// Fits `kdey-ml`.
    fn fit_kernels(training: &Training) -> Result<Self, Error> {
        let posteriors = training.column(InputKind::Posterior)?;
        let kernels = posteriors.try_map(|_, p| Kernel::with_bandwidth(p, KDEY_BANDWIDTH))?;
        let balanced = posteriors.map(|p| p.iter().map(|p| balanced(&kernels, *p)).collect());
        let scores = Some(mixture_score::with_sample_rates(&balanced, &ALPHAS)?);
        Ok(Self { densities: Densities::Kernels(kernels), scores, ..Self::known(0.5, Solver::Newton) })
    }

    /// Returns the prior of the posterior probabilities in the tally.
    fn prior(&self) -> f64 {
        match self.densities {
            Densities::Posterior { prior } => prior,
            Densities::Recalibrated(ref recalibration) => recalibration.prior(),
            Densities::Kernels(_) => 0.5,
        }
    }

    /// Returns the square of the bias of `kdey-ml` that the labelled scores show.
    fn squared_bias(&self, estimate: f64) -> f64 {
        let Densities::Kernels(_) = &self.densities else { return 0.0 };
        let scores = self.scores.as_deref().unwrap_or_default();
        let after = scores.partition_point(|score| score.q() < estimate).clamp(1, scores.len() - 1);
        let [below, above] = [&scores[after - 1], &scores[after]].map(|s| (s.q(), s.estimator().mixture_mean(s.q())));
        let part = ((estimate - below.0) / (above.0 - below.0)).clamp(0.0, 1.0);
        (below.1 + part * (above.1 - below.1)).powi(2)
    }

    /// Returns the variance from the information at α that n test scores show.
    fn observed_variance(&self, alpha: f64, information: f64, n: f64) -> Variance {
        let observed = Variance::observed(information, n);
        match &self.densities {
            Densities::Recalibrated(recalibration) => {
                observed.plus_learning(recalibration.score_variance(alpha) / information.powi(2))
            }
            Densities::Posterior { .. } => {
                let derivative = information.recip() - alpha * (1.0 - alpha);
                observed.plus_labelled_share(derivative * derivative * self.prior_variance)
            }
            Densities::Kernels(_) => observed,
        }
    }
}

/// Returns f⁺/(f⁺ + f⁻) of kernel densities.
fn balanced(kernels: &PerClass<Kernel>, p: f64) -> f64 {
    (1.0 + (kernels.negative.ln_pdf(p) - kernels.positive.ln_pdf(p)).exp()).recip()
}

/// Posterior probabilities of test scores, for a prior.
struct MixturePosteriors<'a> {
    values: &'a [f64],
    prior: f64,
}

impl MixturePosteriors<'_> {
    /// Returns S(α).
    fn score(&self, alpha: f64) -> f64 {
        pass::mixture_score_sum(self.values, self.prior, alpha) / self.values.len() as f64
    }

    /// Returns S(α) and the observed information −S′(α), which are the mean and the mean square of
    /// the score function.
    fn score_and_information(&self, alpha: f64) -> (f64, f64) {
        let pass = pass::sum_mixture_score(self.values, self.prior, alpha);
        let n = self.values.len() as f64;
        (pass.sum.value() / n, pass.sum_squares.value() / n)
    }

    /// Returns the maximum of the likelihood in [0, 1], and whether Newton's method converged. The
    /// maximum is the zero of the decreasing function S, or else the end that S points to.
    fn maximum(&self) -> (f64, bool) {
        let (mut low, mut high, mut alpha) = (0.0, 1.0, 0.5);
        for _ in 0..MAX_NEWTON_STEPS {
            let (score, information) = self.score_and_information(alpha);
            if score > 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let newton = alpha + score / information;
            // S at an end is needed only after a step beyond that end.
            if newton <= 0.0 && low == 0.0 && self.score_and_information(0.0).0 <= 0.0 {
                return (0.0, true);
            }
            if newton >= 1.0 && high == 1.0 && self.score_and_information(1.0).0 >= 0.0 {
                return (1.0, true);
            }
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - alpha).abs() <= 1e-14 {
                return (next, true);
            }
            alpha = next;
        }
        (alpha, false)
    }

    /// Returns the estimate by expectation maximisation, and the number of steps if the changes
    /// became smaller than the tolerance.
    fn em(&self, start: f64) -> (f64, Option<u32>) {
        let mut alpha = start;
        for step in 1..=MAX_EM_STEPS {
            // 0 and 1 are fixed points, where S may be infinite.
            let inside = alpha > 0.0 && alpha < 1.0;
            let change = if inside { alpha * (1.0 - alpha) * self.score(alpha) } else { 0.0 };
            alpha = (alpha + change).clamp(0.0, 1.0);
            if step >= MIN_EM_STEPS && change.abs() < TOLERANCE {
                return (alpha, Some(step));
            }
        }
        (alpha, None)
    }

    /// Returns the information at α, from the estimate and from S and −S′ at the estimate.
    fn information(&self, alpha: f64, estimate: f64, (score, information): (f64, f64)) -> f64 {
        if alpha == estimate {
            return information;
        }
        // S may be infinite at 0 and 1, but not next to them.
        let alpha = alpha.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        let unseen = if score < 0.0 && alpha > estimate {
            -score * (1.0 - estimate) / alpha
        } else if score > 0.0 && alpha < estimate {
            score * estimate / (1.0 - alpha)
        } else {
            0.0
        };
        (score - self.score(alpha)) / (alpha - estimate) + unseen
    }

    /// Returns a warning if expectation maximisation stopped far from the maximum. The maximum is
    /// computed only if Newton's step is long.
    fn em_warning(&self, alpha: f64, steps: u32) -> Option<Warning> {
        let (score, information) = self.score_and_information(alpha);
        if information < FLAT {
            return Some(Warning::NoSpread);
        }
        if (score / information).abs() < 0.5 * EM_DISTANCE {
            return None;
        }
        let (maximum, _) = self.maximum();
        ((alpha - maximum).abs() > EM_DISTANCE).then_some(Warning::EmNotConverged { steps, maximum })
    }
}

impl Quantify for Mixture {
    fn empty_state(&self) -> MethodTally {
        MethodTally::Values(Vec::new())
    }

    fn update(&self, state: &mut MethodTally, values: &[f64]) -> Result<(), Error> {
        let MethodTally::Values(all) = state else { unreachable!("a tally of this quantifier") };
        match &self.densities {
            Densities::Posterior { .. } => all.extend_from_slice(values),
            Densities::Recalibrated(recalibration) => all.extend(values.iter().map(|p| recalibration.apply(*p))),
            Densities::Kernels(kernels) => all.extend(values.iter().map(|p| balanced(kernels, *p))),
        }
        Ok(())
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let MethodTally::Values(values) = state else { unreachable!("a tally of this quantifier") };
        let posteriors = MixturePosteriors { values, prior: self.prior() };
        let (raw, warning) = match self.solver {
            Solver::Newton => {
                let (alpha, converged) = posteriors.maximum();
                let is_flat = posteriors.values.iter().all(|p| (p - posteriors.prior).abs() < FLAT.sqrt());
                let not_converged = (!converged).then_some(Warning::NotConverged { steps: MAX_NEWTON_STEPS });
                (alpha, not_converged.or(is_flat.then_some(Warning::NoSpread)))
            }
            Solver::Em { start } => match posteriors.em(start) {
                (alpha, None) => (alpha, Some(Warning::NotConverged { steps: MAX_EM_STEPS })),
                (alpha, Some(steps)) => (alpha, posteriors.em_warning(alpha, steps)),
            },
        };
        let n = values.len() as f64;
        let variance = match self.precision(raw, f64::INFINITY) {
            Some(precision) => precision.variance(n, 0.0).plus_squared_bias(self.squared_bias(raw)),
            None => self.observed_variance(raw, posteriors.score_and_information(raw).1, n),
        };
        let warnings = warning.into_iter().collect();
        RawEstimate { variance: Some(variance), ..RawEstimate::without_variance(raw, warnings) }
    }

    fn variance_function<'a>(&'a self, state: &'a MethodTally, raw: f64) -> Option<VarianceFunction<'a>> {
        let MethodTally::Values(values) = state else { unreachable!("a tally of this quantifier") };
        let n = values.len() as f64;
        if let Some(grid) = self.precision_grid() {
            let squared_bias = self.squared_bias(raw);
            return Some(Box::new(move |alpha| {
                Precision::between(&grid, testing_prevalence(alpha, raw))
                    .variance(n, 0.0)
                    .plus_squared_bias(squared_bias)
            }));
        }
        let posteriors = MixturePosteriors { values, prior: self.prior() };
        let at_estimate = posteriors.score_and_information(raw);
        Some(Box::new(move |alpha| {
            let alpha = testing_prevalence(alpha, raw);
            self.observed_variance(alpha, posteriors.information(alpha, raw, at_estimate), n)
        }))
    }

    fn variance_description(&self) -> Option<&'static str> {
        if matches!(self.densities, Densities::Recalibrated(_)) {
            return Some("sampling of the new and the labelled rows");
        }
        Some(match InfluenceMean::nearest(self.scores.as_deref().unwrap_or_default(), 0.5) {
            Some(score) => score.estimator().variance_description(),
            None => "sampling of the new rows and of the labelled share, assuming calibrated probabilities",
        })
    }

    fn precision_grid(&self) -> Option<Vec<(f64, Precision)>> {
        let precision = |score: &InfluenceMean| Some((score.q(), score.estimator().precision()?));
        self.scores.as_ref()?.iter().map(precision).collect()
    }

    fn precision(&self, alpha: f64, _: f64) -> Option<Precision> {
        InfluenceMean::nearest(self.scores.as_ref()?, alpha)?.estimator().precision()
    }

    fn family_bias(&self, prevalence: f64) -> Option<FamilyError> {
        InfluenceMean::nearest(self.scores.as_ref()?, prevalence)?.estimator().family_bias(prevalence)
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        match &self.densities {
            Densities::Posterior { prior } => vec![("training_prevalence", *prior)],
            Densities::Recalibrated(recalibration) => recalibration.parameters(),
            Densities::Kernels(_) => vec![("bandwidth", KDEY_BANDWIDTH)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate::{VarianceSource, to_estimate};
    use super::*;
    use crate::distribution::Normal;
    use crate::golden::wilson;
    use crate::inference::{IntervalOptions, Target};
    use crate::sweep::Separation;

    fn balanced(values: &[f64]) -> MixturePosteriors<'_> {
        MixturePosteriors { values, prior: 0.5 }
    }

    #[test]
    fn maximum_agrees_with_a_calculation_by_hand() {
        // u is ¾ for 7 scores and ¼ for 3: the share of ¾ is ¼ + α/2, so α = 0.9.
        let (alpha, converged) = balanced(&[[0.75; 7].as_slice(), &[0.25; 3]].concat()).maximum();
        assert!(converged && (alpha - 0.9).abs() < 1e-14, "{alpha}");
        // 9 of 10 would need α = 1.3, and 1 of 10 α = −0.3: the maxima are at the ends.
        assert_eq!(balanced(&[[0.75; 9].as_slice(), &[0.25]].concat()).maximum(), (1.0, true));
        assert_eq!(balanced(&[[0.25; 9].as_slice(), &[0.75]].concat()).maximum(), (0.0, true));
        // Perfectly separated scores.
        assert!((balanced(&[0.0, 0.0, 1.0, 1.0]).maximum().0 - 0.5).abs() < 1e-14);
        assert_eq!(balanced(&[1.0, 1.0]).maximum().0, 1.0);
        assert_eq!(balanced(&[0.0]).maximum().0, 0.0);
        assert_eq!(balanced(&[1.0, 1.0]).em(0.3).0, 1.0);
    }

    /// Scores with two values correspond to a classifier with the rates ¼ and ¾, whose share of
    /// positive results is p = ¼ + α/2. The upper end is that of Wilson's interval (1927) for p,
    /// with the variance p(1−p)/n at each p. The lower end has the variance at the estimate, and is
    /// one-sided near 0.
    #[test]
    fn upper_end_for_two_values_is_that_of_wilson() {
        let values = [[0.75; 35].as_slice(), &[0.25; 65]].concat();
        let options = IntervalOptions::new(0.95, Target::Population).unwrap();
        let interval = |values: Vec<f64>, solver| {
            let mixture = Mixture::known(0.5, solver);
            let state = MethodTally::Values(values);
            to_estimate(Method::ML, &mixture, &state, (&[], None), VarianceSource::Formula, None, &options)
                .unwrap()
                .interval
                .unwrap()
        };
        let (n, p, two_sided, one_sided) = (100.0, 0.35_f64, 1.959_963_984_540_054, 1.644_853_626_951_472_7);
        let exact = interval(values.clone(), Solver::Newton);
        let [lower, upper] =
            [p - one_sided * (p * (1.0 - p) / n).sqrt(), wilson(p, n, two_sided)[1]].map(|p| 2.0 * (p - 0.25));
        assert!((exact.lower - lower).abs() < 1e-12 && (exact.upper - upper).abs() < 1e-12, "{exact:?}");
        let swapped = interval(values.iter().map(|u| 1.0 - u).collect(), Solver::Newton);
        assert!((swapped.lower - (1.0 - upper)).abs() < 1e-12 && (swapped.upper - (1.0 - lower)).abs() < 1e-12);
        let by_em = interval(values, Solver::Em { start: 0.5 });
        assert!((by_em.lower - lower).abs() < 1e-3 && (by_em.upper - upper).abs() < 1e-3, "{by_em:?}");
    }

    /// Probabilities of 0 and 1 identify the class of every score, so that the variance for the
    /// population is α(1−α)/n.
    #[test]
    fn certain_probabilities_have_only_sampling_variance() {
        let interval = |values: &[f64], target| {
            let options = IntervalOptions::new(0.95, target).unwrap();
            let (mixture, state) = (Mixture::known(0.3, Solver::Newton), MethodTally::Values(values.to_vec()));
            to_estimate(Method::ML, &mixture, &state, (&[], None), VarianceSource::Formula, None, &options)
                .unwrap()
                .interval
                .unwrap()
        };
        let (n, z) = (40.0, 1.959_963_984_540_054_f64);
        // α² = z² α(1−α)/n.
        let upper = z * z / (n + z * z);
        let negatives = interval(&[0.0; 40], Target::Population);
        assert!(negatives.lower == 0.0 && (negatives.upper - upper).abs() < 1e-12, "{negatives:?}");
        let positives = interval(&[1.0; 40], Target::Population);
        assert!(positives.upper == 1.0 && (positives.lower - (1.0 - upper)).abs() < 1e-12, "{positives:?}");
        let in_sample = interval(&[0.0; 40], Target::Sample);
        assert_eq!((in_sample.lower, in_sample.upper), (0.0, 0.5 / n));
    }

    /// The exact variance is 1/(nI) − α(1−α)/n, with I by Simpson's rule.
    #[test]
    fn variances_are_exact_at_the_grid_and_close_between() {
        let normal = |mean: f64| Normal::new(mean, 1.0).unwrap().into();
        let separation = Separation::new(normal(2.0), normal(0.0)).unwrap();
        let scores = Some(mixture_score::with_known_rates(&separation, &ALPHAS));
        let grid = Mixture { scores, ..Mixture::known(0.5, Solver::Newton) }.precision_grid().unwrap();
        let variance = |alpha: f64| Precision::between(&grid, alpha).variance(1.0, 0.0).with_sampling(0.0).at(alpha);
        let simpson = |alpha: f64| {
            let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
            let information = |x: f64| {
                let (plus, minus) = (density(x - 2.0), density(x));
                (plus - minus).powi(2) / (alpha * plus + (1.0 - alpha) * minus)
            };
            let (panels, from, step) = (4000, -10.0, 0.0055);
            let term = |k: i32| [4.0, 2.0][usize::from(k % 2 == 0)] * information(from + step * f64::from(k));
            let ends = information(from) + information(from + step * f64::from(panels));
            let integral = step / 3.0 * (ends + (1..panels).map(term).sum::<f64>());
            integral.recip() - alpha * (1.0 - alpha)
        };
        for alpha in ALPHAS {
            assert!((variance(alpha) / simpson(alpha) - 1.0).abs() < 1e-9, "{alpha}");
        }
        // Between two grid points both score functions have a larger variance than the best one.
        for pair in ALPHAS.windows(2) {
            for share in [0.25, 0.5, 0.75] {
                let between = pair[0] + share * (pair[1] - pair[0]);
                let ratio = variance(between) / simpson(between);
                assert!(ratio > 1.0 && ratio < 1.02, "{between}: {ratio}");
            }
        }
    }
}
