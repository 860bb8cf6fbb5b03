//! Results for people on a terminal: aligned tables, 80 columns for any reasonable names of groups, and what is to be
//! said of them below. Where there is room, bars show the intervals.

use super::aligned::{aligned_beside, wrapped};
use super::bars::Bars;
use super::screen::Screen;
use std::io::{self, Write};
use truecount_io::results::{Line, Note, Readable, Results, Table};

pub fn write(results: &Results, screen: Screen, out: &mut impl Write) -> io::Result<()> {
    let mut explained = Vec::new();
    for (table, readable) in results.readable() {
        let lines = lines(table, &readable, screen);
        table.title().iter().chain(&lines).try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
        explained.extend(readable.explained());
    }
    explained
        .iter()
        .chain(&results.notes.iter().flat_map(note).collect::<Vec<_>>())
        .try_for_each(|line| writeln!(out, "{line}"))
}

/// The table, with a star behind each row that has one.
fn lines(table: &Table, readable: &Readable, screen: Screen) -> Vec<String> {
    let rows = readable.lines().map(|Line { mut cells, star }| {
        if let Some(last) = cells.last_mut() {
            last.push_str(match (readable.starred, star) {
                (false, _) => "",
                (true, false) => "  ",
                (true, true) => " *",
            });
        }
        cells
    });
    let beside = |width| {
        let spans = table.spans()?;
        let bars = Bars::beside(width, screen, spans.iter().copied())?;
        Some(bars.head().into_iter().chain(spans.into_iter().map(move |span| bars.bar(&span))))
    };
    aligned_beside(readable.header.clone(), rows, readable.names, beside)
}

fn note(note: &Note) -> Vec<String> {
    note.lines().map_or_else(|| wrapped(note.sentence()), <[String]>::to_vec)
}
