//! How far estimates are apart: from tallies, as the command finds it.

use crate::described::dict;
use crate::error::value_error;
use crate::executor::detached;
use crate::model::Model;
use crate::named::AskedReporting;
use crate::summed::AskedSummed;
use crate::tally::Tally;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use truecount::{Error, Estimates, IntervalOptions, LabelRelation, Overlap, Reference};
use truecount_analysis::compare::{self, Levels, SampleRelation};
use truecount_analysis::estimates::estimate_each;
use truecount_analysis::executor::Executor;
use truecount_analysis::results::ResultTable;
use truecount_analysis::table_values::column_values;
use truecount_analysis::totals::estimate_groups;

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
    fn get(self) -> PyResult<Reference> {
        match self {
            Self::Group(places) => Ok(Reference::Group(places)),
            Self::Word(word) => {
                let found = Reference::WORDS.into_iter().find(|(known, ..)| *known == word);
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
    reference: AskedAgainst,
) -> PyResult<Differences<'py>> {
    let (model, tally, check) = &groups;
    let groups = tally.groups(model.fitted().select(*check));
    let (options, against) = (summed.get(&reporting)?, reference.get()?);
    let order: Vec<usize> = levels.0.as_slice()?.iter().map(|group| *group as usize).collect();
    let starts = levels.1.to_vec()?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>()?;
    let levels = Levels::from_starts(order, &starts);
    let found =
        detached(py, tally.work(), |threads| estimate_groups(threads, &groups, &options, Some((&levels, &against))))?;
    let found = found.differences.expect("groups that are compared");
    #[allow(clippy::cast_possible_wrap)] // a number of groups
    let others = found.references.iter().map(|other| other.map_or(-1, |other| other as i64)).collect();
    differences(py, &found, Some(others))
}

/// How far each method is from the first one, on the same scores.
#[pyfunction]
pub fn methods_apart<'py>(
    py: Python<'py>,
    model: &Model,
    tally: &Tally,
    reporting: AskedReporting,
) -> PyResult<Differences<'py>> {
    let (model, reporting) = (model.inner(), reporting.get()?);
    let found = detached(py, tally.work(), |threads| {
        let groups = each(threads, model, tally, &reporting)?;
        compare::method_differences(model, &groups, &reporting)
    })?;
    differences(py, &found, None)
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
    let reporting = reporting.get()?;
    let (model, other) = (first.0.inner(), second.0.as_ref().map(|model| model.inner()));
    let (tally, others) = (&*first.1, &*second.1);
    let (paired, same) = kinship;
    let relation = SampleRelation {
        labelled: if paired { LabelRelation::Paired } else { LabelRelation::Apart },
        overlap: if same { Overlap::All } else { Overlap::None },
    };
    let found = detached(py, tally.work() + others.work(), |threads| {
        let groups = each(threads, model, tally, &reporting)?;
        let others = each(threads, other.unwrap_or(model), others, &reporting)?;
        let (first, second) = ((model, groups.as_slice()), (other, others.as_slice()));
        compare::sample_differences(first, second, &pairs, relation, &name, &reporting)
    })?;
    differences(py, &found, None)
}

/// The estimates of each group of a tally.
fn each(
    executor: &impl Executor,
    model: &truecount::Model,
    tally: &Tally,
    reporting: &IntervalOptions,
) -> Result<Vec<Estimates>, Error> {
    estimate_each(executor, &tally.groups(model), |_| *reporting)
}

fn differences<'py>(
    py: Python<'py>,
    found: &compare::DifferenceResult,
    others: Option<Vec<i64>>,
) -> PyResult<Differences<'py>> {
    let rows = &found.rows;
    let table = ResultTable::new(rows);
    let (columns, optional) = column_values(&table);
    let columns = dict(py, columns)?;
    #[allow(clippy::cast_possible_wrap)] // a number of groups
    let groups: Vec<i64> = rows.iter().map(|row| row.group as i64).collect();
    Ok((columns, optional, groups.into_pyarray(py), others.map(|others| others.into_pyarray(py))))
}
