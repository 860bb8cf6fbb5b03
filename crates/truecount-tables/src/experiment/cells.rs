//! The cells of an experiment: score files × labelled samples × protocols × sizes. Each cell has its own result file.
//!
//! The name of the file is a checksum of everything that determines its rows, including the scores.
//! An interrupted run can therefore continue, and an extended experiment computes only new cells.

use super::data::{DataSet, FittedMethods, MethodResult, Sampler, Samplers};
use super::table::write_part;
use crate::{Meter, input};
use rayon::prelude::*;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::model::Posteriors;
use truecount::{Error, IntervalOptions, LabelledScores, Target};
use truecount_analysis::TableProblem;
use truecount_analysis::evaluation::class_shares;
use truecount_analysis::experiment::{
    ExperimentCell, ExperimentDesign, Protocol, SampleRow, ScoreFiles, ShiftProtocol, TrainingSpec,
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

/// A cell with the data set that its samples are drawn from.
pub struct ExperimentCellRun<'a, D> {
    pub experiment: &'a ExperimentDesign,
    pub others: &'a [ExternalMethod],
    pub data: &'a D,
    pub cell: ExperimentCellIndex,
}

impl<'a, D: DataSet> ExperimentCellRun<'a, D> {
    fn scores(&self) -> &'a ScoreFiles {
        &self.experiment.scores[self.cell.scores]
    }

    fn protocol(&self) -> &'a Protocol {
        &self.experiment.protocols[self.cell.protocol]
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

    /// Returns the names of the methods.
    fn methods(&self) -> Vec<String> {
        self.experiment.methods().into_iter().chain(self.others.iter().map(|other| other.name.clone())).collect()
    }

    /// Returns the sampler of every setting, with the value of the setting.
    fn samplers(&self) -> Result<Samplers<'a, D::Sample>, Error> {
        let Protocol { name, shift, .. } = self.protocol();
        let size = self.cell.size as usize;
        let samplers = self.data.samplers((self.cell.protocol, shift), size, self.experiment.seed);
        samplers.map_err(TableProblem::unreadable(format!("{}, {name}", input::name(&self.scores().pool))))
    }

    /// Returns the sampler of labelled samples; `None` if all labelled scores are used as they are.
    fn labelled_sampler(&self) -> Result<Option<Sampler<'a, D::Sample>>, Error> {
        let Some(training) = self.training() else { return Ok(None) };
        // Test samples use the seed itself, so the complement gives other random numbers.
        let sampler = self.data.labelled_sampler(training, !self.experiment.seed);
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
        let warning = self.data.overlap_warning((self.cell.protocol, protocol), self.cell.size as usize)?;
        Some(format!("warning: {}: {warning}", input::name(&self.scores().pool)))
    }

    /// Returns the path of the cell's file in a folder.
    pub fn path(&self, folder: &Path) -> Result<PathBuf, Error> {
        let ExperimentDesign { settings, seed, level, .. } = self.experiment;
        let ScoreFiles { data, classifier, training, .. } = self.scores();
        let about = json!({
            "version": env!("CARGO_PKG_VERSION"), "methods": self.methods(), "family": settings.family.to_string(),
            "transform": settings.transform.to_string(), "rates": settings.rates.map(|rates| rates.to_string()),
            "seed": seed, "level": level, "samples": self.samples()?, "size": self.cell.size, "data": data,
            "classifier": classifier, "training": training, "drawn": self.training(), "protocol": self.protocol(),
        });
        let mut hash = Sha256::new();
        hash.update(about.to_string());
        self.data.hash(self.cell.protocol, &mut hash);
        let hash: [u8; 16] = hash.finalize()[..16].try_into().expect("16 bytes");
        Ok(folder.join(format!("{:032x}.parquet", u128::from_be_bytes(hash))))
    }

    /// Runs the cell and writes its file. Returns `None`, without a file, if `stop` is set meanwhile.
    pub fn write(&self, path: &Path, stop: &AtomicBool, meter: &dyn Meter) -> Result<Option<()>, Error> {
        let ScoreFiles { data, classifier, training, .. } = self.scores();
        // The prevalence of the labelled samples is part of the training, so that each is a group.
        let prevalence = self.training().and_then(|spec| spec.prevalence).map(|share| format!("prevalence {share}"));
        let training = [Some(training.clone()).filter(|name| !name.is_empty()), prevalence];
        let cell = ExperimentCell {
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
        let (methods, classes) = (self.methods(), self.data.classes());
        let rows: Vec<SampleRow> = repeats.iter().flat_map(|repeat| repeat.rows(&cell, &methods, classes)).collect();
        write_part(&rows, path)?;
        Ok(Some(()))
    }

    /// Estimates all test samples with one labelled sample; `None` if `stop` is set meanwhile.
    fn repeat(
        &self,
        labelled: Option<&Sampler<D::Sample>>,
        repeat: u32,
        stop: &AtomicBool,
        meter: &dyn Meter,
    ) -> Result<Option<Repeat>, Error> {
        let sample = labelled.map(|sampler| sampler(repeat.into()));
        let options = IntervalOptions::new(self.experiment.level, Target::Sample)?;
        let fitted = self.data.fit(sample.as_ref(), (self.experiment, self.others), options);
        let FittedMethods { posteriors, estimate: estimate_sample } = fitted;
        let number_of_samples = self.samples()?;
        let mut samples = Vec::new();
        for (setting, sampler) in self.samplers()? {
            let estimate = |number: u32| {
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                let sample = sampler(u64::from(repeat) * u64::from(number_of_samples) + u64::from(number));
                let (counts, results) = (self.data.counts(Some(&sample)), estimate_sample(&sample));
                meter.advance(1);
                Some(Sample { setting, number, counts, results })
            };
            let estimated: Option<Vec<Sample>> = (0..number_of_samples).into_par_iter().map(estimate).collect();
            let Some(estimated) = estimated else { return Ok(None) };
            samples.extend(estimated);
        }
        let labelled = self.data.counts(sample.as_ref());
        Ok(Some(Repeat { number: repeat, labelled, posteriors, samples }))
    }
}

