//! Options for estimates: intervals, totals, comparisons, strata and audited rows.

use super::columns::{ColumnList, names};
use super::design::DesignArgs;
use super::model::TestArgs;
use super::one_of;
use crate::error::CliError;
use std::path::{Path, PathBuf};
use truecount::bootstrap::Resamples;
use truecount::inference::IntervalKind;
use truecount::inference::OnMisfit;
use truecount::{IntervalOptions, Target};
use truecount_analysis::compare::ReferenceOption;
use truecount_analysis::estimates::Resampling;
use truecount_analysis::strata::SmallStrata;
use truecount_tables::AuditFile;
use truecount_tables::groups::{ScoreColumns, Sizes};

/// The source of standard errors and intervals.
#[derive(Clone, Copy)]
pub enum IntervalSource {
    Formula(IntervalKind),
    Bootstrap,
}

pub const INTERVALS: [(&str, IntervalSource, &str); 3] = {
    let [(wilson, wilson_interval, wilson_help), (wald, wald_interval, wald_help)] = IntervalKind::TABLE else {
        panic!("two intervals")
    };
    [
        (wilson, IntervalSource::Formula(*wilson_interval), wilson_help),
        (wald, IntervalSource::Formula(*wald_interval), wald_help),
        ("bootstrap", IntervalSource::Bootstrap, "resamples of both samples; for every method, but slow"),
    ]
};

/// Level of the intervals.
#[derive(clap::Args)]
pub struct LevelArgs {
    /// Confidence level of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, allow_hyphen_values = true)]
    level: f64,
}

impl LevelArgs {
    /// Returns interval options with this target.
    pub fn interval_options(&self, target: Target) -> Result<IntervalOptions, CliError> {
        Ok(IntervalOptions::new(self.level, target)?)
    }
}

/// Level and target of the intervals.
#[derive(clap::Args)]
pub struct LevelAndTargetArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// Estimand of the standard error and interval
    #[arg(long, value_parser = one_of(Target::TABLE), default_value = "sample")]
    target: Target,
}

impl LevelAndTargetArgs {
    /// Returns interval options with this type of interval.
    pub fn interval_options(&self, interval: IntervalKind) -> Result<IntervalOptions, CliError> {
        Ok(self.level.interval_options(self.target)?.with_interval(interval))
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
}

/// The model, the test scores, and the intervals of the estimates.
#[derive(clap::Args)]
pub struct EstimationArgs {
    #[command(flatten)]
    pub test_args: TestArgs,
    #[command(flatten)]
    pub intervals: CheckedIntervalArgs,
    /// Source of standard errors and intervals
    #[arg(long, value_parser = one_of(&INTERVALS), default_value = "wilson")]
    interval: IntervalSource,
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
    pub fn interval_options(&self) -> Result<IntervalOptions, CliError> {
        self.intervals.interval_options(match self.interval {
            IntervalSource::Formula(interval) => interval,
            IntervalSource::Bootstrap => IntervalKind::default(),
        })
    }

