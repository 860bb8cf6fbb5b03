//! The label of the class that is counted, as whoever labelled the scores has it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a positive is called: a model keeps it for those who read its estimates; nothing is computed from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    /// As in a column of flags.
    Flag(bool),
    /// As in a column of 0 and 1.
    Whole(i64),
    /// As in a column of 0.0 and 1.0.
    Number(f64),
    /// A word.
    Text(String),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
