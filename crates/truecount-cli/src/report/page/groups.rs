//! The groups: the chart, and a table in the same order that can be sorted and searched.

use super::{Page, table, text};
use crate::output::Answer;
use crate::report::figures::forest;
use crate::report::trust::Trust;
use crate::report::words::{self, count, named, share};
use maud::{Markup, html};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{EstimateRow, percent};

/// Groups from which on a search is worth its place.
const MANY: usize = 15;

/// Rows that a page shows, at most: more would make it too large to open.
const MOST: usize = 5000;

impl Page<'_> {
    pub fn groups(&self) -> Markup {
        let Some(groups) = &self.found.groups else { return html! {} };
        let columns: Vec<&str> = groups.keys.columns().collect();
        html! {
            section id="by-group" {
                h2 { "By " (text(&columns.join(", "))) }
                @match (&self.figures.over_time, &self.figures.forest) {
                    (Some(drawing), _) => { (self.figure(drawing, &self.caption("against time"))) }
                    (None, Some(drawing)) if forest::is_band(self.found) => {
                        (self.figure(drawing, &self.caption("too many to be named, from the highest to the lowest of those that can be relied on")))
                    }
                    (None, Some(drawing)) => { (self.figure(drawing, &self.caption("in the order of the table"))) }
                    (None, None) => { p { "All rows belong to one group, so there is nothing to compare." } }
                }
                (self.table(groups, &columns))
            }
        }
    }

    fn caption(&self, order: &str) -> Markup {
        let estimated = if self.found.models.first().method().is_uncorrected() { "counted" } else { "estimated" };
        html! {
            "Share of the " (text(self.words.items)) " " (estimated) " to be " (text(self.words.are)) ", with its interval, " (order) "."
        }
    }

    /// A group's name.
    pub fn name(&self, row: &EstimateRow) -> String {
        let groups = self.found.groups.as_ref().expect("a row of a group");
        groups.keys.texts().of(row.group).map(|value| named(&value)).collect::<Vec<_>>().join(", ")
    }

    /// A group's name and what is known of it.
    pub fn told(&self, row: &EstimateRow) -> String {
        let worth = words::interval(&row.estimate).unwrap_or_else(|| words::best(&row.estimate));
        format!("“{}” ({worth})", self.name(row))
    }

    fn table(&self, groups: &Answer, columns: &[&str]) -> Markup {
        let level = percent(self.found.answer().level);
        let methods = groups.model.quantifiers().len();
        let (number, shown) = (groups.rows.len() / methods, (MOST / methods).max(1));
        let rows = &groups.rows[..number.min(shown) * methods];
        let texts = groups.keys.texts();
        let weighted = groups.weighted();
        let counted = rows.first().is_some_and(|row| self.found.count(row.group).is_some());
        html! {
            @if shown < number {
                p.note {
                    "The first " (count(shown as u64)) " of " (count(number as u64)) " groups; the estimates of all are what "
                    code { "truecount estimate -o groups.csv" } " writes with the same options."
                }
            }
            @if rows.len() >= MANY {
                p.find hidden {
                    label { "Find a group " input id="search" type="search" autocomplete="off"; }
                    " " span.note id="shown" aria-live="polite" {}
                    " " button type="button" id="all" hidden { "Show all" }
                }
            }
            (table::scroll("Estimates by group", &html! {
                table.sortable id="groups" {
                    thead { tr {
                        @for column in columns { (table::head(&text(column), false)) }
                        @if methods > 1 { (table::head(&html! { "method" }, false)) }
                        (table::head(&html! { "number" }, true))
                        @if weighted { (table::head(&html! { "worth" }, true)) }
                        (table::head(&html! { "estimate" }, true))
                        (table::head(&html! { (level) "\u{a0}% interval" }, true))
                        (table::head(&html! { "s.e. (points)" }, true))
                        @if counted { (table::head(&html! { "own count" }, true)) }
                        @if self.found.audits.is_some() {
                            (table::head(&html! { "audited" }, true))
                            (table::head(&html! { "source" }, false))
                        }
                    } }
                    tbody {
                        @for row in rows {
                            tr class=[class(row)] {
                                @for value in texts.of(row.group) { th scope="row" { (text(&named(&value))) } }
                                @if methods > 1 { td { (row.estimate.method) } }
                                (table::number(row.estimate.n as f64, &count(row.estimate.n)))
                                @if let Some(n) = row.estimate.effective_n { (table::number(n, &format!("{n:.1}"))) }
                                (table::estimate(&row.estimate))
                                (table::standard_error(&row.estimate))
                                @if let Some(own) = self.found.count(row.group) { (table::number(own, &share(own, 1))) }
                                @if let Some(audits) = &self.found.audits {
                                    @let audited = &audits.each[row.group];
                                    (table::number(audited.audited as f64, &count(audited.audited)))
                                    td { (audited.answer) }
                                }
                            }
                        }
                    }
                }
            }))
            @if counted { p.note { "Own count: what the classifier counts itself, not corrected for its errors." } }
        }
    }
}

fn class(row: &EstimateRow) -> Option<&'static str> {
    match Trust::of(&row.estimate) {
        Trust::Holds => None,
        Trust::Differs => Some("differs"),
        Trust::Unreliable => Some("unreliable"),
    }
}
