//! Problems of an analysis with its arguments, in addition to the library's problems.

use crate::executor::Interrupted;
use crate::spelling::{Interface, spell};
use std::fmt;
use truecount::conditions;
use truecount::error::{Condition, ErrorCondition, ErrorKind, Field};
use truecount::internal::ToFields;

conditions! {
    /// A problem of an analysis with its arguments.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[allow(missing_docs)] // the sentences say what the fields are
    pub enum AnalysisProblem, kind: ErrorKind {
        /// A baseline is neither a date nor a range of dates.
        #[condition("option-invalid", Options, "{name} is '{value}'")]
        #[hint("it must be a date such as 2026-W05, or a range such as 2026-01..2026-03")]
        NotABaseline { name: &'static str, value: String },

        /// No period of a series lies in the baseline.
        #[condition("group-unknown", Options, "no {column} lies in the baseline '{value}'")]
        #[hint("name a {column} from '{first}' to '{last}', or a range of them")]
        BaselineWithoutPeriods { column: String, value: String, first: String, last: String },

        /// Folds cannot be compared because no class has rows of two folds.
        #[condition(
            "folds-not-comparable", Labels,
            "the folds cannot be compared, as no class has rows of two folds"
        )]
        #[hint("leave out {name}")]
        FoldsNotComparable { name: &'static str },

        /// The number of samples is not a multiple of the number of prevalences in the grid.
        #[condition(
            "option-invalid", Options,
            "samples is {samples}, but the protocol grid takes {grid} prevalences in turn"
        )]
        #[hint("use a multiple of {grid}, such as {next}")]
        NotAMultipleOfGrid { samples: u64, grid: u64, next: u64 },

        /// Groups of audits or counts are compared with a total.
        #[condition("option-conflict", Options, "{description} cannot be compared with the total or the rest")]
        #[hint("compare them with the group before, with each other, or with one group")]
        ReferenceNotAGroup { description: &'static str },

        /// Options exclude each other, or one needs another. Their names are in braces.
        #[condition("option-conflict", Options, "{}", spell(&problem.0, Interface::Python))]
        #[hint("{}", spell(&hint.0, Interface::Python))]
        OptionConflict { problem: SentenceText, hint: SentenceText },

        /// Results cannot be written where an option says.
        #[condition("output-not-possible", Options, "{problem}")]
        #[hint("{hint}")]
        OutputNotPossible { problem: SentenceText, hint: SentenceText },

        /// The pool consists of the scores that the model was fitted to.
        #[condition(
            "option-invalid", Options,
            "the errors would be too small, as the pool has the scores that the model was fitted to"
        )]
        #[hint("split the labelled scores at random, one part for the model and one for the pool")]
        PoolIsTrainingData,

        /// The pool has fewer rows of one of several classes than a sample may need.
        #[condition(
            "class-pool-too-small", Labels,
            "the pool has {n} rows of class '{class}', but a sample may need {size}"
        )]
        #[hint("draw smaller samples, or simple random ones")]
        ClassPoolTooSmall { class: String, n: usize, size: usize },

        /// Two samples have no group in common.
        #[condition("groups-not-common", Scores, "has none of the groups of the other sample")]
        #[hint("check the values of the grouping columns")]
        GroupsNotCommon,

        /// Families cannot be fitted to scores with weights or clusters.
        #[condition(
            "option-conflict", Options,
            "families cannot be fitted to labelled scores with weights or clusters"
        )]
        #[hint("check the test scores only")]
        WeightedOrClustered { name: &'static str },

        /// Some strata have too few labels for a separate model.
        #[condition("stratum-labels-few", Labels, "too few labelled scores for a separate model: {column} {sizes}")]
        #[hint("label at least {least} of each class, or let small strata share one model")]
        StratumLabelsFew { column: String, strata: Vec<String>, sizes: SentenceText, least: u64 },

        /// All strata together have too few labels for one model.
        #[condition(
            "strata-labels-few", Labels,
            "too few labelled scores even for one model of all strata with test scores: {positive} positive and \
             {negative} negative"
        )]
        #[hint("label more")]
        StrataLabelsFew { positive: usize, negative: usize },

        /// A group that should be a date is not one.
        #[condition("groups-not-dates", Options, "'{value}' in the column '{column}' is not a date")]
        #[hint("dates look like 2026-01-31 (a time may follow), 2026-W05, 2026-01 or 2026-Q1")]
        GroupsNotDates { column: String, value: String },

        /// A value that should be a date is not one.
        #[condition("not-a-date", Options, "'{value}' in the column '{column}' is not a date or a time")]
        #[hint("dates look like 2026-01-31 or 31.1.2026, and times like 2026-01-31 12:30 or 2026-01-31T12:30:59+01:00")]
        NotADate { column: String, value: String },

        /// A rule for publication has an unknown name.
        #[condition("unknown-publication-rule", Options, "'{name}' is not a rule for publication")]
        #[hint("the rules are nchs, statcan, and limits of the coefficient of variation such as cv=0.16,0.33")]
        UnknownPublicationRule { name: String },

        /// A time zone has an unknown name.
        #[condition("unknown-zone", Options, "'{name}' is not the name of a time zone")]
        #[hint("names are like Europe/Berlin and America/New_York")]
        UnknownZone { name: String },

        /// A value cannot be replaced by a period of time.
        #[condition(
            "date-not-in-period", Options,
            "'{value}' in the column '{column}' does not determine the {period}"
        )]
        #[hint(
            "dates look like 2026-01-31 (a time may follow), 31.1.2026, or 31/1/2026 if the dates show that the day \
             comes first; a month does not determine the week, nor a day the hour"
        )]
        DateNotInPeriod { column: String, value: String, period: String },

        /// Most periods of a series have too few rows.
        #[condition(
            "periods-too-short", Options,
            "most periods are too short: {short_periods} of {periods} have fewer than {min_rows} rows and no reliable \
             estimate"
        )]
        #[hint("group the dates by longer periods")]
        PeriodsTooShort { short_periods: u64, periods: u64, min_rows: u64 },

        /// Two periods of a series share days.
        #[condition(
            "periods-overlap", Options,
            "the periods '{first}' and '{second}' in the column '{column}' overlap, so they do not follow one another"
        )]
        #[hint("write all dates in one way, or group them by periods of one length, such as months")]
        PeriodsOverlap { column: String, first: String, second: String },

        /// No group has a date.
        #[condition("groups-without-dates", Tally, "no group has a date in the column '{column}'")]
        GroupsWithoutDates { column: String },

        /// The kind of replicate weights is not known.
        #[condition("option-invalid", Options, "'{value}' is not a kind of replicate weights")]
        #[hint("it must be bootstrap, brr, fay=0.5 (with a factor in [0, 1)), jk1, jk2, jkn or sdr")]
        NotAReplicateKind { value: String },

        /// Different shares of the strata were drawn, and the rows have no weights.
        #[condition(
            "strata-need-weights", Options,
            "{:.2} % to {:.2} % of the strata were drawn, so the rows stand for different numbers of cases",
            100.0 * least, 100.0 * most
        )]
        #[hint("give each row a weight: the size of its stratum over the number of rows drawn there")]
        StrataNeedWeights { least: f64, most: f64 },

        /// A rate has two denominators.
        #[condition("denominator-twice", Scores, "is '{value}', but its denominator is also given as {of}")]
        #[hint("keep one of them")]
        DenominatorTwice { value: String, of: u64 },
    }
}

