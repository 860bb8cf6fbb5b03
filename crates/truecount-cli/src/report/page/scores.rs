//! The labelled scores and how well they tell the classes apart.

use super::Page;
use crate::report::found::Models;
use maud::{Markup, html};
use truecount::sweep::Separation;
use truecount::{Method, Transform};
use truecount_io::results::digits_at;

impl Page<'_> {
    pub fn scores(&self) -> Markup {
        let Models { asked, every, .. } = self.found.models;
        html! {
            section id="scores" {
                h2 { "What the labelled scores look like" }
                @if every.separation().is_none() { p { (self.why_no_fit()) } }
                div.pair {
                    (self.figure(&self.figures.scores, &html! {
                        "The less the two classes overlap, the more each score tells."
                        @match every.settings().transform {
                            Transform::None => {}
                            Transform::Logit => { " The scores are shown as their logits." }
                            Transform::Rank => { " The scores are shown as normal quantiles of the labelled ones." }
                            other => { " The scores are shown after the transform " (other) "." }
                        }
                        " At most 0.2\u{a0}% of a class lie beyond each end."
                    }))
                    @if let Some(drawing) = &self.figures.calibration {
                        (self.figure(drawing, &html! {
                            "Efficient Sweep counts scores in bins, and weighs each bin by how many times as often positives lie in it as \
                             negatives. The line is what it learnt of that, each point what one bin of labelled scores says alone. No \
                             family of distributions is fitted."
                        }))
                    }
                    @if let (Some(drawing), Some(separation)) = (&self.figures.separation, asked.separation()) {
                        (self.figure(drawing, &html! {
                            "J tells how many more of the positives than of the negatives lie above a threshold: at best "
                            (format!("{:.1}", 100.0 * separation.max_j())) " in a hundred, at " (place(separation))
                            ". Continuous Sweep averages its estimate over the shaded thresholds."
                        }))
                    }
                }
            }
        }
    }

    /// Why no distribution could be fitted.
    fn why_no_fit(&self) -> String {
        let models = &self.found.models;
        let family = models.every.settings().family;
        let reason = models.left_out.iter().find(|(method, _)| *method == Method::O_CS);
        let reason = reason.map_or_else(String::new, |(_, error)| format!(": {error}"));
        format!("No {family} distributions could be fitted to the classes{reason}.")
    }
}

/// Where J is largest, with as many digits as the spread of the scores is worth.
fn place(separation: &Separation) -> String {
    let at = separation.theta_max();
    let spread = separation.positive().quantile(0.5) - separation.negative().quantile(0.5);
    format!("{at:.*}", digits_at(at, spread.abs()))
}
