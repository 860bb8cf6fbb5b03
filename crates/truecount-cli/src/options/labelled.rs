//! Where the labelled scores are.

use std::path::PathBuf;

/// The labelled data.
#[derive(clap::Args)]
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
