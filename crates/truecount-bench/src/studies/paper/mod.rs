//! The simulation studies of Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous Sweep for
//! Binary Quantification Learning*.
//!
//! [`known`] is Study 1, [`estimated`] Study 2, [`misfit`] Study 3; [`lequa`] is the LeQua
//! application on data drawn from the fitted distributions. As in the paper, errors are those of
//! the raw estimates, not clipped to [0, 1]. The paper's text calls its measure RMSE, but the
//! analysis behind its figures averages √(e²), which is the MAE: both are computed here.
//!
//! A method may have no estimate in a replication, for instance if the fitted J never reaches the threshold ¼. Its
//! errors then come from the other replications, which are the easier ones. That favours the method. The paper does not
//! describe this case, but its counts are reproduced this way. Where it matters, claims are also counted over the
//! replications in which both methods have estimates.

mod claims;
mod errors;
pub mod estimated;
pub mod known;
pub mod lequa;
pub mod misfit;
mod summary;

pub use claims::{Claim, ClaimCount, Replications};
pub use errors::ErrorMeasure;

use super::samples::{draw, each_arm, labels, normal};
use super::{ArmOutcome, Study};
use rand_chacha::ChaCha8Rng;
use truecount::distribution::{Family, ScoreDistribution};
use truecount::model::KnownDistributions;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::scores::{Class, PerClass};
use truecount::sweep::Separation;
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method};

/// A study whose arms are compared by their errors; the first arm is the paper's O-CS.
pub trait PaperStudy: Study<Outcome = ArmOutcome> {
    /// The study's title.
    const TITLE: &'static str;

    /// The paper's claims about the study.
    const CLAIMS: &'static [Claim];

    /// Returns the part of the study that a setting belongs to; empty for a study without parts.
    /// The settings of a part are adjacent.
    fn part(_: &Self::Setting) -> String {
        String::new()
    }
}

/// The methods that are fitted in one model, and so share one optimal threshold.
const FITTED: [Method; 6] = [Method::O_CS, Method::O_MS, Method::T_MS, Method::DYS, Method::SLD, Method::ES];

/// Returns normal classes with means 1 and 0.
fn normal_classes(sd_pos: f64, sd_neg: f64) -> PerClass<ScoreDistribution> {
    PerClass { positive: normal(1.0, sd_pos), negative: normal(0.0, sd_neg) }
}

fn separation(classes: &PerClass<ScoreDistribution>) -> Separation {
    let PerClass { positive, negative } = classes.clone();
    Separation::new(positive, negative).expect("classes of the design differ")
}

/// The true classes, and their posterior probabilities at the training prevalence.
#[derive(Debug)]
pub struct TrueClasses {
    classes: PerClass<ScoreDistribution>,
    posteriors: KnownDistributions,
}

impl TrueClasses {
    fn new(classes: PerClass<ScoreDistribution>, alpha_train: f64) -> Self {
        let posteriors =
            KnownDistributions::new(&separation(&classes), &[], alpha_train, 0.5).expect("a share of the design");
        Self { classes, posteriors }
    }

    /// Draws n scores with exactly this share of positives.
    fn draw(&self, n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
        draw(&self.classes, n, share, rng)
    }

    /// Labels scores that were drawn with this share of positives, and adds their posterior probabilities.
    fn labelled(&self, scores: &[f64], n: u32, share: f64) -> Result<LabelledScores, Error> {
        LabelledScores::builder(scores, &labels(n, share)).probabilities(&self.posteriors.posteriors(scores)).build()
    }
}

/// Returns the estimate of Continuous Sweep with fitted distributions.
fn sweep(fit: &Result<Separation, Error>, threshold: Threshold, scores: &[f64]) -> Result<Estimate, Error> {
    let separation = fit.as_ref().map_err(Error::clone)?;
    ContinuousSweep::new(separation, threshold)?.estimate(scores, &IntervalOptions::default())
}

/// Returns the estimates of Efficient Sweep and SLD with fitted distributions.
fn likelihood_methods(fit: &Result<Separation, Error>, prior: f64, scores: &[f64]) -> Vec<Result<Estimate, Error>> {
    let methods = [Method::ES, Method::SLD];
    let known = fit
        .as_ref()
        .map_err(Error::clone)
        .and_then(|separation| KnownDistributions::new(separation, &methods, prior, 0.5));
    each_arm(methods.len(), known.and_then(|known| known.estimate(scores, &IntervalOptions::default())))
}

fn fit_separation(family: Family, train: &LabelledScores) -> Result<Separation, Error> {
    let positive = family.fit(Class::Positive, train.positive())?;
    Separation::new(positive, family.fit(Class::Negative, train.negative())?)
}
