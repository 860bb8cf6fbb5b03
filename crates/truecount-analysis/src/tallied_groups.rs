//! Tallied groups, which can be estimated one by one and combined.

use crate::estimates::EstimableGroups;
use crate::groups::Partition;
use std::collections::BTreeMap;
use truecount::compare::JointErrors;
use truecount::error::Problem;
use truecount::quantifier::Quantifier;
use truecount::shift_test::ShiftTally;
use truecount::{Error, Estimates, IntervalOptions, Method, Model, Tally, Warning};

/// Groups with the tallies of a model: one tally for each group, or one for each part of a group,
/// such as its clusters.
pub struct TalliedGroups<'a> {
    model: &'a Model,
    tallies: &'a [Tally],
    /// The shift check's tally of all groups together, if there are too many groups to check each
    /// one.
    shift: Option<&'a ShiftTally>,
    partition: Partition,
    /// The cluster of each tally, if scores were drawn in clusters.
    clusters: Option<&'a [u32]>,
}

impl<'a> TalliedGroups<'a> {
    /// Creates groups with one tally each. `shift` is the shift check's tally of all groups
    /// together, if there are too many groups to check each one.
    pub fn new(model: &'a Model, tallies: &'a [Tally], shift: Option<&'a ShiftTally>) -> Self {
        Self { model, tallies, shift, partition: Partition::singletons(tallies.len()), clusters: None }
    }

    /// Assigns the tallies to `number` groups: `groups` has the group of each tally, and `clusters`
    /// its cluster, if scores were drawn in clusters.
    #[must_use]
    pub fn with_parts(self, groups: &[u32], number: usize, clusters: Option<&'a [u32]>) -> Self {
        Self { partition: Partition::new(groups, number), clusters, ..self }
    }
}

impl EstimableGroups for TalliedGroups<'_> {
    fn number(&self) -> usize {
        self.partition.number()
    }

    fn combined(&self, groups: &[usize], options: &IntervalOptions) -> Result<Estimates, Error> {
        let parts = groups.iter().flat_map(|group| self.partition.parts(*group).iter().copied());
        let Some(clusters) = self.clusters else {
            let parts: Vec<usize> = parts.collect();
            return match parts.as_slice() {
                [part] => self.model.estimate_tally(&self.tallies[*part], options),
                parts => {
                    let merged = merged(parts.iter().map(|part| &self.tallies[*part]))?;
                    self.model.estimate_tally(&merged, options)
                }
            };
        };
        let mut by_cluster: BTreeMap<u32, Vec<&Tally>> = BTreeMap::new();
        for part in parts {
            by_cluster.entry(clusters[part]).or_default().push(&self.tallies[part]);
        }
        let merge = |(cluster, tallies): (u32, Vec<&Tally>)| Ok((cluster, merged(tallies)?));
        let merged = by_cluster.into_iter().map(merge).collect::<Result<BTreeMap<u32, Tally>, Error>>()?;
        self.model.estimate_clusters(&merged, options)
    }

    fn joint_errors(&self) -> Result<Vec<(Method, JointErrors)>, Error> {
        let methods = self.model.quantifiers().iter().map(Quantifier::method);
        methods.map(|method| Ok((method, JointErrors::new(self.model, method)?))).collect()
    }

    fn warning(&self) -> Result<Option<Warning>, Error> {
        match (self.model.check(), self.shift) {
            (Some(check), Some(tally)) => check.warning(tally, 1),
            _ => Ok(None),
        }
    }
}

/// Merges tallies, of which there must be at least one.
fn merged<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Result<Tally, Error> {
    let mut tallies = tallies.into_iter();
    let first = tallies.next().ok_or(Problem::NothingToCompare)?.clone();
    tallies.try_fold(first, |mut whole, part| whole.merge(part).map(|()| whole))
}
