//! The sections for every reader: the answer and its reliability, the assumption, and notes on
//! single groups.

use super::{Page, text};
use crate::data::ShiftChecks;
use crate::figures::{SUPPOSED, most_moved};
use crate::words::{Trust, among, count, described, listed, plain, points, sentence, share, widened};
use maud::{Markup, html};
use truecount::{Estimate, Method, Severity, Warning};
use truecount_analysis::notes::describe_design;
use truecount_analysis::output::{WarningKind, warning_kinds};
use truecount_analysis::results::{EstimateRow, percent};

impl Page<'_> {
    pub fn answer(&self, answer: &str) -> Markup {
        let sentences = self.doubts();
        html! {
            header {
                h1 { "How many of the " (text(self.words.items)) " are " (text(self.words.positive_name)) "?" }
                p.answer { (text(answer)) }
                @if sentences.is_empty() {
                    p.trust { (text(&sentence(&self.no_doubt()))) }
                } @else {
                    div.trust.doubt { @for sentence in &sentences { p { (text(sentence)) } } }
                }
                @if let Some(sentence) = self.ends_of_groups() { p { (text(&sentence)) } }
                p.note { (text(&self.basis())) }
            }
        }
    }

    /// Returns the reasons for doubt about the answer, the most severe first.
    fn doubts(&self) -> Vec<String> {
        let estimate = self.data.answer();
        let of_severity = |severity| estimate.warnings.iter().filter(move |warning| warning.severity() == severity);
        let grave: Vec<String> = of_severity(Severity::Unreliable).map(plain).collect();
        let grave = (!grave.is_empty()).then(|| format!("Do not rely on this estimate: {}.", grave.join("; ")));
        let these = if self.data.rows().len() > 1 { "all" } else { "the" };
        let caution = of_severity(Severity::Caution).map(|warning| match widened(estimate) {
            Some(more) if warning.is_of_misfit() => format!(
                "The scores of {these} {} differ from the labelled ones by more than chance, so the interval is wider \
                 by {} at each end.",
                self.words.items,
                points(more)
            ),
            _ => sentence(&plain(warning)),
        });
        let mut doubts: Vec<String> = grave.into_iter().chain(caution).collect();
        let of_groups = self.doubts_of_groups();
        if doubts.is_empty() && !of_groups.is_empty() {
            doubts.push(format!("For all {} together {}.", self.words.items, self.no_doubt()));
        }
        doubts.extend(of_groups);
        doubts
    }

    /// Returns sentences with the number of unreliable and of differing groups.
    fn doubts_of_groups(&self) -> Vec<String> {
        let rows = self.data.rows();
        let number = |trust| rows.iter().filter(|row| Trust::from_estimate(&row.estimate) == trust).count();
        let differs = match number(Trust::Differs) {
            0 => None,
            number => {
                let (differ, its) =
                    if number == 1 { ("differs", "its interval is") } else { ("differ", "their intervals are") };
                let groups = among(number, rows.len());
                Some(format!(
                    "{groups} {differ} from the labelled {} by more than chance, so {its} wider",
                    self.words.items
                ))
            }
        };
        let unreliable = match number(Trust::Unreliable) {
            0 => None,
            number => {
                let estimates = if number == 1 { "has an unreliable estimate" } else { "have unreliable estimates" };
                Some(format!("{} {estimates}", among(number, rows.len())))
            }
        };
        if rows.len() < 2 {
            Vec::new()
        } else {
            unreliable.into_iter().chain(differs).map(|text| sentence(&text)).collect()
        }
    }

    /// Returns the clause shown if there is no doubt about the answer.
    fn no_doubt(&self) -> String {
        if let Some(audit) = &self.data.audit {
            return self.verdict(audit);
        }
        match &self.data.checked {
            ShiftChecks::Impossible(error) => {
                format!("the assumption cannot be checked {}", ShiftChecks::impossible(error))
            }
            ShiftChecks::Done { whole, .. } if whole.is_underpowered() => {
                "there are too few scores to check the assumption".to_owned()
            }
            ShiftChecks::Done { .. } => "the scores agree with the assumption stated below".to_owned(),
        }
    }

    /// Names the highest and the lowest group, if their intervals overlap with no other group's.
    fn ends_of_groups(&self) -> Option<String> {
        if !self.data.has_groups() {
            return None;
        }
        let by = self.data.names.columns().collect::<Vec<_>>().join(", ");
        let rows = self.data.rows();
        if let [only] = rows[..] {
            return Some(format!("There is only one group by {by}: {}.", self.row_notes(only)));
        }
        let relied = |row: &&&EstimateRow| {
            Trust::from_estimate(&row.estimate) != Trust::Unreliable && row.estimate.uncertainty.is_some()
        };
        let relied: Vec<&EstimateRow> = rows.iter().filter(relied).copied().collect();
        if self.data.models.first().method().is_uncorrected() || relied.len() < 2 {
            return None;
        }
        let ends = |row: &EstimateRow| row.estimate.uncertainty.map_or([0.0, 1.0], |u| [u.lower, u.upper]);
        // Of those that are clear of all others there is one at most.
        let clear = |is_clear: fn([f64; 2], [f64; 2]) -> bool| {
            let is_end = |row: &&EstimateRow| {
                relied.iter().all(|other| other.group == row.group || is_clear(ends(row), ends(other)))
            };
            relied.iter().copied().find(is_end)
        };
        let highest = clear(|own, other| own[0] > other[1]).map(|row| format!("highest in {}", self.row_notes(row)));
        let lowest = clear(|own, other| own[1] < other[0]).map(|row| format!("lowest in {}", self.row_notes(row)));
        let parts: Vec<String> = highest.into_iter().chain(lowest).collect();
        let reliable = if relied.len() < rows.len() { "reliable " } else { "" };
        let groups = count(relied.len() as u64);
        (!parts.is_empty()).then(|| {
            format!(
                "Of the {groups} {reliable}groups by {by}, the share is \
         {}.",
                parts.join(" and ")
            )
        })
    }

    /// Describes the method, the numbers of rows and the standard error of the answer.
    fn basis(&self) -> String {
        let models = self.data.models;
        let (estimate, method) = (self.data.answer(), models.first().method());
        let counts = models.every.labelled_counts();
        let weighted = match estimate.effective_n {
            Some(n) => format!(
                " The scores are weighted and carry as much information as about {n:.0} equally \
             weighted ones."
            ),
            None => String::new(),
        };
        let notes = estimate.warnings.iter().filter(|warning| warning.severity() == Severity::Note);
        let notes = notes.map(|warning| format!(" {}", sentence(&plain(warning)))).collect::<Vec<_>>().concat();
        if let Some(audit) = &self.data.audit {
            return format!(
                "Source: {} ({}); {} {} were audited, {} are labelled elsewhere.{}{notes}{}",
                self.source(audit.whole.answer),
                audit.whole.answer,
                count(audit.whole.audited),
                self.words.items,
                count(counts.positive + counts.negative),
                self.error(estimate),
                self.own_count()
            );
        }
        format!(
            "Method: {}, from the scores of {} {} and {} labelled ones, {} of them {}{}.{weighted}{}{notes}{}",
            described(method),
            count(estimate.n),
            self.words.items,
            count(counts.positive + counts.negative),
            count(counts.positive),
            self.words.positive_name,
            describe_design(&models.every),
            self.error(estimate),
            self.own_count()
        )
    }

    /// States the uncorrected share, if it is shown.
    fn own_count(&self) -> String {
        if self.data.models.count.is_none() {
            return String::new();
        }
        let row = self.data.whole.iter().find(|row| row.estimate.method == Method::CC);
        row.map_or_else(String::new, |row| {
            format!(" Uncorrected share: {}, the classifier's own count.", share(row.estimate.prevalence, 1))
        })
    }

    /// States the standard error and the meaning of the interval.
    fn error(&self, estimate: &Estimate) -> String {
        let Some(u) = estimate.uncertainty else {
            return " The method has no formula for its standard error; --interval bootstrap gives an \
             interval."
                .to_owned();
        };
        let variance = self.data.variance(estimate.method).filter(|_| self.data.audit.is_none());
        let accounts = variance.map_or_else(String::new, |what| format!(" ({what})"));
        let holds = if estimate.method.is_uncorrected() || Trust::from_estimate(estimate) == Trust::Unreliable {
            String::new()
        } else {
            format!("; in {} of 100 such studies the interval covers the true share", percent(estimate.level))
        };
        format!(" Standard error {}{accounts}{holds}.", points(u.se))
    }
}

