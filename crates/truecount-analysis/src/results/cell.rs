//! One value of a table.

use serde_json::Value;
use std::borrow::Cow;
use truecount::Warning;
use truecount::inference::Size;

/// A value, of the kind its column's unit announces.
#[derive(Clone, Debug)]
pub enum Cell<'a> {
    /// No value: there is no formula for it, nobody asked for it, or it is not known.
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
    Warnings(&'a [Warning]),
    /// A list or an object, for JSON alone.
    Nested(Value),
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<u64> for Cell<'_> {
    fn from(count: u64) -> Self {
        Self::Whole(count)
    }
}

impl From<usize> for Cell<'_> {
    fn from(count: usize) -> Self {
        Self::Whole(count as u64)
    }
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Cell<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<'a> From<&'a [Warning]> for Cell<'a> {
    fn from(warnings: &'a [Warning]) -> Self {
        Self::Warnings(warnings)
    }
}

impl From<Value> for Cell<'_> {
    fn from(value: Value) -> Self {
        Self::Nested(value)
    }
}

impl From<Size> for Cell<'_> {
    fn from(size: Size) -> Self {
        match size {
            Size::Of(n) => Self::Whole(n),
            Size::Unlimited => Self::Unlimited,
        }
    }
}
