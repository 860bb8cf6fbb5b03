//! The error that ends a run. Its message says what is wrong, where, and what to do.

use crate::signals;
use std::fmt;
use truecount::Error;
use truecount::error::ErrorKind;
use truecount_analysis::advice::{Message, format_error};

/// Exit status of a successful run.
pub const SUCCESS: u8 = 0;

/// A failed run.
#[derive(Debug)]
pub enum CliError {
    /// The data or a file is wrong: exit 1.
    Data(Message),
    /// The command line is wrong: exit 2.
    Usage(Message),
    /// A signal ended the run: exit 130 for Ctrl-C.
    Interrupted(Message),
}

impl CliError {
    /// Creates an error in the command line, with a hint.
    pub fn usage(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage(Message::new(problem, hint))
    }

    /// Creates an error in the data or a file, with a hint.
    pub fn data(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Data(Message::new(problem, hint))
    }

    /// Exit status of the run.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Data(_) => 1,
            Self::Usage(_) => 2,
            Self::Interrupted(_) => signals::exit_code(),
        }
    }

    /// Prepends the name of a part of the data to the message.
    #[must_use]
    pub fn inside(self, part: &str) -> Self {
        match self {
            Self::Data(message) => Self::Data(message.at(part)),
            Self::Usage(message) => Self::Usage(message.at(part)),
            interrupted @ Self::Interrupted(_) => interrupted,
        }
    }

    /// Returns a function for `map_err` that prepends the location of an error.
    pub fn at<E: fmt::Display>(location: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |error| Self::Data(Message::from(format!("{location}: {error}")))
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Self::Data(message) | Self::Usage(message) | Self::Interrupted(message)) = self;
        message.fmt(f)
    }
}

impl<E: Into<Error>> From<E> for CliError {
    fn from(error: E) -> Self {
        let error = error.into();
        match error.kind() {
            _ if error.code() == "work-interrupted" => Self::Interrupted(format_error(&error)),
            ErrorKind::Options => Self::Usage(format_error(&error)),
            ErrorKind::File | ErrorKind::Scores | ErrorKind::Labels | ErrorKind::Model | ErrorKind::Tally => {
                Self::Data(format_error(&error))
            }
        }
    }
}
