//! Differences between estimates, from tallies: of groups, of methods, and of two samples.

use crate::error::{WarningCache, raised, value_error};
use crate::model::Model;
use crate::options::Options;
use crate::request::{PyRequest, PySource};
use crate::tables::column_dict;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use truecount::Estimates;
use truecount::compare::{LabelRelation, Overlap, Reference};
use truecount_analysis::compare::{self, ComparisonSets, DifferenceResult, SampleRelation};
use truecount_analysis::groups::TextNames;
use truecount_analysis::table_values::column_values;

/// Comparison sets from Python: the groups in their order, and where each level begins, followed by the end
/// of the last level.
#[derive(FromPyObject)]
pub struct PyLevels<'py>(PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, i64>);

/// A reference from Python: one of the words, or the index of a group within each level.
#[derive(FromPyObject)]
pub enum PyReference {
    Word(String),
    Group(Vec<Option<usize>>),
}

impl PyLevels<'_> {
    pub fn parse(&self) -> PyResult<ComparisonSets> {
        let order: Vec<usize> = self.0.as_slice()?.iter().map(|group| *group as usize).collect();
        let starts = self.1.to_vec()?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>()?;
        Ok(ComparisonSets::from_starts(order, &starts))
    }
}

impl PyReference {
    pub fn parse(self) -> PyResult<Reference> {
        match self {
            Self::Group(indices) => Ok(Reference::Group(indices)),
            Self::Word(word) => {
                let row = Reference::WORDS.into_iter().find(|(known, ..)| *known == word);
                row.map(|(_, reference, _)| reference).ok_or_else(|| value_error(format!("{word} is no reference")))
            }
        }
    }
}

/// Differences for Python: the columns; the names of those that may lack a value; the group of each
/// row; the group that it is compared with, −1 unless that is a single group; and the notes.
pub type Differences<'py> =
    (Bound<'py, PyDict>, Vec<String>, Bound<'py, PyArray1<i64>>, Option<Bound<'py, PyArray1<i64>>>, Vec<String>);

/// The names of groups from Python: each grouping column with its values.
pub type PyNames = Vec<(String, Vec<Option<String>>)>;

/// Returns differences between groups with these names.
pub fn group_differences<'py>(
    py: Python<'py>,
    result: &DifferenceResult,
    names: &TextNames,
) -> PyResult<Differences<'py>> {
    #[allow(clippy::cast_possible_wrap)] // a number of groups
    let references = result.references.iter().map(|group| group.map_or(-1, |group| group as i64)).collect();
    differences(py, result, Some(references), names)
}

/// The estimates of groups, to be compared with others.
#[pyclass(frozen)]
pub struct StoredEstimates(pub Vec<Estimates>);

/// Returns the estimates of each group, to be compared, and their warnings.
#[pyfunction]
pub fn estimate_sample<'py>(
    py: Python<'py>,
    model: &Model,
    source: PySource<'py>,
    request: PyRequest<'py>,
) -> PyResult<(StoredEstimates, Vec<Bound<'py, PyTuple>>)> {
    let groups = request.estimate(py, model.fitted(), &source)?.groups;
    let mut cache = WarningCache::new(py);
    let warnings = groups.iter().flatten().map(|estimate| cache.get_all(&estimate.warnings));
    let warnings = warnings.collect::<PyResult<_>>()?;
    Ok((StoredEstimates(groups), warnings))
}

/// Compares the groups with a reference.
#[pyfunction]
pub fn compare_groups<'py>(
    py: Python<'py>,
    model: &Model,
    source: PySource<'py>,
    request: PyRequest<'py>,
    levels: PyLevels<'py>,
    reference: PyReference,
    names: PyNames,
) -> PyResult<Differences<'py>> {
    let (levels, reference, names) = (levels.parse()?, reference.parse()?, TextNames::from_columns(names));
    let result = request.with_tallies(py, model.fitted(), &source, |threads, request, parts, model| {
        request.compare_tallied(threads, parts, model, (&levels, &reference))
    })?;
    group_differences(py, &result.named(&names), &names)
}

/// Compares each method with the first one, on the same scores.
#[pyfunction]
pub fn compare_methods<'py>(
    py: Python<'py>,
    model: &Model,
    estimates: &StoredEstimates,
    options: Options<'py>,
    names: PyNames,
) -> PyResult<Differences<'py>> {
    let (model, options) = (model.inner(), options.intervals()?);
    let result = py.detach(|| compare::method_differences(model, &estimates.0, &options)).map_err(raised)?;
    differences(py, &result, None, &TextNames::from_columns(names))
}

/// Compares pairs of groups of two samples.
///
/// The second sample may have a model of its own. `relation` says whether both models were fitted
/// to the same labelled items, and whether both samples consist of the same items. `names` are the
/// name of the second sample, and the names of the groups.
#[pyfunction]
pub fn compare_samples<'py>(
    py: Python<'py>,
    first: (PyRef<'py, Model>, Bound<'py, StoredEstimates>),
    second: (Option<PyRef<'py, Model>>, Bound<'py, StoredEstimates>),
    pairs: Vec<(usize, usize)>,
    options: Options<'py>,
    relation: (bool, bool),
    names: (String, PyNames),
) -> PyResult<Differences<'py>> {
    let (options, (same_labelled, same_items), (name, groups)) = (options.intervals()?, relation, names);
    let own = (first.0.inner(), first.1.get().0.as_slice());
    let other = (second.0.as_ref().map(|model| model.inner()), second.1.get().0.as_slice());
    let relation = SampleRelation {
        labelled: if same_labelled { LabelRelation::Paired } else { LabelRelation::Independent },
        overlap: if same_items { Overlap::All } else { Overlap::None },
    };
    let compare = || compare::sample_differences(own, other, &pairs, relation, &name, &options);
    differences(py, &py.detach(compare).map_err(raised)?, None, &TextNames::from_columns(groups))
}

fn differences<'py>(
    py: Python<'py>,
    result: &DifferenceResult,
    references: Option<Vec<i64>>,
    names: &TextNames,
) -> PyResult<Differences<'py>> {
    let table = result.plain_table();
    let (columns, optional) = column_values(&table);
    let columns = column_dict(py, columns)?;
    #[allow(clippy::cast_possible_wrap)] // a number of groups
    let groups: Vec<i64> = result.rows.iter().map(|row| row.group as i64).collect();
    let notes = result.notes(names).iter().map(|note| note.sentence().to_owned()).collect();
    Ok((columns, optional, groups.into_pyarray(py), references.map(|groups| groups.into_pyarray(py)), notes))
}
