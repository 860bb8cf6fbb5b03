//! Arguments of `truecount evaluate`.

use crate::options::{ClassScoreArgs, ColumnNames, LABEL_OPTIONS, TrainArgs, one_of};
use crate::output::OutputFormat;
use clap::ArgGroup;
use clap::builder::Resettable;
use std::path::PathBuf;
use truecount::evaluation::SamplingProtocol;
use truecount_analysis::request::EvaluateRequest;
use truecount_report::drawing::FigureSize;

const AFTER: &str = "\
Examples:
  truecount evaluate --train labelled.csv --pool pool.csv --method es,o-cs
  truecount evaluate --train labelled.csv --pool pool.csv --class-scores 'p_*' --method ml,pacc
  truecount evaluate --estimates estimates.csv --reference es

--estimates takes every column as a method that is not truth, sample or id, n (the \
size of the sample), or METHOD_lower and METHOD_upper, a method's interval. What \
--output writes is of that form.";

/// Draws samples from a labelled pool and estimates their prevalences, or reads estimates; and compares them with the
/// truth.
#[derive(clap::Args)]
#[command(
    group(ArgGroup::new("source").required(true).args(["pool", "estimates"])),
    // The conflicts of other commands are with options that this one does not have.
    mut_arg("class_scores", |classes| classes.conflicts_with(Resettable::Reset).conflicts_with_all(WITHOUT_CLASSES)),
    after_help = AFTER
)]
pub struct EvaluateArgs {
    #[command(flatten)]
    pub train: TrainArgs,
    /// Table of labelled scores from which samples are drawn; - for standard input
    #[arg(long, value_name = "FILE", requires = "train")]
    pub pool: Option<PathBuf>,
    #[command(flatten)]
    pub columns: ColumnNames,
    #[command(flatten)]
    pub class_scores: ClassScoreArgs,
    /// Prevalences of the samples
    #[arg(long, value_parser = one_of(SamplingProtocol::TABLE), default_value = "uniform")]
    pub protocol: SamplingProtocol,
    /// Number of samples, up to a million [default: 1000; 1050 for the grid]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: Option<u32>,
    /// Scores in each sample [default when drawing: 250]
    ///
    /// For --estimates: the sample size where the table has no column n.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub size: Option<u32>,
    /// Seed of the samples
    ///
    /// The same seed gives the same samples for any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Confidence level of the intervals; their target is the sample
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, allow_hyphen_values = true)]
    pub level: f64,
    /// File for the table of all estimates
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Table of estimates, instead of --train and --pool; - for standard input
    ///
    /// --method names columns of the table, all by default.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "pool", "family", "transform", "rates", "threshold",
        "cutoff", "score", "prob", "protocol", "samples", "seed", "threads", "level", "output"], conflicts_with_all = LABEL_OPTIONS)]
    pub estimates: Option<PathBuf>,
    /// Column of --estimates with the true prevalences [default: truth]
    #[arg(long, value_name = "COL", conflicts_with = "train")]
    pub truth: Option<String>,
    /// Method with which the others are compared [default: the first]
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,
    /// Folder for figures of the errors
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// Size of the figures
    #[arg(long, value_name = "SIZE", requires = "figures")]
    #[arg(value_parser = one_of(FigureSize::TABLE), default_value = "page")]
    pub figure_size: FigureSize,
    /// Format of the results; see `truecount help output`
    #[arg(long, value_enum, default_value_t)]
    pub format: OutputFormat,
}

const WITHOUT_CLASSES: [&str; 11] = [
    "estimates", "score", "prob", "score_positive", "positive", "rest", "family", "transform", "rates", "threshold",
    "cutoff",
];

impl EvaluateArgs {
    /// Returns the request.
    pub fn request(&self) -> EvaluateRequest {
        let Self { protocol, samples, seed, level, ref reference, .. } = *self;
        let default = EvaluateRequest::default();
        let size = self.size.map_or(default.size, |size| size as usize);
        EvaluateRequest { protocol: protocol.to_string(), samples, size, seed, level, reference: reference.clone() }
    }
}
