//! Values on their way to R: made in Rust alone, on any thread, and turned into R's in one go, so that no garbage collection comes in
//! between.

use savvy::{OwnedIntegerSexp, OwnedListSexp, OwnedLogicalSexp, OwnedRealSexp, OwnedStringSexp, Result, Sexp};
use truecount::{Condition, Field};

/// A value of R.
pub enum Value {
    Null,
    /// Numbers; what is not known is NA.
    Numbers(Vec<Option<f64>>),
    /// Counts: R's integers where they suffice, else doubles.
    Wholes(Vec<u64>),
    Flags(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
    /// Values with names.
    List(Vec<(String, Value)>),
    /// Values without names.
    Items(Vec<Value>),
    /// What stays in Rust, and R has a pointer to.
    Held(Box<dyn FnOnce() -> Result<Sexp>>),
}

impl Value {
    /// Values with these names.
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

    pub fn whole(count: u64) -> Self {
        Self::Wholes(vec![count])
    }

    /// Rows as R counts them, from 1.
    pub fn places(places: impl IntoIterator<Item = usize>) -> Self {
        Self::Wholes(places.into_iter().map(|place| place as u64 + 1).collect())
    }

    /// What stays in Rust.
    pub fn held<T: TryInto<Sexp, Error = savvy::Error> + 'static>(held: T) -> Self {
        Self::Held(Box::new(|| held.try_into()))
    }

    /// What a condition is about, by name.
    pub fn fields(condition: &(impl Condition + ?Sized)) -> Vec<(String, Self)> {
        let of = |field| match field {
            Field::Whole(count) => Self::whole(count),
            Field::Number(number) => Self::number(number),
            Field::Text(text) => Self::text(text),
            Field::Texts(texts) => Self::texts(texts),
            other => Self::text(format!("{other:?}")),
        };
        condition.fields().into_iter().map(|(name, field)| (name.to_owned(), of(field))).collect()
    }

    /// What JSON says: numbers one after the other are a vector, other values a list.
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

    /// The same as R has it.
    pub fn into_r(self) -> Result<Sexp> {
        match self {
            Self::Null => Ok(savvy::NullSexp.into()),
            Self::Numbers(numbers) => {
                let mut made = OwnedRealSexp::new(numbers.len())?;
                for (place, number) in numbers.into_iter().enumerate() {
                    match number {
                        Some(number) => made.set_elt(place, number)?,
                        None => made.set_na(place)?,
                    }
                }
                made.into()
            }
            Self::Wholes(counts) => wholes(&counts),
            Self::Flags(flags) => {
                let mut made = OwnedLogicalSexp::new(flags.len())?;
                for (place, flag) in flags.into_iter().enumerate() {
                    match flag {
                        Some(flag) => made.set_elt(place, flag)?,
                        None => made.set_na(place)?,
                    }
                }
                made.into()
            }
            Self::Texts(texts) => {
                let mut made = OwnedStringSexp::new(texts.len())?;
                for (place, text) in texts.into_iter().enumerate() {
                    match text {
                        Some(text) => made.set_elt(place, &text)?,
                        None => made.set_na(place)?,
                    }
                }
                made.into()
            }
            Self::List(values) => {
                let mut made = OwnedListSexp::new(values.len(), true)?;
                for (place, (name, value)) in values.into_iter().enumerate() {
                    made.set_value(place, value.into_r()?)?;
                    made.set_name(place, &name)?;
                }
                made.into()
            }
            Self::Items(values) => {
                let mut made = OwnedListSexp::new(values.len(), false)?;
                for (place, value) in values.into_iter().enumerate() {
                    made.set_value(place, value.into_r()?)?;
                }
                made.into()
            }
            Self::Held(pointer) => pointer(),
        }
    }
}

fn wholes(counts: &[u64]) -> Result<Sexp> {
    if let Ok(small) = counts.iter().map(|count| i32::try_from(*count)).collect::<std::result::Result<Vec<_>, _>>() {
        return OwnedIntegerSexp::try_from_slice(small)?.into();
    }
    #[allow(clippy::cast_precision_loss)] // at most 2^53
    let large: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    OwnedRealSexp::try_from_slice(large)?.into()
}
