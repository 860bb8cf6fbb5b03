//! `truecount-bench study`: simulation studies that can be interrupted and save their results in a folder.

use crate::INTERRUPTED;
use crate::folder::{CELLS, PARAMETERS, Parameters, PoolFile, SUMMARY, StudyFolder};
use crate::shared::{FileRoles, LabelledFile, NoProgress, ScoreColumns, input, threads};
use crate::studies::paper::{estimated, known, lequa, misfit};
use crate::studies::pools::{self, Pool, PoolsStudy};
use crate::studies::{Completion, RunPlan, Study, StudyResults};
use crate::studies::{audit, breach, coverage, designs, groups, monitor, shapes, together};
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::{Map, Value};
use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use truecount::Error;
use truecount_analysis::TableProblem;

const AFTER: &str = "\
The folder gets cells.csv (a row for every setting and method), summary.json and figures. A run that was interrupted \
continues when the same command is given again; the same seed gives the same digits, whatever the number of threads.";

/// Results are saved at least this often.
const SAVE_INTERVAL: Duration = Duration::from_secs(2);

/// Studies 1 to 3 and `lequa` are from Kloos, Karch, Meertens, Scholtus and de Rooij, Continuous
/// Sweep for Binary Quantification Learning.
#[derive(Subcommand)]
pub enum StudyCommand {
    /// Known parameters, normal classes: 54 settings
    #[command(name = "1")]
    Known(RunArgs),
    /// Estimated parameters, normal classes: 324 settings
    #[command(name = "2")]
    Estimated(RunArgs),
    /// Skew-normal classes, skew-normals and normals fitted: 72 settings
    #[command(name = "3")]
    Misfit(RunArgs),
    /// The LeQua application on scores from the distributions that the paper fitted: 20 training samples
    Lequa(RunArgs),
    /// Do the intervals hold? 540 settings, nominal 95 %
    Coverage(RunArgs),
    /// Do the intervals hold whatever the shape of the scores? 2464 settings, nominal 95 %
    Shapes(RunArgs),
    /// Do the intervals of differences, ratios and totals hold? 144 settings, nominal 95 %
    Together(RunArgs),
    /// Do the intervals hold under survey designs? 126 settings, nominal 95 %
    Designs(RunArgs),
    /// Do groups that share labels tell when their classes have moved? 540 settings, nominal 95 %
    Groups(RunArgs),
    /// How often is the alarm of a watched series false, and how late? 22 settings of 200 looks
    Monitor(RunArgs),
    /// What does widening buy where the assumption is broken? 152 settings, nominal 95 %
    Breach(RunArgs),
    /// What do labels inside the target give, with labels elsewhere that carry over or not? 30 settings, nominal 95 %
    Audit(RunArgs),
    /// Do the intervals hold on real scores? Samples drawn from pools of labelled scores
    Pools {
        #[command(flatten)]
        files: PoolArgs,
        #[command(flatten)]
        run: RunArgs,
    },
}

/// How a study is run.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct RunArgs {
    /// Replications of every setting, up to a million [default: 10000; lequa 5000; audit, coverage,
    /// together, breach and pools 2000; designs 1000; shapes 500; groups 100]
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
}

/// Where the pools are.
#[derive(clap::Args)]
pub struct PoolArgs {
    /// Tables of scores and labels; - for standard input
    #[arg(value_name = "POOL", required = true)]
    paths: Vec<PathBuf>,
    /// Column with the scores
    #[arg(long, value_name = "COL", default_value = "score")]
    score: String,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = "label")]
    label: String,
    /// The label of a positive
    #[arg(long, value_name = "VALUE", default_value = "1", allow_hyphen_values = true)]
    positive: String,
}

impl PoolArgs {
    fn read(&self) -> Result<Vec<Pool>, Error> {
        input::check_used_once(self.paths.iter())?;
        input::expand_patterns(&self.paths)?;
        let read = |path: &PathBuf| {
            let columns = ScoreColumns::named(&self.score);
            let (label, positive) = (&self.label, &self.positive);
            let file = LabelledFile::new(path, columns, (label, positive));
            Pool::new(input::name(path), file.read(&NoProgress)?).map_err(TableProblem::unreadable(input::name(path)))
        };
        self.paths.iter().map(read).collect()
    }
}

