//! The score function of a mixture, ψ(s) = (f⁺ − f⁻)/(α₀ f⁺ + (1−α₀) f⁻), at a few α₀, with its rates in both classes.
//!
//! Efficient Sweep is the mean of ψ at the α₀ nearest to the prevalence; the maximum of the likelihood is, to first order, the
//! mean of ψ at the prevalence itself.

use super::anchored::Anchored;
use crate::inference::Learning;
use crate::sweep::{Atoms, ClassMoments, Separation};
use crate::tally::Influence;
use crate::training::Training;
use crate::{Error, PerClass};
use std::sync::{Arc, OnceLock};

/// Panels between two landmarks in the integrals of ψ.
const PANELS: u32 = 4;

/// ψ at one α₀.
#[derive(Clone, Debug)]
pub(super) struct MixtureScore {
    pub(super) alpha: f64,
    pub(super) influence: Influence,
    rates: Rates,
}

#[derive(Clone, Debug)]
enum Rates {
    Sample(Anchored),
    /// Made when first asked for: an estimate asks at one or two of the α₀.
    Model(Arc<Distributions>, OnceLock<Anchored>),
}

/// Both classes' distributions at atoms.
#[derive(Debug)]
struct Distributions {
    /// u = f⁺/(f⁺ + f⁻) at the atoms.
    balanced: Vec<f64>,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Known(Atoms),
    /// Fitted to so many labelled scores.
    Fitted(Learning, PerClass<u64>),
}

impl Distributions {
    fn new(separation: &Separation, origin: impl FnOnce(Atoms) -> Origin) -> Self {
        let atoms = Atoms::new(separation, &[], PANELS);
        let balanced = atoms.scores().iter().map(|x| separation.balanced(*x)).collect();
        Self { balanced, origin: origin(atoms) }
    }

    fn anchored(&self, alpha: f64, influence: &Influence) -> Anchored {
        let psi: Vec<f64> = self.balanced.iter().map(|u| influence.value(*u)).collect();
        match &self.origin {
            Origin::Known(atoms) => Anchored::known(moments(atoms, &psi, alpha)),
            Origin::Fitted(learning, labelled) => {
                Anchored::in_model(moments(learning.atoms(), &psi, alpha), learning.of(&psi), *labelled)
            }
        }
    }
}

impl MixtureScore {
    /// With rates of the fitted distributions.
    pub(super) fn in_model(training: &Training, alphas: &[f64]) -> Result<Vec<Self>, Error> {
        let separation = training.separation()?;
        let fitted = |atoms| Origin::Fitted(Learning::new(separation, atoms), training.sizes());
        Ok(Self::of(Distributions::new(separation, fitted), alphas))
    }

    /// With rates of known distributions.
    pub(super) fn known(separation: &Separation, alphas: &[f64]) -> Vec<Self> {
        Self::of(Distributions::new(separation, Origin::Known), alphas)
    }

    fn of(distributions: Distributions, alphas: &[f64]) -> Vec<Self> {
        let distributions = Arc::new(distributions);
        let at = |&alpha: &f64| {
            let rates = Rates::Model(Arc::clone(&distributions), OnceLock::new());
            Self { alpha, influence: Influence::MixtureScore { alpha }, rates }
        };
        alphas.iter().map(at).collect()
    }

    /// With rates of labelled scores: their balanced probabilities.
    pub(super) fn in_sample(balanced: &PerClass<Vec<f64>>, alphas: &[f64]) -> Result<Vec<Self>, Error> {
        let at = |&alpha: &f64| {
            let influence = Influence::MixtureScore { alpha };
            Ok(Self { alpha, rates: Rates::Sample(Anchored::in_sample(&influence, balanced)?), influence })
        };
        alphas.iter().map(at).collect()
    }

    /// Where its rates come from, with what is known of their uncertainty.
    pub(super) fn anchored(&self) -> &Anchored {
        match &self.rates {
            Rates::Sample(anchored) => anchored,
            Rates::Model(distributions, made) => {
                made.get_or_init(|| distributions.anchored(self.alpha, &self.influence))
            }
        }
    }

    /// The place of the one whose α₀ is nearest to a prevalence, the first of equals.
    pub(super) fn nearest(scores: &[Self], alpha: f64) -> usize {
        let distance = |place: &usize| (scores[*place].alpha - alpha).abs();
        (0..scores.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("there are score functions")
    }
}

/// E±ψ and Var±ψ under the fitted distributions. E₊ψ = (1−α₀) I and E₋ψ = −α₀ I, since the mixture's mean is 0.
fn moments(atoms: &Atoms, psi: &[f64], alpha: f64) -> PerClass<ClassMoments> {
    let PerClass { positive, negative } = atoms.moments(psi);
    let information = positive.mean - negative.mean;
    PerClass {
        positive: ClassMoments { mean: (1.0 - alpha) * information, ..positive },
        negative: ClassMoments { mean: -alpha * information, ..negative },
    }
}
