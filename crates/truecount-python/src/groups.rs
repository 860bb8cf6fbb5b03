//! Groups: factorizes columns, that is, numbers their values in order of first appearance, and
//! sorts rows by group.

use crate::arrow::whole;
use crate::error::value_error;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayAccessor, downcast_dictionary_array};
use arrow_cast::cast;
use arrow_schema::DataType;
use foldhash::HashMap;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use std::hash::Hash;
use truecount_analysis::sets;

/// The group of each row, and the first row of each group.
type GroupCodes<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>);

fn factorize<T: Hash + Eq>(values: impl Iterator<Item = T>) -> PyResult<(Vec<u32>, Vec<i64>)> {
    let mut known: HashMap<T, u32> = HashMap::default();
    let (mut groups, mut first) = (Vec::with_capacity(values.size_hint().0), Vec::new());
    for (row, value) in (0..).zip(values) {
        let next = u32::try_from(known.len()).map_err(|_| value_error("more than 4294967296 groups"))?;
        let group = *known.entry(value).or_insert(next);
        if group == next {
            first.push(row);
        }
        groups.push(group);
    }
    Ok((groups, first))
}

fn group_codes<T: Hash + Eq>(py: Python<'_>, values: impl Iterator<Item = T> + Send) -> PyResult<GroupCodes<'_>> {
    let (groups, first) = py.detach(|| factorize(values))?;
    Ok((groups.into_pyarray(py), first.into_pyarray(py)))
}

/// Returns bits that are equal for equal values; 0 and −0 are one value, and so are all NaNs.
fn bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

/// Factorizes integers, or values that are stored as such.
#[pyfunction]
pub fn factorize_integers<'py>(py: Python<'py>, values: PyReadonlyArray1<'py, i64>) -> PyResult<GroupCodes<'py>> {
    let values = values.as_slice()?;
    group_codes(py, values.iter())
}

/// Factorizes doubles.
#[pyfunction]
pub fn factorize_floats<'py>(py: Python<'py>, values: PyReadonlyArray1<'py, f64>) -> PyResult<GroupCodes<'py>> {
    let values = values.as_slice()?;
    group_codes(py, values.iter().map(|value| bits(*value)))
}

/// Factorizes pairs of groups.
#[pyfunction]
pub fn factorize_pairs<'py>(
    py: Python<'py>,
    left: PyReadonlyArray1<'py, u32>,
    right: PyReadonlyArray1<'py, u32>,
) -> PyResult<GroupCodes<'py>> {
    let (left, right) = (left.as_slice()?, right.as_slice()?);
    group_codes(py, left.iter().zip(right))
}

/// Factorizes an Arrow column; returns `None` unless its type is text, number, boolean or time.
#[pyfunction]
pub fn factorize_values(py: Python<'_>, column: AnyArray) -> PyResult<Option<GroupCodes<'_>>> {
    fn values<A: ArrayAccessor>(array: A) -> impl Iterator<Item = Option<A::Item>> {
        (0..array.len()).map(move |row| array.is_valid(row).then(|| array.value(row)))
    }
    let column = whole(column)?;
    // The keys of a dictionary stand for its values. They are few, and the caller merges equal
    // values.
    let stored = column.as_ref();
    downcast_dictionary_array!(
        stored => if !stored.values().data_type().is_nested() {
            return group_codes(py, values(stored.keys())).map(Some);
        },
        _ => {}
    );
    let to = |kind: &DataType| cast(&column, kind).map_err(value_error);
    let column = match column.data_type() {
        DataType::UInt64 | DataType::Decimal128(..) | DataType::Decimal256(..) => to(&DataType::Utf8)?,
        kind if kind.is_integer() || kind.is_temporal() || *kind == DataType::Boolean => match kind {
            DataType::Date32 | DataType::Time32(_) => {
                cast(&to(&DataType::Int32)?, &DataType::Int64).map_err(value_error)?
            }
            _ => to(&DataType::Int64)?,
        },
        kind if kind.is_floating() => to(&DataType::Float64)?,
        _ => column,
    };
    Ok(Some(match column.data_type() {
        DataType::Utf8 => group_codes(py, values(column.as_string::<i32>()))?,
        DataType::LargeUtf8 => group_codes(py, values(column.as_string::<i64>()))?,
        DataType::Utf8View => group_codes(py, values(column.as_string_view()))?,
        DataType::Int64 => group_codes(py, values(column.as_primitive::<Int64Type>()))?,
        DataType::Float64 => {
            group_codes(py, values(column.as_primitive::<Float64Type>()).map(|value| value.map(bits)))?
        }
        _ => return Ok(None),
    }))
}

/// Sorts the rows of columns by group, and returns the sorted columns and where each group begins,
/// followed by the end of the last group.
#[pyfunction]
pub fn sort_by_group<'py>(
    py: Python<'py>,
    columns: Vec<PyReadonlyArray1<'py, f64>>,
    groups: PyReadonlyArray1<'py, u32>,
    number: usize,
) -> PyResult<(Vec<Bound<'py, PyArray1<f64>>>, Bound<'py, PyArray1<i64>>)> {
    let columns = columns.iter().map(|column| column.as_slice()).collect::<Result<Vec<_>, _>>()?;
    let groups = groups.as_slice()?;
    let (sorted, starts) = py.detach(|| sets::sort_by_group(&columns, groups, number));
    #[allow(clippy::cast_possible_wrap)] // rows
    let starts: Vec<i64> = starts.into_iter().map(|start| start as i64).collect();
    Ok((sorted.into_iter().map(|column| column.into_pyarray(py)).collect(), starts.into_pyarray(py)))
}
