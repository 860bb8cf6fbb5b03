//! The cells of an experiment, each of which has a file of its own: score files × labelled samples × protocols × sizes.
//!
//! A cell's file is called by a checksum of all that decides its rows, the scores among them. So a run continues where one was stopped,
//! and an experiment that has grown computes what is new.

use super::file::{ExperimentDesign, Scores, TrainingSpec};
use super::pool::{ExperimentFiles, Pools};
use super::protocol::ShiftProtocol;
use crate::failure::CliError;
use crate::progress::Bar;
use rayon::prelude::*;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::evaluation::{SamplingProtocol, TestSample, TestSampler};
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method, Model, Target};
use truecount_analysis::evaluation::{PlainAndWidened, overlap_warning};
use truecount_analysis::experiment::{self, SampleEstimate, SampleRow};
use truecount_report::hex;
use truecount_tables::experiment::write_part;
use truecount_tables::input;

/// A cell: places in the experiment's lists.
#[derive(Clone, Copy)]
pub struct CellTask {
    pub scores: usize,
    training: usize,
    protocol: usize,
    size: u32,
}

/// Every cell, in the order of the table.
pub fn all(experiment: &ExperimentDesign) -> Vec<CellTask> {
    let ExperimentDesign { scores, training, protocols, sizes, .. } = experiment;
    let mut cells = Vec::new();
    for (scores, of) in scores.iter().enumerate() {
        for training in 0..training.len() {
            for protocol in (0..protocols.len()).filter(|place| protocols[*place].is_for(&of.data)) {
                cells.extend(sizes.iter().map(|&size| CellTask { scores, training, protocol, size }));
            }
        }
    }
    cells
}

/// A cell with the files that its samples come from.
pub struct Run<'a> {
    pub experiment: &'a ExperimentDesign,
    pub files: &'a ExperimentFiles,
    pub cell: CellTask,
}

