//! What ends a run early: the message says what, where and what to do.

use std::fmt;
use std::process::ExitCode;
use truecount::Subject;
use truecount_io::Fault;
use truecount_io::results::visible;

/// A failed run.
#[derive(Debug)]
pub enum Failure {
    /// The data or a file is wrong: exit 1.
    Data(String),
    /// The command line is wrong: exit 2.
    Usage(String),
    /// Ctrl-C ended the run: exit 130, as shells have it.
    Interrupted(String),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Data(_) => 1,
            Self::Usage(_) => 2,
            Self::Interrupted(_) => 130,
        })
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

impl From<truecount_io::Error> for Failure {
    fn from(error: truecount_io::Error) -> Self {
        let option = match &error.fault {
            Fault::PositiveUnknown { example, .. } => format!(", as in --positive {example}"),
            Fault::Inverted { negatives, .. } => format!(" (--positive {negatives})"),
            Fault::OutsideUnitInterval { .. } => {
                "; scores of any size are for --transform none or rank, with any --family but beta".to_owned()
            }
            Fault::BinsGroups { .. } => "; choose them with --by".to_owned(),
            _ => String::new(),
        };
        Self::Data(format!("{error}{option}"))
    }
}

impl From<truecount::Error> for Failure {
    fn from(error: truecount::Error) -> Self {
        match error.subject() {
            Subject::Options => Self::Usage(error.to_string()),
            _ => Self::Data(error.to_string()),
        }
    }
}
