//! From a mean to an estimate with its standard error and interval: the formulas of `quantifier::anchored`,
//! `inference::variance`, `inference::skewness` and `inference::interval`. Each step adds columns computed from earlier
//! ones.

use super::names::{number, plus};
use super::values::ONE;
use crate::inference::{Interval, MOST_LEAN, Reporting, Target, student_terms};

/// Estimates below this are 0.
const LEAST: &str = "1E-30";

/// The columns added by a step: names and expressions.
pub(super) type Step = Vec<(String, String)>;

/// The steps after a query with `n`, `size` (n as a double, NULL if 0), `mean`, and the columns of `rates`.
pub(super) fn steps(reporting: &Reporting, biased: bool) -> Vec<Step> {
    let population = reporting.target() == Target::Population;
    // The share of positives at which the variance is evaluated.
    let share = if biased { "share" } else { "estimate" };
    let mut steps = vec![vec![column("raw", "(mean - negative) / distance")]];
    if biased {
        steps[0].push(column("held", "held_base + mean * held_slope"));
    }
    steps.push(vec![column(
        "estimate",
        format!("CASE WHEN raw < {LEAST} THEN 0E0 WHEN raw > 1E0 THEN 1E0 ELSE raw END"),
    )]);
    if biased {
        let held = between_0_and_1("held");
        steps.push(vec![column("share", format!("CASE WHEN biased > 0E0 THEN {held} ELSE estimate END"))]);
    }
    steps.push(vec![
        column("given_p", format!("({share} * test_p / size + estimate * estimate * learnt_p)")),
        column("given_n", format!("((1E0 - {share}) * test_n / size + (1E0 - estimate) * (1E0 - estimate) * learnt_n)")),
        column("drawing", drawing(population, biased, share)),
        column("unseen", "(estimate * half_p + (1E0 - estimate) * half_n) / size + estimate * estimate * unseen_p + (1E0 - estimate) * (1E0 - estimate) * unseen_n"),
    ]);
    steps.push(vec![
        column("variance", "given_p + given_n + drawing"),
        column("part_p", "CASE WHEN given_p > 0E0 THEN given_p / (given_p + given_n + drawing) ELSE 0E0 END"),
        column("part_n", "CASE WHEN given_n > 0E0 THEN given_n / (given_p + given_n + drawing) ELSE 0E0 END"),
    ]);
    // The inverse of the degrees of freedom, which are at least those of the smaller class, up to rounding.
    steps.push(vec![column("freedom", format!("{} + {}", squared("part_p", "free_p"), squared("part_n", "free_n")))]);
    let [two_sided, one_sided] = reporting.quantiles();
    match reporting.interval() {
        Interval::Wald => {
            steps.push(vec![column("z", student(two_sided))]);
            steps.push(vec![
                column("near_lower", "estimate - z * sqrt(variance)"),
                column("near_upper", "estimate + z * sqrt(variance)"),
            ]);
        }
        Interval::Wilson => wilson(&mut steps, population, biased, [two_sided, one_sided]),
    }
    steps
}

/// The published columns, after the steps.
pub(super) fn published(reporting: &Reporting) -> Step {
    let inner =
        [("near_lower", "-"), ("near_upper", "+")].map(|(end, sign)| (end, format!("estimate {sign} 5E-1 / size")));
    let [lower, upper] = [least(inner[0].0, &inner[0].1), greatest(inner[1].0, &inner[1].1)];
    vec![
        column("prevalence", "estimate"),
        column("raw", "raw"),
        column("se", "sqrt(variance)"),
        column("lower", format!("CASE WHEN {lower} < 0E0 THEN 0E0 ELSE {lower} END")),
        column("upper", format!("CASE WHEN {upper} > 1E0 THEN 1E0 ELSE {upper} END")),
        column("level", number(reporting.level())),
    ]
}

fn column(name: impl Into<String>, sql: impl Into<String>) -> (String, String) {
    (name.into(), sql.into())
}

fn between_0_and_1(x: &str) -> String {
    format!("CASE WHEN {x} < 0E0 THEN 0E0 WHEN {x} > 1E0 THEN 1E0 ELSE {x} END")
}

/// The smaller of the two; NULL if the second is.
fn least(x: &str, y: &str) -> String {
    format!("CASE WHEN {x} < {y} THEN {x} ELSE {y} END")
}

fn greatest(x: &str, y: &str) -> String {
    format!("CASE WHEN {x} > {y} THEN {x} ELSE {y} END")
}

fn drawing(population: bool, biased: bool, share: &str) -> String {
    let square = if biased { " * square" } else { "" };
    if population { format!("{share} * (1E0 - {share}){square} / size") } else { "0E0".to_owned() }
}

/// x² f, 0 where the square would be.
fn squared(x: &str, factor: &str) -> String {
    format!("CASE WHEN {x} > 1E-100 THEN {x} * {x} * {factor} ELSE 0E0 END")
}

/// Student's quantile from the normal's and the inverse of the degrees of freedom, which is at most 1.
fn student(z: f64) -> String {
    let [terms @ .., last] = student_terms(z);
    let inner = terms.iter().rev().fold(number(last), |inner, term| format!("({inner} * freedom {})", plus(*term)));
    format!("{inner} * freedom {}", plus(z))
}

