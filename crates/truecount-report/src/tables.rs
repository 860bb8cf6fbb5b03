//! Results as a part of a page: tables, what explains them, and warnings.

use maud::{Markup, html};
use truecount_analysis::results::{Mark, Note, ReadableRow, ReadableTable, Results};

/// Results as HTML.
pub fn results_html(results: &Results) -> String {
    let mut explained: Vec<String> = Vec::new();
    let tables: Vec<Markup> = results
        .readable()
        .map(|(found, readable)| {
            let new: Vec<String> = readable.explanations().filter(|line| !explained.contains(line)).collect();
            explained.extend(new);
            table(found.title(), &readable)
        })
        .collect();
    let notes = results.notes.iter().map(Note::sentence);
    html! {
        @for table in &tables { (table) }
        @if !results.warnings.is_empty() {
            div.trust.doubt { @for warning in &results.warnings { p { (warning) } } }
        }
        @for note in explained.iter().map(String::as_str).chain(notes) { p.note { (note) } }
    }
    .into_string()
}

fn table(title: &[String], readable: &ReadableTable) -> Markup {
    let names = readable.names;
    html! {
        @for line in title { p { (line) } }
        div.scroll tabindex="0" role="region" aria-label=(title.first().map_or("Results", String::as_str)) {
            table {
                thead { tr {
                    @for (place, name) in readable.header.iter().enumerate() {
                        th.number[place >= names] scope="col" { (name) }
                    }
                } }
                tbody {
                    @for ReadableRow { cells, mark } in readable.lines() {
                        tr {
                            @for (place, cell) in cells.iter().enumerate() {
                                @let mark = if mark != Mark::None && place + 1 == cells.len() { format!(" \
                                 {}", mark.text()) } else { String::new() };
                                @if place < names.min(1) { th scope="row" { (cell) (mark) } } @else { td.number[place >= names] { (cell) (mark) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
