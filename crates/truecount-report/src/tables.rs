//! Results as a part of an HTML page: tables, explanations, warnings and notes.

use crate::words::count;
use maud::{Markup, html};
use truecount_analysis::results::{Mark, Note, NumberStyle, ReadableRow, ReadableTable, Results};

/// The notation of all numbers on a page.
const PERCENT: NumberStyle = NumberStyle { decimal: ".", percent: true };

/// Formats results as HTML.
pub fn results_html(results: &Results) -> String {
    let ResultsMarkup { tables, warnings, notes } = ResultsMarkup::new(results);
    html! { (tables) (warnings) (notes) }.into_string()
}

/// The parts of results as HTML.
pub struct ResultsMarkup {
    /// The tables.
    pub tables: Markup,
    /// The warnings, empty without any.
    pub warnings: Markup,
    /// The explanations and the notes.
    pub notes: Markup,
}

impl ResultsMarkup {
    /// Formats the parts of results.
    pub fn new(results: &Results) -> Self {
        let notes = results.notes.iter().map(Note::sentence);
        Self {
            tables: html! {
                @for (result_table, readable) in results.readable_in(PERCENT) { (table(result_table.title(), &readable)) }
            },
            warnings: html! {
                @if !results.warnings.is_empty() {
                    div.trust.doubt { @for warning in &results.warnings { p { (with_minus_signs(warning)) } } }
                }
            },
            notes: html! {
                @for note in results.explanations().iter().map(String::as_str).chain(notes) { p.note { (with_minus_signs(note)) } }
            },
        }
    }
}

/// Replaces the hyphen before a number by a minus sign, unless it stands in a word or a range.
pub fn with_minus_signs(text: &str) -> String {
    let mut previous = ' ';
    let mut letters = text.chars().peekable();
    let mut replaced = String::new();
    while let Some(letter) = letters.next() {
        let is_minus = letter == '-' && !previous.is_alphanumeric() && letters.peek().is_some_and(char::is_ascii_digit);
        replaced.push(if is_minus { '−' } else { letter });
        previous = letter;
    }
    replaced
}

/// Formats a number with a minus sign, and a whole one with thousands separators.
fn number(cell: &str) -> String {
    cell.parse().map_or_else(|_| cell.replace('-', "−"), count)
}

fn table(title: &[String], readable: &ReadableTable) -> Markup {
    let names = readable.names;
    html! {
        @for line in title { p { (line) } }
        div.scroll tabindex="0" role="region" aria-label=(title.first().map_or("Results", String::as_str)) {
            table {
                thead { tr {
                    @for (column, name) in readable.header.iter().enumerate() {
                        th.number[column >= names] scope="col" { (name) }
                    }
                } }
                tbody {
                    @for ReadableRow { cells, mark } in readable.lines() {
                        tr {
                            @for (column, cell) in cells.iter().enumerate() {
                                @let has_mark = mark != Mark::None && column + 1 == cells.len();
                                @let mark = if has_mark { format!(" {}", mark.text()) } else { String::new() };
                                @if column < names.min(1) { th scope="row" { (cell) (mark) } }
                                @else if column < names { td { (cell) (mark) } }
                                @else { td.number { (number(cell)) (mark) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
