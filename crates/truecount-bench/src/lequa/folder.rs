//! The competition's folder: `training_data.txt`, a folder of samples `0.txt`, `1.txt`, …, and
//! optionally their prevalences.

use crate::shared::{CliError, NoProgress, input, try_map_range};
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The competition's tolerance for the sum of a sample's two prevalences, which should be 1.
const TOLERANCE: f64 = 1e-3;

/// A set of samples of the competition.
#[derive(Clone, Copy, Default, ValueEnum)]
pub enum SampleSet {
    /// test_samples and test_prevalences.txt
    #[default]
    Test,
    /// dev_samples and dev_prevalences.txt
    Dev,
}

/// The contents of the folder, with checked file names and prevalences.
pub struct CompetitionFolder {
    pub training: PathBuf,
    /// Every sample's file, by number.
    pub samples: BTreeMap<u64, PathBuf>,
    /// The prevalences of the positives in the order of the samples; `None` without a file of
    /// prevalences.
    pub truths: Option<Vec<f64>>,
    /// The path of the file with the prevalences, which may be missing.
    pub prevalences: PathBuf,
}

impl CompetitionFolder {
    pub fn open(path: &Path, set: SampleSet) -> Result<Self, CliError> {
        let name = match set {
            SampleSet::Test => "test",
            SampleSet::Dev => "dev",
        };
        let training = path.join("training_data.txt");
        if !training.is_file() {
            return Err(CliError::Data(format!(
                "{}: there is no such file; name the folder that holds it, as T1A/public of LeQua2022, or T1/public or \
                 T4/public of LeQua2024",
                training.display()
            ).into()));
        }
        let samples = samples(&path.join(format!("{name}_samples")))?;
        let prevalences = path.join(format!("{name}_prevalences.txt"));
        let truths = if prevalences.exists() { Some(truths(&prevalences, &samples)?) } else { None };
        Ok(Self { training, samples, truths, prevalences })
    }

    /// Applies a function to every sample's file, and returns the results in the order of the
    /// samples.
    ///
    /// `label` names the work in the progress bar.
    pub fn each_sample<T: Send>(
        &self,
        label: &'static str,
        threads: Option<u16>,
        function: impl Fn(&Path) -> Result<T, CliError> + Sync,
    ) -> Result<Vec<T>, CliError> {
        let files: Vec<&PathBuf> = self.samples.values().collect();
        let number = u32::try_from(files.len()).map_err(CliError::at("samples"))?;
        try_map_range(label, number, threads, |sample| function(files[sample as usize]))
    }
}

/// Returns the files of the samples in a folder, by number.
fn samples(folder: &Path) -> Result<BTreeMap<u64, PathBuf>, CliError> {
    let io_error = || CliError::at::<io::Error>(folder.display());
    if !folder.is_dir() {
        let message = format!("{}: there is no such folder; unpack the samples there", folder.display());
        return Err(CliError::Data(message.into()));
    }
    let mut samples = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(io_error())? {
        let path = entry.map_err(io_error())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Operating systems leave hidden files in folders.
        if name.starts_with('.') {
            continue;
        }
        // 007.txt would be a second sample with the number 7.
        let id = name.strip_suffix(".txt").and_then(|stem| stem.parse().ok().filter(|id: &u64| id.to_string() == stem));
        let Some(id) = id else {
            return Err(CliError::Data(
                format!(
                    "{}: is not called as a sample is, by its number, as 12.txt; rename or remove it",
                    path.display()
                )
                .into(),
            ));
        };
        samples.insert(id, path);
    }
    if samples.is_empty() {
        return Err(CliError::Data(format!("{}: there are no samples; unpack them there", folder.display()).into()));
    }
    Ok(samples)
}

/// Returns the prevalence of the positives in every sample, from a table with the columns id, 0 and
/// 1.
fn truths(path: &Path, samples: &BTreeMap<u64, PathBuf>) -> Result<Vec<f64>, CliError> {
    let mut table = input::open_table(path, None, &NoProgress)?;
    let (id_column, negative, positive) = (table.column("id")?, table.column("0")?, table.column("1")?);
    let mut truths = BTreeMap::new();
    while table.advance()? {
        let text = table.text(id_column)?;
        let Ok(id) = text.parse::<u64>() else {
            return Err(table.cell_error(id_column, &format!("is '{text}', not the number of a sample")).into());
        };
        if !samples.contains_key(&id) {
            return Err(table.cell_error(id_column, &format!("is {id}, but there is no sample {id}.txt")).into());
        }
        let (negative, positive_share) = (table.probability(negative)?, table.probability(positive)?);
        let sum = negative + positive_share;
        if (sum - 1.0).abs() > TOLERANCE {
            return Err(table
                .cell_error(positive, &format!("is {positive_share}; with {negative} it does not add to 1"))
                .into());
        }
        if truths.insert(id, positive_share).is_some() {
            return Err(table.cell_error(id_column, &format!("is {id} a second time")).into());
        }
    }
    let truth = |(id, sample): (&u64, &PathBuf)| {
        truths.get(id).copied().ok_or_else(|| {
            let (path, sample) = (path.display(), sample.display());
            CliError::Data(
                format!("{path}: there is no row with id {id} for {sample}; add it, or remove the sample").into(),
            )
        })
    };
    samples.iter().map(truth).collect()
}
