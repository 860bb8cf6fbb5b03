//! The audit: what each source says of all rows together, which one is published and why, and what it rests on.

use super::{Page, cells, text};
use crate::audit::AuditData;
use crate::words::{among, count, ends_of, plain, sentence, share_of};
use maud::{Markup, html};
use truecount::{AuditSummary, Severity, Source, Warning};
use truecount_analysis::results::{percent, explain_recommendation};

impl Page<'_> {
    pub fn audit(&self) -> Markup {
        let Some(audit) = &self.data.audit else { return html! {} };
        let whole = &audit.whole;
        html! {
            section id="audit" {
                h2 { "The audit" }
                p { (text(&self.drawn(audit))) }
                p { (sentence(&explain_recommendation(whole))) }
                (cells::scroll("What each source says", &html! {
                    table id="sources" {
                        thead { tr {
                            th scope="col" { "source" }
                            th.number scope="col" { "estimate" }
                            th.number scope="col" { (percent(whole.level)) "\u{a0}% interval" }
                            th.number scope="col" { "s.e. (points)" }
                        } }
                        tbody { @for row in &whole.evidence {
                            tr class=[(row.source == whole.answer).then_some("asked")] {
                                th scope="row" {
                                    (row.source)
                                    @if row.source == whole.answer { " (the answer)" }
                                }
                                (cells::number(row.prevalence, &share_of(row.prevalence, &row.uncertainty)))
                                (cells::number(row.uncertainty.lower, &ends_of(&row.uncertainty)))
                                (cells::number(row.uncertainty.se, &format!("{:.2}", 100.0 * row.uncertainty.se)))
                            }
                        } }
                    }
                }))
                ul {
                    @for row in &whole.evidence { li { strong { (row.source) } ": " (text(&self.meaning(row.source))) } }
                }
                @for warning in doubts_of_elsewhere(whole) { p { (text(&format!("What is to be known of elsewhere: {}.", plain(warning)))) } }
                @if let Some(sentence) = self.audits_of_groups(audit) { p { (text(&sentence)) } }
            }
        }
    }

    /// How many were audited.
    fn drawn(&self, audit: &AuditData) -> String {
        let AuditSummary { n, audited, positive, .. } = audit.whole;
        let weighted = if audit.weighted { " Each counts for as many as it stands for." } else { "" };
        format!(
            "Of the {} {}, {} were drawn at random and labelled by people; {} of these are {}.{weighted}",
            count(n),
            self.words.items,
            count(audited),
            count(positive),
            self.words.positive_name
        )
    }

    /// What a source is.
    fn meaning(&self, source: Source) -> String {
        let items = self.words.items;
        match source {
            Source::Labels => "the audited labels alone; assumes nothing".to_owned(),
            Source::Powered => format!(
                "the audited labels, with what the scores say of all {items} (prediction-powered inference); assumes nothing"
            ),
            Source::Elsewhere => {
                "the scores alone, learnt from labels elsewhere; assumes that only the share has changed".to_owned()
            }
            Source::Combined => {
                "ppi++ and elsewhere together; elsewhere counts for less the farther it is from ppi++".to_owned()
            }
        }
    }

    /// What is published, in the words of a sentence.
    pub fn source(&self, source: Source) -> String {
        let powered = format!("the audited labels with what the scores say of all {}", self.words.items);
        match source {
            Source::Labels => "the audited labels".to_owned(),
            Source::Powered => powered,
            Source::Elsewhere => "labels from elsewhere".to_owned(),
            Source::Combined => format!("{powered}, and labels from elsewhere"),
        }
    }

    /// Where the answers of the groups come from.
    fn audits_of_groups(&self, audit: &AuditData) -> Option<String> {
        let all = audit.each.len();
        if self.data.rows().len() < 2 {
            return None;
        }
        let number = |source| audit.each.iter().filter(|group| group.answer == source).count();
        let of = |source: Source| match number(source) {
            0 => None,
            some => Some(format!("{source} in {}", among(some, all))),
        };
        let answers: Vec<String> = Source::TABLE.iter().filter_map(|(_, source, _)| of(*source)).collect();
        let whole = match audit.unaudited() {
            0 => "For all together each group counts by its size.".to_owned(),
            some => format!(
                "In {} nothing was audited: for all together the audited {} are taken as drawn from all groups alike.",
                among(some, all),
                self.words.items
            ),
        };
        Some(format!(
            "Each group has an answer of its own, from its own audited {}: {}. {whole}",
            self.words.items,
            answers.join(", ")
        ))
    }

    /// Where what is published comes from, in half a sentence.
    pub fn verdict(&self, audit: &AuditData) -> String {
        let taken = if audit.unaudited() > 0 { ", taken as drawn from all groups alike," } else { "" };
        let these = format!("{} audited {}{taken}", count(audit.whole.audited), self.words.items);
        match audit.whole.answer {
            Source::Combined => {
                format!("labels from elsewhere carry over as far as {these} can tell, and the answer combines both")
            }
            _ => format!("the answer rests on {these} and assumes nothing about the scores"),
        }
    }

    /// What an answer that is an audit's assumes.
    pub fn assumed_by_audit(&self, audit: &AuditData) -> Vec<String> {
        let items = self.words.items;
        let about =
            format!("It is assumed that the audited {items} were drawn at random, and that their labels are right.");
        let scores = match audit.whole.answer {
            Source::Combined => {
                "What labels from elsewhere add to them assumes that only the share has changed. The audit does not contradict that, and they \
                 weigh less for what it cannot see."
            }
            _ => {
                "Nothing is assumed about the scores: where they differ from those labelled elsewhere, the answer holds all the same."
            }
        };
        let unaudited = match (audit.unaudited(), audit.each.len()) {
            (0, _) => None,
            (some, all) => Some(format!(
                "In {} nothing was audited: what is said of {} is from labels elsewhere, and assumes that only the share has changed.",
                among(some, all),
                if some == 1 { "it" } else { "them" }
            )),
        };
        let is_combined = |group: &AuditSummary| group.answer == Source::Combined;
        let combined = (audit.whole.answer != Source::Combined && audit.each.iter().any(is_combined)).then(|| {
            "That is said of all together: groups whose source is combined rest on labels from elsewhere too, which their audit does not \
             contradict."
                .to_owned()
        });
        [about, scores.to_owned()].into_iter().chain(combined).chain(unaudited).collect()
    }
}

/// What is to be known of the estimate from elsewhere.
fn doubts_of_elsewhere(audited: &AuditSummary) -> impl Iterator<Item = &Warning> {
    let warnings = audited.elsewhere.iter().flat_map(|estimate| &estimate.warnings);
    warnings.filter(|warning| warning.severity() != Severity::Note)
}
