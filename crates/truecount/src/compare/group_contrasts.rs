//! Comparisons of groups with a reference.

use super::{JointErrors, Overlap, Total};
use crate::inference::{Difference, IntervalOptions};
use crate::problem::check_result_size;
use crate::{Error, Estimate, Problem};
use std::ops::Range;

/// The reference that each group is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The previous group.
    Previous,
    /// All groups combined, including the group itself.
    Total,
    /// All other groups combined.
    Rest,
    /// Every other group, each pair once.
    All,
    /// One group of each level, by its index in the level; `None` for a level without the group.
    Group(Vec<Option<usize>>),
}

impl Reference {
    /// The references that are not a single group: word, reference, meaning.
    #[doc(hidden)]
    pub const WORDS: [(&'static str, Self, &'static str); 4] = [
        ("previous", Self::Previous, "the group before it"),
        ("total", Self::Total, "all groups together"),
        ("rest", Self::Rest, "all other groups together"),
        ("all", Self::All, "every other group"),
    ];

    /// The default reference for groups in levels of these sizes: the other of two groups, the
    /// previous of several dates, and otherwise all groups.
    pub fn usual(sizes: impl IntoIterator<Item = usize>, dates: bool) -> Self {
        match (sizes.into_iter().all(|size| size <= 2), dates) {
            (true, _) => Self::All,
            (false, true) => Self::Previous,
            (false, false) => Self::Total,
        }
    }
}

/// Comparisons of groups within each level: for example, each month with the previous one, within
/// each site.
#[derive(Clone, Debug)]
pub struct GroupContrasts<'a> {
    joint: &'a JointErrors,
    estimates: &'a [&'a Estimate],
    options: IntervalOptions,
    /// The weights of the groups in totals.
    weights: Vec<f64>,
    levels: Vec<Level<'a>>,
    contrasts: Vec<Contrast>,
}

/// Groups that are compared with each other.
#[derive(Clone, Debug)]
struct Level<'a> {
    /// The total of all groups; empty unless the reference is the total or the rest.
    total: Total<'a>,
    /// The estimate of all groups, if the reference is the total.
    whole: Option<Estimate>,
}

/// A group and its comparator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contrast {
    level: usize,
    /// The group's index among all estimates.
    pub group: usize,
    /// The comparator of the group.
    pub other: Comparator,
}

/// A comparator of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparator {
    /// Another group, by its index among all estimates.
    Group(usize),
    /// All groups of its level.
    Total,
    /// All other groups of its level.
    Rest,
}

/// The result of one contrast.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The contrast.
    pub contrast: Contrast,
    /// The prevalence of the comparator.
    pub other: f64,
    /// The group's difference from the comparator.
    pub difference: Difference,
}

impl<'a> GroupContrasts<'a> {
    /// Creates the contrasts of estimates by one method, which are in the order of their levels.
    ///
    /// Totals weight the groups by `weights`, or else by the sums of the weights of their scores.
    /// Such a total is the sum over the groups' own estimates. It may differ a little from one
    /// estimate of all scores together, which is not the sum of its groups.
    ///
    /// # Errors
    /// Returns [`Problem::NothingToCompare`] if each level has a single group;
    /// [`Problem::ResultTooLarge`] for more than 10 million pairs of groups;
    /// [`Operation::Covariance`](crate::Operation::Covariance) for an estimate by another method or
    /// model; and [`Problem::ParameterOutOfRange`] for a weight that is negative or not finite.
    ///
    /// # Panics
    /// Panics unless there is one weight for each estimate, and one total and one reference group
    /// for each level.
    pub fn new(
        joint: &'a JointErrors,
        estimates: &'a [&'a Estimate],
        levels: &[Range<usize>],
        reference: &Reference,
        weights: Option<&[f64]>,
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let weights: Vec<f64> = match weights {
            Some(weights) => weights.to_vec(),
            None => estimates.iter().map(|estimate| estimate.total_weight()).collect(),
        };
        assert_eq!(weights.len(), estimates.len(), "a weight for each group");
        let needs_totals = matches!(reference, Reference::Total | Reference::Rest);
        let level = |range: &Range<usize>| {
            let mut total = joint.total();
            for group in range.clone().filter(|_| needs_totals) {
                total.add(estimates[group], weights[group])?;
            }
            let whole = (*reference == Reference::Total).then(|| total.estimate(options));
            Ok(Level { total, whole })
        };
        let contrasts = Contrast::in_levels(levels, reference)?;
        let levels = levels.iter().map(level).collect::<Result<_, Error>>()?;
        Ok(Self { joint, estimates, options: *options, weights, levels, contrasts })
    }

    /// The contrasts, each a group with its comparator.
    pub fn contrasts(&self) -> &[Contrast] {
        &self.contrasts
    }

    /// Estimates the difference of one contrast.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`JointErrors::difference`].
    pub fn compare(&self, contrast: Contrast) -> Result<Comparison, Error> {
        let Level { total, whole } = &self.levels[contrast.level];
        let (group, weight) = (self.estimates[contrast.group], self.weights[contrast.group]);
        let compare_with = |other: &Estimate| {
            let difference = self.joint.difference(group, other, Overlap::None, &self.options)?;
            Ok(Comparison { contrast, other: other.prevalence, difference })
        };
        match contrast.other {
            Comparator::Group(index) => compare_with(self.estimates[index]),
            Comparator::Rest => compare_with(&total.without(group, weight)?.estimate(&self.options)),
            Comparator::Total => {
                let whole = whole.as_ref().expect("an estimate of all groups, which are the reference");
                let difference = total.difference(group, weight, whole, &self.options)?;
                Ok(Comparison { contrast, other: group.prevalence - difference.difference, difference })
            }
        }
    }
}

impl Contrast {
    /// The index of the level of the group.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Returns the contrasts of groups within levels.
    ///
    /// # Errors
    /// Returns [`Problem::NothingToCompare`] if each level has a single group, and
    /// [`Problem::ResultTooLarge`] if there are more than 10 million pairs of groups.
    pub fn in_levels(levels: &[Range<usize>], reference: &Reference) -> Result<Vec<Self>, Error> {
        if *reference == Reference::All {
            let pairs = levels.iter().map(|range| range.len() as u64).map(|n| n * n.saturating_sub(1) / 2).sum();
            check_result_size("pairs of groups to compare", pairs)?;
        }
        let contrasts: Vec<Self> =
            levels.iter().enumerate().flat_map(|(level, range)| level_contrasts(level, range, reference)).collect();
        if contrasts.is_empty() { Err(Problem::NothingToCompare.into()) } else { Ok(contrasts) }
    }
}

/// Returns the contrasts of one level, whose groups have the indices `range`.
fn level_contrasts(level: usize, range: &Range<usize>, reference: &Reference) -> Vec<Contrast> {
    let contrast = |group, other| Contrast { level, group, other };
    let with_group = |group, other| contrast(group, Comparator::Group(other));
    let groups = range.clone();
    match reference {
        _ if groups.len() < 2 => Vec::new(),
        Reference::Previous => groups.skip(1).map(|group| with_group(group, group - 1)).collect(),
        Reference::Total => groups.map(|group| contrast(group, Comparator::Total)).collect(),
        Reference::Rest => groups.map(|group| contrast(group, Comparator::Rest)).collect(),
        Reference::All => {
            groups.flat_map(|group| (range.start..group).map(move |other| with_group(group, other))).collect()
        }
        Reference::Group(indices) => match indices[level].map(|index| range.start + index) {
            Some(other) => groups.filter(|group| *group != other).map(|group| with_group(group, other)).collect(),
            None => Vec::new(),
        },
    }
}
