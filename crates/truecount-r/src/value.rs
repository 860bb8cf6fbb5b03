//! Values for R. They are built in Rust, on any thread, and converted all at once, so that no
//! garbage collection of R happens in between.

use savvy::{
    NotAvailableValue, OwnedIntegerSexp, OwnedListSexp, OwnedLogicalSexp, OwnedRealSexp, OwnedStringSexp, Result, Sexp,
};
use truecount::error::{Condition, Field};

/// A value that can be converted to R.
pub enum Value {
    Null,
    /// Numbers; `None` becomes NA.
    Numbers(Vec<Option<f64>>),
    /// Counts: R integers if all of them fit, otherwise doubles.
    Counts(Vec<u64>),
    Flags(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
    /// A list with names.
    List(Vec<(String, Value)>),
    /// A list without names.
    Items(Vec<Value>),
    /// A Rust object that R gets a pointer to.
    Pointer(Box<dyn FnOnce() -> Result<Sexp>>),
}

impl Value {
    /// Creates a list with names.
    pub fn named(values: impl IntoIterator<Item = (impl Into<String>, Self)>) -> Self {
        Self::List(values.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    pub fn text(text: impl Into<String>) -> Self {
        Self::Texts(vec![Some(text.into())])
    }

    pub fn texts(texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::Texts(texts.into_iter().map(|text| Some(text.into())).collect())
    }

    pub fn number(number: f64) -> Self {
        Self::Numbers(vec![Some(number)])
    }

    pub fn numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::Numbers(numbers.into_iter().map(Some).collect())
    }

    pub fn count(count: u64) -> Self {
        Self::Counts(vec![count])
    }

    /// Creates indices as R counts them, from 1.
    pub fn indices(indices: impl IntoIterator<Item = usize>) -> Self {
        Self::Counts(indices.into_iter().map(|index| index as u64 + 1).collect())
    }

    /// Creates a pointer to an object that stays in Rust.
    pub fn pointer<T: TryInto<Sexp, Error = savvy::Error> + 'static>(object: T) -> Self {
        Self::Pointer(Box::new(|| object.try_into()))
    }

    pub fn fields(condition: &(impl Condition + ?Sized)) -> Vec<(String, Self)> {
        let value = |field| match field {
            Field::Integer(count) => Self::count(count),
            Field::Number(number) => Self::number(number),
            Field::Text(text) => Self::text(text),
            Field::Texts(texts) => Self::texts(texts),
            other => Self::text(format!("{other:?}")),
        };
        condition.fields().into_iter().map(|(name, field)| (name.to_owned(), value(field))).collect()
    }

    /// Converts JSON: an array of numbers becomes a vector, any other array a list.
    pub fn json(value: serde_json::Value) -> Self {
        use serde_json::Value::{Array, Bool, Null, Number, Object, String};
        let number = |value: &serde_json::Value| value.as_f64();
        match value {
            Null => Self::Null,
            Bool(flag) => Self::Flags(vec![Some(flag)]),
            Number(number) => Self::Numbers(vec![number.as_f64()]),
            String(text) => Self::text(text),
            Array(values) if values.iter().all(serde_json::Value::is_number) => {
                Self::Numbers(values.iter().map(number).collect())
            }
            Array(values) => Self::Items(values.into_iter().map(Self::json).collect()),
            Object(values) => Self::named(values.into_iter().map(|(name, value)| (name, Self::json(value)))),
        }
    }

    pub fn into_r(self) -> Result<Sexp> {
        match self {
            Self::Null => Ok(savvy::NullSexp.into()),
            Self::Numbers(numbers) => {
                let numbers: Vec<f64> = numbers.into_iter().map(|number| number.unwrap_or_else(f64::na)).collect();
                OwnedRealSexp::try_from_slice(numbers)?.into()
            }
            Self::Counts(counts) => counts_into_r(&counts),
            Self::Flags(flags) => {
                let mut vector = OwnedLogicalSexp::new(flags.len())?;
                for (index, flag) in flags.into_iter().enumerate() {
                    match flag {
                        Some(flag) => vector.set_elt(index, flag)?,
                        None => vector.set_na(index)?,
                    }
                }
                vector.into()
            }
            Self::Texts(texts) => {
                let texts: Vec<&str> =
                    texts.iter().map(|text| text.as_deref().unwrap_or_else(NotAvailableValue::na)).collect();
                OwnedStringSexp::try_from_slice(texts)?.into()
            }
            Self::List(values) => {
                let mut list = OwnedListSexp::new(values.len(), true)?;
                for (index, (name, value)) in values.into_iter().enumerate() {
                    list.set_value(index, value.into_r()?)?;
                    list.set_name(index, &name)?;
                }
                list.into()
            }
            Self::Items(values) => {
                let mut list = OwnedListSexp::new(values.len(), false)?;
                for (index, value) in values.into_iter().enumerate() {
                    list.set_value(index, value.into_r()?)?;
                }
                list.into()
            }
            Self::Pointer(create) => create(),
        }
    }
}

/// Converts counts to R integers if all of them fit, otherwise to doubles.
fn counts_into_r(counts: &[u64]) -> Result<Sexp> {
    if let Ok(small) = counts.iter().map(|count| i32::try_from(*count)).collect::<std::result::Result<Vec<_>, _>>() {
        return OwnedIntegerSexp::try_from_slice(small)?.into();
    }
    #[allow(clippy::cast_precision_loss)] // at most 2^53
    let large: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    OwnedRealSexp::try_from_slice(large)?.into()
}
