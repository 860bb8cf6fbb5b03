//! Columns of the shares of classes and of the accuracy of their predictions, from audited rows.

use super::Mark;
use super::column::{CellFormat, ResultColumn};
use super::row::{ResultRow, Span};
use truecount::audit::{AccuracyEstimate, AccuracyMeasure};
use truecount::{IntervalOptions, Target};

/// The number of audited rows below which a standard error is unreliable.
const FEW_AUDITED: u64 = 10;

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
    /// Returns whether it is the share of a class.
    pub fn is_share(&self) -> bool {
        self.estimate.measure == AccuracyMeasure::Share
    }

    /// Returns whether too few rows, or rows without a difference, are behind the standard error.
    pub fn is_unreliable(&self) -> bool {
        self.estimate.n < FEW_AUDITED || self.estimate.std_error == 0.0
    }

    /// Returns a share as a size of the class.
    fn size_of(&self, share: f64) -> Option<f64> {
        self.is_share().then_some(self.size * share)
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
            Self::count("audited", "number of audited rows in the denominator", |row| row.estimate.n)
                .shown(CellFormat::AsIs),
            Self::share("prevalence", "the estimated share of the class", |row| {
                row.is_share().then_some(row.estimate.value)
            })
            .shown(CellFormat::Decimals(4)),
            Self::share("accuracy", "the estimated accuracy", |row| (!row.is_share()).then_some(row.estimate.value))
                .shown(CellFormat::Decimals(4)),
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

    fn mark(&self) -> Mark {
        if self.is_unreliable() { Mark::Dagger } else { Mark::None }
    }

    fn span(&self) -> Option<Span> {
        let AccuracyEstimate { value, interval, .. } = self.estimate;
        Some(Span { estimate: value, interval: Some([interval.lower, interval.upper]), warned: self.is_unreliable() })
    }
}
