//! From a mean to an estimate with its standard error and interval: the formulas of `quantifier::anchored`,
//! `inference::variance`, `inference::skewness` and `inference::interval`. Each step adds columns computed from earlier
//! ones.

use super::names::{number, plus};
use super::rates::Columns;
use crate::inference::{Interval, MOST_LEAN, Reporting, Target, student_terms};

/// Estimates below this are 0.
const LEAST: &str = "1E-30";

/// The share of negatives.
const REST: &str = "(1E0 - estimate)";

/// The columns added by a step: names and expressions.
pub(super) type Step = Vec<(String, String)>;

/// The steps after a query with `n`, `size` (n as a double, NULL if 0), `mean`, and the columns of `rates`.
pub(super) fn steps(reporting: &Reporting, rates: Columns) -> Vec<Step> {
    let biased = rates.biased;
    let population = reporting.target() == Target::Population;
    // The share of positives at which the variance is evaluated.
    let share = if biased { "share" } else { "estimate" };
    let mut steps = vec![vec![column("found", "(mean - negative) / distance")]];
    if biased {
        steps[0].push(column("held", "held_base + mean * held_slope"));
    }
    steps.push(vec![column(
        "estimate",
        format!("CASE WHEN found < {LEAST} THEN 0E0 WHEN found > 1E0 THEN 1E0 ELSE found END"),
    )]);
    if biased {
        let held = between_0_and_1("held");
        steps.push(vec![column("share", format!("CASE WHEN biased > 0E0 THEN {held} ELSE estimate END"))]);
    }
    let given = |share: &str, of: &str, class: &str| {
        format!("{share} * test_{class} / size + {of} * {of} * {} / labelled_{class}", rates.learnt(class))
    };
    // Half of an unseen error.
    let unseen = |of: &str, class: &str| format!("{of} * 5E-1 / labelled_{class} * (1E0 / size + {of} / labelled_{class})");
    steps.push(vec![
        column("given_p", given(share, "estimate", "p")),
        column("given_n", given(&format!("(1E0 - {share})"), REST, "n")),
        column("drawing", drawing(population, biased, share)),
        column("unseen", format!("{} + {}", unseen("estimate", "p"), unseen(REST, "n"))),
    ]);
    steps.push(vec![
        column("variance", "given_p + given_n + drawing"),
        column("part_p", "CASE WHEN given_p > 0E0 THEN given_p / (given_p + given_n + drawing) ELSE 0E0 END"),
        column("part_n", "CASE WHEN given_n > 0E0 THEN given_n / (given_p + given_n + drawing) ELSE 0E0 END"),
    ]);
    // The inverse of the degrees of freedom, which are at least those of the smaller class, up to rounding.
    steps.push(vec![column("freedom", format!("{} + {}", square_over("part_p", "free_p"), square_over("part_n", "free_n")))]);
    let [two_sided, one_sided] = reporting.quantiles();
    match reporting.interval() {
        Interval::Wald => {
            steps.push(vec![column("z", student(two_sided))]);
            steps.push(vec![
                column("near_lower", "estimate - z * sqrt(variance)"),
                column("near_upper", "estimate + z * sqrt(variance)"),
            ]);
        }
        Interval::Wilson => wilson(&mut steps, population, rates, [two_sided, one_sided]),
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
        column("raw", "found"),
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

/// x²/y, 0 where the square would be.
fn square_over(x: &str, y: &str) -> String {
    format!("CASE WHEN {x} > 1E-100 THEN {x} * {x} / {y} ELSE 0E0 END")
}

/// Student's quantile from the normal's and the inverse of the degrees of freedom, which is at most 1.
fn student(z: f64) -> String {
    let [terms @ .., last] = student_terms(z);
    let inner = terms.iter().rev().fold(number(last), |inner, term| format!("({inner} * freedom {})", plus(*term)));
    format!("{inner} * freedom {}", plus(z))
}

/// The two intervals of Wilson's kind, for two sides (0) and for one (1), and what they leave.
fn wilson(steps: &mut Vec<Step>, population: bool, rates: Columns, quantiles: [f64; 2]) {
    let both = |of: &dyn Fn(usize) -> Step| -> Step { (0..2).flat_map(of).collect() };
    let square = |x: &str| format!("{x} * {x}");
    // Third cumulant of the numerator and its covariance with the variance.
    let cumulant = |s: &str, class: &str| {
        let (whole, cube) = (rates.third("whole", class), rates.third("cube", class));
        format!("{s} * {whole} / size / size - {s} * {s} * {s} * {cube} / labelled_{class} / labelled_{class}")
    };
    let covariance = |s: &str, class: &str| {
        let (cross, own) = (rates.third("cross", class), rates.third("own", class));
        format!("{s} * {s} * ({cross} / size + {s} * {own} / labelled_{class}) / labelled_{class}")
    };
    let of_drawing = if population {
        let bias = if rates.biased { " * (1E0 - biased)" } else { "" };
        format!(" + estimate * (1E0 - estimate) * (3E0 * (test_p - test_n) + 1E0 - 2E0 * estimate) / size / size{bias}")
    } else {
        String::new()
    };
    steps.push(
        [
            vec![
                column("whole", "variance + unseen"),
                column("cumulant", format!("{} + {}{of_drawing}", cumulant("estimate", "p"), cumulant(REST, "n"))),
                column("covariance", format!("{} + {}", covariance("estimate", "p"), covariance(REST, "n"))),
            ],
            both(&|i| vec![column(format!("z_{i}"), student(quantiles[i]))]),
            // V(α) = at_0 (1−α)² + at_mid α(1−α) + at_1 α².
            quadratic(population, rates),
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
        let moved = format!("found - kept_{i}");
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

fn quadratic(population: bool, rates: Columns) -> Step {
    let drawn = if population { " + 1E0 / size" } else { "" };
    // With half of an unseen error.
    let of_test = |class: &str| format!("test_{class} + 5E-1 / labelled_{class}");
    let pure = |class: &str| {
        format!("({}) / size + ({} + 5E-1 / labelled_{class}) / labelled_{class}", of_test(class), rates.learnt(class))
    };
    let each = [
        ("at_0", pure("n"), "variance"),
        ("at_mid", format!("({} + {}) / size{drawn}", of_test("p"), of_test("n")), "2E0 * variance"),
        ("at_1", pure("p"), "variance"),
    ];
    each.into_iter()
        .map(|(name, of_share, constant)| {
            let sql =
                match rates.biased {
                true => format!("CASE WHEN biased > 0E0 THEN {constant} ELSE {of_share} END"),
                false => of_share,
            };
            column(name, sql)
        })
        .collect()
}
