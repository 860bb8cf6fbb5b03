//! Simulation studies of truecount's methods that anyone can rerun: `truecount-bench study NAME`.
//!
//! A [`Study`] makes one replication of a setting from a random stream. [`StudyResults`] runs every replication of every
//! setting on all threads and computes the [`Statistics`] of each arm. A [`Summary`] makes tables, notes and figures of
//! them. Nothing here reads or writes a file.
//!
//! ```text
//! Study ──replicate──▶ ArmOutcome ──Statistics──▶ StudyResults, one row per setting and arm ──Summary──▶ tables, figures
//! ```
//!
//! # Layout
//!
//! One module per study: [`audit`], [`breach`], [`coverage`], [`monitor`], [`pools`], [`together`], and [`paper`] for those
//! of Kloos et al. [`intervals`]: statistics and figures of interval estimates. `results`: the runner and the rows.
//! `samples`: samples of two classes, and models fitted to them.

pub mod audit;
pub mod breach;
pub mod coverage;
pub mod intervals;
pub mod monitor;
pub mod paper;
pub mod pools;
mod results;
mod samples;
pub mod together;

pub use results::{CellsError, Completion, RunPlan, StudyResults};

use crate::shared::{ResultCell, ResultColumn, ResultRow, ResultTable, Unit};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use truecount::{Error, Estimate};

/// A simulation study: in every setting of a design, several arms see the same simulated data.
pub trait Study: Sized {
    /// The name on the command line and in the files of the results.
    const NAME: &'static str;
    /// Replications of every setting, unless the command line says otherwise.
    const REPLICATIONS: u32;
    /// The names of the arms, which are compared in every setting.
    const ARMS: &'static [&'static str];

    /// A point of the design; its fields are the first columns of the results.
    type Setting: Serialize + Sync;
    /// What all replications of a setting share: distributions, or quantifiers that know them.
    type Shared: Sync;
    /// The statistics of an arm's replications; their fields are the last columns of the results.
    type Statistics: Statistics;
    /// The summary of the results.
    type Summary: Summary<Self>;

    /// Makes what all replications of a setting share, with anything random drawn from `rng`.
    fn prepare(setting: &Self::Setting, rng: &mut ChaCha8Rng) -> Self::Shared;

    /// Makes one replication on data drawn from `rng`: the outcome of every arm, in order.
    fn replicate(
        setting: &Self::Setting,
        shared: &Self::Shared,
        rng: &mut ChaCha8Rng,
    ) -> Vec<<Self::Statistics as Statistics>::Outcome>;
}

/// The statistics of an arm's replications in a setting.
pub trait Statistics: Serialize + DeserializeOwned + Send + Sync {
    /// The result of an arm in one replication.
    type Outcome: Send + Sync;

    /// Computes the statistics of the arm's outcomes, given those of the study's first arm in the same replications.
    /// Sums are taken in that order.
    fn new(arm: &[&Self::Outcome], first: &[&Self::Outcome]) -> Self;
}

/// The summary of a study. Its fields follow the parameters in `summary.json`.
pub trait Summary<S: Study>: Serialize {
    /// Summarises the results.
    fn new(results: &StudyResults<S>) -> Self;

    /// The tables that are printed.
    fn tables(&self) -> Vec<ResultTable<'_>>;

    /// The notes below the tables.
    fn notes(&self) -> Vec<String>;

    /// Draws the figures: names of SVG files, with their contents.
    fn figures(_: &StudyResults<S>) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// A summary that is one list of rows.
#[derive(Clone, Debug, Serialize)]
pub struct SummaryRows<R> {
    /// The rows.
    pub summaries: Vec<R>,
}

/// The result of an arm in one replication.
#[derive(Clone, Debug)]
pub struct ArmOutcome<T = Estimate> {
    /// The true value.
    pub truth: f64,
    /// The estimate, or why there is none.
    pub result: Result<T, Error>,
}

impl<T> ArmOutcome<T> {
    /// The true value and the estimate, if there is one.
    pub(crate) fn pair(&self) -> Option<(f64, &T)> {
        self.result.as_ref().ok().map(|estimate| (self.truth, estimate))
    }
}

impl<R> SummaryRows<R> {
    /// A table for each stretch of rows with the same key, with the title made from these rows.
    pub(crate) fn tables_by<K: PartialEq>(
        &self,
        key: impl Fn(&R) -> K,
        title: impl Fn(&[R]) -> String,
    ) -> impl Iterator<Item = ResultTable<'_>>
    where
        R: ResultRow,
    {
        let stretches = self.summaries.chunk_by(move |a, b| key(a) == key(b));
        stretches.map(move |rows| ResultTable::new(rows).titled(vec![title(rows)]))
    }
}

/// A column of shares, for programs.
pub(crate) fn share<R, V: Into<ResultCell<'static>>>(
    name: &'static str,
    meaning: &'static str,
    value: impl Fn(&R) -> V + Sync + 'static,
) -> ResultColumn<R> {
    ResultColumn::new(name, Unit::Share, meaning, move |row| value(row).into())
}

/// A column of numbers without a unit, for programs.
pub(crate) fn number<R, V: Into<ResultCell<'static>>>(
    name: &'static str,
    meaning: &'static str,
    value: impl Fn(&R) -> V + Sync + 'static,
) -> ResultColumn<R> {
    ResultColumn::new(name, Unit::Number, meaning, move |row| value(row).into())
}

/// The notes as the texts that they are.
pub(crate) fn notes<const N: usize>(notes: [&str; N]) -> Vec<String> {
    notes.map(str::to_owned).into()
}

/// The mean, or `None` without values.
pub(crate) fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let n = values.len();
    (n > 0).then(|| values.sum::<f64>() / n as f64)
}

/// The standard error of a share of `n` cases.
pub(crate) fn share_error(share: Option<f64>, n: usize) -> Option<f64> {
    share.map(|p| (p * (1.0 - p) / n as f64).sqrt())
}

/// A number of replications.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).expect("no more replications than a u32 counts")
}
