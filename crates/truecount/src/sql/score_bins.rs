//! Efficient Sweep on bins: the scores counted in bins by group, and of these counts the sums Σ_b n_b ψ_b at every α₀.
//!
//! ψ_b at ½ is the weight that the query shows; at any other α₀ it is ψ_b/(1 + (α₀ − ½) ψ_b).

use super::names::{number, plus};
use super::Query;
use super::values::groups;
use super::{edges, values};
use crate::quantifier::Quantifier;
use crate::tally::Influence;

/// The bin of rows without a usable score. It weighs nothing.
const NONE: &str = "-1";

/// The prevalence at which the weights are ψ.
const HALF: f64 = 0.5;

/// The queries from `truecount_scores` to the sums by group, which are `n`, `missing`, `sum_1`, `sum_2`, …
pub(super) fn queries(quantifier: &Quantifier, query: &Query) -> Vec<(&'static str, String)> {
    let groups = groups(query);
    let list = |more: &[&str]| values::listed(&[&groups[..], &more.iter().map(|&s| s.to_owned()).collect::<Vec<_>>()].concat());
    let bin = edges::bin("x", &quantifier.bin_edges(), NONE);
    let binned = format!("SELECT {}\n  FROM truecount_scores", list(&[&format!("{bin} AS bin")]));
    let counts = format!(
        "SELECT {}\n  FROM truecount_binned\n  GROUP BY {}",
        list(&["bin", "CAST(count(*) AS BIGINT) AS scores"]),
        list(&["bin"])
    );
    let total = |name: &str, when: &str| {
        format!("CAST(COALESCE(sum(CASE WHEN truecount_counts.bin {when} 0 THEN scores ELSE 0 END), 0) AS BIGINT) AS {name}")
    };
    let sums = quantifier.means().iter().enumerate().map(|(k, step)| {
        let over = match step.best_at() {
            HALF => String::new(),
            alpha => format!(" / (1E0 {} * weight)", plus(alpha - HALF)),
        };
        format!("\n    sum(scores * weight{over}) AS sum_{}", k + 1)
    });
    let columns: Vec<String> =
        groups.iter().cloned().chain([total("n", ">="), total("missing", "<")]).chain(sums).collect();
    let by = if groups.is_empty() { String::new() } else { format!("\n  GROUP BY {}", groups.join(", ")) };
    let joined = "truecount_counts JOIN truecount_bins ON truecount_counts.bin = truecount_bins.bin";
    vec![
        ("truecount_binned", binned),
        ("truecount_counts", counts),
        ("truecount_bins", table(quantifier)),
        ("truecount_sums", format!("SELECT {}\n  FROM {joined}{by}", values::listed(&columns))),
    ]
}

/// The bins with their weights. The first is a double in every engine, and so are then the others.
fn table(quantifier: &Quantifier) -> String {
    let first = quantifier.means().iter().find(|step| step.best_at() == HALF).expect("the first step");
    let Influence::Steps { values, .. } = first.influence() else { unreachable!("steps on bins") };
    let mut text = format!("SELECT {NONE} AS bin, 0E0 * {} AS weight", values::ONE);
    for (bin, weight) in values.iter().enumerate() {
        text += &format!("\n  UNION ALL SELECT {bin}, {}", number(*weight));
    }
    text
}
