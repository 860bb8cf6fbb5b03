//! Group values as the typed columns of tally files, from Python's values and back.
//!
//! A column crosses as the name of a kind, its values, and the zone of points in time. `_keys.py`
//! converts between these kinds and Python's types.

use crate::error::value_error;
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Date32Array, Float64Array, Int64Array, PrimitiveArray,
    RecordBatch, RecordBatchOptions, StringArray, UInt64Array,
};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use pyo3::prelude::*;
use std::sync::Arc;
use truecount_analysis::groups::GroupNames;
use truecount_tables::groups::Keys;

/// A column's name, kind, values and, of points in time, zone.
pub type KeyColumn<'py> = (String, String, Bound<'py, PyAny>, Option<String>);

/// The most digits that Arrow's decimal numbers have.
const DIGITS: u8 = 38;

/// The units of points in time, with their kinds.
const UNITS: [(&str, TimeUnit); 4] = [
    ("s", TimeUnit::Second),
    ("ms", TimeUnit::Millisecond),
    ("us", TimeUnit::Microsecond),
    ("ns", TimeUnit::Nanosecond),
];

/// Returns the keys of this number of groups.
pub fn keys(columns: &[KeyColumn], groups: usize) -> PyResult<Keys> {
    let arrays = columns.iter().map(|(_, kind, values, zone)| array(kind, values, zone.as_deref()));
    let arrays = arrays.collect::<PyResult<Vec<_>>>()?;
    let fields =
        columns.iter().zip(&arrays).map(|((name, ..), array)| Field::new(name, array.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let rows = RecordBatchOptions::new().with_row_count(Some(groups));
    RecordBatch::try_new_with_options(schema, arrays, &rows).map(Keys::new).map_err(value_error)
}

/// Returns the columns of keys.
pub fn columns<'py>(py: Python<'py>, keys: &Keys) -> PyResult<Vec<KeyColumn<'py>>> {
    let batch = keys.batch();
    let columns = keys.columns().zip(batch.columns()).map(|(name, array)| {
        let (kind, values, zone) = values(py, array)?;
        Ok((name.to_owned(), kind.to_owned(), values, zone))
    });
    columns.collect()
}

fn array(kind: &str, values: &Bound<PyAny>, zone: Option<&str>) -> PyResult<ArrayRef> {
    let to = |array: ArrayRef, kind: &DataType| cast(&array, kind).map_err(value_error);
    let whole = || -> PyResult<ArrayRef> { Ok(Arc::new(Int64Array::from(values.extract::<Vec<Option<i64>>>()?))) };
    let texts = || -> PyResult<ArrayRef> { Ok(Arc::new(StringArray::from(values.extract::<Vec<Option<String>>>()?))) };
    Ok(match kind {
        "text" => texts()?,
        "flag" => Arc::new(BooleanArray::from(values.extract::<Vec<Option<bool>>>()?)),
        "whole" => whole()?,
        "natural" => Arc::new(UInt64Array::from(values.extract::<Vec<Option<u64>>>()?)),
        "float" => Arc::new(Float64Array::from(values.extract::<Vec<Option<f64>>>()?)),
        "date" => Arc::new(Date32Array::from(values.extract::<Vec<Option<i32>>>()?)),
        "clock" => to(whole()?, &DataType::Time64(TimeUnit::Microsecond))?,
        "decimal" => {
            let scale = values.try_iter()?.map(|value| decimals(&value?)).collect::<PyResult<Vec<i8>>>()?;
            to(texts()?, &DataType::Decimal128(DIGITS, scale.into_iter().max().unwrap_or(0)))?
        }
        unit => {
            let unit = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, unit)| *unit);
            let unit = unit.ok_or_else(|| value_error(format!("{kind} is no kind of values")))?;
            to(whole()?, &DataType::Timestamp(unit, zone.map(Into::into)))?
        }
    })
}

/// Returns the number of digits behind the decimal point.
fn decimals(value: &Bound<PyAny>) -> PyResult<i8> {
    let text: Option<String> = value.extract()?;
    let digits = text.and_then(|text| text.split_once('.').map(|(_, digits)| digits.len())).unwrap_or(0);
    i8::try_from(digits).map_err(value_error)
}

/// The kind of a column, its values, and the zone of points in time.
type KeyValues<'py> = (&'static str, Bound<'py, PyAny>, Option<String>);

fn values<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<KeyValues<'py>> {
    let to = |kind: &DataType| cast(array, kind).map_err(value_error);
    let list = |kind, values: Bound<'py, PyAny>| Ok((kind, values, None));
    match array.data_type() {
        DataType::Boolean => list("flag", array.as_boolean().iter().collect::<Vec<_>>().into_pyobject(py)?),
        DataType::UInt64 => list("natural", primitives::<UInt64Type>(py, array)?),
        kind if kind.is_integer() => list("whole", primitives::<Int64Type>(py, &to(&DataType::Int64)?)?),
        kind if kind.is_floating() => list("float", primitives::<Float64Type>(py, &to(&DataType::Float64)?)?),
        DataType::Date32 => list("date", primitives::<Date32Type>(py, array)?),
        DataType::Time32(_) | DataType::Time64(_) => {
            let clock = cast(&to(&DataType::Time64(TimeUnit::Microsecond))?, &DataType::Int64).map_err(value_error)?;
            list("clock", primitives::<Int64Type>(py, &clock)?)
        }
        DataType::Timestamp(unit, zone) => {
            let kind = UNITS.iter().find(|(_, known)| known == unit).map_or("s", |(name, _)| name);
            Ok((kind, primitives::<Int64Type>(py, &to(&DataType::Int64)?)?, zone.as_deref().map(str::to_owned)))
        }
        kind => {
            let texts = to(&DataType::Utf8)?;
            let texts = texts.as_string::<i32>().iter().collect::<Vec<_>>().into_pyobject(py)?;
            list(if kind.is_decimal() { "decimal" } else { "text" }, texts)
        }
    }
}

fn primitives<'py, T: ArrowPrimitiveType>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyAny>>
where
    T::Native: IntoPyObject<'py>,
{
    let values: &PrimitiveArray<T> = array.as_primitive();
    values.iter().collect::<Vec<Option<T::Native>>>().into_pyobject(py)
}
