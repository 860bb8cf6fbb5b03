//! The answer, and whether it can be relied on.

use super::{Page, text};
use crate::output;
use crate::report::found::Checks;
use crate::report::plain::plain;
use crate::report::trust::{Trust, widened};
use crate::report::words::{among, count, described, points, sentence, share};
use maud::{Markup, html};
use truecount::{Estimate, Method, Severity};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{EstimateRow, percent};

impl Page<'_> {
    pub fn answer(&self, answer: &str) -> Markup {
        let sentences = self.doubts();
        html! {
            header {
                h1 { "How many of the " (text(self.words.items)) " are " (text(self.words.are)) "?" }
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

    /// Why not to rely on it, the gravest reason first.
    fn doubts(&self) -> Vec<String> {
        let estimate = self.found.answer();
        let of_severity = |severity| estimate.warnings.iter().filter(move |warning| warning.severity() == severity);
        let grave: Vec<String> = of_severity(Severity::Unreliable).map(plain).collect();
        let grave = (!grave.is_empty()).then(|| format!("Not to be relied on: {}.", grave.join("; ")));
        let these = if self.found.rows().len() > 1 { "all" } else { "the" };
        let caution = of_severity(Severity::Caution).map(|warning| match widened(estimate) {
            Some(more) if warning.is_of_misfit() => format!(
                "The scores of {these} {} differ from the labelled ones by more than chance; the interval is wider for it, by {} at each end.",
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

    /// How many groups differ, and how many cannot be relied on.
    fn doubts_of_groups(&self) -> Vec<String> {
        let rows = self.found.rows();
        let number = |trust| rows.iter().filter(|row| Trust::of(&row.estimate) == trust).count();
        let differs = match number(Trust::Differs) {
            0 => None,
            number => {
                let (differ, its) =
                    if number == 1 { ("differs", "its interval is") } else { ("differ", "their intervals are") };
                let groups = among(number, rows.len());
                Some(format!(
                    "{groups} {differ} from the labelled {} by more than chance; {its} wider for it",
                    self.words.items
                ))
            }
        };
        let unreliable = match number(Trust::Unreliable) {
            0 => None,
            number => {
                let are = if number == 1 { "is" } else { "are" };
                Some(format!("{} {are} not to be relied on", among(number, rows.len())))
            }
        };
        if rows.len() < 2 {
            Vec::new()
        } else {
            unreliable.into_iter().chain(differs).map(|text| sentence(&text)).collect()
        }
    }

    /// Where nothing speaks against it.
    fn no_doubt(&self) -> String {
        if let Some(audits) = &self.found.audits {
            return self.verdict(audits);
        }
        match &self.found.checked {
            Checks::Impossible(error) => format!("what it rests on cannot be checked {}", Checks::impossible(error)),
            Checks::Done { whole, .. } if whole.is_of_few() => {
                "there are too few scores to check what it rests on".to_owned()
            }
            Checks::Done { .. } => "what it rests on holds as far as can be seen".to_owned(),
        }
    }

    /// Which groups are at the ends, as far as their intervals are clear of those of all others.
    fn ends_of_groups(&self) -> Option<String> {
        let groups = self.found.groups.as_ref()?;
        let by = groups.keys.columns().collect::<Vec<_>>().join(", ");
        let rows = self.found.rows();
        if let [only] = rows[..] {
            return Some(format!("By {by} there is one group only: {}.", self.told(only)));
        }
        let relied =
            |row: &&&EstimateRow| Trust::of(&row.estimate) != Trust::Unreliable && row.estimate.uncertainty.is_some();
        let relied: Vec<&EstimateRow> = rows.iter().filter(relied).copied().collect();
        if self.found.models.first().method().is_uncorrected() || relied.len() < 2 {
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
        let highest = clear(|own, other| own[0] > other[1]).map(|row| format!("highest in {}", self.told(row)));
        let lowest = clear(|own, other| own[1] < other[0]).map(|row| format!("lowest in {}", self.told(row)));
        let parts: Vec<String> = highest.into_iter().chain(lowest).collect();
        let reliable = if relied.len() < rows.len() { "reliable " } else { "" };
        let groups = count(relied.len() as u64);
        (!parts.is_empty()).then(|| format!("Of the {groups} {reliable}groups by {by} it is {}.", parts.join(" and ")))
    }

    /// What the answer is based on.
    fn basis(&self) -> String {
        let models = self.found.models;
        let (estimate, method) = (self.found.answer(), models.first().method());
        let counts = models.every.labelled_counts();
        let weighted = match estimate.effective_n {
            Some(n) => format!(" They are weighted; with equal weights about {n:.0} would say as much."),
            None => String::new(),
        };
        let notes = estimate.warnings.iter().filter(|warning| warning.severity() == Severity::Note);
        let notes = notes.map(|warning| format!(" {}", sentence(&plain(warning)))).collect::<Vec<_>>().concat();
        if let Some(audits) = &self.found.audits {
            return format!(
                "Source: {} ({}); {} {} were audited, {} are labelled elsewhere.{}{notes}{}",
                self.source(audits.whole.answer),
                audits.whole.answer,
                count(audits.whole.audited),
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
            self.words.are,
            output::drawn(&models.every),
            self.error(estimate),
            self.own_count()
        )
    }

    /// What the classifier counts itself, if it does.
    fn own_count(&self) -> String {
        if self.found.models.count.is_none() {
            return String::new();
        }
        let row = self.found.whole.rows.iter().find(|row| row.estimate.method == Method::CC);
        row.map_or_else(String::new, |row| {
            format!(
                " The classifier itself counts {}, not corrected for its errors.",
                share(row.estimate.prevalence, 1)
            )
        })
    }

    /// What is known of its error.
    fn error(&self, estimate: &Estimate) -> String {
        let Some(u) = estimate.uncertainty else {
            return " It has no formula for its error; --interval bootstrap gives it an interval.".to_owned();
        };
        let variance = self.found.whole.variance(estimate.method).filter(|_| self.found.audits.is_none());
        let accounts = variance.map_or_else(String::new, |what| format!(" ({what})"));
        let holds = if estimate.method.is_uncorrected() || Trust::of(estimate) == Trust::Unreliable {
            String::new()
        } else {
            format!("; the interval is made to hold the truth in {} of 100 such studies", percent(estimate.level))
        };
        format!(" Standard error {}{accounts}{holds}.", points(u.se))
    }
}
