//! Efficient Sweep: of all weighted sweeps ∫ w(θ) AC(θ) dθ the one with the least variance.
//!
//! It is the mean of the efficient score of the mixture at α₀,
//!
//! ```text
//! ψ(s) = (f⁺ − f⁻)/(α₀ f⁺ + (1−α₀) f⁻),    I = ∫ (f⁺ − f⁻)²/(α₀ f⁺ + (1−α₀) f⁻),    α̂ = α₀ + mean ψ / I,
//! ```
//!
//! unbiased for every α and of variance 1/(nI) at α = α₀, the Cramér–Rao bound. Two steps: α₀ = ½ first, then the α₀
//! nearest to that first estimate. The tally keeps the moments of ψ at a few α₀, so nothing is read twice. Anchored in the
//! sample, E±ψ are means over the labelled scores, each with a ψ fitted without it; a wrong family then costs efficiency but
//! no bias.

use super::Method;
use super::anchored::Anchor;
use super::anchored_mean::AnchoredMean;
use super::finding::Finding;
use super::method::{FamilyUse, Keeps, MethodRow, RatesFrom, VarianceFrom};
use super::mixture_score;
use super::quantify::Quantify;
use crate::sweep::Separation;
use crate::tally::{Moments, State};
use crate::training::{Reads, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

impl Method {
    /// Efficient Sweep, `es`: the weighted sweep of least variance.
    pub const ES: Self = Self::of(&MethodRow {
        name: "es",
        aliases: &[],
        summary: "Efficient Sweep",
        reads: Reads::Balanced,
        keeps: Keeps::Means,
        family: FamilyUse::Everything,
        rates: RatesFrom::Anchor(Anchor::Sample),
        variance: VarianceFrom::Formula,
        fit: |training, options| Ok(Arc::new(EfficientSweep::fit(training, options.anchor)?)),
        known: Some(|separation, _| Ok(Arc::new(EfficientSweep::known(separation)))),
    });
}

/// The α₀ of the second step; the first is ½. Evenly apart in log odds, roughly: at the nearest one the variance is within
/// about 2 % of the bound.
const STEPS: [f64; 11] = [0.03, 0.06, 0.11, 0.2, 0.35, FIRST, 0.65, 0.8, 0.89, 0.94, 0.97];
const FIRST: f64 = 0.5;

/// How many standard errors apart the labelled classes' means of ψ must be.
const SOUND: f64 = 3.0;

/// ψ at every α₀, with its rates.
#[derive(Clone, Debug)]
struct EfficientSweep {
    steps: Vec<AnchoredMean>,
}

impl EfficientSweep {
    fn fit(training: &Training, anchor: Anchor) -> Result<Self, Error> {
        let steps = match anchor {
            Anchor::Model => mixture_score::in_model(training, &STEPS)?,
            Anchor::Sample => mixture_score::in_sample(training.column(Reads::Balanced)?, &STEPS)?,
        };
        let sweep =
            Self { steps: steps.into_iter().filter(|step| step.best_at() == FIRST || is_sound(step)).collect() };
        let PerClass { positive, negative } = sweep.first().anchored().moments().map(|m| m.mean);
        if positive > negative {
            Ok(sweep)
        } else {
            Err(Error::NoSeparationInMean { what: "the efficient score", positive, negative })
        }
    }

    /// For two known distributions.
    fn known(separation: &Separation) -> Self {
        Self { steps: mixture_score::known(separation, &STEPS) }
    }

    fn first(&self) -> &AnchoredMean {
        &self.steps[self.nearest(FIRST)]
    }

    /// The step nearest to a prevalence, by its place.
    fn nearest(&self, alpha: f64) -> usize {
        AnchoredMean::place(&self.steps, alpha).expect("the first step is one of them")
    }
}

/// Far from ½, ψ is large for a few scores, and small labelled samples cannot tell its class means: such a step would add more
/// noise than it takes away.
fn is_sound(step: &AnchoredMean) -> bool {
    step.anchored().separated().is_none_or(|(difference, noise)| difference > SOUND * noise)
}

impl Quantify for EfficientSweep {
    fn empty(&self) -> State {
        State::Several(vec![Moments::default(); self.steps.len()])
    }

    fn push(&self, state: &mut State, values: &[f64]) -> Result<(), Error> {
        let State::Several(several) = state else { unreachable!("a tally of this quantifier") };
        self.steps.iter().zip(several).try_for_each(|(step, moments)| step.influence().push(moments, values))
    }

    fn find(&self, state: &State) -> Finding {
        let finding = |place: usize| self.steps[place].anchored().finding(&state.sampled(place));
        finding(self.nearest(finding(self.nearest(FIRST)).raw))
    }

    fn means(&self) -> &[AnchoredMean] {
        &self.steps
    }

    /// By how much the first step tells the labelled classes apart, if they anchor it.
    fn separated(&self, by_family: Option<(f64, f64)>) -> Option<(f64, f64)> {
        self.first().anchored().separated().or(by_family)
    }

    fn learnt(&self) -> Vec<(&'static str, f64)> {
        vec![("information", self.first().anchored().distance())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Normal, ScoreDistribution, SkewNormal};
    use crate::sweep::ClassMoments;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

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

    /// ∫ f over fifty standard deviations, by the trapezoidal rule, which converges at once for such bells.
    fn integral(f: impl Fn(f64) -> f64) -> f64 {
        (-100_000..100_000).map(|k| f(f64::from(k) * 5e-4) * 5e-4).sum()
    }

    fn known(separation: &Separation, alpha: f64) -> PerClass<ClassMoments> {
        *mixture_score::known(separation, &[alpha])[0].anchored().moments()
    }

    #[test]
    fn moments_are_the_integrals() {
        for separation in pairs() {
            for alpha in STEPS {
                let found = known(&separation, alpha);
                for (class, found) in [(separation.positive(), found.positive), (separation.negative(), found.negative)]
                {
                    let other = |x: f64| [separation.positive(), separation.negative()].map(|d| d.ln_pdf(x).exp());
                    let psi = |x: f64| {
                        let [p, n] = other(x);
                        if p + n > 1e-290 { (p - n) / (alpha * p + (1.0 - alpha) * n) } else { 0.0 }
                    };
                    let mean = integral(|x| psi(x) * class.ln_pdf(x).exp());
                    let square = integral(|x| psi(x).powi(2) * class.ln_pdf(x).exp());
                    assert!((found.mean - mean).abs() < 1e-11 * (1.0 + mean.abs()), "{alpha}: {} {mean}", found.mean);
                    let variance = square - mean * mean;
                    assert!((found.variance - variance).abs() < 1e-11 * (1.0 + variance), "{alpha}: {variance}");
                }
            }
        }
    }

    /// With known distributions: no bias, and the variance of the Cramér–Rao bound, as far as 4000 samples can tell.
    #[test]
    fn reaches_the_cramer_rao_bound() {
        const SETS: u32 = 4000;
        for (pair, separation) in pairs().into_iter().enumerate() {
            let sweep = EfficientSweep::known(&separation);
            for alpha in [0.1, 0.5, 0.8] {
                let mut rng = ChaCha8Rng::seed_from_u64(11);
                rng.set_stream(pair as u64);
                let (n, positives) = (500, 500.0 * alpha);
                let mut draw = |i: u32| {
                    let class = if f64::from(i) < positives { separation.positive() } else { separation.negative() };
                    separation.balanced(class.sample(&mut rng))
                };
                let errors: Vec<f64> = (0..SETS)
                    .map(|_| {
                        let balanced: Vec<f64> = (0..n).map(&mut draw).collect();
                        let mut state = sweep.empty();
                        sweep.push(&mut state, &balanced).unwrap();
                        sweep.find(&state).raw - alpha
                    })
                    .collect();
                let bias = errors.iter().sum::<f64>() / f64::from(SETS);
                let variance = errors.iter().map(|e| (e - bias).powi(2)).sum::<f64>() / f64::from(SETS);
                // 1/(nI) for a population, of which the fixed class counts take α(1−α)/n.
                let found = known(&separation, alpha);
                let information = found.positive.mean - found.negative.mean;
                let bound = (1.0 / information - alpha * (1.0 - alpha)) / f64::from(n);
                assert!(bias.abs() < 4.0 * (variance / f64::from(SETS)).sqrt() + 0.5 / f64::from(n), "{alpha}: {bias}");
                // Four Monte Carlo errors of a variance, and 3 % for the distance to the nearest step.
                let ratio = variance / bound;
                assert!((ratio - 1.0).abs() < 4.0 * (2.0 / f64::from(SETS)).sqrt() + 0.03, "{alpha}: {ratio}");
            }
        }
    }
}
