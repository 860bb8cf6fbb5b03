//! The columns of a prevalence that is watched over time.

use super::column::{Column, Look, Unit};
use super::estimates::EstimateRow;
use super::row::{Row, Span};
use super::{Cell, Mark};
use truecount::Warning;
use truecount::inference::{Difference, Uncertainty};
use truecount::monitor::{Evidence, Line, Share, Watched};

/// A period.
pub struct MonitorRow {
    /// Its estimate.
    pub estimated: EstimateRow,
    /// What else was found.
    pub watched: Watched,
    /// Whether the alarm has been raised by then; none without a bound.
    pub alarm: Option<bool>,
    /// From when on the evidence is strongest.
    pub since: Option<String>,
    /// The bound.
    pub bound: Option<f64>,
}

/// The largest e-value that a number holds.
const LARGEST: f64 = f64::MAX;

impl Row for MonitorRow {
    const NAME: &'static str = "periods";

    fn columns() -> Vec<Column<Self>> {
        let mut columns = estimates();
        columns.extend(differences(
            "change",
            "the period before",
            |row| row.watched.change.as_ref(),
            ["change", "change_se", "change_lower", "change_upper", "change_p"],
        ));
        columns.extend(differences(
            "baseline",
            "the baseline",
            |row| row.watched.from_baseline.as_ref(),
            ["from_baseline", "from_baseline_se", "from_baseline_lower", "from_baseline_upper", "from_baseline_p"],
        ));
        columns.extend(lines());
        columns.extend(looks());
        columns
    }

    fn group(&self) -> Option<usize> {
        Some(self.estimated.group)
    }

    fn mark(&self) -> Mark {
        self.estimated.mark()
    }

    fn span(&self) -> Option<Span> {
        self.estimated.span()
    }
}

/// The period's own estimate.
fn estimates() -> Vec<Column<MonitorRow>> {
    let of = |name, unit, what, cell: fn(&MonitorRow) -> Cell<'_>| Column::new(name, unit, what, cell);
    let uncertain = |name, what, of: fn(&Uncertainty) -> f64| {
        Column::new(name, Unit::Share, what, move |row: &MonitorRow| {
            row.estimated.estimate.uncertainty.as_ref().map(of).into()
        })
        .optional()
    };
    vec![
        of("n", Unit::Count, "scores", |row| row.estimated.estimate.n.into()).shown(Look::AsIs),
        of("prevalence", Unit::Share, "the estimated share of positives, kept inside [0, 1]", |row| {
            row.estimated.estimate.prevalence.into()
        })
        .shown(Look::Decimals(4)),
        of("raw", Unit::Share, "the estimator as defined, never clipped", |row| row.estimated.estimate.raw.into()),
        uncertain("se", "standard error", |found| found.se),
        uncertain("lower", "lower end of the interval", |found| found.lower)
            .heading("interval", Look::IntervalTo("upper")),
        uncertain("upper", "upper end of the interval", |found| found.upper),
        of("misfit", Unit::Number, "how far the scores are from a mixture of the classes; 1: chance alone", |row| {
            row.estimated.estimate.misfit.map(|misfit| misfit.scale).into()
        })
        .optional(),
        of("level", Unit::Share, "nominal coverage of intervals and bands", |row| row.estimated.estimate.level.into()),
        of("severity", Unit::Text, "of the gravest warning: note, caution or unreliable", |row| {
            row.estimated.estimate.severity().map(|severity| severity.to_string()).into()
        })
        .optional(),
        of("warnings", Unit::Warnings, "what to beware of", |row| {
            let warnings: &[Warning] = &row.estimated.estimate.warnings;
            warnings.into()
        }),
    ]
}

/// How far a period is from another.
fn differences(
    heading: &'static str,
    other: &str,
    of: fn(&MonitorRow) -> Option<&Difference>,
    names: [&'static str; 5],
) -> Vec<Column<MonitorRow>> {
    let column = |name: &'static str, unit, what: String, value: fn(&Difference) -> f64| {
        Column::new(name, unit, what, move |row: &MonitorRow| of(row).map(value).into()).optional()
    };
    let [change, se, lower, upper, p] = names;
    vec![
        column(change, Unit::Share, format!("the prevalence less that of {other}"), |found| found.difference)
            .heading(heading, Look::Signed),
        column(se, Unit::Share, "its standard error; what both rest on is not counted twice".to_owned(), |found| {
            found.se
        }),
        column(lower, Unit::Share, "lower end of its interval".to_owned(), |found| found.lower),
        column(upper, Unit::Share, "upper end of its interval".to_owned(), |found| found.upper),
        column(p, Unit::PValue, "probability of so large a change if there is none".to_owned(), |found| found.p_value)
            .heading("p", Look::PValue),
    ]
}

/// The smoothed line.
fn lines() -> Vec<Column<MonitorRow>> {
    let of = |name, what, value: fn(&Line) -> f64| {
        Column::new(name, Unit::Share, what, move |row: &MonitorRow| row.watched.line.as_ref().map(value).into())
            .optional()
    };
    vec![
        of("smoothed", "the line through all periods", |line| line.level).shown(Look::Decimals(4)),
        of("smoothed_se_noise", "its standard error by the test scores", |line| line.noise),
        of("smoothed_se_labels", "its standard error by the labelled scores, the same error in all periods", |line| {
            line.labels
        }),
        of("smoothed_lower", "lower end of its band, by both", |line| line.lower)
            .heading("band", Look::IntervalTo("smoothed_upper")),
        of("smoothed_upper", "upper end of its band, by both", |line| line.upper),
    ]
}

/// What holds at all looks together.
fn looks() -> Vec<Column<MonitorRow>> {
    let of = |name, what, value: fn(&Share) -> f64| {
        Column::new(name, Unit::Share, what, move |row: &MonitorRow| row.watched.running_mean.as_ref().map(value).into())
            .optional()
    };
    let e = |found: Evidence| found.ln_e.exp().min(LARGEST);
    vec![
        of("running_mean", "the share among the scores of all reliable periods so far", |found| found.share)
            .heading("so far", Look::Decimals(4)),
        of("running_mean_lower", "lower end of its band, which holds at all looks together", |found| found.lower)
            .heading("at every look", Look::IntervalTo("running_mean_upper")),
        of("running_mean_upper", "upper end of its band, which holds at all looks together", |found| found.upper),
        Column::new("bound", Unit::Share, "the share that is not to be passed", |row: &MonitorRow| row.bound.into())
            .optional(),
        Column::new(
            "e_value",
            Unit::Number,
            "evidence so far that it was passed: at most 1 on average if it never was",
            move |row: &MonitorRow| row.watched.evidence.map(e).into(),
        )
        .optional()
        .heading("e", Look::Evidence),
        Column::new("alarm", Unit::Flag, "whether an alarm has been raised by then", |row: &MonitorRow| {
            row.alarm.into()
        })
        .optional(),
        Column::new("change_point", Unit::Text, "the period from which on the evidence is strongest", |row: &MonitorRow| {
            row.since.as_deref().into()
        })
        .optional(),
    ]
}
