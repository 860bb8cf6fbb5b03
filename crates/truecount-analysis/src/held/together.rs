//! How far estimates are apart: from tallies.

use super::cells::Cells;
use super::fitted::Fitted;
use super::refused::Failure;
use super::summed::{Summed, by, methods, together};
use crate::executor::Executor;
use crate::groups::date;
use crate::results::DifferenceRow;
use std::ops::Range;
use truecount::{
    Against, Comparing, Error, Estimate, Estimates, Labelled, Method, Model, Other, Overlap, Pair, Reporting, Tallies,
    Together,
};

/// The groups in their order, by their numbers, in levels, within which they are compared.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The groups.
    pub order: Vec<usize>,
    /// Where each level is in that order.
    pub ranges: Vec<Range<usize>>,
}

impl Levels {
    /// What groups with these names in the last grouping column are compared with if nobody says; what is missing is empty.
    pub fn usual(&self, names: &[String]) -> Against {
        let mut named = names.iter().filter(|name| !name.is_empty()).peekable();
        let dates = named.peek().is_some() && named.all(|name| date(name).is_some());
        Against::usual(self.ranges.iter().map(ExactSizeIterator::len), dates)
    }
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

/// Groups that are compared.
pub(super) struct Apart<'a> {
    /// The estimates of each.
    pub groups: &'a [Estimates],
    /// What these have in common, method by method.
    pub together: &'a [(Method, Together)],
    /// The weights of the groups, if they are not added up by their scores.
    pub weights: Option<&'a [f64]>,
    /// Level and target.
    pub reporting: &'a Reporting,
}

/// How far groups are from others, or from all or the rest of them together; each is checked, or not.
///
/// # Errors
/// Those of [`Cells::together`] and [`Comparing`].
pub fn groups_apart(
    executor: &impl Executor,
    (fitted, check): (&Fitted, bool),
    cells: &Cells,
    summed: &Summed,
    levels: &Levels,
    against: &Against,
) -> Result<Differences, Failure> {
    let (whole_of, model) = (fitted.checked_if(check), fitted.checked_if(check && cells.shift.is_none()));
    let groups = cells.each(executor, model, |group| summed.of_group(group)).map_err(|(_, error)| error)?;
    let (together, reporting) = (together(model)?, summed.of_all());
    let weights = summed.weights.as_deref();
    let apart = Apart { groups: &groups, together: &together, weights, reporting: &reporting };
    let total = |level: &[usize]| cells.together(whole_of, level.iter().copied(), &reporting);
    Ok(apart.differences(executor, levels, against, total)?)
}

impl Apart<'_> {
    /// The differences by every method; `total` estimates from the groups of a level together.
    pub fn differences(
        &self,
        executor: &impl Executor,
        levels: &Levels,
        against: &Against,
        total: impl Fn(&[usize]) -> Result<Estimates, Error> + Sync + Send,
    ) -> Result<Differences, Error> {
        let Levels { order, ranges } = levels;
        let totals = match (against, self.weights) {
            (Against::Total, None) => {
                let level = |range: &Range<usize>| total(&order[range.clone()]);
                Some(executor.map(ranges, level).into_iter().collect::<Result<Vec<_>, Error>>()?)
            }
            _ => None,
        };
        let weights: Option<Vec<f64>> = self.weights.map(|weights| order.iter().map(|group| weights[*group]).collect());
        let (mut rows, mut others) = (Vec::new(), Vec::new());
        for (method, together) in self.together {
            let estimates: Vec<&Estimate> = order.iter().map(|group| by(&self.groups[*group], *method)).collect();
            let totals = totals.as_ref().map(|totals| totals.iter().map(|all| by(all, *method).clone()).collect());
            let comparing =
                Comparing::new(together, &estimates, ranges, against, weights.as_deref(), totals, self.reporting)?;
            let row = |pair: &Pair| {
                let (found, first) = (comparing.compare(*pair)?, estimates[pair.group]);
                let word = match pair.other {
                    Other::Group(_) => "",
                    Other::Total => "total",
                    Other::Rest => "rest",
                };
                Ok(DifferenceRow::new(order[pair.group], word.to_owned(), first, found.other, found.found))
            };
            let mut of_method = executor.map(comparing.pairs(), row).into_iter().collect::<Result<Vec<_>, Error>>()?;
            DifferenceRow::adjust(&mut of_method);
            rows.extend(of_method);
            others.extend(comparing.pairs().iter().map(|pair| match pair.other {
                Other::Group(place) => Some(order[place]),
                Other::Total | Other::Rest => None,
            }));
        }
        Ok((rows, others))
    }
}

/// The covariances of these estimates of groups, which have no test scores in common, row by row: of each with itself its squared standard
/// error, of two of them half of what the squared standard error of their difference is less than the sum of both. NaN where there is none.
///
/// # Errors
/// Those of [`Together::difference`].
pub fn covariances(together: &Together, estimates: &[&Estimate], reporting: &Reporting) -> Result<Vec<f64>, Failure> {
    let n = estimates.len();
    let variance = |of: &Estimate| of.uncertainty.map_or(f64::NAN, |found| found.se.powi(2));
    let mut found = vec![f64::NAN; n * n];
    for (row, first) in estimates.iter().enumerate() {
        found[row * n + row] = variance(first);
        for (column, second) in estimates.iter().enumerate().skip(row + 1) {
            let apart = together.difference(first, second, Overlap::None, reporting)?.se.powi(2);
            let both = 0.5 * (variance(first) + variance(second) - apart);
            found[row * n + column] = both;
            found[column * n + row] = both;
        }
    }
    Ok(found)
}

/// How far each method is from the first one, on the same scores.
///
/// # Errors
/// Those of [`Model::finish`] and [`Together`].
pub fn methods_apart(
    executor: &impl Executor,
    model: &Model,
    tallies: &[Tallies],
    reporting: &Reporting,
) -> Result<Vec<DifferenceRow>, Failure> {
    let groups = finished(executor, model, tallies, reporting)?;
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
    executor: &impl Executor,
    (model, tallies): (&Model, &[Tallies]),
    (other, others): (Option<&Model>, &[Tallies]),
    pairs: &[(usize, usize)],
    kinship: Kinship,
    name: &str,
    reporting: &Reporting,
) -> Result<Vec<DifferenceRow>, Failure> {
    let groups = finished(executor, model, tallies, reporting)?;
    let others = finished(executor, other.unwrap_or(model), others, reporting)?;
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
    executor: &impl Executor,
    model: &Model,
    tallies: &[Tallies],
    reporting: &Reporting,
) -> Result<Vec<Estimates>, Error> {
    let reporting = reporting.among(tallies.len());
    executor.map(tallies, |tallies| model.finish(tallies, &reporting)).into_iter().collect()
}
