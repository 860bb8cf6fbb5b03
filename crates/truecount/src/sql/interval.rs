//! Query steps from a mean to an estimate with its standard error and interval.
//!
//! The formulas are those of `quantifier::anchored`, `inference::variance`, `inference::skewness`
//! and `inference::interval`. Each step adds columns computed from earlier columns.
//!
//! A Wilson-type interval combines a two-sided and a one-sided interval. Each estimate has a row
//! for each of the two, and the final query combines these rows.

use super::names::format_number;
use super::rates::RateColumns;
use crate::inference::{IntervalKind, IntervalOptions, MOST_LEAN, Target, student_terms};

/// The value below which estimates are set to 0.
const MIN_ESTIMATE: &str = "1E-30";

/// The expression for the share of negatives.
pub(super) const NEGATIVE_SHARE: &str = "(1E0 - estimate)";

/// Columns as pairs of a name and an expression.
pub(super) type NamedColumns = Vec<(String, String)>;

/// A query that adds columns to those of the query before it.
pub(super) struct QueryStep {
    pub(super) columns: NamedColumns,
    /// Whether every row is first joined with the rows of [`side_rows`].
    pub(super) by_side: bool,
}

/// Returns the rows that an interval is combined from.
///
/// Their columns are the coefficients of Student's quantile as a polynomial in the inverse degrees
/// of freedom.
pub(super) fn side_rows(options: &IntervalOptions) -> String {
    let quantiles = options.quantiles();
    let sides = match options.interval() {
        IntervalKind::Wald => &quantiles[..1],
        IntervalKind::Wilson => &quantiles[..],
    };
    let selects = sides.iter().enumerate().map(|(side, z)| {
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

/// Returns the steps that compute `estimate` and `variance`.
///
/// The query before them has `n`, `size` (n as a double, NULL if 0), `mean`, and the columns of
/// `rates`.
pub(super) fn variance_steps(options: &IntervalOptions, rates: RateColumns) -> Vec<QueryStep> {
    // The prevalence at which the variance is evaluated.
    let share = if rates.biased { "share" } else { "estimate" };
    let mut steps = vec![step(rates.labelled_columns())];
    steps[0].columns.push(column("unclipped", "(mean - negative) / distance"));
    if rates.biased {
        steps[0].columns.push(column("clipped", "clipped_base + mean * clipped_slope"));
    }
    steps.push(step([column("estimate", clipped_estimate("unclipped"))]));
    if rates.biased {
        let clipped = clip("clipped", "0E0");
        steps.push(step([column("share", format!("CASE WHEN biased > 0E0 THEN {clipped} ELSE estimate END"))]));
    }
    let class_variance = |share: &str, class_share: &str, class: &str| {
        format!(
            "{share} * test_{class} / size + {class_share} * {class_share} * {} / labelled_{class}",
            rates.training_variance(class)
        )
    };
    // The variance allowance for unseen errors.
    let allowance = |class_share: &str, class: &str| {
        let n = rates.effective_n(class);
        format!("{class_share} * unseen_{class} / {n} * (1E0 / size + {class_share} / {n})")
    };
    steps.push(step([
        column("variance_p", class_variance(share, "estimate", "p")),
        column("variance_n", class_variance(&format!("(1E0 - {share})"), NEGATIVE_SHARE, "n")),
        column("allowance", format!("{} + {}", allowance("estimate", "p"), allowance(NEGATIVE_SHARE, "n"))),
        // An interval reaches at least half a score to either side.
        column("inner_low", "estimate - 5E-1 / size"),
        column("inner_high", "estimate + 5E-1 / size"),
    ]));
    let sampling = match population_factor(options) {
        Some(factor) if rates.biased => format!(" + {share} * (1E0 - {share}) * square / size{factor}"),
        Some(factor) => format!(" + {share} * (1E0 - {share}) / size{factor}"),
        None => String::new(),
    };
    // The covariance of the classes if clusters contain both.
    let between = if rates.common_units().is_some() { " + estimate * (1E0 - estimate) * shared" } else { "" };
    steps.push(step([column("variance", format!("variance_p + variance_n{between}{sampling}"))]));
    steps
}

/// Returns all steps from the mean to the interval.
pub(super) fn interval_steps(options: &IntervalOptions, rates: RateColumns) -> Vec<QueryStep> {
    let mut steps = variance_steps(options, rates);
    // The inverse degrees of freedom (Satterthwaite), which are at least those of the smaller
    // class, up to rounding.
    let inverse_dof_of_classes = "(variance_p * variance_p / dof_p + variance_n * variance_n / dof_n)";
    let inverse_dof =
        format!("CASE WHEN variance > 0E0 THEN {inverse_dof_of_classes} / variance / variance ELSE 0E0 END");
    if rates.common_units().is_some() {
        steps.push(step([column("inverse_dof_of_classes", inverse_dof)]));
        let limited =
            "CASE WHEN inverse_dof_of_classes * dof_max < 1E0 THEN 1E0 / dof_max ELSE inverse_dof_of_classes END";
        steps.push(step([column("inverse_dof", limited)]));
    } else {
        steps.push(step([column("inverse_dof", inverse_dof)]));
    }
    let terms = student_terms(options.quantiles()[0]).len();
    let student = (0..terms).rev().fold(format!("z_{terms}"), |inner, k| match k {
        0 => format!("{inner} * inverse_dof + z_0"),
        _ => format!("({inner} * inverse_dof + z_{k})"),
    });
    let z = column("z", student);
    match options.interval() {
        IntervalKind::Wald => {
            steps.push(QueryStep { columns: vec![z], by_side: true });
            steps.push(step([
                column("low", "estimate - z * sqrt(variance)"),
                column("high", "estimate + z * sqrt(variance)"),
            ]));
        }
        IntervalKind::Wilson => add_wilson_steps(&mut steps, population_factor(options).as_deref(), rates, z),
    }
    steps
}

/// Returns the target as a text in SQL.
pub(super) fn target_literal(options: &IntervalOptions) -> String {
    format!("'{}'", options.target())
}

/// Returns the columns of the result, and the columns to group the rows of [`side_rows`] by.
pub(super) fn result_columns(options: &IntervalOptions) -> (NamedColumns, &'static str) {
    let lower = "min(CASE WHEN low < 0E0 OR inner_low < 0E0 THEN 0E0 WHEN low < inner_low THEN low ELSE inner_low END)";
    let upper =
        "max(CASE WHEN high > 1E0 OR inner_high > 1E0 THEN 1E0 WHEN high > inner_high THEN high ELSE inner_high END)";
    let columns = vec![
        column("prevalence", "estimate"),
        column("raw", "unclipped"),
        column("se", "sqrt(variance)"),
        column("lower", lower),
        column("upper", upper),
        column("level", format_number(options.level())),
        column("target", target_literal(options)),
    ];
    (columns, "method, n, missing, estimate, unclipped, variance")
}

/// Returns the finite-population factor of the sampling variance, or `None` if the target is the
/// sample.
fn population_factor(options: &IntervalOptions) -> Option<String> {
    let finite = |size: u64| format!(" * (1E0 - size / {})", format_number(size as f64));
    (options.target() == Target::Population).then(|| options.size().map_or_else(String::new, finite))
}

/// Creates a step that is not joined with the rows of [`side_rows`].
fn step(columns: impl Into<Vec<(String, String)>>) -> QueryStep {
    QueryStep { columns: columns.into(), by_side: false }
}

/// Creates a column from its name and expression.
pub(super) fn column(name: impl Into<String>, sql: impl Into<String>) -> (String, String) {
    (name.into(), sql.into())
}

/// Formats columns as `expression AS name`, one per line.
pub(super) fn select_list(columns: &[(String, String)]) -> String {
    columns.iter().map(|(name, sql)| format!("\n    {sql} AS {name}")).collect::<Vec<_>>().join(",")
}

/// Returns an expression for the estimate clipped to [0, 1].
pub(super) fn clipped_estimate(raw: &str) -> String {
    clip(raw, MIN_ESTIMATE)
}

/// Returns an expression for x clipped to [0, 1], and 0 if x is below `minimum`.
fn clip(x: &str, minimum: &str) -> String {
    format!("CASE WHEN {x} < {minimum} THEN 0E0 WHEN {x} > 1E0 THEN 1E0 ELSE {x} END")
}

/// Adds the steps of the two Wilson-type intervals: two-sided (side 0) and one-sided (side 1).
fn add_wilson_steps(
    steps: &mut Vec<QueryStep>,
    population_factor: Option<&str>,
    rates: RateColumns,
    z: (String, String),
) {
    // The third cumulant of the numerator, and the numerator's covariance with the variance.
    let cumulant = |s: &str, class: &str| {
        let (whole, cube) = (rates.third_moment("whole", class), rates.third_moment("cube", class));
        format!("{s} * {whole} / size / size - {s} * {s} * {s} * {cube} / labelled_{class} / labelled_{class}")
    };
    let covariance = |s: &str, class: &str| {
        let (cross, own) = (rates.third_moment("cross", class), rates.third_moment("own", class));
        format!("{s} * {s} * ({cross} / size + {s} * {own} / labelled_{class}) / labelled_{class}")
    };
    let sampling_cumulant = if let Some(factor) = population_factor {
        let bias = if rates.biased { " * (1E0 - biased)" } else { "" };
        format!(
            " + estimate * (1E0 - estimate) * (3E0 * (test_p - test_n) + 1E0 - 2E0 * estimate) \
             / size / size{factor}{bias}"
        )
    } else {
        String::new()
    };
    let mut columns = vec![
        z,
        column("whole", "variance + allowance"),
        column(
            "cumulant",
            format!("{} + {}{sampling_cumulant}", cumulant("estimate", "p"), cumulant(NEGATIVE_SHARE, "n")),
        ),
        column("covariance", format!("{} + {}", covariance("estimate", "p"), covariance(NEGATIVE_SHARE, "n"))),
    ];
    // V(α) = at_0 (1−α)² + at_mid α(1−α) + at_1 α².
    columns.extend(variance_coefficients(population_factor, rates));
    steps.push(QueryStep { columns, by_side: true });
    let skewness_shift = "(3E0 * z * z * covariance + (z * z - 1E0) * cumulant) / (6E0 * whole)";
    steps.push(step([
        column("skewness_shift", format!("CASE WHEN whole > 0E0 THEN {skewness_shift} ELSE 0E0 END")),
        column("bound", format!("{} * z * sqrt(whole)", format_number(MOST_LEAN))),
    ]));
    let limited = "unclipped - CASE WHEN skewness_shift < -bound THEN -bound \
                   WHEN skewness_shift > bound THEN bound ELSE skewness_shift END";
    steps.push(step([column("corrected", limited)]));
    steps.push(step([column("centre", clip("corrected", MIN_ESTIMATE))]));
    steps.push(step([
        column("bend", "1E0 - z * z * (at_0 - at_mid + at_1)"),
        column("slope", "z * z * (2E0 * at_1 * centre + at_mid * (1E0 - 2E0 * centre) - 2E0 * at_0 * (1E0 - centre))"),
        column(
            "height",
            "z * z * ((1E0 - centre) * (1E0 - centre) * at_0 + centre * (1E0 - centre) * at_mid \
             + centre * centre * at_1)",
        ),
    ]));
    let root = |sign: &str| format!("centre + (slope {sign} sqrt(slope * slope + 4E0 * bend * height)) / (2E0 * bend)");
    steps.push(step([
        column("root_low", format!("CASE WHEN bend <= 0E0 THEN 0E0 ELSE {} END", root("-"))),
        column("root_high", format!("CASE WHEN bend <= 0E0 THEN 1E0 ELSE {} END", root("+"))),
    ]));
    // An end of the two-sided interval lies at most halfway from the estimate to 0 or 1.
    let first = |end: &str, beyond: &str, half: &str| {
        format!("CASE WHEN side = 0 AND {end} {beyond} {half} THEN {half} ELSE {end} END")
    };
    steps.push(step([
        column("low", first("root_low", "<", "5E-1 * estimate")),
        column("high", first("root_high", ">", "5E-1 + 5E-1 * estimate")),
    ]));
}

/// Returns the coefficients of the variance as a quadratic function of the prevalence.
fn variance_coefficients(population_factor: Option<&str>, rates: RateColumns) -> NamedColumns {
    let sampling = population_factor.map_or_else(String::new, |factor| format!(" + 1E0 / size{factor}"));
    let between = if rates.common_units().is_some() { " + shared" } else { "" };
    // Includes the allowance for unseen errors.
    let test_variance = |class: &str| format!("test_{class} + unseen_{class} / {}", rates.effective_n(class));
    // The variance if all test scores are of one class.
    let single_class = |class: &str| {
        let (test, learnt, effective_n) =
            (test_variance(class), rates.training_variance(class), rates.effective_n(class));
        if effective_n == format!("labelled_{class}") {
            format!("({test}) / size + ({learnt} + unseen_{class} / {effective_n}) / {effective_n}")
        } else {
            format!("({test}) / size + {learnt} / labelled_{class} + unseen_{class} / {effective_n} / {effective_n}")
        }
    };
    let coefficients = [
        ("at_0", single_class("n"), "variance"),
        (
            "at_mid",
            format!("({} + {}) / size{between}{sampling}", test_variance("p"), test_variance("n")),
            "2E0 * variance",
        ),
        ("at_1", single_class("p"), "variance"),
    ];
    coefficients
        .into_iter()
        .map(|(name, by_share, constant)| {
            let sql = if rates.biased {
                format!("CASE WHEN biased > 0E0 THEN {constant} ELSE {by_share} END")
            } else {
                by_share
            };
            column(name, sql)
        })
        .collect()
}
