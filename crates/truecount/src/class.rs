//! The two classes, and pairs of values for them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The class whose prevalence is estimated.
    Positive,
    /// The other class.
    Negative,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
        })
    }
}

/// A value for each of the two classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerClass<T> {
    /// The value for the positives.
    pub positive: T,
    /// The value for the negatives.
    pub negative: T,
}

impl<T> PerClass<T> {
    pub(crate) fn get(&self, class: Class) -> &T {
        match class {
            Class::Positive => &self.positive,
            Class::Negative => &self.negative,
        }
    }

    /// Returns the values of a function for both classes.
    pub(crate) fn from_fn(mut f: impl FnMut(Class) -> T) -> Self {
        Self { positive: f(Class::Positive), negative: f(Class::Negative) }
    }

    /// Applies a function to the values and those of another pair.
    pub(crate) fn zip_map<U, V>(&self, other: &PerClass<U>, mut f: impl FnMut(&T, &U) -> V) -> PerClass<V> {
        PerClass { positive: f(&self.positive, &other.positive), negative: f(&self.negative, &other.negative) }
    }

    /// Applies a function to both values.
    pub fn map<'a, U>(&'a self, mut f: impl FnMut(&'a T) -> U) -> PerClass<U> {
        PerClass { positive: f(&self.positive), negative: f(&self.negative) }
    }

    /// Applies a function that may fail to both values, together with their class.
    ///
    /// # Errors
    /// Returns the error of `f`, for the positives first.
    pub(crate) fn try_map<U, E>(&self, mut f: impl FnMut(Class, &T) -> Result<U, E>) -> Result<PerClass<U>, E> {
        Ok(PerClass { positive: f(Class::Positive, &self.positive)?, negative: f(Class::Negative, &self.negative)? })
    }
}
