//! Unlabelled rows from any source, divided into groups and their parts.

use crate::ScoreValues;
use crate::design_tallies::{CellDesign, CellTallies};
use crate::estimates::estimate_sets;
use crate::executor::Executor;
use crate::groups::{GroupKeys, GroupNames, NamedGroups, Partition, TextNames};
use crate::sets::TestSets;
use crate::standard::GroupSizes;
use crate::tallied_groups::TalliedGroups;
use std::borrow::Cow;
use truecount::error::Problem;
use truecount::model::ReplicateVariance;
use truecount::shift_test::ShiftTally;
use truecount::{Error, Estimates, IntervalOptions, Model, Tally};

/// Unlabelled rows that can be tallied by any of their roles: groups and their sizes, strata,
/// clusters, strata with a model each, and replicate weights.
pub trait TestRows {
    /// The names of the groups.
    type Names: GroupKeys;

    /// Returns whether each group is a simple random sample without a known size.
    fn is_simple(&self) -> bool;

    /// Estimates each group as a simple random sample.
    ///
    /// # Errors
    /// Returns an error if rows cannot be read, or if a group allows no estimate.
    fn estimate(
        &self,
        executor: &impl Executor,
        model: &Model,
        options: &IntervalOptions,
    ) -> Result<NamedGroups<Estimates, Self::Names>, Error>;

    /// Tallies the parts of each group, also with each column of replicate weights.
    ///
    /// # Errors
    /// Returns an error if rows cannot be read, or if scores are invalid.
    fn tally(&self, executor: &impl Executor, model: &Model) -> Result<GroupCells<Tally, Self::Names>, Error>;

    /// Returns the rows in memory. `unit_interval` names the feature that needs scores strictly
    /// between 0 and 1, if any.
    ///
    /// # Errors
    /// Returns an error if rows cannot be read.
    fn read(&self, unit_interval: Option<&'static str>) -> Result<MemoryRows<'_, Self::Names>, Error>;
}

/// The cells of groups, such as the rows of a group in one stratum and cluster, with the contents of each cell.
#[derive(Clone)]
pub struct GroupCells<T, N> {
    /// The contents of each cell, such as its tally.
    pub contents: Vec<T>,
    /// The shift check's tally of all cells together, if there are too many to check each one.
    pub shift_total: Option<ShiftTally>,
    /// The names of the groups.
    pub names: N,
    /// The group of each cell.
    pub groups: Vec<u32>,
    /// The sampling design of the cells.
    pub design: CellDesign,
    /// The names of the strata or, without strata, of the clusters.
    pub units: Option<N>,
    /// The sizes of the groups, as far as they are known.
    pub sizes: GroupSizes,
    /// The value of each cell that chooses its model; empty if all cells have one model.
    pub model_strata: Vec<String>,
}

impl<T, N: GroupNames> GroupCells<T, N> {
    /// Creates groups that are simple random samples.
    pub fn from_groups(groups: NamedGroups<T, N>) -> Self {
        let NamedGroups { keys: names, contents, shift_total } = groups;
        #[allow(clippy::cast_possible_truncation)] // groups are numbered by u32
        let groups = (0..contents.len() as u32).collect();
        let (design, sizes) = (CellDesign::Simple, GroupSizes::default());
        Self { contents, shift_total, names, groups, design, units: None, sizes, model_strata: Vec::new() }
    }

    /// Returns the same parts with other contents.
    pub fn with_contents<U>(&self, contents: Vec<U>) -> GroupCells<U, N>
    where
        N: Clone,
    {
        GroupCells {
            contents,
            shift_total: self.shift_total.clone(),
            names: self.names.clone(),
            groups: self.groups.clone(),
            design: self.design.clone(),
            units: self.units.clone(),
            sizes: self.sizes.clone(),
            model_strata: self.model_strata.clone(),
        }
    }

    /// Returns all parts as one group of unknown size, with these contents.
    pub fn in_one_group<U>(&self, contents: Vec<U>) -> GroupCells<U, TextNames> {
        let (groups, design, sizes) = (vec![0; contents.len()], self.design.clone(), GroupSizes::default());
        let (names, model_strata) = (TextNames::none(), Vec::new());
        GroupCells { contents, shift_total: None, names, groups, design, units: None, sizes, model_strata }
    }

    /// Returns whether each group is a part without a known size.
    pub fn is_simple(&self) -> bool {
        matches!(self.design, CellDesign::Simple)
            && self.contents.len() == self.names.number()
            && self.sizes.standard.is_none()
            && self.sizes.populations.is_none()
    }

    /// Returns the error of a design, with the name of the stratum.
    pub(crate) fn design_error(&self, error: Error) -> Error {
        match &self.units {
            Some(units) => units.name_set(error),
            None => error,
        }
    }
}

impl<N: GroupNames> GroupCells<Tally, N> {
    /// Returns the tally of each group, without the tallies with replicate weights.
    ///
    /// # Errors
    /// Returns an error if the tallies belong to different models, or if a group has none.
    pub fn merged(&self) -> Result<Vec<Tally>, Error> {
        let is_replicate = |part: usize| match &self.design {
            CellDesign::Replicates(replicates, _) => replicates[part] > 0,
            _ => false,
        };
        let mut merged: Vec<Option<Tally>> = vec![None; self.names.number()];
        for (part, (tally, group)) in self.contents.iter().zip(&self.groups).enumerate() {
            match &mut merged[*group as usize] {
                _ if is_replicate(part) => {}
                Some(merged) => merged.merge(tally)?,
                empty => *empty = Some(tally.clone()),
            }
        }
        merged.into_iter().map(|tally| tally.ok_or_else(|| Problem::NothingToCompare.into())).collect()
    }

