//! The page: one HTML file that contains its style, script and figures.
//!
//! `render` writes the page about scores, `render_counts` that about counts, and `render_classes` that
//! about several classes. The answer, its reliability, the groups and the assumption come first; the
//! sections for statisticians are folded. maud escapes all text from the data. The content security policy in
//! the head allows only this script and no network access.

mod answer;
mod audit;
mod cells;
mod classes;
mod counts;
mod details;
mod groups;

pub use classes::render_classes;
pub use counts::render_counts;

use crate::data::ReportData;
use crate::drawing::{Drawing, PAGE_STYLE};
use crate::figures::Figures;
use crate::provenance::Provenance;
use crate::words::Words;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::cell::Cell;
use truecount_analysis::results::escape_untrusted;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("table.js");

/// The data, figures and names that every section uses.
struct Page<'a> {
    data: &'a ReportData<'a>,
    figures: &'a Figures,
    words: &'a Words<'a>,
    /// The number of figures so far.
    figure_count: Cell<u32>,
}

/// Renders the page as one HTML file.
pub fn render(data: &ReportData, figures: &Figures, words: &Words, provenance: &Provenance) -> String {
    let page = Page { data, figures, words, figure_count: Cell::new(0) };
    let (method, cutoff) = (data.models.first().method(), data.models.extended.settings().cutoff);
    let answer = match data.answer() {
        estimate if data.is_suppressed() => words.suppressed_answer(estimate.n),
        estimate => words.answer(estimate, method, cutoff, data.population.as_deref()),
    };
    let content = html! {
        (page.answer(&answer, provenance))
        (page.groups())
        (page.audit())
        (page.assumption())
        (page.notes())
        (page.scores())
        (page.check())
        (page.methods())
        (page.reproduce(&provenance.origin))
    };
    document(&answer, &content)
}

/// Returns an HTML file with this content. The title is the answer.
fn document(answer: &str, content: &Markup) -> String {
    let hash = STANDARD.encode(Sha256::digest(SCRIPT));
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{hash}'");
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "truecount " (env!("CARGO_PKG_VERSION")) };
                // An empty icon keeps browsers from requesting one.
                link rel="icon" href="data:,";
                title { (escape_untrusted(answer)) }
                style { (PreEscaped(STYLE)) (PreEscaped(PAGE_STYLE)) }
            }
            body {
                main { (content) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    document.into_string()
}

impl Page<'_> {
    fn figure(&self, drawings: &[Drawing], caption: &Markup) -> Markup {
        let number = self.figure_count.get() + 1;
        self.figure_count.set(number);
        figure(number, drawings, caption)
    }
}

/// Shows a drawing; of two, the second one on narrow screens.
fn figure(number: u32, drawings: &[Drawing], caption: &Markup) -> Markup {
    let svg = |(drawing, id): (&Drawing, &str)| drawing.svg_with_id(&format!("{id}-{number}"));
    let labels = &drawings[0].labels;
    html! {
        figure.sizes[drawings.len() > 1] data-labels=[(labels.len() > 1).then(|| labels.join("\n"))] {
            @if drawings.len() > 1 { figcaption.heading { "Figure " (number) ". " (caption) } }
            @for pair in drawings.iter().zip(["figure", "phone"]) { (PreEscaped(svg(pair))) }
            @if drawings.len() == 1 { figcaption.note { "Figure " (number) ". " (caption) } }
        }
    }
}

/// Returns a section that is folded until the reader opens it.
fn folded(id: &str, heading: &str, content: &Markup) -> Markup {
    html! { details id=(id) { summary { h2 { (heading) } } (content) } }
}

/// Returns text from the data with its writing direction isolated and invisible characters escaped.
fn text(text: &str) -> Markup {
    html! { bdi { (escape_untrusted(text)) } }
}
