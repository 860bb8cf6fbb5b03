//! What ends a run early: the message says what, where and what to do.

use crate::signals;
use std::fmt;
use truecount::Subject;
use truecount_analysis::Fault;
use truecount_analysis::advice::worded;
use truecount_analysis::executor::Interrupted;
use truecount_analysis::held::{self, Refused};
use truecount_analysis::results::visible;

/// The exit status where nothing is wrong.
pub const DONE: u8 = 0;

/// A failed run.
#[derive(Debug)]
pub enum Failure {
    /// The data or a file is wrong: exit 1.
    Data(String),
    /// The command line is wrong: exit 2.
    Usage(String),
    /// A signal ended the run: exit 130 for Ctrl-C.
    Interrupted(String),
}

impl Failure {
    /// The exit status of the run.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Data(_) => 1,
            Self::Usage(_) => 2,
            Self::Interrupted(_) => signals::exit_code(),
        }
    }

    /// What is wrong with the command line or the data, by what an error is about.
    fn about(subject: Subject, message: String) -> Self {
        match subject {
            Subject::Options => Self::Usage(message),
            Subject::File | Subject::Scores | Subject::Labels | Subject::Model | Subject::Tally => Self::Data(message),
        }
    }

    /// The same, said to be about a part of the data.
    #[must_use]
    pub fn inside(self, part: &str) -> Self {
        match self {
            Self::Data(message) => Self::Data(format!("{part}: {message}")),
            Self::Usage(message) => Self::Usage(format!("{part}: {message}")),
            interrupted @ Self::Interrupted(_) => interrupted,
        }
    }

    /// For `map_err`: says in which data the library's error is. What was asked for is wrong whatever the data.
    pub fn within(place: impl fmt::Display) -> impl FnOnce(truecount::Error) -> Self {
        move |error| match error.subject() {
            Subject::Options => error.into(),
            subject => Self::about(subject, format!("{place}: {}", worded(&error))),
        }
    }

    /// For `map_err`: says where the error happened.
    pub fn at<E: fmt::Display>(place: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |error| Self::Data(format!("{place}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Self::Data(message) | Self::Usage(message) | Self::Interrupted(message)) = self;
        f.write_str(&visible(message))
    }
}

impl From<truecount_analysis::Error> for Failure {
    fn from(error: truecount_analysis::Error) -> Self {
        match error.fault {
            // What was asked for is wrong whatever the file.
            Fault::Library(error) if error.subject() == Subject::Options => error.into(),
            _ => Self::about(error.fault.subject(), worded(&error)),
        }
    }
}

impl From<held::Failure> for Failure {
    fn from(failure: held::Failure) -> Self {
        match failure {
            held::Failure::Refused(refused, _) => match *refused {
                Refused::Found(fault) => truecount_analysis::Error::from(fault).into(),
                refused => Self::about(refused.subject(), worded(&refused)),
            },
            held::Failure::Interrupted => Interrupted.into(),
        }
    }
}

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted("stopped".to_owned())
    }
}

impl From<truecount::Error> for Failure {
    fn from(error: truecount::Error) -> Self {
        Self::about(error.subject(), worded(&error))
    }
}
