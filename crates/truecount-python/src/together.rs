//! How far estimates are apart: from tallies, as the command finds it.

use crate::error::{raised, value_error};
use crate::model::Model;
use crate::named::AskedReporting;
use crate::parallel::{detached, each};
use crate::summed::{AskedSummed, by, merged, methods};
use crate::tally::Tally;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use truecount::{
    Against, Comparing, Error, Estimate, Estimates, Labelled, Other, Overlap, Pair, Reporting, Tallies, Together,
};
use truecount_io::results::{Cell, DifferenceRow, Row, Unit};
use truecount_io::tally::MergedTallies;

/// The groups in their order, and where each level begins, followed by the end of the last one.
#[derive(FromPyObject)]
pub struct AskedLevels<'py>(PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, i64>);

/// What groups are compared with: one of the words, or a group of each level, by its place there.
#[derive(FromPyObject)]
pub enum AskedAgainst {
    Word(String),
    Group(Vec<Option<usize>>),
}

impl AskedAgainst {
    fn get(self) -> PyResult<Against> {
        match self {
            Self::Group(places) => Ok(Against::Group(places)),
            Self::Word(word) => {
                let found = Against::WORDS.into_iter().find(|(known, ..)| *known == word);
                found.map(|(_, against, _)| against).ok_or_else(|| value_error(format!("{word} is no reference")))
            }
        }
    }
}

/// Columns of differences; those of them that may lack a value; each one's group; and the group that it is compared with, −1 if that
/// is no single one.
type Differences<'py> = (Bound<'py, PyDict>, Vec<String>, Bound<'py, PyArray1<i64>>, Option<Bound<'py, PyArray1<i64>>>);

/// How far groups are from others, or from all or the rest of them together; each is checked, or not.
#[pyfunction]
pub fn groups_apart<'py>(
    py: Python<'py>,
    groups: (PyRef<'py, Model>, PyRef<'py, Tally>, bool),
    reporting: AskedReporting,
    summed: AskedSummed<'py>,
    levels: AskedLevels<'py>,
    against: AskedAgainst,
) -> PyResult<Differences<'py>> {
    let (model, tally, check) = &groups;
    let MergedTallies { contents: tallies, together } = &tally.merged;
    let (whole_of, model) = (model.checked_if(*check), model.checked_if(*check && together.is_none()));
    let (summed, against) = (summed.get(&reporting)?, against.get()?);
    let order: Vec<usize> = levels.0.as_slice()?.iter().map(|group| *group as usize).collect();
    let starts = levels.1.to_vec()?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>()?;
    let ranges: Vec<Range<usize>> = starts.windows(2).map(|ends| ends[0]..ends[1]).collect();
    let found = detached(py, 64 * tallies.len(), || {
        let groups = summed.groups(model, tallies).map_err(|(_, error)| error)?;
        let reporting = summed.of_all();
        let totals = match (&against, &summed.weights) {
            (Against::Total, None) => {
                let level = |range: &Range<usize>| {
                    let whole = merged(order[range.clone()].iter().map(|group| &tallies[*group]))?;
                    whole_of.finish(&whole, &reporting)
                };
                Some(each(&ranges, level).into_iter().collect::<Result<Vec<_>, Error>>()?)
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
            let comparing =
                Comparing::new(&together, &estimates, &ranges, &against, weights.as_deref(), totals, &reporting)?;
            let row = |pair: &Pair| {
                let (found, first) = (comparing.compare(*pair)?, estimates[pair.group]);
                let word = match pair.other {
                    Other::Group(_) => "",
                    Other::Total => "total",
                    Other::Rest => "rest",
                };
                Ok(DifferenceRow::new(order[pair.group], word.to_owned(), first, found.other, found.found))
            };
            let mut of_method = each(comparing.pairs(), row).into_iter().collect::<Result<Vec<_>, Error>>()?;
            DifferenceRow::adjust(&mut of_method);
            rows.extend(of_method);
            others.extend(comparing.pairs().iter().map(|pair| match pair.other {
                #[allow(clippy::cast_possible_wrap)] // a number of groups
                Other::Group(place) => order[place] as i64,
                Other::Total | Other::Rest => -1,
            }));
        }
        Ok((rows, others))
    })?;
    let (rows, others) = found.map_err(raised)?;
    differences(py, &rows, Some(others))
}

