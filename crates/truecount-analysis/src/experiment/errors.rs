//! Mean errors, coverages and widths over parts of an experiment, computed from mergeable totals.

use super::rows::ExperimentCell;
use std::{array, fmt};
use truecount::evaluation::{Measure, Outcome};
use truecount::model::Posteriors;

/// The number of equal parts of [0, 1] by which distances between the true and the labelled
/// prevalence are grouped, for protocols without settings.
const DISTANCE_STEPS: u32 = 5;

/// Returns the distance at which the part with this index begins.
fn step_distance(step: u32) -> f64 {
    f64::from(step) / f64::from(DISTANCE_STEPS)
}

/// The amount of shift of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShiftLevel {
    /// The distance between the prevalences of the sample and of the labelled scores, as the index
    /// of one of five equal parts of [0, 1].
    Distance(u32),
    /// The setting of the protocol.
    Setting(f64),
}

impl ShiftLevel {
    fn new(setting: Option<f64>, distance: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and DISTANCE_STEPS
        let step = || (distance * f64::from(DISTANCE_STEPS)) as u32;
        setting.map_or_else(|| Self::Distance(step().min(DISTANCE_STEPS - 1)), Self::Setting)
    }

    /// Returns the smallest and largest distance; `None` for a setting.
    pub fn distances(self) -> Option<[f64; 2]> {
        let Self::Distance(step) = self else { return None };
        Some([step_distance(step), step_distance(step + 1)])
    }

    /// Returns the middle of the distances, or the setting, by which levels are sorted.
    pub fn middle(self) -> f64 {
        match self {
            Self::Distance(step) => (f64::from(step) + 0.5) / f64::from(DISTANCE_STEPS),
            Self::Setting(setting) => setting,
        }
    }
}

impl fmt::Display for ShiftLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Distance(step) => write!(f, "{}–{}", step_distance(step), step_distance(step + 1)),
            Self::Setting(setting) => write!(f, "{setting}"),
        }
    }
}

/// Sums of errors over samples.
#[derive(Clone, Debug, Default)]
pub struct ErrorTotals {
    /// The number of samples.
    samples: u64,
    /// The number of samples without an estimate.
    failed: u64,
    /// The number of samples whose estimate has a warning.
    warned: u64,
    /// The number of estimates: one for each class and sample.
    estimates: u64,
    /// The sum of each measure; NaN if it is not defined.
    measures: [f64; Measure::TABLE.len()],
    plain: IntervalTotals,
    widened: IntervalTotals,
}

/// Sums over intervals: their number, the number that contain the truth, and their width.
#[derive(Clone, Copy, Debug, Default)]
struct IntervalTotals {
    n: u64,
    covering: u64,
    width: f64,
}

impl IntervalTotals {
    fn add(&mut self, interval: Option<[f64; 2]>, truth: f64) {
        if let Some([lower, upper]) = interval {
            self.n += 1;
            self.covering += u64::from(lower <= truth && truth <= upper);
            self.width += upper - lower;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.covering += other.covering;
        self.width += other.width;
    }

    fn means(&self) -> Option<[f64; 2]> {
        let n = self.n as f64;
        (self.n > 0).then(|| [self.covering as f64 / n, self.width / n])
    }
}

impl ErrorTotals {
    fn add(&mut self, outcome: &Outcome, row: &SampleOutcome) {
        self.estimates += 1;
        for (sum, (_, measure, _)) in self.measures.iter_mut().zip(Measure::TABLE) {
            // The errors of all classes have the sum 0.
            let is_defined = row.class.is_none() || *measure != Measure::Bias;
            *sum += measure.evaluate(outcome).filter(|_| is_defined).unwrap_or(f64::NAN);
        }
        self.plain.add(row.interval, row.truth);
        self.widened.add(row.widened, row.truth);
    }

    fn merge(&mut self, other: &Self) {
        self.samples += other.samples;
        self.failed += other.failed;
        self.warned += other.warned;
        self.estimates += other.estimates;
        self.measures.iter_mut().zip(other.measures).for_each(|(sum, other)| *sum += other);
        self.plain.merge(&other.plain);
        self.widened.merge(&other.widened);
    }

