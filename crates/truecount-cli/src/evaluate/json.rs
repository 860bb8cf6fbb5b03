//! One object: all measures of every method, every digit; what is not known is null.

use super::report::{Compared, Errors, Report};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use truecount::evaluation::{Mean, Measure};

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let object = json!({
        "samples": report.samples,
        "level": report.drawn.map(|drawn| drawn.level),
        "reference": report.reference,
        "methods": report.methods.iter().map(method).collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &object).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

fn method(errors: &Errors) -> Value {
    let mut object = Map::from_iter([("method".to_owned(), json!(errors.name))]);
    let measures = Measure::TABLE.iter().map(|(name, measure, _)| (*name, errors.mean(*measure)));
    let rest = [("rmse", errors.rmse()), ("coverage", errors.coverage), ("width", errors.width)];
    object.extend(measures.chain(rest).map(|(name, found)| (name.to_owned(), mean(found))));
    object.insert("compared".to_owned(), errors.compared.as_ref().map_or(Value::Null, compared));
    Value::Object(object)
}

fn mean(mean: Option<Mean>) -> Value {
    mean.map_or(Value::Null, |mean| json!({ "mean": mean.value, "se": mean.se }))
}

/// The reference against this method.
fn compared(compared: &Compared) -> Value {
    let found = &compared.comparison;
    json!({
        "reference_wins": found.wins,
        "reference_losses": found.losses,
        "ties": found.ties,
        "difference": mean(Some(found.difference)),
        "p_value": found.p_value,
        "p_value_holm": compared.adjusted,
    })
}
