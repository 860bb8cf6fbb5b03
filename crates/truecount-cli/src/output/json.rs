//! One object with the model and all estimates, or one line for each estimate; every digit.

use super::values::Values;
use super::{Report, Row};
use crate::advice::Object;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};
use std::io::{self, Write};

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Whole(report)).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// One estimate a line.
pub fn write_lines(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let values = Values::new(report.keys.batch());
    report.rows.iter().try_for_each(|row| {
        serde_json::to_writer(&mut *out, &Line { report, values: &values, row }).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })
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
        let report = self.0;
        let mut list = serializer.serialize_seq(Some(report.rows.len()))?;
        let values = Values::new(report.keys.batch());
        report.rows.iter().try_for_each(|row| list.serialize_element(&Line { report, values: &values, row }))?;
        list.end()
    }
}

/// One estimate.
struct Line<'a> {
    report: &'a Report<'a>,
    values: &'a Values<'a>,
    row: &'a Row,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let e = &self.row.estimate;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("group", &Group(self))?;
        object.serialize_entry("method", &format_args!("{}", self.row.method))?;
        object.serialize_entry("n", &e.n)?;
        if let Some(n) = e.effective_n {
            object.serialize_entry("n_eff", &n)?;
        }
        object.serialize_entry("prevalence", &e.prevalence)?;
        object.serialize_entry("raw", &e.raw)?;
        object.serialize_entry("se", &e.uncertainty.map(|u| u.se))?;
        object.serialize_entry("lower", &e.uncertainty.map(|u| u.lower))?;
        object.serialize_entry("upper", &e.uncertainty.map(|u| u.upper))?;
        object.serialize_entry("level", &e.level)?;
        object.serialize_entry("warnings", &e.warnings.iter().map(Object).collect::<Vec<_>>())?;
        object.end()
    }
}

/// The group of an estimate.
struct Group<'a>(&'a Line<'a>);

impl Serialize for Group<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Line { report, values, row } = self.0;
        serializer.collect_map(report.keys.columns().zip(values.of(row.group)))
    }
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
