//! The labelled scores and how well they tell the two kinds apart.

use super::{Page, folded, text};
use crate::check::words;
use crate::report::words::share;
use maud::{Markup, html};
use truecount::{Digits, PerClass, Transform};

impl Page<'_> {
    pub fn scores(&self) -> Markup {
        let models = self.found.models;
        let content = html! {
            @if let Some(sentence) = self.told_apart() { p { (text(&sentence)) } }
            @if !self.found.families.is_empty() {
                p { "The method takes its rates from distributions that are fitted to these scores. " (words::families(&self.found.families)) }
            }
            div.pair {
                (self.figure(&self.figures.scores, &html! {
                    "The less the two kinds overlap, the more each score tells."
                    @match models.every.settings().transform {
                        Transform::None => {}
                        Transform::Logit => { " The scores are shown as their logits." }
                        Transform::Rank => { " The scores are shown as normal quantiles of the labelled ones." }
                        other => { " The scores are shown after the transform " (other) "." }
                    }
                    " At most 0.2\u{a0}% of a kind lie beyond each end."
                }))
                @if let Some(drawing) = &self.figures.calibration {
                    (self.figure(drawing, &html! {
                        "Efficient Sweep counts scores in bins, and weighs each bin by how many times as often positives lie in it as \
                         negatives, as if both kinds were as many. The line is what it learnt of that, each point what one bin of labelled scores says alone."
                    }))
                }
                @if let Some(drawing) = &self.figures.separation {
                    (self.figure(drawing, &html! {
                        "J tells how many more of the positives than of the negatives lie above a threshold, by the fitted distributions. \
                         Continuous Sweep averages its estimate over the shaded thresholds."
                    }))
                }
            }
        };
        folded("scores", "How the scores look", &content)
    }

    /// Where a threshold tells most of the labelled scores apart, if all of them count alike.
    fn told_apart(&self) -> Option<String> {
        let PerClass { positive, negative } =
            self.found.models.every.labelled().is_plain().then_some(&self.found.labelled)?;
        let from = |scores: &[f64], at: f64| {
            (scores.len() - scores.partition_point(|score| *score < at)) as f64 / scores.len() as f64
        };
        let rates = |at: &f64| (*at, from(positive, *at), from(negative, *at));
        let apart = |(_, hits, false_alarms): &(f64, f64, f64)| hits - false_alarms;
        let (at, hits, false_alarms) = positive.iter().map(rates).max_by(|a, b| apart(a).total_cmp(&apart(b)))?;
        Some(format!(
            "Of the labelled ones that are {}, {} score {} or more; of the others, {}. No other threshold tells more of them apart.",
            self.words.are,
            share(hits, 1),
            Digits(at),
            share(false_alarms, 1)
        ))
    }
}
