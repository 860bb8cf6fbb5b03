//! The error that the page shows instead of an answer.

use std::fmt;
use truecount::Error;
use truecount_analysis::advice::format_error;
use truecount_analysis::results::escape_untrusted;

/// An error with its sentence.
#[derive(Debug)]
pub struct PageError(String);

impl PageError {
    /// Creates an error with this sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// Returns a function for `map_err` that prepends the location of an error.
    pub fn at<E: fmt::Display>(location: &str) -> impl FnOnce(E) -> Self {
        move |error| Self(format!("{location}: {error}"))
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&escape_untrusted(&self.0))
    }
}

impl<E: Into<Error>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(format_error(&error.into()))
    }
}
