//! A model: from labelled scores or from a file.

use super::train::Train;
use clap::ArgGroup;
use std::path::PathBuf;

/// Where the model comes from.
#[derive(Clone, clap::Args)]
#[command(group(ArgGroup::new("source").required(true).args(["train", "model"])))]
pub struct Source {
    #[command(flatten)]
    pub train: Train,
    /// Model written by `truecount fit`, instead of --train; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "method", "family", "transform", "anchor",
        "threshold", "cutoff", "label", "positive", "label_weight", "label_cluster"])]
    pub model: Option<PathBuf>,
}

impl Source {
    /// The same from another file: of labelled scores, or of a model.
    pub fn with(&self, train: Option<PathBuf>, model: Option<PathBuf>) -> Self {
        let mut other = self.clone();
        other.train.labelled.path = train;
        Self { model, ..other }
    }

    /// The file it is learnt from.
    pub fn path(&self) -> Option<&PathBuf> {
        self.train.labelled.path.as_ref().or(self.model.as_ref())
    }
}
