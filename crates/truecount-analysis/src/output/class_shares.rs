//! Shares of several classes, ready for output.

use super::warnings::warning_line;
use crate::groups::{GroupNames, NamedGroups};
use crate::results::{ClassShareRow, Note, ResultTable, Results, Sort, percent};
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
}

impl<N: GroupNames> ClassShareOutput<N> {
    /// Creates the output of estimated groups.
    pub fn new(model: &MulticlassModel, groups: NamedGroups<MulticlassEstimate, N>) -> Self {
        let rows = groups.contents.into_iter().enumerate().flat_map(|(group, estimate)| {
            let estimate = Arc::new(estimate);
            let row = move |(class, name): (usize, &String)| {
                let estimate = Arc::clone(&estimate);
                ClassShareRow { group, class, name: name.clone(), estimate }
            };
            model.names().iter().enumerate().map(row)
        });
        Self { rows: rows.collect(), keys: groups.keys, method: model.method() }
    }

    /// Returns the shares of the classes, group by group.
    pub fn rows(&self) -> &[ClassShareRow] {
        &self.rows
    }

    /// Sorts the groups.
    #[must_use]
    pub fn sorted(mut self, sort: &Sort) -> Self {
        sort.sort(&mut self.rows, &self.keys);
        self
    }

    /// Returns the results, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let (level, target) =
            self.rows.first().map_or((0.0, Target::default()), |row| (row.estimate.level, row.estimate.target));
        let table = ResultTable::new(&self.rows).with_groups(&self.keys);
        let (_, _, summary) =
            MulticlassMethod::TABLE.iter().find(|(_, method, _)| *method == self.method).expect("a row");
        let rows = self.rows.iter().filter(|row| row.class == 0).map(|row| row.estimate.n).sum();
        Results {
            about: vec![("method", json!(self.method.to_string())), ("target", json!(target.to_string()))],
            tables: vec![table.headed("lower", format!("{} % interval", percent(level)))],
            notes: vec![Note::target(target, Some(rows)), Note::source(format!("{}: {summary}", self.method))],
            warnings: self.warnings(),
            ..Results::default()
        }
    }

    /// Returns the warnings as lines, each with the groups that have it unless all have it.
    fn warnings(&self) -> Vec<String> {
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
