//! What a page is told where there is no answer.

use std::fmt;
use truecount::Error;
use truecount_analysis::advice::format_error;
use truecount_analysis::results::escape_untrusted;

/// A sentence that says what is wrong.
#[derive(Debug)]
pub struct PageError(String);

impl PageError {
    /// An error with this sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// For `map_err`: says where the error happened.
    pub fn at<E: fmt::Display>(place: &str) -> impl FnOnce(E) -> Self {
        move |error| Self(format!("{place}: {error}"))
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
