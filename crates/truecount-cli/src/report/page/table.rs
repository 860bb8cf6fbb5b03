//! Cells that several tables share.

use crate::advice::worded;
use crate::report::found::ends;
use crate::report::words;
use maud::{Markup, html};
use truecount::{Estimate, Warning};
use truecount_io::results::visible;

/// The header of a column that can be sorted by.
pub fn head(name: &Markup, number: bool) -> Markup {
    html! { th.number[number] scope="col" aria-sort="none" { button type="button" { (name) } } }
}

/// A number as shown, with every digit for sorting.
pub fn number(value: f64, shown: &str) -> Markup {
    html! { td.number data-v=(value) { (shown) } }
}

/// The range of the bars; its ends are multiples of a tenth.
#[derive(Clone, Copy)]
pub struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// The smallest range that holds all intervals.
    pub fn around<'a>(estimates: impl Iterator<Item = &'a Estimate> + Clone) -> Self {
        let least = estimates.clone().map(|estimate| ends(estimate)[0]).fold(1.0, f64::min);
        let most = estimates.map(|estimate| ends(estimate)[1]).fold(0.0, f64::max);
        let (from, to) = ((10.0 * least).floor().min(9.0), (10.0 * most).ceil());
        Self { from, to: to.max(from + 1.0) }
    }

    /// A share's place in the range, in per cent.
    fn place(self, share: f64) -> String {
        format!("{:.2}", 100.0 * (10.0 * share - self.from) / (self.to - self.from))
    }
}

/// Estimate, interval, the interval as a bar, and standard error.
pub fn estimate(estimate: &Estimate, axis: Axis) -> Markup {
    let ends = ends(estimate);
    let [lower, upper, best] = [ends[0], ends[1], estimate.prevalence].map(|share| axis.place(share));
    html! {
        (number(estimate.prevalence, &words::best(estimate)))
        (number(ends[0], &words::interval(estimate).unwrap_or_else(|| "–".to_owned())))
        td.bar { i style={ "--l:" (lower) ";--u:" (upper) ";--p:" (best) } {} }
        @match estimate.uncertainty {
            Some(u) => { (number(u.se, &format!("{:.2}", 100.0 * u.se))) }
            None => { (number(f64::NAN, "–")) }
        }
    }
}

/// The headers of these cells.
pub fn estimate_heads(level: &str, axis: Axis) -> Markup {
    html! {
        (head(&html! { "estimate" }, true))
        (head(&html! { (level) " % interval" }, true))
        th scope="col" { span.note { (10.0 * axis.from) " to " (10.0 * axis.to) "\u{a0}%" } }
        (head(&html! { "s.e. (points)" }, true))
    }
}

/// Warnings one after the other.
pub fn warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>) -> Markup {
    let texts: Vec<String> = warnings.into_iter().map(worded).collect();
    let number = match texts.len() {
        1 => "1 warning".to_owned(),
        several => format!("{several} warnings"),
    };
    html! { td.words { @if !texts.is_empty() { details { summary { (number) } (visible(&texts.join("; "))) } } } }
}

/// A box of its own for a table, which may be wider than the page.
pub fn scroll(what: &str, table: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(what) { (table) } }
}
