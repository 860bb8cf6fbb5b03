//! The tidy table: a row for every sample and method, with what the sample is of.

use truecount_analysis::results::{Column, Row, Unit};

/// What the samples of a part of an experiment have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The data set.
    pub data: String,
    /// How its labelled scores came about, in words.
    pub training: String,
    /// The classifier.
    pub classifier: String,
    /// The protocol.
    pub protocol: String,
}

/// One sample and one method.
pub struct SampleRow<'a> {
    /// What the sample is of.
    pub cell: &'a Cell,
    /// The number of labelled scores.
    pub labelled: u64,
    /// Their share of positives.
    pub labelled_prevalence: f64,
    /// The number of the labelled sample, from 0.
    pub repeat: u64,
    /// The share of a domain, the prevalence or the cut of a grade that the protocol has here, if it has any.
    pub setting: Option<f64>,
    /// The number of scores in the sample.
    pub n: u64,
    /// The number of the sample, from 0, within its labelled sample and setting.
    pub sample: u64,
    /// Its share of positives.
    pub truth: f64,
    /// Whether it is no mixture of the labelled classes; none where that is not checked.
    pub misfit: Option<bool>,
    /// The method.
    pub method: &'a str,
    /// What the method finds, or why it finds nothing.
    pub found: Result<Found, &'a str>,
}

/// What a method finds in a sample.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The estimate within [0, 1].
    pub prevalence: f64,
    /// The estimator as defined.
    pub raw: f64,
    /// Its standard error, if there is one.
    pub se: Option<f64>,
    /// The interval, if there is one.
    pub interval: Option<[f64; 2]>,
    /// The interval widened for misfit.
    pub widened: Option<[f64; 2]>,
}

impl SampleRow<'_> {
    fn found(&self) -> Option<&Found> {
        self.found.as_ref().ok()
    }
}

/// The columns that the summary reads.
pub(super) const DATA: &str = "data";
pub(super) const TRAINING: &str = "training";
pub(super) const CLASSIFIER: &str = "classifier";
pub(super) const PROTOCOL: &str = "protocol";
pub(super) const LABELLED: &str = "labelled";
pub(super) const LABELLED_PREVALENCE: &str = "labelled_prevalence";
pub(super) const SETTING: &str = "setting";
pub(super) const SIZE: &str = "n";
pub(super) const TRUTH: &str = "truth";
pub(super) const METHOD: &str = "method";
pub(super) const PREVALENCE: &str = "prevalence";
pub(super) const LOWER: &str = "lower";
pub(super) const UPPER: &str = "upper";
pub(super) const LOWER_WIDENED: &str = "lower_widened";
pub(super) const UPPER_WIDENED: &str = "upper_widened";

impl Row for SampleRow<'_> {
    const NAME: &'static str = "samples";

    fn columns() -> Vec<Column<Self>> {
        fn end<'a>(
            name: &'static str,
            what: &'static str,
            of: impl Fn(&Found) -> Option<f64> + Sync + 'static,
        ) -> Column<SampleRow<'a>> {
            Column::new(name, Unit::Share, what, move |row: &SampleRow<'a>| row.found().and_then(&of).into()).optional()
        }
        vec![
            Column::new(DATA, Unit::Text, "the data set", |row: &Self| row.cell.data.as_str().into()),
            Column::new(TRAINING, Unit::Text, "how its labelled scores came about", |row: &Self| {
                row.cell.training.as_str().into()
            }),
            Column::new(CLASSIFIER, Unit::Text, "the classifier", |row: &Self| row.cell.classifier.as_str().into()),
            Column::new(LABELLED, Unit::Count, "the number of labelled scores", |row: &Self| row.labelled.into()),
            Column::new(LABELLED_PREVALENCE, Unit::Share, "their share of positives", |row: &Self| {
                row.labelled_prevalence.into()
            }),
            Column::new("repeat", Unit::Count, "the number of the labelled sample, from 0", |row: &Self| {
                row.repeat.into()
            }),
            Column::new(PROTOCOL, Unit::Text, "the protocol", |row: &Self| row.cell.protocol.as_str().into()),
            Column::new(
                SETTING,
                Unit::Number,
                "the share of the domain, the prevalence or the cut that the protocol has here",
                |row: &Self| row.setting.into(),
            )
            .optional(),
            Column::new(SIZE, Unit::Count, "the number of scores in the sample", |row: &Self| row.n.into()),
            Column::new(
                "sample",
                Unit::Count,
                "the number of the sample, from 0, within its labelled sample and setting",
                |row: &Self| row.sample.into(),
            ),
            Column::new(TRUTH, Unit::Share, "its share of positives", |row: &Self| row.truth.into()),
            Column::new(
                "misfit",
                Unit::Flag,
                "whether the sample is no mixture of the labelled classes (p below 0.01)",
                |row: &Self| row.misfit.into(),
            )
            .optional(),
            Column::new(METHOD, Unit::Text, "the method", |row: &Self| row.method.into()),
            end(PREVALENCE, "the estimate within [0, 1]", |found| Some(found.prevalence)),
            end("raw", "the estimator as defined", |found| Some(found.raw)),
            end("se", "its standard error", |found| found.se),
            end(LOWER, "lower end of the interval", |found| found.interval.map(|ends| ends[0])),
            end(UPPER, "upper end of the interval", |found| found.interval.map(|ends| ends[1])),
            end(LOWER_WIDENED, "lower end of the interval widened for misfit", |found| {
                found.widened.map(|ends| ends[0])
            }),
            end(UPPER_WIDENED, "upper end of the interval widened for misfit", |found| {
                found.widened.map(|ends| ends[1])
            }),
            Column::new("error", Unit::Text, "why the method has no estimate", |row: &Self| {
                row.found.as_ref().err().copied().into()
            })
            .optional(),
        ]
    }
}
