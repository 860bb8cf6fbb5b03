//! The tidy table of an experiment: a row for every sample and method.

use crate::results::{ResultColumn, ResultRow};
use columns::{
    CLASS, CLASSIFIER, DATA, DISTANCE, LABELLED, LABELLED_PREVALENCE, LOWER, LOWER_WIDENED, METHOD, POSTERIORS,
    PREVALENCE, PROTOCOL, SETTING, SIZE, TRAINING, TRUTH, UPPER, UPPER_WIDENED, WARNINGS,
};
use truecount::model::Posteriors;

/// The properties that the samples of a part of an experiment share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentCell {
    /// The data set.
    pub data: String,
    /// The way in which the labelled scores were obtained, in words.
    pub training: String,
    /// The classifier.
    pub classifier: String,
    /// The protocol.
    pub protocol: String,
}

/// The result of a method on a sample, for one class.
pub struct SampleRow<'a> {
    /// The data set, training, classifier and protocol.
    pub cell: &'a ExperimentCell,
    /// The number of labelled scores.
    pub labelled: u64,
    /// The class, if there are several; otherwise shares are those of the positives.
    pub class: Option<&'a str>,
    /// The share of the class among the labelled scores.
    pub labelled_prevalence: f64,
    /// The total variation distance between the shares of all classes in the sample and among the labelled scores.
    pub distance: f64,
    /// The number of the labelled sample, from 0.
    pub repeat: u64,
    /// The setting of the protocol, if it has one: the share of a domain, the prevalence or the cut of a grade.
    pub setting: Option<f64>,
    /// The number of scores in the sample.
    pub n: u64,
    /// The number of the sample, from 0, within its labelled sample and setting.
    pub sample: u64,
    /// The true share of the class in the sample.
    pub truth: f64,
    /// Whether the sample does not fit any mix of the labelled classes; `None` if that was not checked.
    pub misfit: Option<bool>,
    /// The method.
    pub method: &'a str,
    /// The origin of the posterior probabilities, if the method reads any.
    pub posteriors: Option<Posteriors>,
    /// The estimate, or the reason why it is missing.
    pub result: Result<SampleEstimate, String>,
}

/// An estimate of the share of a class in a sample.
#[derive(Clone, Copy, Debug)]
pub struct SampleEstimate {
    /// The estimate, clipped to [0, 1].
    pub prevalence: f64,
    /// The estimate before clipping.
    pub raw: f64,
    /// The standard error, if there is one.
    pub std_error: Option<f64>,
    /// The interval, if there is one.
    pub interval: Option<[f64; 2]>,
    /// The interval widened for misfit.
    pub widened: Option<[f64; 2]>,
    /// The number of warnings.
    pub warnings: u64,
}

impl SampleEstimate {
    /// Returns an estimate without a standard error and an interval.
    pub fn without_error(prevalence: f64) -> Self {
        Self { prevalence, raw: prevalence, std_error: None, interval: None, widened: None, warnings: 0 }
    }
}

impl SampleRow<'_> {
    fn estimate(&self) -> Option<&SampleEstimate> {
        self.result.as_ref().ok()
    }
}

/// The names of the columns that the summary reads.
#[allow(missing_docs)] // the columns say what they are
pub mod columns {
    pub const DATA: &str = "data";
    pub const TRAINING: &str = "training";
    pub const CLASSIFIER: &str = "classifier";
    pub const PROTOCOL: &str = "protocol";
    pub const LABELLED: &str = "labelled";
    pub const LABELLED_PREVALENCE: &str = "labelled_prevalence";
    pub const SETTING: &str = "setting";
    pub const SIZE: &str = "n";
    pub const CLASS: &str = "class";
    pub const DISTANCE: &str = "distance";
    pub const TRUTH: &str = "truth";
    pub const METHOD: &str = "method";
    pub const POSTERIORS: &str = "posteriors";
    pub const PREVALENCE: &str = "prevalence";
    pub const LOWER: &str = "lower";
    pub const UPPER: &str = "upper";
    pub const LOWER_WIDENED: &str = "lower_widened";
    pub const UPPER_WIDENED: &str = "upper_widened";
    pub const WARNINGS: &str = "warnings";
}

impl ResultRow for SampleRow<'_> {
    const NAME: &'static str = "samples";

    fn columns() -> Vec<ResultColumn<Self>> {
        fn share<'a>(
            name: &'static str,
            meaning: &'static str,
            value: impl Fn(&SampleEstimate) -> Option<f64> + Sync + 'static,
        ) -> ResultColumn<SampleRow<'a>> {
            SampleRow::share(name, meaning, move |row| row.estimate().and_then(&value))
        }
        vec![
            Self::text(DATA, "the data set", |row| row.cell.data.as_str().into()),
            Self::text(TRAINING, "how its labelled scores came about", |row| row.cell.training.as_str().into()),
            Self::text(CLASSIFIER, "the classifier", |row| row.cell.classifier.as_str().into()),
            Self::count(LABELLED, "the number of labelled scores", |row| row.labelled),
            Self::share(LABELLED_PREVALENCE, "share of positives among the labelled scores", |row| {
                row.labelled_prevalence
            }),
            Self::count("repeat", "the number of the labelled sample, from 0", |row| row.repeat),
            Self::text(PROTOCOL, "the protocol", |row| row.cell.protocol.as_str().into()),
            Self::number(
                SETTING,
                "setting of the protocol: the share of the domain, the prevalence or the cut of the grade",
                |row| row.setting,
            ),
            Self::count(SIZE, "the number of scores in the sample", |row| row.n),
            Self::count("sample", "the number of the sample, from 0, within its labelled sample and setting", |row| {
                row.sample
            }),
            Self::share(
                DISTANCE,
                "with several classes: half the sum of the absolute differences between the shares of the \
                 classes in the sample and among the labelled scores",
                |row| row.distance,
            ),
            Self::text(CLASS, "with several classes: the class, which counts as positive in this row", |row| {
                row.class.into()
            }),
            Self::share(TRUTH, "true share of positives in the sample", |row| row.truth),
            Self::flag(
                "misfit",
                "whether the sample does not fit any mix of the labelled classes (p below 0.01)",
                |row| row.misfit,
            ),
            Self::text(METHOD, "the method", |row| row.method.into()),
            Self::text(
                POSTERIORS,
                "origin of the posterior probabilities, if the method reads any: given (from the input) or fitted \
                 (from the fitted classes)",
                |row| row.posteriors.map(|origin| origin.to_string()).into(),
            )
            .optional(),
            share(PREVALENCE, "the estimate within [0, 1]", |estimate| Some(estimate.prevalence)),
            share("raw", "the estimate before it is clipped to [0, 1]", |estimate| Some(estimate.raw)),
            share("se", "standard error of the estimate", |estimate| estimate.std_error),
            share(LOWER, "lower end of the interval", |estimate| estimate.interval.map(|limits| limits[0])),
            share(UPPER, "upper end of the interval", |estimate| estimate.interval.map(|limits| limits[1])),
            share(LOWER_WIDENED, "lower end of the interval widened for misfit", |estimate| {
                estimate.widened.map(|limits| limits[0])
            }),
            share(UPPER_WIDENED, "upper end of the interval widened for misfit", |estimate| {
                estimate.widened.map(|limits| limits[1])
            }),
            Self::count(WARNINGS, "number of warnings about the estimate", |row| {
                row.estimate().map(|estimate| estimate.warnings)
            }),
            Self::text("error", "why the method has no estimate", |row| row.result.as_ref().err().cloned().into())
                .optional(),
        ]
    }
}
