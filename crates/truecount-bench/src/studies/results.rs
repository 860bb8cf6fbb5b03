//! A study's results: the runner, the statistics of each setting and arm, and a CSV table of them.
//!
//! Replication r of setting s draws from stream (s, r) of one ChaCha8 generator, and an arm's outcomes are collected in
//! the order of the replications. So neither the number of threads nor interruptions change a bit.
//!
//! The columns of the table are the setting's fields, `arm`, and the fields of the study's
//! statistics. Numbers have enough digits to be read back exactly.

use super::{SelectedSettings, Statistics, Study};
use crate::replications;
use csv::{StringRecord, Writer, WriterBuilder};
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stream for the shared values of a setting; the numbers of replications start at 0 and never reach it.
const SHARED: u32 = u32::MAX;

/// The parameters that, with the study itself, determine the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPlan {
    /// The seed of the random numbers.
    pub seed: u64,
    /// Replications per setting.
    pub replications: u32,
}

/// The way a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every setting is finished.
    Complete,
    /// The run was stopped; the results have the settings that were finished before.
    Stopped,
}

/// The settings of a study, and the statistics of the finished settings, which come first.
#[derive(Debug)]
pub struct StudyResults<S: Study> {
    plan: RunPlan,
    settings: Vec<S::Setting>,
    finished: Vec<Vec<Statistics>>,
}

impl<S: Study> StudyResults<S> {
    /// Returns results without finished settings.
    pub fn new(settings: Vec<S::Setting>, plan: RunPlan) -> Self {
        Self { plan, settings, finished: Vec::new() }
    }

    /// Returns the parameters of the run.
    pub fn plan(&self) -> RunPlan {
        self.plan
    }

    /// Returns all points of the design.
    pub fn settings(&self) -> &[S::Setting] {
        &self.settings
    }

    /// Returns every arm's statistics for each finished setting.
    pub fn finished(&self) -> &[Vec<Statistics>] {
        &self.finished
    }

    /// Returns the setting, the arm and the statistics of every row in the finished settings.
    pub fn rows(&self) -> impl Iterator<Item = (&S::Setting, &'static str, &Statistics)> {
        let settings = self.settings.iter().zip(&self.finished);
        settings.flat_map(|(setting, arms)| S::ARMS.iter().zip(arms).map(move |(arm, cell)| (setting, *arm, cell)))
    }

    /// Returns the finished settings with one arm's statistics.
    pub fn in_arm(&self, arm: usize) -> impl Iterator<Item = (&S::Setting, &Statistics)> {
        self.settings.iter().zip(self.finished.iter().map(move |arms| &arms[arm]))
    }

