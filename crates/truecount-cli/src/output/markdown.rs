//! A pipe table, as GitHub, pandoc and most others read it, and a list of what belongs to it.

use super::Report;
use super::readable::{Line, Readable};
use super::words::{fitted, variance_sentences};
use std::io::{self, Write};

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let readable = Readable::new(report);
    row(&readable.header, out)?;
    let rules = readable.header.iter().enumerate().map(|(i, _)| if i < readable.names { "---" } else { "---:" });
    writeln!(out, "|{}|", rules.collect::<Vec<_>>().join("|"))?;
    for Line { mut cells, star } in readable.lines() {
        if let Some(interval) = cells.last_mut().filter(|_| star) {
            interval.push_str(" *");
        }
        row(&cells, out)?;
    }
    writeln!(out)?;
    let explained = readable.explained().into_iter().map(str::to_owned);
    let variances = variance_sentences(report.model.quantifiers().iter(), |quantifier| report.variance_of(quantifier));
    let notes = explained.chain(variances).chain(fitted(report.model)).chain(report.warnings());
    notes.into_iter().try_for_each(|note| writeln!(out, "- {}", escaped(&note)))
}

fn row(cells: &[String], out: &mut impl Write) -> io::Result<()> {
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    writeln!(out, "| {} |", cells.join(" | "))
}

/// Nothing in it is markup: a backslash before each character that could begin some.
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
