//! The choices that have names: the library's tables.

use crate::error::{raised, refused, value_error};
use pyo3::prelude::*;
use truecount::counts::RateInterval;
use truecount::distribution::Family;
use truecount::evaluation::{Measure, Protocol};
use truecount::inference::Interval;
use truecount::quantifier::{Keeps, Threshold};
use truecount::sweep::PDelta;
use truecount::{
    Against, Anchor, Dialect, Error, Method, OnMisfit, Reporting, Request, Settings, Subject, Target, Transform,
    Warning,
};

/// The value of that name.
pub fn one_of<T: Copy>(what: &str, name: &str, table: &[(&'static str, T, &'static str)]) -> PyResult<T> {
    let found = table.iter().find(|(known, ..)| *known == name).map(|(_, value, _)| *value);
    found.ok_or_else(|| {
        let known: Vec<&str> = table.iter().map(|(known, ..)| *known).collect();
        let sentence = format!("{what} is '{name}'; it must be one of {}", known.join(", "));
        refused(Subject::Options, "option-invalid", &sentence, &[("name", what), ("value", name)])
    })
}

/// Level, target and kind of the intervals, what misfit does to them, and the size of a finite population, as they come from Python.
#[derive(FromPyObject)]
pub struct AskedReporting(f64, String, String, String, Option<f64>);

impl AskedReporting {
    pub fn get(&self) -> PyResult<Reporting> {
        let Self(level, target, interval, misfit, population) = self;
        let reporting = Reporting::new(*level, target.parse().map_err(raised)?).map_err(raised)?;
        // The bootstrap has intervals of its own: any kind will do.
        let table: Vec<_> = Interval::TABLE.iter().copied().chain([("bootstrap", Interval::default(), "")]).collect();
        let interval = one_of("interval", interval, &table)?;
        let reporting = reporting.with_interval(interval).on_misfit(misfit.parse().map_err(raised)?);
        Ok(population.map_or(reporting, |size| of_population(&reporting, size)))
    }
}

/// Of a population of so many: sizes are whole numbers, or as good as.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sizes are above 0
pub fn of_population(reporting: &Reporting, size: f64) -> Reporting {
    reporting.of_population(size.round() as u64)
}

/// What to fit, as it comes from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AskedSettings {
    methods: Vec<String>,
    threshold: Option<f64>,
    family: Option<String>,
    transform: Option<String>,
    anchor: Option<String>,
    cutoff: Option<f64>,
}

impl AskedSettings {
    pub fn get(&self) -> PyResult<Settings> {
        let threshold = self.threshold.map(|p| PDelta::new(p).map(Threshold::Fixed)).transpose().map_err(raised)?;
        let family = self.family.as_deref().map(str::parse).transpose().map_err(raised)?;
        let transform = self.transform.as_deref().map(str::parse).transpose().map_err(raised)?;
        let anchor = self.anchor.as_deref().map(str::parse).transpose().map_err(raised)?;
        let methods = self.methods.clone();
        Request { methods, threshold, family, transform, anchor, cutoff: self.cutoff }.settings().map_err(raised)
    }
}

/// The names of a table, each with what it is: methods, families, transforms, anchors, targets, intervals, those of counts, what misfit does to
/// them, protocols, measures, dialects, what groups are compared with, the codes of errors and warnings, or what errors are about.
#[pyfunction]
pub fn names(table: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    fn of<T: Copy>(table: &[(&'static str, T, &'static str)]) -> Vec<(&'static str, &'static str)> {
        table.iter().map(|(name, _, what)| (*name, *what)).collect()
    }
    Ok(match table {
        "methods" => Method::ALL.iter().map(|method| (method.name(), method.summary())).collect(),
        "families" => of(Family::TABLE),
        "transforms" => of(Transform::TABLE),
        "anchors" => of(Anchor::TABLE),
        "targets" => of(Target::TABLE),
        "intervals" => of(Interval::TABLE),
        "rate intervals" => of(RateInterval::TABLE),
        "misfits" => of(OnMisfit::TABLE),
        "protocols" => of(Protocol::TABLE),
        "measures" => of(Measure::TABLE),
        "dialects" => of(Dialect::TABLE),
        "references" => Against::WORDS.iter().map(|(name, _, what)| (*name, *what)).collect(),
        "errors" => of(Error::TABLE),
        "warnings" => of(Warning::TABLE),
        "subjects" => of(Subject::TABLE),
        _ => return Err(value_error(format!("there is no table '{table}'"))),
    })
}

/// The names of the methods for which it holds: that they read posterior probabilities; or that what a
/// test score adds to an estimate depends on the others.
#[pyfunction]
pub fn methods_that(hold: &str) -> PyResult<Vec<&'static str>> {
    let holds: fn(Method) -> bool = match hold {
        "read posteriors" => Method::reads_posteriors,
        "choose among means" => |method: Method| matches!(method.keeps(), Keeps::Means | Keeps::ScoreBins),
        _ => return Err(value_error(format!("nothing is known of methods that {hold}"))),
    };
    Ok(Method::ALL.iter().filter(|method| holds(**method)).map(|method| method.name()).collect())
}
