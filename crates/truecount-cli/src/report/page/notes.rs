//! What warnings of groups say: each kind once, with the groups that it concerns.

use super::{Page, text};
use crate::output::{Kind, kinds_of};
use crate::report::plain::plain;
use crate::report::words::{among, listed, sentence};
use maud::{Markup, html};
use truecount::Severity;

impl Page<'_> {
    pub fn notes(&self) -> Markup {
        let Some(groups) = self.found.groups.as_ref().filter(|_| self.found.rows().len() > 1) else { return html! {} };
        let kinds = kinds_of(groups.rows.iter());
        html! {
            @if !kinds.is_empty() {
                section id="notes" {
                    h2 { "What to know of single groups" }
                    ul {
                        @for kind in &kinds {
                            li {
                                @if kind.first.1.severity() == Severity::Unreliable { strong { "Not reliable. " } }
                                (text(&sentence(&format!("{}: {}", self.concerned(kind), plain(kind.first.1)))))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Which groups, and of several methods which.
    fn concerned(&self, kind: &Kind) -> String {
        let all = self.found.rows().len();
        let names = || listed(&kind.groups.values().map(|row| self.name(row)).collect::<Vec<_>>());
        let groups = match kind.groups.len() {
            1 => names(),
            number if number == all => among(number, all),
            number => format!("{} ({})", among(number, all), names()),
        };
        let methods = kind.methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let several = self.found.models.asked.quantifiers().len() > 1;
        if several { format!("{groups}, by {methods}") } else { groups }
    }
}
