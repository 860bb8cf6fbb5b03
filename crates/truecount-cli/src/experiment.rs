//! `truecount experiment`: ranks methods over data sets, classifiers, labelled samples and protocols.

use crate::error::CliError;
use crate::options::{MISSING, one_of};
use crate::output::{self, OutputFormat};
use crate::progress::ProgressBars;
use crate::signals;
use std::path::PathBuf;
use truecount_analysis::experiment::SAMPLES;
use truecount_report::charts::experiment::draw;
use truecount_report::drawing::FigureSize;
use truecount_tables::experiment::ExperimentRequest;
use truecount_tables::input::MissingPolicy;

const AFTER: &str = "\
Example:
  truecount experiment bench.toml --out bench

bench.toml:
  methods = [\"es\", \"sld\", \"dys\"]

  [[scores]]
  data = \"spam\"
  classifier = \"logistic\"
  train = \"train.csv\"
  pool = \"pool.csv\"

The folder gets samples.parquet (a row for every sample and method), tables.tex, summary.json and figures. \
A run that was interrupted continues when the same command is given again, and one whose file has grown \
computes what is new; the same file and seed give the same bytes, whatever the number of threads. The book \
tells all that the file may say.";

/// Runs an experiment: data sets, classifiers' scores, labelled samples, protocols of shift and
/// methods, each with each; and ranks the methods.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct ExperimentArgs {
    /// Experiment to run: a TOML file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Size of the figures
    #[arg(long = "size", id = "figure_size", value_name = "SIZE")]
    #[arg(value_parser = one_of(FigureSize::TABLE), default_value = "page")]
    size: FigureSize,
    /// Rows without a score or label: error, or drop to leave them out
    #[arg(long, value_name = "POLICY", value_parser = one_of(&MISSING), default_value = "error")]
    missing: MissingPolicy,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Format of the results; see `truecount help output`
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

pub fn run(args: &ExperimentArgs) -> Result<(), CliError> {
    let ExperimentArgs { file, out, size, missing, threads, format } = args;
    let format = format.for_stdout()?;
    let request = ExperimentRequest { file, out, missing: *missing, threads: *threads, others: &[] };
    let finished = request.run(signals::stop_flag(), &ProgressBars, |tables| draw(tables, *size))?;
    output::print_message(&format!("wrote {}", out.join(SAMPLES).display()));
    output::print_message(&format!("wrote {} in {}", finished.files.join(", "), out.display()));
    output::print(&finished.tables().results(), format)
}
