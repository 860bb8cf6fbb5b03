//! Columns and tables through the Arrow PyCapsule interface, which pyarrow, polars, pandas, DuckDB
//! and others share; none of them is required.

use crate::error::value_error;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use arrow_select::concat::concat;
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3_arrow::PyTable;
use pyo3_arrow::input::AnyArray;
use std::sync::Arc;

/// Returns all chunks as one array; nothing is copied if there is only one.
pub fn whole(column: AnyArray) -> PyResult<ArrayRef> {
    let (chunks, field) = column.into_chunked_array()?.into_inner();
    match chunks.as_slice() {
        [] => Ok(arrow_array::new_empty_array(field.data_type())),
        [one] => Ok(one.clone()),
        several => {
            let arrays: Vec<&dyn Array> = several.iter().map(AsRef::as_ref).collect();
            concat(&arrays).map_err(value_error)
        }
    }
}

/// Keeps a column's buffer alive while a numpy array refers to it.
#[pyclass(frozen)]
struct BufferOwner(Float64Array);

/// Returns a numeric column as a read-only numpy array of doubles, without a copy if it has doubles
/// in one chunk. Raises an exception if the column has nulls, which are not NaN.
#[pyfunction]
#[allow(unsafe_code)]
pub fn floats(py: Python<'_>, column: AnyArray) -> PyResult<Bound<'_, PyArray1<f64>>> {
    let column = whole(column)?;
    let kind = column.data_type();
    // Text would be parsed as numbers.
    if !(kind.is_numeric() || matches!(kind, DataType::Boolean | DataType::Null)) {
        return Err(PyTypeError::new_err(format!("a column of type {kind} has no numbers")));
    }
    let numbers = cast(&column, &DataType::Float64).map_err(value_error)?;
    if numbers.null_count() > 0 {
        return Err(value_error("a column with nulls is no array of numbers"));
    }
    let owner = Bound::new(py, BufferOwner(numbers.as_primitive::<Float64Type>().clone()))?;
    let view = ArrayView1::from(owner.get().0.values().as_ref());
    // SAFETY: the buffer belongs to the owner, which is frozen and the array's base, so the buffer
    // lives and keeps its address as long as the array. Other readers may share the buffer, so it
    // must not be written to: the array is made read-only before it is returned.
    let array = unsafe { PyArray1::borrow_from_array(&view, owner.clone().into_any()) };
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// A column of a table.
#[derive(FromPyObject)]
pub enum ArrowColumn<'py> {
    Doubles(PyReadonlyArray1<'py, f64>),
    /// Integers, with the unit if they are points in time since 1970. With an empty unit, the
    /// lowest integer is a missing value.
    Integers(PyReadonlyArray1<'py, i64>, Option<String>),
    Flags(PyReadonlyArray1<'py, bool>),
    Texts(Vec<Option<String>>),
    FlagsWithGaps(Vec<Option<bool>>),
    Lists(Vec<Vec<String>>),
}

/// numpy's value for a missing point in time (NaT).
const NOT_A_TIME: i64 = i64::MIN;

impl ArrowColumn<'_> {
    fn array(self) -> PyResult<ArrayRef> {
        Ok(match self {
            Self::Doubles(values) => Arc::new(Float64Array::from(values.to_vec()?)),
            Self::Integers(values, None) => Arc::new(Int64Array::from(values.to_vec()?)),
            Self::Integers(values, Some(unit)) => {
                let times: Int64Array =
                    values.to_vec()?.into_iter().map(|time| (time != NOT_A_TIME).then_some(time)).collect();
                let (step, kind) = match unit.as_str() {
                    "" => (1, DataType::Int64),
                    "D" => (86_400, DataType::Timestamp(TimeUnit::Second, None)),
                    "s" => (1, DataType::Timestamp(TimeUnit::Second, None)),
                    "ms" => (1, DataType::Timestamp(TimeUnit::Millisecond, None)),
                    "us" => (1, DataType::Timestamp(TimeUnit::Microsecond, None)),
                    "ns" => (1, DataType::Timestamp(TimeUnit::Nanosecond, None)),
                    _ => return Err(PyTypeError::new_err(format!("Arrow has no times in units of {unit}"))),
                };
                let times = cast(&times.unary::<_, Int64Type>(|time| time * step), &kind).map_err(value_error)?;
                if unit == "D" { cast(&times, &DataType::Date32).map_err(value_error)? } else { times }
            }
            Self::Flags(values) => Arc::new(BooleanArray::from(values.to_vec()?)),
            Self::FlagsWithGaps(values) => Arc::new(BooleanArray::from(values)),
            Self::Texts(values) => Arc::new(StringArray::from(values)),
            Self::Lists(values) => {
                let mut lists = ListBuilder::new(StringBuilder::new());
                for list in values {
                    for text in &list {
                        lists.values().append_value(text);
                    }
                    lists.append(true);
                }
                Arc::new(lists.finish())
            }
        })
    }
}

/// Returns an Arrow table of these columns. In the columns named in `nullable`, NaN is a missing
/// value and becomes null.
#[pyfunction]
pub fn arrow_table(columns: Vec<(String, ArrowColumn<'_>)>, nullable: Vec<String>) -> PyResult<PyTable> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, column) in columns {
        let mut array = column.array()?;
        if nullable.contains(&name) {
            let values = array.as_primitive::<Float64Type>();
            array = Arc::new(values.iter().map(|value| value.filter(|x| !x.is_nan())).collect::<Float64Array>());
        }
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(value_error)?;
    PyTable::try_new(vec![batch], schema)
}
