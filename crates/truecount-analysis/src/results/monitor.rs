//! Columns of a prevalence that is monitored over time.

use super::column::{CellFormat, ResultColumn, Unit};
use super::estimates::{EstimateRow, se_widened};
use super::numbers::percent;
use super::row::{ResultRow, Span};
use super::{Mark, ResultCell};
use truecount::Estimate;
use truecount::compare::Difference;
use truecount::monitor::{AlarmEvidence, Bound, PeriodResult, RunningMeanBand, SmoothedLevel};

/// A period of a monitored series.
pub struct MonitorRow {
    /// The estimate of the period.
    pub row: EstimateRow,
    /// The changes, the smoothed line and the evidence of the period.
    pub period: PeriodResult,
    /// Whether an alarm was raised in this period or before; `None` without a bound.
    pub alarm: Option<bool>,
    /// The period in which the strongest evidence begins.
    pub change_point: Option<String>,
    /// The bound, a share in [0, 1].
    pub bound: Option<f64>,
}

/// The largest e-value that is shown, as an infinite number would be null in JSON.
const MAX_E_VALUE: f64 = f64::MAX;

impl ResultRow for MonitorRow {
    const NAME: &'static str = "periods";

    fn columns() -> Vec<ResultColumn<Self>> {
        let mut columns = estimates();
        columns.extend(differences(
            "change",
            "the period before",
            |row| row.period.change.as_ref(),
            ["change", "change_se", "change_lower", "change_upper", "change_p"],
        ));
        columns.extend(differences(
            "baseline",
            "the baseline",
            |row| row.period.from_baseline.as_ref(),
            ["from_baseline", "from_baseline_se", "from_baseline_lower", "from_baseline_upper", "from_baseline_p"],
        ));
        columns.extend(smoothed_line());
        columns.extend(running_mean_and_alarm());
        columns
    }

    fn group(&self) -> Option<usize> {
        Some(self.row.group)
    }

    fn mark(&self) -> Mark {
        self.row.mark()
    }

    fn span(&self) -> Option<Span> {
        self.row.span()
    }
}

/// Returns the columns of the period's estimate.
fn estimates() -> Vec<ResultColumn<MonitorRow>> {
    let interval_column = |name, meaning, value: fn(&Estimate) -> Option<f64>| {
        MonitorRow::share(name, meaning, move |row| value(&row.row.estimate))
    };
    vec![
        MonitorRow::count("n", "scores", |row| row.row.estimate.n).shown(CellFormat::AsIs),
        MonitorRow::share("prevalence", "the estimated share of positives, clipped to [0, 1]", |row| {
            row.row.estimate.prevalence
        })
        .shown(CellFormat::Decimals(4)),
        MonitorRow::share("raw", "the estimate before it is clipped to [0, 1]", |row| row.row.estimate.raw),
        interval_column("se", "standard error", |estimate| estimate.std_error),
        interval_column("lower", "lower end of the interval", |estimate| estimate.interval.map(|ends| ends.lower))
            .heading("interval", CellFormat::IntervalTo("upper")),
        interval_column("upper", "upper end of the interval", |estimate| estimate.interval.map(|ends| ends.upper)),
        MonitorRow::number("misfit", "distance of the scores from any mix of the classes; 1: chance alone", |row| {
            row.row.estimate.misfit.map(|misfit| misfit.scale)
        }),
        interval_column(
            "se_widened",
            "se, and where misfit widens the interval, its half-width divided by the normal quantile",
            se_widened,
        ),
        MonitorRow::share("level", "nominal coverage of intervals and bands", |row| row.row.estimate.level),
        ResultColumn::target(|row: &MonitorRow| row.row.estimate.target),
        MonitorRow::text("severity", "highest severity of the warnings: note, caution or unreliable", |row| {
            row.row.estimate.severity().map(|severity| severity.to_string()).into()
        })
        .optional(),
        ResultColumn::new("warnings", Unit::Warnings, "the warnings about the estimate", |row: &MonitorRow| {
            ResultCell::Warnings(&row.row.estimate)
        }),
    ]
}

