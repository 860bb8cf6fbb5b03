//! What can be typed after `truecount check`.

use crate::options::{Labelled, Sorted, one_of};
use crate::output::Output;
use clap::ArgGroup;
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;
use truecount::distribution::Family;
use truecount::{Resamples, Transform};

/// Tests whether the test scores are a mixture of the two labelled classes, as they are when only the prevalence has
/// changed, and whether each family of distributions fits each class.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("learnt").required(true).args(["train"])))]
pub struct Check {
    #[command(flatten)]
    pub labelled: Labelled,
    /// Table of unlabelled scores; - for standard input; without it only the families are checked
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// One check for every combination of values of these columns
    #[arg(long, value_name = "COL", value_delimiter = ',', requires = "test")]
    pub by: Vec<String>,
    /// Column with the scores
    #[arg(long, value_name = "COL", default_value = "score")]
    pub score: String,
    /// Family in the picture; all are tested
    #[arg(long, value_parser = one_of(Family::TABLE), default_value = "normal")]
    pub family: Family,
    /// What to do to the scores before the families are fitted
    #[arg(long, value_parser = one_of(Transform::TABLE), default_value = "none")]
    pub transform: Transform,
    /// Samples that are drawn from each fitted family for its p-value, 99 to a million
    #[arg(long, value_name = "N", default_value_t = 999, value_parser = RangedU64ValueParser::<u32>::new().range(99..=Resamples::MOST))]
    pub resamples: u32,
    /// Start of the random numbers; the same seed gives the same p-values on any machine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub sorted: Sorted,
    #[command(flatten)]
    pub output: Output,
    /// SVG file to draw: Adjusted Count at every threshold, and how far the family is off in each class
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
}
