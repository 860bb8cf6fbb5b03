//! Where the labelled scores are.

use super::clusters::Clusters;
use std::path::{Path, PathBuf};
use truecount_tables::LabelledFile;
use truecount_tables::groups::ScoreColumns;

/// Where labels are, and what a positive's is, where nothing is said.
pub const LABEL: &str = "label";
pub const POSITIVE: &str = "1";

/// The labelled data.
#[derive(Clone, clap::Args)]
pub struct Labelled {
    /// Table of labelled scores; - for standard input
    #[arg(long = "train", value_name = "FILE", id = "train")]
    pub path: Option<PathBuf>,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = LABEL)]
    pub label: String,
    /// The label of a positive
    #[arg(long, value_name = "VALUE", default_value = POSITIVE, allow_hyphen_values = true)]
    pub positive: String,
    /// Column of the labelled table with weights: each row stands for so many of its class, as where labels were drawn by score; only
    /// their ratios count, and rows of weight 0 count for nothing
    #[arg(long, value_name = "COL")]
    pub label_weight: Option<String>,
    #[command(flatten)]
    pub clusters: Clusters,
}

impl Labelled {
    /// Labels, scores and what is known of how the rows were drawn, of such columns in that file, with what needs scores strictly between 0 and 1, if anything
    /// does.
    pub fn file<'a>(
        &'a self,
        path: &'a Path,
        columns: ScoreColumns<'a>,
        unit_interval: Option<&'static str>,
    ) -> LabelledFile<'a> {
        let Self { label, positive, label_weight, clusters, .. } = self;
        let (weight, cluster) = (label_weight.as_deref(), clusters.column());
        LabelledFile { path, columns, label, positive, weight, cluster, unit_interval }
    }
}
