//! The results of the checks: tables of the groups of test scores and of the families by class, and
//! notes that say what they mean.

use truecount::shift_test::ShiftVerdict;
use truecount_analysis::family_test::{FAMILIES_SHOWN, describe_fits, omitted_families};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{CheckRow, ContaminationRow, FitRow, FoldsRow, Note, ResultTable, Results};
use truecount_analysis::shift_test::{CheckResult, describe_causes, describe_folds};
use truecount_analysis::spelling::Interface;
use truecount_report::stratum_advice;
use truecount_tables::groups::Keys;

/// All results of the checks.
pub struct CheckResults {
    pub keys: Keys,
    /// The check of every group of test scores; empty without test scores.
    pub groups: Vec<CheckRow>,
    pub families: Vec<FitRow>,
    /// One row if folds were compared.
    pub folds: Vec<FoldsRow>,
    /// Two rows for each group with `--contamination`.
    pub contamination: Vec<ContaminationRow>,
}

impl CheckResults {
    pub fn new(keys: Keys, shift: CheckResult, families: Vec<FitRow>) -> Self {
        let folds = shift.folds.into_iter().map(FoldsRow).collect();
        Self { keys, groups: shift.rows, families, folds, contamination: shift.contamination.unwrap_or_default() }
    }

    /// Returns the values that define each group, and its check.
    pub fn groups(&self) -> impl Iterator<Item = (Vec<String>, &ShiftVerdict)> {
        let texts = self.keys.texts();
        self.groups.iter().map(move |row| (texts.group_texts(row.group).collect(), &row.result))
    }

    pub fn results(&self) -> Results<'_> {
        let mut groups = ResultTable::new(&self.groups).with_groups(&self.keys);
        if self.groups.len() <= 1 {
            groups = groups.hidden("p_value_holm");
        }
        if self.keys.columns().next().is_some() {
            // Together with grouping columns, it would make the table too wide.
            groups = groups.hidden("unexplained");
        }
        let fitted = self.families.iter().enumerate().filter(|(_, fit)| fit.fit.is_ok()).map(|(index, _)| index);
        let families = ResultTable::new(&self.families).view(&FAMILIES_SHOWN);
        let mut tables = vec![groups, ResultTable::new(&self.families).for_programs()];
        if let Some(row) = self.contamination.first() {
            tables.insert(1, ResultTable::new(&self.contamination).with_groups(&self.keys).titled(vec![row.title()]));
        }
        if !self.folds.is_empty() {
            tables.push(ResultTable::new(&self.folds).for_programs());
        }
        let family_note = if self.families.is_empty() {
            "Families are not tested, as they cannot be fitted to labelled scores with weights or clusters.".to_owned()
        } else {
            tables.push(families.only(fitted.collect()));
            describe_fits(&self.families, Interface::Shell)
        };
        let meaning = ShiftVerdict::meaning(self.groups.iter().map(|row| &row.result)).into_iter();
        let meaning = meaning
            .chain(describe_causes(&self.groups))
            .chain(stratum_advice(&self.keys, &self.groups))
            .chain(self.folds.iter().map(|row| describe_folds(&row.0)))
            .chain([family_note]);
        let notes =
            omitted_families(&self.families, Interface::Shell).into_iter().chain(meaning).map(Note::new).collect();
        Results { tables, notes, ..Results::default() }
    }
}
