//! Reproducible simulation studies of truecount's methods: `truecount-bench study NAME`.
//!
//! A [`Study`] simulates one replication of a setting from a random stream. [`StudyResults`] runs every replication of
//! every setting on all threads and computes the [`Statistics`] of each arm. The study's [`StudySummary`] has tables,
//! notes and figures. Most studies are of intervals ([`IntervalStudy`]). Nothing here reads or writes a file.
//!
//! ```text
//! Study ──replicate──▶ outcomes ──statistics──▶ StudyResults, one row per setting and arm
//! ──summary──▶ StudySummary
//! ```
//!
//! # Layout
//!
//! One module per study: [`audit`], [`breach`], [`coverage`], [`designs`], [`groups`], [`monitor`], [`pools`],
//! [`shapes`], [`together`], and [`paper`] for the studies of Kloos et al. [`intervals`]: statistics,
//! tables and figures of interval estimates. `results`: the runner and the rows. `samples`: samples of two
//! classes, and models fitted to them. `statistics` and `summary`: what all studies share.

pub mod audit;
pub mod breach;
pub mod coverage;
pub mod designs;
pub mod groups;
pub mod intervals;
pub mod monitor;
pub mod paper;
pub mod pools;
mod results;
mod samples;
pub mod shapes;
mod statistics;
mod summary;
pub mod together;

pub use results::{Completion, RunPlan, StudyResults};
pub use statistics::{SelectedSettings, Statistics};
pub use summary::{StudySummary, SummaryTable};

use intervals::{ArmEstimate, INTERVAL_NOTES, interval_statistics};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::Error;

/// A simulation study: in every setting of a design, several arms analyse the same simulated data.
pub trait Study: Sized {
    /// The name on the command line and in the files of the results.
    const NAME: &'static str;
    /// The default number of replications of every setting.
    const REPLICATIONS: u32;
    /// The names of the arms, which are compared in every setting.
    const ARMS: &'static [&'static str];

    /// A point of the design; its fields are the first columns of the results.
    type Setting: Serialize + Sync;
    /// Values that all replications of a setting share, such as distributions.
    type Shared: Sync;
    /// The result of an arm in one replication.
    type Outcome: Send + Sync;

    /// Returns the values that all replications of a setting share; random values are drawn from `rng`.
    fn prepare(setting: &Self::Setting, rng: &mut ChaCha8Rng) -> Self::Shared;

    /// Runs one replication on data drawn from `rng`, and returns the outcome of every arm, in order.
    fn replicate(setting: &Self::Setting, shared: &Self::Shared, rng: &mut ChaCha8Rng) -> Vec<Self::Outcome>;

    /// Computes the statistics of an arm's outcomes; `first` has the outcomes of the study's first arm in the same
    /// replications. Sums are taken in the order of the replications. The names do not depend on the outcomes.
    fn statistics(arm: &[&Self::Outcome], first: &[&Self::Outcome]) -> Statistics;

    /// Summarises the results.
    fn summary(results: &StudyResults<Self>) -> StudySummary;
}

/// A study of intervals: each replication depends on its setting alone, and each outcome is an estimate
/// with its interval.
pub trait IntervalStudy: Sized {
    /// The name, as for [`Study`].
    const NAME: &'static str;
    /// The default number of replications of every setting.
    const REPLICATIONS: u32;
    /// The names of the arms.
    const ARMS: &'static [&'static str];

    /// A point of the design.
    type Setting: Serialize + Sync;

    /// Runs one replication on data drawn from `rng`, and returns the outcome of every arm, in order.
    fn replicate(setting: &Self::Setting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome>;

    /// Adds tables and a figure to the summary.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary);
}

impl<S: IntervalStudy> Study for S {
    const NAME: &'static str = <S as IntervalStudy>::NAME;
    const REPLICATIONS: u32 = <S as IntervalStudy>::REPLICATIONS;
    const ARMS: &'static [&'static str] = <S as IntervalStudy>::ARMS;

    type Setting = <S as IntervalStudy>::Setting;
    type Shared = ();
    type Outcome = ArmOutcome;

    fn prepare(_: &Self::Setting, _: &mut ChaCha8Rng) {}

    fn replicate(setting: &Self::Setting, (): &(), rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        <S as IntervalStudy>::replicate(setting, rng)
    }

    fn statistics(arm: &[&ArmOutcome], _: &[&ArmOutcome]) -> Statistics {
        interval_statistics(arm)
    }

    fn summary(results: &StudyResults<Self>) -> StudySummary {
        let mut summary = StudySummary::with_notes(INTERVAL_NOTES);
        S::summarise(results, &mut summary);
        summary
    }
}

/// The result of an arm in one replication.
#[derive(Clone, Debug)]
pub struct ArmOutcome {
    /// The true value.
    pub truth: f64,
    /// The estimate, or the error.
    pub result: Result<ArmEstimate, Error>,
}

impl ArmOutcome {
    /// Returns the true value and the estimate, or `None` after an error.
    pub(crate) fn pair(&self) -> Option<(f64, &ArmEstimate)> {
        self.result.as_ref().ok().map(|estimate| (self.truth, estimate))
    }
}

/// Returns the mean, or `None` without values.
pub(crate) fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let n = values.len();
    (n > 0).then(|| values.sum::<f64>() / n as f64)
}

/// Returns the sample covariance (m − 1), or `None` with fewer than two pairs.
pub(crate) fn covariance(a: &[f64], b: &[f64]) -> Option<f64> {
    let degrees = a.len().checked_sub(1).filter(|degrees| *degrees > 0)?;
    let (mean_a, mean_b) = mean(a.iter().copied()).zip(mean(b.iter().copied()))?;
    Some(a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum::<f64>() / degrees as f64)
}

/// Returns the binomial standard error of a share of `n` cases.
pub(crate) fn share_error(share: Option<f64>, n: usize) -> Option<f64> {
    share.map(|p| (p * (1.0 - p) / n as f64).sqrt())
}

/// Converts a number of replications.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).expect("no more replications than a u32 counts")
}
