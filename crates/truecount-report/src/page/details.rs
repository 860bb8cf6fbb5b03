//! The folded sections for statisticians: the scores, the check, other methods, and how to reproduce the report.

use super::{Page, cells, folded, text};
use crate::data::CheckOutcome;
use crate::provenance::{InputFile, Origin, hex};
use crate::words::{count, describe_method, p_value_phrase, share};
use maud::{Markup, html};
use std::slice::from_ref;
use truecount::internal::Digits;
use truecount::scores::{PerClass, Transform};
use truecount::shift_test::ShiftVerdict;
use truecount_analysis::family_test::describe_fits;
use truecount_analysis::output::parameters_json;
use truecount_analysis::results::{escape_untrusted, format_p_value, percent};

impl Page<'_> {
    /// Returns the section on the labelled scores and how well they separate the two classes.
    pub fn scores(&self) -> Markup {
        let models = self.data.models;
        let content = html! {
            @if let Some(sentence) = self.best_threshold() { p { (text(&sentence)) } }
            @if !self.data.families.is_empty() {
                p { "The method takes its rates from distributions that are fitted to these scores. \
                 " (describe_fits(&self.data.families, self.words.interface)) }
            }
            div.pair {
                (self.figure(from_ref(&self.figures.scores), &html! {
                    "The less the two kinds overlap, the more information each score carries."
                    @match models.extended.settings().transform {
                        Transform::None => {}
                        Transform::Logit => { " The scores are shown as their logits." }
                        Transform::Rank => { " The scores are shown as normal quantiles of the labelled ones." }
                        other => { " The scores are shown after the transform " (other) "." }
                    }
                    " At most 0.2\u{a0}% of each kind lie beyond either end of the axis."
                }))
                @if let Some(drawing) = &self.figures.calibration {
                    (self.figure(from_ref(drawing), &html! {
                        "Efficient Sweep counts scores in bins, and weights each bin by how much more often positives \
                         fall in it than negatives, if both kinds were equally frequent. The line is the fitted \
                         curve; each point is one bin of the labelled scores."
                    }))
                }
                @if let Some(drawing) = &self.figures.separation {
                    (self.figure(from_ref(drawing), &html! {
                        "J is the share of positives above a threshold minus the share of negatives above it, by the \
                         fitted distributions. Continuous Sweep averages its estimate over the shaded thresholds."
                    }))
                }
            }
        };
        folded("scores", "How the scores look", &content)
    }

    /// Describes the threshold that best separates the labelled scores; `None` if these are weighted or clustered.
    fn best_threshold(&self) -> Option<String> {
        let PerClass { positive, negative } =
            self.data.models.extended.labelled().is_simple_random_sample().then_some(&self.data.labelled)?;
        let share_above = |scores: &[f64], threshold: f64| {
            (scores.len() - scores.partition_point(|score| *score < threshold)) as f64 / scores.len() as f64
        };
        let rates =
            |threshold: &f64| (*threshold, share_above(positive, *threshold), share_above(negative, *threshold));
        let j = |(_, tpr, fpr): &(f64, f64, f64)| tpr - fpr;
        let (threshold, tpr, fpr) = positive.iter().map(rates).max_by(|a, b| j(a).total_cmp(&j(b)))?;
        Some(format!(
            "Of the labelled ones that are {}, {} score {} or more; of the others, {}. No other threshold separates \
             them better.",
            self.words.positive_name,
            share(tpr, 1),
            Digits(threshold),
            share(fpr, 1)
        ))
    }
}

/// Maximum number of groups in the table.
const MAX_GROUPS: usize = 100;

