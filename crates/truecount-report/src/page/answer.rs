//! The sections for every reader: the answer and its reliability, the assumption, and notes on single groups.

use super::{Page, text};
use crate::data::CheckOutcome;
use crate::figures::{CONTAMINATION, max_change};
use crate::provenance::{Origin, Provenance};
use crate::words::{
    Reliability, count, describe_method, format_points, grouping_columns, out_of, quoted_list, sentence, share,
    widening,
};
use maud::{Markup, html};
use truecount::error::{Condition, Severity};
use truecount::internal::Digits;
use truecount::{Estimate, Warning};
use truecount_analysis::advice::plain_warning;
use truecount_analysis::compare::DifferenceResult;
use truecount_analysis::notes::describe_design;
use truecount_analysis::output::{WarningKind, warning_kinds};
use truecount_analysis::results::{DifferenceRow, EstimateRow, percent, se_widened};
use truecount_analysis::spelling::spell;

impl Page<'_> {
    pub fn answer(&self, answer: &str, provenance: &Provenance) -> Markup {
        let sentences = self.doubts();
        html! {
            header {
                h1 { "How many of the " (text(&self.words.items)) " are " (text(&self.words.positive_name)) "?" }
                p.note { (text(&date_and_files(provenance))) }
                p.answer { (text(answer)) }
                @if sentences.is_empty() {
                    p.trust { (text(&sentence(&self.no_doubt()))) }
                } @else {
                    div.trust.doubt { @for sentence in &sentences { p { (text(sentence)) } } }
                }
                @if let Some(sentence) = self.extreme_groups() { p { (text(&sentence)) } }
                p.note { (text(&self.basis())) }
            }
        }
    }

    /// Returns the reasons for doubt about the answer, the most severe first.
    fn doubts(&self) -> Vec<String> {
        let estimate = self.data.answer();
        let warnings = |severity| self.shown_warnings(severity);
        let suppressed = self.data.is_suppressed().then(|| "The estimate is too uncertain to publish.".to_owned());
        let reasons: Vec<&str> = warnings(Severity::Unreliable).map(plain_warning).collect();
        let unreliable =
            (!reasons.is_empty()).then(|| format!("Do not rely on this estimate: {}.", reasons.join("; ")));
        let article = if self.data.rows().len() > 1 { "all" } else { "the" };
        let caution = warnings(Severity::Caution).map(|warning| match widening(estimate) {
            Some(widening) if warning.is_misfit() => format!(
                "The scores of {article} {} differ from the labelled ones by more than chance, so the interval is \
                 wider by {} at each end.",
                self.words.items,
                format_points(widening)
            ),
            _ => sentence(plain_warning(warning)),
        });
        let mut doubts: Vec<String> = suppressed.into_iter().chain(unreliable).chain(caution).collect();
        let group_doubts = self.group_doubts();
        if doubts.is_empty() && !group_doubts.is_empty() {
            doubts.push(format!("For all {} together {}.", self.words.items, self.no_doubt()));
        }
        doubts.extend(group_doubts);
        doubts
    }

    /// Returns the warnings of this severity about the answer; none if a rule for publication suppresses it.
    fn shown_warnings(&self, severity: Severity) -> impl Iterator<Item = &Warning> {
        let warnings = self.data.answer().warnings.iter();
        warnings.filter(move |warning| warning.severity() == severity && !self.data.is_suppressed())
    }

    /// Returns sentences with the numbers of unreliable groups and of groups whose scores differ.
    fn group_doubts(&self) -> Vec<String> {
        let rows = self.data.rows();
        let number =
            |reliability| rows.iter().filter(|row| Reliability::from_estimate(&row.estimate) == reliability).count();
        let differs = match number(Reliability::ScoresDiffer) {
            0 => None,
            number => {
                let (differ, its) =
                    if number == 1 { ("differs", "its interval is") } else { ("differ", "their intervals are") };
                let groups = out_of(number, rows.len());
                Some(format!(
                    "{groups} {differ} from the labelled {} by more than chance, so {its} wider",
                    self.words.items
                ))
            }
        };
        let unreliable = match number(Reliability::Unreliable) {
            0 => None,
            number => {
                let estimates = if number == 1 { "has an unreliable estimate" } else { "have unreliable estimates" };
                Some(format!("{} {estimates}", out_of(number, rows.len())))
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
        match &self.data.shift_checks {
            CheckOutcome::Impossible(error) => {
                format!("the assumption cannot be checked {}", CheckOutcome::reason(error))
            }
            CheckOutcome::Done { overall, .. } if overall.is_underpowered() => {
                "there are too few scores to check the assumption".to_owned()
            }
            CheckOutcome::Done { .. } => "the scores agree with the assumption stated below".to_owned(),
        }
    }

    /// Names the highest and the lowest group, if their intervals overlap with no other group's.
    fn extreme_groups(&self) -> Option<String> {
        if !self.data.has_groups() {
            return None;
        }
        let by = grouping_columns(self.data.names);
        let rows = self.data.rows();
        if let [only] = rows[..] {
            return (!only.is_suppressed())
                .then(|| format!("There is only one group by {by}: {}.", self.name_and_interval(only)));
        }
        let is_reliable = |row: &&&EstimateRow| {
            let has_interval = row.estimate.interval.is_some() && !row.is_suppressed();
            Reliability::from_estimate(&row.estimate) != Reliability::Unreliable && has_interval
        };
        if let Some(differences) = &self.data.differences {
            return Some(self.outstanding_groups(differences, &by));
        }
        let reliable: Vec<&EstimateRow> = rows.iter().filter(is_reliable).copied().collect();
        if self.data.models.first().method().is_uncorrected() || reliable.len() < 2 {
            return None;
        }
        let interval = |row: &EstimateRow| row.estimate.interval.map_or([0.0, 1.0], |u| [u.lower, u.upper]);
        // At most one group has an interval beyond those of all others.
        let find_extreme = |is_beyond: fn([f64; 2], [f64; 2]) -> bool| {
            let is_extreme = |row: &&EstimateRow| {
                reliable.iter().all(|other| other.group == row.group || is_beyond(interval(row), interval(other)))
            };
            reliable.iter().copied().find(is_extreme)
        };
        let highest = find_extreme(|group, other| group[0] > other[1]);
        let highest = highest.map(|row| format!("highest in {}", self.name_and_interval(row)));
        let lowest = find_extreme(|group, other| group[1] < other[0]);
        let lowest = lowest.map(|row| format!("lowest in {}", self.name_and_interval(row)));
        let parts: Vec<String> = highest.into_iter().chain(lowest).collect();
        let groups = count(reliable.len() as u64);
        let reliable = match reliable.len() < rows.len() {
            true if rows.iter().any(|row| row.is_suppressed()) => "published ",
            true => "reliable ",
            false => "",
        };
        (!parts.is_empty())
            .then(|| format!("Of the {groups} {reliable}groups by {by}, the share is {}.", parts.join(" and ")))
    }

    /// Names the groups, of many, that differ from all together after correction for their number.
    fn outstanding_groups(&self, differences: &DifferenceResult, by: &str) -> String {
        let method = self.data.models.first().method().to_string();
        let is_clear = |row: &&DifferenceRow| row.method == method && row.holm <= 1.0 - row.level && !row.is_unreliable;
        let outstanding = |side: f64| {
            let rows = differences.rows.iter().filter(is_clear);
            let mut rows: Vec<_> = rows.filter(|row| side * row.difference.difference > 0.0).collect();
            rows.sort_by(|a, b| (side * b.prevalences[0]).total_cmp(&(side * a.prevalences[0])));
            let names: Vec<String> = rows.iter().filter_map(|row| self.data.names.name(row.group)).collect();
            if names.is_empty() { "0".to_owned() } else { format!("{} ({})", names.len(), quoted_list(&names)) }
        };
        let [above, below] = [1.0, -1.0].map(outstanding);
        format!(
            "Of the {} groups by {by}, {above} are above the share of all together and {below} below it, after Holm's \
             correction for their number.",
            count(self.data.rows().len() as u64)
        )
    }

    /// Describes the method, the numbers of rows and the standard error of the answer.
    fn basis(&self) -> String {
        let models = self.data.models;
        let (estimate, method) = (self.data.answer(), models.first().method());
        let counts = models.extended.labelled_counts();
        let weighted = match estimate.effective_n {
            Some(n) => {
                format!(" The scores are weighted and carry as much information as about {n:.0} equally weighted ones.")
            }
            None => String::new(),
        };
        let notes = self
            .shown_warnings(Severity::Note)
            .map(|warning| format!(" {}", sentence(plain_warning(warning))))
            .collect::<Vec<_>>()
            .concat();
        if let Some(audit) = &self.data.audit {
            return format!(
                "Source: {} ({}); {} {} were audited, {} have external labels.{}{notes}{}",
                self.source(audit.overall.recommended),
                audit.overall.recommended,
                count(audit.overall.audited),
                self.words.items,
                count(counts.positive + counts.negative),
                self.error(estimate),
                self.uncorrected_share()
            );
        }
        format!(
            "Method: {}, from the scores of {} {} and {} labelled ones, {} of them {}{}.{weighted}{}{notes}{}",
            describe_method(method),
            count(estimate.n),
            self.words.items,
            count(counts.positive + counts.negative),
            count(counts.positive),
            self.words.positive_name,
            describe_design(&models.extended),
            self.error(estimate),
            self.uncorrected_share()
        )
    }

    /// Describes the uncorrected share as a count from the cutoff up.
    pub fn uncorrected_count(&self) -> String {
        let cutoff = self.data.models.extended.settings().cutoff;
        let scores = cutoff.map_or_else(String::new, |cutoff| format!(" of scores from {} up", Digits(cutoff)));
        format!("the classifier's own count{scores}")
    }

    /// States the uncorrected share, if it is shown.
    fn uncorrected_share(&self) -> String {
        self.data.overall_count().filter(|_| !self.data.is_suppressed()).map_or_else(String::new, |count| {
            format!(" Uncorrected share: {}, {}.", share(count, 1), self.uncorrected_count())
        })
    }

    /// States the standard error and the meaning of the interval.
    fn error(&self, estimate: &Estimate) -> String {
        if self.data.is_suppressed() {
            return String::new();
        }
        let Some(std_error) = se_widened(estimate) else {
            let advice = " The method has no formula for its standard error; {--interval=bootstrap} gives an interval.";
            return spell(advice, self.words.interface);
        };
        let variance = self.data.variance(estimate.method).filter(|_| self.data.audit.is_none());
        let sources = variance.map_or_else(String::new, |sources| format!(" ({sources})"));
        let coverage =
            if estimate.method.is_uncorrected() || Reliability::from_estimate(estimate) == Reliability::Unreliable {
                String::new()
            } else {
                format!("; in {} of 100 such studies the interval covers the true share", percent(estimate.level))
            };
        format!(" Standard error {}{sources}{coverage}.", format_points(std_error))
    }
}

impl Page<'_> {
    /// Lists the warnings of groups: each kind once, with its groups.
    pub fn notes(&self) -> Markup {
        let kinds = warning_kinds(self.data.groups.iter().filter(|row| !row.is_suppressed()));
        html! {
            @if !kinds.is_empty() && self.data.rows().len() > 1 {
                section id="notes" {
                    h2 { "Notes on single groups" }
                    ul {
                        @for kind in &kinds {
                            li {
                                @if kind.first.0.severity() == Severity::Unreliable { strong { "Not reliable. " } }
                                (text(&sentence(&format!("{}: {}", self.affected(kind), plain_warning(&kind.first.0)))))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Names the groups of a warning, and its methods if there are several.
    fn affected(&self, kind: &WarningKind) -> String {
        let all = self.data.rows().len();
        let has_kind = |row: &&EstimateRow| row.estimate.warnings.iter().any(|w| w.code() == kind.first.0.code());
        let shown = self.data.groups.iter().filter(|row| !row.is_suppressed());
        let mut rows: Vec<&EstimateRow> = shown.filter(has_kind).collect();
        rows.dedup_by_key(|row| row.group);
        let names = || quoted_list(&rows.iter().map(|row| self.name(row)).collect::<Vec<_>>());
        let groups = match rows.len() {
            1 => names(),
            number if number == all => out_of(number, all),
            number => format!("{} ({})", out_of(number, all), names()),
        };
        let methods = kind.methods.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let several = self.data.models.requested.quantifiers().len() > 1;
        if several { format!("{groups}, by {methods}") } else { groups }
    }
}

impl Page<'_> {
    /// Explains the assumption: its statement, the result of the check, and the consequence if it fails.
    pub fn assumption(&self) -> Markup {
        if self.data.models.first().method().is_uncorrected() {
            return html! {};
        }
        let sentences = match &self.data.audit {
            Some(audit) => self.audit_assumptions(audit),
            None => self.score_assumption(),
        };
        html! {
            section id="assumption" {
                h2 { "What this rests on: the assumption" }
                @for sentence in &sentences { p { (text(sentence)) } }
            }
        }
    }

    /// Explains the assumption of an estimate from scores alone.
    fn score_assumption(&self) -> Vec<String> {
        let (items, positive_name) = (&self.words.items, &self.words.positive_name);
        let assumption = format!(
            "The estimate assumes that only the share has changed: {items} that are {positive_name} score like the \
             labelled ones that are, and the others like the labelled others."
        );
        vec![assumption, self.check_result(), self.consequence()]
    }

    /// Describes the result of the shift check.
    fn check_result(&self) -> String {
        let overall = match &self.data.shift_checks {
            CheckOutcome::Impossible(error) => {
                return format!("The assumption cannot be checked {}.", CheckOutcome::reason(error));
            }
            CheckOutcome::Done { overall, .. } if overall.is_underpowered() => {
                let n = overall.statistics.n;
                let scores = if n == 1 { "one score is".to_owned() } else { format!("{n} scores are") };
                return format!("The assumption was not checked: {scores} too few.");
            }
            CheckOutcome::Done { .. } => self.data.answer(),
        };
        let groups = self.data.shift_checks.groups().len();
        let differing: Vec<_> = self.data.rows().into_iter().filter(|row| differs(&row.estimate)).collect();
        let overall = differs(overall).then(|| share(unexplained(overall), 1));
        if groups < 2 {
            return match overall {
                None => "According to the check, the scores could be a mix of the labelled ones.".to_owned(),
                Some(part) => {
                    format!("According to the check, {part} of the scores fit no mix of the labelled ones.")
                }
            };
        }
        let mix = "According to the check, every group's scores could be a mix of the labelled ones";
        let and_overall =
            overall.as_ref().map_or_else(String::new, |part| format!(", and {part} of all rows together"));
        let max = share(differing.iter().map(|row| unexplained(&row.estimate)).fold(0.0, f64::max), 1);
        match differing[..] {
            [] => overall
                .map_or_else(|| format!("{mix}."), |part| format!("{mix}, but {part} of all rows together fit none.")),
            [only] => format!(
                "According to the check, {max} of the scores of “{}” fit no mix of the labelled ones{and_overall}; \
                 in no other group is the difference more than chance.",
                self.name(only)
            ),
            _ => format!(
                "According to the check, in {} up to {max} of the scores fit no mix of the labelled ones{and_overall}.",
                out_of(differing.len(), groups)
            ),
        }
    }

    /// Describes the error if the assumption fails.
    fn consequence(&self) -> String {
        let rows = self.data.rows();
        let of_groups = rows.iter().filter(|row| !row.is_suppressed()).map(|row| &row.estimate);
        let estimates = of_groups.chain((!self.data.is_suppressed()).then(|| self.data.answer()));
        let differing: Vec<&Estimate> = estimates.filter(|estimate| differs(estimate)).collect();
        let max_widening = differing.iter().filter_map(|estimate| widening(estimate)).fold(0.0, f64::max);
        if differing.is_empty() {
            return self.undetectable_change();
        }
        if max_widening == 0.0 {
            return "Where the assumption fails, estimates are off by more than their intervals say: the intervals do \
             not allow for this error."
                .to_owned();
        }
        let up_to = if differing.len() > 1 { "up to " } else { "" };
        format!(
            "Where the check shows a difference, the interval is wider, by {up_to}{} at each end. This allows for an \
             error that the check cannot see, as large as the one that it sees, but no larger.",
            format_points(max_widening)
        )
    }

    /// Describes a change that no check can see, with its effect on the estimate.
    fn undetectable_change(&self) -> String {
        if let Some(sweep) = self.data.models.first().binned_sweep() {
            return format!(
                "No check can see a change that looks like another share: if {} of the {} that are {}, or of the \
                 others, scored otherwise, the estimate would be off by up to {}.",
                share(CONTAMINATION, 0),
                self.words.items,
                self.words.positive_name,
                format_points(max_change(sweep, self.data.score_estimate()))
            );
        }
        format!(
            "No check can see a change that looks like another share: if 1 in 100 {} were {} but scored like the \
             others, the estimate would be 1 point too low.",
            self.words.items, self.words.positive_name
        )
    }
}

/// Returns the date of the report and the files it was made from.
pub fn date_and_files(provenance: &Provenance) -> String {
    match &provenance.origin {
        Origin::Files { files, .. } if !files.is_empty() => {
            let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
            format!("{}, from {}", provenance.date, quoted_list(&names))
        }
        _ => provenance.date.clone(),
    }
}

fn differs(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_misfit)
}

/// Share of the scores that fit no mix of the labelled ones.
fn unexplained(estimate: &Estimate) -> f64 {
    estimate.misfit.map_or(0.0, |misfit| misfit.unexplained)
}