/// Returns the columns of the difference between a period and another one.
fn differences(
    heading: &'static str,
    other: &str,
    difference: fn(&MonitorRow) -> Option<&Difference>,
    names: [&'static str; 5],
) -> Vec<ResultColumn<MonitorRow>> {
    let column = |name: &'static str, unit, meaning: String, value: fn(&Difference) -> f64| {
        ResultColumn::new(name, unit, meaning, move |row: &MonitorRow| difference(row).map(value).into()).optional()
    };
    let [change, se, lower, upper, p] = names;
    vec![
        column(change, Unit::Share, format!("prevalence minus the prevalence of {other}"), |numbers| {
            numbers.difference
        })
        .heading(heading, CellFormat::Signed),
        column(
            se,
            Unit::Share,
            "standard error of that change, given that both estimates share labelled scores".to_owned(),
            |numbers| numbers.std_error,
        ),
        column(lower, Unit::Share, "lower end of the interval of that change".to_owned(), |numbers| {
            numbers.interval.lower
        }),
        column(upper, Unit::Share, "upper end of the interval of that change".to_owned(), |numbers| {
            numbers.interval.upper
        }),
        column(p, Unit::PValue, "p-value for no change".to_owned(), |numbers| numbers.p_value)
            .heading("p", CellFormat::PValue),
    ]
}

/// Returns the columns of the smoothed line.
fn smoothed_line() -> Vec<ResultColumn<MonitorRow>> {
    let column = |name, meaning, value: fn(&SmoothedLevel) -> f64| {
        MonitorRow::share(name, meaning, move |row| row.period.smoothed_level.as_ref().map(value))
    };
    vec![
        column("smoothed", "a smooth line through all periods", |line| line.level).shown(CellFormat::Decimals(4)),
        column("smoothed_se_noise", "standard error of the line from the sampling of the test scores", |line| {
            line.noise
        }),
        column(
            "smoothed_se_labels",
            "standard error of the line from the sampling of the labelled scores, an error that all periods share",
            |line| line.labels,
        ),
        column("smoothed_lower", "lower end of the line's band, from both standard errors", |line| line.lower)
            .heading("band", CellFormat::IntervalTo("smoothed_upper")),
        column("smoothed_upper", "upper end of the line's band, from both standard errors", |line| line.upper),
    ]
}

/// Returns the columns of the running mean and the alarm, which are valid for all periods at once.
fn running_mean_and_alarm() -> Vec<ResultColumn<MonitorRow>> {
    let column = |name, meaning, value: fn(&RunningMeanBand) -> f64| {
        MonitorRow::share(name, meaning, move |row| row.period.running_mean.as_ref().map(value))
    };
    let e_value = |evidence: AlarmEvidence| evidence.ln_e.exp().min(MAX_E_VALUE);
    vec![
        column("running_mean", "share of positives among the scores of all reliable periods so far", |numbers| {
            numbers.share
        })
        .heading("mean", CellFormat::Decimals(4)),
        column(
            "running_mean_lower",
            "lower end of the band of running_mean, valid for all periods at once",
            |numbers| numbers.lower,
        )
        .heading("valid throughout", CellFormat::IntervalTo("running_mean_upper")),
        column(
            "running_mean_upper",
            "upper end of the band of running_mean, valid for all periods at once",
            |numbers| numbers.upper,
        ),
        MonitorRow::share("bound", "the limit that the prevalence should not pass", |row| row.bound),
        MonitorRow::number(
            "e_value",
            "evidence so far that the bound was passed (e-value): at most 1 on average if it never was",
            move |row| row.period.evidence.map(e_value),
        )
        .heading("e", CellFormat::Evidence),
        MonitorRow::flag("alarm", "whether an alarm was raised in this period or before", |row| row.alarm),
        MonitorRow::text("change_point", "the period in which the strongest evidence begins", |row| {
            row.change_point.as_deref().into()
        })
        .optional(),
        MonitorRow::share(
            "detectable_share",
            "the steady share that would have raised the alarm by now with a probability of 80 %; none if no share \
             would",
            |row| row.period.evidence.and_then(|evidence| evidence.detectable_share),
        ),
    ]
}

/// Describes a bound, as in "above 5 %".
pub fn describe_bound(bound: Bound) -> String {
    let side = match bound {
        Bound::Above(_) => "above",
        Bound::Below(_) => "below",
    };
    format!("{side} {} %", percent(bound.share()))
}
