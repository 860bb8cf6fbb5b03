//! Columns of differences between groups, methods or samples.

use super::Mark;
use super::Note;
use super::cell::ResultCell;
use super::column::{CellFormat, ResultColumn, Unit};
use super::estimates::{is_unreliable, is_widened, widened_std_error};
use super::row::ResultRow;
use truecount::compare::Difference;
use truecount::error::Severity;
use truecount::evaluation::holm;
use truecount::multiclass::{ClassWarning, MulticlassEstimate};
use truecount::{Estimate, Target};

/// The column with the class of a row.
pub const CLASS: &str = "class";

/// A difference between a group and its reference, by one method.
pub struct DifferenceRow {
    /// The group's index among the keys.
    pub group: usize,
    /// The name of the class; `None` for the share of positives.
    pub class: Option<String>,
    /// The name of the reference.
    pub reference: String,
    /// The name of the quantifier; `recommended` for the estimates to publish from audits, and
    /// `rogan-gladen` for those from counts.
    pub method: String,
    /// The prevalences of the group and of the reference.
    pub prevalences: [f64; 2],
    /// The difference with its standard error and interval.
    pub difference: Difference,
    /// The p-value adjusted for the number of differences by the method.
    pub holm: f64,
    /// Whether misfit widens the interval of either prevalence.
    pub is_widened: bool,
    /// Whether either prevalence is unreliable.
    pub is_unreliable: bool,
    /// Nominal coverage of the intervals.
    pub level: f64,
    /// Estimand of the prevalences and the intervals.
    pub target: Target,
}

/// The prevalence of the reference.
#[derive(Clone, Copy)]
pub struct ReferenceShare {
    /// The prevalence.
    pub prevalence: f64,
    /// Whether misfit widens its interval.
    pub is_widened: bool,
    /// Whether it is unreliable.
    pub is_unreliable: bool,
}

impl ReferenceShare {
    /// Returns the share of one of several classes.
    pub(crate) fn of_class(estimate: &MulticlassEstimate, class: usize, name: &str) -> Self {
        let severity = estimate.warnings.iter().filter(|warning| warning.concerns(name)).map(ClassWarning::severity);
        Self {
            prevalence: estimate.shares[class],
            is_widened: estimate.is_widened(),
            is_unreliable: severity.max() == Some(Severity::Unreliable),
        }
    }
}

impl From<&Estimate> for ReferenceShare {
    fn from(estimate: &Estimate) -> Self {
        let Estimate { prevalence, .. } = *estimate;
        Self { prevalence, is_widened: is_widened(estimate), is_unreliable: is_unreliable(estimate) }
    }
}

impl DifferenceRow {
    /// Creates a row whose p-value is not adjusted yet.
    pub fn new(
        group: usize,
        reference: String,
        estimate: &Estimate,
        share: ReferenceShare,
        difference: Difference,
    ) -> Self {
        let Estimate { method, level, target, .. } = *estimate;
        Self::from_shares(
            (group, None),
            reference,
            method.to_string(),
            (level, target),
            [estimate.into(), share],
            difference,
        )
    }

    /// Creates a row for a class, whose p-value is not adjusted yet.
    pub(crate) fn of_class(
        group: usize,
        reference: String,
        (estimate, class, name): (&MulticlassEstimate, usize, &str),
        share: ReferenceShare,
        difference: Difference,
    ) -> Self {
        let MulticlassEstimate { method, level, target, .. } = *estimate;
        let shares = [ReferenceShare::of_class(estimate, class, name), share];
        Self::from_shares(
            (group, Some(name.to_owned())),
            reference,
            method.to_string(),
            (level, target),
            shares,
            difference,
        )
    }

    fn from_shares(
        (group, class): (usize, Option<String>),
        reference: String,
        method: String,
        (level, target): (f64, Target),
        shares: [ReferenceShare; 2],
        difference: Difference,
    ) -> Self {
        Self {
            group,
            class,
            reference,
            method,
            prevalences: shares.map(|share| share.prevalence),
            holm: difference.p_value,
            difference,
            is_widened: shares.iter().any(|share| share.is_widened),
            is_unreliable: shares.iter().any(|share| share.is_unreliable),
            level,
            target,
        }
    }

