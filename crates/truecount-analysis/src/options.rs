//! Conversion of names and numbers from other languages into the library's options, and the tables of names.

use crate::totals::with_population_size;
use serde::Deserialize;
use truecount::compare::Reference;
use truecount::counts::RateInterval;
use truecount::distribution::Family;
use truecount::error::{ErrorKind, Operation, Problem};
use truecount::evaluation::{Measure, SamplingProtocol};
use truecount::inference::IntervalKind;
use truecount::inference::OnMisfit;
use truecount::internal::parse_choice;
use truecount::model::{Label, SettingsRequest};
use truecount::quantifier::RateSource;
use truecount::quantifier::Threshold;
use truecount::scores::Transform;
use truecount::sql::Dialect;
use truecount::sweep::MinSeparation;
use truecount::{DatePeriod, Error, IntervalOptions, LabelledScores, Method, Model, Settings, Target, Warning};

/// Arguments for intervals: level, target, type, treatment of misfit, and the size of a finite population.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct IntervalArgs {
    /// The nominal coverage, in (0, 1).
    pub level: f64,
    /// The name of the target.
    pub target: String,
    /// The name of the type of intervals, or `bootstrap`.
    pub interval: String,
    /// The name of the treatment of misfit.
    pub misfit: String,
    /// The size of the population, if it is finite.
    pub population: Option<f64>,
}

/// Arguments for fitting a model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsArgs {
    /// The names of the methods.
    pub methods: Vec<String>,
    /// The threshold of Continuous Sweep.
    pub threshold: Option<f64>,
    /// The name of the family.
    pub family: Option<String>,
    /// The name of the transform.
    pub transform: Option<String>,
    /// The name of the source of the rates.
    pub rates: Option<String>,
    /// The cutoff of Classify & Count, on the scale of the scores.
    pub cutoff: Option<f64>,
    /// The label of the positives.
    pub positive: Option<Label>,
}

impl Default for IntervalArgs {
    fn default() -> Self {
        let options = IntervalOptions::default();
        let [target, interval, misfit] =
            [options.target().to_string(), options.interval().to_string(), options.misfit().to_string()];
        Self { level: options.level(), target, interval, misfit, population: None }
    }
}

impl IntervalArgs {
    /// Converts the arguments into interval options.
    ///
    /// # Errors
    /// Returns an error if the level is not in (0, 1), and for an unknown name.
    pub fn parse(&self) -> Result<IntervalOptions, Error> {
        let options = IntervalOptions::new(self.level, self.target.parse()?)?;
        // The bootstrap has its own intervals, so the type does not matter.
        let table: Vec<_> =
            IntervalKind::TABLE.iter().copied().chain([("bootstrap", IntervalKind::default(), "")]).collect();
        let interval = parse_choice("interval", &self.interval, &table)?;
        let options = options.with_interval(interval).on_misfit(self.misfit.parse()?);
        Ok(self.population.map_or(options, |size| with_population_size(&options, size)))
    }
}

impl SettingsArgs {
    /// Converts the arguments into settings.
    ///
    /// # Errors
    /// Returns an error for an unknown name, for a threshold or cutoff out of range, and for
    /// settings that do not fit the methods.
    pub fn parse(&self) -> Result<Settings, Error> {
        let request = SettingsRequest {
            threshold: self.threshold.map(|p| MinSeparation::new(p).map(Threshold::Fixed)).transpose()?,
            family: self.family.as_deref().map(str::parse).transpose()?,
            transform: self.transform.as_deref().map(str::parse).transpose()?,
            rates: self.rates.as_deref().map(str::parse).transpose()?,
            methods: self.methods.clone(),
            cutoff: self.cutoff,
        };
        request.settings()
    }

    /// Fits a model to labelled scores.
    ///
    /// # Errors
    /// Returns the errors of [`parse`](Self::parse), and an error if the scores allow none of the methods.
    pub fn fit(&self, labelled: &LabelledScores) -> Result<Model, Error> {
        let model = Model::fit(labelled, &self.parse()?)?;
        Ok(match &self.positive {
            Some(label) => model.with_positive(label.clone()),
            None => model,
        })
    }
}

/// Returns the names in a table with their descriptions; `None` for an unknown table. Tables are:
/// methods, families, transforms, rates, targets, intervals, rate intervals, misfits, periods,
/// protocols, measures, dialects, references, errors, warnings and subjects (kinds of errors).
pub fn names(table: &str) -> Option<Vec<(&'static str, &'static str)>> {
    fn names<T: Copy>(table: &[(&'static str, T, &'static str)]) -> Vec<(&'static str, &'static str)> {
        table.iter().map(|(name, _, meaning)| (*name, *meaning)).collect()
    }
    Some(match table {
        "methods" => Method::ALL.iter().map(|method| (method.name(), method.summary())).collect(),
        "families" => names(Family::TABLE),
        "transforms" => names(Transform::TABLE),
        "rates" => names(RateSource::TABLE),
        "targets" => names(Target::TABLE),
        "intervals" => names(IntervalKind::TABLE),
        "rate intervals" => names(RateInterval::TABLE),
        "misfits" => names(OnMisfit::TABLE),
        "periods" => names(DatePeriod::TABLE),
        "protocols" => names(SamplingProtocol::TABLE),
        "measures" => names(Measure::TABLE),
        "dialects" => names(Dialect::TABLE),
        "references" => Reference::WORDS.iter().map(|(name, _, meaning)| (*name, *meaning)).collect(),
        "errors" => names(&[Problem::TABLE, &Operation::table()].concat()),
        "warnings" => names(Warning::TABLE),
        "subjects" => names(ErrorKind::TABLE),
        _ => return None,
    })
}
