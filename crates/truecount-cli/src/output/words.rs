//! What stands below tables, in words: what was fitted, and what standard errors account for; and numbers in few digits.

use indexmap::IndexMap;
use std::iter;
use truecount::distribution::Family;
use truecount::quantifier::Quantifier;
use truecount::{Model, Posteriors, Transform};

/// What the standard errors and intervals account for, in a line or several; by method where that differs.
pub fn variances<'a>(
    quantifiers: impl Iterator<Item = &'a Quantifier>,
    variance_of: impl Fn(&Quantifier) -> Option<String>,
) -> Vec<String> {
    let lines = |variance: Variance| {
        let first = format!("{}: {}", variance.of, variance.what);
        iter::once(first).chain(folded(&variance.methods))
    };
    by_variance(quantifiers, variance_of).into_iter().flat_map(lines).collect()
}

/// The same, each in one sentence.
pub fn variance_sentences<'a>(
    quantifiers: impl Iterator<Item = &'a Quantifier>,
    variance_of: impl Fn(&Quantifier) -> Option<String>,
) -> Vec<String> {
    let sentence = |Variance { of, what, methods }: Variance| {
        if methods.is_empty() { format!("{of}: {what}") } else { format!("{of} of {}: {what}", methods.join(", ")) }
    };
    by_variance(quantifiers, variance_of).into_iter().map(sentence).collect()
}

/// What the standard errors and intervals of these methods account for.
struct Variance {
    of: &'static str,
    what: String,
    /// None if it is all.
    methods: Vec<String>,
}

fn by_variance<'a>(
    quantifiers: impl Iterator<Item = &'a Quantifier>,
    variance_of: impl Fn(&Quantifier) -> Option<String>,
) -> Vec<Variance> {
    let mut kinds: IndexMap<Option<String>, Vec<String>> = IndexMap::new();
    for quantifier in quantifiers {
        kinds.entry(variance_of(quantifier)).or_default().push(quantifier.method().to_string());
    }
    let several = kinds.len() > 1;
    let variance = |(kind, methods): (Option<String>, Vec<String>)| {
        let (of, what) = match kind {
            Some(kind) => ("se and interval", kind),
            None => ("no se and interval", "there is no formula (--interval bootstrap)".to_owned()),
        };
        Variance { of, what, methods: if several { methods } else { Vec::new() } }
    };
    kinds.into_iter().map(variance).collect()
}

/// Words in indented lines of at most 80 characters.
fn folded(words: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.len() < 78 => {
                line.push_str(", ");
                line.push_str(word);
            }
            _ => lines.push(format!("  {word}")),
        }
    }
    lines
}

/// What was fitted, in lines of at most 80 characters where the names allow it.
pub fn fitted(model: &Model) -> Vec<String> {
    let counts = model.labelled_counts();
    let sample = format!("{} positive and {} negative scores", counts.positive, counts.negative);
    let mut lines = match model.separation() {
        None => vec![format!("learnt from {sample}")],
        Some(separation) => {
            let (positive, negative) = (separation.positive().family(), separation.negative().family());
            let mut lines = if positive == negative {
                vec![format!("fitted: {positive} classes from {sample}")]
            } else {
                vec![format!("fitted: {positive} positives, {negative} negatives"), format!("learnt from {sample}")]
            };
            if model.settings().family == Family::Auto {
                lines.push("families: for each class the largest held-out log-likelihood".to_owned());
            }
            lines
        }
    };
    match model.settings().transform {
        Transform::None => {}
        Transform::Logit => lines.push("transform: logit of the score; regions are on that scale".to_owned()),
        Transform::Rank => {
            lines.push("transform: normal quantiles of the labelled scores; regions are on that scale".to_owned());
        }
        other => lines.push(format!("transform: {other}; regions are on that scale")),
    }
    match model.posteriors() {
        None => {}
        Some(Posteriors::Given) => lines.push("posterior probabilities: given".to_owned()),
        Some(Posteriors::Fitted) => {
            let prior = counts.positive as f64 / (counts.positive + counts.negative) as f64;
            lines.push(format!("posterior probabilities: from the fitted classes at training prevalence {prior:.4}"));
        }
    }
    for quantifier in model.quantifiers() {
        lines.push(format!("{}: {}", quantifier.method(), details(model, quantifier)));
    }
    lines
}

fn details(model: &Model, quantifier: &Quantifier) -> String {
    let Some((sweep, separation)) = quantifier.sweep().zip(model.separation()) else {
        let each = |(name, value): (&str, f64)| format!("{} {}", name.replace('_', " "), short(value));
        return quantifier.learnt().into_iter().map(each).collect::<Vec<_>>().join(", ");
    };
    let digits = digits_at(separation.theta_max(), sweep.region().width());
    let intervals = sweep.region().intervals().iter();
    let region: Vec<String> = intervals.map(|[l, r]| format!("[{l:.digits$}, {r:.digits$}]")).collect();
    format!(
        "max J {:.4} at {:.digits$}, threshold {:.4}, region {}",
        separation.max_j(),
        separation.theta_max(),
        sweep.threshold().value(),
        region.join(" and ")
    )
}

/// A share as a percentage. Ten digits: 0.07 is 7 %, not 7.000000000000001 %.
pub fn percent(share: f64) -> String {
    let digits = format!("{:.10}", 100.0 * share);
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Four decimals; an exponent for what has none or too many digits before them.
pub fn short_se(se: f64) -> String {
    if se == 0.0 || (5e-5..1e4).contains(&se) { format!("{se:.4}") } else { format!("{se:.0e}") }
}

/// A p-value; below a millionth the law for large samples is not to be believed to the digit.
pub fn short_p(value: f64) -> String {
    match value {
        p if p < 1e-6 => "<1e-6".to_owned(),
        p if p < 1e-4 => format!("{p:.0e}"),
        p => format!("{p:.4}"),
    }
}

/// A whole number as it is, another with four decimals.
fn short(value: f64) -> String {
    if value.fract() == 0.0 { value.to_string() } else { format!("{value:.4}") }
}

/// Decimals that show a region of that width to about three digits, as far as a double at that place has them.
pub fn digits_at(at: f64, width: f64) -> usize {
    let decimals = 2.0 - width.log10().floor();
    let held = 15.0 - at.abs().max(1.0).log10().floor();
    (0_u8..8).find(|d| f64::from(*d) >= decimals.min(held)).unwrap_or(8).into()
}
