//! The columns of families' fits: how far the labelled scores of each class are from each family.

use super::column::{ResultColumn, CellFormat, Unit};
use super::row::ResultRow;
use truecount::check::Goodness;
use truecount::distribution::Family;
use truecount::{Class, Error};

/// One family and one class.
pub struct FitRow {
    /// The family.
    pub family: Family,
    /// The class.
    pub class: Class,
    /// Number of labelled scores of the class.
    pub n: usize,
    /// W² with its p-value, or why it could not be computed.
    pub fit: Result<GoodnessResult, Error>,
}

/// How far the scores are from the fit.
pub struct GoodnessResult {
    /// W².
    pub goodness: Goodness,
    /// None at a limit of the family where W² has no law for large samples.
    pub p_value: Option<f64>,
}

impl FitRow {
    /// The families whose fit can be tested. A kernel density follows any scores.
    pub fn families() -> impl Iterator<Item = Family> {
        Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| family.is_parametric())
    }

    /// The fit of a family to the scores of a class, with the p-value that is given for it.
    pub fn new(family: Family, class: Class, scores: &[f64], p_value: impl FnOnce(&Goodness) -> Option<f64>) -> Self {
        let found = Goodness::new(family, class, scores).map(|goodness| {
            let p_value = p_value(&goodness);
            GoodnessResult { goodness, p_value }
        });
        Self { family, class, n: scores.len(), fit: found }
    }

    /// The stream of random numbers for a replicate of the fit in that place, which does not depend on how many other fits succeed.
    pub fn stream(place: usize, number: u64) -> u64 {
        (place as u64) << 32 | number
    }

    /// Why it could not be fitted or has no p-value.
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
            ResultColumn::new("class", Unit::Text, "the class of labelled scores", |fit: &Self| fit.class.to_string().into())
                .shown(CellFormat::AsIs),
            ResultColumn::new("family", Unit::Text, "the family fitted to it", |fit: &Self| fit.family.to_string().into())
                .shown(CellFormat::AsIs),
            ResultColumn::new("n", Unit::Count, "scores", |fit: &Self| fit.n.into()).shown(CellFormat::AsIs),
            ResultColumn::new("statistic", Unit::Number, "W² of Cramér and von Mises", |fit: &Self| {
                fit.fit.as_ref().ok().map(|found| found.goodness.statistic()).into()
            })
            .optional()
            .heading("W²", CellFormat::Decimals(3)),
            ResultColumn::new(
                "p_value",
                Unit::PValue,
                "p-value from the large-sample distribution of W², or from samples drawn from the fitted family",
                |fit: &Self| fit.fit.as_ref().ok().and_then(|found| found.p_value).into(),
            )
            .optional()
            .heading("p", CellFormat::PValue),
            ResultColumn::new("fitted", Unit::Nested, "the fitted distribution", |fit: &Self| {
                fit.fit.as_ref().ok().map(|found| serde_json::json!(found.goodness.fitted())).into()
            })
            .optional(),
            ResultColumn::new("reason", Unit::Text, "why the family could not be fitted or has no p-value", |fit: &Self| {
                fit.reason().into()
            })
            .optional(),
        ]
    }
}
