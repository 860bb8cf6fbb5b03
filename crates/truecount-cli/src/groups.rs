//! Estimates of groups of test scores from files, with clusters, group sizes and population sizes.

use crate::error::CliError;
use crate::options::{DesignArgs, TotalArgs, replicate_columns};
use crate::parallel::WithBar;
use crate::progress::ProgressBars;
use std::collections::HashMap;
use truecount::error::{ErrorLocation, Problem};
use truecount::shift_test::ShiftTally;
use truecount::{Error, Estimates, IntervalOptions, Model, Tally};
use truecount_analysis::compare::{Levels, ReferenceOption};
use truecount_analysis::design_tallies::PartDesign;
use truecount_analysis::estimates::{EstimableGroups, Resampling, estimate_each};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::escape_untrusted;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::{GroupEstimates, TotalOptions, estimate_groups};
use truecount_tables::groups::{Groups, Keys, Sizes, TestFiles, group_sizes, with_size_columns};
use truecount_tables::input::MissingPolicy;
use truecount_tables::parallel::AllThreads;

/// The maximum number of parts of groups, with their replicates; this many take about 4 GB.
const MAX_PARTS: usize = 4_000_000;
/// The parts, in the error about too many of them.
const PARTS: &str = "parts of groups (strata, clusters or replicates)";

/// The tallies of the parts of groups: their strata, clusters or sets of replicate weights.
struct PartTallies {
    tallies: Vec<Tally>,
    shift_total: Option<ShiftTally>,
    /// The names of the groups.
    keys: Keys,
    /// The group of each tally.
    groups: Vec<u32>,
    design: PartDesign,
    /// The names of the strata or, without strata, of the clusters.
    units: Option<Keys>,
}

impl PartTallies {
    /// Reads test scores, grouped by these columns and those of the design.
    fn read(files: &TestFiles, model: &Model, columns: &[String], totals: &TotalArgs) -> Result<Self, CliError> {
        let DesignArgs { cluster, stratum, replicates, .. } = &totals.design;
        let stratum_size = match &totals.population {
            Some(Sizes::Column(name)) if stratum.is_some() => Some(name),
            _ => None,
        };
        let mut by = columns.to_vec();
        let mut index_of = |name: &String| {
            by.iter().position(|column| column == name).unwrap_or_else(|| {
                by.push(name.clone());
                by.len() - 1
            })
        };
        let [stratum, size, cluster] =
            [stratum.as_ref(), stratum_size, cluster.as_ref()].map(|name| name.map(&mut index_of));
        let files = TestFiles { by: &by, ..*files };
        let max_parts = if totals.design.is_empty() { usize::MAX } else { MAX_PARTS };
        let parts = files.tally_at_most(model, max_parts, PARTS)?;
        let replicates = replicates.as_ref().map(|pattern| replicate_columns(pattern, &files)).transpose()?;
        let Groups { keys: parts, contents: tallies, shift_total } = parts;
        let (keys, groups) = parts.group_by(0..columns.len())?;
        let clusters = cluster.map(|index| parts.group_by([index])).transpose()?;
        let (design, units) = match (stratum, clusters) {
            (Some(stratum), clusters) => {
                let (names, strata) = parts.group_by([stratum].into_iter().chain(size))?;
                let (decimal, sizes) = (files.columns.decimal, [totals.population.as_ref(), None]);
                let (names, [sizes, _]) = group_sizes(&names, 1, sizes, decimal, &ProgressBars)?;
                let clusters = clusters.map(|(_, numbers)| numbers);
                (PartDesign::Strata { strata, clusters, sizes, units: None }, Some(names))
            }
            (None, Some((names, numbers))) => (PartDesign::Clusters(numbers), Some(names)),
            (None, None) => (PartDesign::Simple, None),
        };
        let tallies = Self { tallies, shift_total, keys, groups, design, units };
        match replicates {
            Some(columns) => tallies.with_replicates(&files, model, &columns, &totals.design),
            None => Ok(tallies),
        }
    }

