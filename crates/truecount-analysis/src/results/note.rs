//! Notes below a table.

/// A note: how to read the table, or what it is based on.
pub struct Note {
    /// The note as one sentence.
    pub(super) sentence: String,
    /// Its lines on a terminal, if they are not simply the sentence folded at 80 characters.
    pub(super) lines: Option<Vec<String>>,
    /// Whether it says what was fitted; a table for a paper keeps that in its source.
    pub(super) is_source: bool,
    /// Whether the note has parameters of the methods, which only `--verbose` shows.
    pub(super) is_diagnostic: bool,
}

impl Note {
    /// A sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), lines: None, is_source: false, is_diagnostic: false }
    }

    /// A sentence with its own lines on a terminal.
    pub fn set(sentence: impl Into<String>, lines: Vec<String>) -> Self {
        Self { lines: Some(lines), ..Self::new(sentence) }
    }

    /// A sentence that is one line, however long.
    pub fn line(line: impl Into<String>) -> Self {
        let line = line.into();
        Self::set(line.clone(), vec![line])
    }

    /// A line that says what was fitted.
    pub fn source(line: impl Into<String>) -> Self {
        Self { is_source: true, ..Self::line(line) }
    }

    /// A line with the parameters of a method.
    pub fn diagnostic(line: impl Into<String>) -> Self {
        Self { is_diagnostic: true, ..Self::source(line) }
    }

    /// Its lines on a terminal, if they are not simply the folded sentence.
    pub fn lines(&self) -> Option<&[String]> {
        self.lines.as_deref()
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}
