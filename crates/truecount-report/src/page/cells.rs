//! Cells that several tables share.

use crate::data::limits;
use crate::words::{format_estimate, interval_text, remark};
use maud::{Markup, html};
use truecount::{Estimate, Interval};

/// Header of a sortable column.
pub fn header(name: &Markup, number: bool) -> Markup {
    html! { th.number[number] scope="col" aria-sort="none" { button type="button" { (name) } } }
}

/// Cell with a formatted number, and with all its digits for sorting.
pub fn number(value: f64, shown: &str) -> Markup {
    html! { td.number data-v=(value) { (shown) } }
}

/// Cells with an estimate and its interval, with a remark if needed.
pub fn estimate(estimate: &Estimate) -> Markup {
    let interval = interval_text(estimate).unwrap_or_else(|| "–".to_owned());
    html! {
        (number(estimate.prevalence, &format_estimate(estimate)))
        td.number data-v=(limits(estimate)[0]) {
            (interval)
            @if let Some(mark) = remark(estimate) { " " em { (mark) } }
        }
    }
}

/// Cells with the number of positives and its interval.
pub fn positives(estimate: &Estimate) -> Markup {
    let positives = estimate.positives().map(|number| (number, format!("{number:.0}")));
    let interval = estimate.positives_interval();
    let interval = interval.map(|Interval { lower, upper }| (lower, format!("{lower:.0} to {upper:.0}")));
    html! {
        @for cell in [positives, interval] {
            @let (value, shown) = cell.unwrap_or((f64::NAN, "–".to_owned()));
            (number(value, &shown))
        }
    }
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
