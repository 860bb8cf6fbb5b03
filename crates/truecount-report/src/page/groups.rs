//! The groups: the chart, and a table in the same order that can be sorted and searched.

use super::{Page, cells, text};
use crate::figures::is_band;
use crate::words::{Trust, best, count, interval, named, share};
use maud::{Markup, html};
use truecount_analysis::results::{EstimateRow, percent};

/// Minimum number of groups for a search field.
const MANY: usize = 15;

/// Maximum number of rows on a page; with more, the page is too large to open.
const MOST: usize = 5000;

impl Page<'_> {
    pub fn groups(&self) -> Markup {
        let columns: Vec<&str> = self.data.names.columns().collect();
        if columns.is_empty() {
            return html! {};
        }
        html! {
            section id="by-group" {
                h2 { "By " (text(&columns.join(", "))) }
                @match (&self.figures.over_time, &self.figures.forest) {
                    (Some(drawing), _) => { (self.figure(drawing, &self.caption("against time"))) }
                    (None, Some(drawing)) if is_band(self.data) => {
                        (self.figure(drawing, &self.caption("too many to be named, from the highest to the lowest of \
                         those that can be relied on")))
                    }
                    (None, Some(drawing)) => { (self.figure(drawing, &self.caption("in the order of the table"))) }
                    (None, None) => { p { "All rows belong to one group, so there is nothing to compare." } }
                }
                (self.table(&columns))
            }
        }
    }

    fn caption(&self, order: &str) -> Markup {
        let estimated = if self.data.models.first().method().is_uncorrected() { "counted" } else { "estimated" };
        html! {
            "Share of the " (text(self.words.items)) " " (estimated) " to be " (text(self.words.positive_name)) ", \
             with its interval, " (order) "."
        }
    }

    /// A group's name.
    pub fn name(&self, row: &EstimateRow) -> String {
        self.data.names.texts().group_texts(row.group).map(|value| named(&value)).collect::<Vec<_>>().join(", ")
    }

    /// Returns a group's name and its interval, or its estimate without one.
    pub fn row_notes(&self, row: &EstimateRow) -> String {
        let worth = interval(&row.estimate).unwrap_or_else(|| best(&row.estimate));
        format!("“{}” ({worth})", self.name(row))
    }

    fn table(&self, columns: &[&str]) -> Markup {
        let level = percent(self.data.answer().level);
        let (groups, methods) = (&self.data.groups, self.data.models.asked.quantifiers().len());
        let (number, shown) = (groups.len() / methods, (MOST / methods).max(1));
        let rows = &groups[..number.min(shown) * methods];
        let texts = self.data.names.texts();
        let weighted = groups.first().is_some_and(|row| row.estimate.effective_n.is_some());
        let counted = rows.first().is_some_and(|row| self.data.count(row.group).is_some());
        html! {
            @if shown < number {
                p.note {
                    "The first " (count(shown as u64)) " of " (count(number as u64)) " groups. For the estimates of \
                     all groups, run "
                    code { "truecount estimate -o groups.csv" } " with the same options."
                }
            }
            @if rows.len() >= MANY {
                p.find hidden {
                    label { "Find a group " input id="search" type="search" autocomplete="off"; }
                    " " span.note id="shown" aria-live="polite" {}
                    " " button type="button" id="all" hidden { "Show all" }
                }
            }
            (cells::scroll("Estimates by group", &html! {
                table.sortable id="groups" {
                    thead { tr {
                        @for column in columns { (cells::head(&text(column), false)) }
                        @if methods > 1 { (cells::head(&html! { "method" }, false)) }
                        (cells::head(&html! { "number" }, true))
                        @if weighted { (cells::head(&html! { "effective n" }, true)) }
                        (cells::head(&html! { "estimate" }, true))
                        (cells::head(&html! { (level) "\u{a0}% interval" }, true))
                        (cells::head(&html! { "s.e. (points)" }, true))
                        @if counted { (cells::head(&html! { "uncorrected share" }, true)) }
                        @if self.data.audit.is_some() {
                            (cells::head(&html! { "audited" }, true))
                            (cells::head(&html! { "source" }, false))
                        }
                    } }
                    tbody {
                        @for row in rows {
                            tr class=[class(row)] {
                                @for value in texts.group_texts(row.group) { th scope="row" { (text(&named(&value))) } }
                                @if methods > 1 { td { (row.estimate.method) } }
                                (cells::number(row.estimate.n as f64, &count(row.estimate.n)))
                                @if let Some(n) = row.estimate.effective_n { (cells::number(n, &format!("{n:.1}"))) }
                                (cells::estimate(&row.estimate))
                                (cells::standard_error(&row.estimate))
                                @if let Some(own) = self.data.count(row.group) { (cells::number(own, &share(own, 1))) }
                                @if let Some(audit) = &self.data.audit {
                                    @let audited = &audit.each[row.group];
                                    (cells::number(audited.audited as f64, &count(audited.audited)))
                                    td { (audited.answer) }
                                }
                            }
                        }
                    }
                }
            }))
            @if counted { p.note { "Uncorrected share: the classifier's own count, not corrected for its errors." } }
        }
    }
}

fn class(row: &EstimateRow) -> Option<&'static str> {
    match Trust::from_estimate(&row.estimate) {
        Trust::Holds => None,
        Trust::Differs => Some("differs"),
        Trust::Unreliable => Some("unreliable"),
    }
}
