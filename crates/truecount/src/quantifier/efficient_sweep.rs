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

use super::anchored::{Anchor, Anchored};
use super::influence::Influence;
use super::{Finding, Moments, Quantify, Tally};
use crate::numeric::legendre::RULE;
use crate::sweep::{ClassMoments, Separation};
use crate::training::{Column, Training};
use crate::{Error, PerClass};

/// The α₀ of the second step; the first is ½. Evenly apart in log odds, roughly: at the nearest one the variance is within
/// about 2 % of the bound.
const STEPS: [f64; 11] = [0.03, 0.06, 0.11, 0.2, 0.35, FIRST, 0.65, 0.8, 0.89, 0.94, 0.97];
const FIRST: f64 = 0.5;

/// How many standard errors apart the labelled classes' means of ψ must be.
const SOUND: f64 = 3.0;

/// Panels between two landmarks in the integrals of ψ.
const PANELS: u32 = 4;

/// ψ at every α₀, with its rates.
#[derive(Clone, Debug)]
pub(super) struct EfficientSweep {
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    alpha: f64,
    influence: Influence,
    anchored: Anchored,
}

impl EfficientSweep {
    pub(super) fn fit(training: &Training, anchor: Anchor) -> Result<Self, Error> {
        let steps = match anchor {
            Anchor::Model => Self::in_model(training.separation()?),
            Anchor::Sample => {
                let balanced = training.column(Column::Balanced)?;
                let step = |alpha| {
                    let influence = Influence::MixtureScore { alpha };
                    Ok(Step { alpha, anchored: Anchored::in_sample(&influence, balanced)?, influence })
                };
                STEPS.into_iter().map(step).collect::<Result<Vec<_>, Error>>()?
            }
        };
        let sweep = Self { steps: steps.into_iter().filter(|step| step.alpha == FIRST || step.is_sound()).collect() };
        let PerClass { positive, negative } = sweep.first().anchored.moments().map(|m| m.mean);
        if positive > negative {
            Ok(sweep)
        } else {
            Err(Error::NoSeparationInMean { what: "the efficient score", positive, negative })
        }
    }

    fn in_model(separation: &Separation) -> Vec<Step> {
        let atoms = atoms(separation);
        let step = |alpha| {
            let influence = Influence::MixtureScore { alpha };
            Step { alpha, anchored: Anchored::in_model(moments(&atoms, &influence, alpha)), influence }
        };
        STEPS.into_iter().map(step).collect()
    }

    /// By how much the first step tells the labelled classes apart, and the standard error of that; none in the model.
    pub(super) fn separated(&self) -> Option<(f64, f64)> {
        self.first().anchored.separated()
    }

    fn first(&self) -> &Step {
        self.steps.iter().find(|step| step.alpha == FIRST).expect("the first step is one of them")
    }
}

impl Step {
    /// Far from ½, ψ is large for a few scores, and small labelled samples cannot tell its class means: such a step would add more
    /// noise than it takes away.
    fn is_sound(&self) -> bool {
        self.anchored.separated().is_none_or(|(difference, noise)| difference > SOUND * noise)
    }
}

/// E±ψ and Var±ψ under the fitted distributions. E₊ψ = (1−α₀) I and E₋ψ = −α₀ I, since the mixture's mean is 0.
fn moments(atoms: &[Atom], influence: &Influence, alpha: f64) -> PerClass<ClassMoments> {
    let psi = |atom: &Atom| influence.value(atom.balanced);
    let information: f64 = atoms.iter().map(|atom| psi(atom) * (atom.mass.positive - atom.mass.negative)).sum();
    let of = |mean: f64, mass: fn(&Atom) -> f64| ClassMoments {
        mean,
        variance: atoms.iter().map(|atom| (psi(atom) - mean).powi(2) * mass(atom)).sum(),
    };
    PerClass {
        positive: of((1.0 - alpha) * information, |atom| atom.mass.positive),
        negative: of(-alpha * information, |atom| atom.mass.negative),
    }
}

/// A point of quadrature: u there, on which every ψ rests, and the mass each class has.
struct Atom {
    balanced: f64,
    mass: PerClass<f64>,
}

/// Nodes between the landmarks; what little lies beyond the outer landmarks counts with them. (Of a beta distribution it need not be
/// little: no double is nearer to 1.)
fn atoms(separation: &Separation) -> Vec<Atom> {
    let classes = PerClass { positive: separation.positive(), negative: separation.negative() };
    let landmarks = separation.landmarks();
    let (first, last) = (landmarks[0], landmarks[landmarks.len() - 1]);
    let mut atoms = vec![
        Atom { balanced: separation.balanced(first), mass: classes.map(|class| class.tails(first).0) },
        Atom { balanced: separation.balanced(last), mass: classes.map(|class| class.tails(last).1) },
    ];
    for pair in landmarks.windows(2) {
        let half = 0.5 * (pair[1] - pair[0]) / f64::from(PANELS);
        for panel in 0..PANELS {
            let middle = pair[0] + (2.0 * f64::from(panel) + 1.0) * half;
            atoms.extend(RULE.node.iter().zip(RULE.weight).map(|(t, weight)| {
                let x = middle + half * t;
                let mass = classes.map(|class| weight * half * class.ln_pdf(x).exp());
                Atom { balanced: separation.balanced(x), mass }
            }));
        }
    }
    atoms
}

impl Quantify for EfficientSweep {
    fn column(&self) -> Column {
        Column::Balanced
    }

    fn tally(&self) -> Tally {
        Tally::Several(vec![Moments::default(); self.steps.len()])
    }

    fn push(&self, tally: &mut Tally, values: &[f64]) -> Result<(), Error> {
        let Tally::Several(several) = tally else { unreachable!("a tally of this quantifier") };
        self.steps.iter().zip(several).try_for_each(|(step, moments)| step.influence.push(moments, values))
    }

    fn find(&self, tally: &Tally) -> Finding {
        let Tally::Several(several) = tally else { unreachable!("a tally of this quantifier") };
        let nearest = |alpha: f64| {
            let distance = |step: &Step| (step.alpha - alpha).abs();
            let steps = self.steps.iter().zip(several);
            steps.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0))).expect("there are steps")
        };
        let finding = |(step, moments): (&Step, &Moments)| step.anchored.finding(moments.mean(), moments.n());
        finding(nearest(finding(nearest(FIRST)).raw))
    }

    fn variance_of(&self) -> Option<&'static str> {
        self.steps.first().map(|step| step.anchored.variance_of())
    }

    fn learnt(&self) -> Vec<(&'static str, f64)> {
        vec![("information", self.first().anchored.distance())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Normal, ScoreDistribution, SkewNormal};
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
        moments(&atoms(separation), &Influence::MixtureScore { alpha }, alpha)
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
            let sweep = EfficientSweep { steps: EfficientSweep::in_model(&separation) };
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
                        let mut tally = sweep.tally();
                        sweep.push(&mut tally, &balanced).unwrap();
                        sweep.find(&tally).raw - alpha
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
