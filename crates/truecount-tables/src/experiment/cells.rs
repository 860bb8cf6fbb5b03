//! The cells of an experiment: score files × labelled samples × protocols × sizes. Each cell has its own result file.
//!
//! The name of the file is a checksum of everything that determines its rows, including the scores.
//! An interrupted run can therefore continue, and an extended experiment computes only new cells.

use super::pool::{ExperimentFiles, Pools};
use super::table::write_part;
use crate::{Meter, input};
use rayon::prelude::*;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::evaluation::{SamplingProtocol, TestSample, TestSampler};
use truecount::model::Posteriors;
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method, Model, Target};
use truecount_analysis::TableProblem;
use truecount_analysis::evaluation::{PlainAndWidened, overlap_warning};
use truecount_analysis::experiment::{
    self, ExperimentDesign, Protocol, SampleEstimate, SampleRow, ScoreFiles, ShiftProtocol, TrainingSpec,
};

/// A cell, as indices into the experiment's lists.
#[derive(Clone, Copy)]
pub struct ExperimentCellIndex {
    pub scores: usize,
    training: usize,
    protocol: usize,
    size: u32,
}

/// Returns all cells in the order of the result table.
pub fn all(experiment: &ExperimentDesign) -> Vec<ExperimentCellIndex> {
    let ExperimentDesign { scores, training, protocols, sizes, .. } = experiment;
    let mut cells = Vec::new();
    for (scores, ScoreFiles { data, .. }) in scores.iter().enumerate() {
        for training in 0..training.len() {
            for protocol in (0..protocols.len()).filter(|protocol| protocols[*protocol].is_for(data)) {
                cells.extend(sizes.iter().map(|&size| ExperimentCellIndex { scores, training, protocol, size }));
            }
        }
    }
    cells
}

/// Predicts the share of positives among scores, or says why it cannot.
pub type Predict = Box<dyn Fn(&[f64]) -> Result<f64, String> + Send + Sync>;

/// Fits a method to labelled scores, or says why it cannot.
pub type Fit = Box<dyn Fn(&LabelledScores) -> Result<Predict, String> + Send + Sync>;

/// A method that is not part of this program.
pub struct ExternalMethod {
    /// The name in the results.
    pub name: String,
    /// The function that fits it.
    pub fit: Fit,
}

/// A cell with the scores that its samples are drawn from.
pub struct ExperimentCellRun<'a> {
    pub experiment: &'a ExperimentDesign,
    pub others: &'a [ExternalMethod],
    pub files: &'a ExperimentFiles,
    pub cell: ExperimentCellIndex,
}

