//! Markdown: pipe tables, as read by GitHub, pandoc and most other programs, and a list of notes.

use super::readable::{ReadableRow, ReadableTable};
use super::{Mark, Note, Results};
use std::io::{self, Write};

pub(super) fn write(results: &Results, out: &mut impl Write) -> io::Result<()> {
    for (table, readable) in results.readable() {
        for line in table.title() {
            writeln!(out, "{}\n", escaped(line))?;
        }
        write_table(&readable, out)?;
        writeln!(out)?;
    }
    let notes = results.explanations().into_iter().chain(results.notes.iter().map(|note: &Note| note.sentence.clone()));
    notes.chain(results.warnings.iter().cloned()).try_for_each(|note| writeln!(out, "- {}", escaped(&note)))
}

fn write_table(readable: &ReadableTable, out: &mut impl Write) -> io::Result<()> {
    write_row(&readable.header, out)?;
    let rules = readable.header.iter().enumerate().map(|(i, _)| if i < readable.names { "---" } else { "---:" });
    writeln!(out, "|{}|", rules.collect::<Vec<_>>().join("|"))?;
    readable.lines().try_for_each(|ReadableRow { mut cells, mark }| {
        if let Some(last) = cells.last_mut().filter(|_| mark != Mark::None) {
            last.extend([" ", mark.text()]);
        }
        write_row(&cells, out)
    })
}

fn write_row(cells: &[String], out: &mut impl Write) -> io::Result<()> {
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    writeln!(out, "| {} |", cells.join(" | "))
}

/// Escapes text with a backslash before each character that could begin markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '&' | '~' | '$' | '#') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
