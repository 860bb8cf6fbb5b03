//! The answer in sentences.

use super::found::LEAST_P;
use truecount::{Estimate, Method, Target, Uncertainty};
use truecount_io::results::percent;

/// What the rows and the positives among them are called, and whose share is estimated.
pub struct Words<'a> {
    pub items: &'a str,
    pub are: &'a str,
    pub target: Target,
}

impl Words<'_> {
    /// "Between 5.1 % and 8.0 % of the 634 messages are spam."
    pub fn answer(&self, estimate: &Estimate, method: Method) -> String {
        let (of, are) = (self.of(estimate.n), self.are);
        let answer = match estimate.uncertainty {
            None => format!("about {} of {of} are {are}.", share(estimate.prevalence, 1)),
            Some(u) => {
                let [lower, upper] = [u.lower, u.upper].map(|end| share(end, decimals(&u)));
                match (u.lower > 0.0, u.upper < 1.0) {
                    (true, true) => format!("between {lower} and {upper} of {of} are {are}."),
                    (false, true) => format!("at most {upper} of {of} are {are}."),
                    (true, false) => format!("at least {lower} of {of} are {are}."),
                    (false, false) => format!("how many of {of} are {are} cannot be told: anything from none to all."),
                }
            }
        };
        let answer = if method.is_uncorrected() { format!("the classifier has it that {answer}") } else { answer };
        answer[..1].to_uppercase() + &answer[1..]
    }

    /// "the 634 messages", or the population they come from.
    fn of(&self, n: u64) -> String {
        let these = match n {
            1 => format!("the {} (there is one)", self.items),
            n => format!("the {} {}", count(n), self.items),
        };
        match self.target {
            Target::Sample => these,
            Target::Population => format!("the population that {these} were drawn from"),
        }
    }
}

/// What the answer is worth.
pub fn detail(estimate: &Estimate, method: Method) -> String {
    let name = described(method);
    let Some(u) = estimate.uncertainty else {
        return format!(
            "Method: {name}. There is no formula for its error; --interval bootstrap gives it an interval."
        );
    };
    let digits = decimals(&u);
    let best = share(estimate.prevalence, digits);
    let se = format!("{:.*}", usize::from(digits) + 1, 100.0 * u.se);
    let level = percent(estimate.level);
    let outside = if estimate.raw == estimate.prevalence {
        String::new()
    } else {
        let raw = share(estimate.raw, digits);
        format!(" The formula itself gives {raw}, which no share can be; {best} is the nearest that can.")
    };
    format!(
        "Best estimate {best}, standard error {se} percentage points; the interval is made to hold the truth in {level} of a \
         hundred such studies. Method: {name}.{outside}"
    )
}

/// "48.5 % to 51.8 %"; nothing without an interval.
pub fn interval(estimate: &Estimate) -> Option<String> {
    estimate.uncertainty.map(|u| {
        let digits = usize::from(decimals(&u));
        format!("{:.digits$} to {}", 100.0 * u.lower, share(u.upper, decimals(&u)))
    })
}

/// The estimate with as many digits as its interval has.
pub fn best(estimate: &Estimate) -> String {
    share(estimate.prevalence, estimate.uncertainty.map_or(1, |u| decimals(&u)))
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

/// The p-value of a fit, of two digits; the least that these can show is a bound.
pub fn p_value(p: f64) -> String {
    if p <= LEAST_P { format!("p ≤ {LEAST_P:.2}") } else { format!("p = {p:.2}") }
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
        let answer = |n, raw, interval| words.answer(&estimate(n, raw, interval), Method::O_CS).replace('\u{a0}', " ");
        assert_eq!(answer(634, 0.065, Some([0.0511, 0.0798])), "Between 5.1 % and 8.0 % of the 634 messages are spam.");
        assert_eq!(answer(1_234_567, 0.0, Some([0.0, 0.0398])), "At most 4.0 % of the 1,234,567 messages are spam.");
        assert_eq!(answer(2000, 1.0, Some([0.97, 1.0])), "At least 97.0 % of the 2,000 messages are spam.");
        assert_eq!(
            answer(20, 0.5, Some([0.0, 1.0])),
            "How many of the 20 messages are spam cannot be told: anything from none to all."
        );
        assert_eq!(answer(634, 0.065, None), "About 6.5 % of the 634 messages are spam.");
        assert_eq!(answer(1, 0.5, Some([0.1, 1.0])), "At least 10.0 % of the messages (there is one) are spam.");
        assert_eq!(
            words.answer(&estimate(634, 0.065, None), Method::CC).replace('\u{a0}', " "),
            "The classifier has it that about 6.5 % of the 634 messages are spam."
        );
        // A narrow interval needs more digits to be one.
        assert_eq!(
            answer(9_000_000, 0.065, Some([0.064_91, 0.065_13])),
            "Between 6.491 % and 6.513 % of the 9,000,000 messages are spam."
        );
        let population = Words { target: Target::Population, ..words };
        assert_eq!(
            population.answer(&estimate(634, 0.065, Some([0.0511, 0.0798])), Method::O_CS).replace('\u{a0}', " "),
            "Between 5.1 % and 8.0 % of the population that the 634 messages were drawn from are spam."
        );
    }

    #[test]
    fn an_estimate_that_no_share_can_be_is_told_apart() {
        let text = detail(&estimate(634, -0.0126, Some([0.0, 0.0339])), Method::O_CS).replace('\u{a0}', " ");
        assert!(text.contains("Best estimate 0.0 %, standard error 0.75 percentage points"), "{text}");
        assert!(
            text.contains("The formula itself gives -1.3 %, which no share can be; 0.0 % is the nearest"),
            "{text}"
        );
    }
}
