//! Where the labelled scores are.

use std::path::{Path, PathBuf};
use truecount_io::LabelledFile;
use truecount_io::groups::ScoreColumns;

/// The labelled data.
#[derive(Clone, clap::Args)]
pub struct Labelled {
    /// Table of labelled scores; - for standard input
    #[arg(long = "train", value_name = "FILE", id = "train")]
    pub path: Option<PathBuf>,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = "label")]
    pub label: String,
    /// The label of a positive
    #[arg(long, value_name = "VALUE", default_value = "1", allow_hyphen_values = true)]
    pub positive: String,
}

impl Labelled {
    /// Labels and scores of such columns in that file, with what needs scores strictly between 0 and 1, if anything
    /// does.
    pub fn file<'a>(
        &'a self,
        path: &'a Path,
        columns: ScoreColumns<'a>,
        unit_interval: Option<&'static str>,
    ) -> LabelledFile<'a> {
        LabelledFile { path, columns, label: &self.label, positive: &self.positive, unit_interval }
    }
}
