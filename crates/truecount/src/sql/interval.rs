//! From a mean to an estimate with its standard error and interval: the formulas of `quantifier::anchored`,
//! `inference::variance`, `inference::skewness` and `inference::interval`. Each step adds columns computed from earlier
//! ones.
//!
//! An interval of Wilson's kind is made of two, for two sides and for one. From where these part each estimate has two rows, and at
//! the end one again.

use super::names::number;
use super::rates::RateColumns;
use crate::inference::{Interval, MOST_LEAN, Reporting, Target, student_terms};

/// Estimates below this are 0.
const LEAST: &str = "1E-30";

/// The share of negatives.
pub(super) const REST: &str = "(1E0 - estimate)";

/// Names and expressions of columns.
pub(super) type NamedColumns = Vec<(String, String)>;

/// Columns added to those of an earlier query.
pub(super) struct QueryStep {
    pub(super) columns: NamedColumns,
    /// Whether every row meets the rows of [`sides`] first.
    pub(super) by_side: bool,
}

/// The rows that an interval is made of: terms of Student's quantile as a polynomial in the inverse of the degrees of freedom.
pub(super) fn side_rows(reporting: &Reporting) -> String {
    let quantiles = reporting.quantiles();
    let sides = match reporting.interval() {
        Interval::Wald => &quantiles[..1],
        Interval::Wilson => &quantiles[..],
    };
    let selects = sides.iter().enumerate().map(|(side, z)| {
        let terms = [&[*z], &student_terms(*z)[..]].concat();
        let named = |(k, term): (usize, &f64)| match side {
            0 => format!("{} AS z_{k}", number(*term)),
            _ => number(*term),
        };
        let terms: Vec<String> = terms.iter().enumerate().map(named).collect();
        format!("SELECT {side}{}, {}", if side == 0 { " AS side" } else { "" }, terms.join(", "))
    });
    selects.collect::<Vec<_>>().join("\n  UNION ALL ")
}

/// The steps to `estimate` and `variance` after a query with `n`, `size` (n as a double, NULL if 0), `mean`, and the columns of `rates`.
pub(super) fn variance_steps(reporting: &Reporting, rates: RateColumns) -> Vec<QueryStep> {
    // The share of positives at which the variance is evaluated.
    let share = if rates.biased { "share" } else { "estimate" };
    let mut steps = vec![step(rates.labelled_columns())];
    steps[0].columns.push(column("found", "(mean - negative) / distance"));
    if rates.biased {
        steps[0].columns.push(column("held", "held_base + mean * held_slope"));
    }
    steps.push(step([column("estimate", clip("found", LEAST))]));
    if rates.biased {
        let held = clip("held", "0E0");
        steps.push(step([column("share", format!("CASE WHEN biased > 0E0 THEN {held} ELSE estimate END"))]));
    }
    let given = |share: &str, of: &str, class: &str| {
        format!("{share} * test_{class} / size + {of} * {of} * {} / labelled_{class}", rates.training_variance(class))
    };
    // Half of an unseen error.
    let unseen = |of: &str, class: &str| {
        let worth = rates.effective_n(class);
        format!("{of} * 5E-1 / {worth} * (1E0 / size + {of} / {worth})")
    };
    steps.push(step([
        column("given_p", given(share, "estimate", "p")),
        column("given_n", given(&format!("(1E0 - {share})"), REST, "n")),
        column("unseen", format!("{} + {}", unseen("estimate", "p"), unseen(REST, "n"))),
        // No interval is narrower than half a score to either side.
        column("inner_low", "estimate - 5E-1 / size"),
        column("inner_high", "estimate + 5E-1 / size"),
    ]));
    let drawing = match population_factor(reporting) {
        Some(drawn) if rates.biased => format!(" + {share} * (1E0 - {share}) * square / size{drawn}"),
        Some(drawn) => format!(" + {share} * (1E0 - {share}) / size{drawn}"),
        None => String::new(),
    };
    // What both classes have in common where clusters hold both.
    let between = if rates.clusters().is_some() { " + estimate * (1E0 - estimate) * shared" } else { "" };
    steps.push(step([column("variance", format!("given_p + given_n{between}{drawing}"))]));
    steps
}

