//! Notes below tables of estimates: the fit, and the sampling that standard errors account for.

use crate::results::{Note, decimals_for, escape_untrusted};
use std::iter;
use truecount::Model;
use truecount::distribution::Family;
use truecount::internal::Digits;
use truecount::model::Posteriors;
use truecount::quantifier::Quantifier;
use truecount::scores::{PerClass, Transform};

/// Returns notes on the sampling that standard errors and intervals account for: one note, or one
/// for each group of methods that differ in this. `resamples` are those of a bootstrap; `alternative`
/// names the option that gives standard errors to methods without a formula for them.
pub fn variance_notes<'a>(
    quantifiers: impl Iterator<Item = &'a Quantifier>,
    resamples: Option<u64>,
    alternative: &str,
) -> Vec<Note> {
    let note = |VarianceNote { subject, statement, methods }: VarianceNote| {
        let first = format!("{subject}: {statement}");
        if methods.is_empty() {
            return Note::line(first);
        }
        let lines = iter::once(first).chain(fold_lines(&methods)).collect();
        Note::set(format!("{subject} of {}: {statement}", methods.join(", ")), lines)
    };
    group_by_variance(quantifiers, resamples, alternative).into_iter().map(note).collect()
}

/// A note on the sampling that the standard errors and intervals of some methods account for.
struct VarianceNote {
    subject: &'static str,
    statement: String,
    /// The methods; empty if the note applies to all methods.
    methods: Vec<String>,
}

/// Describes the sampling that a method's standard errors account for, by formula or from a bootstrap
/// with this number of resamples; `None` if there is no formula.
pub fn variance_of(quantifier: &Quantifier, resamples: Option<u64>) -> Option<String> {
    match resamples {
        Some(resamples) => Some(quantifier.method().bootstrap_variance_sources(resamples)),
        None => quantifier.variance_sources().map(str::to_owned),
    }
}

fn group_by_variance<'a>(
    quantifiers: impl Iterator<Item = &'a Quantifier>,
    resamples: Option<u64>,
    alternative: &str,
) -> Vec<VarianceNote> {
    let mut groups: Vec<(Option<String>, Vec<String>)> = Vec::new();
    for quantifier in quantifiers {
        let (variance, method) = (variance_of(quantifier, resamples), quantifier.method().to_string());
        match groups.iter_mut().find(|(other, _)| *other == variance) {
            Some((_, methods)) => methods.push(method),
            None => groups.push((variance, vec![method])),
        }
    }
    let several = groups.len() > 1;
    let note = |(variance, methods): (Option<String>, Vec<String>)| {
        let (subject, statement) = match variance {
            Some(variance) => ("uncertainty", variance),
            None => ("no standard error or interval", format!("there is no formula ({alternative})")),
        };
        VarianceNote { subject, statement, methods: if several { methods } else { Vec::new() } }
    };
    groups.into_iter().map(note).collect()
}

/// Joins words by commas into indented lines of at most 80 characters.
fn fold_lines(words: &[String]) -> Vec<String> {
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

/// Describes the fit in lines, which have at most 80 characters unless names are long.
pub fn fit_notes(model: &Model) -> Vec<String> {
    let counts = model.labelled_counts();
    let sample =
        format!("{} positive and {} negative scores{}", counts.positive, counts.negative, describe_design(model));
    let mut lines = match model.separation() {
        None => vec![format!("fitted to {sample}")],
        Some(separation) => {
            let (positive, negative) = (separation.positive().family(), separation.negative().family());
            let mut lines = if positive == negative {
                vec![format!("fitted: {positive} distributions to {sample}")]
            } else {
                vec![format!("fitted: {positive} positives, {negative} negatives"), format!("fitted to {sample}")]
            };
            if model.settings().family == Family::Auto {
                lines.push("families: for each class, the largest cross-validated log-likelihood".to_owned());
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
    lines
}

/// Returns the parameters of each method in lines. They help to understand a fit, but are not
/// needed to read an estimate.
pub fn diagnostics(model: &Model) -> Vec<String> {
    let mut lines = Vec::new();
    let counts = model.labelled_counts();
    match model.posteriors() {
        None => {}
        Some(origin @ Posteriors::Given) => {
            lines.push(format!("posterior probabilities: {}", describe_posteriors(origin)));
        }
        Some(origin @ Posteriors::Fitted) => {
            let prior = counts.positive as f64 / (counts.positive + counts.negative) as f64;
            let origin = describe_posteriors(origin);
            lines.push(format!("posterior probabilities: {origin} at training prevalence {prior:.4}"));
        }
    }
    for quantifier in model.quantifiers() {
        lines.push(format!("{}: {}", quantifier.method(), parameter_list(model, quantifier)));
    }
    lines
}

/// Says where posterior probabilities come from.
pub fn describe_posteriors(posteriors: Posteriors) -> &'static str {
    let entry = Posteriors::TABLE.iter().find(|(_, known, _)| *known == posteriors);
    entry.expect("the table has all origins").2
}

/// Describes the models of the strata of a column in a sentence.
pub fn strata_note<'a>(column: &str, strata: impl Iterator<Item = (&'a str, &'a Model)>) -> String {
    let counts = strata.map(|(name, model)| {
        let PerClass { positive, negative } = model.labelled_counts();
        format!("{} {positive} and {negative}", escape_untrusted(name))
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!(
        "one model for each {}, fitted to these numbers of positive and negative scores: {counts}",
        escape_untrusted(column)
    )
}

/// Describes the weights, clusters and strata of the labelled scores; empty without them.
pub fn describe_design(model: &Model) -> String {
    let labelled = model.labelled();
    let weights = labelled.weights().map_or_else(String::new, |_| {
        let PerClass { positive, negative } = labelled.effective_sizes();
        format!(" with weights (effective sample sizes {positive:.1} and {negative:.1})")
    });
    let clusters = labelled.cluster_count().map_or_else(String::new, |number| format!(" in {number} clusters"));
    let strata = labelled.stratum_count().map_or_else(String::new, |number| format!(" from {number} strata"));
    weights + &clusters + &strata
}

fn parameter_list(model: &Model, quantifier: &Quantifier) -> String {
    let Some((sweep, separation)) = quantifier.sweep().zip(model.separation()) else {
        let text = |(name, value): (&str, f64)| {
            // Whole numbers as they are, others with four decimals, or with all digits if these would be zeros.
            let is_short = value.fract() == 0.0 || value.abs() < 5e-5;
            let value = if is_short { Digits(value).to_string() } else { format!("{value:.4}") };
            format!("{} {value}", name.replace('_', " "))
        };
        return quantifier.parameters().into_iter().map(text).collect::<Vec<_>>().join(", ");
    };
    let digits = decimals_for(separation.theta_max(), sweep.region().width());
    let interval = |[l, r]: &[f64; 2]| format!("[{:.digits$}, {:.digits$}]", Digits(*l), Digits(*r));
    let region: Vec<String> = sweep.region().intervals().iter().map(interval).collect();
    format!(
        "max J {:.4} at {:.digits$}, threshold {:.4}, region {}",
        separation.max_j(),
        Digits(separation.theta_max()),
        sweep.threshold().value(),
        region.join(" and ")
    )
}
