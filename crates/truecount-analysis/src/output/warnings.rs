//! Warnings by kind: a line for each, with the groups and methods it is of, as there may be a million.

use crate::advice::format_warning;
use crate::groups::GroupNames;
use crate::results::{EstimateRow, escape_untrusted};
use indexmap::IndexMap;
use std::iter;
use truecount::{Condition, Method, Warning};

/// Groups of a kind that are named; the rest are counted.
const MAX_NAMED: usize = 12;

/// All warnings of one kind.
pub struct WarningKind<'a> {
    /// The first row that has it, with its warning.
    pub first: (&'a EstimateRow, &'a Warning),
    /// Whether the others say the very same.
    is_uniform: bool,
    /// Some row of each group that has it, by the group, or that of all together.
    pub groups: IndexMap<Option<usize>, &'a EstimateRow>,
    /// The methods that have it.
    pub methods: Vec<Method>,
}

/// Where rows are.
struct GroupLabels<'a> {
    keys: &'a dyn GroupNames,
    /// How many groups there are, with all of them together if that is asked for.
    number: usize,
}

/// The kinds of warnings of these rows; the gravest first.
pub fn warning_kinds<'a>(rows: impl Iterator<Item = &'a EstimateRow>) -> Vec<WarningKind<'a>> {
    let mut kinds: IndexMap<&str, WarningKind> = IndexMap::new();
    for row in rows {
        for warning in &row.estimate.warnings {
            let new = || WarningKind { first: (row, warning), is_uniform: true, groups: IndexMap::new(), methods: Vec::new() };
            let kind = kinds.entry(warning.code()).or_insert_with(new);
            kind.is_uniform &= kind.first.1 == warning;
            kind.groups.entry((!row.is_total).then_some(row.group)).or_insert(row);
            if !kind.methods.contains(&row.estimate.method) {
                kind.methods.push(row.estimate.method);
            }
        }
    }
    let mut kinds: Vec<WarningKind> = kinds.into_values().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.first.1.severity()));
    kinds
}

/// The warnings of these rows as sentences, safe to show on a terminal, the gravest first, one for each kind: of so many groups, by so many
/// methods.
pub fn warning_lines<'a>(
    rows: impl Iterator<Item = &'a EstimateRow>,
    keys: &dyn GroupNames,
    number: usize,
    methods: usize,
) -> Vec<String> {
    let places = GroupLabels { keys, number };
    warning_kinds(rows).iter().map(|kind| warning_line(&kind.line(&places, methods))).collect()
}

/// A warning's line.
pub(super) fn warning_line(sentence: &str) -> String {
    format!("warning: {}", escape_untrusted(sentence))
}

impl WarningKind<'_> {
    /// The groups, the methods, unless there are none to choose among, and what is to be said; where it differs, of the first of them.
    fn line(&self, places: &GroupLabels, methods: usize) -> String {
        let (row, warning) = self.first;
        let whose = (methods > 0).then(|| method_list(&self.methods, methods));
        let heads = iter::once(self.describe_groups(places)).flatten().chain(method_list);
        let head = heads.collect::<Vec<_>>().join(", ");
        if head.is_empty() {
            return format_warning(warning);
        }
        if self.is_uniform {
            return format!("{head}: {}", format_warning(warning));
        }
        let place = Some(places.name(row)).filter(|_| self.groups.len() > 1).flatten();
        let method = (self.methods.len() > 1).then(|| row.estimate.method.to_string());
        let example = place.into_iter().chain(method).collect::<Vec<_>>().join(", ");
        format!("{head}. {example}: {}", format_warning(warning))
    }

    /// Which groups, or how many and some of them; none without groups.
    fn describe_groups(&self, places: &GroupLabels) -> Option<String> {
        let names: Vec<String> = self.groups.values().take(MAX_NAMED).map(|row| places.name(row)).collect::<Option<_>>()?;
        let more = self.groups.len() - names.len();
        if let ([name], 0) = (names.as_slice(), more) {
            return Some(name.clone());
        }
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if self.groups.len() == places.number {
            return Some(format!("all {} groups", self.groups.len()));
        }
        // A group of several columns has commas in its name.
        let between = if places.keys.columns().count() > 1 { "; " } else { ", " };
        Some(format!("{} of {} groups ({}{more})", self.groups.len(), places.number, names.join(between)))
    }
}

impl GroupLabels<'_> {
    /// A row's group in words; none without groups.
    fn name(&self, row: &EstimateRow) -> Option<String> {
        if row.is_total {
            return Some("total".to_owned());
        }
        let texts = self.keys.texts();
        let named = texts.of(row.group).map(|value| if value.is_empty() { "''".to_owned() } else { value });
        let named = named.collect::<Vec<_>>().join(", ");
        Some(named).filter(|_| self.keys.columns().next().is_some())
    }
}

/// The methods in words.
pub fn method_list(methods: &[Method], several: usize) -> String {
    if several > 1 && methods.len() == several {
        "all methods".to_owned()
    } else {
        methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}
