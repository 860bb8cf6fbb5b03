//! Other samples to compare with: other scores, another classifier's scores of the same items, or another model's estimates.

use super::Compare;
use crate::failure::CliError;
use crate::models::{model, test_files};
use crate::options::ModelArgs;
use crate::output::{self, Answer, say};
use std::collections::HashMap;
use std::path::PathBuf;
use truecount::{IntervalOptions, LabelRelation, Model, Overlap};
use truecount_analysis::compare::{SampleRelation, sample_differences};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::escape_untrusted;
use truecount_analysis::totals::GroupEstimates;
use truecount_tables::groups::{Keys, TestFiles};
use truecount_tables::input;

/// What the scores of --test are compared with.
pub struct OtherSample<'a> {
    args: &'a Compare,
    paths: &'a [PathBuf],
    /// Its own model, if it is not that of the first.
    model: Option<Model>,
    relation: SampleRelation,
    name: String,
}

impl<'a> OtherSample<'a> {
    pub fn new(
        args: &'a Compare,
        first: &Model,
        paths: &'a [PathBuf],
        others: &'a [PathBuf],
    ) -> Result<Self, CliError> {
        let Compare { other_score, other_train, other_model, tested, .. } = args;
        let named = |path: &PathBuf| Some(path.clone());
        let columns = tested.columns.with_score(other_score.as_deref());
        let (other, labelled) = match (other_train, other_model, other_score) {
            (Some(path), ..) => (Some(tested.source.with(named(path), None)), LabelRelation::Apart),
            (None, Some(path), _) => (Some(tested.source.with(None, named(path))), LabelRelation::Apart),
            (None, None, Some(_)) => {
                (Some(tested.source.with(tested.source.train.labelled.path.clone(), None)), LabelRelation::Paired)
            }
            (None, None, None) => (None, LabelRelation::Paired),
        };
        let own = |source: ModelArgs| model(&source, first.settings(), &columns);
        let overlap = if others.is_empty() { Overlap::All } else { Overlap::None };
        let name = match (others, other_score) {
            ([], Some(column)) => column.clone(),
            ([], None) => "other".to_owned(),
            (others, _) => input::title(others),
        };
        let paths = if others.is_empty() { paths } else { others };
        let relation = SampleRelation { labelled, overlap };
        Ok(Self { args, paths, model: other.map(own).transpose()?, relation, name })
    }

    /// Estimates both samples, and the differences between groups that both have.
    pub fn differences(
        &self,
        files: &TestFiles,
        model: &Model,
        reporting: &IntervalOptions,
    ) -> Result<(Keys, GroupEstimates), CliError> {
        let (tested, second) = (&self.args.tested, self.model.as_ref().unwrap_or(model));
        let columns = tested.columns.with_score(self.args.other_score.as_deref()).for_model(second);
        let (keys, estimates) = GroupEstimates::from_estimates(model, files.estimated(model, reporting)?)?;
        let others = test_files(tested, self.paths, columns).estimated(second, reporting)?;
        let pairs = self.pairs(&keys, &others.keys)?;
        let (own, other) = ((model, estimates.groups.as_slice()), (self.model.as_ref(), others.contents.as_slice()));
        let differences = sample_differences(own, other, &pairs, self.relation, &self.name, reporting)?;
        // What is to be said of the others is said here, as their estimates go no further.
        for warning in Answer::from_estimates(second, others, None)?.warnings() {
            output::say_wrapped(&warning);
        }
        Ok((keys, GroupEstimates { differences: Some(differences), ..estimates }))
    }

    /// The groups of the first that the second has too; the others are told of.
    fn pairs(&self, groups: &Keys, others: &Keys) -> Result<Vec<(usize, usize)>, CliError> {
        let named = |keys: &Keys| -> Vec<Vec<String>> {
            let texts = keys.texts();
            (0..keys.number()).map(|group| texts.group_texts(group).collect()).collect()
        };
        let mut known: HashMap<Vec<String>, usize> =
            named(others).into_iter().enumerate().map(|(group, name)| (name, group)).collect();
        let left_out = |name: &[String], file: &str| {
            say(&format!(
                "warning: left out, '{}' is only in {}",
                escape_untrusted(&name.join(", ")),
                escape_untrusted(file)
            ));
        };
        let mut pairs = Vec::new();
        for (group, name) in named(groups).into_iter().enumerate() {
            match known.remove(&name) {
                Some(other) => pairs.push((group, other)),
                None => left_out(&name, &input::title(&self.args.tested.test)),
            }
        }
        let mut rest: Vec<Vec<String>> = known.into_keys().collect();
        rest.sort_unstable();
        for name in &rest {
            left_out(name, &self.name);
        }
        if pairs.is_empty() {
            return Err(CliError::Data(format!("{}: has none of the groups", self.name)));
        }
        Ok(pairs)
    }
}
