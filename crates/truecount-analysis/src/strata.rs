//! Strata with separate models. The module decides which strata share a model, and estimates groups
//! as sums over their strata.

use crate::ScoreValues;
use crate::estimates::by_method;
use crate::executor::Executor;
use crate::groups::Partition;
use crate::results::escape_untrusted;
use crate::sets::{TestSet, TestSets};
use crate::totals::GroupSource;
use crate::{AnalysisProblem, SentenceText};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use truecount::compare::JointErrors;
use truecount::inference::FEW_LABELLED;
use truecount::quantifier::Quantifier;
use truecount::scores::PerClass;
use truecount::{Error, Estimates, IntervalOptions, Method, Model, Warning};

/// The treatment of strata with few labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum SmallStrata {
    /// Small strata are an error.
    #[default]
    #[serde(rename = "error")]
    Reject,
    /// Small strata share one model, together with the next smallest strata until there are enough labels.
    #[serde(rename = "pool")]
    Pool,
}

/// A division of strata into blocks with a model each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strata {
    /// The strata of each block.
    pub members: Vec<Vec<usize>>,
    /// The block of each stratum.
    pub block_of: Vec<usize>,
}

impl Strata {
    /// Divides the strata with test scores into blocks by their numbers of labelled scores.
    /// `column` and `names` are for messages.
    ///
    /// # Errors
    /// Returns [`AnalysisProblem::StratumLabelsFew`] for small strata that are not pooled, and
    /// [`AnalysisProblem::StrataLabelsFew`] if the pool is also too small.
    pub fn new(
        column: &str,
        names: &[&str],
        sizes: &[PerClass<usize>],
        small: SmallStrata,
    ) -> Result<Self, AnalysisProblem> {
        let few: Vec<usize> = (0..names.len()).filter(|stratum| is_few(&sizes[*stratum])).collect();
        if !few.is_empty() && small == SmallStrata::Reject {
            return Err(few_labelled_error(column, &few, names, sizes));
        }
        // The smallest strata come first, so that the pool takes no more strata than it needs.
        let mut by_size: Vec<usize> = (0..names.len()).collect();
        by_size.sort_by_key(|stratum| smaller_class(&sizes[*stratum]));
        let (mut pool, mut pool_size) = (Vec::new(), PerClass::default());
        let mut members = Vec::new();
        for stratum in by_size {
            if is_few(&sizes[stratum]) || (!pool.is_empty() && is_few(&pool_size)) {
                pool_size.positive += sizes[stratum].positive;
                pool_size.negative += sizes[stratum].negative;
                pool.push(stratum);
            } else {
                members.push(vec![stratum]);
            }
        }
        if !pool.is_empty() {
            if is_few(&pool_size) {
                let PerClass { positive, negative } = pool_size;
                return Err(AnalysisProblem::StrataLabelsFew { positive, negative });
            }
            members.push(pool);
        }
        let mut block_of = vec![0; names.len()];
        for (block, strata) in members.iter().enumerate() {
            for stratum in strata {
                block_of[*stratum] = block;
            }
        }
        Ok(Self { members, block_of })
    }
}

/// Number of labels in the smaller class.
fn smaller_class(sizes: &PerClass<usize>) -> usize {
    sizes.positive.min(sizes.negative)
}

fn is_few(sizes: &PerClass<usize>) -> bool {
    (smaller_class(sizes) as u64) < FEW_LABELLED
}

fn few_labelled_error(column: &str, few: &[usize], names: &[&str], sizes: &[PerClass<usize>]) -> AnalysisProblem {
    let with_sizes = |stratum: &usize| {
        let PerClass { positive, negative } = sizes[*stratum];
        format!("'{}' ({positive} positive and {negative} negative)", escape_untrusted(names[*stratum]))
    };
    let sizes = SentenceText(few.iter().map(with_sizes).collect::<Vec<_>>().join(", "));
    let strata = few.iter().map(|stratum| names[*stratum].to_owned()).collect();
    AnalysisProblem::StratumLabelsFew { column: column.to_owned(), strata, sizes, least: FEW_LABELLED }
}

/// Groups of test scores whose strata have separate models.
pub struct StratifiedGroups<'a> {
    /// The scores of each group in each of its strata.
    sets: Vec<TestSet<'a>>,
    /// The estimates of each set.
    estimates: Vec<Estimates>,
    /// The sets of each group.
    partition: Partition,
    /// The index of each set's model.
    blocks: Vec<usize>,
    models: Vec<&'a Model>,
    names: Vec<Arc<str>>,
    pub(crate) joint: Vec<(Method, JointErrors)>,
    interval_options: IntervalOptions,
}

