//! Mean errors, coverages and widths over parts of an experiment, computed from mergeable totals.

use super::rows::ExperimentCell;
use std::{array, fmt};
use truecount::evaluation::{Measure, Outcome};
use truecount::model::Posteriors;

/// The number of equal parts of [0, 1] by which distances between the true and the labelled
/// prevalence are grouped, for protocols without settings.
const DISTANCE_STEPS: u32 = 5;

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
        Some([step, step + 1].map(|step| f64::from(step) / f64::from(DISTANCE_STEPS)))
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
        match self.distances() {
            Some([from, to]) => write!(f, "{from}–{to}"),
            None => write!(f, "{}", self.middle()),
        }
    }
}

/// The number of values that are averaged: the measures, then coverage and width of the intervals, without and with
/// widening for misfit.
const VALUES: usize = Measure::TABLE.len() + 4;

/// Sums of errors over samples.
#[derive(Clone, Debug, Default)]
pub struct ErrorTotals {
    /// The number of samples.
    samples: u64,
    /// The number of samples without an estimate.
    failed: u64,
    /// The number of samples whose estimate has a warning.
    warned: u64,
    /// The number and the sum of each value.
    sums: [(u64, f64); VALUES],
}

impl ErrorTotals {
    fn add(&mut self, outcome: &Outcome, row: &SampleOutcome) {
        // The errors of all classes have the sum 0.
        let is_defined = |measure: Measure| row.class.is_none() || measure != Measure::Bias;
        let measures =
            Measure::TABLE.iter().map(|(_, measure, _)| measure.evaluate(outcome).filter(|_| is_defined(*measure)));
        let intervals = [row.interval, row.widened].into_iter().flat_map(|interval| {
            let covers = |[lower, upper]: [f64; 2]| f64::from(u8::from(lower <= row.truth && row.truth <= upper));
            [interval.map(covers), interval.map(|[lower, upper]| upper - lower)]
        });
        for ((n, sum), value) in self.sums.iter_mut().zip(measures.chain(intervals)) {
            *n += u64::from(value.is_some());
            *sum += value.unwrap_or(0.0);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.samples += other.samples;
        self.failed += other.failed;
        self.warned += other.warned;
        for ((n, sum), other) in self.sums.iter_mut().zip(other.sums) {
            *n += other.0;
            *sum += other.1;
        }
    }

    /// Returns the means.
    pub fn errors(&self) -> MeanErrors {
        let Self { samples, failed, warned, sums } = *self;
        MeanErrors { samples, failed, warned, means: sums.map(|(n, sum)| (n > 0).then(|| sum / n as f64)) }
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
    means: [Option<f64>; VALUES],
}

impl MeanErrors {
    /// Averages the means over data sets with equal weights, leaving out data sets without a mean.
    pub(super) fn over(data_sets: &[Self]) -> Self {
        let mean = |index: usize| {
            let values: Vec<f64> = data_sets.iter().filter_map(|data| data.means[index]).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        Self {
            samples: data_sets.iter().map(|data| data.samples).sum(),
            failed: data_sets.iter().map(|data| data.failed).sum(),
            warned: data_sets.iter().map(|data| data.warned).sum(),
            means: array::from_fn(mean),
        }
    }

    /// Returns the mean of a measure; `None` without estimates, and if it is not defined for several classes.
    pub fn mean(&self, measure: Measure) -> Option<f64> {
        self.means[Measure::TABLE.iter().position(|(_, other, _)| *other == measure)?]
    }

    /// Returns the root mean squared error.
    pub fn rmse(&self) -> Option<f64> {
        self.mean(Measure::SquaredError).map(f64::sqrt)
    }

    /// Returns the share of the intervals that contain the truth and their mean width: first of the intervals as they
    /// are, then of those that are widened for misfit.
    pub fn intervals(&self) -> [[Option<f64>; 2]; 2] {
        let [.., coverage, width, coverage_widened, width_widened] = self.means;
        [[coverage, width], [coverage_widened, width_widened]]
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

/// The result of a method on a sample, as the summary reads it from the table ([`SampleRow`](super::SampleRow)).
#[allow(missing_docs)] // the columns of the table are described there
pub struct SampleOutcome<'a> {
    /// The data set, the training, the classifier and the protocol.
    pub cell: [&'a str; 4],
    pub labelled: u64,
    pub class: Option<&'a str>,
    pub distance: f64,
    pub setting: Option<f64>,
    pub n: u64,
    pub truth: f64,
    pub method: &'a str,
    pub prevalence: Option<f64>,
    pub interval: Option<[f64; 2]>,
    pub widened: Option<[f64; 2]>,
    pub posteriors: Option<Posteriors>,
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
