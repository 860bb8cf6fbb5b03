//! Query steps from an estimate to its standard error and interval.
//!
//! The formulas are those of `inference::variance`, `inference::skewness` and `inference::interval`.
//! Each step adds columns computed from earlier columns.
//!
//! A Wilson-type interval combines a two-sided and a one-sided interval. Each estimate has a row
//! for each of the two, and the final query combines these rows.

use super::names::format_number;
use crate::inference::{IntervalOptions, MOST_LEAN, Target, student_terms};

/// The value below which estimates are set to 0.
const MIN_ESTIMATE: &str = "1E-30";

/// A query that adds columns, as pairs of a name and an expression, to those of the query before it.
pub(super) struct QueryStep {
    pub(super) columns: Vec<(String, String)>,
    /// The text after the name of the query before it, such as a join.
    pub(super) join: String,
}

/// Creates a step without a join.
pub(super) fn step(columns: impl Into<Vec<(String, String)>>) -> QueryStep {
    QueryStep { columns: columns.into(), join: String::new() }
}

/// Creates a column from its name and expression.
pub(super) fn column(name: impl Into<String>, sql: impl Into<String>) -> (String, String) {
    (name.into(), sql.into())
}

/// Returns an expression for x clipped to [0, 1], and 0 if x is negligible.
pub(super) fn clip(x: &str) -> String {
    format!("CASE WHEN {x} < {MIN_ESTIMATE} THEN 0E0 WHEN {x} > 1E0 THEN 1E0 ELSE {x} END")
}

const NEGATIVE_SHARE: &str = "(1E0 - estimate)";

/// Returns the rows that an interval is combined from.
///
/// Their columns are the coefficients of Student's quantile as a polynomial in the inverse degrees
/// of freedom.
pub(super) fn side_rows(options: &IntervalOptions) -> String {
    let quantiles = options.quantiles();
    let selects = quantiles.iter().enumerate().map(|(side, z)| {
        let terms = [&[*z], &student_terms(*z)[..]].concat();
        let named = |(k, term): (usize, &f64)| match side {
            0 => format!("{} AS z_{k}", format_number(*term)),
            _ => format_number(*term),
        };
        let terms: Vec<String> = terms.iter().enumerate().map(named).collect();
        format!("SELECT {side}{}, {}", if side == 0 { " AS side" } else { "" }, terms.join(", "))
    });
    selects.collect::<Vec<_>>().join("\n  UNION ALL ")
}

/// Returns all steps from the estimate to the interval. Labelled rows in clusters limit the degrees of
/// freedom.
pub(super) fn steps(options: &IntervalOptions, clusters: bool) -> Vec<QueryStep> {
    let is_population = options.target() == Target::Population;
    let class_variance =
        |share: &str, class: &str| format!("{share} * test_{class} / size + {share} * {share} * training_{class}");
    // The variance allowance for unseen errors.
    let allowance =
        |share: &str, class: &str| format!("{share} * (unseen_{class} / size + {share} * unseen_mean_{class})");
    let sampling = if is_population { format!(" + estimate * {NEGATIVE_SHARE} / size") } else { String::new() };
    let inverse_dof = "CASE WHEN variance > 0E0 THEN (variance_p * variance_p / dof_p + variance_n * variance_n / dof_n) \
                       / variance / variance ELSE 0E0 END";
    let mut steps = vec![
        step([
            column("variance_p", class_variance("estimate", "p")),
            column("variance_n", class_variance(NEGATIVE_SHARE, "n")),
            column("allowance", format!("{} + {}", allowance("estimate", "p"), allowance(NEGATIVE_SHARE, "n"))),
            // An interval reaches at least half a score to either side.
            column("inner_low", "estimate - 5E-1 / size"),
            column("inner_high", "estimate + 5E-1 / size"),
        ]),
        step([column("variance", format!("variance_p + variance_n + estimate * {NEGATIVE_SHARE} * shared{sampling}"))]),
    ];
    // The inverse degrees of freedom (Satterthwaite), which are at least those of the smaller
    // class, up to rounding.
    steps.extend(if clusters {
        let limited = "CASE WHEN inverse_dof_of_classes * dof_max < 1E0 THEN 1E0 / (dof_max * sqrt(1)) \
                       ELSE inverse_dof_of_classes END";
        vec![step([column("inverse_dof_of_classes", inverse_dof)]), step([column("inverse_dof", limited)])]
    } else {
        vec![step([column("inverse_dof", inverse_dof)])]
    });
    let terms = student_terms(options.quantiles()[0]).len();
    let student = (0..terms).rev().fold(format!("z_{terms}"), |inner, k| match k {
        0 => format!("{inner} * inverse_dof + z_0"),
        _ => format!("({inner} * inverse_dof + z_{k})"),
    });
    let mut columns = vec![column("z", student)];
    columns.extend(moments(is_population));
    steps.push(QueryStep { columns, join: " CROSS JOIN truecount_sides".to_owned() });
    steps.extend(wilson_steps());
    steps
}

