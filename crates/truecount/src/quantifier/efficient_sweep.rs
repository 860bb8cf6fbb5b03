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
//! sample, E±ψ are means over the labelled scores, and a wrong family costs efficiency but no bias.

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
        let separation = training.separation()?;
        let balanced = training.column(Column::Balanced)?;
        let step = |alpha: f64| {
            let influence = Influence::MixtureScore { alpha };
            let anchored = match anchor {
                Anchor::Model => Anchored::in_model(moments(separation, alpha)),
                Anchor::Sample => Anchored::in_sample(&influence, balanced)?,
            };
            if anchored.distance() > 0.0 {
                Ok(Step { alpha, influence, anchored })
            } else {
                Err(Error::NoSeparation { max_j: separation.max_j() })
            }
        };
        Ok(Self { steps: STEPS.into_iter().map(step).collect::<Result<_, Error>>()? })
    }
}

/// E±ψ and Var±ψ under the fitted distributions. E₊ψ = (1−α₀) I and E₋ψ = −α₀ I, since the mixture's mean is 0.
fn moments(separation: &Separation, alpha: f64) -> PerClass<ClassMoments> {
    let influence = Influence::MixtureScore { alpha };
    let (mut information, mut squares) = (0.0, PerClass { positive: 0.0, negative: 0.0 });
    for pair in separation.landmarks().windows(2) {
        let half = 0.5 * (pair[1] - pair[0]) / f64::from(PANELS);
        for panel in 0..PANELS {
            let middle = pair[0] + (2.0 * f64::from(panel) + 1.0) * half;
            for (t, weight) in RULE.node.iter().zip(RULE.weight) {
                let x = middle + half * t;
                let density = [separation.positive(), separation.negative()].map(|class| class.ln_pdf(x).exp());
                let psi = influence.value(separation.balanced(x));
                let weighted = density.map(|f| weight * half * f);
                information += psi * (weighted[0] - weighted[1]);
                squares.positive += psi * psi * weighted[0];
                squares.negative += psi * psi * weighted[1];
            }
        }
    }
    let of = |mean: f64, square: f64| ClassMoments { mean, variance: (square - mean * mean).max(0.0) };
    PerClass {
        positive: of((1.0 - alpha) * information, squares.positive),
        negative: of(-alpha * information, squares.negative),
    }
}

impl Quantify for EfficientSweep {
    fn column(&self) -> Column {
        Column::Balanced
    }

    fn tally(&self) -> Tally {
        Tally::Several(vec![Moments::default(); STEPS.len()])
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
        let information = |step: &Step| step.anchored.distance();
        let first = self.steps.iter().find(|step| step.alpha == FIRST).expect("the first step is one of them");
        vec![("information", information(first))]
    }
}
