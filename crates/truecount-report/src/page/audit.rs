//! The section on the audit: the estimate by each source, the published source with its reason, and its assumption.

use super::{Page, cells, text};
use crate::audit::AuditData;
use crate::tables::with_minus_signs;
use crate::words::{count, format_interval, out_of, sentence, share_like_interval};
use maud::{Markup, html};
use truecount::Warning;
use truecount::audit::{AuditSource, AuditSummary, CorrectedPrevalence, LabelAgreement, LabelErrors};
use truecount::error::Severity;
use truecount_analysis::advice::plain_warning;
use truecount_analysis::results::{EvidenceRow, explain_recommendation, percent};

impl Page<'_> {
    pub fn audit(&self) -> Markup {
        let Some(audit) = &self.data.audit else { return html! {} };
        let overall = &audit.overall;
        html! {
            section id="audit" {
                h2 { "The audit" }
                p { (text(&self.sample_sizes(audit))) }
                p { (with_minus_signs(&sentence(&explain_recommendation(overall)))) }
                (cells::scroll("Estimates by source", &html! {
                    table id="sources" {
                        thead { tr {
                            th scope="col" { "source" }
                            th.number scope="col" { "estimate" }
                            th.number scope="col" { (percent(overall.level)) "\u{a0}%\u{a0}interval" }
                            th.number.se scope="col" { "s.e. (points)" }
                        } }
                        tbody { @for (row, evidence) in overall.estimates.iter().zip(EvidenceRow::from_audit(0, overall)) {
                            tr class=[(row.source == overall.recommended).then_some("asked")] {
                                th scope="row" {
                                    (row.source)
                                    @if row.source == overall.recommended { " (the answer)" }
                                }
                                (cells::number(row.prevalence, &share_like_interval(row.prevalence, &row.interval)))
                                (cells::number(row.interval.lower, &format_interval(&row.interval)))
                                (cells::standard_error(Some(evidence.se_widened())))
                            }
                        } }
                    }
                }))
                ul {
                    @for row in &overall.estimates { li { strong { (row.source) } ": \
                     " (text(&self.meaning(row.source))) } }
                }
                @if let Some(agreement) = &overall.agreement { (self.agreement(agreement)) }
                @for warning in external_warnings(overall) { p { (text(&format!("Warning about the external labels: \
                 {}.", plain_warning(warning)))) } }
                @if let Some(sentence) = self.group_sources(audit) { p { (text(&sentence)) } }
            }
        }
    }

    /// States the numbers of audited rows and of positives among them.
    fn sample_sizes(&self, audit: &AuditData) -> String {
        let AuditSummary { n, audited, positive, .. } = audit.overall;
        let weighted = if audit.weighted { " Each is weighted by the number of rows it represents." } else { "" };
        format!(
            "Of the {} {}, {} were drawn at random and labelled by people; {} of these are {}.{weighted}",
            count(n),
            self.words.items,
            count(audited),
            count(positive),
            self.words.positive_name
        )
    }

    /// States the agreement of people who labelled, and the share if their labels have errors.
    fn agreement(&self, agreement: &LabelAgreement) -> Markup {
        let kappa = agreement.kappa.map_or_else(String::new, |kappa| format!(" (kappa {:.2})", kappa.value));
        let item = |corrected: &CorrectedPrevalence| {
            let meaning = LabelErrors::TABLE.iter().find(|(_, errors, _)| *errors == corrected.errors);
            let share = share_like_interval(corrected.prevalence, &corrected.interval);
            let interval = format_interval(&corrected.interval);
            format!("{share} (interval {interval}) if {}", meaning.map_or("", |(.., meaning)| meaning))
        };
        html! {
            p { (text(&format!(
                "{} of the audited {} have labels of several people, of which {:.1} % of pairs agree{kappa}; the \
                 label is their mean. If people err independently of each other, all with the same rates, the share \
                 (ppi++) is",
                count(agreement.items), self.words.items, 100.0 * agreement.agreement
            ))) }
            ul { @for corrected in &agreement.corrected { li { (text(&item(corrected))) } } }
        }
    }

    /// Describes a source and its assumption.
    fn meaning(&self, source: AuditSource) -> String {
        let items = &self.words.items;
        match source {
            AuditSource::LabelsOnly => "the audited labels alone; assumes nothing".to_owned(),
            AuditSource::Ppi => format!(
                "the audited labels, together with the scores of all {items} (prediction-powered inference); assumes \
                 nothing"
            ),
            AuditSource::External => {
                "the scores alone, corrected with external labels; assumes that only the share has changed".to_owned()
            }
            AuditSource::Combined => {
                "ppi++ and external labels together; the external labels weigh less the more they differ from ppi++"
                    .to_owned()
            }
        }
    }

    /// Names the published source in a sentence.
    pub fn source(&self, source: AuditSource) -> String {
        let ppi = format!("the audited labels with the scores of all {}", self.words.items);
        match source {
            AuditSource::LabelsOnly => "the audited labels".to_owned(),
            AuditSource::Ppi => ppi,
            AuditSource::External => "external labels".to_owned(),
            AuditSource::Combined => format!("{ppi}, and external labels"),
        }
    }

    /// States the sources of the groups' answers.
    fn group_sources(&self, audit: &AuditData) -> Option<String> {
        let all = audit.groups.len();
        if self.data.rows().len() < 2 {
            return None;
        }
        let number = |source| audit.groups.iter().filter(|group| group.recommended == source).count();
        let with_number = |source: AuditSource| match number(source) {
            0 => None,
            some => Some(format!("{source} in {}", out_of(some, all))),
        };
        let sources: Vec<String> =
            AuditSource::TABLE.iter().filter_map(|(_, source, _)| with_number(*source)).collect();
        let overall = match audit.unaudited() {
            0 => "In the overall estimate each group is weighted by its size.".to_owned(),
            some => format!(
                "In {} nothing was audited, so the overall estimate treats the audited {} as a random sample of all \
                 groups.",
                out_of(some, all),
                self.words.items
            ),
        };
        Some(format!(
            "Each group has a separate answer from its own audited {}: {}. {overall}",
            self.words.items,
            sources.join(", ")
        ))
    }

    /// Returns a clause on the source of the published estimate.
    pub fn verdict(&self, audit: &AuditData) -> String {
        let sample = if audit.unaudited() > 0 { ", treated as a random sample of all groups," } else { "" };
        let audited = format!("{} audited {}{sample}", count(audit.overall.audited), self.words.items);
        match audit.overall.recommended {
            AuditSource::Combined => {
                format!(
                    "the audit with {audited} does not contradict the external labels, and the answer combines both"
                )
            }
            _ => format!("the answer rests on {audited} and assumes nothing about the scores"),
        }
    }

    /// Explains the assumptions of an answer from an audit.
    pub fn audit_assumptions(&self, audit: &AuditData) -> Vec<String> {
        let items = &self.words.items;
        let labels = format!(
            "The answer assumes that the audited {items} were drawn at random and that their labels are right."
        );
        let scores = match audit.overall.recommended {
            AuditSource::Combined => {
                "The contribution of the external labels assumes that only the share has changed. The audit does not \
                 contradict this, and the external labels get less weight for changes that the audit cannot see."
            }
            _ => {
                "The answer assumes nothing about the scores: it holds even where they differ from the \
                 externally labelled ones."
            }
        };
        let unaudited = match (audit.unaudited(), audit.groups.len()) {
            (0, _) => None,
            (some, all) => Some(format!(
                "In {} nothing was audited: the answer for {} comes from external labels and assumes that only the \
                 share has changed.",
                out_of(some, all),
                if some == 1 { "it" } else { "them" }
            )),
        };
        let is_combined = |group: &AuditSummary| group.recommended == AuditSource::Combined;
        let combined = (audit.overall.recommended != AuditSource::Combined && audit.groups.iter().any(is_combined))
            .then(|| {
                "This is about the overall answer: groups with the source combined also rest on external labels, which \
             their audit does not contradict."
                    .to_owned()
            });
        [labels, scores.to_owned()].into_iter().chain(combined).chain(unaudited).collect()
    }
}

/// Returns the warnings of the estimate from external labels, without notes.
fn external_warnings(summary: &AuditSummary) -> impl Iterator<Item = &Warning> {
    let warnings = summary.external.iter().flat_map(|estimate| &estimate.warnings);
    warnings.filter(|warning| warning.severity() != Severity::Note)
}