/// The steps from there to the interval.
pub(super) fn interval_steps(reporting: &Reporting, rates: RateColumns) -> Vec<QueryStep> {
    let mut steps = variance_steps(reporting, rates);
    // The inverse of the degrees of freedom, which are at least those of the smaller class, up to rounding.
    let of_classes = "(given_p * given_p / free_p + given_n * given_n / free_n)";
    let freedom = format!("CASE WHEN variance > 0E0 THEN {of_classes} / variance / variance ELSE 0E0 END");
    if rates.clusters().is_some() {
        steps.push(step([column("of_classes", freedom)]));
        let kept = "CASE WHEN of_classes * free_all < 1E0 THEN 1E0 / free_all ELSE of_classes END";
        steps.push(step([column("freedom", kept)]));
    } else {
        steps.push(step([column("freedom", freedom)]));
    }
    let terms = student_terms(reporting.quantiles()[0]).len();
    let student = (0..terms).rev().fold(format!("z_{terms}"), |inner, k| match k {
        0 => format!("{inner} * freedom + z_0"),
        _ => format!("({inner} * freedom + z_{k})"),
    });
    let z = column("z", student);
    match reporting.interval() {
        Interval::Wald => {
            steps.push(QueryStep { columns: vec![z], by_side: true });
            steps.push(step([
                column("low", "estimate - z * sqrt(variance)"),
                column("high", "estimate + z * sqrt(variance)"),
            ]));
        }
        Interval::Wilson => wilson(&mut steps, population_factor(reporting).as_deref(), rates, z),
    }
    steps
}

/// The published columns, after the steps, and what their rows have in common.
pub(super) fn result_columns(reporting: &Reporting) -> (NamedColumns, &'static str) {
    let lower = "min(CASE WHEN low < 0E0 OR inner_low < 0E0 THEN 0E0 WHEN low < inner_low THEN low ELSE inner_low END)";
    let upper =
        "max(CASE WHEN high > 1E0 OR inner_high > 1E0 THEN 1E0 WHEN high > inner_high THEN high ELSE inner_high END)";
    let columns = vec![
        column("prevalence", "estimate"),
        column("raw", "found"),
        column("se", "sqrt(variance)"),
        column("lower", lower),
        column("upper", upper),
        column("level", number(reporting.level())),
    ];
    (columns, "method, n, missing, estimate, found, variance")
}

/// Times what share of the drawing counts ([`Reporting::drawn`]); none if none does.
fn population_factor(reporting: &Reporting) -> Option<String> {
    let finite = |size: u64| format!(" * (1E0 - size / {})", number(size as f64));
    (reporting.target() == Target::Population).then(|| reporting.size().map_or_else(String::new, finite))
}

fn step(columns: impl Into<Vec<(String, String)>>) -> QueryStep {
    QueryStep { columns: columns.into(), by_side: false }
}

pub(super) fn column(name: impl Into<String>, sql: impl Into<String>) -> (String, String) {
    (name.into(), sql.into())
}

/// x, or 0 below `least`.
fn clip(x: &str, least: &str) -> String {
    format!("CASE WHEN {x} < {least} THEN 0E0 WHEN {x} > 1E0 THEN 1E0 ELSE {x} END")
}

