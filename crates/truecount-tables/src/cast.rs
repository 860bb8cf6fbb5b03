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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, StringArray};
    use std::sync::Arc;

    #[test]
    fn casts_agree_with_arrow_cast() {
        use DataType::{Date32, Float32, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64};
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![Some(0), None, Some(3), Some(127)]));
        for kind in [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float32, Date32] {
            let intermediate = if kind == Date32 { cast(&numbers, &Int32).unwrap() } else { Arc::clone(&numbers) };
            let column = cast(&intermediate, &kind).unwrap();
            if kind != Float32 {
                assert_eq!(to_ints(&column).unwrap(), *cast(&column, &Int64).unwrap().as_primitive(), "{kind}");
            }
            if kind != Date32 {
                assert_eq!(
                    to_doubles(&column).unwrap(),
                    *cast(&column, &DataType::Float64).unwrap().as_primitive(),
                    "{kind}"
                );
            }
        }
        let words: ArrayRef =
            Arc::new(StringArray::from(vec![Some("a"), None, Some(""), Some("longer than twelve bytes")]));
        for kind in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
            let column = cast(&words, &kind).unwrap();
            assert_eq!(to_texts(&column).unwrap(), *words.as_string::<i32>(), "{kind}");
        }
    }
}
