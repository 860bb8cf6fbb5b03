//! Estimates of groups of test scores from files, with clusters, group sizes and population sizes.

use crate::error::CliError;
use crate::options::TotalArgs;
use crate::parallel::WithBar;
use crate::progress::ProgressBars;
use std::collections::HashMap;
use truecount::{Error, Estimates, IntervalOptions, Model, Tally};
use truecount_analysis::compare::{Levels, ReferenceOption};
use truecount_analysis::estimates::{EstimableGroups, Resampling, estimate_each};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::escape_untrusted;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::{GroupEstimates, TotalOptions, estimate_groups};
use truecount_tables::groups::{Groups, Keys, Sizes, TestFiles, group_sizes, with_size_columns};
use truecount_tables::parallel::AllThreads;

/// The maximum number of pairs of a group and a cluster, which take 4 GB.
const MAX_CLUSTERS: usize = 4_000_000;

/// The tallies of groups, or of the clusters in them.
struct ClusterTallies {
    tallied: Groups<Tally>,
    /// The names of the groups.
    keys: Keys,
    /// The group of each tally.
    groups: Vec<u32>,
    /// The names of the clusters, and the cluster of each tally.
    clusters: Option<(Keys, Vec<u32>)>,
}

impl ClusterTallies {
    /// Reads test scores, grouped by these columns and the column of the clusters.
    fn read(files: &TestFiles, model: &Model, columns: &[String], cluster: Option<&str>) -> Result<Self, Error> {
        let by: Vec<String> = columns.iter().cloned().chain(cluster.map(str::to_owned)).collect();
        let max_tallies = if cluster.is_some() { MAX_CLUSTERS } else { usize::MAX };
        let files = TestFiles { by: &by, ..*files };
        let tallied = files.tally_at_most(model, max_tallies, "pairs of a group and a cluster")?;
        let (keys, groups) = tallied.keys.group_by(0..columns.len())?;
        let clusters = cluster.map(|_| tallied.keys.group_by([columns.len()])).transpose()?;
        Ok(Self { tallied, keys, groups, clusters })
    }

    fn groups<'a>(&'a self, model: &'a Model, clusters: Option<&'a [u32]>) -> TalliedGroups<'a> {
        let Groups { contents, shift_total, .. } = &self.tallied;
        TalliedGroups::new(model, contents, shift_total.as_ref()).with_parts(&self.groups, self.keys.number(), clusters)
    }
}

/// The numbers of clusters by name, so that clusters with one name in two samples are the same.
pub struct ClusterNumbers<'a> {
    column: &'a str,
    numbers: HashMap<String, u32>,
    /// The number of the next new cluster.
    next: u32,
    /// The number of clusters in each sample.
    sizes: Vec<usize>,
}

impl<'a> ClusterNumbers<'a> {
    /// `column` is the column with the names of the clusters.
    pub fn new(column: &'a str) -> Self {
        Self { column, numbers: HashMap::new(), next: 0, sizes: Vec::new() }
    }

    /// Reads the test scores of a sample and estimates their groups.
    pub fn estimate(
        &mut self,
        files: &TestFiles,
        model: &Model,
        interval_options: &IntervalOptions,
    ) -> Result<Groups<Estimates>, CliError> {
        let tallies = ClusterTallies::read(files, model, files.by, Some(self.column))?;
        let (clusters, numbers) = tallies.clusters.as_ref().expect("a column with clusters");
        let texts = clusters.texts();
        let number = |cluster: usize| {
            *self.numbers.entry(texts.group_texts(cluster).collect()).or_insert_with(|| {
                self.next += 1;
                self.next - 1
            })
        };
        let by_cluster: Vec<u32> = (0..clusters.number()).map(number).collect();
        self.sizes.push(clusters.number());
        let clusters: Vec<u32> = numbers.iter().map(|number| by_cluster[*number as usize]).collect();
        let contents = estimate_each(&AllThreads, &tallies.groups(model, Some(&clusters)), |_| *interval_options)?;
        Ok(Groups { keys: tallies.keys, contents, shift_total: tallies.tallied.shift_total })
    }

