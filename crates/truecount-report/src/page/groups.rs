//! The section on groups: the figure, and a table that can be sorted and searched.

use super::{Page, cells, text};
use crate::data::MANY_GROUPS;
use crate::figures::heading;
use crate::tables::ResultsMarkup;
use crate::words::{Reliability, count, format_estimate, group_name, interval_text};
use maud::{Markup, html};
use truecount_analysis::results::{EstimateRow, Results, percent, se_widened};

/// Minimum number of rows for a search field.
const MIN_SEARCH_ROWS: usize = 15;

/// Maximum number of rows on a page; with more, the page is too large to open.
const MAX_ROWS: usize = 5000;

impl Page<'_> {
    pub fn groups(&self) -> Markup {
        let columns: Vec<&str> = self.data.names.columns().collect();
        if columns.is_empty() {
            return html! {
                @if !self.figures.shares.is_empty() { (self.shares()) }
                (self.publication())
            };
        }
        html! {
            section id="by-group" {
                h2 { "By " (text(&columns.join(", "))) }
                @if !self.figures.shares.is_empty() { (self.shares()) }
                @else if self.data.rows().len() < 2 {
                    p { "All rows belong to one group, so there is nothing to compare." }
                } @else { p { "Fewer than two groups have a reliable estimate to show, so there is no figure." } }
                (self.table(&columns))
                (self.standardised())
                (self.publication())
            }
        }
    }

    /// Shows the shares as a figure.
    fn shares(&self) -> Markup {
        let heading = heading(&self.data.group_shares(), self.words);
        self.figure(&self.figures.shares, &text(&format!("{heading}.")))
    }

    /// Cites the rule for publication, if there is one.
    fn publication(&self) -> Markup {
        html! { @if let Some(rule) = self.data.publication_rule { p.note { "Publication: " (rule.citation()) "." } } }
    }

    /// Returns a group's name.
    pub fn name(&self, row: &EstimateRow) -> String {
        group_name(&self.data.names.texts(), row.group)
    }

    /// Returns a group's name and its interval, or its estimate without one.
    pub fn name_and_interval(&self, row: &EstimateRow) -> String {
        let interval = interval_text(&row.estimate).unwrap_or_else(|| format_estimate(&row.estimate));
        format!("“{}” ({interval})", self.name(row))
    }

    /// Shows the crude and standardised shares.
    fn standardised(&self) -> Markup {
        let several = self.data.models.requested.quantifiers().len() > 1;
        let tables = self.data.standardised.iter().map(|sets| sets.table(several)).collect();
        ResultsMarkup::new(&Results { tables, ..Results::default() }).tables
    }

    fn table(&self, columns: &[&str]) -> Markup {
        let level = percent(self.data.answer().level);
        let (groups, methods) = (&self.data.groups, self.data.models.requested.quantifiers().len());
        let (number, shown) = (groups.len() / methods, (MAX_ROWS / methods).max(1));
        let rows = &groups[..number.min(shown) * methods];
        let texts = self.data.names.texts();
        let weighted = groups.first().is_some_and(|row| row.estimate.effective_n.is_some());
        let has_positives = rows.iter().any(|row| row.estimate.size.is_some());
        let has_counts = rows.first().is_some_and(|row| self.data.count(row.group).is_some());
        html! {
            @if shown < number {
                p.note {
                    "The first " (count(shown as u64)) " of " (count(number as u64)) " groups. For the estimates of \
                     all groups, run "
                    code { "truecount estimate -o groups.csv" } " with the same options."
                }
            }
            @if rows.len() >= MIN_SEARCH_ROWS {
                p.find hidden {
                    label { "Find a group " input id="search" type="search" autocomplete="off"; }
                    " " span.note id="shown" aria-live="polite" {}
                    " " button type="button" id="all" hidden { "Show all" }
                }
            }
            (cells::scroll("Estimates by group", &html! {
                table.sortable id="groups" data-first=(if rows.len() > MANY_GROUPS { 20 } else { rows.len() }) {
                    thead { tr {
                        (cells::group_headers(columns))
                        @if methods > 1 { (cells::header(&html! { "method" }, false)) }
                        (cells::header(&html! { "number" }, true))
                        @if weighted { (cells::header(&html! { "effective n" }, true)) }
                        (cells::header(&html! { "estimate" }, true))
                        (cells::header(&html! { (level) "\u{a0}%\u{a0}interval" }, true))
                        @if has_positives {
                            (cells::header(&html! { "positives" }, true))
                            (cells::header(&html! { "from\u{a0}–\u{a0}to" }, true))
                        }
                        (cells::standard_error_header())
                        @if has_counts { (cells::header(&html! { "uncorrected share" }, true)) }
                        @if self.data.audit.is_some() {
                            (cells::header(&html! { "audited" }, true))
                            (cells::header(&html! { "source" }, false))
                        }
                    } }
                    tbody {
                        @for row in rows {
                            tr class=[class(row)] {
                                (cells::group(&texts, row.group))
                                (self.row(row, Some(row.group), has_positives))
                            }
                        }
                    }
                    @if number > 1 {
                        tfoot { @for row in &self.total_rows() { tr {
                            th scope="row" colspan=(columns.len()) { "all together" }
                            (self.row(row, None, has_positives))
                        } } }
                    }
                }
            }))
            @if has_counts { p.note { "Uncorrected share: " (self.uncorrected_count()) ", without correction." } }
        }
    }
}

impl Page<'_> {
    /// Writes the cells of an estimate: of a group, or of all groups together.
    fn row(&self, row: &EstimateRow, group: Option<usize>, has_positives: bool) -> Markup {
        let (data, estimate) = (self.data, &row.estimate);
        let uncorrected = group.map_or(data.overall_count(), |group| data.count(group));
        let summary = data.audit.as_ref().map(|audit| group.map_or(&audit.overall, |group| &audit.groups[group]));
        html! {
            @if data.models.requested.quantifiers().len() > 1 { td { (estimate.method) } }
            (cells::number(estimate.n as f64, &count(estimate.n)))
            @if let Some(n) = estimate.effective_n { (cells::number(n, &format!("{n:.1}"))) }
            (cells::estimate(row))
            @if has_positives { (cells::positives(row)) }
            (cells::standard_error(se_widened(estimate).filter(|_| !row.is_suppressed())))
            @if let Some(count) = uncorrected { (cells::uncorrected(row, count)) }
            @if let Some(summary) = summary {
                (cells::number(summary.audited as f64, &count(summary.audited)))
                td { (summary.recommended) }
            }
        }
    }

    /// Returns the estimates of all groups together, by each of the requested methods.
    fn total_rows(&self) -> Vec<EstimateRow> {
        let data = self.data;
        let is_requested = |row: &&EstimateRow| {
            data.models.requested.quantifiers().iter().any(|quantifier| quantifier.method() == row.estimate.method)
        };
        let published = |row: &EstimateRow| {
            let estimate = data.audit.as_ref().map_or(&row.estimate, |audit| &audit.published);
            EstimateRow { estimate: estimate.clone(), ..*row }
        };
        data.overall.iter().filter(is_requested).map(published).collect()
    }
}

fn class(row: &EstimateRow) -> Option<&'static str> {
    match Reliability::from_estimate(&row.estimate) {
        _ if row.is_suppressed() => None,
        Reliability::Reliable => None,
        Reliability::ScoresDiffer => Some("differs"),
        Reliability::Unreliable => Some("unreliable"),
    }
}
