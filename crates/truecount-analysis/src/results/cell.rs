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

impl From<u64> for ResultCell<'_> {
    fn from(count: u64) -> Self {
        Self::Whole(count)
    }
}

impl From<usize> for ResultCell<'_> {
    fn from(count: usize) -> Self {
        Self::Whole(count as u64)
    }
}

impl From<f64> for ResultCell<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for ResultCell<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Value> for ResultCell<'_> {
    fn from(value: Value) -> Self {
        Self::Nested(value)
    }
}

impl From<Size> for ResultCell<'_> {
    fn from(size: Size) -> Self {
        match size {
            Size::Finite(n) => Self::Whole(n),
            Size::Unlimited => Self::Unlimited,
        }
    }
}
