//! `truecount study`: simulation studies that keep what they have in a folder and can be interrupted.

mod folder;
mod table;

use crate::failure::Failure;
use crate::output;
use clap::Subcommand;
use folder::{Folder, Parameters};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use truecount_studies::coverage::{self, Coverage};
use truecount_studies::{Ended, Plan, Results};

/// Results are kept at least this often.
const KEEP: Duration = Duration::from_secs(2);

const AFTER: &str = "\
The folder gets cells.csv (a row for every setting and method), summary.json and coverage.svg. A run that was interrupted \
continues when the same command is given again; the same seed gives the same digits, whatever the number of threads.";

#[derive(Subcommand)]
pub enum Study {
    /// Do the intervals hold? 540 settings, nominal 95 %
    #[command(after_help = AFTER)]
    Coverage(Run),
}

/// How a study is run.
#[derive(clap::Args)]
pub struct Run {
    /// Replications of every setting
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    reps: u32,
    /// Of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder for the results, made if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Threads [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// What `summary.json` holds.
#[derive(Serialize)]
struct Summaries<'a, S> {
    #[serde(flatten)]
    parameters: &'a Parameters,
    summaries: &'a [S],
}

pub fn run(study: &Study) -> Result<(), Failure> {
    match study {
        Study::Coverage(args) => coverage(args),
    }
}

fn coverage(args: &Run) -> Result<(), Failure> {
    let study = Coverage::all();
    let parameters = Parameters::new("coverage", args.plan());
    let folder = Folder::open(&args.out, &parameters)?;
    let results = complete(&study, args, &folder)?;
    let summaries = coverage::summarise(&study, &results);
    folder.write("coverage.svg", &coverage::figure(&study, &results))?;
    folder.write_json("summary.json", &Summaries { parameters: &parameters, summaries: &summaries })?;
    output::to_stdout(|out| table::write(&summaries, out))
}

impl Run {
    fn plan(&self) -> Plan {
        Plan { seed: self.seed, replications: self.reps }
    }
}

/// All results: those in the folder, and what is missing.
fn complete<S: truecount_studies::Study>(study: &S, args: &Run, folder: &Folder) -> Result<Results, Failure> {
    let threads = ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(Failure::at("threads"))?;
    let stop = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&stop);
    ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed)).map_err(Failure::at("Ctrl-C"))?;

    let mut results = folder.results(study)?;
    let settings = study.settings().len();
    let bar = progress(settings, results.finished());
    let mut kept = Instant::now();
    let ended = truecount_studies::run(study, args.plan(), &threads, &stop, &mut results, |results| {
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
            args.out.display()
        ))),
    }
}

/// A bar that is drawn on a terminal only.
fn progress(settings: usize, finished: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{pos} of {len} settings {bar:40} {eta} left").expect("a valid template");
    let bar = ProgressBar::new(settings as u64).with_style(style).with_position(finished as u64);
    bar.reset_eta();
    bar
}
