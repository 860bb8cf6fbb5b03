//! Columns of shares of several classes.

use super::Mark;
use super::column::{CellFormat, ResultColumn, Unit};
use super::differences::CLASS;
use super::row::{ResultRow, Span};
use serde_json::json;
use std::sync::Arc;
use truecount::Interval;
use truecount::error::{Condition, Severity};
use truecount::multiclass::{ClassWarning, MulticlassEstimate};

/// The share of one class in a group.
pub struct ClassShareRow {
    /// The group's index among the keys.
    pub group: usize,
    /// Whether the share is the total of all groups.
    pub is_total: bool,
    /// The index of the class.
    pub class: usize,
    /// The name of the class.
    pub name: String,
    /// The shares of all classes in the group.
    pub estimate: Arc<MulticlassEstimate>,
}

impl ClassShareRow {
    /// Returns the rows of the classes with these names in a group, or in all groups together.
    pub fn for_group(group: usize, is_total: bool, names: &[String], estimate: MulticlassEstimate) -> Vec<Self> {
        let estimate = Arc::new(estimate);
        let row = |(class, name): (usize, &String)| {
            let (name, estimate) = (name.clone(), Arc::clone(&estimate));
            Self { group, is_total, class, name, estimate }
        };
        names.iter().enumerate().map(row).collect()
    }

    fn std_error(&self) -> f64 {
        self.estimate.std_errors()[self.class]
    }

    fn interval(&self) -> Interval {
        self.estimate.intervals[self.class]
    }

    fn simultaneous_interval(&self) -> Interval {
        self.estimate.simultaneous[self.class]
    }

    /// Returns the warnings that are about the class.
    pub fn warnings(&self) -> impl Iterator<Item = &ClassWarning> {
        self.estimate.warnings.iter().filter(|warning| warning.concerns(&self.name))
    }

    fn severity(&self) -> Option<Severity> {
        self.warnings().map(ClassWarning::severity).max()
    }
}

impl ResultRow for ClassShareRow {
    const NAME: &'static str = "shares";

    const GROUP_COLUMNS: Option<&'static [&'static str]> = Some(&["n", "mix_p"]);

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text(CLASS, "the class", |row| row.name.as_str().into()).shown(CellFormat::AsIs),
            Self::text("method", "the method for several classes", |row| row.estimate.method.to_string().into()),
            Self::count("n", "number of rows", |row| row.estimate.n).shown(CellFormat::AsIs),
            Self::share(
                "prevalence",
                "the estimated share of the class; the shares of all classes have the sum 1",
                |row| row.estimate.shares[row.class],
            )
            .shown(CellFormat::Decimals(4)),
            Self::share("se", "standard error", Self::std_error).shown(CellFormat::StandardError),
            Self::share(
                "se_labelled",
                "the part of the standard error from the sampling of the labelled rows",
                |row| row.estimate.labelled_std_errors[row.class],
            ),
            Self::share("lower", "lower end of the interval", |row| row.interval().lower)
                .heading("interval", CellFormat::IntervalTo("upper")),
            Self::share("upper", "upper end of the interval", |row| row.interval().upper),
            Self::share("lower_all", "lower end of the simultaneous interval for all classes (Bonferroni)", |row| {
                row.simultaneous_interval().lower
            }),
            Self::share("upper_all", "upper end of the simultaneous interval for all classes (Bonferroni)", |row| {
                row.simultaneous_interval().upper
            }),
            ResultColumn::new(
                "covariance",
                Unit::Nested,
                "covariances with the shares of all classes, in the order of the rows",
                |row: &Self| json!(row.estimate.covariance[row.class]).into(),
            ),
            Self::p_value("mix_p", "p-value of the test that the rows are a mix of the labelled classes", |row| {
                row.estimate.mix_test.as_ref().map(|test| test.p_value)
            }),
            Self::share("level", "nominal coverage of the intervals", |row| row.estimate.level),
            ResultColumn::target(|row: &Self| row.estimate.target),
            Self::text("severity", "highest severity of the warnings: note, caution or unreliable", |row| {
                row.severity().map(|severity| severity.to_string()).into()
            })
            .optional(),
            ResultColumn::new("warnings", Unit::Nested, "the warnings about the share", |row: &Self| {
                let warning = |warning: &ClassWarning| {
                    let (code, severity) = (warning.code(), warning.severity().to_string());
                    json!({"code": code, "severity": severity, "text": warning.to_string()})
                };
                json!(row.warnings().map(warning).collect::<Vec<_>>()).into()
            }),
        ]
    }

    fn group(&self) -> Option<usize> {
        (!self.is_total).then_some(self.group)
    }

    fn mark(&self) -> Mark {
        Mark::from_severity(self.severity())
    }

    fn span(&self) -> Option<Span> {
        let (estimate, interval) = (self.estimate.shares[self.class], self.interval());
        let warned = self.mark() != Mark::None;
        Some(Span { estimate, interval: Some([interval.lower, interval.upper]), warned })
    }
}
