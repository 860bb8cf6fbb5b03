//! Text for people: rows in aligned columns, the header underlined, and sentences in lines of 80 characters.

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};

/// The lines; the first `left` columns stand to the left, numbers to the right.
pub fn aligned(header: Vec<String>, rows: impl Iterator<Item = Vec<String>>, left: usize) -> Vec<String> {
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
    table.lines().map(|line| line.trim_end().to_owned()).collect()
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
