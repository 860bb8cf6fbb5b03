//! Comparison with another sample: other scores, another classifier's scores of the same items, or
//! another model's estimates.

use super::CompareArgs;
use crate::error::CliError;
use crate::groups::ClusterNumbers;
use crate::models::{model, test_files};
use crate::output::{self, CommandEstimates, print_message};
use std::collections::HashMap;
use std::path::PathBuf;
use truecount::compare::{LabelRelation, Overlap};
use truecount::{IntervalOptions, Model};
use truecount_analysis::compare::{SampleRelation, sample_differences};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::escape_untrusted;
use truecount_analysis::totals::GroupEstimates;
use truecount_tables::groups::{Keys, TestFiles};
use truecount_tables::input;

/// The sample that the scores of `--test` are compared with.
pub struct OtherSample<'a> {
    args: &'a CompareArgs,
    paths: &'a [PathBuf],
    /// The model of the other sample; `None` if both samples share a model.
    model: Option<Model>,
    relation: SampleRelation,
    name: String,
}

impl<'a> OtherSample<'a> {
    pub fn new(
        args: &'a CompareArgs,
        first: &Model,
        paths: &'a [PathBuf],
        others: &'a [PathBuf],
    ) -> Result<Self, CliError> {
        let CompareArgs { other_score, other_train, other_model, test_args, .. } = args;
        let columns = test_args.columns.with_score(other_score.as_deref());
        let with_source = |train: Option<&PathBuf>, model: Option<&PathBuf>| {
            Some(test_args.source.with_source(train.cloned(), model.cloned()))
        };
        let (source, labelled) = match (other_train, other_model, other_score) {
            (Some(path), ..) => (with_source(Some(path), None), LabelRelation::Independent),
            (None, Some(path), _) => (with_source(None, Some(path)), LabelRelation::Independent),
            (None, None, Some(_)) => {
                (with_source(test_args.source.train.labelled.path.as_ref(), None), LabelRelation::Paired)
            }
            (None, None, None) => (None, LabelRelation::Paired),
        };
        let model = source.map(|source| model(&source, first.settings(), &columns)).transpose()?;
        let overlap = if others.is_empty() { Overlap::All } else { Overlap::None };
        let name = match (others, other_score) {
            ([], Some(column)) => column.clone(),
            ([], None) => "other".to_owned(),
            (others, _) => input::title(others),
        };
        let paths = if others.is_empty() { paths } else { others };
        let relation = SampleRelation { labelled, overlap };
        Ok(Self { args, paths, model, relation, name })
    }

    /// Estimates both samples and the differences between their common groups.
    pub fn differences(
        &self,
        files: &TestFiles,
        model: &Model,
        interval_options: &IntervalOptions,
    ) -> Result<(Keys, GroupEstimates), CliError> {
        let (test_args, second) = (&self.args.test_args, self.model.as_ref().unwrap_or(model));
        let columns = test_args.columns.with_score(self.args.other_score.as_deref()).for_model(second);
        let other_files = test_files(test_args, self.paths, columns);
        let (groups, others) = if self.args.totals.design.cluster.is_some() {
            let mut numbers = ClusterNumbers::new(&self.args.totals);
            let groups = numbers.estimate(files, model, interval_options)?;
            let others = numbers.estimate(&other_files, second, interval_options)?;
            print_message(&numbers.describe_overlap());
            (groups, others)
        } else {
            (files.estimate(model, interval_options)?, other_files.estimate(second, interval_options)?)
        };
        let (keys, estimates) = GroupEstimates::from_estimates(model, groups)?;
        let pairs = self.pairs(&keys, &others.keys)?;
        let (own, other) = ((model, estimates.groups.as_slice()), (self.model.as_ref(), others.contents.as_slice()));
        let differences = sample_differences(own, other, &pairs, self.relation, &self.name, interval_options)?;
        // The other sample's estimates are not printed, so its warnings are printed here.
        for warning in CommandEstimates::from_estimates(second, others, None)?.warnings() {
            output::print_wrapped_message(&warning);
        }
        Ok((keys, GroupEstimates { differences: Some(differences), ..estimates }))
    }

    /// Returns the pairs of groups that are in both samples, and warns about all other groups.
    fn pairs(&self, groups: &Keys, others: &Keys) -> Result<Vec<(usize, usize)>, CliError> {
        let group_names = |keys: &Keys| -> Vec<Vec<String>> {
            let texts = keys.texts();
            (0..keys.number()).map(|group| texts.group_texts(group).collect()).collect()
        };
        let mut known: HashMap<Vec<String>, usize> =
            group_names(others).into_iter().enumerate().map(|(group, name)| (name, group)).collect();
        let warn = |name: &[String], file: &str| {
            print_message(&format!(
                "warning: left out: '{}' is only in {}",
                escape_untrusted(&name.join(", ")),
                escape_untrusted(file)
            ));
        };
        let mut pairs = Vec::new();
        for (group, name) in group_names(groups).into_iter().enumerate() {
            match known.remove(&name) {
                Some(other) => pairs.push((group, other)),
                None => warn(&name, &input::title(&self.args.test_args.test)),
            }
        }
        let mut rest: Vec<Vec<String>> = known.into_keys().collect();
        rest.sort_unstable();
        for name in &rest {
            warn(name, &self.name);
        }
        if pairs.is_empty() {
            return Err(CliError::data(
                format!("{}: has none of the groups of the other sample", self.name),
                "check the values of the grouping columns",
            ));
        }
        Ok(pairs)
    }
}