impl Page<'_> {
    /// Returns the section on the shift check: for all rows together, and for each group.
    pub fn check(&self) -> Markup {
        let content = match &self.data.shift_checks {
            CheckOutcome::Impossible(error) => {
                html! { p { "The check could not be made: " (escape_untrusted(&error.to_string())) "." } }
            }
            CheckOutcome::Done { overall, .. } => self.check_results(overall),
        };
        folded("check", "The check", &content)
    }

    fn check_results(&self, overall: &ShiftVerdict) -> Markup {
        let rows = self.data.rows_by_p_value();
        html! {
            @if self.data.audit.is_some() { p { "The check concerns the external labels only: the audited labels do \
             not need it." } }
            p {
                "If only the share has changed, the scores are a mix of those of the two labelled kinds, and Adjusted \
                 Count estimates the same share at every threshold, up to chance. All together: p \
                 " (p_value_phrase(overall.statistics.p_value)) "."
            }
            @if let Some(shift) = overall.statistics.misfit.parallel_shift {
                p {
                    "No check can see every shift of both kinds at once. If all scores had moved up by 0.1, 0.2 or 0.5 \
                     standard deviations since the labels were made, the share would be "
                    (points(shift.effect, 0.1)) ", " (points(shift.effect, 0.2)) " or " (points(shift.effect, 0.5))
                    " points lower."
                }
            }
            div.pair {
                @if let Some(drawing) = &self.figures.adjusted_count {
                    (self.figure(from_ref(drawing), &html! {
                        "Adjusted Count at every threshold that separates the two kinds, with its 95\u{a0}% band, for \
                         all "
                        (text(&self.words.items)) " together: flat where the assumption holds."
                    }))
                }
                @if let Some(drawing) = &self.figures.sensitivity {
                    (self.figure(from_ref(drawing), &html! {
                        "How far the estimate moves if 2\u{a0}% of one kind have another score than the labelled ones: \
                         the check may miss so small a change. The horizontal axis is that score."
                    }))
                }
                @for drawing in &self.figures.suspects {
                    (self.figure(
                        from_ref(drawing), &html! { "Adjusted Count at every threshold for a group that differs." }
                    ))
                }
            }
            @if rows.len() > 1 {
                p {
                    "The p of each group is adjusted for the number of groups (Holm), so that in at most 1 of 100 such \
                     reports any p is below 0.01 by chance alone. "
                    @if rows.len() > MAX_GROUPS { "The " (MAX_GROUPS) " of " (count(rows.len() as u64)) " groups with \
                     the smallest p:" }
                    @else { "The smallest p come first:" }
                }
                (cells::scroll("The check by group", &html! {
                    table id="checks" {
                        thead { tr {
                            th scope="col" { "group" } th.number scope="col" { "p" } th.number scope="col" { "fits no \
                             mix" }
                            th scope="col" { "most significant excess" }
                            th.number scope="col" { "a shift of 0.2, points" }
                        } }
                        tbody {
                            @for (row, verdict) in rows.iter().take(MAX_GROUPS) {
                                tr {
                                    th scope="row" { (text(&self.name(row))) }
                                    (cells::number(verdict.adjusted_p_value, &format_p_value(verdict.adjusted_p_value)))
                                    td.number { (share(verdict.statistics.misfit.unexplained, 1)) }
                                    td { (verdict.most_significant_excess) }
                                    td.number {
                                        @if let Some(shift) = verdict.statistics.misfit.parallel_shift {
                                            (points(shift.effect, 0.2))
                                        }
                                    }
                                }
                            }
                        }
                    }
                }))
            }
        }
    }
}

/// Formats how far a shift of all scores by this many standard deviations moves the share, in points.
fn points(effect: f64, by: f64) -> String {
    format!("{:.1}", 100.0 * effect * by)
}

impl Page<'_> {
    /// Returns the section with the requested methods and a few others, for all rows together.
    pub fn methods(&self) -> Markup {
        let models = self.data.models;
        let is_requested =
            |method| models.requested.quantifiers().iter().any(|quantifier| quantifier.method() == method);
        let content = html! {
            p {
                "For all " (text(&self.words.items)) " together; the requested methods are in bold. A method called \
                 uncorrected includes the classifier's errors. If other methods disagree by more than their intervals \
                 allow, look at the check."
                @if self.data.audit.is_some() { " All of them use the external labels; none uses the audit." }
            }
            (cells::scroll("Estimates by method", &html! {
                table.sortable id="all-methods" {
                    thead { tr {
                        (cells::header(&html! { "method" }, false))
                        (cells::header(&html! { "estimate" }, true))
                        (cells::header(&html! { (percent(self.data.answer().level)) "\u{a0}%\u{a0}interval" }, true))
                    } }
                    tbody {
                        @for row in &self.data.overall {
                            tr class=[is_requested(row.estimate.method).then_some("asked")] {
                                th scope="row" { (describe_method(row.estimate.method)) }
                                (cells::estimate(row))
                            }
                        }
                    }
                }
            }))
        };
        folded("methods", "Other methods", &content)
    }
}

impl Page<'_> {
    /// Returns the section with the command, files and parameters that reproduce the report.
    pub fn reproduce(&self, origin: &Origin) -> Markup {
        let parameters =
            serde_json::to_string(&parameters_json(&self.data.models.requested)).expect("numbers and text");
        let content = html! {
            (self::origin(origin))
            p { "Fingerprint of the model, which identifies its settings and labelled scores: \
             " code { (self.data.models.requested.fingerprint()) } }
            p {
                a download="parameters.json" href={ "data:application/json;charset=utf-8," (percent_encoded(&parameters)) } {
                    "Save the fitted parameters as JSON"
                }
            }
        };
        folded("reproduce", "How to reproduce this page", &content)
    }
}

/// Returns the program's version, the command and the files.
pub fn origin(origin: &Origin) -> Markup {
    match origin {
        Origin::Files { command, files } => html! {
            p { "truecount " (env!("CARGO_PKG_VERSION")) @if !files.is_empty() { ", with these files:" } }
            @if !files.is_empty() { (file_table(files)) }
            p { "The command:" }
            pre { code { (escape_untrusted(command)) } }
        },
        Origin::InMemory => html! {
            p { "truecount " (env!("CARGO_PKG_VERSION")) ", from its Python package: the scores were in memory, so \
             there are no files to list." }
        },
    }
}

/// Encodes text for a URL. Numbers stay readable.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.,:".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(["%", &hex(&[byte])]);
        }
    }
    encoded
}

fn file_table(files: &[InputFile]) -> Markup {
    html! {
        (cells::scroll("Files", &html! {
            table {
                thead { tr { th scope="col" { "file" } th.number scope="col" { "bytes" } th scope="col" { "SHA-256" } } }
                tbody {
                    @for file in files {
                        tr {
                            th scope="row" { (text(&file.name)) }
                            @match &file.content {
                                Some(content) => {
                                    td.number { (count(content.bytes)) }
                                    td { code { (content.hash) } }
                                }
                                None => { td {} td { "not available: read from a pipe" } }
                            }
                        }
                    }
                }
            }
        }))
    }
}