    /// Returns the groups, for the model of the tallies with or without the shift check.
    ///
    /// # Errors
    /// Returns the errors of [`CellDesign::with_tallies`], with the name of the stratum.
    pub fn tallied_groups<'a>(&'a self, model: &'a Model) -> Result<TalliedGroups<'a>, Error> {
        let design = self.design.with_tallies(&self.contents).map_err(|error| self.design_error(error))?;
        let groups = TalliedGroups::new(model, &self.contents, self.shift_total.as_ref());
        Ok(groups.with_parts(&self.groups, self.names.number(), design))
    }
}

/// Returns columns that own their values.
fn own<'a>(rows: ScoreValues<Vec<f64>>) -> ScoreValues<Cow<'a, [f64]>> {
    let ScoreValues { scores, probabilities, weights } = rows;
    let (scores, probabilities) = (Cow::Owned(scores), probabilities.map(Cow::Owned));
    ScoreValues { scores, probabilities, weights: weights.map(Cow::Owned) }
}

/// Rows in memory.
#[derive(Clone)]
pub struct MemoryRows<'a, N> {
    /// The rows of each part.
    pub parts: GroupCells<ScoreValues<Cow<'a, [f64]>>, N>,
    /// The part of each row in the caller's order, if it differs from the order of the parts.
    pub part_of_row: Option<&'a [u32]>,
    /// The columns of replicate weights, in the order of the parts, and the formula of the variance.
    pub replicates: Option<(Vec<Cow<'a, [f64]>>, ReplicateVariance)>,
}

impl<N: GroupKeys> MemoryRows<'_, N> {
    /// Creates rows without replicate weights, in the order of the parts.
    pub fn new(mut parts: GroupCells<ScoreValues<Vec<f64>>, N>) -> Self {
        let contents = std::mem::take(&mut parts.contents).into_iter().map(own).collect();
        Self { parts: parts.with_contents(contents), part_of_row: None, replicates: None }
    }

    /// Returns the rows of each group.
    pub fn by_group(&self) -> NamedGroups<ScoreValues<Cow<'_, [f64]>>, N> {
        let (parts, sets) = (&self.parts, self.sets().sets);
        let partition = Partition::new(&parts.groups, parts.names.number());
        let rows = |group: usize| match partition.parts(group) {
            [part] => sets[*part].map(|column| Cow::Borrowed(*column)),
            several => own(ScoreValues::concatenate(several.iter().map(|part| &sets[*part]))),
        };
        let contents = (0..partition.number()).map(rows).collect();
        NamedGroups { keys: parts.names.clone(), contents, shift_total: None }
    }

    /// Returns all rows as one group, without its size.
    pub fn as_one_group(&self) -> MemoryRows<'_, TextNames> {
        let (names, sets) = (TextNames::none(), self.sets().sets);
        if self.is_simple() {
            let contents = vec![own(ScoreValues::concatenate(sets.iter()))];
            let parts = GroupCells::from_groups(NamedGroups { keys: names, contents, shift_total: None });
            return MemoryRows { parts, part_of_row: None, replicates: None };
        }
        let contents = sets.iter().map(|set| set.map(|column| Cow::Borrowed(*column))).collect();
        let parts = self.parts.in_one_group(contents);
        MemoryRows { parts, part_of_row: self.part_of_row, replicates: self.replicates.clone() }
    }

    /// Returns the rows of each part as a set.
    pub fn sets(&self) -> TestSets<'_> {
        let sets = self.parts.contents.iter().map(|rows| rows.map(AsRef::as_ref)).collect();
        TestSets { sets, groups: self.part_of_row }
    }
}

impl<N: GroupKeys> TestRows for MemoryRows<'_, N> {
    type Names = N;

    fn is_simple(&self) -> bool {
        self.parts.is_simple() && self.replicates.is_none()
    }

    fn estimate(
        &self,
        executor: &impl Executor,
        model: &Model,
        options: &IntervalOptions,
    ) -> Result<NamedGroups<Estimates, N>, Error> {
        let contents = estimate_sets(executor, model, &self.sets(), options)?;
        Ok(NamedGroups { keys: self.parts.names.clone(), contents, shift_total: None })
    }

    fn tally(&self, executor: &impl Executor, model: &Model) -> Result<GroupCells<Tally, N>, Error> {
        let (parts, sets) = (&self.parts, self.sets());
        let tally = || {
            let tallies = CellTallies::new(executor, model, &sets, parts.groups.clone(), parts.design.clone())?;
            let Some((weights, formula)) = &self.replicates else { return Ok(tallies) };
            let weights = weights.iter().map(AsRef::as_ref);
            tallies.with_replicates(executor, model, &sets, weights, formula.clone())
        };
        let tallies = tally().map_err(|error: Error| error.renumber_set(|part| parts.groups[part] as usize))?;
        let CellTallies { tallies, groups, design } = tallies;
        Ok(GroupCells { groups, design, ..parts.with_contents(tallies) })
    }

    fn read(&self, _: Option<&'static str>) -> Result<MemoryRows<'_, N>, Error> {
        let contents = self.sets().sets.iter().map(|set| set.map(|column| Cow::Borrowed(*column))).collect();
        let Self { parts, part_of_row, replicates } = self;
        Ok(MemoryRows {
            parts: parts.with_contents(contents),
            part_of_row: *part_of_row,
            replicates: replicates.clone(),
        })
    }
}
