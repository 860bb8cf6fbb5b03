//! Shares of several classes, ready for output.

use super::warnings::warning_line;
use crate::compare::DifferenceResult;
use crate::groups::{GroupKeys, GroupNames};
use crate::results::{ClassShareRow, DifferenceRow, Note, ResultTable, Results, Sort, StandardisedSets, percent};
use crate::totals::GroupEstimates;
use indexmap::IndexMap;
use serde_json::json;
use truecount::Target;
use truecount::multiclass::{MulticlassEstimate, MulticlassMethod, MulticlassModel};

/// The shares of the classes in all groups, with notes and warnings.
pub struct ClassShareOutput<N> {
    keys: N,
    method: MulticlassMethod,
    /// The shares, group by group, followed by the total.
    rows: Vec<ClassShareRow>,
    /// The crude and standardised shares, if requested.
    standardised: Option<StandardisedSets<ClassShareRow>>,
    /// Sentences on whose shares these are, and on the scores.
    notes: Vec<String>,
    differences: Option<DifferenceResult>,
    /// Whether only the differences are written.
    only_differences: bool,
}

impl<N: GroupKeys> ClassShareOutput<N> {
    /// Creates the output of estimated groups, with their total and differences if there are any.
    pub fn new(model: &MulticlassModel, (keys, estimates): (N, GroupEstimates<MulticlassEstimate>)) -> Self {
        let GroupEstimates { groups, total, standardised, differences, mut notes, .. } = estimates;
        if model.takes_decision_values() {
            notes.push("the scores are decision values, as some are negative; their softmax is used".to_owned());
        }
        if model.has_label_design() && model.method() != MulticlassMethod::Cc {
            notes.push("errors allow for the weights, clusters or strata of the labelled rows".to_owned());
        }
        let others = &model.verdicts()[model.names().len()..];
        notes.extend((!others.is_empty()).then(|| format!("other verdicts, used too: {}", others.join(", "))));
        let rows = |group, is_total, estimate| ClassShareRow::for_group(group, is_total, model.names(), estimate);
        let standardised = standardised.map(|sets| StandardisedSets::with_rows(keys.clone(), sets, rows));
        let groups = groups.into_iter().enumerate().map(|(group, estimate)| (group, false, estimate));
        let all = groups.chain(total.map(|total| (0, true, total)));
        let rows = all.flat_map(|(group, is_total, estimate)| rows(group, is_total, estimate)).collect();
        let method = model.method();
        Self { rows, keys, method, standardised, notes, differences, only_differences: false }
    }
}

impl<N: GroupNames> ClassShareOutput<N> {
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
        if let Some(sets) = &mut self.standardised {
            sort.sort(&mut sets.rows, &self.keys);
        }
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
        let names: &dyn GroupNames = match &self.standardised {
            Some(sets) if sets.names.columns().next().is_some() => sets.names.as_ref(),
            _ => &self.keys,
        };
        let table = || ResultTable::new(&self.rows).headed("lower", format!("{} % interval", percent(level)));
        let groups = self.rows.iter().take_while(|row| !row.is_total).count();
        let (by_group, all) = (|| table().with_groups(&self.keys), self.rows.len());
        let mut tables = if self.only_differences {
            Vec::new()
        } else if groups == all {
            vec![by_group()]
        } else {
            let total = table().for_programs().only((groups..all).collect()).named("total");
            vec![by_group().for_people(), by_group().for_programs().only((0..groups).collect()), total]
        };
        let standardised = self.standardised.iter().filter(|_| !self.only_differences);
        tables.extend(standardised.map(|sets| sets.table_at(level, true)));
        let mut notes = Vec::new();
        if let Some(differences) = &self.differences {
            if self.only_differences {
                tables.extend(differences.tables_with_shares(names, level, false));
            } else {
                tables.push(differences.table(names, level, false));
            }
            notes.extend(differences.describe_main_difference(names).map(Note::new));
        }
        let rows = self.rows[..groups].iter().filter(|row| row.class == 0).map(|row| row.estimate.n).sum();
        notes.push(Note::target(target, Some(rows).filter(|_| !self.only_differences)));
        notes.extend(self.differences.as_ref().and_then(|differences| differences.population_note(names)));
        notes.extend(self.notes.iter().map(|sentence| Note::line(sentence.as_str())));
        let (method, summary) = self.method.describe();
        notes.push(Note::source(format!("{method}: {summary}")));
        notes.extend(self.differences.as_ref().and_then(|differences| DifferenceRow::note(&differences.rows)));
        Results {
            about: vec![("method", json!(method)), ("target", json!(target.to_string()))],
            tables,
            notes,
            warnings: self.warnings(),
            ..Results::default()
        }
    }

    /// Returns the warnings as lines, each with the groups that have it unless all have it, followed by those of the
    /// total and of standardised shares only.
    pub fn warnings(&self) -> Vec<String> {
        let texts = self.keys.texts();
        let name = |row: &ClassShareRow| texts.group_texts(row.group).collect::<Vec<_>>().join(", ");
        let of_groups = by_sentence(self.rows.iter().filter(|row| !row.is_total), name);
        let all = self.rows.iter().filter(|row| !row.is_total && row.class == 0).count();
        let standardised = self.standardised.iter().flat_map(|sets| &sets.rows).map(|row| &row.standardised);
        let sets = self.standardised.as_ref().map(|sets| sets.names.texts());
        let of_totals = by_sentence(self.rows.iter().filter(|row| row.is_total).chain(standardised), |row| {
            let set = sets.iter().filter(|_| !row.is_total).flat_map(|texts| texts.group_texts(row.group));
            let names = set.collect::<Vec<_>>().join(", ");
            if names.is_empty() { "all groups together".to_owned() } else { format!("{names}, standardised") }
        });
        let totals = of_totals.into_iter().filter(|(sentence, _)| !of_groups.contains_key(sentence));
        let line = |sentence: &str, names: &[String], is_of_all: bool| {
            warning_line(&if is_of_all { sentence.to_owned() } else { format!("{}: {sentence}", names.join("; ")) })
        };
        let groups = of_groups.iter().map(|(sentence, names)| line(sentence, names, names.len() == all));
        groups.chain(totals.map(|(sentence, names)| line(&sentence, &names, false))).collect()
    }
}

/// Returns the different warnings about the estimates of these rows, with the names of the estimates concerned.
fn by_sentence<'r>(
    rows: impl Iterator<Item = &'r ClassShareRow>,
    name: impl Fn(&ClassShareRow) -> String,
) -> IndexMap<String, Vec<String>> {
    let mut names: IndexMap<String, Vec<String>> = IndexMap::new();
    for row in rows.filter(|row| row.class == 0) {
        for warning in &row.estimate.warnings {
            let known = names.entry(warning.to_string()).or_default();
            let name = name(row);
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
    names
}
