//! The cells of an experiment: score files × labelled samples × protocols × sizes. Each cell has its own result file.
//!
//! The name of the file is a checksum of everything that determines its rows, including the scores.
//! An interrupted run can therefore continue, and an extended experiment computes only new cells.

use super::methods::{ExternalMethod, FittedMethods, MethodResult};
use super::pool::{ExperimentFiles, LabelledRows, Sampler, samplers};
use super::table::write_part;
use crate::{Meter, input};
use rayon::prelude::*;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount::{Error, IntervalOptions, Target};
use truecount_analysis::TableProblem;
use truecount_analysis::evaluation::class_shares;
use truecount_analysis::experiment::{
    ExperimentCell, ExperimentDesign, Protocol, SampleRow, ScoreFiles, ShiftProtocol, TrainingSpec,
};

/// A cell, without the rows that it needs.
#[derive(Clone, Copy)]
pub struct CellSpec<'a> {
    pub scores: &'a ScoreFiles,
    training: Option<&'a TrainingSpec>,
    protocol: &'a Protocol,
    protocol_index: usize,
    size: u32,
}

/// Returns all cells in the order of the result table.
pub fn all(experiment: &ExperimentDesign) -> Vec<CellSpec<'_>> {
    let mut cells = Vec::new();
    for scores in &experiment.scores {
        for training in &experiment.training {
            for (protocol_index, protocol) in experiment.protocols.iter().enumerate() {
                let cell = |&size| CellSpec { scores, training: training.as_ref(), protocol, protocol_index, size };
                cells.extend(experiment.sizes.iter().filter(|_| protocol.is_for(&scores.data)).map(cell));
            }
        }
    }
    cells
}

/// A cell with the rows that its samples are drawn from.
pub struct ExperimentCellRun<'a> {
    pub experiment: &'a ExperimentDesign,
    pub others: &'a [ExternalMethod],
    pub files: &'a ExperimentFiles,
    pub cell: CellSpec<'a>,
}