    /// Adds the tallies with each set of replicate weights.
    fn with_replicates(
        self,
        files: &TestFiles,
        model: &Model,
        columns: &[String],
        design: &DesignArgs,
    ) -> Result<Self, CliError> {
        if files.columns.missing == Some(MissingPolicy::Drop) {
            let problem = "--replicates cannot be used with --missing drop";
            return Err(CliError::usage(problem, "leave out the rows without a value, with their replicate weights"));
        }
        if self.tallies.len() * (1 + columns.len()) > MAX_PARTS {
            return Err(Error::from(Problem::ResultTooLarge { what: PARTS, most: MAX_PARTS as u64 }).into());
        }
        let (mut tallies, mut groups) = (self.tallies, self.groups);
        let mut replicates = vec![0; tallies.len()];
        for (replicate, column) in (1..).zip(columns) {
            let in_column = |error: Error| {
                error.or_location(ErrorLocation { column: Some(column.clone()), ..ErrorLocation::default() })
            };
            let replicate_files = TestFiles { weight: Some(column), fingerprint: None, ..*files };
            let Groups { keys, contents, .. } = replicate_files.tally(model).map_err(in_column)?;
            groups.extend(keys.group_by(0..keys.columns().count())?.1);
            replicates.extend(contents.iter().map(|_| replicate));
            tallies.extend(contents);
        }
        let kind = design.replicate_type.expect("--replicates requires it");
        let formula = kind.variance(columns.len());
        Ok(Self { tallies, groups, design: PartDesign::Replicates(replicates, formula), ..self })
    }

    /// Returns the groups.
    fn groups<'a>(&'a self, model: &'a Model) -> Result<TalliedGroups<'a>, Error> {
        let design = self.design.with_tallies(&self.tallies).map_err(|error| {
            let stratum = error.location().set.zip(self.units.as_ref());
            match stratum.and_then(|(stratum, names)| names.name(stratum)) {
                Some(name) => error.in_group(name),
                None => error,
            }
        })?;
        let groups = TalliedGroups::new(model, &self.tallies, self.shift_total.as_ref());
        Ok(groups.with_parts(&self.groups, self.keys.number(), design))
    }
}

/// The numbers of clusters by name, so that clusters with one name in two samples are the same.
pub struct ClusterNumbers<'a> {
    totals: &'a TotalArgs,
    numbers: HashMap<String, u32>,
    /// The number of the next new cluster.
    next: u32,
    /// The number of clusters in each sample.
    sizes: Vec<usize>,
}

impl<'a> ClusterNumbers<'a> {
    /// `totals` has the column with the names of the clusters.
    pub fn new(totals: &'a TotalArgs) -> Self {
        Self { totals, numbers: HashMap::new(), next: 0, sizes: Vec::new() }
    }

    /// Reads the test scores of a sample and estimates their groups.
    pub fn estimate(
        &mut self,
        files: &TestFiles,
        model: &Model,
        interval_options: &IntervalOptions,
    ) -> Result<Groups<Estimates>, CliError> {
        let mut tallies = PartTallies::read(files, model, files.by, self.totals)?;
        let (PartDesign::Clusters(numbers), Some(clusters)) = (&mut tallies.design, &tallies.units) else {
            unreachable!("a column with clusters")
        };
        let texts = clusters.texts();
        let number = |cluster: usize| {
            *self.numbers.entry(texts.group_texts(cluster).collect()).or_insert_with(|| {
                self.next += 1;
                self.next - 1
            })
        };
        let by_cluster: Vec<u32> = (0..clusters.number()).map(number).collect();
        self.sizes.push(clusters.number());
        for number in numbers {
            *number = by_cluster[*number as usize];
        }
        let contents = estimate_each(&AllThreads, &tallies.groups(model)?, |_| *interval_options)?;
        Ok(Groups { keys: tallies.keys, contents, shift_total: tallies.shift_total })
    }

    /// Returns a note on the number of clusters that are in both of two samples.
    pub fn describe_overlap(&self) -> String {
        let common = self.sizes.iter().sum::<usize>() - self.numbers.len();
        let sizes = self.sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ");
        let column = self.totals.design.cluster.as_deref().unwrap_or_default();
        format!("note: {common} values of '{}' are in both samples, of {sizes}", escape_untrusted(column))
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
        let tallies = PartTallies::read(files, model, &columns, self.totals)?;
        self.estimate_groups(&tallies.groups(model)?, &tallies.keys, files)
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
