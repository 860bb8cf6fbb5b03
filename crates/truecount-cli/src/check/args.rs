//! What can be typed after `truecount check`.

use crate::options::{By, ColumnNames, Labelled, Sorted, one_of, share};
use crate::output::Output;
use clap::ArgGroup;
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;
use truecount::distribution::Family;
use truecount::{Resamples, Transform};
use truecount_analysis::family_test::FitResampling;

/// Tests whether the test scores are a mixture of the two labelled classes, as they are when only the prevalence has
/// changed, and whether each family of distributions fits each class.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("source").required(true).args(["train", "model"])))]
#[command(mut_arg("by", |by| by.requires("test").help("One check for every combination of values of these columns, separated by commas or \
    each with a --by of its own; a name with a comma in double quotes: --by '\"City, State\",week'")))]
pub struct Check {
    #[command(flatten)]
    pub labelled: Labelled,
    /// Model written by `truecount fit`, instead of --train: its labelled scores and its transform are checked; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "transform", "label", "positive", "label_weight",
        "label_cluster", "fold"])]
    pub model: Option<PathBuf>,
    /// Tables of unlabelled scores, or a pattern such as 'scores/*.parquet'; - for standard input; without them only the families
    /// and folds are checked
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<PathBuf>,
    #[command(flatten)]
    pub by: By,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// Column of the test file with survey weights: rows of weight 0 do not count, all others count once
    #[arg(long, value_name = "COL", requires = "test")]
    pub weight: Option<String>,
    /// Column of the labelled table with the fold of each row, where each fold is scored by a classifier of its own: tests whether
    /// these score alike
    #[arg(long, value_name = "COL", conflicts_with_all = ["label_weight", "label_cluster"])]
    pub fold: Option<String>,
    /// By how much estimates of es move if so many positives or negatives, such as 2%, score otherwise than the labelled ones
    #[arg(long, value_name = "SHARE", requires = "test", value_parser = share)]
    pub suppose: Option<f64>,
    /// Family in the picture; all are tested [default: the model's, or normal]
    #[arg(long, value_parser = one_of(Family::TABLE))]
    pub family: Option<Family>,
    /// What to do to the scores before the families are fitted
    #[arg(long, value_parser = one_of(Transform::TABLE), default_value = "none")]
    pub transform: Transform,
    /// p-values of the families from so many samples drawn from each fit, 99 to a million, instead of the law for large samples
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(99..=Resamples::MOST))]
    pub resamples: Option<u32>,
    /// Start of the random numbers; the same seed gives the same p-values on any machine
    #[arg(long, value_name = "N", default_value_t = 1, requires = "resamples")]
    pub seed: u64,
    /// Threads that read, and draw samples; the results are the same to the last digit [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub sorted: Sorted,
    #[command(flatten)]
    pub output: Output,
    /// SVG file to draw: Adjusted Count at every threshold, and how far the family is off in each class
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
}

impl Check {
    /// The samples that are drawn for p-values of the families, if they are asked for.
    pub fn resampling(&self) -> Option<FitResampling> {
        self.resamples.map(|resamples| FitResampling { resamples, seed: self.seed })
    }
}
