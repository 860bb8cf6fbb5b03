//! Maximum likelihood of a mixture of two known densities: the prevalence α that maximises Σ ln(α
//! f⁺(s) + (1−α) f⁻(s)).
//!
//! The maximum is the zero of S(α) = mean (f⁺ − f⁻)/(α f⁺ + (1−α) f⁻), for which posterior
//! probabilities and the prior they were computed with are enough, and a step of expectation
//! maximisation (Saerens, Latinne & Decaestecker 2002) is α ← α + α(1−α) S(α).
//!
//! * `sld` steps from the training prevalence until a step is below 1e-4, at least twelve and at
//!   most 1000 times, as `QuaPy` and Kloos et al. do: near the ends it stops short of the maximum,
//!   and then says so;
//! * `sld-bcts` (Alexandari, Kundaje & Shrikumar 2020) does the same with recalibrated
//!   probabilities (`recalibrated`);
//! * `ml` finds the maximum, by Newton's method kept inside a bracket;
//! * `kdey-ml` (Moreo, González & del Coz 2024) finds it for kernel densities of the posterior
//!   probabilities.
//!
//! To first order the maximum is the mean of the mixture's score function at α, so its variance is
//! that of Efficient Sweep with α₀ = α and the same densities: 1/(nI) for a population, and what
//! learning the densities adds (`mixture_score`).
//!
//! An interval judges each α by the score function at α, but at none nearer to 0 or 1 than the
//! estimate T (`inference::judge`). Above t is T just where the mean of the score function at t is
//! above 0, so either function may serve to the first order; the one nearer to an end is the more
//! skewed one. Functions lie between those of the nearest two [`ALPHAS`]. Of given probabilities
//! the test scores, weighted by h_α/h_T with h the mixture, tell the information at α:
//!
//! ```text
//! I(α) = mean (f⁺ − f⁻)²/(h_α h_T) = [S(T) − S(α)]/(α − T)     since h_α − h_T = (α − T)(f⁺ − f⁻)
//! ```
//!
//! Where S(T) < 0, as at the end 0, these hold only mean f⁺/h_T = 1 + (1−T) S(T) of the positives:
//! the others lie where there is no test score, and so no negative, and add their share over α to
//! the information above T. Likewise at the other end.

use super::Method;
use super::anchored_mean::AnchoredMean;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::mixture_score;
use super::quantify::{Quantify, VarianceFunction};
use super::raw_estimate::RawEstimate;
use super::recalibrated::Recalibration;
use crate::distribution::{Distribution, Kernel};
use crate::inference::{Off, Precision, Variance, Warning, judge};
use crate::numeric::pass;
use crate::tally::TallyState;
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// Saerens, Latinne and Decaestecker's expectation maximisation, `sld`.
    pub const SLD: Self = Self::from_row(&SLD);
    /// The same with posterior probabilities that are recalibrated on the labelled ones,
    /// `sld-bcts`.
    pub const SLD_BCTS: Self = Self::from_row(&MethodRow {
        name: "sld-bcts",
        summary: "SLD with recalibrated posteriors (bias-corrected temperature scaling)",
        rates: RatesOrigin::Labels,
        variance: VarianceOrigin::Observed,
        fit: |training, _| Ok(Arc::new(Mixture::recalibrated(training)?)),
        fit_known: None,
        ..SLD
    });
    /// The exact maximum of the same likelihood, `ml`.
    pub const ML: Self = Self::from_row(&MethodRow {
        name: "ml",
        summary: "Maximum likelihood: the exact maximum that sld looks for",
        fit: |training, _| Ok(Arc::new(Mixture::from_posteriors(training, Solver::Maximum)?)),
        fit_known: Some(|_, options| Ok(Arc::new(Mixture::known(options.prior, Solver::Maximum)))),
        ..SLD
    });
    /// `KDEy`: maximum likelihood with kernel densities of the posterior probabilities, `kdey-ml`.
    pub const KDEY_ML: Self = Self::from_row(&MethodRow {
        name: "kdey-ml",
        summary: "KDEy: maximum likelihood with kernel densities",
        rates: RatesOrigin::Labels,
        fit: |training, _| Ok(Arc::new(Mixture::kernels(training)?)),
        fit_known: None,
        ..SLD
    });
}

const SLD: MethodRow = MethodRow {
    name: "sld",
    aliases: &[],
    summary: "Saerens-Latinne-Decaestecker expectation maximisation",
    input: InputKind::Posterior,
    summary_kind: SummaryKind::Scores,
    family_use: FamilyUse::Posteriors,
    rates: RatesOrigin::Posteriors,
    model_rates: None,
    takes_label_design: false,
    variance: VarianceOrigin::Formula,
    fit: |training, _| Ok(Arc::new(Mixture::from_posteriors(training, Solver::Steps { from: training.prior() })?)),
    fit_known: Some(|_, options| Ok(Arc::new(Mixture::known(options.prior, Solver::Steps { from: options.prior })))),
};

