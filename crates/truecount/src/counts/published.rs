//! Rates as publications print them: `66.8% (60.8-72.4)`.
//!
//! An interval of 95 % implies an effective number of labels m: the number whose Wilson interval
//! (1927) is as wide. With p the share, h half the width, z = 1.96 and t = z²/m,
//!
//! ```text
//! h² = [p(1−p) t + t²/4]/(1 + t)²    =>    t = 2h²/[b + √(b² + (1 − 4h²) h²)],   b = p(1−p) − 2h²
//! ```

use crate::numeric::gauss;

/// The separators between the ends of an interval, in the order in which they are tried.
const SEPARATORS: [&str; 8] = ["–", "—", " to ", " bis ", ";", "-", ", ", ","];

/// Parses `0.97`, `97%`, `97,5 %`, or one of them with its 95 % interval in parentheses. Returns the
/// share and the effective number of labels, if there is an interval.
pub(super) fn parse(text: &str) -> Option<(f64, Option<u64>)> {
    let Some((share, interval)) = text.split_once(['(', '[']) else {
        return parse_number(text).map(|(share, _)| (share, None));
    };
    let (share, is_percentage) = parse_number(share)?;
    let [lower, upper] = parse_ends(interval.trim_end().strip_suffix([')', ']'])?, is_percentage)?;
    let is_interval = 0.0 <= lower && lower <= share && share <= upper && upper <= 1.0 && lower < upper;
    is_interval.then(|| (share, Some(effective_number(share, (upper - lower) / 2.0))))
}

/// Parses a number, and returns whether it is a percentage. A comma is a decimal comma.
fn parse_number(text: &str) -> Option<(f64, bool)> {
    let text = text.trim();
    let (digits, is_percentage) = text.strip_suffix('%').map_or((text, false), |digits| (digits, true));
    let digits = digits.trim_end().replace(',', ".");
    // The exponent gives the number that is closest to the hundredth of what is written.
    let digits = if is_percentage { format!("{digits}e-2") } else { digits };
    let number: f64 = digits.parse().ok()?;
    number.is_finite().then_some((number, is_percentage))
}

/// Parses the ends of an interval such as `60.8-72.4` or `95% CI: 60.8 to 72.4`. They are
/// percentages if the share is one.
fn parse_ends(interval: &str, is_percentage: bool) -> Option<[f64; 2]> {
    let ends = match ["CI", "KI"].iter().find_map(|word| interval.split_once(word)) {
        Some((level, ends)) => {
            let level: String = level.chars().filter(|character| !character.is_whitespace()).collect();
            if !["", "95%", "95%-"].contains(&level.as_str()) {
                return None;
            }
            ends.trim_start_matches([':', ',', ' '])
        }
        None => interval,
    };
    let (lower, upper) = SEPARATORS.iter().find_map(|separator| ends.split_once(separator))?;
    let end = |text: &str| {
        let text = text.trim();
        let text = if is_percentage { format!("{}%", text.trim_end_matches('%')) } else { text.to_owned() };
        parse_number(&text).and_then(|(end, is_own_percentage)| (is_own_percentage == is_percentage).then_some(end))
    };
    Some([end(lower)?, end(upper)?])
}

/// Returns the number of labels whose 95 % Wilson interval has this half-width, at least 1.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // `as` saturates
fn effective_number(share: f64, half: f64) -> u64 {
    let (z, square) = (gauss::quantile(0.975), half * half);
    let b = share * (1.0 - share) - 2.0 * square;
    let t = 2.0 * square / (b + (b * b + (1.0 - 4.0 * square) * square).sqrt());
    (z * z / t).round().max(1.0) as u64
}
