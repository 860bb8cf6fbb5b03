//! Which groups are compared with which, and what comes of it.

use super::{JointErrors, Overlap, Total};
use crate::inference::{Difference, IntervalOptions};
use crate::{Error, Estimate, Problem};
use std::ops::Range;

/// What each group is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The group before it.
    Previous,
    /// All groups together, its own among them.
    Total,
    /// All other groups together.
    Rest,
    /// Every other group, each pair once.
    All,
    /// This group of each level, by its place in the level; none where the level does not have it.
    Group(Vec<Option<usize>>),
}

impl Reference {
    /// The words for what is no single group, with what they mean.
    pub const WORDS: [(&'static str, Self, &'static str); 4] = [
        ("previous", Self::Previous, "the group before it"),
        ("total", Self::Total, "all groups together"),
        ("rest", Self::Rest, "all other groups together"),
        ("all", Self::All, "every other group"),
    ];

    /// What groups in levels of these sizes are compared with if nobody says: of two groups the other, of dates the one before, else all.
    pub fn usual(sizes: impl IntoIterator<Item = usize>, dates: bool) -> Self {
        match (sizes.into_iter().all(|size| size <= 2), dates) {
            (true, _) => Self::All,
            (false, true) => Self::Previous,
            (false, false) => Self::Total,
        }
    }
}

/// Comparisons of groups, level by level: within a site, say, each month with the one before.
#[derive(Clone, Debug)]
pub struct GroupContrasts<'a> {
    together: &'a JointErrors,
    estimates: &'a [&'a Estimate],
    reporting: IntervalOptions,
    /// The weights of the groups, by which they are added up.
    weights: Vec<f64>,
    levels: Vec<ComparedGroups<'a>>,
    pairs: Vec<Contrast>,
}

/// Groups that are compared with each other.
#[derive(Clone, Debug)]
struct ComparedGroups<'a> {
    /// All of them, where they are added up.
    sum: Total<'a>,
    /// The estimate that they are compared with, if it is that of all.
    own: Option<Estimate>,
}

/// A group and what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The level.
    level: usize,
    /// The group's place among all estimates.
    pub group: usize,
    /// What it is compared with.
    pub other: Comparator,
}

/// What a group is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparator {
    /// Another group, by its place among all estimates.
    Group(usize),
    /// All groups of its level.
    Total,
    /// All other groups of its level.
    Rest,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What is compared.
    pub pair: Contrast,
    /// The prevalence that the group is compared with.
    pub other: f64,
    /// What was found.
    pub found: Difference,
}

impl<'a> GroupContrasts<'a> {
    /// Of estimates by one method, which are in the order of their levels. Groups are added up with these weights, or as many times as
    /// each has scores; `totals` are the levels' own estimates, of all their scores together, if there are any.
    ///
    /// # Errors
    /// Those of [`Total::add`]; [`Problem::NothingToCompare`] where no level has two groups.
    ///
    /// # Panics
    /// If there are not as many weights as estimates, or not as many references or totals as levels.
    pub fn new(
        together: &'a JointErrors,
        estimates: &'a [&'a Estimate],
        levels: &[Range<usize>],
        against: &Reference,
        weights: Option<&[f64]>,
        totals: Option<Vec<Estimate>>,
        reporting: &IntervalOptions,
    ) -> Result<Self, Error> {
        let weights: Vec<f64> = match weights {
            Some(weights) => weights.to_vec(),
            None => estimates.iter().map(|estimate| estimate.total_weight()).collect(),
        };
        assert_eq!(weights.len(), estimates.len(), "a weight for each group");
        let sums = matches!(against, Reference::Total | Reference::Rest);
        let mut totals = totals.map(Vec::into_iter);
        let level = |range: &Range<usize>| {
            let mut total = together.total();
            for place in range.clone().filter(|_| sums) {
                total.add(estimates[place], weights[place])?;
            }
            let own = match (against, &mut totals) {
                (Reference::Total, Some(totals)) => totals.next(),
                (Reference::Total, None) => Some(total.estimate(reporting)),
                _ => None,
            };
            Ok(ComparedGroups { sum: total, own })
        };
        let pairs: Vec<Contrast> =
            levels.iter().enumerate().flat_map(|(level, range)| pairs(level, range, against)).collect();
        if pairs.is_empty() {
            return Err(Problem::NothingToCompare.into());
        }
        let levels = levels.iter().map(level).collect::<Result<_, Error>>()?;
        Ok(Self { together, estimates, reporting: *reporting, weights, levels, pairs })
    }

    /// What is compared with what.
    pub fn pairs(&self) -> &[Contrast] {
        &self.pairs
    }

    /// One of the comparisons.
    ///
    /// # Errors
    /// Those of [`JointErrors::difference`].
    pub fn compare(&self, pair: Contrast) -> Result<Comparison, Error> {
        let ComparedGroups { sum: total, own } = &self.levels[pair.level];
        let (first, weight) = (self.estimates[pair.group], self.weights[pair.group]);
        let found = |second: &Estimate, overlap| {
            let found = self.together.difference(first, second, overlap, &self.reporting)?;
            Ok(Comparison { pair, other: second.prevalence, found })
        };
        match pair.other {
            Comparator::Group(place) => found(self.estimates[place], Overlap::None),
            Comparator::Rest => found(&total.without(first, weight)?.estimate(&self.reporting), Overlap::None),
            Comparator::Total => {
                let own = own.as_ref().expect("a total to compare with");
                let found = total.difference(first, weight, own, &self.reporting)?;
                Ok(Comparison { pair, other: own.prevalence, found })
            }
        }
    }
}

fn pairs(level: usize, range: &Range<usize>, against: &Reference) -> Vec<Contrast> {
    let pair = |group, other| Contrast { level, group, other };
    let groups = range.clone();
    match against {
        _ if groups.len() < 2 => Vec::new(),
        Reference::Previous => groups.skip(1).map(|group| pair(group, Comparator::Group(group - 1))).collect(),
        Reference::Total => groups.map(|group| pair(group, Comparator::Total)).collect(),
        Reference::Rest => groups.map(|group| pair(group, Comparator::Rest)).collect(),
        Reference::All => {
            let others = |group: usize| (range.start..group).map(move |other| pair(group, Comparator::Group(other)));
            groups.flat_map(others).collect()
        }
        Reference::Group(places) => match places[level].map(|place| range.start + place) {
            Some(other) => {
                groups.filter(|group| *group != other).map(|group| pair(group, Comparator::Group(other))).collect()
            }
            None => Vec::new(),
        },
    }
}
