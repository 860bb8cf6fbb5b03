//! The error that a page shows instead of an answer.

use std::fmt;
use truecount::Error;
use truecount_analysis::advice::{Message, format_error};

/// An error message for the page.
#[derive(Debug)]
pub struct PageError(Message);

impl PageError {
    /// Creates an error with this message.
    pub fn new(message: impl Into<Message>) -> Self {
        Self(message.into())
    }

    /// Returns a function for `map_err` that puts the place in front of the error.
    pub fn at<E: fmt::Display>(place: &str) -> impl FnOnce(E) -> Self {
        move |error| Self(Message::from(format!("{place}: {error}")))
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E: Into<Error>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(format_error(&error.into()))
    }
}
