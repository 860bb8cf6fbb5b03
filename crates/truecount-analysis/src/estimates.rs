//! Estimates of many test sets, by formula or with a bootstrap. Results do not depend on the number of threads.

use crate::ScoreValues;
use crate::executor::Executor;
use crate::groups::{NamedGroups, estimate_jointly};
use crate::results::is_unreliable;
use crate::sets::{TestSet, TestSets};
use truecount::bootstrap::{Bootstrap, Resamples};
use truecount::quantifier::SummaryKind;
use truecount::{Batch, Error, Estimate, Estimates, IntervalOptions, Method, Model, Tally, Warning};

/// The number of scores that one thread tallies at once. Sets are divided into such pieces whatever
/// the number of threads is.
const PIECE: usize = 1 << 17;

/// A fitted model, and the same model without the check of prior probability shift.
pub struct FittedModel {
    model: Model,
    unchecked: Model,
}

impl FittedModel {
    /// Creates the pair from a fitted model.
    pub fn new(model: Model) -> Self {
        Self { unchecked: model.clone().without_check(), model }
    }

    /// Returns the model as it was fitted.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the model with the check if `check` is true, else the model without it.
    pub fn select(&self, check: bool) -> &Model {
        if check { &self.model } else { &self.unchecked }
    }
}

/// Tallies every set.
///
/// # Errors
/// Returns an error for a score that the methods cannot use, with its set and row.
pub fn tally_sets(executor: &impl Executor, model: &Model, sets: &TestSets) -> Result<Vec<Tally>, Error> {
    let tallies = executor.map(&sets.sets, |set| tally_set(executor, model, set));
    first_error(tallies).map_err(|error| sets.map_row(error))
}

/// Estimates every set.
///
/// # Errors
/// Returns an error for a set without usable scores, or for one that a method cannot use, with its
/// set and row.
pub fn estimate_sets(
    executor: &impl Executor,
    model: &Model,
    sets: &TestSets,
    options: &IntervalOptions,
) -> Result<Vec<Estimates>, Error> {
    // Pieces would only copy the scores of a method whose tally keeps every score.
    let use_pieces = model.settings().methods.iter().all(|method| method.summary_kind() != SummaryKind::Scores);
    let options = options.with_multiplicity(sets.sets.len());
    let estimates = estimate_jointly(|shift| {
        let options = options.with_shared_shift(shift);
        let estimate = |set: &TestSet| {
            if use_pieces && number_of_pieces(set) > 1 {
                return tally_set(executor, model, set)?.evaluate_with(&options);
            }
            model.estimate_with(set.batch()?, &options)
        };
        first_error(executor.map(&sets.sets, estimate))
    });
    estimates.map_err(|error| sets.map_row(error))
}

/// A bootstrap: the number of its resamples and its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    /// The number of resamples.
    pub resamples: Resamples,
    /// The seed: the same seed gives the same results on any number of threads.
    pub seed: u64,
}

impl Resampling {
    /// Estimates every set, with standard errors and intervals from the bootstrap.
    ///
    /// # Errors
    /// Returns an error for too many sets, for scores with weights or labelled clusters, for a set
    /// that allows no estimate, and if the user interrupts.
    pub fn estimates(
        &self,
        executor: &impl Executor,
        model: &Model,
        sets: &TestSets,
        options: &IntervalOptions,
    ) -> Result<Vec<Estimates>, Error> {
        self.resamples.check_capacity(sets.sets.len() * model.quantifiers().len())?;
        let batches: Result<Vec<Batch>, Error> = sets.sets.iter().map(TestSet::batch).collect();
        let bootstrap = match batches.and_then(|batches| Bootstrap::new(model, batches, self.seed)) {
            Ok(bootstrap) => bootstrap,
            // The library's error does not name the set; estimating each set finds it.
            Err(error) => {
                estimate_sets(executor, &model.clone().without_check(), sets, options)?;
                return Err(error);
            }
        };
        let replicates = executor.map_range(self.resamples.number(), |number| bootstrap.replicate(number))?;
        let options = options.with_multiplicity(sets.sets.len());
        estimate_jointly(|shift| bootstrap.estimates(&replicates, &options.with_shared_shift(shift)))
    }

    /// Estimates every group of rows, with standard errors and intervals from the bootstrap.
    ///
    /// # Errors
    /// Returns the errors of [`estimates`](Self::estimates).
    pub fn group_estimates<V: AsRef<[f64]>, N>(
        &self,
        executor: &impl Executor,
        model: &Model,
        groups: NamedGroups<ScoreValues<V>, N>,
        options: &IntervalOptions,
    ) -> Result<NamedGroups<Estimates, N>, Error> {
        let sets = groups.contents.iter().map(|rows| rows.map(AsRef::as_ref)).collect();
        let (model, _) = groups.single_group_settings(model, options);
        let estimates = self.estimates(executor, &model, &TestSets { sets, groups: None }, options)?;
        Ok(groups.with_contents(estimates))
    }
}

/// Tallies one set, piece by piece.
fn tally_set(executor: &impl Executor, model: &Model, set: &TestSet) -> Result<Tally, Error> {
    // This fails if columns have different lengths, which could not be split at the same rows.
    set.batch()?;
    let empty = || if set.weights.is_some() { Tally::weighted(model) } else { Ok(Tally::new(model)) };
    let tally_piece = |number: usize| {
        let mut tallies = empty()?;
        tallies.update(piece(set, number).batch()?).map_err(|error| error.renumber_row(|row| number * PIECE + row))?;
        Ok::<_, Error>(tallies)
    };
    let numbers: Vec<usize> = (0..number_of_pieces(set)).collect();
    let pieces = executor.map(&numbers, |number| tally_piece(*number));
    pieces.into_iter().try_fold(empty()?, |mut whole, piece| whole.merge(&piece?).map(|()| whole))
}

fn number_of_pieces(set: &TestSet) -> usize {
    set.scores.len().div_ceil(PIECE)
}

fn piece<'a>(set: &TestSet<'a>, number: usize) -> TestSet<'a> {
    let rows = number * PIECE..set.scores.len().min((number + 1) * PIECE);
    set.map(|column| &column[rows.clone()])
}

/// Returns the estimate by a method of the model.
pub(crate) fn by_method(estimates: &Estimates, method: Method) -> &Estimate {
    estimates.by_method(method).expect("an estimate by every method")
}

/// Returns the warning about a total whose groups, with these weights, are unreliable.
pub(crate) fn groups_warning<'a>(
    total: &Estimate,
    groups: impl Iterator<Item = (&'a Estimate, f64)>,
) -> Option<Warning> {
    let (mut unreliable, mut all) = (0.0, 0.0);
    for (estimate, weight) in groups {
        unreliable += if is_unreliable(estimate) { weight } else { 0.0 };
        all += weight;
    }
    // An unreliable share may be anywhere in [0, 1], so it moves the total by its weight at most.
    let share = unreliable / all;
    total.std_error.is_some_and(|se| share > se).then_some(Warning::GroupsUnreliable { share })
}

/// Returns all results, or the first error with the number of its set.
pub(crate) fn first_error<T>(results: Vec<Result<T, Error>>) -> Result<Vec<T>, Error> {
    results.into_iter().enumerate().map(|(set, result)| result.map_err(|error| error.in_set(set))).collect()
}