/// When expectation maximisation stops.
const TOLERANCE: f64 = 1e-4;
const LEAST_STEPS: u32 = 12;
const MOST_STEPS: u32 = 1000;

/// Distance from the maximum above which a stopped `sld` says so.
const SHORT: f64 = 0.001;

/// −S′ below which the likelihood is flat: posterior probabilities all but equal to the prior.
const FLAT: f64 = 1e-12;

/// Newton steps; a dozen do unless the likelihood is as good as flat.
const NEWTON_STEPS: u32 = 200;

/// `QuaPy`'s default bandwidth, 0.1 between the points (p, 1−p), whose distance is √2 |Δp|.
const KDEY_BANDWIDTH: f64 = 0.1 * std::f64::consts::FRAC_1_SQRT_2;

/// The α₀ at which the variance is known, about evenly apart in log odds.
const ALPHAS: [f64; 19] = [
    0.001, 0.0025, 0.006, 0.015, 0.03, 0.06, 0.11, 0.2, 0.35, 0.5, 0.65, 0.8, 0.89, 0.94, 0.97, 0.985, 0.994, 0.9975,
    0.999,
];

#[derive(Clone, Debug)]
struct Mixture {
    densities: Densities,
    solver: Solver,
    /// The score functions at [`ALPHAS`]; none for given probabilities, which are taken at their
    /// word, so that the test scores themselves tell the information.
    scores: Option<Vec<AnchoredMean>>,
}

/// Where f⁺/f⁻ comes from.
#[derive(Clone, Debug)]
enum Densities {
    /// A posterior probability by Bayes' rule backwards, at this training prevalence.
    Posterior { prior: f64 },
    /// The same, recalibrated on the labelled scores. The tally holds what is recalibrated.
    Recalibrated(Recalibration),
    /// Kernel densities of the posterior probabilities. The tally then holds f⁺/(f⁺ + f⁻), the
    /// posterior at the prior ½.
    Kernels(PerClass<Kernel>),
}

#[derive(Clone, Copy, Debug)]
enum Solver {
    Steps { from: f64 },
    Maximum,
}

impl Mixture {
    /// With posterior probabilities that are true at this prior.
    fn known(prior: f64, solver: Solver) -> Self {
        Self { densities: Densities::Posterior { prior }, solver, scores: None }
    }

    fn from_posteriors(training: &Training, solver: Solver) -> Result<Self, Error> {
        let prior = training.prior();
        let scores = if training.needs_family(InputKind::Posterior) {
            Some(mixture_score::with_model_rates(training, &ALPHAS)?)
        } else {
            None
        };
        Ok(Self { densities: Densities::Posterior { prior }, solver, scores })
    }

    /// `sld-bcts`.
    fn recalibrated(training: &Training) -> Result<Self, Error> {
        let densities = Densities::Recalibrated(Recalibration::new(training.column(InputKind::Posterior)?)?);
        Ok(Self { densities, solver: Solver::Steps { from: training.prior() }, scores: None })
    }

    /// `kdey-ml`.
    fn kernels(training: &Training) -> Result<Self, Error> {
        let posteriors = training.column(InputKind::Posterior)?;
        let kernels = posteriors.try_map(|_, p| Kernel::with_bandwidth(p, KDEY_BANDWIDTH))?;
        let balanced = posteriors.map(|p| p.iter().map(|p| balanced(&kernels, *p)).collect());
        let scores = Some(mixture_score::with_sample_rates(&balanced, &ALPHAS)?);
        Ok(Self { densities: Densities::Kernels(kernels), solver: Solver::Maximum, scores })
    }

    /// The prior of the posterior probabilities in the tally.
    fn prior(&self) -> f64 {
        match self.densities {
            Densities::Posterior { prior } => prior,
            Densities::Recalibrated(ref recalibration) => recalibration.prior(),
            Densities::Kernels(_) => 0.5,
        }
    }

    /// V of n test scores that show this information at α.
    fn observed(&self, alpha: f64, information: f64, n: f64) -> Variance {
        let observed = Variance::observed(information, n);
        match &self.densities {
            Densities::Recalibrated(recalibration) => {
                observed.plus_learning(recalibration.score_variance(alpha) / information.powi(2))
            }
            Densities::Posterior { .. } | Densities::Kernels(_) => observed,
        }
    }
}

