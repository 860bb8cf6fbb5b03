//! The screen on which a table is shown.

use console::{Term, colors_enabled};

/// A terminal; or, by default, a file or a pipe, whose contents do not depend on the terminal.
#[derive(Clone, Copy, Default)]
pub struct Screen {
    /// Width in columns; `None` if the screen is not a terminal or its width is unknown.
    pub width: Option<u16>,
    /// Whether colours are supported and wanted (`NO_COLOR`, `CLICOLOR`, `TERM`).
    pub colour: bool,
}

impl Screen {
    /// Returns the screen of standard output.
    pub fn stdout() -> Self {
        let width = Term::stdout().size_checked().map(|(_rows, columns)| columns);
        Self { width, colour: width.is_some() && colors_enabled() }
    }
}
