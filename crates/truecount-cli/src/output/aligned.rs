//! Text for people: rows in aligned columns, the header underlined, and sentences in lines of 80 characters.

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};
use console::measure_text_width;

/// The lines; the first `left` columns stand to the left, numbers to the right. Behind each line, of header and
/// underline too, stands another text, if there are any for a table of that width.
pub fn aligned_beside<T: Iterator<Item = String>>(
    header: Vec<String>,
    rows: impl Iterator<Item = Vec<String>>,
    left: usize,
    beside: impl FnOnce(usize) -> Option<T>,
) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    let cells = |row: Vec<String>| {
        row.into_iter().enumerate().map(move |(i, text)| {
            Cell::new(text).set_alignment(if i < left { CellAlignment::Left } else { CellAlignment::Right })
        })
    };
    table.set_header(cells(header));
    for row in rows {
        table.add_row(cells(row));
    }
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    let mut lines: Vec<String> = table.lines().collect();
    // All lines are padded to one width.
    if let Some(beside) = beside(lines.first().map_or(0, |line| measure_text_width(line))) {
        lines.iter_mut().zip(beside).for_each(|(line, more)| line.push_str(&more));
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

/// A text in lines of at most 80 characters.
pub fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 80 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