impl<'a> Run<'a> {
    fn of(&self) -> &'a Scores {
        &self.experiment.scores[self.cell.scores]
    }

    /// What its samples are of.
    fn pools(&self) -> &'a Pools {
        self.files.pools[self.cell.protocol].as_ref().expect("a cell of a data set that its protocol is for")
    }

    fn training(&self) -> Option<&'a TrainingSpec> {
        self.experiment.training[self.cell.training].as_ref()
    }

    /// The number of labelled samples.
    fn repeats(&self) -> u32 {
        self.training().map_or(1, |of| of.repeats)
    }

    /// Samples of each labelled sample and setting.
    fn samples(&self) -> Result<u32, CliError> {
        self.experiment.protocols[self.cell.protocol].samples(self.experiment.samples)
    }

    /// The draws of every setting.
    fn draws(&self) -> Result<Vec<(Option<f64>, TestSampler<'a>)>, CliError> {
        let name = &self.experiment.protocols[self.cell.protocol].name;
        let draws = self.pools().draws(self.cell.size, self.experiment.seed);
        draws.map_err(CliError::at(format!("{}, {name}", input::name(&self.of().pool))))
    }

    /// The draws of labelled samples; none for all labelled scores as they are.
    fn labelled(&self) -> Result<Option<TestSampler<'a>>, CliError> {
        let Some(TrainingSpec { size, prevalence, .. }) = self.training() else { return Ok(None) };
        // Other random numbers than those of the samples.
        let (train, size, seed) = (&self.files.train, *size as usize, !self.experiment.seed);
        let draws = match prevalence {
            Some(prevalence) => TestSampler::with_prevalence(train, *prevalence, size, seed),
            None => TestSampler::new(train, SamplingProtocol::Natural, size, seed),
        };
        draws.map(Some).map_err(CliError::at(format!("{}, [[training]]", input::name(&self.of().train))))
    }

    /// How many samples there are in all, after everything that can be refused has been.
    pub fn checked(&self) -> Result<u64, CliError> {
        self.labelled()?;
        Ok(u64::from(self.samples()?) * u64::from(self.repeats()) * self.draws()?.len() as u64)
    }

    /// What is to be said of samples that share most of their pool.
    pub fn overlap(&self) -> Option<String> {
        let ShiftProtocol::Prior(protocol) = self.experiment.protocols[self.cell.protocol].shift else { return None };
        let pool = &self.pools().scores()[0];
        let warning =
            overlap_warning([pool.positive().len(), pool.negative().len()], protocol, self.cell.size as usize)?;
        Some(format!("warning: {}: {warning}", input::name(&self.of().pool)))
    }

    /// The file of the cell in a folder.
    pub fn path(&self, folder: &Path) -> Result<PathBuf, CliError> {
        let ExperimentDesign { settings, seed, level, .. } = self.experiment;
        let Scores { data, classifier, training, .. } = self.of();
        let methods: Vec<String> = settings.methods.iter().map(ToString::to_string).collect();
        let about = json!({
            "version": env!("CARGO_PKG_VERSION"), "methods": methods, "family": settings.family.to_string(),
            "transform": settings.transform.to_string(), "rates": settings.rates.map(|anchor| anchor.to_string()),
            "seed": seed, "level": level, "samples": self.samples()?, "size": self.cell.size, "data": data, "classifier": classifier,
            "training": training, "drawn": self.training(), "protocol": self.experiment.protocols[self.cell.protocol],
        });
        let mut hash = Sha256::new();
        hash.update(about.to_string());
        [&self.files.train].into_iter().chain(self.pools().scores()).for_each(|scores| add(scores, &mut hash));
        Ok(folder.join(format!("{}.parquet", &hex(&hash.finalize())[..32])))
    }

    /// Makes the cell's file; none if `stop` says so before it is finished.
    pub fn write(&self, path: &Path, stop: &AtomicBool, bar: &Bar) -> Result<Option<()>, CliError> {
        let Scores { data, classifier, training, .. } = self.of();
        let protocol = self.experiment.protocols[self.cell.protocol].name.clone();
        // Labelled samples of other prevalences are another training.
        let prevalence = self.training().and_then(|of| of.prevalence).map(|share| format!("prevalence {share}"));
        let words = [Some(training.clone()).filter(|words| !words.is_empty()), prevalence];
        let cell = experiment::ExperimentCell {
            data: data.clone(),
            training: words.into_iter().flatten().collect::<Vec<_>>().join(", "),
            classifier: classifier.clone(),
            protocol,
        };
        let labelled = self.labelled()?;
        let mut drawn = Vec::new();
        for repeat in 0..self.repeats() {
            let Some(more) = self.repeat(labelled.as_ref(), repeat, stop, bar)? else { return Ok(None) };
            drawn.push(more);
        }
        let methods = &self.experiment.settings.methods;
        let rows: Vec<SampleRow> = drawn.iter().flat_map(|of| of.rows(&cell, methods)).collect();
        write_part(&rows, path)?;
        Ok(Some(()))
    }

    /// All samples with one labelled sample.
    fn repeat(
        &self,
        labelled: Option<&TestSampler>,
        repeat: u32,
        stop: &AtomicBool,
        bar: &Bar,
    ) -> Result<Option<Repeat>, CliError> {
        let ExperimentDesign { settings, level, .. } = self.experiment;
        let sample = labelled.map(|draws| draws.sample(repeat.into()));
        let train = sample.as_ref().map_or_else(|| Ok(self.files.train.clone()), TestSample::labelled);
        let [positives, all] = sample.as_ref().map_or_else(
            || {
                let [positives, negatives] =
                    [self.files.train.positive(), self.files.train.negative()].map(<[f64]>::len);
                [positives, positives + negatives]
            },
            |sample| [sample.positives(), sample.scores().len()],
        );
        let fitted = train.and_then(|train| Model::fit_available(&train, settings));
        let reporting = IntervalOptions::new(*level, Target::Sample)?;
        let samples = self.samples()?;
        let mut found = Vec::new();
        for (setting, draws) in self.draws()? {
            let one = |number: u32| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let sample = draws.sample(u64::from(repeat) * u64::from(samples) + u64::from(number));
                let both = fitted
                    .as_ref()
                    .map_err(Clone::clone)
                    .and_then(|(model, _)| PlainAndWidened::new(model, sample.batch(), &reporting));
                bar.inc(1);
                Some(Sample {
                    setting,
                    number,
                    n: sample.scores().len() as u64,
                    truth: sample.prevalence(),
                    found: Answers::new(both),
                })
            };
            let made: Option<Vec<Sample>> = (0..samples).into_par_iter().map(one).collect();
            let Some(made) = made else { return Ok(None) };
            found.extend(made);
        }
        let refused = fitted.map_or_else(|_| Vec::new(), |(_, refused)| refused);
        let refused = refused.into_iter().map(|(method, error)| (method, error.to_string())).collect();
        Ok(Some(Repeat { number: repeat, positives, labelled: all, refused, samples: found }))
    }
}