/// The estimated test samples of one labelled sample.
struct Repeat {
    number: u32,
    /// Number of labelled rows of each class.
    labelled: Vec<usize>,
    /// The origin of the posterior probabilities of each method that reads any.
    posteriors: Vec<Option<Posteriors>>,
    samples: Vec<Sample>,
}

struct Sample {
    setting: Option<f64>,
    number: u32,
    /// Number of rows of each class.
    counts: Vec<usize>,
    /// The result of each method.
    results: Vec<MethodResult>,
}

impl Repeat {
    /// Returns a row for every sample, method and class.
    fn rows<'a>(
        &'a self,
        cell: &'a ExperimentCell,
        methods: &'a [String],
        classes: &'a [String],
    ) -> impl Iterator<Item = SampleRow<'a>> {
        let labelled_shares = class_shares(&self.labelled);
        let row = move |sample: &'a Sample, method: usize, class: usize| {
            let (shares, result) = (class_shares(&sample.counts), &sample.results[method]);
            SampleRow {
                cell,
                labelled: self.labelled.iter().sum::<usize>() as u64,
                class: classes.get(class).map(String::as_str),
                labelled_prevalence: labelled_shares[class],
                distance: 0.5 * shares.iter().zip(&labelled_shares).map(|(a, b)| (a - b).abs()).sum::<f64>(),
                repeat: self.number.into(),
                setting: sample.setting,
                n: sample.counts.iter().sum::<usize>() as u64,
                sample: sample.number.into(),
                truth: shares[class],
                misfit: result.misfit,
                method: &methods[method],
                posteriors: self.posteriors[method],
                result: result.estimates.as_ref().map(|estimates| estimates[class]).map_err(String::as_str),
            }
        };
        let cases = (0..methods.len()).flat_map(|method| (0..classes.len().max(1)).map(move |class| (method, class)));
        let cases: Vec<(usize, usize)> = cases.collect();
        let of_sample =
            move |sample| cases.iter().map(|(method, class)| row(sample, *method, *class)).collect::<Vec<_>>();
        self.samples.iter().flat_map(of_sample)
    }
}
