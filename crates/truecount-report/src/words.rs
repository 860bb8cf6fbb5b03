//! Sentences of the report: the answer, formatted numbers, warnings in plain words, and the reliability of an estimate.

use std::borrow::Cow;
use truecount::error::Severity;
use truecount::internal::Digits;
use truecount::shift_test::Verdict;
use truecount::{Estimate, Interval, Method, Target, Warning};
use truecount_analysis::groups::{GroupNames, NameTexts};
use truecount_analysis::results::{CheckRow, escape_untrusted, format_p_value, percent};
use truecount_analysis::spelling::Interface;

/// The default name of the rows.
pub const ROW_NAME: &str = "items";

/// The default name of the positives.
pub const POSITIVE_NAME: &str = "positive";

/// The default name of the rows behind counts.
pub const TESTED_NAME: &str = "tested";

/// The default name of the positives behind counts, in contrast to positive results.
pub const TRUE_POSITIVE_NAME: &str = "truly positive";

/// The names of rows and positives, and the target of the estimate.
pub struct Words<'a> {
    /// Name of the rows, in the plural.
    pub items: Cow<'a, str>,
    /// Name of the positives, as a predicate ("spam").
    pub positive_name: Cow<'a, str>,
    /// The rows or population whose share is estimated.
    pub target: Target,
    /// The interface whose options are named.
    pub interface: Interface,
}

/// Maximum number of names listed in a sentence.
const MAX_NAMES: usize = 6;

impl<'a> Words<'a> {
    /// Creates words with these names of the rows and the positives, which may be untrusted.
    pub fn new(items: &'a str, positive_name: &'a str, target: Target, interface: Interface) -> Self {
        let (items, positive_name) = (escape_untrusted(items), escape_untrusted(positive_name));
        Self { items, positive_name, target, interface }
    }

    /// Returns the answer as a sentence, such as "An estimated 6.5 % (95 % interval 5.1 to 8.0 %) of the 634 messages
    /// are spam." `population` names the population of an estimate from groups of known sizes.
    pub fn answer(&self, estimate: &Estimate, method: Method, cutoff: Option<f64>, population: Option<&str>) -> String {
        let Words { positive_name, target, .. } = self;
        let (share, rows) = (format_estimate(estimate), self.number_of_items(estimate.n));
        if method.is_uncorrected() {
            let cutoff = cutoff.filter(|_| method == Method::CC);
            let scores = cutoff.map_or_else(String::new, |cutoff| format!(", from a score of {} up", Digits(cutoff)));
            return format!(
                "The classifier itself counts {share} of {rows} as {positive_name}{scores}; this is not corrected for \
                 its errors."
            );
        }
        let opening = match Reliability::from_estimate(estimate) {
            Reliability::Unreliable => "Not reliable: an estimated",
            _ => "An estimated",
        };
        let target = match (population, target) {
            (Some(population), _) => population.to_owned(),
            (None, target) => self.target(estimate.n, *target),
        };
        let number = number_of_positives(estimate).map_or_else(String::new, |number| format!(": {number}"));
        match interval_text(estimate) {
            Some(interval) => format!(
                "{opening} {share} ({}\u{a0}%\u{a0}interval {interval}) of {target} are {positive_name}{number}.",
                percent(estimate.level)
            ),
            None => format!("{opening} {share} of {target} are {positive_name}; its uncertainty is unknown."),
        }
    }

    /// Returns the sentence in place of an answer that a rule for publication suppresses.
    pub fn suppressed_answer(&self, n: u64) -> String {
        let rows = self.number_of_items(n);
        format!("The share of {rows} that are {} is suppressed by the rule for publication.", self.positive_name)
    }

    /// Returns the number and name of the rows, or names the population that they were drawn from.
    pub fn target(&self, n: u64, target: Target) -> String {
        match (target, self.number_of_items(n)) {
            (Target::Sample, rows) => rows,
            (Target::Population, rows) => format!("the population that {rows} were drawn from"),
        }
    }

    /// Returns the number and name of the rows, such as "the 634 messages".
    fn number_of_items(&self, n: u64) -> String {
        match n {
            1 => format!("the {} (there is one)", self.items),
            n => format!("the {} {}", count(n), self.items),
        }
    }
}

/// Formats the interval of an estimate as "48.5 to 51.8 %"; `None` without an interval.
pub fn interval_text(estimate: &Estimate) -> Option<String> {
    estimate.interval.map(|u| format_interval(&u))
}

/// Lists the grouping columns.
pub fn grouping_columns(names: &dyn GroupNames) -> String {
    names.columns().collect::<Vec<_>>().join(", ")
}

