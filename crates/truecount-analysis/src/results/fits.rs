//! The columns of families' fits: how far the labelled scores of each class are from each family.

use super::column::{Column, Look, Unit};
use super::row::Row;
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
    pub found: Result<Found, Error>,
}

/// How far the scores are from the fit.
pub struct Found {
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
            Found { goodness, p_value }
        });
        Self { family, class, n: scores.len(), found }
    }

    /// The stream of random numbers for a replicate of the fit in that place, which does not depend on how many other fits succeed.
    pub fn stream(place: usize, number: u64) -> u64 {
        (place as u64) << 32 | number
    }

    /// Why it could not be fitted or has no p-value.
    pub fn reason(&self) -> Option<String> {
        match &self.found {
            Err(error) => Some(error.to_string()),
            Ok(Found { goodness, p_value: None }) => Some(format!(
                "the fit ran to the {} limit, where W² has no law for large samples",
                goodness.fitted().boundary().unwrap_or("last")
            )),
            Ok(_) => None,
        }
    }
}

impl Row for FitRow {
    const NAME: &'static str = "families";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("class", Unit::Text, "the class of labelled scores", |fit: &Self| fit.class.to_string().into())
                .shown(Look::AsIs),
            Column::new("family", Unit::Text, "the family fitted to it", |fit: &Self| fit.family.to_string().into())
                .shown(Look::AsIs),
            Column::new("n", Unit::Count, "scores", |fit: &Self| fit.n.into()).shown(Look::AsIs),
            Column::new("statistic", Unit::Number, "W² of Cramér and von Mises", |fit: &Self| {
                fit.found.as_ref().ok().map(|found| found.goodness.statistic()).into()
            })
            .optional()
            .heading("W²", Look::Decimals(3)),
            Column::new(
                "p_value",
                Unit::PValue,
                "by the law for large samples, or by samples drawn from the fitted family",
                |fit: &Self| fit.found.as_ref().ok().and_then(|found| found.p_value).into(),
            )
            .optional()
            .heading("p", Look::PValue),
            Column::new("fitted", Unit::Nested, "the fitted distribution", |fit: &Self| {
                fit.found.as_ref().ok().map(|found| serde_json::json!(found.goodness.fitted())).into()
            })
            .optional(),
            Column::new("reason", Unit::Text, "why it could not be fitted or has no p-value", |fit: &Self| {
                fit.reason().into()
            })
            .optional(),
        ]
    }
}