/// Returns the columns of the result, and the columns to group the rows of [`side_rows`] by.
pub(super) fn result_columns(options: &IntervalOptions) -> (Vec<(String, String)>, &'static str) {
    let lower = "min(CASE WHEN low < 0E0 OR inner_low < 0E0 THEN 0E0 WHEN low < inner_low THEN low ELSE inner_low END)";
    let upper =
        "max(CASE WHEN high > 1E0 OR inner_high > 1E0 THEN 1E0 WHEN high > inner_high THEN high ELSE inner_high END)";
    let columns = vec![
        column("prevalence", "estimate"),
        column("raw", "raw"),
        column("se", "sqrt(variance)"),
        column("lower", lower),
        column("upper", upper),
        column("level", format_number(options.level())),
        column("target", format!("'{}'", options.target())),
        column("omits", "'check, widening, warnings, weights, totals'"),
    ];
    (columns, "n, missing, estimate, raw, variance")
}

/// Returns the moments of the Wilson-type intervals: the variance as a quadratic function of the
/// prevalence, the third cumulant of the numerator, and the numerator's covariance with the variance.
fn moments(is_population: bool) -> Vec<(String, String)> {
    let cumulant = |s: &str, class: &str| format!("{s} * whole_{class} / size / size - {s} * {s} * {s} * cube_{class}");
    let covariance = |s: &str, class: &str| format!("{s} * {s} * (cross_{class} / size + {s} * own_{class})");
    let (mut sampling, mut sampling_cumulant) = ("", String::new());
    if is_population {
        sampling = " + 1E0 / size";
        sampling_cumulant =
            format!(" + estimate * {NEGATIVE_SHARE} * (3E0 * (test_p - test_n) + 1E0 - 2E0 * estimate) / size / size");
    }
    // The variance if all test scores are of one class.
    let one_class =
        |class: &str| format!("(test_{class} + unseen_{class}) / size + training_{class} + unseen_mean_{class}");
    vec![
        column("whole", "variance + allowance"),
        column(
            "cumulant",
            format!("{} + {}{sampling_cumulant}", cumulant("estimate", "p"), cumulant(NEGATIVE_SHARE, "n")),
        ),
        column("covariance", format!("{} + {}", covariance("estimate", "p"), covariance(NEGATIVE_SHARE, "n"))),
        // V(α) = at_0 (1−α)² + at_mid α(1−α) + at_1 α².
        column("at_0", one_class("n")),
        column("at_mid", format!("(test_p + unseen_p + test_n + unseen_n) / size + shared{sampling}")),
        column("at_1", one_class("p")),
    ]
}

/// Returns the steps of the two Wilson-type intervals: two-sided (side 0) and one-sided (side 1).
fn wilson_steps() -> Vec<QueryStep> {
    let skewness_shift = "(3E0 * z * z * covariance + (z * z - 1E0) * cumulant) / (6E0 * whole)";
    let limited = "raw - CASE WHEN skewness_shift < -bound THEN -bound \
                   WHEN skewness_shift > bound THEN bound ELSE skewness_shift END";
    let root = |sign: &str| format!("centre + (slope {sign} sqrt(slope * slope + 4E0 * bend * height)) / (2E0 * bend)");
    // An end of the two-sided interval lies at most halfway from the estimate to 0 or 1.
    let first = |end: &str, beyond: &str, half: &str| {
        format!("CASE WHEN side = 0 AND {end} {beyond} {half} THEN {half} ELSE {end} END")
    };
    vec![
        step([
            column("skewness_shift", format!("CASE WHEN whole > 0E0 THEN {skewness_shift} ELSE 0E0 END")),
            column("bound", format!("{} * z * sqrt(whole)", format_number(MOST_LEAN))),
        ]),
        step([column("corrected", limited)]),
        step([column("centre", clip("corrected"))]),
        step([
            column("bend", "1E0 - z * z * (at_0 - at_mid + at_1)"),
            column(
                "slope",
                "z * z * (2E0 * at_1 * centre + at_mid * (1E0 - 2E0 * centre) - 2E0 * at_0 * (1E0 - centre))",
            ),
            column(
                "height",
                "z * z * ((1E0 - centre) * (1E0 - centre) * at_0 + centre * (1E0 - centre) * at_mid \
                 + centre * centre * at_1)",
            ),
        ]),
        step([
            column("root_low", format!("CASE WHEN bend <= 0E0 THEN 0E0 ELSE {} END", root("-"))),
            column("root_high", format!("CASE WHEN bend <= 0E0 THEN 1E0 ELSE {} END", root("+"))),
        ]),
        step([
            column("low", first("root_low", "<", "5E-1 * estimate")),
            column("high", first("root_high", ">", "5E-1 + 5E-1 * estimate")),
        ]),
    ]
}