/// The two intervals of Wilson's kind, for two sides (0) and for one (1), and what they leave.
fn wilson(steps: &mut Vec<Step>, population: bool, biased: bool, quantiles: [f64; 2]) {
    let both = |of: &dyn Fn(usize) -> Step| -> Step { (0..2).flat_map(of).collect() };
    let square = |x: &str| format!("{x} * {x}");
    // Third cumulant of the numerator and its covariance with the variance.
    let cumulant = |s: &str, class: &str| format!("{s} * whole_{class} / size / size - {s} * {s} * {s} * cube_{class}");
    let covariance = |s: &str, class: &str| format!("{s} * {s} * (cross_{class} / size + {s} * own_{class})");
    let of_drawing = if population {
        let bias = if biased { " * (1E0 - biased)" } else { "" };
        format!(" + estimate * (1E0 - estimate) * (3E0 * (test_p - test_n) + 1E0 - 2E0 * estimate) / size / size{bias}")
    } else {
        String::new()
    };
    let rest = "(1E0 - estimate)";
    steps.push(
        [
            vec![
                column("whole", "variance + unseen"),
                column("cumulant", format!("{} + {}{of_drawing}", cumulant("estimate", "p"), cumulant(rest, "n"))),
                column("covariance", format!("{} + {}", covariance("estimate", "p"), covariance(rest, "n"))),
            ],
            both(&|i| vec![column(format!("z_{i}"), student(quantiles[i]))]),
            // V(α) = at_0 (1−α)² + at_mid α(1−α) + at_1 α².
            quadratic(population, biased),
        ]
        .concat(),
    );
    steps.push(both(&|i| {
        let z2 = square(&format!("z_{i}"));
        let lean = format!("(3E0 * {z2} * covariance + ({z2} - 1E0) * cumulant) / (6E0 * whole)");
        vec![
            column(format!("lean_{i}"), format!("CASE WHEN whole > 0E0 THEN {lean} ELSE 0E0 END")),
            column(format!("most_{i}"), format!("{} * z_{i} * sqrt(whole)", number(MOST_LEAN))),
        ]
    }));
    steps.push(both(&|i| {
        let (lean, most) = (format!("lean_{i}"), format!("most_{i}"));
        let kept = format!("CASE WHEN {lean} < -{most} THEN -{most} WHEN {lean} > {most} THEN {most} ELSE {lean} END");
        vec![column(format!("kept_{i}"), kept)]
    }));
    steps.push(both(&|i| {
        let moved = format!("raw - kept_{i}");
        let moved = format!("CASE WHEN {moved} < {LEAST} THEN 0E0 WHEN {moved} > 1E0 THEN 1E0 ELSE {moved} END");
        vec![column(format!("moved_{i}"), moved)]
    }));
    steps.push(both(&|i| {
        let (z2, m) = (square(&format!("z_{i}")), format!("moved_{i}"));
        vec![
            column(format!("leading_{i}"), format!("1E0 - {z2} * (at_0 - at_mid + at_1)")),
            column(
                format!("slope_{i}"),
                format!("{z2} * (2E0 * at_1 * {m} + at_mid * (1E0 - 2E0 * {m}) - 2E0 * at_0 * (1E0 - {m}))"),
            ),
            column(
                format!("height_{i}"),
                format!("{z2} * ((1E0 - {m}) * (1E0 - {m}) * at_0 + {m} * (1E0 - {m}) * at_mid + {m} * {m} * at_1)"),
            ),
        ]
    }));
    steps.push(both(&|i| {
        let root = format!("sqrt(slope_{i} * slope_{i} + 4E0 * leading_{i} * height_{i})");
        let end = |sign: &str| format!("moved_{i} + (slope_{i} {sign} {root}) / (2E0 * leading_{i})");
        vec![
            column(format!("low_{i}"), format!("CASE WHEN leading_{i} <= 0E0 THEN 0E0 ELSE {} END", end("-"))),
            column(format!("high_{i}"), format!("CASE WHEN leading_{i} <= 0E0 THEN 1E0 ELSE {} END", end("+"))),
        ]
    }));
    steps.push(vec![
        column("near_lower", least(&greatest("5E-1 * estimate", "low_0"), "low_1")),
        column("near_upper", greatest(&least("5E-1 + 5E-1 * estimate", "high_0"), "high_1")),
    ]);
}

fn quadratic(population: bool, biased: bool) -> Step {
    let drawn = if population { " + 1E0 / size" } else { "" };
    let each = [
        ("at_0", "(test_n + half_n) / size + learnt_n + unseen_n".to_owned(), "variance"),
        ("at_mid", format!("(test_p + half_p + test_n + half_n) / size{drawn}"), "2E0 * variance"),
        ("at_1", "(test_p + half_p) / size + learnt_p + unseen_p".to_owned(), "variance"),
    ];
    each.into_iter()
        .map(|(name, of_share, constant)| {
            let sql =
                if biased { format!("CASE WHEN biased > 0E0 THEN {constant} ELSE {of_share} END") } else { of_share };
            column(name, sql)
        })
        .collect()
}

/// `n` as a double, NULL if there are no scores, so that everything computed from it is NULL too.
pub(super) fn size() -> String {
    format!("CASE WHEN count(x) > 0 THEN count(x) * {ONE} END")
}
