//! Warnings by kind: a line for each, with the groups and methods it is of, as there may be a million.

use crate::advice::worded_warning;
use crate::groups::GroupNames;
use crate::results::{EstimateRow, visible};
use indexmap::IndexMap;
use std::iter;
use truecount::{Condition, Method, Warning};

/// Groups of a kind that are named; the rest are counted.
const NAMED: usize = 12;

/// All warnings of one kind.
pub struct Kind<'a> {
    /// The first row that has it, with its warning.
    pub first: (&'a EstimateRow, &'a Warning),
    /// Whether the others say the very same.
    alike: bool,
    /// Some row of each group that has it, by the group, or that of all together.
    pub groups: IndexMap<Option<usize>, &'a EstimateRow>,
    /// The methods that have it.
    pub methods: Vec<Method>,
}

/// Where rows are.
struct Places<'a> {
    keys: &'a dyn GroupNames,
    /// How many groups there are, with all of them together if that is asked for.
    number: usize,
}

/// The kinds of warnings of these rows; the gravest first.
pub fn kinds_of<'a>(rows: impl Iterator<Item = &'a EstimateRow>) -> Vec<Kind<'a>> {
    let mut kinds: IndexMap<&str, Kind> = IndexMap::new();
    for row in rows {
        for warning in &row.estimate.warnings {
            let new = || Kind { first: (row, warning), alike: true, groups: IndexMap::new(), methods: Vec::new() };
            let kind = kinds.entry(warning.code()).or_insert_with(new);
            kind.alike &= kind.first.1 == warning;
            kind.groups.entry((!row.is_total).then_some(row.group)).or_insert(row);
            if !kind.methods.contains(&row.estimate.method) {
                kind.methods.push(row.estimate.method);
            }
        }
    }
    let mut kinds: Vec<Kind> = kinds.into_values().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.first.1.severity()));
    kinds
}

/// The warnings of these rows as sentences, safe to show on a terminal, the gravest first, one for each kind: of so many groups, by so many
/// methods.
pub fn warnings_of<'a>(
    rows: impl Iterator<Item = &'a EstimateRow>,
    keys: &dyn GroupNames,
    number: usize,
    methods: usize,
) -> Vec<String> {
    let places = Places { keys, number };
    kinds_of(rows).iter().map(|kind| warning(&kind.line(&places, methods))).collect()
}

/// A warning's line.
pub(super) fn warning(sentence: &str) -> String {
    format!("warning: {}", visible(sentence))
}

impl Kind<'_> {
    /// The groups, the methods, unless there are none to choose among, and what is to be said; where it differs, of the first of them.
    fn line(&self, places: &Places, methods: usize) -> String {
        let (row, warning) = self.first;
        let whose = (methods > 0).then(|| whose(&self.methods, methods));
        let heads = iter::once(self.places(places)).flatten().chain(whose);
        let head = heads.collect::<Vec<_>>().join(", ");
        if head.is_empty() {
            return worded_warning(warning);
        }
        if self.alike {
            return format!("{head}: {}", worded_warning(warning));
        }
        let place = Some(places.name(row)).filter(|_| self.groups.len() > 1).flatten();
        let method = (self.methods.len() > 1).then(|| row.estimate.method.to_string());
        let example = place.into_iter().chain(method).collect::<Vec<_>>().join(", ");
        format!("{head}. {example}: {}", worded_warning(warning))
    }

    /// Which groups, or how many and some of them; none without groups.
    fn places(&self, places: &Places) -> Option<String> {
        let names: Vec<String> = self.groups.values().take(NAMED).map(|row| places.name(row)).collect::<Option<_>>()?;
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

impl Places<'_> {
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
pub fn whose(methods: &[Method], several: usize) -> String {
    if several > 1 && methods.len() == several {
        "all methods".to_owned()
    } else {
        methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}
