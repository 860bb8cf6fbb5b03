//! Many test sets at once, with the same bits on any number of threads.

use super::refused::{Failure, at_row};
use super::sets::{Set, Sets};
use crate::executor::Executor;
use truecount::quantifier::Keeps;
use truecount::{Error, Estimates, Model, Reporting, Tallies};

/// Scores that are tallied in one go. Where a set is cut does not depend on the threads.
const PIECE: usize = 1 << 17;

/// The tally of each set.
///
/// # Errors
/// Those of [`Model::push`], of the set.
pub fn tallied(executor: &impl Executor, model: &Model, sets: &Sets) -> Result<Vec<Tallies>, Failure> {
    let found = executor.map(&sets.sets, |set| tallies(executor, model, set));
    first_error(found).map_err(|at| sets.refused(at))
}

/// The estimates of each set.
///
/// # Errors
/// Those of [`Model::estimate`], of the set.
pub fn estimates(
    executor: &impl Executor,
    model: &Model,
    sets: &Sets,
    reporting: &Reporting,
) -> Result<Vec<Estimates>, Failure> {
    // Methods that keep every score gain nothing from pieces: they would only be copied once more.
    let in_pieces = model.settings().methods.iter().all(|method| method.keeps() != Keeps::Scores);
    let reporting = reporting.among(sets.sets.len());
    let one = |set: &Set| {
        if in_pieces && pieces(set) > 1 {
            return model.finish(&tallies(executor, model, set)?, &reporting);
        }
        model.estimate(set.batch()?, &reporting)
    };
    first_error(executor.map(&sets.sets, one)).map_err(|at| sets.refused(at))
}

/// The tallies of one set, piece by piece.
fn tallies(executor: &impl Executor, model: &Model, set: &Set) -> Result<Tallies, Error> {
    // Of different lengths, the columns could not be cut alike.
    set.batch()?;
    let empty = || if set.weights.is_some() { model.weighted_tallies() } else { Ok(model.tallies()) };
    let one = |number: usize| {
        let mut tallies = empty()?;
        model
            .push(&mut tallies, piece(set, number).batch()?)
            .map_err(|error| at_row(error, |row| number * PIECE + row))?;
        Ok(tallies)
    };
    let numbers: Vec<usize> = (0..pieces(set)).collect();
    let pieces = executor.map(&numbers, |number| one(*number));
    pieces.into_iter().try_fold(empty()?, |mut whole, piece| whole.merge(&piece?).map(|()| whole))
}

fn pieces(set: &Set) -> usize {
    set.scores.len().div_ceil(PIECE)
}

fn piece<'a>(set: &Set<'a>, number: usize) -> Set<'a> {
    let rows = number * PIECE..set.scores.len().min((number + 1) * PIECE);
    set.map(|column| &column[rows.clone()])
}

/// What was found in all sets, or the first error, with the number of its set.
pub(super) fn first_error<T>(found: Vec<Result<T, Error>>) -> Result<Vec<T>, (usize, Error)> {
    found.into_iter().enumerate().map(|(set, found)| found.map_err(|error| (set, error))).collect()
}
