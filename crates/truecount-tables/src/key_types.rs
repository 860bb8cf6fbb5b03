//! Types of columns whose values can define groups.

use arrow_array::timezone::Tz;
use arrow_schema::DataType;

/// Returns whether values of this type can define groups, which requires that each can be formatted
/// as text. Damaged files may have types for which that fails.
pub fn is_groupable(kind: &DataType) -> bool {
    use DataType::{
        Boolean, Date32, Date64, Decimal32, Decimal64, Decimal128, Decimal256, Dictionary, Null, Time32, Time64,
        Timestamp,
    };
    match kind {
        Dictionary(_, values) => is_groupable(values),
        Decimal32(digits, scale) | Decimal64(digits, scale) | Decimal128(digits, scale) | Decimal256(digits, scale) => {
            u8::try_from(*scale).is_ok_and(|scale| scale <= *digits)
        }
        Timestamp(_, Some(zone)) => zone.parse::<Tz>().is_ok(),
        Null | Boolean | Date32 | Date64 | Time32(_) | Time64(_) | Timestamp(_, None) => true,
        kind => kind.is_string() || kind.is_integer() || kind.is_floating(),
    }
}
