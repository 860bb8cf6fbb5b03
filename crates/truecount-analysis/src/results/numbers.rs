//! Formats of numbers, with all digits for programs and few digits for people, and escaping of text.

use std::borrow::Cow;
use truecount::internal::Digits;

/// Formats a number with all digits.
pub fn all_digits(x: f64) -> String {
    Digits(x).to_string()
}

/// Formats a share as a percentage with at most ten decimals, so that 0.07 is 7 %, not
/// 7.000000000000001 %.
pub fn percent(share: f64) -> String {
    let digits = format!("{:.10}", 100.0 * share);
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a share as a percentage with this many decimals.
pub(super) fn percent_of(share: f64, digits: usize) -> String {
    format!("{:.digits$}", 100.0 * share)
}

/// Formats a standard error: four decimals, or scientific notation if they would show 0 or the number is too long.
pub fn format_se(se: f64) -> String {
    if se == 0.0 || (5e-5..1e4).contains(&se) { format!("{se:.4}") } else { format!("{se:.0e}") }
}

/// Formats a difference of shares in percentage points, with two significant digits if it is small.
pub fn points(difference: f64) -> String {
    let points = 100.0 * difference;
    let digits = if points.abs() < 0.995 { 2 } else { 1 };
    format!("{points:.digits$}")
}

/// Formats a p-value. Below a millionth, the large-sample approximation is too inaccurate for digits.
pub fn format_p_value(value: f64) -> String {
    match value {
        p if p < 1e-6 => "<1e-6".to_owned(),
        p if p < 1e-4 => format!("{p:.0e}"),
        p => format!("{p:.4}"),
    }
}

/// Formats an e-value: two decimals, none if it is large, and scientific notation beyond that.
pub fn format_e_value(value: f64) -> String {
    match value {
        e if e >= 1e5 => format!("{e:.0e}"),
        e if e >= 100.0 => format!("{e:.0}"),
        e => format!("{e:.2}"),
    }
}

/// Formats a number with its sign, or without a sign if all digits are zeros.
pub(super) fn signed(value: f64) -> String {
    let text = format!("{value:+.4}");
    if text.trim_start_matches(['+', '-']).bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        text
    } else {
        text[1..].to_owned()
    }
}

/// Returns the number of decimals that shows a region of this width with about three digits, as far
/// as the precision of a double at `at` allows.
pub fn decimals_for(at: f64, width: f64) -> usize {
    let decimals = 2.0 - width.log10().floor();
    let available = 15.0 - at.abs().max(1.0).log10().floor();
    (0_u8..8).find(|d| f64::from(*d) >= decimals.min(available)).unwrap_or(8).into()
}

/// Escapes text from the data, so that it is safe to show. Invisible characters are escaped, as well as characters that
/// move the cursor or change colours or the writing direction. Joiners are kept, as some scripts need them.
pub fn escape_untrusted(text: &str) -> Cow<'_, str> {
    let invisible =
        ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{2060}', '\u{feff}'];
    let changes_direction = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_unsafe = |c: char| c.is_control() || changes_direction(c) || invisible.contains(&c);
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| if is_unsafe(c) { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(escape).collect())
}
