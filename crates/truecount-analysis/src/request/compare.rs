//! Requests for comparisons: of groups, methods or samples.

use super::EstimateRequest;
use super::rules::{self, OptionRule, rule};
use crate::AnalysisProblem;
use crate::compare::{SampleRelation, class_sample_differences, method_differences, sample_differences};
use crate::design_tallies::CellDesign;
use crate::executor::Executor;
use crate::groups::{GroupKeys, GroupNames, NamedGroups};
use crate::output::{ClassShareOutput, EstimateOutput};
use crate::results::escape_untrusted;
use crate::rows::{GroupCells, TestRows};
use crate::totals::{GroupEstimates, estimate_each};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::PathBuf;
use truecount::error::ErrorLocation;
use truecount::multiclass::{ClassProbabilities, MulticlassModel};
use truecount::{Error, Estimates, Model};

const COMPARE: [OptionRule<CompareRequest>; 1] = [rule(
    |request| request.estimate.uses_bootstrap(),
    "a comparison cannot be used with {--interval=bootstrap}, as it has formulas of its own",
    "leave out {--interval=bootstrap}",
)];

const LEAVE_OUT_OTHER: &str = "leave them out, or the --other- options";

const OTHER_SAMPLE: [OptionRule<CompareRequest>; 5] = [
    rule(
        |request| request.estimate.model_stratum.is_some(),
        "{--model-stratum} cannot be used with another sample",
        "leave out {--model-stratum}, or the --other- options",
    ),
    rule(
        |request| request.estimate.stratum.is_some() || request.estimate.replicates.is_some(),
        "{--stratum} and {--replicates} cannot be used with another sample",
        LEAVE_OUT_OTHER,
    ),
    rule(
        |request| {
            let EstimateRequest { total, standardise, population, .. } = &request.estimate;
            *total || standardise.is_some() || population.is_some()
        },
        "{--total}, {--standardise} and {--population} cannot be used with another sample",
        LEAVE_OUT_OTHER,
    ),
    rule(
        |request| request.estimate.cluster.is_some() && request.other_test.is_empty(),
        "{--cluster} cannot be used with two scores of the same rows",
        "leave it out, or name {--other-test}",
    ),
    rule(
        |request| request.other_score.is_some() && request.model.is_some() && !request.has_other_model(),
        "{--other-score} needs labelled scores",
        "use {--train} instead of {--model}, or add {--other-model}",
    ),
];

const METHODS: [OptionRule<CompareRequest>; 1] = [rule(
    |request| request.estimate.total || !request.estimate.has_simple_groups(),
    "methods cannot be compared with {--total}, {--standardise}, {--population}, {--cluster}, {--stratum} or \
     {--replicates}",
    "leave these options out, or fit one method and compare groups",
)];

/// A request for differences. Without groups, methods are compared.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct CompareRequest {
    #[serde(flatten)]
    pub estimate: EstimateRequest,
    pub reference: Option<String>,
    pub other_test: Vec<PathBuf>,
    pub other_score: Option<String>,
    pub other_train: Option<PathBuf>,
    pub other_model: Option<PathBuf>,
    pub model: Option<PathBuf>,
}

/// The sample that rows are compared with.
pub struct OtherSample<'a, R> {
    /// The rows of the sample.
    pub rows: &'a R,
    /// The model of the sample; `None` if both samples share a model.
    pub model: Option<&'a Model>,
    /// The relation between both samples.
    pub relation: SampleRelation,
    /// The name of the sample.
    pub name: String,
    /// The name of the first sample.
    pub own_name: String,
}

/// A comparison: the names and estimates of the groups, with their differences.
pub struct SampleComparison<N> {
    /// The names of the groups and their estimates.
    pub estimates: (N, GroupEstimates),
    /// Sentences about the samples: warnings and a note.
    pub messages: Vec<String>,
}

impl CompareRequest {
    /// Returns whether the reference is another sample, classifier or model instead of a group.
    pub fn has_other_sample(&self) -> bool {
        !self.other_test.is_empty() || self.other_score.is_some() || self.has_other_model()
    }

    /// Returns whether the other sample has labelled scores or a model of its own.
    fn has_other_model(&self) -> bool {
        self.other_train.is_some() || self.other_model.is_some()
    }

    /// Returns the request for estimates of the groups with their differences.
    pub fn of_groups(&self) -> EstimateRequest {
        EstimateRequest { compare: Some(self.reference.clone().unwrap_or_default()), ..self.estimate.clone() }
    }