impl<'a> ExperimentCellRun<'a> {
    fn scores(&self) -> &'a ScoreFiles {
        &self.experiment.scores[self.cell.scores]
    }

    fn protocol(&self) -> &'a Protocol {
        &self.experiment.protocols[self.cell.protocol]
    }

    /// Returns the pools that the cell's samples are drawn from.
    fn pools(&self) -> &'a Pools {
        self.files.pools[self.cell.protocol].as_ref().expect("a cell of a data set that its protocol is for")
    }

    fn training(&self) -> Option<&'a TrainingSpec> {
        self.experiment.training[self.cell.training].as_ref()
    }

    /// Number of labelled samples.
    fn repeats(&self) -> u32 {
        self.training().map_or(1, |training| training.repeats)
    }

    /// Number of test samples for each labelled sample and setting.
    fn samples(&self) -> Result<u32, Error> {
        self.protocol().samples(self.experiment.samples)
    }

    /// Returns the sampler of every setting, with the value of the setting.
    fn samplers(&self) -> Result<Vec<(Option<f64>, TestSampler<'a>)>, Error> {
        let samplers = self.pools().samplers(self.cell.size, self.experiment.seed);
        let name = &self.protocol().name;
        samplers.map_err(TableProblem::unreadable(format!("{}, {name}", input::name(&self.scores().pool))))
    }

    /// Returns the sampler of labelled samples; `None` if all labelled scores are used as they are.
    fn labelled_sampler(&self) -> Result<Option<TestSampler<'a>>, Error> {
        let Some(TrainingSpec { size, prevalence, .. }) = self.training() else { return Ok(None) };
        // Test samples use the seed itself, so the complement gives other random numbers.
        let (train, size, seed) = (&self.files.train, *size as usize, !self.experiment.seed);
        let sampler = match prevalence {
            Some(prevalence) => TestSampler::with_prevalence(train, *prevalence, size, seed),
            None => TestSampler::new(train, SamplingProtocol::Natural, size, seed),
        };
        sampler
            .map(Some)
            .map_err(TableProblem::unreadable(format!("{}, [[training]]", input::name(&self.scores().train))))
    }

    /// Checks the cell, and returns its total number of samples.
    pub fn check(&self) -> Result<u64, Error> {
        self.labelled_sampler()?;
        Ok(u64::from(self.samples()?) * u64::from(self.repeats()) * self.samplers()?.len() as u64)
    }

    /// Returns a warning if the samples share most of their pool.
    pub fn overlap_warning(&self) -> Option<String> {
        let ShiftProtocol::Prior(protocol) = self.protocol().shift else { return None };
        let pool = &self.pools().scores()[0];
        let warning =
            overlap_warning([pool.positive().len(), pool.negative().len()], protocol, self.cell.size as usize)?;
        Some(format!("warning: {}: {warning}", input::name(&self.scores().pool)))
    }

    /// Returns the path of the cell's file in a folder.
    pub fn path(&self, folder: &Path) -> Result<PathBuf, Error> {
        let ExperimentDesign { settings, seed, level, .. } = self.experiment;
        let ScoreFiles { data, classifier, training, .. } = self.scores();
        let others = self.others.iter().map(|other| other.name.clone());
        let methods: Vec<String> = settings.methods.iter().map(ToString::to_string).chain(others).collect();
        let about = json!({
            "version": env!("CARGO_PKG_VERSION"), "methods": methods, "family": settings.family.to_string(),
            "transform": settings.transform.to_string(), "rates": settings.rates.map(|rates| rates.to_string()),
            "seed": seed, "level": level, "samples": self.samples()?, "size": self.cell.size, "data": data,
            "classifier": classifier, "training": training, "drawn": self.training(), "protocol": self.protocol(),
        });
        let mut hash = Sha256::new();
        hash.update(about.to_string());
        [&self.files.train].into_iter().chain(self.pools().scores()).for_each(|scores| hash_scores(scores, &mut hash));
        let hash: [u8; 16] = hash.finalize()[..16].try_into().expect("16 bytes");
        Ok(folder.join(format!("{:032x}.parquet", u128::from_be_bytes(hash))))
    }

    /// Runs the cell and writes its file. Returns `None`, without a file, if `stop` is set meanwhile.
    pub fn write(&self, path: &Path, stop: &AtomicBool, meter: &dyn Meter) -> Result<Option<()>, Error> {
        let ScoreFiles { data, classifier, training, .. } = self.scores();
        // The prevalence of the labelled samples is part of the training, so that each is a group.
        let prevalence = self.training().and_then(|spec| spec.prevalence).map(|share| format!("prevalence {share}"));
        let training = [Some(training.clone()).filter(|name| !name.is_empty()), prevalence];
        let cell = experiment::ExperimentCell {
            data: data.clone(),
            training: training.into_iter().flatten().collect::<Vec<_>>().join(", "),
            classifier: classifier.clone(),
            protocol: self.protocol().name.clone(),
        };
        let sampler = self.labelled_sampler()?;
        let mut repeats = Vec::new();
        for number in 0..self.repeats() {
            let Some(repeat) = self.repeat(sampler.as_ref(), number, stop, meter)? else { return Ok(None) };
            repeats.push(repeat);
        }
        let methods = &self.experiment.settings.methods;
        let rows: Vec<SampleRow> = repeats.iter().flat_map(|repeat| repeat.rows(&cell, methods, self.others)).collect();
        write_part(&rows, path)?;
        Ok(Some(()))
    }

    /// Estimates all test samples with one labelled sample; `None` if `stop` is set meanwhile.
    fn repeat(
        &self,
        labelled: Option<&TestSampler>,
        repeat: u32,
        stop: &AtomicBool,
        meter: &dyn Meter,
    ) -> Result<Option<Repeat>, Error> {
        let ExperimentDesign { settings, level, .. } = self.experiment;
        let sample = labelled.map(|sampler| sampler.sample(repeat.into()));
        let train = sample.as_ref().map_or_else(|| Ok(self.files.train.clone()), TestSample::labelled);
        let [positives, labelled] = sample.as_ref().map_or_else(
            || {
                let [positives, negatives] =
                    [self.files.train.positive(), self.files.train.negative()].map(<[f64]>::len);
                [positives, positives + negatives]
            },
            |sample| [sample.positives(), sample.scores().len()],
        );
        let fit_other = |other: &ExternalMethod| match &train {
            Ok(train) => (other.fit)(train),
            Err(error) => Err(error.to_string()),
        };
        let others: Vec<Result<Predict, String>> = self.others.iter().map(fit_other).collect();
        let fitted = train.and_then(|train| Model::fit(&train, &settings.clone().available_only()));
        let interval_options = IntervalOptions::new(*level, Target::Sample)?;
        let number_of_samples = self.samples()?;
        let mut samples = Vec::new();
        for (setting, sampler) in self.samplers()? {
            let estimate = |number: u32| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let sample = sampler.sample(u64::from(repeat) * u64::from(number_of_samples) + u64::from(number));
                let estimates = fitted
                    .as_ref()
                    .map_err(Clone::clone)
                    .and_then(|model| PlainAndWidened::new(model, sample.batch(), &interval_options));
                let predict = |other: &Result<Predict, String>| other.as_ref().map_err(Clone::clone)?(sample.scores());
                let others = others.iter().map(|other| predict(other).map(SampleEstimate::without_error)).collect();
                meter.advance(1);
                Some(Sample {
                    setting,
                    number,
                    n: sample.scores().len() as u64,
                    truth: sample.prevalence(),
                    results: MethodResults::new(estimates),
                    others,
                })
            };
            let estimated: Option<Vec<Sample>> = (0..number_of_samples).into_par_iter().map(estimate).collect();
            let Some(estimated) = estimated else { return Ok(None) };
            samples.extend(estimated);
        }
        let posteriors = fitted.as_ref().ok().and_then(Model::posteriors);
        let omitted = fitted.map_or_else(|_| Vec::new(), |model| model.omitted().to_vec());
        let omitted = omitted.into_iter().map(|omitted| (omitted.method, omitted.error.to_string())).collect();
        Ok(Some(Repeat { number: repeat, positives, labelled, posteriors, omitted, samples }))
    }
}

