//! Warnings about many samples, summarised.

use super::say;
use std::fmt;
use truecount::{Estimates, Method, Model};
use truecount_analysis::advice::format_warning;
use truecount_analysis::output::method_list;

/// Each warning once, with the methods that have it.
fn by_methods<'a, W: PartialEq>(warnings: impl Iterator<Item = (Method, &'a [W])>) -> Vec<(&'a W, Vec<Method>)> {
    let mut once: Vec<(&W, Vec<Method>)> = Vec::new();
    for (method, of_method) in warnings {
        for warning in of_method {
            match once.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, methods)) => methods.push(method),
                None => once.push((warning, vec![method])),
            }
        }
    }
    once
}

/// Summarises the warnings about many samples: those that every sample has, as they are about the model; and of the
/// others the first one, and how many samples have any, by method.
pub fn warn<I: fmt::Display>(model: &Model, ids: impl Iterator<Item = I>, estimates: &[Estimates]) {
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    let (mut of_model, mut of_samples) = (Vec::new(), Vec::new());
    for (i, quantifier) in model.quantifiers().iter().enumerate() {
        let method = quantifier.method();
        let texts = |of_sample: &Estimates| of_sample[i].warnings.iter().map(format_warning).collect();
        let each: Vec<Vec<String>> = estimates.iter().map(texts).collect();
        let mut shared = each.first().cloned().unwrap_or_default();
        shared.retain(|warning| each.iter().all(|warnings| warnings.contains(warning)));
        let own = |warnings: &Vec<String>| warnings.iter().find(|warning| !shared.contains(warning)).cloned();
        let mut warned = ids.iter().zip(&each).filter_map(|(id, warnings)| own(warnings).map(|warning| (id, warning)));
        if let Some((id, warning)) = warned.next() {
            let (some, all) = (1 + warned.count(), estimates.len());
            of_samples.push(format!("{method}: {some} of {all} samples have warnings; sample {id}: {warning}"));
        }
        of_model.push((method, shared));
    }
    let of_all = by_methods(of_model.iter().map(|(method, shared)| (*method, shared.as_slice())));
    let lines = of_all.iter().map(|(warning, methods)| format!("{}: {warning}", method_list(methods, of_model.len())));
    lines.chain(of_samples).for_each(|warning| say(&format!("warning: {warning}")));
}
