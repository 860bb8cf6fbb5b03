//! A study's folder: `study.json` has the parameters of the study, and `cells.csv` the finished settings.

use crate::shared::{hex, whole_file};
use crate::studies::pools::Pool;
use crate::studies::{RunPlan, Study, StudyResults};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use truecount::Error;
use truecount_analysis::TableProblem;

pub const PARAMETERS: &str = "study.json";
pub const CELLS: &str = "cells.csv";
pub const SUMMARY: &str = "summary.json";

/// The parameters that determine the results to the bit.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    study: String,
    seed: u64,
    reps: u32,
    version: String,
    /// The pools that samples are drawn from; empty if samples are drawn from distributions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pools: Vec<PoolFile>,
}

/// The name and the content hash of a pool of scores.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolFile {
    name: String,
    positives: usize,
    negatives: usize,
    /// SHA-256 of the scores as little-endian doubles, positives first.
    hash: String,
}

impl PoolFile {
    pub fn new(pool: &Pool) -> Self {
        let (positive, negative) = (pool.scores().positive(), pool.scores().negative());
        let mut hash = Sha256::new();
        positive.iter().chain(negative).for_each(|score| hash.update(score.to_le_bytes()));
        let name = pool.name().to_owned();
        Self { name, positives: positive.len(), negatives: negative.len(), hash: hex(&hash.finalize()) }
    }
}

impl Parameters {
    pub fn new<S: Study>(plan: RunPlan, pools: Vec<PoolFile>) -> Self {
        let RunPlan { seed, replications } = plan;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { study: S::NAME.to_owned(), seed, reps: replications, version, pools }
    }
}

/// Returns the error of a folder that cannot be used.
fn invalid(reason: String) -> Error {
    TableProblem::FileUnreadable { reason }.into()
}

/// The folder of one study with certain parameters.
pub struct StudyFolder(PathBuf);

impl StudyFolder {
    /// Creates the folder, or continues in one created for the same parameters.
    pub fn open(path: &Path, parameters: &Parameters) -> Result<Self, Error> {
        if path.is_file() {
            return Err(invalid(format!("{} is a file; name a folder", path.display())));
        }
        let io_error = || TableProblem::unreadable::<std::io::Error>(path.display());
        fs::create_dir_all(path).map_err(io_error())?;
        let folder = Self(path.to_owned());
        let file = path.join(PARAMETERS);
        match fs::read_to_string(&file) {
            Ok(text) => {
                let existing: Parameters = serde_json::from_str(&text)
                    .map_err(|e| invalid(format!("{}: {e}; name another folder", file.display())))?;
                if existing != *parameters {
                    return Err(invalid(format!("{} is of another run; name another folder", file.display())));
                }
            }
            Err(e) if e.kind() == ErrorKind::NotFound => {
                if fs::read_dir(path).map_err(io_error())?.next().is_some() {
                    let message = format!("{} is not empty, and no study's folder; name another", path.display());
                    return Err(invalid(message));
                }
                folder.write_json(PARAMETERS, parameters)?;
            }
            Err(e) => return Err(TableProblem::unreadable(file.display())(e)),
        }
        Ok(folder)
    }

    /// Adds the finished settings to results without finished settings.
    pub fn read_cells<S: Study>(&self, results: StudyResults<S>) -> Result<StudyResults<S>, Error> {
        let path = self.0.join(CELLS);
        match fs::read_to_string(&path) {
            Ok(table) => results.with_cells(&table).ok_or_else(|| {
                invalid(format!("{} is not what this study writes; delete the file to begin anew", path.display()))
            }),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(results),
            Err(e) => Err(TableProblem::unreadable(path.display())(e)),
        }
    }

    pub fn write_cells<S: Study>(&self, results: &StudyResults<S>) -> Result<(), Error> {
        self.write(CELLS, &results.to_csv())
    }

    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Error> {
        let json = serde_json::to_string_pretty(value).expect("numbers and text");
        self.write(name, &(json + "\n"))
    }

    pub fn write(&self, name: &str, content: &str) -> Result<(), Error> {
        whole_file::write(&self.0.join(name), content.as_bytes())
    }
}
