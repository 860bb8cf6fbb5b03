//! The two classes, and what there is of each.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// What is counted.
    Positive,
    /// The rest.
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

/// The same thing for each of the two classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerClass<T> {
    /// Of the positives.
    pub positive: T,
    /// Of the negatives.
    pub negative: T,
}

impl<T> PerClass<T> {
    /// Does the same to both.
    pub fn map<'a, U>(&'a self, mut f: impl FnMut(&'a T) -> U) -> PerClass<U> {
        PerClass { positive: f(&self.positive), negative: f(&self.negative) }
    }

    /// Does to both what can fail, knowing the class.
    pub(crate) fn try_map<U, E>(&self, mut f: impl FnMut(Class, &T) -> Result<U, E>) -> Result<PerClass<U>, E> {
        Ok(PerClass { positive: f(Class::Positive, &self.positive)?, negative: f(Class::Negative, &self.negative)? })
    }
}
