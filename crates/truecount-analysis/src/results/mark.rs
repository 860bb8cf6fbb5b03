//! Marks after rows that have warnings.

use truecount::error::Severity;

/// The mark of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// No mark.
    #[default]
    None,
    /// A star: the row has a note or a warning.
    Star,
    /// A dagger: the row is unreliable.
    Dagger,
}

impl Mark {
    /// Returns the mark of a row whose gravest warning has this severity.
    pub fn from_severity(severity: Option<Severity>) -> Self {
        match severity {
            None => Self::None,
            Some(Severity::Unreliable) => Self::Dagger,
            Some(_) => Self::Star,
        }
    }

    /// Returns the mark's character, or an empty text.
    pub fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Star => "*",
            Self::Dagger => "†",
        }
    }
}
