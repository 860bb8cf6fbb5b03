//! The score files of one classifier and data set, and the pools that a protocol draws from.

use crate::groups::ScoreColumns;
use crate::input::{self, MissingPolicy};
use crate::{LabelledFile, LabelledTable, Progress};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use truecount::evaluation::{SamplingProtocol, TestSampler};
use truecount::scores::PerClass;
use truecount::{Error, LabelledScores, Settings};
use truecount_analysis::experiment::{Domain, Protocol, ScoreFiles, ShiftProtocol, experiment_error};
use truecount_analysis::{LABEL, POSITIVE, SCORE, TableProblem};

/// The labelled scores, and the pools of each protocol.
pub struct ExperimentFiles {
    pub train: LabelledScores,
    /// The pools of each protocol; `None` if the protocol is not for this data set.
    pub pools: Vec<Option<Pools>>,
}

/// The pools of a protocol: one, the two domains of a shift, or one for each cut of a grade.
pub struct Pools {
    shift: ShiftProtocol,
    pools: Vec<LabelledScores>,
}

impl ExperimentFiles {
    /// Reads both files, the pool once for each column that a protocol needs of it.
    pub fn read(
        files: &ScoreFiles,
        protocols: &[Protocol],
        settings: &Settings,
        missing: MissingPolicy,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let unit_interval = settings.unit_interval(files.probability.is_some());
        let (score, probability) = (Some(files.score.as_deref().unwrap_or(SCORE)), files.probability.as_deref());
        let columns = ScoreColumns { score, probability, missing: Some(missing), ..ScoreColumns::default() };
        let label = (files.label.as_deref().unwrap_or(LABEL), files.positive.as_deref().unwrap_or(POSITIVE));
        let file = |path| {
            let file = LabelledFile::new(path, columns, label);
            LabelledFile { unit_interval, ..file }
        };
        let train = file(files.train.as_path()).read(progress)?;
        let read = |column| {
            let table = file(files.pool.as_path()).table(column, progress)?;
            if table.scores(None)? == train {
                let (train, pool) = (input::name(&files.train), input::name(&files.pool));
                return Err(experiment_error(
                    format!("the errors would be too small, as {train} and {pool} have the same scores"),
                    "divide the labelled scores at random into two files, one for each",
                ));
            }
            Ok(table)
        };
        let mut tables: HashMap<Option<&str>, LabelledTable> = HashMap::new();
        let mut pools = Vec::new();
        for protocol in protocols {
            if !protocol.is_for(&files.data) {
                pools.push(None);
                continue;
            }
            let table = match tables.entry(protocol.column()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(read(protocol.column())?),
            };
            pools.push(Some(Pools::from_table(table, protocol, &files.pool)?));
        }
        Ok(Self { train, pools })
    }
}

impl Pools {
    fn from_table(table: &LabelledTable, protocol: &Protocol, path: &Path) -> Result<Self, Error> {
        let pools = match &protocol.shift {
            ShiftProtocol::Prior(_) | ShiftProtocol::Fixed(_) => vec![table.scores(None)?],
            ShiftProtocol::Covariate { domain, .. } | ShiftProtocol::Local { domain, .. } => {
                domains(table, domain, path)?
            }
            ShiftProtocol::Concept { grade, cuts } => {
                cuts.iter().map(|cut| relabelled(table, grade, *cut, path)).collect::<Result<_, _>>()?
            }
        };
        Ok(Self { shift: protocol.shift.clone(), pools })
    }

