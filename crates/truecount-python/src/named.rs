//! The choices that have names: the library's tables.

use crate::error::{raised, refused, value_error};
use pyo3::prelude::*;
use truecount::distribution::Family;
use truecount::evaluation::{Measure, Protocol};
use truecount::inference::Interval;
use truecount::quantifier::Threshold;
use truecount::sweep::PDelta;
use truecount::{Anchor, Dialect, Error, Method, Reporting, Settings, Subject, Target, Transform, Warning};

/// The value of that name.
pub fn one_of<T: Copy>(what: &str, name: &str, table: &[(&'static str, T, &'static str)]) -> PyResult<T> {
    let found = table.iter().find(|(known, ..)| *known == name).map(|(_, value, _)| *value);
    found.ok_or_else(|| {
        let known: Vec<&str> = table.iter().map(|(known, ..)| *known).collect();
        let sentence = format!("{what} is '{name}'; it must be one of {}", known.join(", "));
        refused(Subject::Options, "option-invalid", &sentence, &[("name", what), ("value", name)])
    })
}

/// Level, target and kind of the intervals, as they come from Python.
#[derive(FromPyObject)]
pub struct AskedReporting(f64, String, String);

impl AskedReporting {
    pub fn get(&self) -> PyResult<Reporting> {
        let Self(level, target, interval) = self;
        let target = one_of("target", target, &Target::TABLE)?;
        let reporting = Reporting::new(*level, target).map_err(raised)?;
        let [wilson, wald] = Interval::TABLE;
        // The bootstrap has intervals of its own: any kind will do.
        let interval = one_of("interval", interval, &[wilson, wald, ("bootstrap", Interval::default(), "")])?;
        Ok(reporting.with_interval(interval))
    }
}

/// What to fit, as it comes from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AskedSettings {
    methods: Vec<String>,
    threshold: Option<f64>,
    family: String,
    transform: String,
    anchor: Option<String>,
    cutoff: f64,
}

impl AskedSettings {
    pub fn get(&self) -> PyResult<Settings> {
        let threshold = match self.threshold {
            None => Threshold::Optimal,
            Some(p) => Threshold::Fixed(PDelta::new(p).map_err(raised)?),
        };
        let mut methods = Vec::new();
        for name in &self.methods {
            let several = if name == "all" {
                Method::TABLE.map(|(_, method, _)| method).to_vec()
            } else {
                vec![Method::named(name, Some(threshold)).map_err(raised)?]
            };
            for method in several {
                if !methods.contains(&method) {
                    methods.push(method);
                }
            }
        }
        if self.threshold.is_some() && !methods.contains(&Method::ContinuousSweep(threshold)) {
            let sentence = "threshold belongs to the method cs, which is not asked for; o-cs and t-cs have thresholds of their own";
            return Err(refused(Subject::Options, "option-conflict", sentence, &[("name", "threshold")]));
        }
        let family = one_of("family", &self.family, &Family::TABLE)?;
        let transform = one_of("transform", &self.transform, &Transform::TABLE)?;
        if family == Family::Beta && transform != Transform::None {
            let sentence = "the family beta is for the scores as they are: leave out the transform";
            return Err(refused(Subject::Options, "option-conflict", sentence, &[("name", "transform")]));
        }
        let anchor = self.anchor.as_deref().map(|name| one_of("anchor", name, &Anchor::TABLE)).transpose()?;
        Ok(Settings { methods, family, transform, anchor, cutoff: self.cutoff })
    }
}

/// The names of a table, each with what it is: methods, families, transforms, anchors, targets, intervals, protocols, measures,
/// dialects, or the codes of errors and warnings.
#[pyfunction]
pub fn names(table: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    fn of<T: Copy>(table: &[(&'static str, T, &'static str)]) -> Vec<(&'static str, &'static str)> {
        table.iter().map(|(name, _, what)| (*name, *what)).collect()
    }
    Ok(match table {
        "methods" => of(&Method::TABLE),
        "families" => of(&Family::TABLE),
        "transforms" => of(&Transform::TABLE),
        "anchors" => of(&Anchor::TABLE),
        "targets" => of(&Target::TABLE),
        "intervals" => of(&Interval::TABLE),
        "protocols" => of(&Protocol::TABLE),
        "measures" => of(&Measure::TABLE),
        "dialects" => of(&Dialect::TABLE),
        "errors" => of(Error::TABLE),
        "warnings" => of(Warning::TABLE),
        _ => return Err(value_error(format!("there is no table '{table}'"))),
    })
}
