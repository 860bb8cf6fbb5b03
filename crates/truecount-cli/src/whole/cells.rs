//! Tallies of groups, or of the clusters in them.

use crate::failure::Failure;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::BTreeMap;
use truecount::{Estimates, Model, Reporting, Tallies};
use truecount_io::groups::{Groups, Keys};

/// Groups, each of one tally or of one for each of its clusters.
pub struct Cells<'a> {
    model: &'a Model,
    tallied: &'a Groups<Tallies>,
    /// The keys of the groups.
    pub keys: Keys,
    /// The tallies of each group, by their places.
    of_groups: Vec<Vec<usize>>,
    /// The cluster that each tally is of, if scores were drawn in clusters.
    clusters: Option<Vec<u32>>,
}

impl<'a> Cells<'a> {
    /// Of tallies by columns of which so many make the groups; another one after them has the clusters.
    pub fn new(model: &'a Model, tallied: &'a Groups<Tallies>, columns: usize) -> Result<Self, Failure> {
        let has_clusters = tallied.keys.columns().count() > columns;
        let (keys, numbers) = tallied.keys.merged(0..columns)?;
        let mut of_groups = vec![Vec::new(); keys.batch().num_rows()];
        for (cell, group) in numbers.iter().enumerate() {
            of_groups[*group as usize].push(cell);
        }
        let clusters = has_clusters.then(|| tallied.keys.merged([columns])).transpose()?;
        Ok(Self { model, tallied, keys, of_groups, clusters: clusters.map(|(_, numbers)| numbers) })
    }

    /// The estimates of each group. On all threads.
    pub fn each(&self, reporting: impl Fn(usize) -> Reporting + Sync) -> Result<Vec<Estimates>, Failure> {
        let groups = self.of_groups.len();
        let estimate = |group: usize| self.together([group], &reporting(group).among(groups));
        (0..groups).into_par_iter().map(estimate).collect()
    }

    /// The estimates of some groups together.
    pub fn together(
        &self,
        groups: impl IntoIterator<Item = usize>,
        reporting: &Reporting,
    ) -> Result<Estimates, Failure> {
        let cells: Vec<usize> = groups.into_iter().flat_map(|group| self.of_groups[group].iter().copied()).collect();
        let tallies = |cell: &usize| &self.tallied.contents[*cell];
        let Some(clusters) = &self.clusters else {
            return Ok(match cells.as_slice() {
                [cell] => self.model.finish(tallies(cell), reporting)?,
                cells => self.model.finish(&merged(cells.iter().map(tallies)), reporting)?,
            });
        };
        let mut of_clusters: BTreeMap<u32, Vec<&Tallies>> = BTreeMap::new();
        for cell in &cells {
            of_clusters.entry(clusters[*cell]).or_default().push(tallies(cell));
        }
        let merged: Vec<Tallies> = of_clusters.into_values().map(|of| merged(of.into_iter())).collect();
        Ok(self.model.finish_clusters(&merged.iter().collect::<Vec<_>>(), reporting)?)
    }
}

fn merged<'a>(mut tallies: impl Iterator<Item = &'a Tallies>) -> Tallies {
    let mut merged = tallies.next().expect("a group has scores").clone();
    tallies.for_each(|more| merged.merge(more).expect("tallies of one model"));
    merged
}
