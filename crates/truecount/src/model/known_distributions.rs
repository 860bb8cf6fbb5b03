//! Quantifiers for two known distributions.

use crate::Error;
use crate::inference::IntervalOptions;
use crate::quantifier::{Estimates, Method, Quantifier, VarianceSource};
use crate::sweep::{Balanced, Separation};
use crate::training::InputKind;

/// Quantifiers for two known distributions, whose only error is the sampling of the test scores.
///
/// Continuous, Efficient and Median Sweep take the rates of the distributions, `sld` and `ml` their
/// posterior probabilities, and `dys` the exact probabilities of its bins.
///
/// # Examples
/// ```
/// use truecount::distribution::Normal;
/// use truecount::sweep::Separation;
/// use truecount::model::KnownDistributions;
/// use truecount::{IntervalOptions, Method};
/// # fn main() -> Result<(), truecount::Error> {
/// let separation = Separation::new(Normal::new(3.0, 1.0)?.into(), Normal::new(0.0, 1.0)?.into())?;
/// let known = KnownDistributions::new(&separation, &[Method::O_CS, Method::SLD], 0.5, 0.5)?;
/// for estimate in known.estimate(&[-0.3, 2.1, 0.4, 3.6, 2.8], &IntervalOptions::default())? {
///     assert!((0.5..0.7).contains(&estimate.prevalence));
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct KnownDistributions {
    ratio: Balanced,
    prior: f64,
    quantifiers: Vec<Quantifier>,
}

impl KnownDistributions {
    /// Creates quantifiers for two distributions.
    ///
    /// Posterior probabilities are at the prior, from which `sld` also starts. The optimal
    /// threshold is the one for the prevalence `optimal_at`. Both are in (0, 1).
    ///
    /// # Errors
    /// Returns [`Operation::KnownDistributions`](crate::Operation::KnownDistributions) for a method
    /// that known distributions do not define;
    /// [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) for a prior or prevalence outside
    /// (0, 1); and [`Problem::ThresholdNotReached`](crate::Problem::ThresholdNotReached) or an error of
    /// [`optimal_region`](crate::sweep::optimal_region) for a sweep without a region.
    pub fn new(separation: &Separation, methods: &[Method], prior: f64, optimal_at: f64) -> Result<Self, Error> {
        for (name, value) in [("prior", prior), ("optimal_at", optimal_at)] {
            Error::unless_in_domain(value > 0.0 && value < 1.0, (name, value), "above 0 and below 1")?;
        }
        let quantifiers = methods.iter().map(|method| Quantifier::known(*method, separation, prior, optimal_at));
        Ok(Self { ratio: Balanced::new(separation), prior, quantifiers: quantifiers.collect::<Result<_, _>>()? })
    }

    /// The quantifiers, in the order of their methods.
    pub fn quantifiers(&self) -> &[Quantifier] {
        &self.quantifiers
    }

    /// The posterior probability of each score at the prior.
    pub fn posteriors(&self, scores: &[f64]) -> Vec<f64> {
        self.posteriors_at(self.prior, scores)
    }

    fn posteriors_at(&self, prior: f64, scores: &[f64]) -> Vec<f64> {
        scores.iter().map(|x| self.ratio.posterior(prior, *x)).collect()
    }

    /// Estimates the prevalence in these test scores with every quantifier.
    ///
    /// # Errors
    /// Returns [`Problem::ScoreNotFinite`](crate::Problem::ScoreNotFinite) for a NaN or infinite score, and
    /// [`Problem::NoTestScores`](crate::Problem::NoTestScores) without scores.
    pub fn estimate(&self, scores: &[f64], options: &IntervalOptions) -> Result<Estimates, Error> {
        Error::unless_finite(scores)?;
        let reads = |input: InputKind| self.quantifiers.iter().any(|quantifier| quantifier.reads() == input);
        let balanced = if reads(InputKind::Balanced) { self.posteriors_at(0.5, scores) } else { Vec::new() };
        let posterior = if reads(InputKind::Posterior) { self.posteriors(scores) } else { Vec::new() };
        let estimate = |quantifier: &Quantifier| {
            let mut state = quantifier.empty();
            let values = match quantifier.reads() {
                InputKind::Score | InputKind::Transformed => scores,
                InputKind::Balanced => &balanced,
                InputKind::Posterior => &posterior,
            };
            quantifier.update(&mut state, values)?;
            quantifier.estimate(&state, VarianceSource::Formula, None, options)
        };
        self.quantifiers.iter().map(estimate).collect()
    }
}
