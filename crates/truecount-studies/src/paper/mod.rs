//! The simulation studies of Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous Sweep for Binary Quantification Learning*.
//!
//! [`KnownParameters`] is Study 1, [`EstimatedParameters`] Study 2, [`Misfit`] Study 3; [`Emulated`] is the LeQua application on data
//! drawn from the distributions that were fitted to it. Errors are those of the estimates as they are defined, not kept inside
//! [0, 1], as in the paper; its text calls its measure RMSE, but the analysis behind its figures averages √(e²), which is the MAE:
//! both are here.

mod claim;
mod errors;
mod estimated;
mod figure;
mod known;
mod lequa;
mod misfit;

pub use claim::{Answer, ArmSummary, Claim, Exception, Summary, summarise};
pub use errors::{Errors, Measure};
pub use estimated::EstimatedParameters;
pub use figure::figure;
pub use known::KnownParameters;
pub use lequa::{Emulated, EmulatedRow};
pub use misfit::Misfit;

use crate::{Outcome, Study};
use truecount::distribution::Family;
use truecount::quantifier::{ContinuousSweep, Criterion, Threshold};
use truecount::sweep::Separation;
use truecount::{Batch, Class, Error, Estimate, LabelledScores, Method, Model, Reporting, Settings, Warning};

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

/// Continuous Sweep between fitted distributions, or, where they nowhere differ by the threshold, what it comes down to as the
/// threshold rises to the largest difference: Adjusted Count there.
fn sweep(separation: &Separation, threshold: Threshold, scores: &[f64]) -> Result<Estimate, Error> {
    match ContinuousSweep::new(separation, threshold) {
        Ok(sweep) => sweep.linear().estimate(scores, &Reporting::default()),
        Err(Error::ThresholdNotReached { threshold, .. }) => {
            let cut = separation.theta_max();
            let count = scores.iter().filter(|score| **score >= cut).count() as f64 / scores.len() as f64;
            let raw = (count - separation.negative().tails(cut).1) / separation.max_j();
            Ok(Estimate {
                n: scores.len() as u64,
                effective_n: None,
                prevalence: raw.clamp(0.0, 1.0),
                raw,
                uncertainty: None,
                level: Reporting::default().level(),
                warnings: vec![Warning::NoThreshold { threshold }],
            })
        }
        Err(other) => Err(other),
    }
}

/// The estimate of every method fitted to the labelled scores, or why there is none. Median Sweep, where the rates of the labelled
/// scores nowhere differ by its threshold, is Adjusted Count where they differ most.
///
/// # Errors
/// Where no method is possible.
fn fitted<const N: usize>(
    train: &LabelledScores,
    methods: &[Method; N],
    test: Batch,
) -> Result<[Result<Estimate, Error>; N], Error> {
    let settings = |methods: &[Method]| Settings { methods: methods.to_vec(), ..Settings::default() };
    let (model, refused) = Model::fit_possible(train, &settings(methods))?;
    let mut possible = model.estimate(test, &Reporting::default())?.into_iter();
    let each = |method: &Method| match refused.iter().find(|(refused, _)| refused == method) {
        None => Ok(possible.next().expect("an estimate of every method that is possible")),
        Some((Method::MedianSweep, Error::ThresholdNotReached { threshold, .. })) => {
            let largest = Model::fit(train, &settings(&[Method::ChosenCut(Criterion::LargestDifference)]))?;
            let count = largest.estimate(test, &Reporting::default())?.remove(0);
            Ok(Estimate { warnings: vec![Warning::NoThreshold { threshold: *threshold }], ..count })
        }
        Some((_, error)) => Err(error.clone()),
    };
    Ok(methods.each_ref().map(each))
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
