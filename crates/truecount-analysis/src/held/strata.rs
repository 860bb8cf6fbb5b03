//! A model for each stratum: estimates of each group in each stratum, added up by the strata's shares of the group.

use super::parts::Parts;
use super::refused::Failure;
use super::sets::{Set, Sets};
use super::summed::{Finished, Summed, added_up};
use super::together::{Apart, Differences, Levels};
use crate::Numbers;
use crate::executor::Executor;
use std::collections::BTreeMap;
use truecount::quantifier::Quantifier;
use truecount::{Against, Error, Estimates, Method, Model, Reporting, Together, Warning};

/// Groups of test scores, each of one set for each of its strata.
pub struct Strata<'a> {
    sets: Vec<Set<'a>>,
    estimates: Vec<Estimates>,
    parts: Parts,
    /// The model of each set.
    blocks: Vec<usize>,
    models: Vec<&'a Model>,
    /// The methods, in which models have labelled scores apart.
    pub together: Vec<(Method, Together)>,
    reporting: Reporting,
}

impl<'a> Strata<'a> {
    /// Of sets, each of one of these models (`blocks`) and of one of so many groups, with the estimates of each.
    ///
    /// # Errors
    /// Those of [`Model::estimate`], of the set; of [`Together::of_strata`].
    pub fn new(
        executor: &impl Executor,
        models: Vec<&'a Model>,
        sets: &Sets<'a>,
        blocks: Vec<usize>,
        (groups, number): (&[u32], usize),
        reporting: &Reporting,
    ) -> Result<Self, Failure> {
        let reporting = reporting.among(sets.sets.len());
        let numbers: Vec<usize> = (0..sets.sets.len()).collect();
        let estimate = |set: &usize| {
            let found = sets.sets[*set].batch().and_then(|batch| models[blocks[*set]].estimate(batch, &reporting));
            found.map_err(|error| sets.refused((*set, error)))
        };
        let estimates = executor.map(&numbers, estimate).into_iter().collect::<Result<Vec<_>, Failure>>()?;
        let methods = models.iter().take(1).flat_map(|model| model.quantifiers()).map(Quantifier::method);
        let together = methods.map(|method| Ok((method, Together::of_strata(&models, method)?)));
        let together = together.collect::<Result<_, Error>>()?;
        let (sets, parts) = (sets.sets.clone(), Parts::new(groups, number));
        Ok(Self { sets, estimates, parts, blocks, models, together, reporting })
    }

    /// Estimates of some groups together: of all scores of a stratum, added up by the strata's weights.
    ///
    /// # Errors
    /// Those of [`Model::estimate`] and of [`truecount::Total`].
    pub fn of(&self, groups: impl IntoIterator<Item = usize>) -> Result<Estimates, Error> {
        let mut of_blocks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for set in groups.into_iter().flat_map(|group| self.parts.of(group)) {
            of_blocks.entry(self.blocks[*set]).or_default().push(*set);
        }
        let of_block = |(block, sets): (usize, Vec<usize>)| {
            let estimates = match sets.as_slice() {
                [set] => self.estimates[*set].clone(),
                sets => {
                    let rows = Numbers::joined(sets.iter().map(|set| &self.sets[*set]));
                    self.models[block].estimate(rows.batch()?, &self.reporting)?
                }
            };
            Ok((block, estimates))
        };
        let parts = of_blocks.into_iter().map(of_block).collect::<Result<Vec<(usize, Estimates)>, Error>>()?;
        let by = |(method, together): &(Method, Together)| {
            let mut total = together.total();
            let mut warnings: Vec<Warning> = Vec::new();
            for (block, estimates) in &parts {
                let estimate = estimates.of(*method).expect("an estimate by every method");
                total.add_of(*block, estimate, estimate.total_weight())?;
                for warning in &estimate.warnings {
                    if !warnings.contains(warning) {
                        warnings.push(*warning);
                    }
                }
            }
            let mut estimate = total.of_sampled_shares(&self.reporting)?;
            estimate.warnings.extend(warnings);
            Ok(estimate)
        };
        self.together.iter().map(by).collect()
    }

    /// The estimates of each group, or the first error, with its number.
    ///
    /// # Errors
    /// Those of [`of`](Self::of).
    pub fn each(&self) -> Result<Vec<Estimates>, (usize, Error)> {
        (0..self.parts.number()).map(|group| self.of([group]).map_err(|error| (group, error))).collect()
    }

    /// What is asked of the groups, of which no finite population is known.
    ///
    /// # Errors
    /// Those of [`of`](Self::of), of the group.
    pub fn finish(&self, summed: &Summed) -> Result<Finished, Failure> {
        let groups = self.each().map_err(Failure::of_set)?;
        let total = match &summed.weights {
            Some(weights) => Some(added_up(&groups, &self.together, weights, &summed.reporting)?),
            None if summed.total => Some(self.of(0..self.parts.number())?),
            None => None,
        };
        Ok(Finished { groups, total, warning: None })
    }

    /// How far groups are from others, or from all or the rest of them together.
    ///
    /// # Errors
    /// Those of [`of`](Self::of) and [`truecount::Comparing`].
    pub fn groups_apart(
        &self,
        executor: &impl Executor,
        summed: &Summed,
        levels: &Levels,
        against: &Against,
    ) -> Result<Differences, Failure> {
        let (groups, weights) = (self.each().map_err(|(_, error)| error)?, summed.weights.as_deref());
        let apart = Apart { groups: &groups, together: &self.together, weights, reporting: &summed.reporting };
        Ok(apart.differences(executor, levels, against, |level| self.of(level.iter().copied()))?)
    }
}
