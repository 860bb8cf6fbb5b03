//! One object: the model and all estimates, every digit.

use super::Report;
use serde_json::{Map, Value, json};
use truecount::Model;

pub fn render(report: &Report) -> String {
    let estimates: Vec<Value> = report
        .rows
        .iter()
        .map(|row| {
            let e = &row.estimate;
            let group: Map<String, Value> =
                report.columns.iter().cloned().zip(report.values(row).iter().map(|v| json!(v))).collect();
            json!({
                "group": group,
                "method": row.method.to_string(),
                "n": e.n,
                "prevalence": e.prevalence,
                "raw": e.raw,
                "se": e.se,
                "lower": e.lower,
                "upper": e.upper,
                "level": e.level,
                "warnings": e.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        })
        .collect();
    let object = json!({ "model": model(report.model), "estimates": estimates });
    serde_json::to_string_pretty(&object).expect("numbers and text") + "\n"
}

/// `threshold` and `region` are those of the first Continuous Sweep asked for, null without one; `methods` has all.
fn model(model: &Model) -> Value {
    let (classes, cutoff) = (model.classes(), model.cutoff());
    let separation = classes.separation();
    let sweeps = model.quantifiers().iter().filter_map(|q| q.sweep().map(|sweep| (q.method(), sweep)));
    let methods: Map<String, Value> = model
        .quantifiers()
        .iter()
        .map(|q| {
            let settings = match q.sweep() {
                Some(sweep) => json!({
                    "threshold": sweep.threshold().value(),
                    "region": sweep.region().intervals(),
                }),
                None => json!({
                    "cutoff": cutoff.score(),
                    "true_positive_rate": cutoff.true_positive_rate(),
                    "false_positive_rate": cutoff.false_positive_rate(),
                }),
            };
            (q.method().to_string(), settings)
        })
        .collect();
    let first = sweeps.map(|(_, sweep)| sweep).next();
    json!({
        "family": separation.positive().family(),
        "positive": separation.positive(),
        "negative": separation.negative(),
        "max_j": separation.max_j(),
        "threshold": first.map(|sweep| sweep.threshold().value()),
        "region": first.map(|sweep| sweep.region().intervals()),
        "n_pos": classes.positives(),
        "n_neg": classes.negatives(),
        "variance": "test sampling only",
        "methods": methods,
    })
}
