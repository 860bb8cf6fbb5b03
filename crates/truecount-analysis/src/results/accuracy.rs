//! Columns of the shares of classes and of the accuracy of their predictions, from audited rows.

use super::column::{CellFormat, ResultColumn};
use super::row::{ResultRow, Span};
use truecount::audit::{AccuracyEstimate, AccuracyMeasure};
use truecount::{IntervalOptions, Target};

/// A share or an accuracy in a group.
pub struct AccuracyRow {
    /// The group's index among the keys.
    pub group: usize,
    /// The name of the class; `None` for the overall accuracy.
    pub class: Option<String>,
    /// The estimate.
    pub estimate: AccuracyEstimate,
    /// The size of the group.
    pub size: f64,
    /// The level and the target of the interval.
    pub options: IntervalOptions,
}

impl AccuracyRow {
    /// Returns a share as a size of the class.
    fn size_of(&self, share: f64) -> Option<f64> {
        (self.estimate.measure == AccuracyMeasure::Share).then_some(self.size * share)
    }
}

impl ResultRow for AccuracyRow {
    const NAME: &'static str = "accuracy";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text("class", "the class; missing for all classes", |row| row.class.as_deref().into())
                .optional()
                .shown(CellFormat::AsIs),
            Self::text("measure", "share, or overall, user's or producer's accuracy", |row| {
                row.estimate.measure.to_string().into()
            })
            .shown(CellFormat::AsIs),
            Self::count("audited", "number of audited rows that it is a share of", |row| row.estimate.n)
                .shown(CellFormat::AsIs),
            Self::share("value", "the estimated share or accuracy", |row| row.estimate.value)
                .heading("accuracy", CellFormat::Decimals(4)),
            Self::share("se", "standard error", |row| row.estimate.std_error).shown(CellFormat::StandardError),
            Self::share("lower", "lower end of the interval", |row| row.estimate.interval.lower)
                .heading("interval", CellFormat::IntervalTo("upper")),
            Self::share("upper", "upper end of the interval", |row| row.estimate.interval.upper),
            Self::number("size", "the share of a class in units of the sizes, such as an area", |row| {
                row.size_of(row.estimate.value)
            })
            .shown(CellFormat::Decimals(0)),
            Self::number("size_lower", "lower end of the interval of the size", |row| {
                row.size_of(row.estimate.interval.lower)
            })
            .heading("from – to", CellFormat::CountTo("size_upper")),
            Self::number("size_upper", "upper end of the interval of the size", |row| {
                row.size_of(row.estimate.interval.upper)
            }),
            Self::share("level", "nominal coverage of the interval", |row| row.options.level()),
            ResultColumn::target(|row: &Self| -> Target { row.options.target() }),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }

    fn span(&self) -> Option<Span> {
        let AccuracyEstimate { value, interval, .. } = self.estimate;
        Some(Span { estimate: value, interval: Some([interval.lower, interval.upper]), warned: false })
    }
}