impl<'a> StratifiedGroups<'a> {
    /// Estimates sets by models with these names. `blocks` has the index of each set's model, `groups`
    /// has the group of each set, and `number` is the number of groups.
    ///
    /// # Errors
    /// Returns an error for a set that allows no estimate, and for a method without joint errors.
    pub fn new(
        executor: &impl Executor,
        models: Vec<(&str, &'a Model)>,
        sets: &TestSets<'a>,
        blocks: Vec<usize>,
        (groups, number): (&[u32], usize),
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let options = options.with_multiplicity(sets.sets.len());
        let (names, models): (Vec<Arc<str>>, Vec<&Model>) =
            models.into_iter().map(|(name, model)| (name.into(), model)).unzip();
        let numbers: Vec<usize> = (0..sets.sets.len()).collect();
        let estimate = |set: &usize| {
            let estimates =
                sets.sets[*set].batch().and_then(|batch| models[blocks[*set]].estimate_with(batch, &options));
            estimates.map_err(|error| sets.map_row(error.in_set(*set)))
        };
        let estimates = executor.map(&numbers, estimate).into_iter().collect::<Result<Vec<_>, Error>>()?;
        let methods = models.iter().take(1).flat_map(|model| model.quantifiers()).map(Quantifier::method);
        let joint = methods.map(|method| Ok((method, JointErrors::for_strata(&models, method)?)));
        let joint = joint.collect::<Result<_, Error>>()?;
        let (sets, partition) = (sets.sets.clone(), Partition::new(groups, number));
        Ok(Self { sets, estimates, partition, blocks, models, names, joint, interval_options: options })
    }

    /// Estimates the union of some groups within each block.
    fn by_block(&self, groups: &[usize]) -> Result<Vec<(usize, Estimates)>, Error> {
        let mut sets_by_block: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for set in groups.iter().flat_map(|group| self.partition.parts(*group)) {
            sets_by_block.entry(self.blocks[*set]).or_default().push(*set);
        }
        let estimate = |(block, sets): (usize, Vec<usize>)| {
            let estimates = match sets.as_slice() {
                [set] => self.estimates[*set].clone(),
                sets => {
                    let rows = ScoreValues::concatenate(sets.iter().map(|set| &self.sets[*set]));
                    self.models[block].estimate_with(rows.batch()?, &self.interval_options)?
                }
            };
            Ok((block, estimates))
        };
        sets_by_block.into_iter().map(estimate).collect()
    }
}

/// The estimate of a group is the sum over its strata, weighted by their shares of the group's
/// weight. Finite populations of strata are not supported.
impl GroupSource for StratifiedGroups<'_> {
    type Estimate = Estimates;

    fn number(&self) -> usize {
        self.partition.number()
    }

    fn combined(&self, groups: &[usize], _: &IntervalOptions) -> Result<Estimates, Error> {
        let blocks = self.by_block(groups)?;
        let estimate = |(method, joint): &(Method, JointErrors)| {
            let mut total = joint.total();
            let of_blocks: Vec<_> =
                blocks.iter().map(|(block, estimates)| (*block, by_method(estimates, *method))).collect();
            for (block, estimate) in &of_blocks {
                total.add_from_model(*block, estimate, estimate.total_weight())?;
            }
            let mut estimate = total.estimate_with_sampled_weights(&self.interval_options)?;
            estimate.warning_strata.resize(estimate.warnings.len(), None);
            for (block, part) in &of_blocks {
                for warning in &part.warnings {
                    // A warning of every stratum is about the group.
                    let is_of_all = of_blocks.iter().all(|(_, other)| other.warnings.contains(warning));
                    if !is_of_all || !estimate.warnings.contains(warning) {
                        estimate.warnings.push(*warning);
                        estimate.warning_strata.push((!is_of_all).then(|| self.names[*block].clone()));
                    }
                }
            }
            Ok(estimate)
        };
        self.joint.iter().map(estimate).collect()
    }

    fn joint_errors(&self) -> Result<Cow<'_, Vec<(Method, JointErrors)>>, Error> {
        Ok(Cow::Borrowed(&self.joint))
    }

    fn warning(&self) -> Result<Option<Warning>, Error> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_sizes(sizes: &[(usize, usize)], small: SmallStrata) -> Result<Strata, AnalysisProblem> {
        let sizes: Vec<_> =
            sizes.iter().map(|(positive, negative)| PerClass { positive: *positive, negative: *negative }).collect();
        Strata::new("shop", &["a", "b", "c", "d"][..sizes.len()], &sizes, small)
    }

    #[test]
    fn the_pool_takes_small_strata_and_others_only_if_needed() {
        let (many, few) = ((50, 40), (3, 30));
        let strata = from_sizes(&[many, few, (12, 12), few], SmallStrata::Pool).unwrap();
        assert_eq!(strata, Strata { members: vec![vec![0], vec![1, 3, 2]], block_of: vec![0, 1, 1, 1] });
        let strata = from_sizes(&[(20, 20), many, (10, 30)], SmallStrata::Pool).unwrap();
        assert_eq!(strata.members, [vec![2], vec![0], vec![1]]);
        // Two small strata may have enough labels together.
        let strata = from_sizes(&[(6, 30), many, (6, 30)], SmallStrata::Pool).unwrap();
        assert_eq!(strata.members, [vec![1], vec![0, 2]]);
    }

    #[test]
    fn too_few_labels_are_an_error() {
        let error = from_sizes(&[(50, 40), (9, 30), (0, 0)], SmallStrata::Reject).unwrap_err();
        assert_eq!(
            error.to_string(),
            "too few labelled scores for a separate model: shop 'b' (9 positive and 30 negative), 'c' (0 positive \
             and 0 negative); label at least 10 of each class, or let small strata share one model"
        );
        assert_eq!(
            from_sizes(&[(3, 5), (4, 9)], SmallStrata::Pool),
            Err(AnalysisProblem::StrataLabelsFew { positive: 7, negative: 14 })
        );
        assert!(from_sizes(&[(10, 10)], SmallStrata::Reject).is_ok());
    }
}