/// The estimated test samples of one labelled sample.
struct Repeat {
    number: u32,
    /// Number of labelled positives.
    positives: usize,
    /// Number of labelled scores.
    labelled: usize,
    /// The origin of the posterior probabilities; `None` if no method reads any.
    posteriors: Option<Posteriors>,
    /// Methods that cannot be fitted to the labelled scores, with the reason.
    omitted: Vec<(Method, String)>,
    samples: Vec<Sample>,
}

struct Sample {
    setting: Option<f64>,
    number: u32,
    n: u64,
    truth: f64,
    results: MethodResults,
    /// The estimates by other methods, or the reasons why they are missing.
    others: Vec<Result<SampleEstimate, String>>,
}

/// The methods' estimates of a sample, or the reason why no method has an estimate.
struct MethodResults {
    misfit: Option<bool>,
    estimates: Result<Vec<(Method, SampleEstimate)>, String>,
}

impl MethodResults {
    fn new(estimates: Result<PlainAndWidened, Error>) -> Self {
        let estimates = match estimates {
            Ok(estimates) => estimates,
            Err(error) => return Self { misfit: None, estimates: Err(error.condition().to_string()) },
        };
        let sample_estimate = |(plain, widened): (&Estimate, &Estimate)| {
            let interval = |estimate: &Estimate| estimate.interval.map(|u| [u.lower, u.upper]);
            let sample_estimate = SampleEstimate {
                prevalence: plain.prevalence,
                raw: plain.raw,
                std_error: plain.std_error,
                interval: interval(plain),
                widened: interval(widened),
                warnings: plain.warnings.len() as u64,
            };
            (plain.method, sample_estimate)
        };
        Self { misfit: estimates.misfit(), estimates: Ok(estimates.pairs().map(sample_estimate).collect()) }
    }

    /// Returns the estimate by a method, or the reason why it is missing.
    fn by_method<'a>(&'a self, method: Method, omitted: &'a [(Method, String)]) -> Result<SampleEstimate, &'a str> {
        let estimates = self.estimates.as_ref().map_err(String::as_str)?;
        let estimate = estimates.iter().find(|(other, _)| *other == method).map(|(_, estimate)| *estimate);
        estimate
            .ok_or_else(|| omitted.iter().find(|(other, _)| *other == method).map_or("", |(_, reason)| reason.as_str()))
    }
}

impl Repeat {
    fn rows<'a>(
        &'a self,
        cell: &'a experiment::ExperimentCell,
        methods: &'a [Method],
        others: &'a [ExternalMethod],
    ) -> impl Iterator<Item = SampleRow<'a>> {
        self.samples.iter().flat_map(move |sample| {
            let own = methods.iter().map(|method| {
                let posteriors = self.posteriors.filter(|_| method.reads_posteriors());
                (method.name(), posteriors, sample.results.by_method(*method, &self.omitted))
            });
            let others = others.iter().zip(&sample.others);
            let others = others
                .map(|(other, result)| (other.name.as_str(), None, result.as_ref().copied().map_err(String::as_str)));
            own.chain(others).map(move |(method, posteriors, result)| SampleRow {
                cell,
                labelled: self.labelled as u64,
                labelled_prevalence: self.positives as f64 / self.labelled as f64,
                repeat: self.number.into(),
                setting: sample.setting,
                n: sample.n,
                sample: sample.number.into(),
                truth: sample.truth,
                misfit: sample.results.misfit,
                method,
                posteriors,
                result,
            })
        })
    }
}

/// Adds scores and probabilities to a hash, positives first.
fn hash_scores(scores: &LabelledScores, hash: &mut Sha256) {
    let columns = [Some(scores.scores()), scores.probabilities()];
    for column in columns.into_iter().flatten().flat_map(|values| [&values.positive, &values.negative]) {
        hash.update((column.len() as u64).to_le_bytes());
        for value in column {
            hash.update(value.to_le_bytes());
        }
    }
}
