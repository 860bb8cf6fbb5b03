//! The simulation studies of Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous Sweep for Binary Quantification Learning*.
//!
//! [`KnownParameters`] is Study 1, [`EstimatedParameters`] Study 2, [`Misfit`] Study 3; [`Emulated`] is the LeQua application on data
//! drawn from the distributions that were fitted to it. Errors are those of the estimates as they are defined, not kept inside
//! [0, 1], as in the paper. Where a method has no estimate, as one with the threshold ¼ where the fitted J is nowhere as large, its
//! errors are those of the other replications: the paper does not say what it does with them, but its counts come out so. Its text calls its measure RMSE, but the analysis behind its figures averages √(e²), which is the MAE:
//! both are here.

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
use truecount::{Batch, Class, Error, Estimate, LabelledScores, Method, Model, Reporting, Settings};

/// A study whose arms are compared by their errors; the first one is the paper's O-CS.
pub trait Paper: Study<Statistics = Errors> {
    /// What it is, for a title.
    const TITLE: &'static str;

    /// What the paper says of it.
    const CLAIMS: &'static [Claim];

    /// The part of the study that a setting belongs to, where there are several; its settings stand together.
    fn part(_: &Self::Setting) -> String {
        String::new()
    }
}

/// Continuous Sweep between fitted distributions.
fn sweep(separation: &Separation, threshold: Threshold, scores: &[f64]) -> Result<Estimate, Error> {
    ContinuousSweep::new(separation, threshold)?.linear().estimate(scores, &Reporting::default())
}

/// The estimate of every method fitted to the labelled scores, or why there is none.
///
/// # Errors
/// Where no method is possible.
fn fitted<const N: usize>(
    train: &LabelledScores,
    methods: &[Method; N],
    test: Batch,
) -> Result<[Result<Estimate, Error>; N], Error> {
    let (model, refused) = Model::fit_possible(train, &Settings { methods: methods.to_vec(), ..Settings::default() })?;
    let mut possible = model.estimate(test, &Reporting::default())?.into_iter();
    Ok(methods.each_ref().map(|method| match refused.iter().find(|(refused, _)| refused == method) {
        None => Ok(possible.next().expect("an estimate of every method that is possible")),
        Some((_, error)) => Err(error.clone()),
    }))
}

/// The classes' distributions fitted to the labelled scores.
fn separation(family: Family, train: &LabelledScores) -> Result<Separation, Error> {
    let positive = family.fit(Class::Positive, train.positive())?;
    Separation::new(positive, family.fit(Class::Negative, train.negative())?)
}

/// One outcome for every arm; none has an estimate if there cannot be any.
fn outcomes(truth: f64, arms: usize, found: Result<Vec<Result<Estimate, Error>>, Error>) -> Vec<Outcome> {
    let found = found.unwrap_or_else(|error| vec![Err(error); arms]);
    found.into_iter().map(|found| Outcome { truth, found }).collect()
}
