//! The query that computes estimates of Efficient Sweep from counts in bins.
//!
//! From the counts it computes Σ n_b ψ_b by group for each of the functions of the method. A bin's
//! weight is its ψ at q = ½; at any other q, ψ is weight/(1 + (q − ½) weight). The query chooses a
//! function for each group as `quantifier::score_choice` does, joins its variances, and goes on to the
//! interval (`interval`).

use super::Query;
use super::counts::{ONE, bin_counts, group_aliases, group_list, named_groups, scores_query, with_queries};
use super::interval::{self, QueryStep, clip, column, step};
use super::names::{format_number, format_term};
use crate::inference::IntervalOptions;
use crate::quantifier::{EstimatorCoefficients, InfluenceMean, Quantifier, ScoreChoice};
use crate::tally::InfluenceFunction;
use crate::{Class, Method};

/// The comment that says what the query omits; so does the column `omits`.
const HEAD: &str = "\
-- Omits the check of the scores, the widening of intervals, warnings, weights and totals.
-- `truecount sql --counts` and `truecount finish` have them.
";

/// The q at which the weights are ψ.
const WEIGHT_Q: f64 = 0.5;

/// The value below which variances and third moments are set to 0, so that their products do not
/// underflow.
const UNDERFLOW: f64 = 1e-60;

/// Returns the query of a fitted Efficient Sweep.
pub(super) fn estimates_query(quantifier: &Quantifier, query: &Query, options: &IntervalOptions) -> String {
    let precision = quantifier.means()[0].estimator().coefficients().precision.expect("rates of labelled scores");
    let clusters = precision.cluster_dof().is_some();
    let mut queries = vec![
        scores_query(query),
        column("truecount_counts", bin_counts(quantifier, query)),
        column("truecount_weighed", weights(quantifier)),
        column("truecount_sums", sums(quantifier, query)),
        column("truecount_rates", rates(quantifier)),
        column("truecount_sides", interval::side_rows(options)),
    ];
    let mut before = "truecount_sums".to_owned();
    for (k, QueryStep { columns, join }) in
        choice_steps(quantifier).into_iter().chain(interval::steps(options, clusters)).enumerate()
    {
        let columns: Vec<String> = columns.iter().map(|(name, sql)| format!(",\n    {sql} AS {name}")).collect();
        let name = format!("truecount_{}", k + 1);
        queries.push((name.clone(), format!("SELECT DISTINCT *{}\n  FROM {before}{join}", columns.concat())));
        before = name;
    }
    let (published, by) = interval::result_columns(options);
    let published: Vec<String> = published.iter().map(|(name, sql)| format!(",\n  {sql} AS {name}")).collect();
    // By column number, since a grouping column may have the name of an internal column.
    let order: Vec<String> = (1..=query.by.len() + 1).map(|column| column.to_string()).collect();
    let last = format!(
        "SELECT {}'{}' AS method, n, missing{}\nFROM {before}\nGROUP BY {}{by}\nORDER BY {}",
        named_groups(query),
        Method::ES,
        published.concat(),
        group_list(query),
        order.join(", ")
    );
    HEAD.to_owned() + &with_queries(&queries, &last)
}

/// Returns the query that adds the weight of each bin to the counts.
fn weights(quantifier: &Quantifier) -> String {
    let first = quantifier.means().iter().find(|step| step.q() == WEIGHT_Q).expect("the first step");
    let InfluenceFunction::Steps { values, .. } = first.influence() else { unreachable!("steps on bins") };
    // An estimate needs fewer than 12 decimals. The first value is a double in every engine, which
    // makes the whole CASE a double.
    let rounded = values.iter().map(|value| format_number((value * 1e12).round() / 1e12)).enumerate();
    let each = rounded.map(|(bin, weight)| match bin {
        0 => format!("WHEN 0 THEN {weight} * {ONE}"),
        _ => format!("WHEN {bin} THEN {weight}"),
    });
    let cases = each.collect::<Vec<_>>().join("\n      ");
    format!("SELECT DISTINCT *, CASE bin\n      {cases} END AS weight\n  FROM truecount_counts")
}

/// Returns the query of the sums by group: `n`, `missing`, `sum_1`, `sum_2`, …
fn sums(quantifier: &Quantifier, query: &Query) -> String {
    let each = quantifier.means().iter().enumerate().map(|(k, step)| {
        let over = match step.q() {
            WEIGHT_Q => String::new(),
            // Rounded for readability.
            q => format!(" / (1E0 {} * weight)", format_term(((q - WEIGHT_Q) * 1e9).round() / 1e9)),
        };
        format!(",\n    sum(scores * weight{over}) AS sum_{}", k + 1)
    });
    // An empty table without groups has a row without bins.
    let count = |bins: &str| format!("CAST(COALESCE(sum(CASE WHEN bin {bins} 0 THEN scores ELSE 0 END), 0) AS BIGINT)");
    let groups = group_aliases(query);
    format!(
        "SELECT {}{} AS n,\n    {} AS missing{}\n  FROM truecount_weighed{}",
        group_list(query),
        count(">="),
        count("<"),
        each.collect::<Vec<_>>().concat(),
        if groups.is_empty() { String::new() } else { format!("\n  GROUP BY {}", groups.join(", ")) }
    )
}

