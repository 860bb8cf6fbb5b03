//! What everything rests on: that only the prevalence has changed, that the threshold is a good one, and that the
//! family fits.

use super::Page;
use crate::check::words;
use crate::report::found::{Checks, Models};
use maud::{Markup, html};
use truecount::check::Checked;
use truecount::distribution::Family;

impl Page<'_> {
    pub fn check(&self) -> Markup {
        let (whole, each) = match &self.found.checked {
            Checks::Impossible(error) => return not_checked(&error.to_string()),
            Checks::Done { whole, each } => (whole, each),
        };
        html! {
            section id="check" {
                h2 { "Has only the prevalence changed?" }
                p {
                    "All of this assumes that a positive's score looks the same among the labelled and the unlabelled "
                    (self.words.items) ", and so does a negative's. Then the scores are a mixture of the labelled classes, and Adjusted \
                     Count is the same at every threshold, but for chance."
                }
                @if let Some(sentence) = Checked::meaning([whole.as_ref()]) { p { strong { "All together. " } (sentence) } }
                @if each.len() > 1 {
                    @if let Some(sentence) = Checked::meaning(each) { p { strong { "Each group. " } (sentence) } }
                }
                @if let Some(drawing) = &self.figures.adjusted_count {
                    (self.figure(drawing, &html! {
                        "Adjusted Count at every threshold that tells the classes apart, with its 95\u{a0}% band, for all "
                        (self.words.items) " together: flat when the assumption holds."
                    }))
                }
                @if !self.figures.suspects.is_empty() {
                    p { "The groups whose scores are furthest from a mixture:" }
                    div.pair {
                        @for drawing in &self.figures.suspects { (self.figure(drawing, &html! { "The same for one group." })) }
                    }
                }
            }
        }
    }

    pub fn threshold(&self) -> Markup {
        let Some(drawing) = &self.figures.variance else { return html! {} };
        html! {
            section id="threshold" {
                h2 { "Continuous Sweep's threshold" }
                (self.figure(drawing, &html! {
                    "A low threshold averages over scores that tell little, a high one over few of them. The variance is that of the \
                     unlabelled scores at prevalence one half; twice the variance means that twice as many scores would be needed for the \
                     same precision."
                }))
            }
        }
    }

    pub fn families(&self) -> Markup {
        let Models { asked, every, .. } = self.found.models;
        let family = every.settings().family;
        html! {
            section id="families" {
                h2 { "How well the families fit" }
                @if asked.separation().is_none() {
                    p { "The answer above rests on no family of distributions; the estimates of some methods below do." }
                }
                p { (words::families(&self.found.families)) }
                p {
                    "Each class's observed distribution against the fitted one: on the diagonal where the family fits, with the p-value of Cramér and von Mises's W² by its \
                     law for large samples."
                }
                @if asked.separation().is_some() && family == Family::Kernel { p { "Here kernel densities were used, which follow scores of any shape." } }
                div.pair.thirds {
                    @for (family, drawing) in &self.figures.goodness {
                        (self.figure(drawing, &html! { "The " (family) " family." }))
                    }
                }
            }
        }
    }
}

/// Where there are too few labelled scores.
fn not_checked(why: &str) -> Markup {
    html! {
        section id="check" {
            h2 { "Has only the prevalence changed?" }
            p { "That cannot be checked: " (why) ". The estimates assume it." }
        }
    }
}
