//! Every method's answer for all rows together.

use super::{Page, table};
use crate::report::words::described;
use maud::{Markup, html};
use truecount::Warning;
use truecount_io::results::{EstimateRow, percent, visible};

impl Page<'_> {
    pub fn methods(&self) -> Markup {
        let models = self.found.models;
        let whole = &self.found.whole;
        // What all have is said once, below.
        let shared = |warning: &Warning| whole.rows.iter().all(|row| row.estimate.warnings.contains(warning));
        let own = |row: &EstimateRow| row.estimate.warnings.iter().copied().filter(|w| !shared(w)).collect::<Vec<_>>();
        let warned = whole.rows.iter().any(|row| !own(row).is_empty());
        let axis = table::Axis::around(whole.rows.iter().map(|row| &row.estimate));
        let level = self.found.answer().level;
        let asked = |method| models.asked.quantifiers().iter().any(|quantifier| quantifier.method() == method);
        html! {
            section id="methods" {
                h2 { "All methods side by side" }
                p {
                    "For all " (self.words.items) " together, with the same labelled scores; those that fit a family of distributions fit the \
                     same (" (whole.model.settings().family) "). What was asked for is in bold. Methods that disagree by more than their \
                     intervals allow are a reason to look at the checks above; methods called uncorrected count the classifier's mistakes too."
                }
                (table::scroll("Estimates by method", &html! {
                    table.sortable id="all-methods" {
                        thead { tr {
                            (table::head(&html! { "method" }, false))
                            (table::estimate_heads(&percent(level), axis))
                            @if warned { th scope="col" { "warnings" } }
                        } }
                        tbody {
                            @for row in &whole.rows {
                                tr class=[asked(row.estimate.method).then_some("asked")] {
                                    th scope="row" { (described(row.estimate.method)) }
                                    (table::estimate(&row.estimate, axis))
                                    @if warned { (table::warnings(&own(row))) }
                                }
                            }
                        }
                    }
                }))
                @if !models.left_out.is_empty() {
                    p { "Not possible with these labelled scores:" }
                    ul { @for (method, error) in &models.left_out { li { (method) ": " (visible(&error.to_string())) } } }
                }
            }
        }
    }
}