/// Samples with one labelled sample.
struct Repeat {
    number: u32,
    /// Positives among the labelled, and all of these.
    positives: usize,
    labelled: usize,
    /// Methods that the labelled scores do not allow, and why.
    refused: Vec<(Method, String)>,
    samples: Vec<Sample>,
}

struct Sample {
    setting: Option<f64>,
    number: u32,
    n: u64,
    truth: f64,
    found: Answers,
}

/// What the methods find in a sample, or why none does.
struct Answers {
    misfit: Option<bool>,
    found: Result<Vec<(Method, SampleEstimate)>, String>,
}

impl Answers {
    fn new(both: Result<PlainAndWidened, Error>) -> Self {
        match both {
            Ok(both) => {
                let of = |(plain, widened): (&Estimate, &Estimate)| {
                    let ends = |of: &Estimate| of.uncertainty.map(|u| [u.lower, u.upper]);
                    let found = SampleEstimate {
                        prevalence: plain.prevalence,
                        raw: plain.raw,
                        se: plain.uncertainty.map(|u| u.se),
                        interval: ends(plain),
                        widened: ends(widened),
                    };
                    (plain.method, found)
                };
                Self { misfit: both.misfit(), found: Ok(both.pairs().map(of).collect()) }
            }
            Err(error) => Self { misfit: None, found: Err(error.condition().to_string()) },
        }
    }

    /// What a method finds.
    fn of<'a>(&'a self, method: Method, refused: &'a [(Method, String)]) -> Result<SampleEstimate, &'a str> {
        let found = self.found.as_ref().map_err(String::as_str)?;
        let own = found.iter().find(|(own, _)| *own == method).map(|(_, found)| *found);
        own.ok_or_else(|| refused.iter().find(|(own, _)| *own == method).map_or("", |(_, why)| why.as_str()))
    }
}

impl Repeat {
    fn rows<'a>(
        &'a self,
        cell: &'a experiment::ExperimentCell,
        methods: &'a [Method],
    ) -> impl Iterator<Item = SampleRow<'a>> {
        self.samples.iter().flat_map(move |sample| {
            methods.iter().map(move |&method| SampleRow {
                cell,
                labelled: self.labelled as u64,
                labelled_prevalence: self.positives as f64 / self.labelled as f64,
                repeat: self.number.into(),
                setting: sample.setting,
                n: sample.n,
                sample: sample.number.into(),
                truth: sample.truth,
                misfit: sample.found.misfit,
                method: method.name(),
                result: sample.found.of(method, &self.refused),
            })
        })
    }
}

/// Scores and probabilities, positives first.
fn add(scores: &LabelledScores, hash: &mut Sha256) {
    let columns = [Some(scores.scores()), scores.probabilities()];
    for column in columns.into_iter().flatten().flat_map(|of| [&of.positive, &of.negative]) {
        hash.update((column.len() as u64).to_le_bytes());
        for value in column {
            hash.update(value.to_le_bytes());
        }
    }
}