impl Page<'_> {
    /// Lists the warnings of groups: each kind once, with its groups.
    pub fn notes(&self) -> Markup {
        let kinds = warning_kinds(self.data.groups.iter());
        html! {
            @if !kinds.is_empty() && self.data.rows().len() > 1 {
                section id="notes" {
                    h2 { "Notes on single groups" }
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

    /// Names the groups of a warning, and its methods if there are several.
    fn concerned(&self, kind: &WarningKind) -> String {
        let all = self.data.rows().len();
        let names = || listed(&kind.groups.values().map(|row| self.name(row)).collect::<Vec<_>>());
        let groups = match kind.groups.len() {
            1 => names(),
            number if number == all => among(number, all),
            number => format!("{} ({})", among(number, all), names()),
        };
        let methods = kind.methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let several = self.data.models.asked.quantifiers().len() > 1;
        if several { format!("{groups}, by {methods}") } else { groups }
    }
}

impl Page<'_> {
    /// Explains the assumption: its statement, the result of the check, and the consequence if it
    /// fails.
    pub fn assumption(&self) -> Markup {
        if self.data.models.first().method().is_uncorrected() {
            return html! {};
        }
        let sentences = match &self.data.audit {
            Some(audit) => self.assumed_by_audit(audit),
            None => self.assumed(),
        };
        html! {
            section id="assumption" {
                h2 { "What this rests on: the assumption" }
                @for sentence in &sentences { p { (text(sentence)) } }
            }
        }
    }

    /// Explains the assumption of an estimate from scores alone.
    fn assumed(&self) -> Vec<String> {
        let (items, are) = (self.words.items, self.words.positive_name);
        let assumed = format!(
            "The estimate assumes that only the share has changed: {items} that are {are} score like the labelled \
             ones that are, and the others like \
             the labelled others."
        );
        vec![assumed, self.checked(), self.consequence()]
    }

    /// Describes the result of the shift check.
    fn checked(&self) -> String {
        let whole = match &self.data.checked {
            ShiftChecks::Impossible(error) => {
                return format!("The assumption cannot be checked {}.", ShiftChecks::impossible(error));
            }
            ShiftChecks::Done { whole, .. } if whole.is_underpowered() => {
                return format!("The assumption was not checked: {} scores are too few.", whole.shift.n);
            }
            ShiftChecks::Done { .. } => self.data.answer(),
        };
        let groups = self.data.checked.each().len();
        let differing: Vec<_> = self.data.rows().into_iter().filter(|row| differs(&row.estimate)).collect();
        let of_whole = differs(whole).then(|| share(unexplained(whole), 1));
        if groups < 2 {
            return match of_whole {
                None => "According to the check, the scores could be a mix of the labelled ones.".to_owned(),
                Some(part) => format!(
                    "According to the check, {part} of the scores fit no mix of the labelled \
                 ones."
                ),
            };
        }
        let every = "According to the check, every group's scores could be a mix of the labelled ones";
        let together = of_whole.as_ref().map_or_else(String::new, |part| format!(", and {part} of all rows together"));
        let most = share(differing.iter().map(|row| unexplained(&row.estimate)).fold(0.0, f64::max), 1);
        match differing[..] {
            [] => of_whole.map_or_else(
                || format!("{every}."),
                |part| {
                    format!(
                        "{every}, but {part} of all rows together fit \
                 none."
                    )
                },
            ),
            [only] => format!(
                "According to the check, {most} of the scores of “{}” fit no mix of the labelled ones{together}; \
                 the scores of every other group could be a mix.",
                self.name(only)
            ),
            _ => format!(
                "According to the check, in {} up to {most} of the scores fit no mix of the labelled ones{together}.",
                among(differing.len(), groups)
            ),
        }
    }

    /// Describes the error if the assumption fails.
    fn consequence(&self) -> String {
        let rows = self.data.rows();
        let each = rows.iter().map(|row| &row.estimate).chain([self.data.answer()]);
        let differing: Vec<&Estimate> = each.filter(|estimate| differs(estimate)).collect();
        let most = differing.iter().filter_map(|estimate| widened(estimate)).fold(0.0, f64::max);
        if differing.is_empty() {
            return self.unseen();
        }
        if most == 0.0 {
            return "Where the assumption fails, estimates are off by more than their intervals say: the intervals do \
             not allow for this error."
                .to_owned();
        }
        let up_to = if differing.len() > 1 { "up to " } else { "" };
        format!(
            "Where the assumption fails, the estimate is off. The interval there is wider by {up_to}{} at each end, \
             which allows for an unseen error as large as the visible one, but not for a larger one.",
            points(most)
        )
    }

    /// Describes a change that no check can see, with its effect on the estimate.
    fn unseen(&self) -> String {
        if let Some(sweep) = self.data.models.first().binned_sweep() {
            return format!(
                "No check can see a change that looks like another share: if {} of the {} that are {}, or of the \
                 others, scored otherwise, the \
                 estimate would be off by up to {}.",
                share(SUPPOSED, 0),
                self.words.items,
                self.words.positive_name,
                points(most_moved(sweep, self.data.answer().prevalence))
            );
        }
        format!(
            "No check can see a change that looks like another share: if 1 in 100 {} were {} but scored like the \
             others, the estimate would be 1 \
             point too low.",
            self.words.items, self.words.positive_name
        )
    }
}

fn differs(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_of_misfit)
}

/// The share of the scores that ” fit no mix of the labelled ones.
fn unexplained(estimate: &Estimate) -> f64 {
    estimate.misfit.map_or(0.0, |misfit| misfit.unexplained)
}
