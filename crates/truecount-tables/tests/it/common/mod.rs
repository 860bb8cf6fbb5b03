//! Folders with files, the contents of files in every format, and the groups that the crate reads from them.

mod encode;

pub use encode::{arrow_file, arrow_stream, batch, gzip, parquet, workbook};

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use truecount::{Error, LabelledScores, Method, Model, Settings, Tally};
use truecount_analysis::groups::GroupNames;
use truecount_tables::NoProgress;
use truecount_tables::groups::{Groups, ScoreColumns, TestFiles};
use truecount_tables::input::ScoreValues;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The column `score`, and numbers with a decimal point or comma.
pub const SCORE: ScoreColumns = ScoreColumns::named("score");

/// A folder that is deleted when it is dropped.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// Returns the names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A group of rows: its name, and its scores.
#[derive(Debug)]
pub struct Group {
    pub name: Vec<String>,
    pub scores: Vec<f64>,
}

pub fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns files to read without probabilities and weights.
pub fn test_files<'a>(paths: &'a [PathBuf], by: &'a [String]) -> TestFiles<'a> {
    TestFiles::new(paths, SCORE, by, &NoProgress)
}

/// Reads the groups of files, in the order of their first rows.
pub fn read(files: &TestFiles) -> Result<Vec<Group>, Error> {
    files.scores(None).map(|groups| in_rows(&groups))
}

/// Reads the scores of one file without groups.
pub fn read_scores(path: &Path) -> Result<Vec<f64>, Error> {
    read(&test_files(&[path.to_owned()], &[])).map(|mut groups| groups.swap_remove(0).scores)
}

/// Reads the groups of one file by one column.
pub fn read_by(path: &Path, by: &str) -> Result<Vec<Group>, Error> {
    read(&test_files(&[path.to_owned()], &texts(&[by])))
}

fn in_rows(groups: &Groups<ScoreValues<Vec<f64>>>) -> Vec<Group> {
    let names = groups.keys.texts();
    let group = |(number, rows): (usize, &ScoreValues<Vec<f64>>)| Group {
        name: names.group_texts(number).collect(),
        scores: rows.scores.clone(),
    };
    groups.contents.iter().enumerate().map(group).collect()
}

/// Returns a model by these methods, fitted to overlapping classes of 60 scores around 0 and 1.
pub fn model(methods: &[&str]) -> Model {
    let scores: Vec<f64> = (0..120).map(|i| spread(i) * 2.0 - 0.5 + f64::from(i % 2)).collect();
    let labels: Vec<bool> = (0..120).map(|i| i % 2 == 1).collect();
    let methods = methods.iter().map(|name| name.parse::<Method>().unwrap());
    let settings = Settings::new(methods).with_cutoff(0.9);
    Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), &settings).unwrap()
}

/// Returns the tally of scores, made by the library without this crate.
pub fn tally(model: &Model, scores: &[f64]) -> Tally {
    let mut tally = Tally::new(model);
    tally.update(scores).unwrap();
    tally
}

/// Returns the i-th of reproducible numbers that are evenly spread over [0, 1).
pub fn spread(i: u32) -> f64 {
    (f64::from(i) * 0.618_033_988_749_894_9).fract()
}

/// Returns the sentence of an error without its folder.
pub fn message(error: &Error, folder: &Folder) -> String {
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

/// Returns a zip archive with these parts.
pub fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}