/// How far each method is from the first one, on the same scores.
#[pyfunction]
pub fn methods_apart<'py>(
    py: Python<'py>,
    model: &Model,
    tally: &Tally,
    reporting: AskedReporting,
) -> PyResult<Differences<'py>> {
    let (model, tallies, reporting) = (model.inner(), &tally.merged.contents, reporting.get()?);
    let found = detached(py, 64 * tallies.len(), || {
        let groups = finished(model, tallies, &reporting)?;
        let mut methods = methods(model);
        let first = methods.next().ok_or(Error::NothingToCompare)?;
        let mut rows = Vec::new();
        for method in methods {
            let together = Together::of_two([(model, method), (model, first)], Labelled::Paired)?;
            for (group, estimates) in groups.iter().enumerate() {
                let (of, other) = (by(estimates, method), by(estimates, first));
                let found = together.difference(of, other, Overlap::All, &reporting)?;
                rows.push(DifferenceRow::new(group, first.to_string(), of, other.prevalence, found));
            }
        }
        DifferenceRow::adjust(&mut rows);
        Ok(rows)
    })?;
    differences(py, &found.map_err(raised)?, None)
}

/// How far groups are from those of other scores, pair by pair, which may be by another model: one that has learnt from the same
/// labelled items if they are paired. The scores may be of the same items.
#[pyfunction]
pub fn samples_apart<'py>(
    py: Python<'py>,
    first: (PyRef<'py, Model>, PyRef<'py, Tally>),
    second: (Option<PyRef<'py, Model>>, PyRef<'py, Tally>),
    pairs: Vec<(usize, usize)>,
    reporting: AskedReporting,
    kinship: (bool, bool),
    name: String,
) -> PyResult<Differences<'py>> {
    let (model, reporting) = (first.0.inner(), reporting.get()?);
    let other = second.0.as_ref().map(|model| model.inner());
    let tallies = [&first.1.merged.contents, &second.1.merged.contents];
    let (paired, same) = kinship;
    let labelled = if paired { Labelled::Paired } else { Labelled::Apart };
    let overlap = if same { Overlap::All } else { Overlap::None };
    let found = detached(py, 128 * pairs.len(), || {
        let groups = finished(model, tallies[0], &reporting)?;
        let others = finished(other.unwrap_or(model), tallies[1], &reporting)?;
        let mut rows = Vec::new();
        for method in methods(model) {
            let together = match other {
                None => Together::of(model, method)?,
                Some(other) => Together::of_two([(model, method), (other, method)], labelled)?,
            };
            for (group, other) in &pairs {
                let (of, other) = (by(&groups[*group], method), by(&others[*other], method));
                let found = together.difference(of, other, overlap, &reporting)?;
                rows.push(DifferenceRow::new(*group, name.clone(), of, other.prevalence, found));
            }
        }
        DifferenceRow::adjust(&mut rows);
        Ok(rows)
    })?;
    differences(py, &found.map_err(raised)?, None)
}

fn finished(model: &truecount::Model, tallies: &[Tallies], reporting: &Reporting) -> Result<Vec<Estimates>, Error> {
    let reporting = reporting.among(tallies.len());
    each(tallies, |tallies| model.finish(tallies, &reporting)).into_iter().collect()
}

fn differences<'py>(py: Python<'py>, rows: &[DifferenceRow], others: Option<Vec<i64>>) -> PyResult<Differences<'py>> {
    let (columns, mut optional) = (PyDict::new(py), Vec::new());
    for column in DifferenceRow::columns() {
        let about = column.description();
        let cells = rows.iter().map(|row| column.value(row));
        if about.unit == Unit::Text {
            let text = |cell: Cell| if let Cell::Text(text) = cell { text.into_owned() } else { String::new() };
            columns.set_item(&*about.name, cells.map(text).collect::<Vec<_>>())?;
        } else {
            let number = |cell: Cell| match cell {
                Cell::Number(number) => number,
                Cell::Unlimited => f64::INFINITY,
                _ => f64::NAN,
            };
            columns.set_item(&*about.name, cells.map(number).collect::<Vec<_>>().into_pyarray(py))?;
        }
        if about.optional {
            optional.push(about.name.to_string());
        }
    }
    #[allow(clippy::cast_possible_wrap)] // a number of groups
    let groups: Vec<i64> = rows.iter().map(|row| row.group as i64).collect();
    Ok((columns, optional, groups.into_pyarray(py), others.map(|others| others.into_pyarray(py))))
}
