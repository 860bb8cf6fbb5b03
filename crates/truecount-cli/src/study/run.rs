//! Completes a study: reads what its folder has, and runs what is missing.

use super::Asked;
use super::folder::{Folder, Parameters, SUMMARY};
use crate::failure::Failure;
use crate::{parallel, signals};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use truecount_studies::{Ended, Results, Study};

/// Results are saved at least this often.
const KEEP: Duration = Duration::from_secs(2);

/// A study that is complete.
pub struct Complete<S: Study> {
    folder: Folder,
    parameters: Parameters,
    pub results: Results<S::Statistics>,
}

/// What `summary.json` holds.
#[derive(Serialize)]
struct Summarised<'a, T> {
    #[serde(flatten)]
    parameters: &'a Parameters,
    #[serde(flatten)]
    summary: T,
}

impl<S: Study> Complete<S> {
    /// Runs the settings that the folder lacks.
    pub fn new(name: &str, study: &S, asked: &Asked) -> Result<Self, Failure> {
        Self::with(Parameters::new(name, asked.plan), study, asked)
    }

    /// Runs the settings that the folder lacks, which depend on more than the name of the study.
    pub fn with(parameters: Parameters, study: &S, asked: &Asked) -> Result<Self, Failure> {
        let folder = Folder::open(asked.out, &parameters)?;
        let results = complete(study, asked, &folder)?;
        Ok(Self { folder, parameters, results })
    }

    pub fn figure(&self, name: &str, svg: &str) -> Result<(), Failure> {
        self.folder.write(name, svg)
    }

    /// The parameters that determine the results, for programs.
    pub fn about(&self) -> Vec<(&'static str, Value)> {
        vec![("study", json!(self.parameters))]
    }

    pub fn summary(&self, summary: impl Serialize) -> Result<(), Failure> {
        self.folder.write_json(SUMMARY, &Summarised { parameters: &self.parameters, summary })
    }
}

fn complete<S: Study>(study: &S, asked: &Asked, folder: &Folder) -> Result<Results<S::Statistics>, Failure> {
    let threads = parallel::pool(asked.threads)?;
    let stop = signals::orderly();
    let mut results = folder.results(study)?;
    let settings = study.settings().len();
    let bar = progress(settings, results.finished());
    let mut kept = Instant::now();
    let ended = truecount_studies::run(study, asked.plan, &threads, stop, &mut results, |results| {
        bar.inc(1);
        if kept.elapsed() >= KEEP {
            folder.keep(study, results)?;
            kept = Instant::now();
        }
        Ok::<_, Failure>(())
    })?;
    bar.finish_and_clear();
    folder.keep(study, &results)?;
    match ended {
        Ended::Complete => Ok(results),
        Ended::Stopped => Err(Failure::Interrupted(format!(
            "interrupted: {} of {settings} settings are in {}; the same command continues there",
            results.finished(),
            asked.out.display()
        ))),
    }
}

/// A bar drawn only on a terminal.
fn progress(settings: usize, finished: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{pos} of {len} settings {bar:40} {eta} left").expect("a valid template");
    let bar = ProgressBar::new(settings as u64).with_style(style).with_position(finished as u64);
    bar.reset_eta();
    bar
}
