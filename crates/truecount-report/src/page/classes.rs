//! The page about shares of several classes: the answer, the groups, the assumption, and how to reproduce the page.

use super::answer::date_and_files;
use super::details::origin;
use super::{cells, document, figure, folded, text};
use crate::drawing::{Drawing, FigureSize};
use crate::figures::{by_group, class_heading, draw_classes};
use crate::provenance::Provenance;
use crate::tables::ResultsMarkup;
use crate::words::{Words, count, format_interval, grouping_columns, out_of, sentence, share};
use maud::{Markup, html};
use truecount::multiclass::ClassWarning;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::output::ClassShareOutput;
use truecount_analysis::results::{ClassShareRow, Mark, ResultRow, percent};

/// Renders the page about shares of classes as one HTML file. `overall` has all rows together; without groups, they
/// are the only rows. `population` names the population of a total of groups with known sizes.
pub fn render_classes<N: GroupNames, M: GroupNames>(
    overall: &ClassShareOutput<M>,
    groups: Option<&ClassShareOutput<N>>,
    (words, population): (&Words, Option<&str>),
    provenance: &Provenance,
) -> String {
    let answer = answer(overall.rows(), words, population);
    let all = overall.results().concise();
    let ResultsMarkup { tables, warnings, notes } = ResultsMarkup::new(&all);
    let content = html! {
        header {
            h1 { "How are the " (text(&words.items)) " divided among the classes?" }
            p.note { (text(&date_and_files(provenance))) }
            p.answer { (text(&answer)) }
            @if let Some(sentence) = groups.and_then(|groups| doubt_about_groups(groups.rows())) {
                div.trust.doubt { p { (text(&sentence)) } }
            }
            (warnings)
        }
        section id="shares" {
            h2 { "The shares" }
            (class_figure(1, overall.rows(), overall.names()))
            (tables)
            (notes)
        }
        @if let Some(groups) = groups {
            @let results = groups.results().concise();
            @let ResultsMarkup { warnings, .. } = ResultsMarkup::new(&results);
            section id="by-group" {
                h2 { "By " (text(&grouping_columns(groups.names()))) }
                (class_figure(2, groups.rows(), groups.names()))
                (warnings)
                (group_table(groups))
            }
        }
        section id="assumption" {
            h2 { "What this rests on: the assumption" }
            p { (text(&assumption(overall.rows(), words))) }
        }
        (folded("reproduce", "How to reproduce this page", &origin(&provenance.origin)))
    };
    document(&answer, &content)
}

/// States the shares of all rows, the largest first.
fn answer(rows: &[ClassShareRow], words: &Words, population: Option<&str>) -> String {
    let mut rows: Vec<&ClassShareRow> = rows.iter().collect();
    rows.sort_by(|a, b| b.estimate.shares[b.class].total_cmp(&a.estimate.shares[a.class]));
    let part = |(i, row): (usize, &&ClassShareRow)| {
        let (estimate, interval) = (&row.estimate, format_interval(&row.estimate.intervals[row.class]));
        let level = if i == 0 { format!("{}\u{a0}%\u{a0}interval ", percent(estimate.level)) } else { String::new() };
        format!("{} {} ({level}{interval})", share(estimate.shares[row.class], 1), row.name)
    };
    let parts: Vec<String> = rows.iter().enumerate().map(part).collect();
    let target = || rows.first().map(|row| words.target(row.estimate.n, row.estimate.target));
    let whole = population.map(str::to_owned).or_else(target).unwrap_or_default();
    format!("Estimated shares of {whole}: {}.", parts.join(", "))
}

/// Says how many groups do not fit a mixture of the classes; `None` if all do.
fn doubt_about_groups(rows: &[ClassShareRow]) -> Option<String> {
    let differs = |rows: &&[ClassShareRow]| {
        let mut warnings = rows[0].estimate.warnings.iter();
        warnings.any(|it| matches!(it, ClassWarning::ClassMixWidened { .. } | ClassWarning::ClassMixRejected { .. }))
    };
    let number = by_group(rows).filter(differs).count();
    (number > 0).then(|| {
        let groups = out_of(number, by_group(rows).count());
        sentence(&format!("in {groups}, the new rows hardly fit, or do not fit, a mix of the labelled classes"))
    })
}

/// Draws the shares of groups; without rows there is no figure.
fn class_figure(number: u32, rows: &[ClassShareRow], names: &dyn GroupNames) -> Markup {
    let sizes = [FigureSize::Page, FigureSize::Phone];
    let drawings: Vec<Drawing> = sizes.into_iter().filter_map(|size| draw_classes(rows, names, size)).collect();
    let is_unreliable = |row: &ClassShareRow| row.mark() == Mark::Dagger;
    let grey = if rows.iter().any(is_unreliable) { " Grey ones are unreliable." } else { "" };
    let differs = rows.iter().any(|row| row.estimate.is_widened() && !is_unreliable(row));
    let vermilion = if differs { " Vermilion: rows unlike the labelled ones." } else { "" };
    let caption = format!("{}.{vermilion}{grey}", class_heading(rows, names));
    html! { @if !drawings.is_empty() { (figure(number, &drawings, &text(&caption))) } }
}

/// Shows a row for each group with a column for each class.
fn group_table<N: GroupNames>(groups: &ClassShareOutput<N>) -> Markup {
    let (names, rows) = (groups.names(), groups.rows());
    let (columns, texts) = (names.columns().collect::<Vec<_>>(), names.texts());
    let groups = || by_group(rows);
    cells::scroll(
        "Estimates by group",
        &html! {
            table.sortable id="groups" {
                thead { tr {
                    (cells::group_headers(&columns))
                    (cells::header(&html! { "number" }, true))
                    @for row in groups().next().unwrap_or_default() { (cells::header(&text(&row.name), true)) }
                } }
                tbody { @for group in groups() { tr {
                    (cells::group(&texts, group[0].group))
                    (cells::number(group[0].estimate.n as f64, &count(group[0].estimate.n)))
                    @for row in group { (share_cell(row)) }
                } } }
            }
        },
    )
}

/// Shows the share of a class with its interval, and with its mark if it has one.
fn share_cell(row: &ClassShareRow) -> Markup {
    let (estimate, mark) = (&row.estimate, row.mark());
    html! {
        td.number data-v=(estimate.shares[row.class]) {
            (share(estimate.shares[row.class], 1))
            @if mark != Mark::None { " " (mark.text()) }
            br; small { (format_interval(&estimate.intervals[row.class])) }
        }
    }
}

fn assumption(rows: &[ClassShareRow], words: &Words) -> String {
    let test = if rows.iter().any(|row| row.estimate.mix_test.is_some()) {
        "Where a test rejects this, the intervals are wider and a warning says so. A change that looks like another \
         mix of the classes cannot be detected."
    } else {
        "These data cannot test it."
    };
    format!(
        "The estimate assumes that the classifier treats new and labelled {} of a class alike: only the shares may \
         differ. {test}",
        words.items
    )
}