    /// Returns one arm's statistics in the finished settings for which `selected` is true.
    pub fn select(&self, arm: usize, selected: impl Fn(&S::Setting) -> bool) -> SelectedSettings<'_> {
        let settings = self.in_arm(arm).filter(|(setting, _)| selected(setting));
        SelectedSettings(settings.map(|(_, statistics)| statistics).collect())
    }

    /// Returns every arm with its statistics in the finished settings for which `selected` is true.
    pub fn arms(
        &self,
        selected: impl Fn(&S::Setting) -> bool,
    ) -> impl Iterator<Item = (&'static str, SelectedSettings<'_>)> {
        S::ARMS.iter().enumerate().map(move |(index, arm)| (*arm, self.select(index, &selected)))
    }

    /// Runs the unfinished settings, and calls `report` after each of them.
    ///
    /// When `stop` becomes true, the run ends at the next replication. A second call then
    /// continues, and gives bitwise the same results as an uninterrupted run.
    ///
    /// # Errors
    /// Returns the error of `report`, which ends the run.
    ///
    /// # Panics
    /// Panics if a replication does not have one outcome for every arm.
    pub fn run<E>(
        &mut self,
        threads: &ThreadPool,
        stop: &AtomicBool,
        mut report: impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<Completion, E> {
        for index in self.finished.len()..self.settings.len() {
            let Some(statistics) = threads.install(|| self.statistics(index, stop)) else {
                return Ok(Completion::Stopped);
            };
            self.finished.push(statistics);
            report(self)?;
        }
        Ok(Completion::Complete)
    }

    /// Returns every arm's statistics in a setting, or `None` if the run was stopped.
    fn statistics(&self, index: usize, stop: &AtomicBool) -> Option<Vec<Statistics>> {
        let RunPlan { seed, replications } = self.plan;
        let setting = &self.settings[index];
        let shared = S::prepare(setting, &mut stream(seed, index, SHARED));
        let replicate = |replication: u32| {
            let outcomes = || S::replicate(setting, &shared, &mut stream(seed, index, replication));
            (!stop.load(Ordering::Relaxed)).then(outcomes)
        };
        let replications: Vec<Vec<S::Outcome>> =
            (0..replications).into_par_iter().map(replicate).collect::<Option<_>>()?;
        assert!(replications.iter().all(|outcomes| outcomes.len() == S::ARMS.len()), "one outcome for every arm");
        let arm_outcomes = |arm| replications.iter().map(|outcomes| &outcomes[arm]).collect::<Vec<_>>();
        let arms: Vec<Vec<_>> = (0..S::ARMS.len()).map(arm_outcomes).collect();
        Some(arms.iter().map(|arm| S::statistics(arm, &arms[0])).collect())
    }

    /// Returns the results as a CSV table.
    pub fn to_csv(&self) -> String {
        let mut table = writer(false);
        for (index, (setting, arm, statistics)) in self.rows().enumerate() {
            if index == 0 {
                let mut header = record(setting, true);
                header.extend(["arm"].into_iter().chain(statistics.names()));
                table.write_record(&header).expect(IN_MEMORY);
            }
            table.serialize((setting, arm, statistics.fields())).expect(IN_MEMORY);
        }
        text(table)
    }

    /// Adds the finished settings from a table that [`to_csv`](Self::to_csv) returned; `None` if the
    /// table belongs to another study or is damaged.
    pub fn with_cells(self, table: &str) -> Option<Self> {
        let reader = csv::ReaderBuilder::new().flexible(true).from_reader(table.as_bytes());
        let rows: Vec<StringRecord> = reader.into_records().collect::<Result<_, _>>().ok()?;
        let arms = S::ARMS.len();
        if rows.len() > self.settings.len() * arms || !rows.len().is_multiple_of(arms) {
            return None;
        }
        let empty = S::statistics(&[], &[]);
        let read_setting = |(setting, rows): (&S::Setting, &[StringRecord])| {
            let fields = record(setting, false);
            let read_arm = |(arm, row): (&&str, &StringRecord)| {
                let known = fields.iter().chain([*arm]);
                let statistics: StringRecord = row.iter().skip(fields.len() + 1).collect();
                if row.iter().take(fields.len() + 1).eq(known) { empty.clone().read(&statistics) } else { None }
            };
            S::ARMS.iter().zip(rows).map(read_arm).collect()
        };
        let finished = self.settings.iter().zip(rows.chunks(arms)).map(read_setting).collect::<Option<_>>()?;
        Some(Self { finished, ..self })
    }
}

fn stream(seed: u64, setting: usize, replication: u32) -> ChaCha8Rng {
    replications::stream(seed, (setting as u64) << 32 | u64::from(replication))
}

const IN_MEMORY: &str = "flat values are written to memory";

fn writer(header: bool) -> Writer<Vec<u8>> {
    WriterBuilder::new().has_headers(header).from_writer(Vec::new())
}

fn text(table: Writer<Vec<u8>>) -> String {
    String::from_utf8(table.into_inner().expect(IN_MEMORY)).expect("what is written is text")
}

/// Returns the fields of a flat value as text, or their names.
fn record(value: &impl Serialize, names: bool) -> StringRecord {
    let mut table = writer(names);
    table.serialize(value).expect(IN_MEMORY);
    let line = text(table);
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes()).into_records();
    rows.next().and_then(Result::ok).unwrap_or_default()
}
