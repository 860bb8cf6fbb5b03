//! Score files of one classifier and data set, and what a protocol draws from the pool.

use super::file::Scores;
use super::protocol::{Domain, Protocol, ShiftProtocol};
use crate::failure::CliError;
use crate::progress::ProgressBars;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use truecount::evaluation::TestSampler;
use truecount::{LabelledScores, Settings};
use truecount_tables::groups::ScoreColumns;
use truecount_tables::{LabelledFile, LabelledTable, input};

/// The labelled scores and the pool.
pub struct ExperimentFiles {
    pub train: LabelledScores,
    /// For every protocol what its samples are of; none where it is not for this data set.
    pub pools: Vec<Option<Pools>>,
}

/// What a protocol's samples are of, setting by setting.
pub struct Pools {
    /// The settings that differ in what is drawn from the same pools, or have pools of their own.
    settings: Vec<ScoredSetting>,
    pools: Vec<LabelledScores>,
}

struct ScoredSetting {
    /// What tells it from others, if people name it.
    value: Option<f64>,
    draw: Draw,
}

enum Draw {
    Prior(truecount::evaluation::SamplingProtocol),
    At(f64),
    Domains {
        share: f64,
        prevalence: Option<f64>,
    },
    Local(f64),
    /// Simple random samples of the pool in that place.
    Of(usize),
}

impl ExperimentFiles {
    /// Reads both files, the pool once for each column that a protocol needs of it.
    pub fn read(of: &Scores, protocols: &[Protocol], settings: &Settings) -> Result<Self, CliError> {
        let unit_interval = settings.unit_interval(of.probability.is_some());
        let columns =
            ScoreColumns { score: Some(&of.score), probability: of.probability.as_deref(), decimal: None, sheet: None };
        let file = |path| LabelledFile {
            path,
            columns,
            label: &of.label,
            positive: &of.positive,
            weight: None,
            cluster: None,
            unit_interval,
        };
        let train = file(of.train.as_path()).read(&ProgressBars)?;
        let read = |column| {
            let table = file(of.pool.as_path()).table(column, &ProgressBars)?;
            if table.scores(None)? == train {
                let (train, pool) = (input::name(&of.train), input::name(&of.pool));
                return Err(CliError::Data(format!(
                    "{train} and {pool} have the same scores: errors on what the methods have learnt from are too small"
                )));
            }
            Ok(table)
        };
        let mut tables: HashMap<Option<&str>, LabelledTable> = HashMap::new();
        let mut pools = Vec::new();
        for protocol in protocols {
            if !protocol.is_for(&of.data) {
                pools.push(None);
                continue;
            }
            let table = match tables.entry(protocol.column()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(read(protocol.column())?),
            };
            pools.push(Some(Pools::from_table(table, protocol, &of.pool)?));
        }
        Ok(Self { train, pools })
    }
}

impl Pools {
    fn from_table(table: &LabelledTable, protocol: &Protocol, path: &Path) -> Result<Self, CliError> {
        let whole = || Ok::<_, CliError>(vec![table.scores(None)?]);
        let one = |draw| vec![ScoredSetting { value: None, draw }];
        let (pools, settings) = match &protocol.shift {
            ShiftProtocol::Prior(protocol) => (whole()?, one(Draw::Prior(*protocol))),
            ShiftProtocol::Fixed(prevalences) => {
                let at = |&prevalence: &f64| ScoredSetting { value: Some(prevalence), draw: Draw::At(prevalence) };
                (whole()?, prevalences.iter().map(at).collect())
            }
            ShiftProtocol::Covariate { domain, shares, prevalences } => {
                let each = prevalences.as_ref().map_or(vec![None], |list| list.iter().copied().map(Some).collect());
                let with = |&share: &f64| {
                    let of = |&prevalence: &Option<f64>| ScoredSetting {
                        value: Some(share),
                        draw: Draw::Domains { share, prevalence },
                    };
                    each.iter().map(of).collect::<Vec<_>>()
                };
                (domains(table, domain, path)?, shares.iter().flat_map(with).collect())
            }
            ShiftProtocol::Local { domain, prevalences } => {
                let at = |&prevalence: &f64| ScoredSetting { value: Some(prevalence), draw: Draw::Local(prevalence) };
                (domains(table, domain, path)?, prevalences.iter().map(at).collect())
            }
            ShiftProtocol::Concept { grade, cuts } => {
                let pools = cuts.iter().map(|cut| graded(table, grade, *cut, path)).collect::<Result<_, _>>()?;
                let of = |(place, &cut)| ScoredSetting { value: Some(cut), draw: Draw::Of(place) };
                (pools, cuts.iter().enumerate().map(of).collect())
            }
        };
        Ok(Self { settings, pools })
    }