    /// Returns the options of the bootstrap; `None` without `--interval bootstrap`.
    pub fn resampling(&self) -> Result<Option<Resampling>, CliError> {
        if let IntervalSource::Formula(_) = self.interval {
            let options = [("--resamples", self.resamples.is_some()), ("--seed", self.seed.is_some())];
            return match options.iter().find(|(_, is_present)| *is_present) {
                Some((option, _)) => Err(CliError::usage(
                    format!("{option} has an effect with --interval bootstrap only"),
                    format!("leave out {option}, or add --interval bootstrap"),
                )),
                None => Ok(None),
            };
        }
        let number = self.resamples.map_or(Resamples::DEFAULT, u64::from);
        let weighted = self.test_args.weight.is_some();
        let resamples = Resamples::new(number, weighted, &self.interval_options()?)?;
        Ok(Some(Resampling { resamples, seed: self.seed.unwrap_or(1) }))
    }
}

/// Options for totals, finite populations and sampling designs.
#[derive(Default, clap::Args)]
pub struct TotalArgs {
    /// Add a row for all test scores together
    #[arg(long)]
    pub total: bool,
    /// Add a poststratified total with these group sizes
    ///
    /// A column of the test table that is constant within each group, or a table with the --by
    /// columns and a column size.
    #[arg(long, value_name = "COL|FILE", value_parser = sizes)]
    pub total_weights: Option<Sizes>,
    /// Population size; implies --target population
    ///
    /// A number; or, for groups, a column of the test table or a table with the --by columns and
    /// a column size. With --stratum these are the sizes of the strata.
    #[arg(long, value_name = "N|COL|FILE", value_parser = sizes, conflicts_with = "target")]
    pub population: Option<Sizes>,
    #[command(flatten)]
    pub design: DesignArgs,
}

/// Parses sizes of groups: a number, an existing table, or the name of a column.
#[allow(clippy::unnecessary_wraps)] // clap's value parsers return a `Result`
fn sizes(text: &str) -> Result<Sizes, String> {
    Ok(match text.parse() {
        Ok(number) => Sizes::Number(number),
        Err(_) if Path::new(text).is_file() => Sizes::Table(text.into()),
        Err(_) => Sizes::Column(text.to_owned()),
    })
}

/// Parses the reference of a comparison, which must not be empty.
pub fn named_reference(text: &str) -> Result<ReferenceOption, String> {
    if text.is_empty() { Err("name a group, or previous, total, rest or all".to_owned()) } else { reference(text) }
}

/// Parses the reference of a comparison; an empty text stands for the usual reference.
#[allow(clippy::unnecessary_wraps)] // clap's value parsers return a `Result`
pub fn reference(text: &str) -> Result<ReferenceOption, String> {
    Ok(if text.is_empty() { ReferenceOption::Auto } else { ReferenceOption::parse(text) })
}

impl TotalArgs {
    /// Returns whether no option is present.
    pub fn is_empty(&self) -> bool {
        let Self { total, total_weights, population, design } = self;
        !*total && total_weights.is_none() && population.is_none() && design.is_empty()
    }

    /// Returns the sizes of groups that are weights of the total, and those of populations.
    pub fn sizes(&self) -> [Option<&Sizes>; 2] {
        [self.total_weights.as_ref(), self.population.as_ref().filter(|_| self.design.stratum.is_none())]
    }

    /// Returns the paths of tables with sizes.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.total_weights, &self.population].into_iter().flatten().filter_map(Sizes::path)
    }

    /// Returns the interval options with the target that the design implies.
    pub fn with_implied_target(&self, options: IntervalOptions) -> IntervalOptions {
        if self.design.implies_population() { options.with_target(Target::Population) } else { options }
    }

    /// Returns an error if the options exclude each other; called before any file is read.
    pub fn check(&self, by: &[String], compared: bool, strata: &StrataArgs) -> Result<(), CliError> {
        let Self { total_weights, population, design, .. } = self;
        let DesignArgs { cluster, stratum, replicates, .. } = design;
        let (problem, hint) = match (total_weights, population) {
            (Some(Sizes::Number(_)), _) => {
                ("--total-weights needs the sizes of groups", "name a column of the test table, or a file with a table")
            }
            (Some(_), _) if by.is_empty() => ("--total-weights needs groups", "name the grouping columns with --by"),
            (_, Some(Sizes::Number(_))) if stratum.is_some() => {
                let hint = "name a column of the test table, or a table with the column of --stratum and a column size";
                ("--population with --stratum needs a size for each stratum", hint)
            }
            (_, Some(Sizes::Number(_))) if !by.is_empty() => {
                let hint = "name a column of the test table, or a table with the columns of --by and a column size";
                ("--population with --by needs a size for each group", hint)
            }
            _ if by.is_empty() && compared => ("only groups can be compared", "name the grouping columns with --by"),
            _ if cluster.as_ref().is_some_and(|cluster| by.contains(cluster)) => {
                ("--cluster and --by name the same column, so each group would be one cluster", "name another column")
            }
            _ if cluster.is_some() && cluster == stratum => {
                ("--cluster and --stratum name the same column", "leave out one of them")
            }
            _ if replicates.is_some() && (population.is_some() || stratum.is_some() || cluster.is_some()) => {
                let problem = "--replicates cannot be used with --stratum, --cluster or --population";
                (problem, "leave them out: replicate weights contain the design")
            }
            _ if strata.model_stratum.is_some() && (population.is_some() || !design.is_empty()) => {
                let problem = "--model-stratum cannot be used with --population, --cluster, --stratum or --replicates";
                (problem, "leave out one of them")
            }
            _ => return Ok(()),
        };
        Err(CliError::usage(problem, hint))
    }

