//! What people see after a row that is to be read with care.

use truecount::Severity;

/// The mark of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// None.
    #[default]
    None,
    /// A star: there is something to read.
    Star,
    /// A dagger: not to be relied on.
    Dagger,
}

impl Mark {
    /// That of a row whose gravest warning is of this severity.
    pub fn from_severity(severity: Option<Severity>) -> Self {
        match severity {
            None => Self::None,
            Some(Severity::Unreliable) => Self::Dagger,
            Some(_) => Self::Star,
        }
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Star => "*",
            Self::Dagger => "†",
        }
    }
}
