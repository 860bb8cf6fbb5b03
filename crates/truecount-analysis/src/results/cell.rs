//! Values of tables.

use serde_json::Value;
use std::borrow::Cow;
use truecount::Estimate;
use truecount::plan::Size;

/// A value of a table. The column's unit says which variant to expect.
#[derive(Clone, Debug)]
pub enum ResultCell<'a> {
    /// A missing value: unknown, not requested, or without a formula.
    None,
    /// A name or words.
    Text(Cow<'a, str>),
    /// A count.
    Whole(u64),
    /// An unlimited count.
    Unlimited,
    /// Any other number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// The warnings of an estimate.
    Warnings(&'a Estimate),
    /// A list or an object, for JSON alone.
    Nested(Value),
}

impl<'a, T: Into<ResultCell<'a>>> From<Option<T>> for ResultCell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

impl<'a> From<&'a str> for ResultCell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for ResultCell<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<Value> for ResultCell<'_> {
    fn from(value: Value) -> Self {
        Self::Nested(value)
    }
}

/// A number or a flag of a row, which may be optional.
pub trait CellValue: for<'a> Into<ResultCell<'a>> {
    /// Whether a row may have no value.
    const IS_OPTIONAL: bool = false;
}

impl<T: CellValue> CellValue for Option<T> {
    const IS_OPTIONAL: bool = true;
}

impl From<Size> for ResultCell<'_> {
    fn from(size: Size) -> Self {
        match size {
            Size::Finite(n) => Self::Whole(n),
            Size::Unlimited => Self::Unlimited,
        }
    }
}

/// In machine-readable output an unlimited size is a missing value.
impl CellValue for Size {
    const IS_OPTIONAL: bool = true;
}

macro_rules! cell_values {
    ($($type:ty, $value:pat => $cell:expr;)+) => {$(
        impl From<$type> for ResultCell<'_> {
            fn from($value: $type) -> Self {
                $cell
            }
        }

        impl CellValue for $type {}
    )+};
}

cell_values! {
    u32, count => Self::Whole(count.into());
    u64, count => Self::Whole(count);
    usize, count => Self::Whole(count as u64);
    f64, number => Self::Number(number);
    bool, flag => Self::Flag(flag);
}