/// Returns the name of a group.
pub fn group_name(texts: &NameTexts, group: usize) -> String {
    texts.group_texts(group).map(|value| group_value(&value)).collect::<Vec<_>>().join(", ")
}

/// Formats an interval as "48.5 to 51.8 %".
pub fn format_interval(u: &Interval) -> String {
    let digits = usize::from(decimals(u));
    format!("{:.digits$} to {}", 100.0 * u.lower, share(u.upper, decimals(u)))
}

/// States the number of positives with its interval, as in "about 4,310 of 13,646 (4,190 to 4,430)";
/// `None` if it is unknown. Numbers are rounded to a power of ten of at most a twentieth of the interval.
fn number_of_positives(estimate: &Estimate) -> Option<String> {
    let (size, positives) = estimate.size.zip(estimate.positives())?;
    let interval = estimate.positives_interval()?;
    let unit = 10_f64.powf((interval.width() / 20.0).log10().floor().max(0.0));
    let [positives, lower, upper] =
        [positives, interval.lower, interval.upper].map(|number| rounded((number / unit).round() * unit));
    Some(format!("about {positives} of {} ({lower} to {upper})", rounded(size)))
}

/// Formats the estimate with the decimals of its interval, or with one decimal.
pub fn format_estimate(estimate: &Estimate) -> String {
    estimate.interval.map_or_else(|| share(estimate.prevalence, 1), |u| share_like_interval(estimate.prevalence, &u))
}

/// Formats a share with the decimals of its interval.
pub fn share_like_interval(prevalence: f64, u: &Interval) -> String {
    share(prevalence, decimals(u))
}

/// States an estimate with its name, as in "2026-W05: 8.3 % (4.9 to 11.7 %), differs".
pub fn reading(name: &str, estimate: &Estimate) -> String {
    let interval = interval_text(estimate).map_or_else(String::new, |interval| format!(" ({interval})"));
    let remark = remark(estimate).map_or_else(String::new, |remark| format!(", {remark}"));
    format!("{}: {}{interval}{remark}", escape_untrusted(name), format_estimate(estimate))
}

/// Returns the value of a group column, or "(empty)" for an empty value.
pub fn group_value(value: &str) -> String {
    if value.is_empty() { "(empty)".to_owned() } else { value.to_owned() }
}

/// Describes a method, as in "Continuous Sweep, optimal threshold (o-cs)".
pub fn describe_method(method: Method) -> String {
    format!("{} ({method})", method.summary())
}

/// Formats a share as a percentage with this many decimals and a non-breaking space.
pub fn share(share: f64, decimals: u8) -> String {
    format!("{:.*}\u{a0}%", usize::from(decimals), 100.0 * share)
}

/// Decimals of a percentage that show two significant digits of the interval's width.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 1 and 5
fn decimals(u: &Interval) -> u8 {
    (1.0 - (100.0 * (u.upper - u.lower)).log10().floor()).clamp(1.0, 5.0) as u8
}

/// Formats a difference of shares in percentage points.
pub fn format_points(difference: f64) -> String {
    format!("{} points", truecount_analysis::results::points(difference))
}

/// Turns a clause into a sentence: with a capital letter and a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_ascii_uppercase(), letters.as_str()))
}

/// Describes a number of groups out of all groups, as in "1 of 24 groups".
pub fn out_of(number: usize, all: usize) -> String {
    let total = count(all as u64);
    match (number, all) {
        (2, 2) => "both groups".to_owned(),
        _ if number == all => format!("all {total} groups"),
        _ => format!("{} of {total} groups", count(number as u64)),
    }
}

/// Lists quoted names, as in “a”, “b” and “c”; long lists are cut after six names.
pub fn quoted_list(names: &[String]) -> String {
    let shown = &names[..names.len().min(MAX_NAMES)];
    let more = names.len() - shown.len();
    let mut parts: Vec<String> = shown.iter().map(|name| format!("“{name}”")).collect();
    if more > 0 {
        parts.push(format!("{} more", count(more as u64)));
    }
    match parts.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Formats a number of items, rounded; see [`count`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // numbers of items
pub fn rounded(number: f64) -> String {
    count(number.round() as u64)
}

/// Formats a p-value to follow the letter p, as in "= 0.03".
pub fn p_value_phrase(p: f64) -> String {
    let p = format_p_value(p);
    p.strip_prefix('<').map_or_else(|| format!("= {p}"), |bound| format!("< {bound}"))
}

/// Formats a number with thousands separators, as in 13,646.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let first_length = digits.len() % 3;
    let threes = digits.as_bytes()[first_length..].chunks(3).map(|three| String::from_utf8_lossy(three).into_owned());
    let first = (first_length > 0).then(|| digits[..first_length].to_owned());
    first.into_iter().chain(threes).collect::<Vec<_>>().join(",")
}

/// The reliability of an estimate, from its most severe warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reliability {
    /// No warning contradicts the assumption.
    Reliable,
    /// The scores differ from the labelled ones by more than chance.
    ScoresDiffer,
    /// The estimate is unreliable.
    Unreliable,
}

