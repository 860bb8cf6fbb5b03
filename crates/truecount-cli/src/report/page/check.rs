//! The check of the assumption: for all rows together, and one p-value for each group.

use super::{Page, folded, table, text};
use crate::report::found::Checks;
use crate::report::words::{count, share};
use maud::{Markup, html};
use truecount::check::Checked;
use truecount_analysis::results::{short_p, visible};

/// Groups in the table, at most.
const MOST: usize = 100;

impl Page<'_> {
    pub fn check(&self) -> Markup {
        let content = match &self.found.checked {
            Checks::Impossible(error) => html! { p { "It could not be made: " (visible(&error.to_string())) "." } },
            Checks::Done { whole, .. } => self.checks(whole),
        };
        folded("check", "The check", &content)
    }

    fn checks(&self, whole: &Checked) -> Markup {
        let furthest = self.found.furthest();
        html! {
            @if self.found.audits.is_some() { p { "It is about labels from elsewhere alone: what rests on an audit does not need it." } }
            p {
                "If only the share has changed, the scores are a mixture of those of the two labelled kinds, and Adjusted Count is the same at \
                 every threshold, but for chance. All together: p " (of(whole.shift.p_value)) "."
            }
            div.pair {
                @if let Some(drawing) = &self.figures.adjusted_count {
                    (self.figure(drawing, &html! {
                        "Adjusted Count at every threshold that tells the two kinds apart, with its 95\u{a0}% band, for all "
                        (text(self.words.items)) " together: flat where the assumption holds."
                    }))
                }
                @if let Some(drawing) = &self.figures.sensitivity {
                    (self.figure(drawing, &html! {
                        "What the check may not see: by how much the estimate moves if so many of a kind score otherwise than the labelled ones, by \
                         the score that they have."
                    }))
                }
                @for drawing in &self.figures.suspects { (self.figure(drawing, &html! { "The same for a group that differs." })) }
            }
            @if furthest.len() > 1 {
                p {
                    "For each group p is adjusted for their number (Holm), so that in 1 of 100 such reports any of them is below 0.01 by chance. "
                    @if furthest.len() > MOST { "The " (MOST) " of " (count(furthest.len() as u64)) " groups that are furthest from a mixture:" }
                    @else { "Those furthest from a mixture come first:" }
                }
                (table::scroll("The check by group", &html! {
                    table id="checks" {
                        thead { tr {
                            th scope="col" { "group" } th.number scope="col" { "p" } th.number scope="col" { "fits no mix" }
                            th scope="col" { "most of it too many" }
                        } }
                        tbody {
                            @for (row, checked) in furthest.iter().take(MOST) {
                                tr {
                                    th scope="row" { (text(&self.name(row))) }
                                    (table::number(checked.adjusted, &short_p(checked.adjusted)))
                                    td.number { (share(checked.shift.misfit.unexplained, 1)) }
                                    td { (checked.worst) }
                                }
                            }
                        }
                    }
                }))
            }
        }
    }
}

/// A p-value behind its letter.
fn of(p: f64) -> String {
    let p = short_p(p);
    p.strip_prefix('<').map_or_else(|| format!("= {p}"), |bound| format!("< {bound}"))
}