    /// Returns a note on the number of clusters that are in both of two samples.
    pub fn describe_overlap(&self) -> String {
        let common = self.sizes.iter().sum::<usize>() - self.numbers.len();
        let sizes = self.sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ");
        format!("note: {common} values of '{}' are in both samples, of {sizes}", escape_untrusted(self.column))
    }
}

/// A request for estimates of groups.
pub struct GroupRequest<'a> {
    pub totals: &'a TotalArgs,
    /// The reference of comparisons; `None` without comparisons.
    pub reference: Option<&'a ReferenceOption>,
    pub interval_options: &'a IntervalOptions,
}

impl GroupRequest<'_> {
    /// Reads test scores and estimates their groups, in one pass.
    pub fn estimate(&self, files: &TestFiles, model: &Model) -> Result<(Keys, GroupEstimates), CliError> {
        if self.totals.is_empty() && self.reference.is_none() {
            return Ok(GroupEstimates::from_estimates(model, files.estimate(model, self.interval_options)?)?);
        }
        let columns = self.columns(files.by);
        let tallies = ClusterTallies::read(files, model, &columns, self.totals.cluster.as_deref())?;
        let clusters = tallies.clusters.as_ref().map(|(_, numbers)| numbers.as_slice());
        self.estimate_groups(&tallies.groups(model, clusters), &tallies.keys, files)
    }

    /// Reads test scores and estimates their groups with the bootstrap.
    pub fn resample(
        &self,
        files: &TestFiles,
        model: &Model,
        resampling: &Resampling,
    ) -> Result<(Keys, GroupEstimates), CliError> {
        let interval_options = match self.totals.population {
            Some(Sizes::Number(size)) => self.interval_options.with_population(size),
            _ => *self.interval_options,
        };
        let rows = files.read_scores(model)?;
        let executor = WithBar("bootstrap");
        let all = self.totals.total.then(|| rows.merge_into_one(Keys::single_group()));
        let total = all.map(|all| resampling.group_estimates(&executor, model, all, &interval_options)).transpose()?;
        let groups = resampling.group_estimates(&executor, model, rows, &interval_options)?;
        let (keys, estimates) = GroupEstimates::from_estimates(model, groups)?;
        Ok((keys, GroupEstimates { total: total.and_then(|total| total.contents.into_iter().next()), ..estimates }))
    }

    /// Returns the columns that are read as grouping columns: those of `--by`, then those with
    /// sizes.
    pub fn columns(&self, by: &[String]) -> Vec<String> {
        with_size_columns(by, self.totals.sizes())
    }

    /// Estimates groups with their total and differences. The keys still contain the columns with
    /// sizes; the returned keys do not.
    pub fn estimate_groups(
        &self,
        groups: &impl EstimableGroups,
        keys: &Keys,
        files: &TestFiles,
    ) -> Result<(Keys, GroupEstimates), CliError> {
        let (keys, [weights, populations]) =
            group_sizes(keys, files.by.len(), self.totals.sizes(), files.columns.decimal, &ProgressBars)?;
        let options =
            TotalOptions { interval_options: *self.interval_options, total: self.totals.total, weights, populations };
        let levels = self.reference.map(|_| Levels::new(&keys));
        let resolve = |(levels, reference): (&Levels, &ReferenceOption)| levels.resolve_reference(reference, &keys);
        let reference = levels.as_ref().zip(self.reference).map(resolve).transpose()?;
        let estimates = estimate_groups(&AllThreads, groups, &options, levels.as_ref().zip(reference.as_ref()))?;
        let differences = estimates.differences.map(|differences| differences.named(&keys));
        Ok((keys, GroupEstimates { differences, ..estimates }))
    }
}
