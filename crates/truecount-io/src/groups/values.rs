//! The values of grouping columns as JSON: numbers as numbers, booleans as true and false, missing values as null, and
//! everything else as text.

use crate::kernels::{ArrayFormatter, FormatOptions, cast};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, BooleanArray, Float32Array, Float64Array, Int64Array, RecordBatch, UInt64Array};
use arrow_schema::DataType;
use serde::ser::{Serialize, Serializer};

/// The values of every group, as JSON.
pub struct Values<'a>(Vec<Column<'a>>);

enum Column<'a> {
    Signed(Int64Array),
    Unsigned(UInt64Array),
    Single(Float32Array),
    Double(Float64Array),
    Logical(BooleanArray),
    Other(&'a dyn Array, ArrayFormatter<'a>),
}

/// The value of one group in one column.
pub struct Value<'a>(&'a Column<'a>, usize);

impl<'a> Values<'a> {
    /// The values of these grouping columns.
    pub fn new(keys: &'a RecordBatch) -> Self {
        Self(keys.columns().iter().map(|column| Column::new(column.as_ref())).collect())
    }

    /// The values of one group.
    pub fn of(&self, group: usize) -> impl Iterator<Item = Value<'_>> {
        self.0.iter().map(move |column| Value(column, group))
    }
}

impl<'a> Column<'a> {
    fn new(column: &'a dyn Array) -> Self {
        static OPTIONS: FormatOptions = FormatOptions::new();
        let wider = |to: &DataType| cast(column, to).expect("a number of the same kind, and wider");
        match column.data_type() {
            kind if kind.is_signed_integer() => {
                Self::Signed(wider(&DataType::Int64).as_primitive::<Int64Type>().clone())
            }
            kind if kind.is_unsigned_integer() => {
                Self::Unsigned(wider(&DataType::UInt64).as_primitive::<UInt64Type>().clone())
            }
            DataType::Float16 | DataType::Float32 => {
                Self::Single(wider(&DataType::Float32).as_primitive::<Float32Type>().clone())
            }
            DataType::Float64 => Self::Double(column.as_primitive::<Float64Type>().clone()),
            DataType::Boolean => Self::Logical(column.as_boolean().clone()),
            _ => Self::Other(column, ArrayFormatter::try_new(column, &OPTIONS).expect("a type that can be shown")),
        }
    }

    fn array(&self) -> &dyn Array {
        match self {
            Self::Signed(values) => values,
            Self::Unsigned(values) => values,
            Self::Single(values) => values,
            Self::Double(values) => values,
            Self::Logical(values) => values,
            Self::Other(values, _) => *values,
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(column, group) = *self;
        if column.array().is_null(group) {
            return serializer.serialize_none();
        }
        match column {
            Column::Signed(values) => serializer.serialize_i64(values.value(group)),
            Column::Unsigned(values) => serializer.serialize_u64(values.value(group)),
            // JSON has no infinities and no NaN.
            Column::Single(values) if values.value(group).is_finite() => serializer.serialize_f32(values.value(group)),
            Column::Double(values) if values.value(group).is_finite() => serializer.serialize_f64(values.value(group)),
            Column::Single(values) => serializer.collect_str(&values.value(group)),
            Column::Double(values) => serializer.collect_str(&values.value(group)),
            Column::Logical(values) => serializer.serialize_bool(values.value(group)),
            Column::Other(_, texts) => serializer.collect_str(&texts.value(group)),
        }
    }
}
