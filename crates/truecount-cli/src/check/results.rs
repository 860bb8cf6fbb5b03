//! The results of the checks, for every form: the groups of test scores, the families by class, and what both mean.

use super::families::{Fit, Found};
use super::suppose::{self, SupposedRow};
use super::words;
use indexmap::IndexMap;
use truecount::check::{Checked, Folds};
use truecount_io::groups::Keys;
use truecount_io::results::{CheckRow, Column, Look, Note, Results, Row, Table, Unit};

/// All results of the checks.
pub struct Findings {
    pub keys: Keys,
    /// The check of every group of test scores; empty without test scores.
    pub groups: Vec<CheckRow>,
    pub families: Vec<Fit>,
    /// A row, if folds were compared.
    pub folds: Vec<FoldsRow>,
    /// Two rows for each group, if something is supposed.
    pub supposed: Vec<SupposedRow>,
}

/// The labelled scores of the folds among themselves.
pub struct FoldsRow(pub Folds);

impl Findings {
    /// The check of each group, with the values that define it.
    pub fn groups(&self) -> impl Iterator<Item = (Vec<String>, &Checked)> {
        let texts = self.keys.texts();
        self.groups.iter().map(move |row| (texts.of(row.group).collect(), &row.checked))
    }

    pub fn results(&self) -> Results<'_> {
        let mut groups = Table::new(&self.groups).with_groups(&self.keys);
        if self.groups.len() <= 1 {
            groups = groups.hidden("p_value_holm");
        }
        if self.keys.columns().next().is_some() {
            // For which there is no room.
            groups = groups.hidden("unexplained");
        }
        let fitted = self.families.iter().enumerate().filter(|(_, fit)| fit.found.is_ok()).map(|(place, _)| place);
        let families = Table::new(&self.families).view(&["class", "family", "n", "statistic", "p_value"]);
        let mut tables = vec![groups, Table::new(&self.families).for_programs()];
        if let Some(row) = self.supposed.first() {
            tables.insert(1, suppose::titled(Table::new(&self.supposed).with_groups(&self.keys), row.share()));
        }
        if !self.folds.is_empty() {
            tables.push(Table::new(&self.folds).for_programs());
        }
        let about_families = if self.families.is_empty() {
            "Families are not checked: none can be fitted to labelled scores with weights or in clusters.".to_owned()
        } else {
            tables.push(families.only(fitted.collect()));
            words::families(&self.families)
        };
        let meaning = Checked::meaning(self.groups.iter().map(|row| &row.checked)).into_iter();
        let meaning = meaning
            .chain(words::causes(&self.groups))
            .chain(words::groups(&self.keys, &self.groups))
            .chain(self.folds.iter().map(|row| words::folds(&row.0)));
        let meaning = meaning.chain([about_families]);
        let notes = left_out(&self.families).into_iter().chain(meaning).map(Note::new).collect();
        Results { tables, notes, ..Results::default() }
    }
}

impl Row for Fit {
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

impl Fit {
    /// Why it could not be fitted or has no p-value.
    fn reason(&self) -> Option<String> {
        match &self.found {
            Err(error) => Some(error.to_string()),
            Ok(Found { goodness, p_value: None }) => Some(format!(
                "the fit ran to the {} limit, where W² has no law for large samples; --resamples 999 draws samples instead",
                goodness.fitted().limit().unwrap_or("last")
            )),
            Ok(_) => None,
        }
    }
}

impl Row for FoldsRow {
    const NAME: &'static str = "folds";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("folds", Unit::Count, "folds that were compared", |row: &Self| row.0.folds.into()),
            Column::new(
                "statistic",
                Unit::Number,
                "how far apart their labelled scores are; about 1 if they are alike",
                |row: &Self| row.0.statistic.into(),
            ),
            Column::new(
                "p_value",
                Unit::PValue,
                "of labelled scores as far apart, if the folds were alike",
                |row: &Self| row.0.p_value.into(),
            ),
        ]
    }
}

/// Why families are missing from the table or have no p-value, each reason once.
fn left_out(fits: &[Fit]) -> Vec<String> {
    let mut reasons: IndexMap<String, String> = IndexMap::new();
    for fit in fits {
        if let Some(reason) = fit.reason() {
            let what = if fit.found.is_ok() { "without p" } else { "left out" };
            reasons.entry(format!("{what}, {}", fit.family)).or_insert(reason);
        }
    }
    reasons.into_iter().map(|(what, reason)| format!("{what}: {reason}")).collect()
}
