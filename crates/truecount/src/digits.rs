//! How numbers are written, in messages and in results.

use std::fmt;

/// A number in every digit, or with the decimals asked for; with an exponent where many zeros would come before the
/// digits or behind them.
///
/// # Examples
/// ```
/// use truecount::Digits;
/// assert_eq!(Digits(0.1).to_string(), "0.1");
/// assert_eq!(Digits(-1e308).to_string(), "-1e308");
/// assert_eq!(format!("{:.2}", Digits(1.0)), "1.00");
/// assert_eq!(format!("{:.2}", Digits(1.234e200)), "1.23e200");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digits(pub f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let x = self.0;
        match f.precision() {
            None if x == 0.0 || (1e-5..1e16).contains(&x.abs()) => write!(f, "{x}"),
            None => write!(f, "{x:e}"),
            Some(decimals) if x.abs() < 1e16 => write!(f, "{x:.decimals$}"),
            Some(decimals) => write!(f, "{x:.decimals$e}"),
        }
    }
}