    /// Returns the means.
    pub fn errors(&self) -> MeanErrors {
        let mean = |sum: f64| (self.estimates > 0 && !sum.is_nan()).then(|| sum / self.estimates as f64);
        let means = |totals: &IntervalTotals| totals.means().map_or([None; 2], |means| means.map(Some));
        let [coverage, width] = means(&self.plain);
        let [coverage_widened, width_widened] = means(&self.widened);
        MeanErrors {
            samples: self.samples,
            failed: self.failed,
            warned: self.warned,
            measures: self.measures.map(mean),
            coverage,
            width,
            coverage_widened,
            width_widened,
        }
    }
}

/// Means of errors over samples.
#[derive(Clone, Debug)]
pub struct MeanErrors {
    /// The number of samples.
    pub samples: u64,
    /// The number of samples without an estimate, which the means leave out.
    pub failed: u64,
    /// The number of samples whose estimate has a warning.
    pub warned: u64,
    measures: [Option<f64>; Measure::TABLE.len()],
    /// The share of the intervals that contain the true prevalence.
    pub coverage: Option<f64>,
    /// The mean width of the intervals.
    pub width: Option<f64>,
    /// The coverage of intervals that are widened for misfit.
    pub coverage_widened: Option<f64>,
    /// The mean width of intervals that are widened for misfit.
    pub width_widened: Option<f64>,
}

impl MeanErrors {
    /// Averages the means over data sets with equal weights, leaving out data sets without a mean.
    pub(super) fn over(data_sets: &[Self]) -> Self {
        let mean = |value: &dyn Fn(&Self) -> Option<f64>| {
            let values: Vec<f64> = data_sets.iter().filter_map(value).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        Self {
            samples: data_sets.iter().map(|data| data.samples).sum(),
            failed: data_sets.iter().map(|data| data.failed).sum(),
            warned: data_sets.iter().map(|data| data.warned).sum(),
            measures: array::from_fn(|index| mean(&|data| data.measures[index])),
            coverage: mean(&|data| data.coverage),
            width: mean(&|data| data.width),
            coverage_widened: mean(&|data| data.coverage_widened),
            width_widened: mean(&|data| data.width_widened),
        }
    }

    /// Returns the mean of a measure; `None` without estimates, and if it is not defined for several classes.
    pub fn mean(&self, measure: Measure) -> Option<f64> {
        let index = Measure::TABLE.iter().position(|(_, other, _)| *other == measure)?;
        self.measures[index]
    }

    /// Returns the root mean squared error.
    pub fn rmse(&self) -> Option<f64> {
        self.mean(Measure::SquaredError).map(f64::sqrt)
    }
}

/// The totals of each method over the samples of one combination of settings. These samples differ
/// only in their number and their labelled sample.
pub struct SettingTotals {
    /// The data set, training, classifier and protocol.
    pub cell: ExperimentCell,
    /// The number of labelled scores.
    pub labelled: u64,
    /// The number of scores in a sample.
    pub n: u64,
    /// The amount of shift.
    pub level: ShiftLevel,
    /// The first class, by whose rows samples are counted; `None` for two classes.
    class: Option<String>,
    /// The totals of each method, in the order of the methods.
    pub totals: Vec<ErrorTotals>,
}

/// The outcome of a method on a sample: those columns of the table that the summary reads.
pub struct SampleOutcome<'a> {
    /// The data set, the training, the classifier and the protocol.
    pub cell: [&'a str; 4],
    /// The number of labelled scores.
    pub labelled: u64,
    /// The class, if there are several.
    pub class: Option<&'a str>,
    /// The distance between the shares of the classes in the sample and among the labelled scores.
    pub distance: f64,
    /// The setting of the protocol, if it has any.
    pub setting: Option<f64>,
    /// The number of scores in the sample.
    pub n: u64,
    /// The true share of the class in the sample.
    pub truth: f64,
    /// The method.
    pub method: &'a str,
    /// The estimate, if there is one.
    pub prevalence: Option<f64>,
    /// The interval, if there is one.
    pub interval: Option<[f64; 2]>,
    /// The interval widened for misfit.
    pub widened: Option<[f64; 2]>,
    /// The origin of the posterior probabilities, if the method reads any.
    pub posteriors: Option<Posteriors>,
    /// Whether the estimate has a warning.
    pub is_warned: bool,
}

/// The summary of an experiment.
#[derive(Default)]
pub struct ExperimentSummary {
    /// The methods, in the order of the table.
    pub methods: Vec<String>,
    /// The origins of the posterior probabilities of each method that reads any, in the order of the table.
    pub posteriors: Vec<(String, Posteriors)>,
    /// The parts, in the order of the table.
    pub parts: Vec<SettingTotals>,
}

impl ExperimentSummary {
    /// Adds a row of the table.
    pub fn add(&mut self, row: &SampleOutcome) {
        let level = ShiftLevel::new(row.setting, row.distance);
        let contains_row = |part: &SettingTotals| {
            let ExperimentCell { data, training, classifier, protocol } = &part.cell;
            [data, training, classifier, protocol] == row.cell
                && (part.labelled, part.n, part.level) == (row.labelled, row.n, level)
        };
        // The part is nearly always one of the last ones.
        let part = self.parts.iter().rposition(contains_row).unwrap_or_else(|| {
            let [data, training, classifier, protocol] = row.cell.map(str::to_owned);
            let cell = ExperimentCell { data, training, classifier, protocol };
            let (class, totals) = (row.class.map(str::to_owned), Vec::new());
            self.parts.push(SettingTotals { cell, labelled: row.labelled, n: row.n, level, class, totals });
            self.parts.len() - 1
        });
        let method = self.methods.iter().position(|other| other == row.method).unwrap_or_else(|| {
            self.methods.push(row.method.to_owned());
            self.methods.len() - 1
        });
        if let Some(origin) = row.posteriors
            && !self.posteriors.iter().any(|(method, known)| method == row.method && *known == origin)
        {
            self.posteriors.push((row.method.to_owned(), origin));
        }
        let SettingTotals { class, totals, .. } = &mut self.parts[part];
        if totals.len() <= method {
            totals.resize(method + 1, ErrorTotals::default());
        }
        let totals = &mut totals[method];
        let outcome = if row.class.is_some() { Outcome::for_class } else { Outcome::new };
        let outcome = row.prevalence.and_then(|estimate| outcome(row.truth, estimate, Some(row.n)).ok());
        if row.class == class.as_deref() {
            totals.samples += 1;
            totals.warned += u64::from(row.is_warned);
            totals.failed += u64::from(outcome.is_none());
        }
        if let Some(outcome) = outcome {
            totals.add(&outcome, row);
        }
    }

