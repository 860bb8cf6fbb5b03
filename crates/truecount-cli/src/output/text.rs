//! Results as text: aligned tables with notes below them. If the terminal has room, bars show the
//! intervals. Tables fit 80 columns unless names of groups are very long.

use super::bars::IntervalBars;
use super::screen::Screen;
use std::io::{self, Write};
use std::iter;
use truecount_analysis::results::text::{ColumnLayout, LINE_WIDTH, wrap};
use truecount_analysis::results::{Note, ReadableTable, ResultTable, Results};

/// Spaces between the last column and the bars; the rule covers them.
const BEFORE_BARS: &str = "  ";

pub fn write(results: &Results, screen: Screen, out: &mut impl Write) -> io::Result<()> {
    for (table, readable) in results.readable() {
        table.title().iter().try_for_each(|line| writeln!(out, "{line}"))?;
        write_table(table, &readable, screen, out)?;
        writeln!(out)?;
    }
    results
        .explanations()
        .iter()
        .chain(&results.notes.iter().flat_map(note_lines).collect::<Vec<_>>())
        .try_for_each(|line| writeln!(out, "{line}"))
}

/// Writes a table, with bars to its right if there is room.
fn write_table(table: &ResultTable, readable: &ReadableTable, screen: Screen, out: &mut impl Write) -> io::Result<()> {
    let header = &readable.header;
    let layout = ColumnLayout::new(iter::once(header.clone()).chain(readable.marked_lines()), readable.names);
    let layout = layout.condensed_to(LINE_WIDTH);
    let bars = bars(table, layout.width() + BEFORE_BARS.len(), screen);
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

/// Returns the texts to the right of a table of this width: the axis, its line, and a bar for each
/// row.
fn bars(table: &ResultTable, width: usize, screen: Screen) -> Option<impl Iterator<Item = String>> {
    screen.width?;
    let spans = table.spans()?;
    let bars = IntervalBars::new(width, screen, spans.iter().copied())?;
    Some(bars.header().into_iter().chain(spans.into_iter().map(move |span| bars.bar(&span))))
}

fn note_lines(note: &Note) -> Vec<String> {
    note.lines().map_or_else(|| wrap(note.sentence(), LINE_WIDTH, ""), <[String]>::to_vec)
}
