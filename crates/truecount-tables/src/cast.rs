//! Casts columns to integers, doubles or texts. The most common types are converted here, since
//! this crate's loops are compiled for speed; `arrow-cast` converts all others.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, Float64Array, Int64Array, PrimitiveArray, StringArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};

/// Casts a column to integers, including the integers that represent dates and times.
pub fn to_ints(values: &ArrayRef) -> Result<Int64Array, ArrowError> {
    Ok(match values.data_type() {
        DataType::Int8 => map_values::<Int8Type, Int64Type>(values, i64::from),
        DataType::Int16 => map_values::<Int16Type, Int64Type>(values, i64::from),
        DataType::Int32 => map_values::<Int32Type, Int64Type>(values, i64::from),
        DataType::UInt8 => map_values::<UInt8Type, Int64Type>(values, i64::from),
        DataType::UInt16 => map_values::<UInt16Type, Int64Type>(values, i64::from),
        DataType::UInt32 => map_values::<UInt32Type, Int64Type>(values, i64::from),
        DataType::Date32 => map_values::<Date32Type, Int64Type>(values, i64::from),
        _ => cast(values, &DataType::Int64)?.as_primitive().clone(),
    })
}

/// Casts a column to doubles.
pub fn to_doubles(values: &ArrayRef) -> Result<Float64Array, ArrowError> {
    Ok(match values.data_type() {
        DataType::Float32 => map_values::<Float32Type, Float64Type>(values, f64::from),
        DataType::Int8 => map_values::<Int8Type, Float64Type>(values, f64::from),
        DataType::Int16 => map_values::<Int16Type, Float64Type>(values, f64::from),
        DataType::Int32 => map_values::<Int32Type, Float64Type>(values, f64::from),
        DataType::Int64 => map_values::<Int64Type, Float64Type>(values, |x| x as f64),
        DataType::UInt8 => map_values::<UInt8Type, Float64Type>(values, f64::from),
        DataType::UInt16 => map_values::<UInt16Type, Float64Type>(values, f64::from),
        DataType::UInt32 => map_values::<UInt32Type, Float64Type>(values, f64::from),
        DataType::UInt64 => map_values::<UInt64Type, Float64Type>(values, |x| x as f64),
        _ => cast(values, &DataType::Float64)?.as_primitive().clone(),
    })
}

/// Casts a column to texts.
pub fn to_texts(values: &ArrayRef) -> Result<StringArray, ArrowError> {
    Ok(match values.data_type() {
        DataType::LargeUtf8 => values.as_string::<i64>().iter().collect(),
        DataType::Utf8View => values.as_string_view().iter().collect(),
        _ => cast(values, &DataType::Utf8)?.as_string().clone(),
    })
}

fn map_values<From: ArrowPrimitiveType, To: ArrowPrimitiveType>(
    values: &ArrayRef,
    convert: impl Fn(From::Native) -> To::Native,
) -> PrimitiveArray<To> {
    values.as_primitive::<From>().unary(convert)
}