    /// Returns an error for options that the bootstrap does not support: comparisons,
    /// poststratified totals, clusters, populations of groups, and strata.
    pub fn check_bootstrap(&self, by: &[String], compared: bool, strata: &StrataArgs) -> Result<(), CliError> {
        let option = match self {
            _ if strata.model_stratum.is_some() => "--model-stratum",
            _ if compared => "a comparison",
            Self { total_weights: Some(_), .. } => "--total-weights",
            Self { design: DesignArgs { cluster: Some(_), .. }, .. } => "--cluster",
            Self { design: DesignArgs { stratum: Some(_), .. }, .. } => "--stratum",
            Self { design: DesignArgs { replicates: Some(_), .. }, .. } => "--replicates",
            Self { population: Some(Sizes::Number(_)), .. } if by.is_empty() => return Ok(()),
            Self { population: Some(_), .. } => "--population of groups",
            _ => return Ok(()),
        };
        Err(CliError::usage(
            format!("{option} cannot be used with --interval bootstrap, as it has formulas of its own"),
            "leave out --interval bootstrap",
        ))
    }
}

/// Options for strata, each of which has its own model.
#[derive(clap::Args)]
pub struct StrataArgs {
    /// Column, in both tables, with strata that have a model each
    #[arg(long, value_name = "COL", conflicts_with = "model")]
    pub model_stratum: Option<String>,
    /// Response to strata of --model-stratum with fewer than ten labels in a class
    #[arg(long, value_parser = one_of(&SMALL_STRATA), default_value = "error", requires = "model_stratum")]
    pub small_strata: SmallStrata,
}

const SMALL_STRATA: [(&str, SmallStrata, &str); 2] = [
    ("error", SmallStrata::Reject, "say which they are, and stop"),
    ("pool", SmallStrata::Pool, "one model for all of them, and for the next smallest ones until there are enough"),
];

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
    /// Audited rows: a labelled random sample of the test rows, with scores
    #[arg(long, value_name = "FILE")]
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
    #[arg(long, requires = "audit")]
    pub audit_outside_test: bool,
}

/// The equivalence test of external labels.
#[derive(clap::Args)]
pub struct EquivalenceArgs {
    /// With --audit: may the external labels be relied on within this margin?
    ///
    /// They pass if the interval of the difference between both estimates lies within the margin,
    /// and fail if it lies outside. At least 20 audited rows are needed to pass.
    #[arg(long, value_name = "NUMBER", requires = "audit", allow_negative_numbers = true)]
    pub margin: Option<f64>,
}

impl AuditSampleArgs {
    /// Returns the table of audited rows at this path, with the names of its columns.
    pub fn file<'a>(
        &'a self,
        path: &'a Path,
        columns: ScoreColumns<'a>,
        (label, positive): (&'a str, &'a str),
        item_weight: Option<&'a str>,
        by: &'a [String],
    ) -> AuditFile<'a> {
        let columns = ScoreColumns { sheet: columns.sheet.for_other_table(self.audit_sheet.as_deref()), ..columns };
        let labels = match &self.audit_label {
            Some(ColumnList(labels)) => labels.iter().map(String::as_str).collect(),
            None => vec![label],
        };
        AuditFile { path, columns, labels, positive, weight: self.audit_weight.as_deref(), item_weight, by }
    }
}