impl<'a> ExperimentCellRun<'a> {
    /// Returns the pools that the cell's samples are drawn from.
    fn pools(&self) -> &'a [LabelledRows] {
        &self.files.pools[self.cell.protocol_index]
    }

    /// Number of labelled samples.
    fn repeats(&self) -> u32 {
        self.cell.training.map_or(1, |training| training.repeats)
    }

    /// Number of test samples for each labelled sample and setting.
    fn samples(&self) -> Result<u32, Error> {
        self.cell.protocol.samples(self.experiment.samples)
    }

    /// Returns the names of the methods.
    fn methods(&self) -> Vec<String> {
        self.experiment.methods.iter().chain(self.others.iter().map(|other| &other.name)).cloned().collect()
    }

    /// Returns the sampler of every setting, with the value of the setting.
    fn samplers(&self) -> Result<Vec<(Option<f64>, Sampler<'a>)>, Error> {
        let Protocol { name, shift, .. } = self.cell.protocol;
        let samplers = samplers(self.pools(), shift, self.cell.size as usize, self.experiment.seed);
        samplers.map_err(TableProblem::unreadable(format!("{}, {name}", input::name(&self.cell.scores.pool))))
    }

    /// Returns the sampler of labelled samples; `None` if all labelled scores are used as they are.
    fn labelled_sampler(&self) -> Result<Option<Sampler<'a>>, Error> {
        let Some(training) = self.cell.training else { return Ok(None) };
        // Test samples use the seed itself, so the complement gives other random numbers.
        let sampler = self.files.train.labelled_sampler(training, !self.experiment.seed);
        sampler
            .map(Some)
            .map_err(TableProblem::unreadable(format!("{}, [[training]]", input::name(&self.cell.scores.train))))
    }

    /// Checks the cell, and returns its total number of samples.
    pub fn check(&self) -> Result<u64, Error> {
        self.labelled_sampler()?;
        Ok(u64::from(self.samples()?) * u64::from(self.repeats()) * self.samplers()?.len() as u64)
    }

    /// Returns a warning if the samples share most of their pool.
    pub fn overlap_warning(&self) -> Option<String> {
        let ShiftProtocol::Prior(protocol) = self.cell.protocol.shift else { return None };
        let warning = self.pools()[0].overlap_warning(protocol, self.cell.size as usize)?;
        Some(format!("warning: {}: {warning}", input::name(&self.cell.scores.pool)))
    }

    /// Returns the path of the cell's file in a folder.
    pub fn path(&self, folder: &Path) -> Result<PathBuf, Error> {
        let ExperimentDesign { settings, seed, level, .. } = self.experiment;
        let ScoreFiles { data, classifier, training, .. } = self.cell.scores;
        let about = json!({
            "version": env!("CARGO_PKG_VERSION"), "methods": self.methods(), "family": settings.family.to_string(),
            "transform": settings.transform.to_string(), "rates": settings.rates.map(|rates| rates.to_string()),
            "seed": seed, "level": level, "samples": self.samples()?, "size": self.cell.size, "data": data,
            "classifier": classifier, "training": training, "drawn": self.cell.training, "protocol": self.cell.protocol,
        });
        let mut hash = Sha256::new();
        hash.update(about.to_string());
        [&self.files.train].into_iter().chain(self.pools()).for_each(|rows| rows.hash(&mut hash));
        let hash: [u8; 16] = hash.finalize()[..16].try_into().expect("16 bytes");
        Ok(folder.join(format!("{:032x}.parquet", u128::from_be_bytes(hash))))
    }

    /// Runs the cell and writes its file. Returns `None`, without a file, if `stop` is set meanwhile.
    pub fn write(&self, path: &Path, stop: &AtomicBool, meter: &dyn Meter) -> Result<Option<()>, Error> {
        let CellSpec { scores: ScoreFiles { data, classifier, training, .. }, protocol, .. } = self.cell;
        // The prevalence of the labelled samples is part of the training, so that each is a group.
        let prevalence = self.cell.training.and_then(|spec| spec.prevalence).map(|share| format!("prevalence {share}"));
        let training = [Some(training.clone()).filter(|name| !name.is_empty()), prevalence];
        let cell = ExperimentCell {
            data: data.clone(),
            training: training.into_iter().flatten().collect::<Vec<_>>().join(", "),
            classifier: classifier.clone(),
            protocol: protocol.name.clone(),
        };
        let (methods, labelled_sampler, samples) = (self.methods(), self.labelled_sampler()?, self.samples()?);
        let options = IntervalOptions::new(self.experiment.level, Target::Sample)?;
        let mut rows = Vec::new();
        for repeat in 0..self.repeats() {
            let train = labelled_sampler.as_ref().map_or_else(|| self.files.train.clone(), |draw| draw(repeat.into()));
            let labelled = train.counts();
            let fitted = FittedMethods::fit(self.experiment, self.others, train);
            for (setting, sampler) in self.samplers()? {
                let estimate = |number: u32| {
                    if stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    let sample = sampler(u64::from(repeat) * u64::from(samples) + u64::from(number));
                    let results = fitted.estimate(&sample, &options);
                    meter.advance(1);
                    let of_sample = (setting, [repeat, number], [&labelled, &sample.counts()]);
                    Some(sample_rows((&cell, &methods, self.files.classes()), of_sample, results))
                };
                let estimated: Option<Vec<Vec<SampleRow>>> = (0..samples).into_par_iter().map(estimate).collect();
                let Some(estimated) = estimated else { return Ok(None) };
                rows.extend(estimated.into_iter().flatten());
            }
        }
        write_part(&rows, path)?;
        Ok(Some(()))
    }
}

/// Returns a row for every method and class of a sample. `counts` has the number of rows of each class in the labelled
/// sample and in the sample.
fn sample_rows<'a>(
    (cell, methods, classes): (&'a ExperimentCell, &'a [String], &'a [String]),
    (setting, [repeat, sample], counts): (Option<f64>, [u32; 2], [&Vec<usize>; 2]),
    results: Vec<MethodResult>,
) -> Vec<SampleRow<'a>> {
    let [labelled, n] = counts.map(|counts| counts.iter().sum::<usize>() as u64);
    let [labelled_shares, shares] = counts.map(|counts| class_shares(counts));
    let distance = 0.5 * shares.iter().zip(&labelled_shares).map(|(a, b)| (a - b).abs()).sum::<f64>();
    let mut rows = Vec::new();
    for (method, MethodResult { misfit, posteriors, estimates }) in methods.iter().zip(results) {
        for index in 0..classes.len().max(1) {
            rows.push(SampleRow {
                cell,
                labelled,
                class: classes.get(index).map(String::as_str),
                labelled_prevalence: labelled_shares[index],
                distance,
                repeat: repeat.into(),
                setting,
                n,
                sample: sample.into(),
                truth: shares[index],
                misfit,
                method,
                posteriors,
                result: estimates.as_ref().map(|estimates| estimates[index]).map_err(Clone::clone),
            });
        }
    }
    rows
}
