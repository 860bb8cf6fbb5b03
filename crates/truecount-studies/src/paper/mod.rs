//! The simulation studies of Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous Sweep for Binary Quantification
//! Learning*.
//!
//! [`KnownParameters`] is Study 1, [`EstimatedParameters`] Study 2, [`Misfit`] Study 3; [`Emulated`] is the LeQua
//! application on data drawn from the distributions fitted to it. As in the paper, errors are those of the raw
//! estimates, not clipped to [0, 1]. The paper's text calls its measure RMSE, but the analysis behind its figures
//! averages √(e²), which is the MAE: both are computed here.
//!
//! A method may have no estimate in a replication, for instance with the threshold ¼ if the fitted J never reaches it;
//! its errors are then those of the other replications. That flatters the method, since these are the easier ones; the
//! paper does not say what it does, but its counts are reproduced this way. Where it matters, claims are also counted
//! over the replications in which both methods have estimates.

mod claim;
mod errors;
mod estimated;
mod figure;
mod known;
mod lequa;
mod misfit;

pub use claim::{Answer, ArmSummary, Claim, Exception, Over, Summary, summarise};
pub use errors::{Errors, Measure};
pub use estimated::EstimatedParameters;
pub use figure::figure;
pub use known::KnownParameters;
pub use lequa::{Emulated, EmulatedRow};
pub use misfit::Misfit;

use crate::{Outcome, Study};
use truecount::distribution::Family;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::Separation;
use truecount::{Class, Error, Estimate, Estimates, Known, LabelledScores, Method, Reporting};

/// A study whose arms are compared by their errors; the first one is the paper's O-CS.
pub trait Paper: Study<Statistics = Errors> {
    /// The study's title.
    const TITLE: &'static str;

    /// The paper's claims about it.
    const CLAIMS: &'static [Claim];

    /// The part of the study that a setting belongs to, if there are several; the settings of a part are adjacent.
    fn part(_: &Self::Setting) -> String {
        String::new()
    }
}

/// Continuous Sweep with fitted distributions.
fn sweep(fit: &Result<Separation, Error>, threshold: Threshold, scores: &[f64]) -> Result<Estimate, Error> {
    let separation = fit.as_ref().map_err(Error::clone)?;
    ContinuousSweep::new(separation, threshold)?.estimate(scores, &Reporting::default())
}

/// Efficient Sweep and SLD with fitted distributions.
fn likely(fit: &Result<Separation, Error>, prior: f64, scores: &[f64]) -> Vec<Result<Estimate, Error>> {
    let methods = [Method::ES, Method::SLD];
    let known = fit.as_ref().map_err(Error::clone).and_then(|separation| Known::new(separation, &methods, prior, 0.5));
    each(methods.len(), known.and_then(|known| known.estimate(scores, &Reporting::default())))
}

/// The classes' distributions fitted to the labelled scores.
fn separation(family: Family, train: &LabelledScores) -> Result<Separation, Error> {
    let positive = family.fit(Class::Positive, train.positive())?;
    Separation::new(positive, family.fit(Class::Negative, train.negative())?)
}

/// The results of several methods computed at once: either each has its estimate, or none has.
fn each(methods: usize, found: Result<Estimates, Error>) -> Vec<Result<Estimate, Error>> {
    match found {
        Ok(estimates) => estimates.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error); methods],
    }
}

/// One outcome for every arm.
fn outcomes(truth: f64, found: Vec<Result<Estimate, Error>>) -> Vec<Outcome> {
    found.into_iter().map(|found| Outcome { truth, found }).collect()
}
