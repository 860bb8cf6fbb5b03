//! The answer in a sentence, and numbers as sentences have them.

use super::trust::Trust;
use truecount::{Estimate, Method, Target, Uncertainty};
use truecount_analysis::results::percent;

/// What the rows and the positives among them are called, and whose share is estimated.
pub struct Words<'a> {
    pub items: &'a str,
    pub are: &'a str,
    pub target: Target,
}

/// Names in a sentence, at most.
const LISTED: usize = 6;

impl Words<'_> {
    /// "An estimated 6.5 % (95 % interval 5.1 to 8.0 %) of the 634 messages are spam."
    pub fn answer(&self, estimate: &Estimate, method: Method) -> String {
        let Words { are, target, .. } = *self;
        let (best, these) = (best(estimate), self.these(estimate.n));
        if method.is_uncorrected() {
            return format!(
                "The classifier itself counts {best} of {these} as {are}, which is not corrected for its errors."
            );
        }
        let about = match Trust::of(estimate) {
            Trust::Unreliable => "Not reliable: an estimated",
            _ => "An estimated",
        };
        let of = match target {
            Target::Sample => these,
            Target::Population => format!("the population that {these} were drawn from"),
        };
        match interval(estimate) {
            Some(ends) => {
                format!("{about} {best} ({}\u{a0}% interval {ends}) of {of} are {are}.", percent(estimate.level))
            }
            None => format!("{about} {best} of {of} are {are}; how far off that may be is not known."),
        }
    }

    /// "the 634 messages".
    fn these(&self, n: u64) -> String {
        match n {
            1 => format!("the {} (there is one)", self.items),
            n => format!("the {} {}", count(n), self.items),
        }
    }
}

/// "48.5 to 51.8 %"; nothing without an interval.
pub fn interval(estimate: &Estimate) -> Option<String> {
    estimate.uncertainty.map(|u| ends_of(&u))
}

/// The same of an interval.
pub fn ends_of(u: &Uncertainty) -> String {
    let digits = usize::from(decimals(u));
    format!("{:.digits$} to {}", 100.0 * u.lower, share(u.upper, decimals(u)))
}

/// The estimate with as many digits as its interval has.
pub fn best(estimate: &Estimate) -> String {
    estimate.uncertainty.map_or_else(|| share(estimate.prevalence, 1), |u| share_of(estimate.prevalence, &u))
}

/// A share with as many digits as its interval has.
pub fn share_of(prevalence: f64, u: &Uncertainty) -> String {
    share(prevalence, decimals(u))
}

/// What is missing has a name too.
pub fn named(value: &str) -> String {
    if value.is_empty() { "(empty)".to_owned() } else { value.to_owned() }
}

/// "Continuous Sweep, optimal threshold (o-cs)".
pub fn described(method: Method) -> String {
    format!("{} ({method})", method.summary())
}

/// A share as a percentage with so many decimals; the space does not break.
pub fn share(share: f64, decimals: u8) -> String {
    format!("{:.*}\u{a0}%", usize::from(decimals), 100.0 * share)
}

/// Decimals of a percentage that show two digits of the interval's width.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 1 and 5
fn decimals(u: &Uncertainty) -> u8 {
    (1.0 - (100.0 * (u.upper - u.lower)).log10().floor()).clamp(1.0, 5.0) as u8
}

/// A difference of shares in percentage points, with two digits.
pub fn points(difference: f64) -> String {
    let points = 100.0 * difference;
    let digits = if points < 0.995 { 2 } else { 1 };
    format!("{points:.digits$} points")
}

/// Adds a capital and a full stop.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_ascii_uppercase(), letters.as_str()))
}

/// How many of all groups.
pub fn among(number: usize, all: usize) -> String {
    let all_of = count(all as u64);
    match (number, all) {
        (2, 2) => "both groups".to_owned(),
        _ if number == all => format!("all {all_of} groups"),
        _ => format!("{} of {all_of} groups", count(number as u64)),
    }
}

