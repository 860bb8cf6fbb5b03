//! The results of the checks, for every form: the groups of test scores, the families by class, and what both mean.

use super::families::Fit;
use super::words;
use indexmap::IndexMap;
use truecount::check::Checked;
use truecount_io::groups::Keys;
use truecount_io::results::{CheckRow, Column, Look, Note, Results, Row, Table, Unit};

/// All results of the checks.
pub struct Findings {
    pub keys: Keys,
    /// The check of every group of test scores; empty without test scores.
    pub groups: Vec<CheckRow>,
    pub families: Vec<Fit>,
}

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
        let fitted = self.families.iter().enumerate().filter(|(_, fit)| fit.found.is_ok()).map(|(place, _)| place);
        let families = Table::new(&self.families).view(&["class", "family", "n", "statistic", "p_value"]);
        let mut tables = vec![groups, Table::new(&self.families).for_programs()];
        let about_families = if self.families.is_empty() {
            "Families are not checked: none can be fitted to labelled scores with weights or in clusters.".to_owned()
        } else {
            tables.push(families.only(fitted.collect()));
            words::families(&self.families)
        };
        let meaning = Checked::meaning(self.groups.iter().map(|row| &row.checked)).into_iter().chain([about_families]);
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
            Column::new("p_value", Unit::PValue, "by samples drawn from the fitted family", |fit: &Self| {
                fit.found.as_ref().ok().map(|found| found.p_value).into()
            })
            .optional()
            .heading("p", Look::PValue),
            Column::new("fitted", Unit::Nested, "the fitted distribution", |fit: &Self| {
                fit.found.as_ref().ok().map(|found| serde_json::json!(found.goodness.fitted())).into()
            })
            .optional(),
            Column::new("reason", Unit::Text, "why it could not be fitted", |fit: &Self| {
                fit.found.as_ref().err().map(ToString::to_string).into()
            })
            .optional(),
        ]
    }
}

/// Why families are missing from the table, each reason once.
fn left_out(fits: &[Fit]) -> Vec<String> {
    let mut reasons: IndexMap<String, String> = IndexMap::new();
    for fit in fits {
        if let Err(error) = &fit.found {
            reasons.entry(fit.family.to_string()).or_insert_with(|| error.to_string());
        }
    }
    reasons.into_iter().map(|(family, reason)| format!("left out, {family}: {reason}")).collect()
}
