//! `truecount study`: simulation studies that keep what they have in a folder and can be interrupted.

mod audit;
mod breach;
mod coverage;
mod folder;
mod lequa;
mod monitor;
mod paper;
mod pools;
mod run;
mod together;

use crate::failure::Failure;
use crate::output::Form;
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
    Known(Run),
    /// Estimated parameters, normal classes: 324 settings
    #[command(name = "2", after_help = AFTER)]
    Estimated(Run),
    /// Skew-normal classes, skew-normals and normals fitted: 72 settings
    #[command(name = "3", after_help = AFTER)]
    Misfit(Run),
    /// The LeQua application on scores from the distributions that the paper fitted: 20 training samples
    #[command(after_help = AFTER)]
    Lequa(Run),
    /// Do the intervals hold? 540 settings, nominal 95 %
    #[command(after_help = AFTER)]
    Coverage(Run),
    /// Do the intervals of differences, ratios and totals hold? 144 settings, nominal 95 %
    #[command(after_help = AFTER)]
    Together(Run),
    /// How often is the alarm of a watched series false, and how late? 21 settings of 200 looks
    #[command(after_help = AFTER)]
    Monitor(Run),
    /// What does widening buy where the assumption is broken? 152 settings, nominal 95 %
    #[command(after_help = AFTER)]
    Breach(Run),
    /// What do labels inside the target give, with labels elsewhere that carry over or not? 30 settings, nominal 95 %
    #[command(after_help = AFTER)]
    Audit(Run),
    /// Do the intervals hold on real scores? Samples drawn from pools of labelled scores
    #[command(after_help = AFTER)]
    Pools {
        #[command(flatten)]
        files: pools::Files,
        #[command(flatten)]
        run: Run,
    },
}

/// How a study is run.
#[derive(clap::Args)]
pub struct Run {
    /// Replications of every setting, up to a million [default: 10000; lequa 5000; audit, coverage, together, breach and pools 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    reps: Option<u32>,
    /// Of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder for the results, made if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Threads [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Form of the summary
    #[arg(long, value_enum, default_value_t)]
    format: Form,
}

/// What was asked for.
struct Asked<'a> {
    plan: Plan,
    out: &'a PathBuf,
    threads: Option<u16>,
    form: Form,
}

impl Run {
    /// With so many replications if none are asked for.
    fn asked(&self, replications: u32) -> Result<Asked<'_>, Failure> {
        let plan = Plan { seed: self.seed, replications: self.reps.unwrap_or(replications) };
        Ok(Asked { plan, out: &self.out, threads: self.threads, form: self.format.for_stdout()? })
    }
}

pub fn run(study: &Study) -> Result<(), Failure> {
    match study {
        Study::Known(run) => paper::run("1", &KnownParameters::all(), &run.asked(10_000)?),
        Study::Estimated(run) => paper::run("2", &EstimatedParameters::all(), &run.asked(10_000)?),
        Study::Misfit(run) => paper::run("3", &Misfit::all(), &run.asked(10_000)?),
        Study::Lequa(run) => lequa::run(&run.asked(5000)?),
        Study::Coverage(run) => coverage::run(&run.asked(2000)?),
        Study::Together(run) => together::run(&run.asked(2000)?),
        Study::Monitor(run) => monitor::run(&run.asked(10_000)?),
        Study::Breach(run) => breach::run(&run.asked(2000)?),
        Study::Audit(run) => audit::run(&run.asked(2000)?),
        Study::Pools { files, run } => pools::run(files, &run.asked(2000)?),
    }
}
