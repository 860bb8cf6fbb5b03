//! A summary of the warnings about many samples.

use super::print_message;
use std::fmt;
use truecount::{Estimates, Method, Model};
use truecount_analysis::advice::format_warning;
use truecount_analysis::output::method_list;

/// Returns each warning once, with the methods that have it.
fn by_methods<'a, W: PartialEq>(warnings: impl Iterator<Item = (Method, &'a [W])>) -> Vec<(&'a W, Vec<Method>)> {
    let mut distinct: Vec<(&W, Vec<Method>)> = Vec::new();
    for (method, warnings) in warnings {
        for warning in warnings {
            match distinct.iter_mut().find(|(other, _)| *other == warning) {
                Some((_, methods)) => methods.push(method),
                None => distinct.push((warning, vec![method])),
            }
        }
    }
    distinct
}

/// Prints a summary of the warnings about many samples.
///
/// Warnings that all samples share are about the model. Of the other warnings, the summary has for
/// each method the first one and the number of samples that have any.
pub fn warn<I: fmt::Display>(model: &Model, ids: impl Iterator<Item = I>, estimates: &[Estimates]) {
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    let (mut model_warnings, mut sample_lines) = (Vec::new(), Vec::new());
    for (i, quantifier) in model.quantifiers().iter().enumerate() {
        let method = quantifier.method();
        let texts = |sample: &Estimates| sample[i].warnings.iter().map(format_warning).collect();
        let warnings: Vec<Vec<String>> = estimates.iter().map(texts).collect();
        let mut shared = warnings.first().cloned().unwrap_or_default();
        shared.retain(|warning| warnings.iter().all(|sample| sample.contains(warning)));
        let first_other = |(id, sample): (&String, &Vec<String>)| {
            let warning = sample.iter().find(|warning| !shared.contains(warning))?;
            Some((id.clone(), warning.clone()))
        };
        let mut samples = ids.iter().zip(&warnings).filter_map(first_other);
        if let Some((id, warning)) = samples.next() {
            let (some, all) = (1 + samples.count(), estimates.len());
            sample_lines.push(format!("{method}: {some} of {all} samples have warnings; sample {id}: {warning}"));
        }
        model_warnings.push((method, shared));
    }
    let shared = by_methods(model_warnings.iter().map(|(method, shared)| (*method, shared.as_slice())));
    let number_of_methods = model_warnings.len();
    let lines =
        shared.iter().map(|(warning, methods)| format!("{}: {warning}", method_list(methods, number_of_methods)));
    lines.chain(sample_lines).for_each(|warning| print_message(&format!("warning: {warning}")));
}