    /// Returns the standard error with the misfit, where this widens an interval.
    fn se_widened(&self) -> f64 {
        let Difference { difference, std_error, interval, .. } = self.difference;
        let widened = || widened_std_error(std_error, difference, interval, [-1.0, 1.0], self.level);
        if self.is_widened { widened() } else { std_error }
    }

    /// Adjusts the p-values for the number of differences (Holm 1979).
    pub fn adjust(rows: &mut [Self]) {
        let p_values: Vec<f64> = rows.iter().map(|row| row.difference.p_value).collect();
        for (row, holm) in rows.iter_mut().zip(holm(&p_values)) {
            row.holm = holm;
        }
    }

    /// Returns a note on ratios without an upper limit, if there are any.
    pub fn note(rows: &[Self]) -> Option<Note> {
        let unlimited = rows.iter().any(|row| row.difference.ratio.upper.is_infinite());
        let words = "∞: the reference prevalence may be 0, so the ratio has no upper limit";
        unlimited.then(|| Note::new(words))
    }
}

impl ResultRow for DifferenceRow {
    const NAME: &'static str = "differences";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text(CLASS, "the class, of several", |row| row.class.as_deref().into())
                .shown(CellFormat::AsIs)
                .optional(),
            Self::text("reference", "the group, method or sample that the group is compared with", |row| {
                row.reference.as_str().into()
            })
            .shown(CellFormat::AsIs),
            Self::text("method", "the quantifier; recommended for audits, rogan-gladen for counts", |row| {
                row.method.as_str().into()
            })
            .shown(CellFormat::AsIs),
            Self::share("prevalence", "the estimated share of positives in the group", |row| row.prevalences[0])
                .heading("share", CellFormat::Decimals(4)),
            Self::share("prevalence_reference", "the estimated share of positives in the reference", |row| {
                row.prevalences[1]
            })
            .heading("other", CellFormat::Decimals(4)),
            Self::share("difference", "prevalence minus prevalence_reference", |row| row.difference.difference)
                .shown(CellFormat::Signed),
            Self::share(
                "se",
                "standard error of the difference, given that both estimates share labelled scores",
                |row| row.difference.std_error,
            ),
            Self::share("lower", "lower end of the difference's interval", |row| row.difference.interval.lower)
                .heading("interval", CellFormat::SignedIntervalTo("upper")),
            Self::share("upper", "upper end of the difference's interval", |row| row.difference.interval.upper),
            Self::number("ratio", "prevalence divided by prevalence_reference; minus 1, the relative change", |row| {
                row.difference.ratio.value
            })
            .shown(CellFormat::Decimals(2)),
            Self::number("ratio_lower", "lower end of the ratio's interval", |row| row.difference.ratio.lower)
                .heading("interval", CellFormat::RatioTo("ratio_upper")),
            ResultColumn::new(
                "ratio_upper",
                Unit::Number,
                "upper end of the ratio's interval; missing if the reference prevalence may be 0",
                |row: &Self| match row.difference.ratio.upper {
                    upper if upper.is_finite() => upper.into(),
                    _ => ResultCell::Unlimited,
                },
            )
            .optional(),
            Self::p_value(
                "p_value",
                "p-value for no difference: 1 minus the highest level at which the interval excludes 0",
                |row| row.difference.p_value,
            ),
            Self::p_value("p_value_holm", "p_value with Holm's correction for the number of differences", |row| {
                row.holm
            })
            .heading("p (Holm)", CellFormat::PValue),
            Self::number("correlation", "correlation of the two estimates", |row| row.difference.correlation),
            Self::share(
                "se_widened",
                "se, and where misfit widens an interval, half the difference's interval divided by the quantile",
                Self::se_widened,
            ),
            Self::flag("unreliable", "whether the estimate of the group or of the reference is unreliable", |row| {
                row.is_unreliable
            }),
            Self::share("level", "nominal coverage of the intervals", |row| row.level),
            ResultColumn::target(|row: &Self| row.target),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }

    fn mark(&self) -> Mark {
        if self.is_unreliable { Mark::Dagger } else { Mark::None }
    }
}
