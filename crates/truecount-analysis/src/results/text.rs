//! Text of fixed width: aligned tables and wrapped sentences. Tables fit 80 columns unless names of
//! groups are very long.

use super::{Note, ReadableTable, ResultTable, Results};
use std::borrow::Cow;
use std::io::{self, Write};
use std::iter;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::UnicodeWidthStr;

/// The width of a terminal in characters for which tables and sentences are formatted.
pub const LINE_WIDTH: usize = 80;

/// Spaces between the last column and the bars; the rule covers them.
const BEFORE_BARS: &str = "  ";

/// The number of spaces between two columns, and the width below which no text column is narrowed.
/// The second pair applies if the first one does not make the table narrow enough.
const NARROWING: [(usize, usize); 2] = [(3, 12), (2, 3)];

/// The widths of the columns of a table.
pub struct ColumnLayout {
    widths: Vec<usize>,
    /// The number of leading columns that are left-aligned; the others are right-aligned.
    left: usize,
    /// The number of spaces between two columns.
    gap: usize,
}

impl ColumnLayout {
    /// Creates the layout in which every cell of these rows, including the header, is shown in full.
    pub fn new<C: AsRef<str>>(rows: impl IntoIterator<Item = impl AsRef<[C]>>, left: usize) -> Self {
        let mut widths = Vec::new();
        for row in rows {
            let row = row.as_ref();
            widths.resize(row.len().max(widths.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.as_ref().width().max(*width);
            }
        }
        Self { widths, left, gap: NARROWING[0].0 }
    }

    /// Puts the columns closer together if lines would be wider than this.
    #[must_use]
    pub fn condensed_to(mut self, width: usize) -> Self {
        if self.width() > width {
            self.gap = NARROWING[1].0;
        }
        self
    }

    /// Narrows the left-aligned columns, the widest first, until lines have this width if possible.
    #[must_use]
    pub fn narrowed_to(mut self, width: usize) -> Self {
        for (gap, min_width) in NARROWING {
            self.gap = gap;
            while self.width() > width {
                let texts = self.widths.iter_mut().take(self.left).rev();
                let Some(widest) = texts.max().filter(|widest| **widest > min_width) else { break };
                *widest -= 1;
            }
            if self.width() <= width {
                break;
            }
        }
        self
    }

    /// Returns the width of a line.
    pub fn width(&self) -> usize {
        self.widths.iter().sum::<usize>() + self.gap * self.widths.len().saturating_sub(1)
    }

    /// Formats a row as a line, padded to the full width; cells that are too wide are truncated.
    pub fn line<C: AsRef<str>>(&self, row: &[C]) -> String {
        let mut line = String::with_capacity(self.width());
        for (i, (cell, width)) in row.iter().zip(&self.widths).enumerate() {
            let cell = truncate(cell.as_ref(), *width);
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            let gap = if i == 0 { "" } else { &"   "[..self.gap] };
            let (before, after) = if i < self.left { ("", padding.as_str()) } else { (padding.as_str(), "") };
            line.extend([gap, before, &*cell, after]);
        }
        line
    }

    /// Returns the line below the header.
    pub fn rule(&self) -> String {
        "─".repeat(self.width())
    }
}

/// Returns the lines of a table, header and rule first, whose first `left` columns are narrowed if
/// lines would be wider than `width`.
pub fn align<C: AsRef<str>>(header: &[C], rows: &[Vec<C>], left: usize, width: usize) -> Vec<String> {
    let all = [header].into_iter().chain(rows.iter().map(Vec::as_slice));
    let layout = ColumnLayout::new(all, left).narrowed_to(width);
    let row = |cells: &[C]| layout.line(cells).trim_end().to_owned();
    [row(header), layout.rule()].into_iter().chain(rows.iter().map(|cells| row(cells))).collect()
}

/// Wraps a text into lines of at most this width without breaking words. All lines except the first
/// begin with `indent`.
pub fn wrap(text: &str, width: usize, indent: &str) -> Vec<String> {
    let options = Options::new(width)
        .subsequent_indent(indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).collect()
}

/// Returns a text of at most this width: the text itself, or its beginning with an ellipsis.
pub fn truncate(text: &str, width: usize) -> Cow<'_, str> {
    if text.width() <= width {
        return Cow::Borrowed(text);
    }
    let beginnings = text.char_indices().map(|(end, _)| &text[..end]);
    let beginning = beginnings.take_while(|beginning| beginning.width() < width).last();
    Cow::Owned(format!("{}…", beginning.unwrap_or_default()))
}

/// Writes tables with notes below them. `bars` returns the text to the right of each line of a table,
/// beginning with the header and its rule, for a table of this width, if there is room.
///
/// # Errors
/// Returns the error of the writer.
pub fn write<B: Iterator<Item = String>>(
    results: &Results,
    bars: impl Fn(&ResultTable, usize) -> Option<B>,
    out: &mut impl Write,
) -> io::Result<()> {
    for (table, readable) in results.readable() {
        table.title().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        write_table(&readable, |width| bars(table, width), out)?;
        writeln!(out)?;
    }
    let note = |note: &Note| note.lines().map_or_else(|| wrap(note.sentence(), LINE_WIDTH, ""), <[String]>::to_vec);
    let notes = results.notes.iter().flat_map(note);
    results.explanations().into_iter().chain(notes).try_for_each(|line| writeln!(out, "{line}"))
}

/// Writes a table, with bars to its right if there is room.
fn write_table<B: Iterator<Item = String>>(
    readable: &ReadableTable,
    bars: impl Fn(usize) -> Option<B>,
    out: &mut impl Write,
) -> io::Result<()> {
    let header = &readable.header;
    let layout = ColumnLayout::new(iter::once(header.clone()).chain(readable.marked_lines()), readable.names);
    let layout = layout.condensed_to(LINE_WIDTH);
    let bars = bars(layout.width() + BEFORE_BARS.len());
    let has_room = bars.is_some() || layout.width() + BEFORE_BARS.len() <= LINE_WIDTH;
    let rule = layout.rule() + if has_room { "──" } else { "" };
    let mut bars = bars.into_iter().flatten();
    // Rows are formatted one by one, as there may be a million.
    let rows = readable.marked_lines().map(|line| layout.line(&line) + BEFORE_BARS);
    for mut line in [layout.line(header) + BEFORE_BARS, rule].into_iter().chain(rows) {
        line.extend(bars.next());
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