impl Reliability {
    /// Grades the reliability of an estimate.
    pub fn from_estimate(estimate: &Estimate) -> Self {
        match estimate.severity() {
            Some(Severity::Unreliable) => Self::Unreliable,
            _ if estimate.warnings.iter().any(Warning::is_misfit) => Self::ScoresDiffer,
            _ => Self::Reliable,
        }
    }
}

/// Returns the remark shown next to an interval, if its estimate needs one.
pub fn remark(estimate: &Estimate) -> Option<&'static str> {
    match Reliability::from_estimate(estimate) {
        Reliability::Unreliable => Some("not reliable"),
        _ if estimate.method.is_uncorrected() => Some("not corrected"),
        Reliability::ScoresDiffer => Some("differs"),
        Reliability::Reliable => None,
    }
}

/// Distance by which the scores' difference moves each end of the interval outwards; `None` if it does not.
pub fn widening(estimate: &Estimate) -> Option<f64> {
    estimate.misfit.map(|misfit| misfit.widening).filter(|widening| *widening > 0.0)
}

/// Suggests `--model-stratum` if groups fit no mixture and may need classes fitted separately.
pub fn stratum_advice(names: &dyn GroupNames, groups: &[CheckRow]) -> Option<String> {
    let any_rejected = groups.iter().any(|row| row.result.verdict() == Verdict::Rejected);
    let mut columns = names.columns();
    let (Some(column), None) = (columns.next(), columns.next()) else { return None };
    (any_rejected && groups.len() > 1).then(|| {
        format!(
            "If the labelled rows have a column '{column}' too, `truecount estimate --model-stratum {column}` fits the \
             classes of each group separately.",
            column = escape_untrusted(column)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::IntervalOptions;

    fn estimate(n: u64, raw: f64, interval: Option<[f64; 2]>) -> Estimate {
        let estimate = Estimate::new(Method::O_CS, n, raw);
        match interval {
            Some([lower, upper]) => {
                estimate.with_interval(0.0075, Interval { lower, upper }, &IntervalOptions::default())
            }
            None => estimate,
        }
    }

    #[test]
    fn the_answer_has_the_digits_of_its_interval_and_names_its_population() {
        let words = Words::new("messages", "spam", Target::Sample, Interface::Shell);
        let format = |words: &Words, estimate: Estimate, method| {
            words.answer(&estimate, method, Some(0.5), None).replace('\u{a0}', " ")
        };
        let answer = |n, raw, interval| format(&words, estimate(n, raw, interval), Method::O_CS);
        // A narrow interval needs more digits, so that its limits differ.
        assert_eq!(
            answer(9_000_000, 0.065, Some([0.064_91, 0.065_13])),
            "An estimated 6.500 % (95 % interval 6.491 to 6.513 %) of the 9,000,000 messages are spam: about 585,000 \
             of 9,000,000 (584,190 to 586,170)."
        );
        let population = Words { target: Target::Population, ..words };
        let mut drawn = estimate(634, 0.065, Some([0.0511, 0.0798]));
        drawn.size = None;
        assert_eq!(
            format(&population, drawn, Method::O_CS),
            "An estimated 6.5 % (95 % interval 5.1 to 8.0 %) of the population that the 634 messages were drawn from \
             are spam."
        );
    }

    #[test]
    fn numbers_of_groups_are_phrases() {
        assert_eq!(
            [out_of(1, 24), out_of(2, 2), out_of(15, 15), out_of(1, 2)].join(", "),
            "1 of 24 groups, both groups, all 15 groups, 1 of 2 groups"
        );
    }

    #[test]
    fn long_lists_are_cut_after_six_names() {
        let names = |n: u32| (1..=n).map(|i| i.to_string()).collect::<Vec<_>>();
        assert_eq!(quoted_list(&names(1)), "“1”");
        assert_eq!(quoted_list(&names(3)), "“1”, “2” and “3”");
        assert_eq!(quoted_list(&names(1006)), "“1”, “2”, “3”, “4”, “5”, “6” and 1,000 more");
    }
}