    /// The draws of every setting, with its value.
    pub fn draws(&self, size: u32, seed: u64) -> Result<Vec<(Option<f64>, TestSampler<'_>)>, truecount::Error> {
        let (pools, size) = (&self.pools, size as usize);
        let of = |setting: &ScoredSetting| {
            let draws = match setting.draw {
                Draw::Prior(protocol) => TestSampler::new(&pools[0], protocol, size, seed),
                Draw::At(prevalence) => TestSampler::with_prevalence(&pools[0], prevalence, size, seed),
                Draw::Domains { share, prevalence } => {
                    TestSampler::global_covariate_shift([&pools[0], &pools[1]], share, prevalence, size, seed)
                }
                Draw::Local(prevalence) => {
                    TestSampler::local_covariate_shift([&pools[0], &pools[1]], prevalence, size, seed)
                }
                Draw::Of(place) => {
                    TestSampler::new(&pools[place], truecount::evaluation::SamplingProtocol::Natural, size, seed)
                }
            };
            Ok((setting.value, draws?))
        };
        self.settings.iter().map(of).collect()
    }

    /// The pools that samples are of.
    pub fn scores(&self) -> &[LabelledScores] {
        &self.pools
    }
}

/// The rows of a domain, and all others.
fn domains(table: &LabelledTable, domain: &Domain, path: &Path) -> Result<Vec<LabelledScores>, CliError> {
    let Domain { column, is } = domain;
    let known = table.strata();
    let first = is.as_ref().or(known.first()).and_then(|is| known.iter().position(|value| value == is));
    let place = input::name(path);
    let Some(first) = first else {
        let is = is.as_deref().unwrap_or_default();
        let known = known.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
        return Err(CliError::Data(format!("{place}, column {column}: no row is '{is}'; there are {known}")));
    };
    let others: Vec<usize> = (0..known.len()).filter(|other| *other != first).collect();
    if others.is_empty() {
        let what = format!("{place}, column {column}: all rows are '{}'; a shift of domains needs two", known[first]);
        return Err(CliError::Data(what));
    }
    [&[first][..], &others].into_iter().map(|strata| Ok(table.scores(Some(strata))?)).collect()
}

/// The rows of a pool with another meaning of its labels: a positive has this grade or more.
fn graded(table: &LabelledTable, grade: &str, cut: f64, path: &Path) -> Result<LabelledScores, CliError> {
    let place = input::name(path);
    let number = |text: &String| {
        text.parse::<f64>()
            .ok()
            .filter(|grade| grade.is_finite())
            .ok_or_else(|| CliError::Data(format!("{place}, column {grade}: '{text}' is no number; a grade is one")))
    };
    let grades = table.strata().iter().map(number).collect::<Result<Vec<f64>, _>>()?;
    let scores = table.scores(None)?;
    let strata = table.strata_of_rows();
    let rows = strata.positive.iter().chain(&strata.negative);
    let positive: Vec<bool> = rows.map(|stratum| grades[*stratum as usize] >= cut).collect();
    let both = |of: &truecount::PerClass<Vec<f64>>| [of.positive.clone(), of.negative.clone()].concat();
    let all = both(scores.scores());
    let made = match scores.probabilities() {
        Some(probabilities) => LabelledScores::with_probabilities(&all, &both(probabilities), &positive),
        None => LabelledScores::new(&all, &positive),
    };
    made.map_err(CliError::at(format!("{place}, {grade} ≥ {cut}")))
}
