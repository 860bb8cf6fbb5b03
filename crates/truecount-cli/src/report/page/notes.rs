//! What warnings say, each kind once, with the groups that it concerns.

use super::{Page, text};
use crate::report::plain::plain;
use crate::report::words::{listed, sentence};
use indexmap::IndexMap;
use maud::{Markup, html};
use truecount::{Severity, Warning};

/// Those that a kind of warning is about.
struct Concerned {
    severity: Severity,
    /// All rows together.
    whole: bool,
    groups: Vec<String>,
}

impl Page<'_> {
    pub fn notes(&self) -> Markup {
        let mut kinds: IndexMap<String, Concerned> = IndexMap::new();
        for warning in &self.found.answer().warnings {
            concerned(&mut kinds, warning, None).whole = true;
        }
        let groups = self.found.groups.as_ref();
        let several = self.found.models.asked.quantifiers().len() > 1;
        for row in groups.iter().flat_map(|groups| &groups.rows) {
            for warning in &row.estimate.warnings {
                let method = several.then(|| row.estimate.method.to_string());
                concerned(&mut kinds, warning, method.as_deref()).groups.push(self.name(row));
            }
        }
        let mut kinds: Vec<(String, Concerned)> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, concerned)| std::cmp::Reverse(concerned.severity));
        html! {
            @if !kinds.is_empty() {
                section id="notes" {
                    h2 { "What to know" }
                    ul {
                        @for (what, Concerned { severity, whole, groups }) in &kinds {
                            li {
                                @if *severity == Severity::Unreliable { strong { "Not reliable. " } }
                                (text(&sentence(what)))
                                @let whole = (*whole && self.found.rows().len() > 1).then_some("all together");
                                @let groups = (self.found.rows().len() > 1 && !groups.is_empty()).then(|| listed(groups));
                                @let of: Vec<&str> = whole.into_iter().chain(groups.as_deref()).collect();
                                @if !of.is_empty() { " Of: " (text(&of.join("; "))) "." }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Whom a warning concerns, of one method if there are several.
fn concerned<'a>(
    kinds: &'a mut IndexMap<String, Concerned>,
    warning: &Warning,
    method: Option<&str>,
) -> &'a mut Concerned {
    let what = method.map_or_else(|| plain(warning), |method| format!("{method}: {}", plain(warning)));
    let none = || Concerned { severity: warning.severity(), whole: false, groups: Vec::new() };
    kinds.entry(what).or_insert_with(none)
}
