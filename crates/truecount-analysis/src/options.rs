//! Choices by name and numbers from other languages, as the library takes them; and the tables of names.

use crate::totals::with_population_size;
use truecount::counts::RateInterval;
use truecount::distribution::Family;
use truecount::evaluation::{Measure, SamplingProtocol};
use truecount::inference::Interval;
use truecount::quantifier::{Keeps, Threshold};
use truecount::sweep::PDelta;
use truecount::{
    Against, Anchor, Dialect, Error, ErrorKind, Method, OnMisfit, Operation, Problem, Reporting, Request, Settings,
    Target, Transform, Warning,
};

/// Level, target and kind of the intervals, what misfit does to them, and the size of a finite population.
#[derive(Clone, Copy, Debug)]
pub struct IntervalArgs<'a> {
    /// Nominal coverage.
    pub level: f64,
    /// The name of the target.
    pub target: &'a str,
    /// The name of the kind of intervals, or `bootstrap`.
    pub interval: &'a str,
    /// The name of what misfit does.
    pub misfit: &'a str,
    /// The size of the population, if it is finite.
    pub population: Option<f64>,
}

/// What to fit.
#[derive(Clone, Copy, Debug)]
pub struct SettingsArgs<'a> {
    /// The names of the methods.
    pub methods: &'a [String],
    /// The threshold of Continuous Sweep.
    pub threshold: Option<f64>,
    /// The name of the family.
    pub family: Option<&'a str>,
    /// The name of the transform.
    pub transform: Option<&'a str>,
    /// The name of the anchor.
    pub rates: Option<&'a str>,
    /// Where Classify & Count cuts.
    pub cutoff: Option<f64>,
}

/// The value of that name in a table of names; `what` is chosen.
///
/// # Errors
/// [`Problem::UnknownChoice`], with the names that there are.
pub fn find_by_name<T: Copy>(what: &'static str, name: &str, table: &[(&'static str, T, &'static str)]) -> Result<T, Error> {
    let found = table.iter().find(|(known, ..)| *known == name).map(|(_, value, _)| *value);
    found.ok_or_else(|| {
        let known = table.iter().map(|(known, ..)| *known).collect();
        Problem::UnknownChoice { name: what, value: name.to_owned(), known }.into()
    })
}

impl IntervalArgs<'_> {
    /// How estimates are reported.
    ///
    /// # Errors
    /// Those of [`Reporting::new`]; for names that there are not.
    pub fn parse(&self) -> Result<Reporting, Error> {
        let reporting = Reporting::new(self.level, self.target.parse()?)?;
        // The bootstrap has intervals of its own: any kind will do.
        let table: Vec<_> = Interval::TABLE.iter().copied().chain([("bootstrap", Interval::default(), "")]).collect();
        let interval = find_by_name("interval", self.interval, &table)?;
        let reporting = reporting.with_interval(interval).on_misfit(self.misfit.parse()?);
        Ok(self.population.map_or(reporting, |size| with_population_size(&reporting, size)))
    }
}

impl SettingsArgs<'_> {
    /// The settings.
    ///
    /// # Errors
    /// Those of [`Request::settings`]; for names that there are not.
    pub fn parse(&self) -> Result<Settings, Error> {
        let request = Request {
            threshold: self.threshold.map(|p| PDelta::new(p).map(Threshold::Fixed)).transpose()?,
            family: self.family.map(str::parse).transpose()?,
            transform: self.transform.map(str::parse).transpose()?,
            rates: self.rates.map(str::parse).transpose()?,
            methods: self.methods.to_vec(),
            cutoff: self.cutoff,
        };
        request.settings()
    }
}

/// The names of a table, each with what it is: methods, families, transforms, anchors, targets, intervals, those of counts, what misfit does to
/// them, protocols, measures, dialects, what groups are compared with, the codes of errors and warnings, or what errors are about. `None` if
/// there is no such table.
pub fn names(table: &str) -> Option<Vec<(&'static str, &'static str)>> {
    fn of<T: Copy>(table: &[(&'static str, T, &'static str)]) -> Vec<(&'static str, &'static str)> {
        table.iter().map(|(name, _, what)| (*name, *what)).collect()
    }
    Some(match table {
        "methods" => Method::ALL.iter().map(|method| (method.name(), method.summary())).collect(),
        "families" => of(Family::TABLE),
        "transforms" => of(Transform::TABLE),
        "rates" => of(Anchor::TABLE),
        "targets" => of(Target::TABLE),
        "intervals" => of(Interval::TABLE),
        "rate intervals" => of(RateInterval::TABLE),
        "misfits" => of(OnMisfit::TABLE),
        "protocols" => of(SamplingProtocol::TABLE),
        "measures" => of(Measure::TABLE),
        "dialects" => of(Dialect::TABLE),
        "references" => Against::WORDS.iter().map(|(name, _, what)| (*name, *what)).collect(),
        "errors" => of(&[Problem::TABLE, &Operation::table()].concat()),
        "warnings" => of(Warning::TABLE),
        "subjects" => of(ErrorKind::TABLE),
        _ => return None,
    })
}

/// The names of the methods for which it holds: that they `read posteriors`; or that what a test score adds to an estimate depends on the
/// others (`choose among means`). `None` of what nothing is known of.
pub fn methods_that(hold: &str) -> Option<Vec<&'static str>> {
    let holds: fn(Method) -> bool = match hold {
        "read posteriors" => Method::reads_posteriors,
        "choose among means" => |method: Method| matches!(method.keeps(), Keeps::Means | Keeps::ScoreBins),
        _ => return None,
    };
    Some(Method::ALL.iter().filter(|method| holds(**method)).map(|method| method.name()).collect())
}
