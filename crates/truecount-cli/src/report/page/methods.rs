//! What was asked for beside a few other methods, for all rows together.

use super::{Page, folded, table, text};
use crate::report::words::described;
use maud::{Markup, html};
use truecount_analysis::results::percent;

impl Page<'_> {
    pub fn methods(&self) -> Markup {
        let models = self.found.models;
        let asked = |method| models.asked.quantifiers().iter().any(|quantifier| quantifier.method() == method);
        let content = html! {
            p {
                "For all " (text(self.words.items)) " together; what was asked for is in bold. A method called uncorrected counts the classifier's \
                 errors too; others that disagree by more than their intervals allow are a reason to look at the check."
                @if self.found.audits.is_some() { " All of them are from labels elsewhere; none knows the audit." }
            }
            (table::scroll("Estimates by method", &html! {
                table.sortable id="all-methods" {
                    thead { tr {
                        (table::head(&html! { "method" }, false))
                        (table::head(&html! { "estimate" }, true))
                        (table::head(&html! { (percent(self.found.answer().level)) "\u{a0}% interval" }, true))
                    } }
                    tbody {
                        @for row in &self.found.whole.rows {
                            tr class=[asked(row.estimate.method).then_some("asked")] {
                                th scope="row" { (described(row.estimate.method)) }
                                (table::estimate(&row.estimate))
                            }
                        }
                    }
                }
            }))
        };
        folded("methods", "Other methods", &content)
    }
}
