//! Notes below a table.

use truecount::Target;

/// A note below a table, on how to read the table or on its basis.
pub struct Note {
    /// The note as one sentence.
    pub(super) sentence: String,
    /// The note's lines on a terminal, unless they are the sentence folded at 80 characters.
    pub(super) lines: Option<Vec<String>>,
    /// Whether the note describes the fitted model; a table for a paper writes it as a comment in its source.
    pub(super) is_source: bool,
    /// Whether the note has parameters of the methods, which only `--verbose` shows.
    pub(super) is_diagnostic: bool,
}

impl Note {
    /// Creates a note from a sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), lines: None, is_source: false, is_diagnostic: false }
    }

    /// Creates a note from a sentence and its lines on a terminal.
    pub fn set(sentence: impl Into<String>, lines: Vec<String>) -> Self {
        Self { lines: Some(lines), ..Self::new(sentence) }
    }

    /// Creates a note that is one line on a terminal, however long.
    pub fn line(line: impl Into<String>) -> Self {
        let line = line.into();
        Self::set(line.clone(), vec![line])
    }

    /// Creates a note that describes the fitted model.
    pub fn source(line: impl Into<String>) -> Self {
        Self { is_source: true, ..Self::new(line) }
    }

    /// Creates a note on whose share the estimates are, which come from n rows if all rows are shown.
    pub fn target(target: Target, n: Option<u64>) -> Self {
        let rows = n.map_or_else(|| "these rows".to_owned(), |n| format!("these {n} rows"));
        Self::line(match target {
            Target::Sample => format!("share: for {rows}"),
            Target::Population => format!("share: for the population that {rows} were sampled from"),
        })
    }

    /// Creates a note with the parameters of a method.
    pub fn diagnostic(line: impl Into<String>) -> Self {
        Self { is_diagnostic: true, is_source: true, ..Self::line(line) }
    }

    /// Returns the note's lines on a terminal, unless they are the folded sentence.
    pub fn lines(&self) -> Option<&[String]> {
        self.lines.as_deref()
    }

    /// Returns the sentence.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}
