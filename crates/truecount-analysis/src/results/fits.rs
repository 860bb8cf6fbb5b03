//! Columns of the goodness of fit of each family in each class of labelled scores.

use super::column::{CellFormat, ResultColumn, Unit};
use super::row::ResultRow;
use truecount::Error;
use truecount::distribution::Distribution;
use truecount::distribution::Family;
use truecount::scores::Class;
use truecount::shift_test::Goodness;

/// The fit of a family to a class of labelled scores.
pub struct FitRow {
    /// The family.
    pub family: Family,
    /// The class.
    pub class: Class,
    /// Number of labelled scores of the class.
    pub n: usize,
    /// W² with its p-value, or the error that prevented the fit.
    pub fit: Result<GoodnessResult, Error>,
}

/// The distance W² of the scores from the fitted family, with its p-value.
pub struct GoodnessResult {
    /// The fit with its statistic W².
    pub goodness: Goodness,
    /// The p-value; `None` at a boundary of the family, where W² has no large-sample distribution.
    pub p_value: Option<f64>,
}

impl FitRow {
    /// Returns the families whose fit can be tested: all except the kernel density, which fits any scores.
    pub fn families() -> impl Iterator<Item = Family> {
        Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| family.is_parametric())
    }

    /// Fits a family to the scores of a class; `p_value` returns the p-value of the fit, if it has one.
    pub fn new(family: Family, class: Class, scores: &[f64], p_value: impl FnOnce(&Goodness) -> Option<f64>) -> Self {
        let fit = Goodness::new(family, class, scores).map(|goodness| {
            let p_value = p_value(&goodness);
            GoodnessResult { goodness, p_value }
        });
        Self { family, class, n: scores.len(), fit }
    }

    /// Returns the stream of random numbers for a replicate of the fit at this index. The stream
    /// does not depend on how many other fits succeed.
    pub fn stream(index: usize, number: u64) -> u64 {
        (index as u64) << 32 | number
    }

    /// Returns the reason for a missing fit or p-value; `None` if neither is missing.
    pub fn reason(&self) -> Option<String> {
        match &self.fit {
            Err(error) => Some(error.to_string()),
            Ok(GoodnessResult { goodness, p_value: None }) => Some(format!(
                "the fit reached the {} limit, where W² has no large-sample distribution",
                goodness.fitted().boundary().unwrap_or("last")
            )),
            Ok(_) => None,
        }
    }
}

impl ResultRow for FitRow {
    const NAME: &'static str = "families";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text("class", "the class of labelled scores", |fit| fit.class.to_string().into())
                .shown(CellFormat::AsIs),
            Self::text("family", "the family fitted to it", |fit| fit.family.to_string().into())
                .shown(CellFormat::AsIs),
            Self::count("n", "scores", |fit| fit.n).shown(CellFormat::AsIs),
            Self::number("statistic", "W² of Cramér and von Mises", |fit| {
                fit.fit.as_ref().ok().map(|result| result.goodness.statistic())
            })
            .heading("W²", CellFormat::Decimals(3)),
            Self::p_value(
                "p_value",
                "p-value from the large-sample distribution of W², or from samples drawn from the fitted family",
                |fit| fit.fit.as_ref().ok().and_then(|result| result.p_value),
            )
            .heading("p", CellFormat::PValue),
            ResultColumn::new("fitted", Unit::Nested, "the fitted distribution", |fit: &Self| {
                fit.fit.as_ref().ok().map(|result| serde_json::json!(result.goodness.fitted())).into()
            })
            .optional(),
            Self::text("reason", "why the family could not be fitted or has no p-value", |fit| fit.reason().into())
                .optional(),
        ]
    }
}
