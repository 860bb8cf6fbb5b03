//! Arguments of `truecount report`.

use crate::options::{
    AuditSampleArgs, ClassScoreArgs, DesignArgs, EstimationArgs, PublicationArgs, ReplicateArgs, SortArgs,
    StandardiseArgs, one_of,
};
use clap::builder::NonEmptyStringValueParser;
use std::path::PathBuf;
use truecount_analysis::request::EstimateRequest;
use truecount_report::drawing::FigureSize;
use truecount_report::{POSITIVE_NAME, ROW_NAME};

const AFTER: &str = "\
Example:
  truecount report --train labelled.csv --test messages.csv --by week \\
    --items messages --positive-name spam -o report.html";

/// Writes one HTML file that needs nothing else to be read: the answer as a sentence, whether it
/// can be relied on, a chart and a table of the groups, what the answer rests on; and, folded, the
/// scores, the check, other methods and what reproduces it. All test scores are held in memory.
#[derive(clap::Args)]
#[command(
    after_help = AFTER,
    mut_arg("class_scores", |classes| classes.conflicts_with_all(WITHOUT_CLASSES))
)]
pub struct ReportArgs {
    #[command(flatten)]
    pub estimation: EstimationArgs,
    #[command(flatten)]
    class_scores: ClassScoreArgs,
    #[command(flatten)]
    standardise: StandardiseArgs,
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    replicates: ReplicateArgs,
    #[command(flatten)]
    pub audit_sample: AuditSampleArgs,
    #[command(flatten)]
    publication: PublicationArgs,
    #[command(flatten)]
    pub sort_args: SortArgs,
    /// HTML file, written whole or not at all; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Folder for the figures one by one, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// Size of the figure of the estimate or the groups
    #[arg(long = "size", id = "figure_size", value_name = "SIZE", requires = "figures")]
    #[arg(value_parser = one_of(FigureSize::TABLE), default_value = "page")]
    pub figure_size: FigureSize,
    /// Plural noun for the rows in sentences
    #[arg(long, value_name = "NAME", default_value = ROW_NAME, value_parser = NonEmptyStringValueParser::new())]
    pub items: String,
    /// Noun or adjective for positives in sentences
    #[arg(long, value_name = "NAME", default_value = POSITIVE_NAME, value_parser = NonEmptyStringValueParser::new())]
    pub positive_name: String,
}

/// The options of this command that cannot be used with `--class-scores`.
const WITHOUT_CLASSES: [&str; 7] = ["rates", "threshold", "cutoff", "resamples", "seed", "audit", "positive_name"];

impl ReportArgs {
    pub fn request(&self) -> EstimateRequest {
        let request = self.replicates.add_to(self.design.add_to(self.estimation.request()));
        let request = self.publication.add_to(self.standardise.add_to(request));
        self.class_scores.add_to(request)
    }
}
