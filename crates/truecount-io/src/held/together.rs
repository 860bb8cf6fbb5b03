//! How far estimates are apart: from tallies.

use super::fitted::Fitted;
use super::refused::Failure;
use super::summed::{Summed, by, merged, methods};
use super::workers::Workers;
use crate::results::DifferenceRow;
use crate::tally::MergedTallies;
use std::ops::Range;
use truecount::{
    Against, Comparing, Error, Estimate, Estimates, Labelled, Model, Other, Overlap, Pair, Reporting, Tallies, Together,
};

/// The groups in their order, by their numbers, in levels, within which they are compared.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The groups.
    pub order: Vec<usize>,
    /// Where each level is in that order.
    pub ranges: Vec<Range<usize>>,
}

/// Differences, method by method, and the group that each one's group is compared with, where that is a single one.
pub type Differences = (Vec<DifferenceRow>, Vec<Option<usize>>);

/// What two samples have in common.
#[derive(Clone, Copy, Debug)]
pub struct Kinship {
    /// The models have learnt from the same labelled items.
    pub labelled: Labelled,
    /// The scores are of the same items.
    pub overlap: Overlap,
}

/// How far groups are from others, or from all or the rest of them together; each is checked, or not.
///
/// # Errors
/// Those of [`Model::finish`] and [`Comparing`].
pub fn groups_apart(
    workers: &impl Workers,
    (fitted, check): (&Fitted, bool),
    tallied: &MergedTallies,
    summed: &Summed,
    levels: &Levels,
    against: &Against,
) -> Result<Differences, Failure> {
    let MergedTallies { contents: tallies, together } = tallied;
    let (whole_of, model) = (fitted.checked_if(check), fitted.checked_if(check && together.is_none()));
    let Levels { order, ranges } = levels;
    let groups = summed.groups(workers, model, tallies).map_err(|(_, error)| error)?;
    let reporting = summed.of_all();
    let totals = match (against, &summed.weights) {
        (Against::Total, None) => {
            let level = |range: &Range<usize>| {
                let whole = merged(order[range.clone()].iter().map(|group| &tallies[*group]))?;
                whole_of.finish(&whole, &reporting)
            };
            Some(workers.each(ranges, level).into_iter().collect::<Result<Vec<_>, Error>>()?)
        }
        _ => None,
    };
    let weights = summed.weights.as_ref();
    let weights: Option<Vec<f64>> = weights.map(|weights| order.iter().map(|group| weights[*group]).collect());
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    for method in methods(model) {
        let together = Together::of(model, method)?;
        let estimates: Vec<&Estimate> = order.iter().map(|group| by(&groups[*group], method)).collect();
        let totals = totals.as_ref().map(|totals| totals.iter().map(|all| by(all, method).clone()).collect());
        let comparing = Comparing::new(&together, &estimates, ranges, against, weights.as_deref(), totals, &reporting)?;
        let row = |pair: &Pair| {
            let (found, first) = (comparing.compare(*pair)?, estimates[pair.group]);
            let word = match pair.other {
                Other::Group(_) => "",
                Other::Total => "total",
                Other::Rest => "rest",
            };
            Ok(DifferenceRow::new(order[pair.group], word.to_owned(), first, found.other, found.found))
        };
        let mut of_method = workers.each(comparing.pairs(), row).into_iter().collect::<Result<Vec<_>, Error>>()?;
        DifferenceRow::adjust(&mut of_method);
        rows.extend(of_method);
        others.extend(comparing.pairs().iter().map(|pair| match pair.other {
            Other::Group(place) => Some(order[place]),
            Other::Total | Other::Rest => None,
        }));
    }
    Ok((rows, others))
}

/// How far each method is from the first one, on the same scores.
///
/// # Errors
/// Those of [`Model::finish`] and [`Together`].
pub fn methods_apart(
    workers: &impl Workers,
    model: &Model,
    tallies: &[Tallies],
    reporting: &Reporting,
) -> Result<Vec<DifferenceRow>, Failure> {
    let groups = finished(workers, model, tallies, reporting)?;
    let mut methods = methods(model);
    let first = methods.next().ok_or(Error::NothingToCompare)?;
    let mut rows = Vec::new();
    for method in methods {
        let together = Together::of_two([(model, method), (model, first)], Labelled::Paired)?;
        for (group, estimates) in groups.iter().enumerate() {
            let (of, other) = (by(estimates, method), by(estimates, first));
            let found = together.difference(of, other, Overlap::All, reporting)?;
            rows.push(DifferenceRow::new(group, first.to_string(), of, other.prevalence, found));
        }
    }
    DifferenceRow::adjust(&mut rows);
    Ok(rows)
}

/// How far groups are from those of other scores, pair by pair, which may be by another model. `name` is what the others are called.
///
/// # Errors
/// Those of [`Model::finish`] and [`Together`].
pub fn samples_apart(
    workers: &impl Workers,
    (model, tallies): (&Model, &[Tallies]),
    (other, others): (Option<&Model>, &[Tallies]),
    pairs: &[(usize, usize)],
    kinship: Kinship,
    name: &str,
    reporting: &Reporting,
) -> Result<Vec<DifferenceRow>, Failure> {
    let groups = finished(workers, model, tallies, reporting)?;
    let others = finished(workers, other.unwrap_or(model), others, reporting)?;
    let mut rows = Vec::new();
    for method in methods(model) {
        let together = match other {
            None => Together::of(model, method)?,
            Some(other) => Together::of_two([(model, method), (other, method)], kinship.labelled)?,
        };
        for (group, other) in pairs {
            let (of, other) = (by(&groups[*group], method), by(&others[*other], method));
            let found = together.difference(of, other, kinship.overlap, reporting)?;
            rows.push(DifferenceRow::new(*group, name.to_owned(), of, other.prevalence, found));
        }
    }
    DifferenceRow::adjust(&mut rows);
    Ok(rows)
}

fn finished(
    workers: &impl Workers,
    model: &Model,
    tallies: &[Tallies],
    reporting: &Reporting,
) -> Result<Vec<Estimates>, Error> {
    let reporting = reporting.among(tallies.len());
    workers.each(tallies, |tallies| model.finish(tallies, &reporting)).into_iter().collect()
}
