//! The page: one HTML file with its style, its few lines of script and its figures inside. Whatever comes from the data
//! goes through maud, which escapes it; the policy in the head lets nothing run but that script, and nothing be
//! fetched.

mod checks;
mod groups;
mod methods;
mod reproduce;
mod scores;
mod table;

use super::figures::Figures;
use super::found::{self, Checks, Found};
use super::provenance::Provenance;
use super::words::{self, Words};
use crate::advice::worded;
use crate::figure::Drawing;
use crate::output;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::cell::Cell;
use truecount::check::{Checked, Verdict};
use truecount::distribution::Family;
use truecount::{Class, Warning};
use truecount_io::results::visible;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("table.js");

/// What every section needs.
struct Page<'a> {
    found: &'a Found<'a>,
    figures: &'a Figures,
    words: &'a Words<'a>,
    /// The number of figures so far.
    drawn: Cell<u32>,
}

pub fn render(found: &Found, figures: &Figures, words: &Words, provenance: &Provenance) -> String {
    let page = Page { found, figures, words, drawn: Cell::new(0) };
    let answer = words.answer(found.answer(), found.models.first());
    let hash = STANDARD.encode(Sha256::digest(SCRIPT));
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{hash}'");
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "truecount " (env!("CARGO_PKG_VERSION")) };
                // Without an icon of its own, a page makes browsers request one.
                link rel="icon" href="data:,";
                title { (visible(&answer)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (page.answer(&answer))
                    (page.groups())
                    (page.scores())
                    (page.check())
                    (page.threshold())
                    @if !page.found.families.is_empty() { (page.families()) }
                    (page.methods())
                    (page.warnings())
                    (page.reproduce(provenance))
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    document.into_string()
}

impl Page<'_> {
    fn answer(&self, answer: &str) -> Markup {
        let Self { found, words, .. } = self;
        let estimate = found.answer();
        html! {
            header {
                h1 { "How many of the " (text(words.items)) " are " (text(words.are)) "?" }
                p.answer { (text(answer)) }
                p { (words::detail(estimate, found.models.first())) }
                @if let Some(sentence) = self.of_groups() { p { (text(&sentence)) } }
                @for (i, sentence) in self.beware().iter().enumerate() {
                    p.beware { @if i == 0 { strong { "Beware. " } } (text(sentence)) }
                }
                p.note { (self.basis()) }
            }
        }
    }

    /// What the answer is based on.
    fn basis(&self) -> String {
        let counts = self.found.models.every.labelled_counts();
        let weighted = match self.found.answer().effective_n {
            Some(n) => format!(" They are weighted; with equal weights about {n:.0} would say as much."),
            None => String::new(),
        };
        let variance = self.found.whole.variance(self.found.models.first());
        let accounts = variance.map_or_else(String::new, |what| format!(" Standard error and interval: {what}."));
        format!(
            "Estimated from the scores of {} {} and what was learnt from {} labelled ones, {} positive and {} negative{}.{weighted}\
             {accounts}",
            words::count(self.found.answer().n),
            self.words.items,
            words::count(counts.positive + counts.negative),
            words::count(counts.positive),
            words::count(counts.negative),
            output::drawn(&self.found.models.every),
        )
    }

    /// What must stand beside the answer, since it may be wrong.
    fn beware(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.found.models.first().is_uncorrected() {
            sentences.push(
                "This method counts what the classifier calls positive and does not correct its mistakes: the truth may lie far outside \
                 the interval. Other methods do, below."
                    .to_owned(),
            );
        }
        match &self.found.checked {
            Checks::Impossible(error) => sentences.push(format!(
                "Whether only the prevalence has changed, which all of this assumes, cannot be checked: {error}."
            )),
            Checks::Done { whole, each } => {
                let of =
                    if whole.verdict() == Verdict::Mixture { each.as_slice() } else { std::slice::from_ref(&**whole) };
                sentences.extend(assumption(of));
            }
        }
        sentences.extend(self.misfit());
        // These two are already mentioned.
        let said = |w: &&Warning| matches!(w, Warning::NoMixture { .. } | Warning::OutsideUnitInterval { .. });
        let warnings = self.found.answer().warnings.iter().filter(|w| !said(w));
        sentences.extend(warnings.map(|warning| sentence(&worded(warning))));
        sentences
    }

    /// That the method trusts distributions which the labelled scores contradict, if it does.
    fn misfit(&self) -> Option<String> {
        let Found { models, families, .. } = self.found;
        let separation = models.asked.separation().filter(|_| models.asked.quantifiers()[0].trusts_family())?;
        let misfit = |(class, family): (Class, Family)| {
            let fit = families.iter().find(|fit| fit.class == class && fit.family == family)?;
            let p = fit.found.as_ref().ok()?.p_value?;
            (p <= found::LEAST_P).then(|| format!("{family} {class}s ({})", words::p_value(p)))
        };
        let fitted =
            [(Class::Positive, separation.positive().family()), (Class::Negative, separation.negative().family())];
        let wrong: Vec<String> = fitted.into_iter().filter_map(misfit).collect();
        (!wrong.is_empty()).then(|| {
            format!(
                "The method takes its rates from fitted distributions, which the labelled scores contradict: {}. The estimate may be off \
                 by more than the interval tells; --family kernel and --transform rank follow scores of any shape.",
                wrong.join(", ")
            )
        })
    }

    fn warnings(&self) -> Markup {
        let asked = &self.found.models.asked.settings().methods;
        let groups = self.found.groups.as_ref();
        let all = if groups.is_some() { "all rows together, " } else { "" };
        let of_all = self.found.whole.warnings_of(asked);
        let of_groups = groups.map(|groups| groups.warnings_of(asked)).unwrap_or_default();
        let lines: Vec<String> = of_all.into_iter().map(|line| format!("{all}{line}")).chain(of_groups).collect();
        html! {
            section id="warnings" {
                h2 { "Warnings" }
                @if lines.is_empty() {
                    p { "There are none." }
                } @else {
                    ul { @for line in &lines { li { (text(line)) } } }
                }
            }
        }
    }

    /// A figure with its words below it.
    fn figure(&self, drawing: &Drawing, caption: &Markup) -> Markup {
        let number = self.drawn.get() + 1;
        self.drawn.set(number);
        html! {
            figure {
                (PreEscaped(drawing.named(&format!("figure-{number}"))))
                figcaption.note { "Figure " (number) ". " (caption) }
            }
        }
    }
}

/// Text from the data, whatever its direction of writing and without what cannot be seen.
fn text(text: &str) -> Markup {
    html! { bdi { (visible(text)) } }
}

/// Why the assumption is doubtful, if it is.
fn assumption(of: &[Checked]) -> Option<String> {
    let any = |verdict| of.iter().any(|checked| checked.verdict() == verdict);
    let verdict = if any(Verdict::NoMixture) {
        "does not hold"
    } else if any(Verdict::Doubtful) {
        "is doubtful"
    } else {
        return None;
    };
    Some(format!(
        "That only the prevalence has changed, which all of this assumes, {verdict}. {}",
        Checked::meaning(of)?
    ))
}

/// Adds a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