impl AnalysisProblem {
    /// Returns the error of an option that names an output.
    pub fn output(problem: impl Into<String>, hint: impl Into<String>) -> truecount::Error {
        Self::OutputNotPossible { problem: SentenceText(problem.into()), hint: SentenceText(hint.into()) }.into()
    }

    /// Returns the error of a conflict between options, whose names are in braces.
    pub fn option_conflict(problem: impl Into<String>, hint: impl Into<String>) -> truecount::Error {
        Self::OptionConflict { problem: SentenceText(problem.into()), hint: SentenceText(hint.into()) }.into()
    }
}

/// Text that appears in the sentence but is not exposed as a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentenceText(pub String);

impl ToFields for SentenceText {
    fn add_fields(&self, _: &'static str, _: &mut Vec<(&'static str, Field)>) {}
}

impl fmt::Display for SentenceText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An interruption passes through the analyses as an error. Each interface then ends the call as its language does.
impl Condition for Interrupted {
    fn code(&self) -> &'static str {
        "work-interrupted"
    }

    fn fields(&self) -> Vec<(&'static str, Field)> {
        Vec::new()
    }

    fn problem(&self) -> String {
        "stopped".to_owned()
    }
}

impl ErrorCondition for Interrupted {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Options
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.problem())
    }
}
