//! The score function of a mixture, ψ(s) = (f⁺ − f⁻)/(α₀ f⁺ + (1−α₀) f⁻), at a few α₀, with its rates in both classes.
//!
//! Efficient Sweep is the mean of ψ at the α₀ nearest to the prevalence; the maximum of the likelihood is, to first order, the
//! mean of ψ at the prevalence itself.

use super::anchored::LinearEstimator;
use super::anchored_mean::{AnchoredMean, MakeRates};
use crate::inference::Learning;
use crate::sweep::{Atoms, ClassMoments, Separation};
use crate::tally::InfluenceFunction;
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

/// Panels between two landmarks in the integrals of ψ.
const PANELS: u32 = 4;

/// With rates of the fitted distributions.
pub(super) fn in_model(training: &Training, alphas: &[f64]) -> Result<Vec<AnchoredMean>, Error> {
    let separation = training.separation()?;
    let labelled = training.column(InputKind::Balanced)?.clone();
    let fitted = |atoms| MixtureSource::Fitted(Learning::new(separation, atoms), labelled);
    Ok(anchored_means(Distributions::new(separation, fitted), alphas))
}

/// With rates of known distributions.
pub(super) fn known(separation: &Separation, alphas: &[f64]) -> Vec<AnchoredMean> {
    anchored_means(Distributions::new(separation, MixtureSource::Known), alphas)
}

fn anchored_means(distributions: Distributions, alphas: &[f64]) -> Vec<AnchoredMean> {
    let distributions: Arc<dyn MakeRates> = Arc::new(distributions);
    let at = |&alpha: &f64| {
        AnchoredMean::later(alpha, InfluenceFunction::MixtureScore { alpha }, Arc::clone(&distributions))
    };
    alphas.iter().map(at).collect()
}

/// With rates of labelled scores: their balanced probabilities.
pub(super) fn in_sample(balanced: &PerClass<Vec<f64>>, alphas: &[f64]) -> Result<Vec<AnchoredMean>, Error> {
    let at = |&alpha: &f64| {
        let influence = InfluenceFunction::MixtureScore { alpha };
        let anchored = LinearEstimator::in_sample(&influence, balanced)?;
        Ok(AnchoredMean::new(alpha, influence, anchored))
    };
    alphas.iter().map(at).collect()
}

/// Both classes' distributions at atoms.
#[derive(Debug)]
struct Distributions {
    /// u = f⁺/(f⁺ + f⁻) at the atoms.
    balanced: Vec<f64>,
    origin: MixtureSource,
}

#[derive(Debug)]
enum MixtureSource {
    Known(Atoms),
    /// Fitted to labelled scores, of which these are u.
    Fitted(Learning, PerClass<Vec<f64>>),
}

impl Distributions {
    fn new(separation: &Separation, origin: impl FnOnce(Atoms) -> MixtureSource) -> Self {
        let atoms = Atoms::new(separation, &[], PANELS);
        let balanced = atoms.scores().iter().map(|x| separation.balanced(*x)).collect();
        Self { balanced, origin: origin(atoms) }
    }
}

impl MakeRates for Distributions {
    fn rates(&self, alpha: f64, influence: &InfluenceFunction) -> LinearEstimator {
        let psi: Vec<f64> = self.balanced.iter().map(|u| influence.value(*u)).collect();
        match &self.origin {
            MixtureSource::Known(atoms) => LinearEstimator::known(moments(atoms, &psi, alpha)),
            MixtureSource::Fitted(learning, labelled) => LinearEstimator::in_model(
                moments(learning.atoms(), &psi, alpha),
                learning.project(&psi),
                labelled.sizes(),
            )
            .beside(influence, labelled),
        }
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
