//! The error that a page shows instead of an answer.

use serde_json::{Value, json};
use std::fmt;
use truecount::Error;
use truecount_analysis::TableProblem;
use truecount_analysis::advice::{Message, format_error};

/// An error message for the page.
#[derive(Debug)]
pub struct PageError {
    message: Message,
    /// The number of rows without a value, if they may be left out.
    incomplete: Option<u64>,
}

impl PageError {
    /// Creates an error with this message.
    pub fn new(message: impl Into<Message>) -> Self {
        Self { message: message.into(), incomplete: None }
    }

    /// Returns the answer that the page gets instead of results.
    pub fn answer(&self) -> Value {
        json!({ "error": self.to_string(), "incomplete": self.incomplete })
    }

    /// Returns a function for `map_err` that puts the place in front of the error.
    pub fn at<E: fmt::Display>(place: &str) -> impl FnOnce(E) -> Self {
        move |error| Self::new(format!("{place}: {error}"))
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl<E: Into<Error>> From<E> for PageError {
    fn from(error: E) -> Self {
        let error = error.into();
        let incomplete = match error.problem() {
            Some(TableProblem::RowsWithoutValue { rows, .. }) => Some(*rows),
            _ => None,
        };
        Self { message: format_error(&error), incomplete }
    }
}
