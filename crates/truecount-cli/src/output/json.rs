//! One object: the model and all estimates, every digit.

use super::{Report, Row};
use crate::input::Texts;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Whole(report)).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// Written estimate by estimate: a million groups need no second copy in memory.
struct Whole<'a>(&'a Report<'a>);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(2))?;
        object.serialize_entry("model", &model(self.0))?;
        object.serialize_entry("estimates", &Estimates(self.0))?;
        object.end()
    }
}

struct Estimates<'a>(&'a Report<'a>);

impl Serialize for Estimates<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.rows.len()))?;
        let texts = self.0.keys.texts();
        self.0.rows.iter().try_for_each(|row| list.serialize_element(&estimate(self.0, &texts, row)))?;
        list.end()
    }
}

fn estimate(report: &Report, texts: &Texts, row: &Row) -> Value {
    let e = &row.estimate;
    let group: Map<String, Value> =
        report.keys.columns().map(str::to_owned).zip(texts.of(row.group).map(|value| json!(value))).collect();
    let mut estimate = json!({
        "group": group,
        "method": row.method.to_string(),
        "n": e.n,
        "n_eff": e.effective_n,
        "prevalence": e.prevalence,
        "raw": e.raw,
        "se": e.uncertainty.map(|u| u.se),
        "lower": e.uncertainty.map(|u| u.lower),
        "upper": e.uncertainty.map(|u| u.upper),
        "level": e.level,
        "warnings": e.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    if let (None, Some(object)) = (e.effective_n, estimate.as_object_mut()) {
        object.shift_remove("n_eff");
    }
    estimate
}

/// What was learnt. `threshold` and `region` are those of the first Continuous Sweep asked for, null without one; `methods`
/// has all.
fn model(report: &Report) -> Value {
    let mut learnt = report.model.learnt();
    let first = report.model.quantifiers().iter().find_map(truecount::quantifier::Quantifier::sweep);
    learnt["threshold"] = json!(first.map(|sweep| sweep.threshold().value()));
    learnt["region"] = json!(first.map(|sweep| sweep.region().intervals()));
    for quantifier in report.model.quantifiers() {
        learnt["methods"][quantifier.method().to_string()]["variance"] = json!(report.variance_of(quantifier));
    }
    learnt
}
