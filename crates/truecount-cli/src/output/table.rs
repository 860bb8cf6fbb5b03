//! The table for people: aligned, 80 columns for any reasonable group names, and what was fitted below it. On a terminal that has
//! room, bars show the intervals.

use super::aligned::aligned_beside;
use super::bars::{Bars, Span};
use super::readable::{Line, Readable};
use super::screen::Screen;
use super::words::{fitted, variances};
use super::{Report, Row};
use std::io::{self, Write};

pub fn write(report: &Report, screen: Screen, out: &mut impl Write) -> io::Result<()> {
    let readable = Readable::new(report);
    let rows = readable.lines().map(|Line { mut cells, star }| {
        if let Some(interval) = cells.last_mut() {
            interval.push_str(match (readable.starred, star) {
                (false, _) => "",
                (true, false) => "  ",
                (true, true) => " *",
            });
        }
        cells
    });
    let beside = |width| {
        let bars = Bars::beside(width, screen, report.rows.iter().map(span))?;
        Some(bars.head().into_iter().chain(report.rows.iter().map(move |row| bars.bar(&span(row)))))
    };
    let lines = aligned_beside(readable.header.clone(), rows, readable.names, beside);
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    readable.explained().iter().try_for_each(|line| writeln!(out, "{line}"))?;
    let below = variances(report.model.quantifiers().iter(), |quantifier| report.variance_of(quantifier))
        .into_iter()
        .chain(fitted(report.model));
    below.into_iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn span(row: &Row) -> Span {
    let e = &row.estimate;
    let interval = e.uncertainty.map(|u| [u.lower, u.upper]);
    Span { estimate: e.prevalence, interval, warned: !e.warnings.is_empty() }
}