/// “a”, “b” and “c”; of many the first few.
pub fn listed(names: &[String]) -> String {
    let (shown, more) = if names.len() <= LISTED { (names, 0) } else { (&names[..LISTED], names.len() - LISTED) };
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

/// 13646 as 13,646.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let first = digits.len() % 3;
    let threes = digits.as_bytes()[first..].chunks(3).map(|three| String::from_utf8_lossy(three).into_owned());
    let head = (first > 0).then(|| digits[..first].to_owned());
    head.into_iter().chain(threes).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::Reporting;

    fn estimate(n: u64, raw: f64, interval: Option<[f64; 2]>) -> Estimate {
        let uncertainty = interval.map(|[lower, upper]| Uncertainty { se: 0.0075, lower, upper });
        Estimate::new(Method::O_CS, n, raw, uncertainty, &Reporting::default())
    }

    #[test]
    fn the_answer_is_a_sentence() {
        let words = Words { items: "messages", are: "spam", target: Target::Sample };
        let said = |words: &Words, estimate: Estimate, method| words.answer(&estimate, method).replace('\u{a0}', " ");
        let answer = |n, raw, interval| said(&words, estimate(n, raw, interval), Method::O_CS);
        assert_eq!(
            answer(634, 0.065, Some([0.0511, 0.0798])),
            "An estimated 6.5 % (95 % interval 5.1 to 8.0 %) of the 634 messages are spam."
        );
        assert_eq!(
            answer(1_234_567, 0.0, Some([0.0, 0.0398])),
            "An estimated 0.0 % (95 % interval 0.0 to 4.0 %) of the 1,234,567 messages are spam."
        );
        assert_eq!(
            answer(634, 0.065, None),
            "An estimated 6.5 % of the 634 messages are spam; how far off that may be is not known."
        );
        assert_eq!(
            answer(1, 0.5, Some([0.1, 1.0])),
            "An estimated 50.0 % (95 % interval 10.0 to 100.0 %) of the messages (there is one) are spam."
        );
        assert_eq!(
            said(&words, estimate(634, 0.065, None), Method::CC),
            "The classifier itself counts 6.5 % of the 634 messages as spam, which is not corrected for its errors."
        );
        // A narrow interval needs more digits to be one.
        assert_eq!(
            answer(9_000_000, 0.065, Some([0.064_91, 0.065_13])),
            "An estimated 6.500 % (95 % interval 6.491 to 6.513 %) of the 9,000,000 messages are spam."
        );
        let mut unreliable = estimate(634, 0.065, Some([0.0511, 0.0798]));
        unreliable.warnings.push(truecount::Warning::NoSpread);
        assert_eq!(
            said(&words, unreliable, Method::O_CS),
            "Not reliable: an estimated 6.5 % (95 % interval 5.1 to 8.0 %) of the 634 messages are spam."
        );
        let population = Words { target: Target::Population, ..words };
        assert_eq!(
            said(&population, estimate(634, 0.065, Some([0.0511, 0.0798])), Method::O_CS),
            "An estimated 6.5 % (95 % interval 5.1 to 8.0 %) of the population that the 634 messages were drawn from are spam."
        );
    }

    #[test]
    fn numbers_of_groups_are_words() {
        assert_eq!(
            [among(1, 24), among(2, 2), among(15, 15), among(1, 2)].join(", "),
            "1 of 24 groups, both groups, all 15 groups, 1 of 2 groups"
        );
    }

    #[test]
    fn many_names_are_not_all_listed() {
        let names = |n: u32| (1..=n).map(|i| i.to_string()).collect::<Vec<_>>();
        assert_eq!(listed(&names(1)), "“1”");
        assert_eq!(listed(&names(3)), "“1”, “2” and “3”");
        assert_eq!(listed(&names(1006)), "“1”, “2”, “3”, “4”, “5”, “6” and 1,000 more");
    }
}
