//! The score function of a mixture, ψ(s) = (f⁺ − f⁻)/(α₀ f⁺ + (1−α₀) f⁻), at a few α₀, with its rates in both classes.
//!
//! Efficient Sweep is the mean of ψ at the α₀ nearest to the prevalence; the maximum of the likelihood is, to first order, the
//! mean of ψ at the prevalence itself.

use super::anchored::Anchored;
use super::influence::Influence;
use crate::inference::Learning;
use crate::sweep::{Atoms, ClassMoments, Separation};
use crate::training::Training;
use crate::{Error, PerClass};

/// Panels between two landmarks in the integrals of ψ.
const PANELS: u32 = 4;

/// ψ at one α₀.
#[derive(Clone, Debug)]
pub(super) struct MixtureScore {
    pub(super) alpha: f64,
    pub(super) influence: Influence,
    pub(super) anchored: Anchored,
}

impl MixtureScore {
    /// With rates of the fitted distributions.
    pub(super) fn in_model(training: &Training, alphas: &[f64]) -> Result<Vec<Self>, Error> {
        let separation = training.separation()?;
        let learning = Learning::new(separation, Atoms::new(separation, &[], PANELS));
        let balanced: Vec<f64> = learning.atoms().scores().iter().map(|x| separation.balanced(*x)).collect();
        let at = |&alpha: &f64| {
            let influence = Influence::MixtureScore { alpha };
            let psi: Vec<f64> = balanced.iter().map(|u| influence.value(*u)).collect();
            let moments = moments(learning.atoms(), &psi, alpha);
            let anchored = Anchored::in_model(moments, learning.of(&psi), training.sizes());
            Self { alpha, influence, anchored }
        };
        Ok(alphas.iter().map(at).collect())
    }

    /// With rates of known distributions.
    pub(super) fn known(separation: &Separation, alphas: &[f64]) -> Vec<Self> {
        let atoms = Atoms::new(separation, &[], PANELS);
        let balanced: Vec<f64> = atoms.scores().iter().map(|x| separation.balanced(*x)).collect();
        let at = |&alpha: &f64| {
            let influence = Influence::MixtureScore { alpha };
            let psi: Vec<f64> = balanced.iter().map(|u| influence.value(*u)).collect();
            Self { alpha, influence, anchored: Anchored::known(moments(&atoms, &psi, alpha)) }
        };
        alphas.iter().map(at).collect()
    }

    /// With rates of labelled scores: their balanced probabilities.
    pub(super) fn in_sample(balanced: &PerClass<Vec<f64>>, alphas: &[f64]) -> Result<Vec<Self>, Error> {
        let at = |&alpha: &f64| {
            let influence = Influence::MixtureScore { alpha };
            Ok(Self { alpha, anchored: Anchored::in_sample(&influence, balanced)?, influence })
        };
        alphas.iter().map(at).collect()
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
