//! What stands below a table.

/// A note: how to read the table, or what it rests on.
pub struct Note {
    /// In one sentence.
    pub(super) sentence: String,
    /// As it is set on a terminal, where that is not simply the sentence in lines of 80 characters.
    pub(super) lines: Option<Vec<String>>,
    /// Whether it says what was learnt, which a paper's table keeps in its source.
    pub(super) is_source: bool,
}

impl Note {
    /// A sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), lines: None, is_source: false }
    }

    /// A sentence that stands in lines of its own on a terminal.
    pub fn set(sentence: impl Into<String>, lines: Vec<String>) -> Self {
        Self { lines: Some(lines), ..Self::new(sentence) }
    }

    /// A line that says what was learnt.
    pub fn source(line: impl Into<String>) -> Self {
        let line = line.into();
        Self { lines: Some(vec![line.clone()]), sentence: line, is_source: true }
    }

    /// The lines on a terminal, where they are not those of the folded sentence.
    pub fn lines(&self) -> Option<&[String]> {
        self.lines.as_deref()
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}