    /// Returns the sampler of every setting, with the value that identifies the setting; `None` if it is the only one.
    pub fn samplers(&self, size: u32, seed: u64) -> Result<Vec<(Option<f64>, TestSampler<'_>)>, Error> {
        let (pools, size) = (&self.pools, size as usize);
        let domains = || [&pools[0], &pools[1]];
        let samplers: Vec<(Option<f64>, Result<TestSampler, Error>)> = match &self.shift {
            ShiftProtocol::Prior(protocol) => vec![(None, TestSampler::new(&pools[0], *protocol, size, seed))],
            ShiftProtocol::Fixed(prevalences) => {
                at_each(prevalences, |prevalence| TestSampler::with_prevalence(&pools[0], prevalence, size, seed))
            }
            ShiftProtocol::Covariate { shares, prevalences, .. } => {
                let prevalences: Vec<Option<f64>> =
                    prevalences.as_ref().map_or(vec![None], |list| list.iter().copied().map(Some).collect());
                let with_share = |&share: &f64| {
                    let sampler = |&prevalence: &Option<f64>| {
                        let sampler = TestSampler::global_covariate_shift(domains(), share, prevalence, size, seed);
                        (Some(share), sampler)
                    };
                    prevalences.iter().map(sampler).collect::<Vec<_>>()
                };
                shares.iter().flat_map(with_share).collect()
            }
            ShiftProtocol::Local { prevalences, .. } => {
                at_each(prevalences, |prevalence| TestSampler::local_covariate_shift(domains(), prevalence, size, seed))
            }
            ShiftProtocol::Concept { cuts, .. } => {
                let sampler = |pool| TestSampler::new(pool, SamplingProtocol::Natural, size, seed);
                cuts.iter().copied().map(Some).zip(pools.iter().map(sampler)).collect()
            }
        };
        samplers.into_iter().map(|(value, sampler)| Ok((value, sampler?))).collect()
    }

    /// Returns the scores of the pools.
    pub fn scores(&self) -> &[LabelledScores] {
        &self.pools
    }
}

/// Returns each value with its sampler.
fn at_each<T>(values: &[f64], sampler: impl Fn(f64) -> T) -> Vec<(Option<f64>, T)> {
    values.iter().map(|value| (Some(*value), sampler(*value))).collect()
}

/// Returns the scores of a domain, and those of all other domains.
fn domains(table: &LabelledTable, domain: &Domain, path: &Path) -> Result<Vec<LabelledScores>, Error> {
    let Domain { column, is } = domain;
    let values = table.strata();
    let first = is.as_ref().or(values.first()).and_then(|is| values.iter().position(|value| value == is));
    let file = input::name(path);
    let Some(first) = first else {
        let is = is.as_deref().unwrap_or_default();
        let known = values.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
        return Err(experiment_error(
            format!("{file}, column {column}: no row is '{is}'"),
            format!("the values are {known}"),
        ));
    };
    let others: Vec<usize> = (0..values.len()).filter(|other| *other != first).collect();
    if others.is_empty() {
        let value = &values[first];
        return Err(experiment_error(
            format!("{file}, column {column}: all rows are '{value}'"),
            "a shift between domains needs at least two",
        ));
    }
    [&[first][..], &others].into_iter().map(|strata| table.scores(Some(strata))).collect()
}

/// Returns the scores of a pool with new labels: a row is positive if its grade is at least the cut.
fn relabelled(table: &LabelledTable, grade: &str, cut: f64, path: &Path) -> Result<LabelledScores, Error> {
    let file = input::name(path);
    let number = |text: &String| {
        text.parse::<f64>().ok().filter(|grade| grade.is_finite()).ok_or_else(|| {
            experiment_error(format!("{file}, column {grade}: '{text}' is not a number"), "write grades as numbers")
        })
    };
    let grades = table.strata().iter().map(number).collect::<Result<Vec<f64>, _>>()?;
    let scores = table.scores(None)?;
    let strata = table.row_strata();
    let rows = strata.positive.iter().chain(&strata.negative);
    let positive: Vec<bool> = rows.map(|stratum| grades[*stratum as usize] >= cut).collect();
    let both = |values: &PerClass<Vec<f64>>| [values.positive.as_slice(), &values.negative].concat();
    let all = both(scores.scores());
    let relabelled = match scores.probabilities() {
        Some(probabilities) => LabelledScores::builder(&all, &positive).probabilities(&both(probabilities)).build(),
        None => LabelledScores::new(&all, &positive),
    };
    relabelled.map_err(TableProblem::unreadable(format!("{file}, {grade} ≥ {cut}")))
}
