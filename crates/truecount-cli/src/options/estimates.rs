//! Options for estimates: intervals, totals, comparisons, strata and audited rows.

use super::columns::{ColumnList, names};
use super::design::sizes;
use super::model::{LabelledArgs, TestArgs};
use super::{names_of, one_of};
use crate::error::CliError;
use std::path::{Path, PathBuf};
use truecount::inference::{IntervalKind, OnMisfit};
use truecount::{IntervalOptions, Target};
use truecount_analysis::compare::ReferenceOption;
use truecount_analysis::request::{BOOTSTRAP, EstimateRequest, Sizes};
use truecount_analysis::strata::SmallStrata;
use truecount_tables::AuditFile;
use truecount_tables::groups::ScoreColumns;

/// The sources of standard errors and intervals.
pub const INTERVALS: [(&str, (), &str); 3] = {
    let [(wilson, _, wilson_help), (wald, _, wald_help)] = IntervalKind::TABLE else { panic!("two intervals") };
    [
        (wilson, (), wilson_help),
        (wald, (), wald_help),
        (BOOTSTRAP, (), "resamples of both samples; for every method, but slow"),
    ]
};

/// Level of the intervals.
#[derive(clap::Args)]
pub struct LevelArgs {
    /// Confidence level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, allow_hyphen_values = true)]
    pub level: f64,
}

/// Level and target of the intervals.
#[derive(clap::Args)]
pub struct LevelAndTargetArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// Estimand of the standard error and interval [default: sample; with weights population]
    #[arg(long, value_parser = one_of(Target::TABLE))]
    target: Option<Target>,
}

impl LevelAndTargetArgs {
    /// Returns interval options with this type of interval.
    pub fn interval_options(&self, interval: IntervalKind) -> Result<IntervalOptions, CliError> {
        Ok(IntervalOptions::new(self.level.level, self.target.unwrap_or_default())?.with_interval(interval))
    }

    /// Returns the level and the name of the target, which is empty by default.
    pub fn names(&self) -> (f64, String) {
        (self.level.level, self.target.map(|target| target.to_string()).unwrap_or_default())
    }
}

/// Level and target of the intervals, and the response to a misfit of the shift check.
#[derive(clap::Args)]
pub struct CheckedIntervalArgs {
    #[command(flatten)]
    intervals: LevelAndTargetArgs,
    /// Response to scores that fit no mix of the labelled classes
    #[arg(long, value_parser = one_of(OnMisfit::TABLE), default_value = "widen")]
    misfit: OnMisfit,
}

impl CheckedIntervalArgs {
    /// Returns interval options with this type of interval.
    pub fn interval_options(&self, interval: IntervalKind) -> Result<IntervalOptions, CliError> {
        Ok(self.intervals.interval_options(interval)?.on_misfit(self.misfit))
    }

    /// Returns a request with this type of interval.
    pub fn request(&self, interval: &str) -> EstimateRequest {
        let (level, target) = self.intervals.names();
        let (interval, misfit) = (interval.to_owned(), self.misfit.to_string());
        EstimateRequest { level, target, interval, misfit, ..EstimateRequest::default() }
    }
}

/// The model, the test scores, and the intervals of the estimates.
#[derive(clap::Args)]
pub struct EstimationArgs {
    #[command(flatten)]
    pub test_args: TestArgs,
    #[command(flatten)]
    pub intervals: CheckedIntervalArgs,
    /// Source of standard errors and intervals
    #[arg(long, value_parser = names_of(&INTERVALS), default_value = "wilson")]
    interval: String,
    /// Number of bootstrap resamples [default: 1000]
    #[arg(long, value_name = "N")]
    resamples: Option<u32>,
    /// Seed of the bootstrap [default: 1]
    ///
    /// The same seed gives the same results for any number of threads.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl EstimationArgs {
    /// Returns a request for estimates of the groups.
    pub fn request(&self) -> EstimateRequest {
        EstimateRequest {
            by: self.test_args.by.clone(),
            weight: self.test_args.weight.clone(),
            resamples: self.resamples.map(u64::from),
            seed: self.seed,
            ..self.intervals.request(&self.interval)
        }
    }
}

/// The total of all groups.
#[derive(clap::Args)]
pub struct TotalArgs {
    /// Add a row for all test scores together
    #[arg(long)]
    pub total: bool,
    #[command(flatten)]
    standardise: StandardiseArgs,
}

impl TotalArgs {
    /// Adds the options to a request.
    pub fn add_to(&self, request: EstimateRequest) -> EstimateRequest {
        EstimateRequest { total: self.total, ..self.standardise.add_to(request) }
    }
}

/// The standard population.
#[derive(clap::Args)]
pub struct StandardiseArgs {
    /// Add crude shares, and shares standardised to the group sizes of a standard population
    ///
    /// A table with a column size and --by columns, or a column of the test table that is constant within each group.
    /// Without some of the --by columns, such as region with --by region,age and sizes by age, each region has a crude
    /// and a standardised share, and comparisons are between regions.
    #[arg(long, value_name = "FILE|COL", value_parser = sizes)]
    standardise: Option<Sizes>,
}

