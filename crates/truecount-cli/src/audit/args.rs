//! Arguments of `truecount audit`.

use crate::options::{
    AuditColumns, AuditSampleArgs, ByArgs, CheckedIntervalArgs, ColumnList, ColumnNames, LabelledArgs, SortArgs,
    TrainColumnArgs, names, one_of, reference,
};
use crate::output::OutputArgs;
use clap::ArgGroup;
use std::path::PathBuf;
use truecount::inference::IntervalKind;
use truecount_analysis::compare::ReferenceOption;

const AFTER: &str = "\
Examples:
  truecount audit --test all.csv --train labelled.csv --half-width 0.03
  truecount audit --test all.csv --train labelled.csv --draw 200 --output to-label.csv
  truecount audit --test all.csv --train labelled.csv --audit audited.csv
  truecount audit --population areas.csv --audit sites.csv --prediction map";

/// Options that affect estimates from audited rows only.
const WITH_AUDIT: [&str; 7] =
    ["audit_weight", "audit_label", "audit_outside_test", "margin", "weight", "total", "compare"];

/// Options that cannot be combined with `--prediction`.
const WITHOUT_PREDICTION: [&str; 24] = [
    "audit_weight", "audit_label", "audit_outside_test", "margin", "weight", "cluster", "total", "compare", "train",
    "model", "positive", "ignore_label", "rest", "label_file", "id", "label_weight", "label_cluster", "label_stratum",
    "score", "prob", "score_positive", "train_score", "misfit", "threads",
];

/// Some rows of the test table are drawn at random and labelled by people. --half-width plans their
/// number, --draw draws them, and --audit estimates the prevalence of all rows: from the audited
/// labels alone, from these labels and the scores of all rows (prediction-powered inference), from
/// external labels, and from both, with a test of whether the external labels are valid here.
#[derive(clap::Args)]
#[command(after_help = AFTER, group(ArgGroup::new("job").required(true).args(["audit", "half_width", "draw"])))]
pub struct AuditArgs {
    /// Tables of all rows of the target, or patterns such as 'scores/*.parquet'; - for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "population")]
    pub test: Vec<PathBuf>,
    #[command(flatten)]
    pub audit_sample: AuditSampleArgs,
    /// Column with the predicted class of each audited row: estimate the shares of several classes
    ///
    /// Labels may then have any values. A second table has the accuracy of the predictions: overall, by
    /// predicted class (user's) and by true class (producer's). The strata are the predicted classes, or
    /// those of --stratum; each counts by its rows in the test table, or by its size in --population.
    /// Within each, rows must have been drawn with the same probability.
    #[arg(long, value_name = "COL", requires = "audit", conflicts_with_all = WITHOUT_PREDICTION)]
    pub prediction: Option<String>,
    /// Table of the sizes of the strata, instead of --test; implies --target population
    ///
    /// It has the columns of groups and strata, and a column size. Sizes may be areas: only their ratios count.
    /// With --target sample they must be numbers of rows, including the audited ones.
    #[arg(long, value_name = "FILE", requires = "prediction", conflicts_with = "test")]
    pub population: Option<PathBuf>,
    /// Column with numbers of audited rows, if --audit is a table of counts
    #[arg(long, value_name = "COL", requires = "prediction")]
    pub audit_count: Option<String>,
    /// Plan: number of rows to audit for an interval of this half-width
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, conflicts_with_all = WITH_AUDIT)]
    #[arg(conflicts_with_all = ["stratum", "cluster"])]
    pub half_width: Option<f64>,
    /// Design effect to plan for, if clusters are to be drawn
    ///
    /// The variance divided by that of rows drawn one by one, which an earlier audit with --cluster shows.
    #[arg(long, value_name = "NUMBER", default_value = "1", requires = "half_width", allow_negative_numbers = true)]
    pub design_effect: f64,
    /// Prevalence to plan for [default: in the interval of the external estimate, the one closest to
    /// 0.5]
    #[arg(long, value_name = "P", requires = "half_width", allow_negative_numbers = true)]
    pub prevalence: Option<f64>,
    /// Draw this number of rows, or of clusters, in each group and stratum, to be labelled
    ///
    /// Rows with uncertain scores are drawn more often (Neyman allocation); clusters are drawn with equal
    /// probability and with all their rows. The output has the weight of each row.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = WITH_AUDIT)]
    pub draw: Option<u64>,
    /// Columns of the test table that the drawn rows keep, separated by commas
    #[arg(long, value_name = "COL", value_parser = names, requires = "draw")]
    pub keep: Vec<ColumnList>,
    /// Draw all rows with the same probability
    #[arg(long, requires = "draw", conflicts_with = "cluster")]
    pub uniform: bool,
    /// Seed of the draw
    ///
    /// The same seed draws the same rows.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "draw")]
    pub seed: u64,
    /// With --audit: equivalence margin for the external labels
    ///
    /// They pass if the interval of the difference between both estimates lies within the margin,
    /// and fail if it lies outside. At least 20 audited rows are needed to pass.
    #[arg(long, value_name = "NUMBER", requires = "audit", allow_negative_numbers = true)]
    pub margin: Option<f64>,
    /// Column with weights of the rows, such as views, in both tables
    ///
    /// The estimate is the share of the views that are of positives. Only the ratios of the weights
    /// count; a row of weight 0 is left out. The weights of the draw are those of --audit-weight.
    #[arg(long, value_name = "COL")]
    weight: Option<String>,
    /// Column with the strata of the rows, in both tables, if rows are drawn from each stratum
    ///
    /// Each stratum counts by its number of rows, whatever number of them was audited.
    #[arg(long, value_name = "COL")]
    stratum: Option<String>,
    /// Column with the clusters of the rows, in both tables, if clusters are drawn
    ///
    /// Rows with the same value, such as a user or a site, were drawn together. Standard errors are
    /// then cluster-robust.
    #[arg(long, value_name = "COL", conflicts_with = "audit_outside_test")]
    cluster: Option<String>,
    /// Add a row for all groups together, each by its number of rows
    #[arg(long)]
    pub total: bool,
    /// Add differences between groups [default: previous or all]
    ///
    /// Recommended estimates are compared: with the group before (previous), in all pairs (all), or
    /// with the group with this value of the last --by column.
    #[arg(long, value_name = "REFERENCE", num_args = 0..=1, default_missing_value = "", value_parser = reference)]
    #[arg(requires = "by")]
    pub compare: Option<ReferenceOption>,
    #[command(flatten)]
    pub labelled: LabelledArgs,
    /// Model from `truecount fit`, instead of --train
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "label_weight", "label_cluster", "label_stratum"])]
    pub model: Option<PathBuf>,
    #[command(flatten)]
    pub by: ByArgs,
    #[command(flatten)]
    pub columns: ColumnNames,
    #[command(flatten)]
    pub train_columns: TrainColumnArgs,
    #[command(flatten)]
    pub intervals: CheckedIntervalArgs,
    /// Type of the intervals
    #[arg(long, value_parser = one_of(IntervalKind::TABLE), default_value = "wilson")]
    pub interval: IntervalKind,
    /// Number of threads [default: all]
    ///
    /// The results are the same to the last digit for any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub sort_args: SortArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl AuditArgs {
    /// Returns the columns that describe how the audit was drawn and how rows count.
    pub fn design(&self) -> AuditColumns<'_> {
        AuditColumns {
            weight: self.weight.as_deref(),
            stratum: self.stratum.as_deref(),
            cluster: self.cluster.as_deref(),
        }
    }
}
