//! The groups: the forest plot, and a table that can be sorted and searched.

use super::{Page, table, text};
use crate::output::Answer;
use crate::report::figures::forest;
use crate::report::found::is_doubtful;
use crate::report::words::{self, count, named};
use maud::{Markup, html};
use truecount::check::{Checked, Verdict};
use truecount_io::results::{EstimateRow, percent, short_p};

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
                    (Some(drawing), _) => { (self.figure(drawing, &html! {
                        "Prevalence with its interval, where it stands in time. The dashed line is all " (self.words.items) " together."
                        @if self.any_doubt() && columns.len() == 1 { " Vermilion: no mixture of the labelled classes, or doubtful." }
                    })) }
                    (None, Some(drawing)) => { (self.figure(drawing, &html! {
                        "Prevalence with its interval, the highest first. The dashed line is all " (self.words.items) " together."
                        @if self.any_doubt() && !forest::is_band(groups) { " Vermilion, with *: no mixture of the labelled classes, or doubtful." }
                    })) }
                    (None, None) => { p { "All rows belong to one group, so there is nothing to compare." } }
                }
                (self.table(groups, &columns))
            }
        }
    }

    /// Which groups are at the ends.
    pub fn of_groups(&self) -> Option<String> {
        let groups = self.found.groups.as_ref()?;
        let first = self.found.models.first();
        let rows = || groups.rows.iter().filter(|row| row.estimate.method == first);
        let texts = groups.keys.texts();
        let told = |row: &EstimateRow| {
            let values: Vec<String> = texts.of(row.group).map(|value| named(&value)).collect();
            let worth = words::interval(&row.estimate).unwrap_or_else(|| words::best(&row.estimate));
            format!("“{}” ({worth})", values.join(", "))
        };
        let by = groups.keys.columns().collect::<Vec<_>>().join(", ");
        let order = |a: &&EstimateRow, b: &&EstimateRow| a.estimate.raw.total_cmp(&b.estimate.raw);
        match rows().count() {
            1 => Some(format!("By {by} there is one group only: {}.", told(rows().next()?))),
            number => Some(format!(
                "Of the {} groups by {by} it is highest in {} and lowest in {}.",
                count(number as u64),
                told(rows().max_by(order)?),
                told(rows().min_by(order)?)
            )),
        }
    }

    fn any_doubt(&self) -> bool {
        self.found.checked.each().iter().any(is_doubtful)
    }

    fn table(&self, groups: &Answer, columns: &[&str]) -> Markup {
        let each = self.found.checked.each();
        let level = groups.rows.first().map_or(0.0, |row| row.estimate.level);
        let axis = table::Axis::around(groups.rows.iter().map(|row| &row.estimate));
        let methods = groups.model.quantifiers().len();
        let (number, shown) = (groups.rows.len() / methods, (MOST / methods).max(1));
        let rows = &groups.rows[..number.min(shown) * methods];
        let texts = groups.keys.texts();
        let weighted = groups.weighted();
        let warned = groups.rows.iter().any(|row| !row.estimate.warnings.is_empty());
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
                        (table::head(&html! { "n" }, true))
                        @if weighted { (table::head(&html! { "effective n" }, true)) }
                        (table::estimate_heads(&percent(level), axis))
                        @if !each.is_empty() { (table::head(&html! { "mixture? (p)" }, true)) }
                        @if warned { th scope="col" { "warnings" } }
                    } }
                    tbody {
                        @for row in rows {
                            @let checked = each.get(row.group);
                            tr.doubt[checked.is_some_and(is_doubtful)] {
                                @for value in texts.of(row.group) { th scope="row" { (text(&named(&value))) } }
                                @if methods > 1 { td { (row.estimate.method) } }
                                (table::number(row.estimate.n as f64, &count(row.estimate.n)))
                                @if let Some(n) = row.estimate.effective_n { (table::number(n, &format!("{n:.1}"))) }
                                (table::estimate(&row.estimate, axis))
                                @if let Some(checked) = checked {
                                    (table::number(checked.adjusted, &verdict(checked)))
                                }
                                @if warned { (table::warnings(&row.estimate.warnings)) }
                            }
                        }
                    }
                }
            }))
            @if !each.is_empty() && each.len() > 1 {
                p.note {
                    "p: whether the group's scores are a mixture of the labelled classes, adjusted for the number of groups (Holm)."
                    @if self.any_doubt() { " *: they are not, or it is doubtful." }
                }
            }
        }
    }
}

/// The verdict where there is something to say, and the p-value.
fn verdict(checked: &Checked) -> String {
    let p = short_p(checked.adjusted);
    match checked.verdict() {
        Verdict::Mixture => p,
        other => format!("{} {p}", other.name()),
    }
}