    /// Returns an error if options exclude each other; called before rows are read.
    ///
    /// # Errors
    /// Returns [`AnalysisProblem::OptionConflict`], and an error for unknown options of intervals.
    pub fn check(&self) -> Result<(), Error> {
        self.estimate.interval_options()?;
        rules::check(&COMPARE, self)?;
        if self.has_other_sample() {
            rules::check(&OTHER_SAMPLE, self)?;
            return self.estimate.check_classes();
        }
        let EstimateRequest { by, model_stratum, class_scores, .. } = &self.estimate;
        let compares_groups =
            self.reference.is_some() || !by.is_empty() || model_stratum.is_some() || !class_scores.is_empty();
        if compares_groups { self.of_groups().check() } else { Ok(()) }
    }

    /// Compares the groups of rows, or the methods on the same rows.
    ///
    /// # Errors
    /// Returns the errors of [`EstimateRequest::run`], and an error if there is nothing to compare.
    pub fn run<R: TestRows>(
        &self,
        executor: &impl Executor,
        rows: &R,
        model: &Model,
    ) -> Result<(R::Names, GroupEstimates), Error> {
        let several = model.quantifiers().len() > 1;
        if self.reference.is_some() || !self.estimate.by.is_empty() && !several {
            return self.of_groups().run(executor, rows, model);
        }
        if !several {
            return Err(AnalysisProblem::option_conflict(
                "there is nothing to compare",
                "name groups with {--by}, other scores with {--other-test}, another classifier's with {--other-score}, \
                 or several methods with {--method}",
            ));
        }
        rules::check(&METHODS, self)?;
        let options = self.estimate.interval_options()?;
        let groups = rows.estimate(executor, model, &options)?;
        let (names, estimates) = GroupEstimates::from_estimates(model, groups)?;
        let differences = method_differences(model, &estimates.groups, &options)?;
        Ok((names, GroupEstimates { differences: Some(differences), ..estimates }))
    }

    /// Compares the groups of rows with the same groups of another sample.
    ///
    /// # Errors
    /// Returns the errors of [`EstimateRequest::run`], and an error if the samples have no common
    /// group.
    pub fn run_samples<R: TestRows>(
        &self,
        executor: &impl Executor,
        rows: &R,
        model: &Model,
        other: &OtherSample<R>,
    ) -> Result<SampleComparison<R::Names>, Error> {
        let options = self.estimate.interval_options()?;
        let second = other.model.unwrap_or(model);
        let mut messages = Vec::new();
        let (groups, others) = if let Some(column) = &self.estimate.cluster {
            let mut numbers = ClusterNumbers::default();
            let mut estimate = |rows: &R, model| numbers.estimate(executor, rows, model, &self.estimate);
            let estimates = (estimate(rows, model)?, estimate(other.rows, second)?);
            messages.push(numbers.describe_overlap(column));
            estimates
        } else {
            (rows.estimate(executor, model, &options)?, other.rows.estimate(executor, second, &options)?)
        };
        let (names, estimates) = GroupEstimates::from_estimates(model, groups)?;
        let pairs = pairs((&names, &other.own_name), (&others.keys, &other.name), &mut messages)?;
        let (own, with) = ((model, estimates.groups.as_slice()), (other.model, others.contents.as_slice()));
        let differences = sample_differences(own, with, &pairs, other.relation, &other.name, &options)?;
        // The other sample's estimates are not shown, so its warnings are messages.
        messages.extend(EstimateOutput::from_estimates(second, others, None)?.warnings());
        Ok(SampleComparison {
            estimates: (names, GroupEstimates { differences: Some(differences), ..estimates }),
            messages,
        })
    }
}

