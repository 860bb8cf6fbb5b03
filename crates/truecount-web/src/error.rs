//! What a page is told where there is no answer.

use std::fmt;
use truecount::Subject;
use truecount_analysis::Fault;
use truecount_analysis::advice::worded;
use truecount_analysis::held::{Failure, Refused};
use truecount_analysis::results::visible;

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

    /// For `map_err`: says in which file the library's error is. What was asked for is wrong whatever the file.
    pub fn within(place: impl fmt::Display) -> impl FnOnce(truecount::Error) -> Self {
        move |error| match error.subject() {
            Subject::Options => error.into(),
            _ => Self(format!("{place}: {}", worded(&error))),
        }
    }
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&visible(&self.0))
    }
}

impl From<truecount::Error> for PageError {
    fn from(error: truecount::Error) -> Self {
        Self(worded(&error))
    }
}

impl From<truecount_analysis::Error> for PageError {
    fn from(error: truecount_analysis::Error) -> Self {
        match error.fault {
            // What was asked for is wrong whatever the file.
            Fault::Library(error) if error.subject() == Subject::Options => error.into(),
            _ => Self(worded(&error)),
        }
    }
}

impl From<Failure> for PageError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refused, _) => match *refused {
                Refused::Found(fault) => truecount_analysis::Error::from(fault).into(),
                refused => Self(worded(&refused)),
            },
            Failure::Interrupted => Self("stopped".to_owned()),
        }
    }
}
