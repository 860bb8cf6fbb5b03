//! The score function of a mixture, ψ(s) = (f⁺ − f⁻)/(q f⁺ + (1−q) f⁻), at a few q, with its
//! class means.
//!
//! Efficient Sweep with the rates of a family is the mean of ψ at the q nearest to the prevalence. The
//! maximum of the likelihood is, to first order, the mean of ψ at the prevalence itself.

use super::anchored::LinearEstimator;
use super::anchored_mean::{EstimatorFactory, InfluenceMean};
use crate::inference::TangentSpaces;
use crate::sweep::{Atoms, ClassMoments, Separation};
use crate::tally::InfluenceFunction;
use crate::training::{InputKind, Training};
use crate::{Error, PerClass};
use std::sync::Arc;

/// The number of panels between two landmarks in the integrals of ψ.
const PANELS: u32 = 4;

/// Returns ψ at every q with rates of the fitted distributions.
///
/// # Errors
/// Returns an error if the distributions cannot be fitted.
pub(super) fn with_model_rates(training: &Training, alphas: &[f64]) -> Result<Vec<InfluenceMean>, Error> {
    let separation = training.separation()?;
    let labelled = training.column(InputKind::Balanced)?.clone();
    let fitted = |atoms| AtomMasses::Fitted(TangentSpaces::new(separation, atoms), labelled);
    Ok(anchored_means(Distributions::new(separation, fitted), alphas))
}

/// Returns ψ at every q with rates of known distributions.
pub(super) fn with_known_rates(separation: &Separation, alphas: &[f64]) -> Vec<InfluenceMean> {
    anchored_means(Distributions::new(separation, AtomMasses::Known), alphas)
}

fn anchored_means(distributions: Distributions, alphas: &[f64]) -> Vec<InfluenceMean> {
    let factory: Arc<dyn EstimatorFactory> = Arc::new(distributions);
    let mean =
        |&alpha: &f64| InfluenceMean::lazy(alpha, InfluenceFunction::MixtureScore { alpha }, Arc::clone(&factory));
    alphas.iter().map(mean).collect()
}

/// Returns ψ at every q with rates of labelled scores, whose u = f⁺/(f⁺ + f⁻) are `balanced`.
///
/// # Errors
/// Returns an error if a value of `balanced` is not finite.
pub(super) fn with_sample_rates(balanced: &PerClass<Vec<f64>>, alphas: &[f64]) -> Result<Vec<InfluenceMean>, Error> {
    let mean = |&alpha: &f64| {
        let influence = InfluenceFunction::MixtureScore { alpha };
        let estimator = LinearEstimator::with_sample_rates(&influence, balanced)?;
        Ok(InfluenceMean::new(alpha, influence, estimator))
    };
    alphas.iter().map(mean).collect()
}

/// The distributions of both classes on a grid of atoms.
#[derive(Debug)]
struct Distributions {
    /// u = f⁺/(f⁺ + f⁻) at the atoms.
    balanced: Vec<f64>,
    masses: AtomMasses,
}

#[derive(Debug)]
enum AtomMasses {
    Known(Atoms),
    /// Fitted to labelled scores; their u is the second field.
    Fitted(TangentSpaces, PerClass<Vec<f64>>),
}

impl Distributions {
    fn new(separation: &Separation, masses: impl FnOnce(Atoms) -> AtomMasses) -> Self {
        let atoms = Atoms::new(separation, &[], PANELS);
        let balanced = atoms.scores().iter().map(|x| separation.balanced(*x)).collect();
        Self { balanced, masses: masses(atoms) }
    }
}

impl EstimatorFactory for Distributions {
    fn estimator(&self, alpha: f64, influence: &InfluenceFunction) -> LinearEstimator {
        let psi: Vec<f64> = self.balanced.iter().map(|u| influence.value(*u)).collect();
        match &self.masses {
            AtomMasses::Known(atoms) => LinearEstimator::with_known_rates(moments(atoms, &psi, alpha)),
            AtomMasses::Fitted(learning, labelled) => LinearEstimator::with_model_rates(
                moments(learning.atoms(), &psi, alpha),
                learning.project(&psi),
                labelled.sizes(),
            )
            .with_misfit(influence, labelled),
        }
    }
}

/// Returns E±ψ and Var±ψ under the distributions. The mean of ψ over the mixture is 0, so that E₊ψ
/// = (1−q) I and E₋ψ = −q I.
fn moments(atoms: &Atoms, psi: &[f64], alpha: f64) -> PerClass<ClassMoments> {
    let PerClass { positive, negative } = atoms.moments(psi);
    let information = positive.mean - negative.mean;
    PerClass {
        positive: ClassMoments { mean: (1.0 - alpha) * information, ..positive },
        negative: ClassMoments { mean: -alpha * information, ..negative },
    }
}
