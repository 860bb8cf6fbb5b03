//! Tallied groups, or clusters in them: what the scores of some groups say together.

use super::parts::Parts;
use crate::executor::Executor;
use crate::groups::MergedTallies;
use std::collections::BTreeMap;
use truecount::check::ShiftTally;
use truecount::{Error, Estimates, Model, Reporting, Tallies};

/// Groups, each of one tally or of one for each of its clusters.
pub struct Cells<'a> {
    tallies: &'a [Tallies],
    /// What the check counted in all groups together, where it looks at them so.
    pub(super) shift: Option<&'a ShiftTally>,
    parts: Parts,
    /// The cluster that each tally is of, if scores were drawn in clusters.
    clusters: Option<&'a [u32]>,
}

impl<'a> Cells<'a> {
    /// Of a tally for each group.
    pub fn new(tallied: &'a MergedTallies) -> Self {
        let MergedTallies { contents, together } = tallied;
        Self { tallies: contents, shift: together.as_ref(), parts: Parts::alone(contents.len()), clusters: None }
    }

    /// Of tallies that are each of one of so many groups, and, if scores were drawn in clusters, of one of these.
    pub fn of_parts(tallies: &'a [Tallies], groups: &[u32], number: usize, clusters: Option<&'a [u32]>) -> Self {
        Self { tallies, shift: None, parts: Parts::new(groups, number), clusters }
    }

    /// How many groups there are.
    pub fn number(&self) -> usize {
        self.parts.number()
    }

    /// The estimates of each group, or the first error, with its number.
    ///
    /// # Errors
    /// Those of [`together`](Self::together).
    pub fn each(
        &self,
        executor: &impl Executor,
        model: &Model,
        reporting: impl Fn(usize) -> Reporting + Sync + Send,
    ) -> Result<Vec<Estimates>, (usize, Error)> {
        let groups: Vec<usize> = (0..self.number()).collect();
        let one = |group: &usize| {
            let found = self.together(model, [*group], &reporting(*group).among(groups.len()));
            found.map_err(|error| (*group, error))
        };
        executor.map(&groups, one).into_iter().collect()
    }

    /// The estimates of some groups together.
    ///
    /// # Errors
    /// Those of [`Model::finish`] and [`Model::finish_clusters`]; [`Error::NothingToCompare`] for no groups.
    pub fn together(
        &self,
        model: &Model,
        groups: impl IntoIterator<Item = usize>,
        reporting: &Reporting,
    ) -> Result<Estimates, Error> {
        let cells = groups.into_iter().flat_map(|group| self.parts.of(group).iter().copied());
        let Some(clusters) = self.clusters else {
            let cells: Vec<usize> = cells.collect();
            return match cells.as_slice() {
                [cell] => model.finish(&self.tallies[*cell], reporting),
                cells => model.finish(&merged(cells.iter().map(|cell| &self.tallies[*cell]))?, reporting),
            };
        };
        let mut of_clusters: BTreeMap<u32, Vec<&Tallies>> = BTreeMap::new();
        for cell in cells {
            of_clusters.entry(clusters[cell]).or_default().push(&self.tallies[cell]);
        }
        let merged = of_clusters.into_values().map(merged).collect::<Result<Vec<Tallies>, Error>>()?;
        model.finish_clusters(&merged.iter().collect::<Vec<_>>(), reporting)
    }
}

/// The tallies of all of them; there must be one.
fn merged<'a>(tallies: impl IntoIterator<Item = &'a Tallies>) -> Result<Tallies, Error> {
    let mut tallies = tallies.into_iter();
    let first = tallies.next().ok_or(Error::NothingToCompare)?.clone();
    tallies.try_fold(first, |mut whole, part| whole.merge(part).map(|()| whole))
}