impl StandardiseArgs {
    /// Adds the option to a request.
    pub fn add_to(&self, request: EstimateRequest) -> EstimateRequest {
        EstimateRequest { standardise: self.standardise.clone(), ..request }
    }
}

/// Parses the reference of a comparison, which must not be empty.
pub fn named_reference(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("name a group, or previous, total, rest or all".to_owned()) } else { Ok(text.to_owned()) }
}

/// Parses the reference of a comparison; an empty text stands for the usual reference.
#[allow(clippy::unnecessary_wraps)] // clap's value parsers return a `Result`
pub fn reference(text: &str) -> Result<ReferenceOption, String> {
    Ok(ReferenceOption::from_option(text))
}

/// Options for strata, each of which has its own model.
#[derive(clap::Args)]
pub struct StrataArgs {
    /// Column, in both tables, with strata that have a model each
    #[arg(long, value_name = "COL", conflicts_with = "model")]
    model_stratum: Option<String>,
    /// Response to strata of --model-stratum with fewer than ten labels in a class
    #[arg(long, value_parser = one_of(&SMALL_STRATA), default_value = "error", requires = "model_stratum")]
    small_strata: SmallStrata,
}

impl StrataArgs {
    /// Adds the options to a request.
    pub fn add_to(&self, request: EstimateRequest) -> EstimateRequest {
        EstimateRequest { model_stratum: self.model_stratum.clone(), small_strata: self.small_strata, ..request }
    }
}

const SMALL_STRATA: [(&str, SmallStrata, &str); 2] = [
    ("error", SmallStrata::Reject, "list them and fail"),
    ("pool", SmallStrata::Pool, "one model for all of them, and for the next smallest ones until there are enough"),
];

/// The rule for publication.
#[derive(clap::Args)]
pub struct PublicationArgs {
    /// Rule that flags and suppresses shares for publication: nchs, statcan or cv=LIMIT,LIMIT
    ///
    /// nchs is that of the National Center for Health Statistics for proportions (2017), statcan has
    /// Statistics Canada's letters by coefficient of variation, and cv=0.16,0.33 flags shares with a
    /// coefficient of variation above 0.16 and suppresses those above 0.33. The column publish has the
    /// flags; suppressed cells are empty in every format, and a note below the table cites the rule. A
    /// total can reveal a single suppressed group: leave one of them out of what you publish.
    #[arg(long, value_name = "RULE")]
    publish: Option<String>,
}

impl PublicationArgs {
    /// Adds the rule to a request.
    pub fn add_to(&self, request: EstimateRequest) -> EstimateRequest {
        EstimateRequest { publish: self.publish.clone(), ..request }
    }
}

/// The columns that describe how an audit was drawn and how rows count, in both tables.
#[derive(Clone, Copy, Default)]
pub struct AuditColumns<'a> {
    pub weight: Option<&'a str>,
    pub stratum: Option<&'a str>,
    pub cluster: Option<&'a str>,
}

/// The audited rows and their sampling weights.
#[derive(clap::Args)]
pub struct AuditSampleArgs {
    /// Audited rows: a labelled random sample of the test rows, with scores or with --id
    ///
    /// With --id, the scores and the grouping columns of the audited rows are those of the test table.
    #[arg(long, value_name = "FILE", group = "labels")]
    pub audit: Option<PathBuf>,
    /// Column with the weights of the audited rows [default: audit_weight, or equal weights]
    ///
    /// The weight is the number of rows that an audited row stands for: one over its probability
    /// of being drawn. Only the ratios count.
    #[arg(long, value_name = "COL", requires = "audit")]
    pub audit_weight: Option<String>,
    /// Columns with the labels of the audited rows, one for each person who labelled, separated by commas
    /// [default: --label]
    ///
    /// The label of a row is the mean of its labels; empty cells are left out.
    #[arg(long, value_name = "COL", value_parser = names, requires = "audit")]
    audit_label: Option<ColumnList>,
    /// Sheet of the workbook of audited rows [default: that of --sheet]
    #[arg(long, value_name = "NAME", requires = "audit")]
    pub audit_sheet: Option<String>,
    /// The audited rows are not in the test table and are added to it
    #[arg(long, requires = "audit", conflicts_with = "id")]
    pub audit_outside_test: bool,
}

impl AuditSampleArgs {
    /// Returns the table of audited rows at this path, with the names of its columns.
    pub fn file<'a>(
        &'a self,
        path: &'a Path,
        labelled: &'a LabelledArgs,
        (test, test_columns): (&'a [PathBuf], ScoreColumns<'a>),
        item_weight: Option<&'a str>,
        by: &'a [String],
    ) -> AuditFile<'a> {
        let sheet = test_columns.sheet.for_other_table(self.audit_sheet.as_deref());
        let labels = match &self.audit_label {
            Some(ColumnList(labels)) => labels.iter().map(String::as_str).collect(),
            None => vec![labelled.label.as_str()],
        };
        AuditFile {
            path,
            columns: ScoreColumns { sheet, ..test_columns },
            labels,
            classes: labelled.classes(),
            id: labelled.id(),
            test,
            test_columns,
            weight: self.audit_weight.as_deref(),
            item_weight,
            by,
            required: &[],
        }
    }
}
