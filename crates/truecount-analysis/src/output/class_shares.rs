//! Shares of several classes, ready for output.

use super::warnings::warning_line;
use crate::compare::DifferenceResult;
use crate::groups::{GroupNames, NamedGroups};
use crate::results::{ClassShareRow, DifferenceRow, Note, ResultTable, Results, Sort, percent};
use indexmap::IndexMap;
use serde_json::json;
use std::sync::Arc;
use truecount::Target;
use truecount::multiclass::{MulticlassEstimate, MulticlassMethod, MulticlassModel};

/// The shares of the classes in all groups, with notes and warnings.
pub struct ClassShareOutput<N> {
    keys: N,
    method: MulticlassMethod,
    /// The shares, group by group.
    rows: Vec<ClassShareRow>,
    differences: Option<DifferenceResult>,
    /// Whether only the differences are written.
    only_differences: bool,
}

impl<N: GroupNames> ClassShareOutput<N> {
    /// Creates the output of estimated groups, with their differences if there are any.
    pub fn new(
        model: &MulticlassModel,
        groups: NamedGroups<MulticlassEstimate, N>,
        differences: Option<DifferenceResult>,
    ) -> Self {
        let rows = groups.contents.into_iter().enumerate().flat_map(|(group, estimate)| {
            let estimate = Arc::new(estimate);
            let row = move |(class, name): (usize, &String)| {
                let estimate = Arc::clone(&estimate);
                ClassShareRow { group, class, name: name.clone(), estimate }
            };
            model.names().iter().enumerate().map(row)
        });
        let (rows, method) = (rows.collect(), model.method());
        Self { rows, keys: groups.keys, method, differences, only_differences: false }
    }

    /// Returns the names of the groups.
    pub fn names(&self) -> &N {
        &self.keys
    }

    /// Leaves out the shares, so that only their differences are written.
    #[must_use]
    pub fn only_differences(self) -> Self {
        Self { only_differences: true, ..self }
    }

    /// Returns the shares of the classes, group by group.
    pub fn rows(&self) -> &[ClassShareRow] {
        &self.rows
    }

    /// Sorts the groups, and the differences with them if the order is that of the groups.
    #[must_use]
    pub fn sorted(mut self, sort: &Sort) -> Self {
        sort.sort(&mut self.rows, &self.keys);
        if let Sort::Groups | Sort::Appearance = sort { self.sorted_differences(sort) } else { self }
    }

    /// Sorts the differences.
    #[must_use]
    pub fn sorted_differences(mut self, sort: &Sort) -> Self {
        if let Some(differences) = &mut self.differences {
            sort.sort(&mut differences.rows, &self.keys);
        }
        self
    }

    /// Returns the results, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let (level, target) =
            self.rows.first().map_or((0.0, Target::default()), |row| (row.estimate.level, row.estimate.target));
        let table = ResultTable::new(&self.rows).with_groups(&self.keys);
        let table = table.headed("lower", format!("{} % interval", percent(level)));
        let mut tables = if self.only_differences { Vec::new() } else { vec![table] };
        let mut notes = Vec::new();
        if let Some(differences) = &self.differences {
            if self.only_differences {
                tables.extend(differences.tables_with_shares(&self.keys, level, false));
            } else {
                tables.push(differences.table(&self.keys, level, false));
            }
            notes.extend(differences.describe_main_difference(&self.keys).map(Note::new));
        }
        let (_, _, summary) =
            MulticlassMethod::TABLE.iter().find(|(_, method, _)| *method == self.method).expect("a row");
        let rows = self.rows.iter().filter(|row| row.class == 0).map(|row| row.estimate.n).sum();
        notes.push(Note::target(target, Some(rows).filter(|_| !self.only_differences)));
        notes.extend(self.differences.as_ref().and_then(|differences| differences.population_note(&self.keys)));
        notes.push(Note::source(format!("{}: {summary}", self.method)));
        notes.extend(self.differences.as_ref().and_then(|differences| DifferenceRow::note(&differences.rows)));
        Results {
            about: vec![("method", json!(self.method.to_string())), ("target", json!(target.to_string()))],
            tables,
            notes,
            warnings: self.warnings(),
            ..Results::default()
        }
    }

    /// Returns the warnings as lines, each with the groups that have it unless all have it.
    pub fn warnings(&self) -> Vec<String> {
        let mut groups: IndexMap<String, Vec<usize>> = IndexMap::new();
        let first_rows = self.rows.iter().filter(|row| row.class == 0);
        for row in first_rows.clone() {
            for warning in &row.estimate.warnings {
                groups.entry(warning.to_string()).or_default().push(row.group);
            }
        }
        let (texts, all) = (self.keys.texts(), first_rows.count());
        let name = |group: &usize| texts.group_texts(*group).collect::<Vec<_>>().join(", ");
        let line = |(sentence, groups): (&String, &Vec<usize>)| {
            let names = groups.iter().map(name).collect::<Vec<_>>().join("; ");
            warning_line(&if groups.len() == all { sentence.clone() } else { format!("{names}: {sentence}") })
        };
        groups.iter().map(line).collect()
    }
}
