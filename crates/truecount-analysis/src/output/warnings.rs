//! Warnings by kind. As there may be a million rows, each kind has one line with its groups and methods.

use crate::advice::format_warning;
use crate::groups::GroupNames;
use crate::results::{EstimateRow, StandardisedSets, escape_untrusted};
use std::cmp::Reverse;
use std::iter;
use std::mem::discriminant;
use truecount::{Method, Warning};

/// The largest number of groups that a warning names; further groups are only counted.
const MAX_NAMED: usize = 12;

/// The warnings of rows by kind. The rows of a group must follow each other.
#[derive(Default)]
pub(super) struct WarningSummary {
    kinds: Vec<WarningKind>,
    groups: GroupCount,
}

/// All warnings of one kind.
pub struct WarningKind {
    /// The first warning, with its group, `None` for the total, and method.
    pub first: (Warning, Option<usize>, Method),
    /// The strata that have the warning, the first one's first.
    strata: Vec<String>,
    /// Whether all warnings of the kind are identical.
    is_uniform: bool,
    groups: GroupCount,
    /// The methods with such a warning.
    pub methods: Vec<Method>,
}

/// The groups of rows.
#[derive(Default)]
struct GroupCount {
    /// The number of groups, without the total.
    number: usize,
    first: Vec<usize>,
    last: Option<usize>,
    has_total: bool,
}

/// The names of the groups, for messages.
struct GroupLabels<'a> {
    keys: &'a dyn GroupNames,
    /// The number of groups, without the total.
    number: usize,
}

impl GroupCount {
    /// Adds the group of a row; the group of the total is `None`.
    fn add(&mut self, group: Option<usize>) {
        self.has_total |= group.is_none();
        if group.is_some() && self.last != group {
            self.number += 1;
            self.last = group;
            self.first.extend(group.filter(|_| self.number <= MAX_NAMED));
        }
    }
}

impl WarningSummary {
    /// Adds the warnings of a row.
    pub(super) fn add(&mut self, row: &EstimateRow) {
        let (group, method) = ((!row.is_total).then_some(row.group), row.estimate.method);
        self.groups.add(group);
        for (stratum, warning) in row.estimate.warnings_by_stratum() {
            let is_same = |kind: &WarningKind| discriminant(&kind.first.0) == discriminant(warning);
            let index = self.kinds.iter().position(is_same).unwrap_or(self.kinds.len());
            if index == self.kinds.len() {
                let (first, groups) = ((*warning, group, method), GroupCount::default());
                let (strata, methods) = (Vec::new(), Vec::new());
                self.kinds.push(WarningKind { first, strata, is_uniform: true, groups, methods });
            }
            let kind = &mut self.kinds[index];
            kind.is_uniform &= kind.first.0 == *warning;
            kind.groups.add(group);
            if let Some(stratum) = stratum.filter(|stratum| !kind.strata.iter().any(|known| known == stratum)) {
                kind.strata.push(stratum.to_owned());
            }
            if !kind.methods.contains(&method) {
                kind.methods.push(method);
            }
        }
    }

    fn from_rows<'a>(rows: impl Iterator<Item = &'a EstimateRow>) -> Self {
        let mut summary = Self::default();
        rows.for_each(|row| summary.add(row));
        summary
    }

    /// Returns the kinds, most severe first.
    fn sorted(mut self) -> Vec<WarningKind> {
        self.kinds.sort_by_key(|kind| Reverse(kind.first.0.severity()));
        self.kinds
    }

    /// Returns the sentences of [`warning_lines`].
    pub(super) fn lines(self, keys: &dyn GroupNames, methods: usize) -> Vec<String> {
        let labels = GroupLabels { keys, number: self.groups.number };
        self.sorted().iter().map(|kind| warning_line(&kind.line(&labels, methods))).collect()
    }
}

/// Groups the warnings of these rows by kind, most severe first.
pub fn warning_kinds<'a>(rows: impl Iterator<Item = &'a EstimateRow>) -> Vec<WarningKind> {
    WarningSummary::from_rows(rows).sorted()
}

/// Returns the warnings of these rows as sentences that are safe to show on a terminal, most severe first: one for each
/// kind. `methods` is the number of methods, 0 to leave methods out.
pub fn warning_lines<'a>(
    rows: impl Iterator<Item = &'a EstimateRow>,
    keys: &dyn GroupNames,
    methods: usize,
) -> Vec<String> {
    WarningSummary::from_rows(rows).lines(keys, methods)
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

impl WarningKind {
    /// Returns the groups, the methods and the warning as a sentence. If the warnings of a kind
    /// differ, the sentence quotes the first one and names its group and method.
    fn line(&self, labels: &GroupLabels, methods: usize) -> String {
        let (warning, first_group, method) = &self.first;
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
        let is_of_several = self.groups.number + usize::from(self.groups.has_total) > 1;
        let group = Some(labels.name(*first_group)).filter(|_| is_of_several).flatten();
        let method = (self.methods.len() > 1).then(|| method.to_string());
        let stratum = self.strata.first().filter(|_| self.strata.len() > 1).map(|stratum| format!("stratum {stratum}"));
        let example = group.into_iter().chain(stratum).chain(method).collect::<Vec<_>>().join(", ");
        if self.is_uniform || example.is_empty() {
            return format!("{subject}: {}", format_warning(warning));
        }
        format!("{subject}; {example}: {}", format_warning(warning))
    }

    /// Describes the groups that have the warning: their names, or their number and some names; `None` without groups.
    fn describe_groups(&self, labels: &GroupLabels) -> Option<String> {
        let GroupCount { number, ref first, has_total: total, .. } = self.groups;
        let names: Vec<String> = first.iter().map(|group| labels.name(Some(*group))).collect::<Option<_>>()?;
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
    /// Returns the name of a group, or of the total; `None` without groups.
    fn name(&self, group: Option<usize>) -> Option<String> {
        let Some(group) = group else { return Some("total".to_owned()) };
        let texts = self.keys.texts();
        let values = texts.group_texts(group).map(|value| if value.is_empty() { "''".to_owned() } else { value });
        let name = values.collect::<Vec<_>>().join(", ");
        Some(name).filter(|_| self.keys.columns().next().is_some())
    }
}

/// Returns the names of the methods, or "all methods" if they are all of several methods.
pub fn method_list(methods: &[impl ToString], number_of_methods: usize) -> String {
    if number_of_methods > 1 && methods.len() == number_of_methods {
        "all methods".to_owned()
    } else {
        methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}
