//! The screen a table is shown on.

use console::{Term, colors_enabled};

/// A terminal; or, by default, a file or a pipe, which gets the same bytes wherever the command runs.
#[derive(Clone, Copy, Default)]
pub struct Screen {
    /// Its width in columns, if it is a terminal that tells.
    pub width: Option<u16>,
    /// Whether colours are supported and wanted (`NO_COLOR`, `CLICOLOR`, `TERM`).
    pub colour: bool,
}

impl Screen {
    /// What standard output is.
    pub fn stdout() -> Self {
        let width = Term::stdout().size_checked().map(|(_rows, columns)| columns);
        Self { width, colour: width.is_some() && colors_enabled() }
    }
}
