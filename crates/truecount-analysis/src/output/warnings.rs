//! Warnings by kind. As there may be a million rows, each kind has one line with its groups and
//! methods.

use crate::advice::format_warning;
use crate::groups::GroupNames;
use crate::results::{EstimateRow, StandardisedSets, escape_untrusted};
use indexmap::IndexMap;
use std::collections::HashSet;
use std::iter;
use truecount::error::Condition;
use truecount::{Method, Warning};

/// The largest number of groups that a warning names; further groups are only counted.
const MAX_NAMED: usize = 12;

/// All warnings of one kind.
pub struct WarningKind<'a> {
    /// The first row with such a warning, and the warning.
    pub first: (&'a EstimateRow, &'a Warning),
    /// The strata that have the warning, the first one's first.
    strata: Vec<&'a str>,
    /// Whether all warnings of the kind are identical.
    is_uniform: bool,
    /// A row of each group with such a warning, by group; the key of the total is `None`.
    pub groups: IndexMap<Option<usize>, &'a EstimateRow>,
    /// The methods with such a warning.
    pub methods: Vec<Method>,
}

/// The names of the groups, for messages.
struct GroupLabels<'a> {
    keys: &'a dyn GroupNames,
    /// The number of groups, without the total.
    number: usize,
}

/// Groups the warnings of these rows by kind, most severe first.
pub fn warning_kinds<'a>(rows: impl Iterator<Item = &'a EstimateRow>) -> Vec<WarningKind<'a>> {
    let mut kinds: IndexMap<&str, WarningKind> = IndexMap::new();
    for row in rows {
        for (stratum, warning) in row.estimate.warnings_by_stratum() {
            let new = || WarningKind {
                first: (row, warning),
                strata: Vec::new(),
                is_uniform: true,
                groups: IndexMap::new(),
                methods: Vec::new(),
            };
            let kind = kinds.entry(warning.code()).or_insert_with(new);
            kind.is_uniform &= kind.first.1 == warning;
            kind.groups.entry((!row.is_total).then_some(row.group)).or_insert(row);
            kind.strata.extend(stratum.filter(|stratum| !kind.strata.contains(stratum)));
            if !kind.methods.contains(&row.estimate.method) {
                kind.methods.push(row.estimate.method);
            }
        }
    }
    let mut kinds: Vec<WarningKind> = kinds.into_values().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.first.1.severity()));
    kinds
}

/// Returns the warnings of these rows as sentences that are safe to show on a terminal, most severe
/// first: one for each kind. `methods` is the number of methods, 0 to leave methods out.
pub fn warning_lines<'a>(
    rows: impl Iterator<Item = &'a EstimateRow> + Clone,
    keys: &dyn GroupNames,
    methods: usize,
) -> Vec<String> {
    let number = rows.clone().filter(|row| !row.is_total).map(|row| row.group).collect::<HashSet<_>>().len();
    let labels = GroupLabels { keys, number };
    warning_kinds(rows).iter().map(|kind| warning_line(&kind.line(&labels, methods))).collect()
}

/// Adds the warnings of standardised shares that are not there yet.
pub(super) fn add_set_warnings(warnings: &mut Vec<String>, sets: Option<&StandardisedSets>, methods: usize) {
    if let Some(sets) = sets {
        let rows = sets.estimates().filter(|row| !row.is_suppressed());
        let lines = warning_lines(rows, sets.names.as_ref(), methods).into_iter();
        let new: Vec<String> = lines.filter(|line| !warnings.contains(line)).collect();
        warnings.extend(new);
    }
}

/// Returns a warning as a line.
pub(super) fn warning_line(sentence: &str) -> String {
    format!("warning: {}", escape_untrusted(sentence))
}

impl WarningKind<'_> {
    /// Returns the groups, the methods and the warning as a sentence. If the warnings of a kind
    /// differ, the sentence quotes the first one and names its group and method.
    fn line(&self, labels: &GroupLabels, methods: usize) -> String {
        let (row, warning) = self.first;
        let methods = (methods > 1).then(|| method_list(&self.methods, methods));
        let strata = match self.strata.as_slice() {
            [] => None,
            [stratum] => Some(format!("stratum {stratum}")),
            strata => Some(format!("strata {}", strata.join(" and "))),
        };
        let subjects = iter::once(self.describe_groups(labels)).flatten().chain(strata).chain(methods);
        let subject = subjects.collect::<Vec<_>>().join(", ");
        if subject.is_empty() {
            return format_warning(warning);
        }
        let group = Some(labels.name(row)).filter(|_| self.groups.len() > 1).flatten();
        let method = (self.methods.len() > 1).then(|| row.estimate.method.to_string());
        let stratum = self.strata.first().filter(|_| self.strata.len() > 1).map(|stratum| format!("stratum {stratum}"));
        let example = group.into_iter().chain(stratum).chain(method).collect::<Vec<_>>().join(", ");
        if self.is_uniform || example.is_empty() {
            return format!("{subject}: {}", format_warning(warning));
        }
        format!("{subject}; {example}: {}", format_warning(warning))
    }

    /// Describes the groups that have the warning: their names, or their number and some names;
    /// `None` without groups.
    fn describe_groups(&self, labels: &GroupLabels) -> Option<String> {
        let groups = self.groups.values().filter(|row| !row.is_total);
        let (number, total) = (groups.clone().count(), self.groups.contains_key(&None));
        let names: Vec<String> = groups.take(MAX_NAMED).map(|row| labels.name(row)).collect::<Option<_>>()?;
        let described = match names.as_slice() {
            [] => None,
            [name] => Some(name.clone()),
            _ if number == labels.number => Some(format!("all {number} groups")),
            names => {
                // With several grouping columns, names contain commas.
                let separator = if labels.keys.columns().count() > 1 { "; " } else { ", " };
                let more =
                    if number > names.len() { format!(" and {} more", number - names.len()) } else { String::new() };
                Some(format!("{number} of {} groups ({}{more})", labels.number, names.join(separator)))
            }
        };
        Some(match (described, total) {
            (None, _) => "total".to_owned(),
            (Some(groups), false) => groups,
            (Some(groups), true) => format!("{groups} and the total"),
        })
    }
}

impl GroupLabels<'_> {
    /// Returns the name of a row's group; `None` without groups.
    fn name(&self, row: &EstimateRow) -> Option<String> {
        if row.is_total {
            return Some("total".to_owned());
        }
        let texts = self.keys.texts();
        let values = texts.group_texts(row.group).map(|value| if value.is_empty() { "''".to_owned() } else { value });
        let name = values.collect::<Vec<_>>().join(", ");
        Some(name).filter(|_| self.keys.columns().next().is_some())
    }
}

/// Returns the names of the methods, or "all methods" if they are all of several methods.
pub fn method_list(methods: &[Method], number_of_methods: usize) -> String {
    if number_of_methods > 1 && methods.len() == number_of_methods {
        "all methods".to_owned()
    } else {
        methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}