    /// Returns the protocols, in order of appearance.
    pub fn protocols(&self) -> Vec<&str> {
        distinct(self.parts.iter().map(|part| part.cell.protocol.as_str()))
    }

    /// Returns each method's means on every data set, over the parts that satisfy a condition. Data
    /// sets are in the order of the table.
    pub(super) fn by_data(&self, condition: impl Fn(&SettingTotals) -> bool) -> Vec<Vec<MeanErrors>> {
        let data_sets = distinct(self.parts.iter().filter(|part| condition(part)).map(|part| part.cell.data.as_str()));
        let means = |data: &str| {
            self.totals(|part| condition(part) && part.cell.data == data).iter().map(ErrorTotals::errors).collect()
        };
        data_sets.into_iter().map(means).collect()
    }

    /// Returns each method's totals over the parts that satisfy a condition.
    fn totals(&self, condition: impl Fn(&SettingTotals) -> bool) -> Vec<ErrorTotals> {
        let mut totals = vec![ErrorTotals::default(); self.methods.len()];
        for part in self.parts.iter().filter(|part| condition(part)) {
            totals.iter_mut().zip(&part.totals).for_each(|(total, part)| total.merge(part));
        }
        totals
    }
}

/// Returns each distinct value once, in order of appearance.
pub(super) fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut distinct, value| {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
        distinct
    })
}
