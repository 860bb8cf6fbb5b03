//! A study's folder: `study.json` says what is run, `cells.csv` holds the settings that are finished.

use crate::failure::Failure;
use crate::hex::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use truecount_studies::pools::Pool;
use truecount_studies::{Plan, Results, Study};
use truecount_tables::whole_file;

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
    /// Where the samples come from, if not from distributions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pools: Vec<PoolFile>,
}

/// A pool of scores: what it is called, and what tells it from others.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolFile {
    name: String,
    positives: usize,
    negatives: usize,
    /// SHA-256 of the scores, those of the positives first, as little-endian doubles.
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
    pub fn new(study: &str, plan: Plan) -> Self {
        let Plan { seed, replications } = plan;
        Self {
            study: study.to_owned(),
            seed,
            reps: replications,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pools: Vec::new(),
        }
    }

    /// With samples from these pools.
    pub fn of(self, pools: Vec<PoolFile>) -> Self {
        Self { pools, ..self }
    }

    /// In words.
    fn described(&self) -> String {
        let pools = self.pools.iter().map(|pool| format!("{} ({:.8}…)", pool.name, pool.hash));
        let what: Vec<String> = [self.study.clone()].into_iter().chain(pools).collect();
        let Self { seed, reps, version, .. } = self;
        format!("study {} --reps {reps} --seed {seed} of truecount {version}", what.join(" "))
    }
}

/// The folder of one study with certain parameters.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates the folder, or continues in one created for the same parameters.
    pub fn open(path: &Path, parameters: &Parameters) -> Result<Self, Failure> {
        if path.is_file() {
            return Err(Failure::Data(format!("{} is a file; name a folder", path.display())));
        }
        let failed = || Failure::at::<std::io::Error>(path.display());
        fs::create_dir_all(path).map_err(failed())?;
        let folder = Self(path.to_owned());
        let file = path.join(PARAMETERS);
        match fs::read_to_string(&file) {
            Ok(text) => {
                let found: Parameters = serde_json::from_str(&text)
                    .map_err(|e| Failure::Data(format!("{}: {e}; name another folder", file.display())))?;
                if found != *parameters {
                    let (found, asked) = (found.described(), parameters.described());
                    let what = format!("{} holds {found}, not {asked}; name another folder", path.display());
                    return Err(Failure::Data(what));
                }
            }
            Err(e) if e.kind() == ErrorKind::NotFound => {
                if fs::read_dir(path).map_err(failed())?.next().is_some() {
                    let what = format!("{} is not empty, and no study's folder; name another", path.display());
                    return Err(Failure::Data(what));
                }
                folder.write_json(PARAMETERS, parameters)?;
            }
            Err(e) => return Err(Failure::at(file.display())(e)),
        }
        Ok(folder)
    }

    /// The results of the settings that are finished.
    pub fn results<S: Study>(&self, study: &S) -> Result<Results<S::Statistics>, Failure> {
        let path = self.0.join(CELLS);
        match fs::read_to_string(&path) {
            Ok(table) => Results::from_csv(study, &table)
                .map_err(|e| Failure::Data(format!("{}: {e}; delete the file to begin anew", path.display()))),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(Results::default()),
            Err(e) => Err(Failure::at(path.display())(e)),
        }
    }

    pub fn keep<S: Study>(&self, study: &S, results: &Results<S::Statistics>) -> Result<(), Failure> {
        self.write(CELLS, &results.to_csv(study))
    }

    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        let json = serde_json::to_string_pretty(value).expect("numbers and text");
        self.write(name, &(json + "\n"))
    }

    pub fn write(&self, name: &str, content: &str) -> Result<(), Failure> {
        Ok(whole_file::write(&self.0.join(name), content.as_bytes())?)
    }
}