impl CompareRequest {
    /// Compares the shares of several classes in the groups of rows with those in the same groups of another sample.
    /// Each sample has a name.
    ///
    /// # Errors
    /// Returns the errors of [`EstimateRequest::run_classes`], and an error if the samples have no common group.
    pub fn run_class_samples<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        model: &MulticlassModel,
        [mut rows, mut other_rows]: [GroupCells<ClassProbabilities, N>; 2],
        [own_name, name]: [&str; 2],
    ) -> Result<(ClassShareOutput<N>, Vec<String>), Error> {
        let (request, mut messages) = (&self.estimate, Vec::new());
        if let Some(column) = &request.cluster {
            let mut numbers = ClusterNumbers::default();
            numbers.renumber(&mut rows);
            numbers.renumber(&mut other_rows);
            messages.push(numbers.describe_overlap(column));
        }
        let (names, estimates) = request.run_classes(executor, model, rows)?;
        let others = request.run_classes(executor, model, other_rows)?;
        let pairs = pairs((&names, own_name), (&others.0, name), &mut messages)?;
        let (shares, options) =
            ([&estimates, &others.1].map(|estimates| estimates.groups.as_slice()), request.interval_options()?);
        let differences = Some(class_sample_differences(model, shares, &pairs, name, &options));
        let output = ClassShareOutput::new(model, (names, GroupEstimates { differences, ..estimates }));
        let others = ClassShareOutput::new(model, others).warnings();
        let own = output.warnings();
        // Warnings about the labelled rows are about both samples.
        messages.extend(others.into_iter().filter(|warning| !own.contains(warning)));
        Ok((output, messages))
    }
}

/// The numbers of clusters by name, so that clusters with one name in two samples are the same.
#[derive(Default)]
struct ClusterNumbers {
    numbers: HashMap<String, u32>,
    /// The number of clusters in each sample.
    sizes: Vec<usize>,
}

impl ClusterNumbers {
    /// Estimates the groups of a sample.
    fn estimate<R: TestRows>(
        &mut self,
        executor: &impl Executor,
        rows: &R,
        model: &Model,
        request: &EstimateRequest,
    ) -> Result<NamedGroups<Estimates, R::Names>, Error> {
        let options = request.interval_options()?;
        let mut parts = rows.tally(executor, model)?;
        self.renumber(&mut parts);
        let contents = estimate_each(executor, &parts.tallied_groups(model)?, |_| options)?;
        Ok(NamedGroups { keys: parts.names, contents, shift_total: parts.shift_total })
    }

    /// Replaces the numbers of the clusters of a sample.
    fn renumber<T, N: GroupNames>(&mut self, parts: &mut GroupCells<T, N>) {
        let (CellDesign::Clusters(numbers), Some(clusters)) = (&mut parts.design, &parts.units) else {
            unreachable!("a column with clusters")
        };
        let texts = clusters.texts();
        let number = |cluster: usize| {
            let next = u32::try_from(self.numbers.len()).expect("clusters are numbered by u32");
            *self.numbers.entry(texts.group_texts(cluster).collect()).or_insert(next)
        };
        let by_cluster: Vec<u32> = (0..clusters.number()).map(number).collect();
        self.sizes.push(clusters.number());
        for number in numbers {
            *number = by_cluster[*number as usize];
        }
    }

    /// Returns a note on the number of clusters that are in both of two samples.
    fn describe_overlap(&self, column: &str) -> String {
        let common = self.sizes.iter().sum::<usize>() - self.numbers.len();
        let sizes = self.sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ");
        format!("note: {common} values of '{}' are in both samples, of {sizes}", escape_untrusted(column))
    }
}

/// Returns the pairs of groups that are in both of two samples with these names, and adds warnings about all
/// other groups.
///
/// # Errors
/// Returns [`AnalysisProblem::GroupsNotCommon`] if there are none.
fn pairs<N: GroupNames>(
    (groups, own_name): (&N, &str),
    (others, other_name): (&N, &str),
    messages: &mut Vec<String>,
) -> Result<Vec<(usize, usize)>, Error> {
    let group_names = |names: &N| -> Vec<Vec<String>> {
        let texts = names.texts();
        (0..names.number()).map(|group| texts.group_texts(group).collect()).collect()
    };
    let mut known: HashMap<Vec<String>, usize> =
        group_names(others).into_iter().enumerate().map(|(group, name)| (name, group)).collect();
    let mut warn = |name: &[String], sample: &str| {
        let (group, sample) = (name.join(", "), escape_untrusted(sample));
        messages.push(format!("warning: left out: '{}' is only in {sample}", escape_untrusted(&group)));
    };
    let mut pairs = Vec::new();
    for (group, name) in group_names(groups).into_iter().enumerate() {
        match known.remove(&name) {
            Some(other) => pairs.push((group, other)),
            None => warn(&name, own_name),
        }
    }
    let mut rest: Vec<Vec<String>> = known.into_keys().collect();
    rest.sort_unstable();
    for name in &rest {
        warn(name, other_name);
    }
    if pairs.is_empty() {
        return Err(ErrorLocation::file(other_name).error(AnalysisProblem::GroupsNotCommon));
    }
    Ok(pairs)
}
