//! Cells that several tables share.

use super::text;
use crate::data::limits;
use crate::words::{format_estimate, group_value, interval_text, remark, rounded, share};
use maud::{Markup, html};
use truecount::Interval;
use truecount_analysis::groups::NameTexts;
use truecount_analysis::results::EstimateRow;

/// Header of a sortable column.
pub fn header(name: &Markup, number: bool) -> Markup {
    html! { th.number[number] scope="col" aria-sort="none" { button type="button" { (name) } } }
}

/// Headers of the grouping columns.
pub fn group_headers(columns: &[&str]) -> Markup {
    html! { @for column in columns { (header(&text(column), false)) } }
}

/// Cells with the values of a group.
pub fn group(texts: &NameTexts, group: usize) -> Markup {
    html! { @for value in texts.group_texts(group) { th scope="row" { (text(&group_value(&value))) } } }
}

/// Cell with a formatted number, and with all its digits for sorting.
pub fn number(value: f64, shown: &str) -> Markup {
    html! { td.number data-v=(value) { (shown) } }
}

/// Cells with an estimate and its interval, with a remark and the flag of a rule for publication if there are any.
pub fn estimate(row: &EstimateRow) -> Markup {
    let (estimate, is_shown) = (&row.estimate, !row.is_suppressed());
    let interval = interval_text(estimate).unwrap_or_else(|| "–".to_owned());
    html! {
        (optional(is_shown.then(|| (estimate.prevalence, format_estimate(estimate)))))
        td.number data-v=(if is_shown { limits(estimate)[0] } else { f64::NAN }) {
            (if is_shown { &interval } else { "–" })
            @if let Some(mark) = remark(estimate).filter(|_| is_shown) { " " em { (mark) } }
            @if let Some(flag) = row.publication.and_then(|publication| publication.flag) { " " em { (flag) } }
        }
    }
}

/// Cells with the number of positives and its interval.
pub fn positives(row: &EstimateRow) -> Markup {
    let positives = row.estimate.positives().map(|number| (number, rounded(number)));
    let interval = row.estimate.positives_interval();
    let interval =
        interval.map(|Interval { lower, upper }| (lower, format!("{} to {}", rounded(lower), rounded(upper))));
    html! { @for cell in [positives, interval] { (optional(cell.filter(|_| !row.is_suppressed()))) } }
}

/// Cell with an uncorrected share.
pub fn uncorrected(row: &EstimateRow, count: f64) -> Markup {
    optional((!row.is_suppressed()).then(|| (count, share(count, 1))))
}

/// Cell with a number, or a dash without one.
fn optional(cell: Option<(f64, String)>) -> Markup {
    let (value, shown) = cell.unwrap_or((f64::NAN, "–".to_owned()));
    number(value, &shown)
}

/// Header of a column of standard errors, which narrow screens leave out.
pub fn standard_error_header() -> Markup {
    html! { th.number.se scope="col" aria-sort="none" { button type="button" { "s.e. (points)" } } }
}

/// Cell with a standard error, which narrow screens leave out.
pub fn standard_error(std_error: Option<f64>) -> Markup {
    let shown = std_error.map_or_else(|| "–".to_owned(), |se| format!("{:.2}", 100.0 * se));
    html! { td.number.se data-v=(std_error.unwrap_or(f64::NAN)) { (shown) } }
}

/// Scrollable box for a table that may be wider than the page.
pub fn scroll(label: &str, table: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { (table) } }
}
