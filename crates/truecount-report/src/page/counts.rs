//! The page about prevalences from counts: the answer, the groups, the assumption, and how to reproduce the page.

use super::answer::date_and_files;
use super::details::origin;
use super::{cells, document, figure, folded, text};
use crate::charts::counting;
use crate::data::GroupShares;
use crate::drawing::{Drawing, FigureSize};
use crate::figures::{draw, heading};
use crate::provenance::Provenance;
use crate::tables::ResultsMarkup;
use crate::words::{Words, count, format_points, grouping_columns, share};
use maud::{Markup, html};
use truecount::Estimate;
use truecount::counts::Rates;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::output::CountOutput;
use truecount_analysis::results::{CountRow, percent};

/// Renders the page about counts as one HTML file. `overall` has all groups together.
pub fn render_counts<N: GroupNames>(
    output: &CountOutput<N>,
    overall: &CountRow,
    words: &Words,
    provenance: &Provenance,
) -> String {
    let estimate = &overall.row.estimate;
    let answer = words.answer(estimate, estimate.method, None, None);
    let mut results = output.results().concise();
    results.tables.remove(0); // the groups, whose table is like that of scores
    let ResultsMarkup { tables, warnings, notes } = ResultsMarkup::new(&results);
    let by = grouping_columns(&output.keys);
    let content = html! {
        header {
            h1 { "How many of the " (text(&words.items)) " are " (text(&words.positive_name)) "?" }
            p.note { (text(&date_and_files(provenance))) }
            p.answer { (text(&answer)) }
            (warnings)
            p.note { (text(&basis(overall, words))) }
        }
        section id="by-group" {
            h2 { @if by.is_empty() { "The estimate" } @else { "By " (text(&by)) } }
            (group_figure(output, estimate, words))
            (group_table(output, overall))
            (tables)
            (notes)
        }
        section id="assumption" {
            h2 { "What this rests on: the assumption" }
            p { (text(&assumption(words))) }
        }
        (folded("reproduce", "How to reproduce this page", &origin(&provenance.origin)))
    };
    document(&answer, &content)
}

/// States the counts, the uncorrected share and the standard error.
fn basis(overall: &CountRow, words: &Words) -> String {
    let estimate = &overall.row.estimate;
    let std_error = estimate.std_error.map_or_else(String::new, |se| format!(" Standard error {}.", format_points(se)));
    format!(
        "{} of the {} {} had a positive result; uncorrected share: {}.{std_error} In {} of 100 such studies the \
         interval covers the true share.",
        count(overall.positives),
        count(estimate.n),
        words.items,
        share(overall.apparent(), 1),
        percent(estimate.level)
    )
}

/// Draws the groups, or for a single row the share that its test counts.
fn group_figure<N: GroupNames>(output: &CountOutput<N>, overall: &Estimate, words: &Words) -> Markup {
    let groups: Vec<&CountRow> = output.rows.iter().filter(|row| !row.row.is_total).collect();
    if let [CountRow { rates: Some(rates), row, .. }] = groups[..] {
        let [sensitivity, specificity] = [Rates::sensitivity, Rates::specificity].map(|rate| rate(rates).share());
        let (drawing, description) = counting::draw(sensitivity, specificity, row.estimate.prevalence);
        return figure(1, &[drawing], &html! { (text(&description)) });
    }
    let mut uncorrected = vec![0.0; groups.len()];
    for row in &groups {
        uncorrected[row.row.group] = row.apparent();
    }
    let rows = groups.iter().map(|row| &row.row).collect();
    let shares = GroupShares { names: &output.keys, rows, uncorrected: &uncorrected, overall, smoothed: None };
    let sizes = [FigureSize::Page, FigureSize::Phone];
    let drawings: Vec<Drawing> = sizes.into_iter().filter_map(|size| draw(&shares, words, size)).collect();
    let caption = text(&format!("{}.", heading(&shares, words)));
    html! { @if !drawings.is_empty() { (figure(1, &drawings, &caption)) } }
}

/// Shows the groups and all of them together.
fn group_table<N: GroupNames>(output: &CountOutput<N>, overall: &CountRow) -> Markup {
    let (columns, texts) = (output.keys.columns().collect::<Vec<_>>(), output.keys.texts());
    let numbers = |row: &CountRow| {
        html! {
            (cells::number(row.row.estimate.n as f64, &count(row.row.estimate.n)))
            (cells::number(row.positives as f64, &count(row.positives)))
            (cells::estimate(&row.row))
            (cells::standard_error(row.row.estimate.std_error))
            (cells::uncorrected(&row.row, row.apparent()))
        }
    };
    cells::scroll(
        "Estimates",
        &html! {
            table.sortable {
                thead { tr {
                    (cells::group_headers(&columns))
                    (cells::header(&html! { "tested" }, true))
                    (cells::header(&html! { "positive results" }, true))
                    (cells::header(&html! { "estimate" }, true))
                    (cells::header(&html! { (percent(overall.row.estimate.level)) "\u{a0}%\u{a0}interval" }, true))
                    (cells::standard_error_header())
                    (cells::header(&html! { "uncorrected share" }, true))
                } }
                tbody { @for row in output.groups() {
                    tr { (cells::group(&texts, row.row.group)) (numbers(row)) }
                } }
                @if output.groups().len() > 1 {
                    tfoot { tr { th scope="row" colspan=(columns.len()) { "all together" } (numbers(overall)) } }
                }
            }
        },
    )
}

fn assumption(words: &Words) -> String {
    let Words { items, positive_name, .. } = words;
    format!(
        "The estimate assumes that the test has the given sensitivity among those of the {items} that are \
         {positive_name}, and the given specificity among the others. Counts alone cannot show whether it does. Where \
         it does not, estimates are off by more than their intervals say."
    )
}