/// The two intervals of Wilson's kind, for two sides (0) and for one (1).
fn wilson(steps: &mut Vec<QueryStep>, drawn: Option<&str>, rates: RateColumns, z: (String, String)) {
    // Third cumulant of the numerator and its covariance with the variance.
    let cumulant = |s: &str, class: &str| {
        let (whole, cube) = (rates.third_moment("whole", class), rates.third_moment("cube", class));
        format!("{s} * {whole} / size / size - {s} * {s} * {s} * {cube} / labelled_{class} / labelled_{class}")
    };
    let covariance = |s: &str, class: &str| {
        let (cross, own) = (rates.third_moment("cross", class), rates.third_moment("own", class));
        format!("{s} * {s} * ({cross} / size + {s} * {own} / labelled_{class}) / labelled_{class}")
    };
    let of_drawing = if let Some(drawn) = drawn {
        let bias = if rates.biased { " * (1E0 - biased)" } else { "" };
        format!(
            " + estimate * (1E0 - estimate) * (3E0 * (test_p - test_n) + 1E0 - 2E0 * estimate) / size / size{drawn}{bias}"
        )
    } else {
        String::new()
    };
    let mut columns = vec![
        z,
        column("whole", "variance + unseen"),
        column("cumulant", format!("{} + {}{of_drawing}", cumulant("estimate", "p"), cumulant(REST, "n"))),
        column("covariance", format!("{} + {}", covariance("estimate", "p"), covariance(REST, "n"))),
    ];
    // V(α) = at_0 (1−α)² + at_mid α(1−α) + at_1 α².
    columns.extend(quadratic(drawn, rates));
    steps.push(QueryStep { columns, by_side: true });
    let lean = "(3E0 * z * z * covariance + (z * z - 1E0) * cumulant) / (6E0 * whole)";
    steps.push(step([
        column("lean", format!("CASE WHEN whole > 0E0 THEN {lean} ELSE 0E0 END")),
        column("bound", format!("{} * z * sqrt(whole)", number(MOST_LEAN))),
    ]));
    let kept = "found - CASE WHEN lean < -bound THEN -bound WHEN lean > bound THEN bound ELSE lean END";
    steps.push(step([column("pulled", kept)]));
    steps.push(step([column("moved", clip("pulled", LEAST))]));
    steps.push(step([
        column("bend", "1E0 - z * z * (at_0 - at_mid + at_1)"),
        column("slope", "z * z * (2E0 * at_1 * moved + at_mid * (1E0 - 2E0 * moved) - 2E0 * at_0 * (1E0 - moved))"),
        column(
            "height",
            "z * z * ((1E0 - moved) * (1E0 - moved) * at_0 + moved * (1E0 - moved) * at_mid + moved * moved * at_1)",
        ),
    ]));
    let root = |sign: &str| format!("moved + (slope {sign} sqrt(slope * slope + 4E0 * bend * height)) / (2E0 * bend)");
    steps.push(step([
        column("root_low", format!("CASE WHEN bend <= 0E0 THEN 0E0 ELSE {} END", root("-"))),
        column("root_high", format!("CASE WHEN bend <= 0E0 THEN 1E0 ELSE {} END", root("+"))),
    ]));
    // Of the first, no end is farther than half of the way to 0 or 1.
    let first = |end: &str, beyond: &str, half: &str| {
        format!("CASE WHEN side = 0 AND {end} {beyond} {half} THEN {half} ELSE {end} END")
    };
    steps.push(step([
        column("low", first("root_low", "<", "5E-1 * estimate")),
        column("high", first("root_high", ">", "5E-1 + 5E-1 * estimate")),
    ]));
}

fn quadratic(drawn: Option<&str>, rates: RateColumns) -> NamedColumns {
    let drawn = drawn.map_or_else(String::new, |drawn| format!(" + 1E0 / size{drawn}"));
    let between = if rates.clusters().is_some() { " + shared" } else { "" };
    // With half of an unseen error.
    let of_test = |class: &str| format!("test_{class} + 5E-1 / {}", rates.effective_n(class));
    let pure = |class: &str| {
        let (test, learnt, worth) = (of_test(class), rates.training_variance(class), rates.effective_n(class));
        if worth == format!("labelled_{class}") {
            format!("({test}) / size + ({learnt} + 5E-1 / {worth}) / {worth}")
        } else {
            format!("({test}) / size + {learnt} / labelled_{class} + 5E-1 / {worth} / {worth}")
        }
    };
    let each = [
        ("at_0", pure("n"), "variance"),
        ("at_mid", format!("({} + {}) / size{between}{drawn}", of_test("p"), of_test("n")), "2E0 * variance"),
        ("at_1", pure("p"), "variance"),
    ];
    each.into_iter()
        .map(|(name, of_share, constant)| {
            let sql = if rates.biased {
                format!("CASE WHEN biased > 0E0 THEN {constant} ELSE {of_share} END")
            } else {
                of_share
            };
            column(name, sql)
        })
        .collect()
}