pub fn run(study: &StudyCommand) -> Result<(), Error> {
    match study {
        StudyCommand::Known(args) => run_study::<known::KnownParametersStudy>(known::KnownSetting::all(), args),
        StudyCommand::Estimated(args) => {
            run_study::<estimated::EstimatedParametersStudy>(estimated::EstimatedSetting::all(), args)
        }
        StudyCommand::Misfit(args) => run_study::<misfit::MisfitStudy>(misfit::MisfitSetting::all(), args),
        StudyCommand::Lequa(args) => run_study::<lequa::EmulatedStudy>(lequa::TrainingSample::all(), args),
        StudyCommand::Coverage(args) => run_study::<coverage::CoverageStudy>(coverage::CoverageSetting::all(), args),
        StudyCommand::Shapes(args) => run_study::<shapes::ShapesStudy>(shapes::ShapeSetting::all(), args),
        StudyCommand::Together(args) => run_study::<together::TogetherStudy>(together::JointSetting::all(), args),
        StudyCommand::Designs(args) => run_study::<designs::SurveyStudy>(designs::SurveySetting::all(), args),
        StudyCommand::Groups(args) => run_study::<groups::GroupsStudy>(groups::GroupsSetting::all(), args),
        StudyCommand::Monitor(args) => run_study::<monitor::MonitorStudy>(monitor::MonitorSetting::all(), args),
        StudyCommand::Breach(args) => run_study::<breach::BreachStudy>(breach::BreachSetting::all(), args),
        StudyCommand::Audit(args) => run_study::<audit::AuditStudy>(audit::AuditSetting::all(), args),
        StudyCommand::Pools { files, run } => run_pools(files, run),
    }
}

fn run_pools(files: &PoolArgs, args: &RunArgs) -> Result<(), Error> {
    let pools = files.read()?;
    let outputs = [PARAMETERS, CELLS, SUMMARY, pools::FIGURE];
    FileRoles::reading(&files.paths).filling("--out", Some(&args.out), outputs).check()?;
    let parameters = pools.iter().map(PoolFile::new).collect();
    run_study_on::<PoolsStudy>(pools::PoolSetting::all(pools), parameters, args)
}

fn run_study<S: Study>(settings: Vec<S::Setting>, args: &RunArgs) -> Result<(), Error> {
    run_study_on::<S>(settings, Vec::new(), args)
}

/// The contents of `summary.json`.
#[derive(Serialize)]
struct SummaryFile<'a> {
    #[serde(flatten)]
    parameters: &'a Parameters,
    #[serde(flatten)]
    summary: &'a Map<String, Value>,
}

/// Runs the settings that are missing in the folder, writes the summary and figures, and prints the tables.
fn run_study_on<S: Study>(settings: Vec<S::Setting>, pools: Vec<PoolFile>, args: &RunArgs) -> Result<(), Error> {
    let plan = RunPlan { seed: args.seed, replications: args.reps.unwrap_or(S::REPLICATIONS) };
    let parameters = Parameters::new::<S>(plan, pools);
    let folder = StudyFolder::open(&args.out, &parameters)?;
    let results = complete(folder.read_cells(StudyResults::<S>::new(settings, plan))?, &folder, args)?;
    let summary = S::summary(&results);
    for (name, svg) in &summary.figures {
        folder.write(name, svg)?;
    }
    folder.write_json(SUMMARY, &SummaryFile { parameters: &parameters, summary: &summary.json })?;
    io::stdout().write_all(summary.text().as_bytes()).map_err(TableProblem::unreadable("output"))
}

/// Runs the unfinished settings, and saves them in the folder.
fn complete<S: Study>(
    mut results: StudyResults<S>,
    folder: &StudyFolder,
    args: &RunArgs,
) -> Result<StudyResults<S>, Error> {
    let threads = threads::pool(args.threads)?;
    // A second Ctrl-C ends the process.
    let stop = Arc::new(AtomicBool::new(false));
    register_conditional_shutdown(SIGINT, INTERRUPTED.into(), Arc::clone(&stop))
        .and_then(|_| register(SIGINT, Arc::clone(&stop)))
        .map_err(TableProblem::unreadable("signals"))?;
    let settings = results.settings().len();
    let bar = progress(settings, results.finished().len());
    let mut saved = Instant::now();
    let completion = results.run(&threads, &stop, |results| {
        bar.inc(1);
        if saved.elapsed() >= SAVE_INTERVAL {
            folder.write_cells(results)?;
            saved = Instant::now();
        }
        Ok::<_, Error>(())
    })?;
    bar.finish_and_clear();
    folder.write_cells(&results)?;
    match completion {
        Completion::Complete => Ok(results),
        Completion::Stopped => {
            let (finished, folder) = (results.finished().len(), args.out.display().to_string());
            Err(TableProblem::WorkInterrupted { finished, total: settings, parts: "settings", folder }.into())
        }
    }
}

/// Returns a progress bar, which is drawn only on a terminal.
fn progress(settings: usize, finished: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{pos} of {len} settings {bar:40} {eta} left").expect("a valid template");
    let bar = ProgressBar::new(settings as u64).with_style(style).with_position(finished as u64);
    bar.reset_eta();
    bar
}
