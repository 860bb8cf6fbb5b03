//! What is asked for in words and numbers → what the library takes.

use super::refused::{Failure, Refused, Untold};
use truecount::inference::Interval;
use truecount::quantifier::Threshold;
use truecount::sweep::PDelta;
use truecount::{Reporting, Request, Settings};

/// Level, target and kind of the intervals, what misfit does to them, and the size of a finite population.
#[derive(Clone, Copy, Debug)]
pub struct AskedReporting<'a> {
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
pub struct AskedSettings<'a> {
    /// The names of the methods.
    pub methods: &'a [String],
    /// The threshold of Continuous Sweep.
    pub threshold: Option<f64>,
    /// The name of the family.
    pub family: Option<&'a str>,
    /// The name of the transform.
    pub transform: Option<&'a str>,
    /// The name of the anchor.
    pub anchor: Option<&'a str>,
    /// Where Classify & Count cuts.
    pub cutoff: Option<f64>,
}

/// The value of that name in a table of names; `what` is chosen.
///
/// # Errors
/// [`Refused::NoChoice`], with the names that there are.
pub fn one_of<T: Copy>(
    what: &'static str,
    name: &str,
    table: &[(&'static str, T, &'static str)],
) -> Result<T, Failure> {
    let found = table.iter().find(|(known, ..)| *known == name).map(|(_, value, _)| *value);
    found.ok_or_else(|| {
        let known: Vec<&str> = table.iter().map(|(known, ..)| *known).collect();
        let choices = Untold(format!("one of {}", known.join(", ")));
        Refused::NoChoice { name: what, value: name.to_owned(), choices }.into()
    })
}

impl AskedReporting<'_> {
    /// How estimates are reported.
    ///
    /// # Errors
    /// Those of [`Reporting::new`]; for names that there are not.
    pub fn get(&self) -> Result<Reporting, Failure> {
        let reporting = Reporting::new(self.level, self.target.parse()?)?;
        // The bootstrap has intervals of its own: any kind will do.
        let table: Vec<_> = Interval::TABLE.iter().copied().chain([("bootstrap", Interval::default(), "")]).collect();
        let interval = one_of("interval", self.interval, &table)?;
        let reporting = reporting.with_interval(interval).on_misfit(self.misfit.parse()?);
        Ok(self.population.map_or(reporting, |size| of_population(&reporting, size)))
    }
}

impl AskedSettings<'_> {
    /// The settings.
    ///
    /// # Errors
    /// Those of [`Request::settings`]; for names that there are not.
    pub fn get(&self) -> Result<Settings, Failure> {
        let request = Request {
            threshold: self.threshold.map(|p| PDelta::new(p).map(Threshold::Fixed)).transpose()?,
            family: self.family.map(str::parse).transpose()?,
            transform: self.transform.map(str::parse).transpose()?,
            anchor: self.anchor.map(str::parse).transpose()?,
            methods: self.methods.to_vec(),
            cutoff: self.cutoff,
        };
        Ok(request.settings()?)
    }
}

/// Of a population of so many: sizes are whole numbers, or as good as.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sizes are above 0
pub(super) fn of_population(reporting: &Reporting, size: f64) -> Reporting {
    reporting.of_population(size.round() as u64)
}
