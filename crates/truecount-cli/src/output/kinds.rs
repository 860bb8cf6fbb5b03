//! Warnings by kind: a line for each, with the groups and methods it is of, as there may be a million.

use super::Answer;
use crate::advice::worded;
use indexmap::IndexMap;
use std::iter;
use truecount::{Condition, Method, Warning};
use truecount_io::results::EstimateRow;

/// Groups of a kind that are named; the rest are counted.
const NAMED: usize = 12;

/// All warnings of one kind.
pub struct Kind<'a> {
    pub first: (&'a EstimateRow, &'a Warning),
    /// Whether the others say the very same.
    alike: bool,
    /// Some row of each group that has it.
    pub groups: Vec<&'a EstimateRow>,
    pub methods: Vec<Method>,
}

/// The kinds of warnings of these rows, which come group by group; the gravest first.
pub fn kinds_of<'a>(rows: impl Iterator<Item = &'a EstimateRow>) -> Vec<Kind<'a>> {
    let mut kinds: IndexMap<&str, Kind> = IndexMap::new();
    for row in rows {
        for warning in &row.estimate.warnings {
            let new = || Kind { first: (row, warning), alike: true, groups: Vec::new(), methods: Vec::new() };
            let kind = kinds.entry(warning.code()).or_insert_with(new);
            kind.alike &= kind.first.1 == warning;
            if kind.groups.last().is_none_or(|last| (last.group, last.is_total) != (row.group, row.is_total)) {
                kind.groups.push(row);
            }
            if !kind.methods.contains(&row.estimate.method) {
                kind.methods.push(row.estimate.method);
            }
        }
    }
    let mut kinds: Vec<Kind> = kinds.into_values().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.first.1.severity()));
    kinds
}

impl Kind<'_> {
    /// The groups, the methods and what is to be said; where it differs, of the first of them.
    pub fn line(&self, answer: &Answer, methods: usize) -> String {
        let (row, warning) = self.first;
        let whose = whose(&self.methods, methods);
        let heads = iter::once(self.places(answer)).flatten().chain([whose]);
        let head = heads.collect::<Vec<_>>().join(", ");
        if self.alike {
            return format!("{head}: {}", worded(warning));
        }
        let place = Some(answer.place(row)).filter(|_| self.groups.len() > 1).flatten();
        let method = (self.methods.len() > 1).then(|| row.estimate.method.to_string());
        let example = place.into_iter().chain(method).collect::<Vec<_>>().join(", ");
        format!("{head}. {example}: {}", worded(warning))
    }

    /// Which groups, or how many and some of them; none without groups.
    fn places(&self, answer: &Answer) -> Option<String> {
        let names: Vec<String> = self.groups.iter().take(NAMED).map(|row| answer.place(row)).collect::<Option<_>>()?;
        let more = self.groups.len() - names.len();
        if let ([name], 0) = (names.as_slice(), more) {
            return Some(name.clone());
        }
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if self.groups.len() == answer.places() {
            return Some(format!("all {} groups", self.groups.len()));
        }
        // A group of several columns has commas in its name.
        let between = if answer.keys.columns().count() > 1 { "; " } else { ", " };
        Some(format!("{} of {} groups ({}{more})", self.groups.len(), answer.places(), names.join(between)))
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