/// Returns the steps from the sums to the function of each group, its unclipped estimate `raw` and its
/// row of `truecount_rates`.
fn choice_steps(quantifier: &Quantifier) -> Vec<QueryStep> {
    let choice = quantifier.score_choice().expect("a choice among several functions");
    let labelled = choice.labelled().expect("rates of labelled scores");
    let raw = |(k, mean): (usize, &InfluenceMean)| {
        let EstimatorCoefficients { negative, distance, .. } = mean.estimator().coefficients();
        format!("(sum_{} / size {}) / {}", k + 1, format_term(-negative), format_number(distance))
    };
    let raw: Vec<String> = quantifier.means().iter().enumerate().map(raw).collect();
    let size = format!("NULLIF(n, 0) * {ONE}");
    let mut steps = vec![step([column("size", size)]), step([column("raw_1", &raw[choice.first()])])];
    // n c±, which needs no division by n.
    let factor = |share: &str, labelled: f64| format!("{share} * (1E0 + {share} * n / {})", format_number(labelled));
    for k in 1..=ScoreChoice::LATER_STEPS {
        let (share, last) = (format!("share_{k}"), k == ScoreChoice::LATER_STEPS);
        let bounds = choice.bounds().iter().enumerate().map(|(j, bound)| {
            let (bound, rest) = (format_number(*bound), format_number(((1.0 - bound) * 1e9).round() / 1e9));
            format!("WHEN factor_p_{k} * {rest} <= factor_n_{k} * {bound} THEN {}", j + 1)
        });
        // A group without scores has NULL here and gets the last place.
        let place = format!("CASE {}\n      ELSE {} END", bounds.collect::<Vec<_>>().join("\n      "), raw.len());
        let each = raw.iter().enumerate().map(|(j, raw)| format!("WHEN {} THEN {raw}", j + 1));
        let chosen = format!("CASE place_{k} {} END", each.collect::<Vec<_>>().join("\n      "));
        steps.extend([
            step([column(&share, clip(&format!("raw_{k}")))]),
            step([
                column(format!("factor_p_{k}"), factor(&share, labelled.positive)),
                column(format!("factor_n_{k}"), factor(&format!("(1E0 - {share})"), labelled.negative)),
            ]),
            step([column(format!("place_{k}"), place)]),
            step([column(if last { "raw".to_owned() } else { format!("raw_{}", k + 1) }, chosen)]),
        ]);
    }
    let join = format!(" CROSS JOIN truecount_rates\n  WHERE place = place_{}", ScoreChoice::LATER_STEPS);
    steps.push(QueryStep { columns: vec![column("estimate", clip("raw"))], join });
    steps
}

/// Returns the table of each function's variances and third moments, those of a test score and those of
/// the means of the labelled classes, with degrees of freedom.
fn rates(quantifier: &Quantifier) -> String {
    let row = |(k, mean): (usize, &InfluenceMean)| {
        let precision = mean.estimator().coefficients().precision.expect("rates of labelled scores");
        let (third, sizes) = (precision.third_with_unseen(), precision.sizes());
        let (effective, dof) = (precision.effective_n(), precision.class_dof());
        let mut columns = vec![column("place", (k + 1).to_string())];
        for (class, suffix) in [(Class::Positive, "p"), (Class::Negative, "n")] {
            let (third, n) = (third.get(class), sizes.get(class));
            let unseen = precision.unseen.get(class).square / effective.get(class);
            let values = [
                ("test", *precision.test.get(class)),
                ("training", precision.training.get(class) / n),
                ("unseen", unseen),
                ("unseen_mean", unseen / effective.get(class)),
                ("dof", *dof.get(class)),
                ("whole", third.score),
                ("cube", third.training / n / n),
                ("cross", third.test_covariance / n),
                ("own", third.training_covariance / n / n),
            ];
            columns.extend(values.map(|(name, value)| column(format!("{name}_{suffix}"), number(value))));
        }
        columns.push(column("shared", number(2.0 * precision.covariance())));
        columns.extend(precision.cluster_dof().map(|dof| column("dof_max", number(dof.max(1.0)))));
        let named =
            |(name, value): &(String, String)| if k == 0 { format!("{value} AS {name}") } else { value.clone() };
        format!("SELECT {}", columns.iter().map(named).collect::<Vec<_>>().join(", "))
    };
    quantifier.means().iter().enumerate().map(row).collect::<Vec<_>>().join("\n  UNION ALL ")
}

/// Formats a number, or 0 if products with it could underflow.
fn number(value: f64) -> String {
    format_number(if value.abs() < UNDERFLOW { 0.0 } else { value })
}
