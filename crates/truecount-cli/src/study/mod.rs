//! `truecount study`: simulation studies that keep what they have in a folder and can be interrupted.

mod coverage;
mod folder;
mod lequa;
mod paper;
mod run;

use crate::failure::Failure;
use clap::Subcommand;
use std::path::PathBuf;
use truecount_studies::Plan;
use truecount_studies::paper::{EstimatedParameters, KnownParameters, Misfit};

const AFTER: &str = "\
The folder gets cells.csv (a row for every setting and method), summary.json and figures. A run that was interrupted \
continues when the same command is given again; the same seed gives the same digits, whatever the number of threads.";

/// Studies 1 to 3 and `lequa` are those of Kloos, Karch, Meertens, Scholtus and de Rooij, Continuous Sweep for Binary
/// Quantification Learning.
#[derive(Subcommand)]
pub enum Study {
    /// Known parameters, normal classes: 54 settings
    #[command(name = "1", after_help = AFTER)]
    Known(Run<10_000>),
    /// Estimated parameters, normal classes: 324 settings
    #[command(name = "2", after_help = AFTER)]
    Estimated(Run<10_000>),
    /// Skew-normal classes, skew-normals and normals fitted: 72 settings
    #[command(name = "3", after_help = AFTER)]
    Misfit(Run<10_000>),
    /// The LeQua application on scores from the distributions that the paper fitted: 20 training samples
    #[command(after_help = AFTER)]
    Lequa(Run<5000>),
    /// Do the intervals hold? 540 settings, nominal 95 %
    #[command(after_help = AFTER)]
    Coverage(Run<2000>),
}

/// How a study is run.
#[derive(clap::Args)]
pub struct Run<const REPLICATIONS: u32> {
    /// Replications of every setting
    #[arg(long, value_name = "N", default_value_t = REPLICATIONS, value_parser = clap::value_parser!(u32).range(1..))]
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

/// What was asked for.
struct Asked<'a> {
    plan: Plan,
    out: &'a PathBuf,
    threads: Option<u16>,
}

impl<const REPLICATIONS: u32> Run<REPLICATIONS> {
    fn asked(&self) -> Asked<'_> {
        let plan = Plan { seed: self.seed, replications: self.reps };
        Asked { plan, out: &self.out, threads: self.threads }
    }
}

pub fn run(study: &Study) -> Result<(), Failure> {
    match study {
        Study::Known(run) => paper::run("1", &KnownParameters::all(), &run.asked()),
        Study::Estimated(run) => paper::run("2", &EstimatedParameters::all(), &run.asked()),
        Study::Misfit(run) => paper::run("3", &Misfit::all(), &run.asked()),
        Study::Lequa(run) => lequa::run(&run.asked()),
        Study::Coverage(run) => coverage::run(&run.asked()),
    }
}
