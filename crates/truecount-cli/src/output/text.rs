//! Results for people on a terminal: aligned tables within 80 columns for any reasonable names of groups, and notes
//! below them. If there is room, bars show the intervals.

use super::aligned::{wrapped, write_beside};
use super::bars::Bars;
use super::screen::Screen;
use std::io::{self, Write};
use truecount_analysis::results::{Line, Mark, Note, Readable, Results, Table};

pub fn write(results: &Results, screen: Screen, out: &mut impl Write) -> io::Result<()> {
    let mut explained: Vec<String> = Vec::new();
    for (table, readable) in results.readable() {
        table.title().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        lines(table, &readable, screen, out)?;
        writeln!(out)?;
        // Several views of the same rows have the same marks.
        let new: Vec<String> = readable.explained().filter(|line| !explained.contains(line)).collect();
        explained.extend(new);
    }
    explained
        .iter()
        .chain(&results.notes.iter().flat_map(note).collect::<Vec<_>>())
        .try_for_each(|line| writeln!(out, "{line}"))
}

/// The table, with a mark after each row that has one.
fn lines(table: &Table, readable: &Readable, screen: Screen, out: &mut impl Write) -> io::Result<()> {
    let marked = |Line { mut cells, mark }: Line| {
        if let Some(last) = cells.last_mut() {
            last.push_str(match (readable.marked, mark) {
                (false, _) => "",
                (true, Mark::None) => "  ",
                (true, Mark::Star) => " *",
                (true, Mark::Dagger) => " †",
            });
        }
        cells
    };
    let beside = |width| {
        screen.width?;
        let spans = table.spans()?;
        let bars = Bars::beside(width, screen, spans.iter().copied())?;
        Some(bars.head().into_iter().chain(spans.into_iter().map(move |span| bars.bar(&span))))
    };
    write_beside(readable.header.clone(), || readable.lines().map(marked), readable.names, beside, out)
}

fn note(note: &Note) -> Vec<String> {
    note.lines().map_or_else(|| wrapped(note.sentence()), <[String]>::to_vec)
}