/// f⁺/(f⁺ + f⁻) of kernel densities.
fn balanced(kernels: &PerClass<Kernel>, p: f64) -> f64 {
    (1.0 + (kernels.negative.ln_pdf(p) - kernels.positive.ln_pdf(p)).exp()).recip()
}

/// Posterior probabilities of test scores, at a prior.
struct MixturePosteriors<'a> {
    values: &'a [f64],
    prior: f64,
}

impl MixturePosteriors<'_> {
    /// S at α.
    fn score(&self, alpha: f64) -> f64 {
        pass::mixture_score_sum(self.values, self.prior, alpha) / self.values.len() as f64
    }

    /// S and −S′, the mean square of what S is the mean of, at α.
    fn score_and_fall(&self, alpha: f64) -> (f64, f64) {
        let pass = pass::sum_mixture_score(self.values, self.prior, alpha);
        let n = self.values.len() as f64;
        (pass.sum.value() / n, pass.sum_squares.value() / n)
    }

    /// The zero of S in [0, 1], or the end it points to, and whether it was found; S falls.
    fn maximum(&self) -> (f64, bool) {
        let (mut low, mut high, mut alpha) = (0.0, 1.0, 0.5);
        for _ in 0..NEWTON_STEPS {
            let (score, fall) = self.score_and_fall(alpha);
            if score > 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let newton = alpha + score / fall;
            // Only a step across an end asks what lies there.
            if newton <= 0.0 && low == 0.0 && self.score_and_fall(0.0).0 <= 0.0 {
                return (0.0, true);
            }
            if newton >= 1.0 && high == 1.0 && self.score_and_fall(1.0).0 >= 0.0 {
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

    /// Expectation maximisation, and how many steps it took if it stopped by itself.
    fn steps(&self, from: f64) -> (f64, Option<u32>) {
        let mut alpha = from;
        for step in 1..=MOST_STEPS {
            // At the ends themselves nothing moves any more.
            let inside = alpha > 0.0 && alpha < 1.0;
            let change = if inside { alpha * (1.0 - alpha) * self.score(alpha) } else { 0.0 };
            alpha = (alpha + change).clamp(0.0, 1.0);
            if step >= LEAST_STEPS && change.abs() < TOLERANCE {
                return (alpha, Some(step));
            }
        }
        (alpha, None)
    }

    /// The information at α from the estimate and from S and −S′ there.
    fn information(&self, alpha: f64, estimate: f64, (score, fall): (f64, f64)) -> f64 {
        if alpha == estimate {
            return fall;
        }
        // At 0 and 1 S may be infinite: next to them it is not.
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

    /// Whether the likelihood is as good as constant.
    fn are_flat(&self) -> bool {
        self.values.iter().all(|p| (p - self.prior).abs() < FLAT.sqrt())
    }

    /// Whether expectation maximisation stopped far from the maximum. Newton's step tells whether
    /// to look for it.
    fn stopped_short(&self, alpha: f64, steps: u32) -> Option<Warning> {
        let (score, fall) = self.score_and_fall(alpha);
        if fall < FLAT {
            return Some(Warning::NoSpread);
        }
        if (score / fall).abs() < 0.5 * SHORT {
            return None;
        }
        let (maximum, _) = self.maximum();
        ((alpha - maximum).abs() > SHORT).then_some(Warning::EmNotConverged { steps, maximum })
    }
}

impl Quantify for Mixture {
    fn empty_state(&self) -> TallyState {
        TallyState::Values(Vec::new())
    }

    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        let TallyState::Values(all) = state else { unreachable!("a tally of this quantifier") };
        match &self.densities {
            Densities::Posterior { .. } => all.extend_from_slice(values),
            Densities::Recalibrated(recalibration) => all.extend(values.iter().map(|p| recalibration.apply(*p))),
            Densities::Kernels(kernels) => all.extend(values.iter().map(|p| balanced(kernels, *p))),
        }
        Ok(())
    }

    fn estimate(&self, state: &TallyState) -> RawEstimate {
        let TallyState::Values(values) = state else { unreachable!("a tally of this quantifier") };
        let posteriors = MixturePosteriors { values, prior: self.prior() };
        let (raw, warning) = match self.solver {
            Solver::Maximum => {
                let (alpha, found) = posteriors.maximum();
                let lost = (!found).then_some(Warning::NotConverged { steps: NEWTON_STEPS });
                (alpha, lost.or_else(|| posteriors.are_flat().then_some(Warning::NoSpread)))
            }
            Solver::Steps { from } => match posteriors.steps(from) {
                (alpha, None) => (alpha, Some(Warning::NotConverged { steps: MOST_STEPS })),
                (alpha, Some(steps)) => (alpha, posteriors.stopped_short(alpha, steps)),
            },
        };
        let n = values.len() as f64;
        let variance = match self.precision(raw) {
            Some(precision) => precision.variance(n, 0.0),
            None => self.observed(raw, posteriors.score_and_fall(raw).1, n),
        };
        RawEstimate {
            raw,
            variance: Some(variance),
            posterior: None,
            origin: None,
            warnings: warning.into_iter().collect(),
        }
    }

    fn variance_function<'a>(&'a self, state: &'a TallyState, raw: f64) -> Option<VarianceFunction<'a>> {
        let TallyState::Values(values) = state else { unreachable!("a tally of this quantifier") };
        let n = values.len() as f64;
        if let Some(several) = self.precision_grid() {
            return Some(Box::new(move |alpha| Precision::between(&several, judge(alpha, raw)).variance(n, 0.0)));
        }
        let posteriors = MixturePosteriors { values, prior: self.prior() };
        let here = posteriors.score_and_fall(raw);
        let information = move |alpha| posteriors.information(judge(alpha, raw), raw, here);
        Some(Box::new(move |alpha| self.observed(judge(alpha, raw), information(alpha), n)))
    }

    fn variance_description(&self) -> Option<&'static str> {
        if matches!(self.densities, Densities::Recalibrated(_)) {
            return Some("sampling of the new and the labelled rows");
        }
        Some(match AnchoredMean::nearest(self.scores.as_deref().unwrap_or_default(), 0.5) {
            Some(score) => score.anchored().variance_description(),
            None => "sampling of the new rows only, taking the given probabilities as true",
        })
    }

    fn precision_grid(&self) -> Option<Vec<(f64, Precision)>> {
        let of = |score: &AnchoredMean| Some((score.best_at(), score.anchored().precision()?));
        self.scores.as_ref()?.iter().map(of).collect()
    }

    fn precision(&self, alpha: f64) -> Option<Precision> {
        AnchoredMean::nearest(self.scores.as_ref()?, alpha)?.anchored().precision()
    }

    fn family_bias(&self, prevalence: f64) -> Option<Off> {
        AnchoredMean::nearest(self.scores.as_ref()?, prevalence)?.anchored().family_bias(prevalence)
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
    use crate::inference::{IntervalOptions, Target};
    use crate::sweep::Separation;

    fn balanced(values: &[f64]) -> MixturePosteriors<'_> {
        MixturePosteriors { values, prior: 0.5 }
    }

    #[test]
    fn a_discrete_mixture_is_solved_by_hand() {
        // u is ¾ for 7 scores and ¼ for 3: the share of ¾ is ¼ + α/2, so α = 0.9.
        let (alpha, found) = balanced(&[[0.75; 7].as_slice(), &[0.25; 3]].concat()).maximum();
        assert!(found && (alpha - 0.9).abs() < 1e-14, "{alpha}");
        // 9 of 10 would need α = 1.3, 1 of 10 α = −0.3: the ends.
        assert_eq!(balanced(&[[0.75; 9].as_slice(), &[0.25]].concat()).maximum(), (1.0, true));
        assert_eq!(balanced(&[[0.25; 9].as_slice(), &[0.75]].concat()).maximum(), (0.0, true));
        // Perfectly separated scores.
        assert!((balanced(&[0.0, 0.0, 1.0, 1.0]).maximum().0 - 0.5).abs() < 1e-14);
        assert_eq!(balanced(&[1.0, 1.0]).maximum().0, 1.0);
        assert_eq!(balanced(&[0.0]).maximum().0, 0.0);
        assert_eq!(balanced(&[1.0, 1.0]).steps(0.3).0, 1.0);
    }

    /// Two values are a classifier with the rates ¼ and ¾, whose positive share p = ¼ + α/2 has
    /// Wilson's interval (1927) as the population does: above the estimate each p by its own
    /// p(1−p)/n. Below it by the estimate's, and near 0 one-sided.
    #[test]
    fn of_two_values_the_upper_end_is_wilsons() {
        let values = [[0.75; 35].as_slice(), &[0.25; 65]].concat();
        let reporting = IntervalOptions::new(0.95, Target::Population).unwrap();
        let ends = |values: Vec<f64>, solver| {
            let mixture = Mixture::known(0.5, solver);
            let state = TallyState::Values(values);
            to_estimate(Method::ML, &mixture, &state, &[], VarianceSource::Formula, None, &reporting)
                .unwrap()
                .uncertainty
                .unwrap()
        };
        let (n, p, two, one) = (100.0, 0.35, 1.959_963_984_540_054_f64, 1.644_853_626_951_472_7);
        let wilson = |sign: f64| {
            let (middle, half) =
                (p + two * two / (2.0 * n), two * (p * (1.0 - p) / n + (two / (2.0 * n)).powi(2)).sqrt());
            (middle + sign * half) / (1.0 + two * two / n)
        };
        let found = ends(values.clone(), Solver::Maximum);
        let [lower, upper] = [p - one * (p * (1.0 - p) / n).sqrt(), wilson(1.0)].map(|p| 2.0 * (p - 0.25));
        assert!((found.lower - lower).abs() < 1e-12 && (found.upper - upper).abs() < 1e-12, "{found:?}");
        // And of the other class the other way round.
        let turned = ends(values.iter().map(|u| 1.0 - u).collect(), Solver::Maximum);
        assert!((turned.lower - (1.0 - upper)).abs() < 1e-12 && (turned.upper - (1.0 - lower)).abs() < 1e-12);
        // Steps that stop next to the maximum have next to its interval.
        let near = ends(values, Solver::Steps { from: 0.5 });
        assert!((near.lower - lower).abs() < 1e-3 && (near.upper - upper).abs() < 1e-3, "{near:?}");
    }

    /// Without an error among n negatives, classes told apart by probabilities of 0 and 1 have
    /// nothing but the drawing: α(1−α)/n.
    #[test]
    fn sure_probabilities_leave_the_drawing() {
        let ends = |values: &[f64], target| {
            let reporting = IntervalOptions::new(0.95, target).unwrap();
            let (mixture, state) = (Mixture::known(0.3, Solver::Maximum), TallyState::Values(values.to_vec()));
            to_estimate(Method::ML, &mixture, &state, &[], VarianceSource::Formula, None, &reporting)
                .unwrap()
                .uncertainty
                .unwrap()
        };
        let (n, z) = (40.0, 1.959_963_984_540_054_f64);
        // α² = z² α(1−α)/n.
        let upper = z * z / (n + z * z);
        let of_none = ends(&[0.0; 40], Target::Population);
        assert!(of_none.lower == 0.0 && (of_none.upper - upper).abs() < 1e-12, "{of_none:?}");
        let of_all = ends(&[1.0; 40], Target::Population);
        assert!(of_all.upper == 1.0 && (of_all.lower - (1.0 - upper)).abs() < 1e-12, "{of_all:?}");
        let known = ends(&[0.0; 40], Target::Sample);
        assert_eq!((known.lower, known.upper), (0.0, 0.5 / n));
    }

    /// Against 1/(nI) − α(1−α)/n by Simpson's rule: at the score functions' own α, and between
    /// them.
    #[test]
    fn variances_between_score_functions() {
        let normal = |mean: f64| Normal::new(mean, 1.0).unwrap().into();
        let separation = Separation::new(normal(2.0), normal(0.0)).unwrap();
        let scores = Some(mixture_score::with_known_rates(&separation, &ALPHAS));
        let several = Mixture { scores, ..Mixture::known(0.5, Solver::Maximum) }.precision_grid().unwrap();
        let variance = |alpha: f64| Precision::between(&several, alpha).variance(1.0, 0.0).with_sampling(0.0).at(alpha);
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
        // Each of the two has more variance there than the best one.
        for pair in ALPHAS.windows(2) {
            for share in [0.25, 0.5, 0.75] {
                let between = pair[0] + share * (pair[1] - pair[0]);
                let ratio = variance(between) / simpson(between);
                println!("{between}: {ratio}");
                assert!(ratio > 1.0 && ratio < 1.02, "{between}: {ratio}");
            }
        }
    }

    #[test]
    fn a_step_is_the_mean_of_the_posteriors() {
        let values: Vec<f64> = (0..777).map(|k| f64::from(k * k % 1009) / 1009.0).collect();
        for (prior, alpha) in [(0.5, 0.3), (0.2, 0.9), (0.7, 1e-3)] {
            let corrected = |p: f64| {
                let (positive, negative) = (alpha / prior * p, (1.0 - alpha) / (1.0 - prior) * (1.0 - p));
                positive / (positive + negative)
            };
            let mean = values.iter().map(|p| corrected(*p)).sum::<f64>() / values.len() as f64;
            let posteriors = MixturePosteriors { values: &values, prior };
            for score in [posteriors.score(alpha), posteriors.score_and_fall(alpha).0] {
                let step = alpha + alpha * (1.0 - alpha) * score;
                assert!((mean - step).abs() < 1e-15, "{mean} {step}");
            }
        }
    }
}
