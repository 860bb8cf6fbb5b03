//! Text for people: rows in aligned columns, the header underlined, and sentences in lines of 80 characters.

use console::measure_text_width;
use std::io::{self, Write};

/// What is between two columns.
const GAP: &str = "   ";

/// Writes the table row by row, since there may be a million: `rows` makes them twice, for the widths and for the lines.
/// The first `left` columns are left-aligned, numbers right-aligned. `beside` may give a text to append to each line,
/// header and underline included, if it has any for a table of this width.
pub fn write_beside<R: Iterator<Item = Vec<String>>, T: Iterator<Item = String>>(
    header: Vec<String>,
    rows: impl Fn() -> R,
    left: usize,
    beside: impl FnOnce(usize) -> Option<T>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut widths: Vec<usize> = header.iter().map(|name| measure_text_width(name)).collect();
    for row in rows() {
        for (width, cell) in widths.iter_mut().zip(&row) {
            *width = measure_text_width(cell).max(*width);
        }
    }
    // All lines are of one width, with some room after the last column.
    let width = (widths.iter().sum::<usize>() + GAP.len() * widths.len()).saturating_sub(1);
    let padded = |cells: Vec<String>| {
        let mut line = String::with_capacity(width);
        for (i, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let spaces = " ".repeat(width - measure_text_width(cell));
            let (before, after) = if i < left { ("", spaces.as_str()) } else { (spaces.as_str(), "") };
            line.extend([before, cell, after, if i + 1 < widths.len() { GAP } else { &GAP[1..] }]);
        }
        line
    };
    let mut beside = beside(width);
    let lines = [padded(header), "─".repeat(width)].into_iter().chain(rows().map(padded));
    for mut line in lines {
        line.extend(beside.as_mut().and_then(Iterator::next));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A text in lines of at most 80 characters.
pub fn wrapped(text: &str) -> Vec<String> {
    wrapped_at(text, 80)
}

/// The same of at most so many.
pub fn wrapped_at(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
