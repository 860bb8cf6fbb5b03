//! Score ranges in which the test scores are not a mixture of the labelled classes.

use crate::condition::{Field, ToFields};
use std::fmt;

/// A score range that holds more test scores than the nearest mixture of the labelled classes
/// predicts. (If a range holds fewer, its complement holds more.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// Lower end of the range, included; −∞ if there is none.
    pub from: f64,
    /// Upper end of the range, excluded; ∞ if there is none.
    pub to: f64,
    /// The number of excess scores, as a share of the test scores.
    pub share: f64,
    /// Standard error of the share.
    pub std_error: f64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.1} % ", 100.0 * self.share)?;
        let (from, to) = (ThreeDigits(self.from), ThreeDigits(self.to));
        match (self.from.is_finite(), self.to.is_finite()) {
            (true, true) => write!(f, "between {from} and {to}"),
            (true, false) => write!(f, "from {from} up"),
            (false, _) => write!(f, "below {to}"),
        }
    }
}

impl ToFields for Excess {
    /// Adds four fields without a prefix.
    fn add_fields(&self, _: &'static str, fields: &mut Vec<(&'static str, Field)>) {
        let Self { from, to, share, std_error: se } = self;
        for (name, value) in [("from", from), ("to", to), ("share", share), ("se", se)] {
            value.add_fields(name, fields);
        }
    }
}

/// Formats a number with three significant digits, but never drops digits before the decimal point.
pub(super) struct ThreeDigits(pub(super) f64);

impl fmt::Display for ThreeDigits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0.abs() {
            size if size != 0.0 && !(1e-3..1e6).contains(&size) => write!(f, "{:.2e}", self.0),
            size if size < 1.0 => write!(f, "{:.3}", self.0),
            size if size < 10.0 => write!(f, "{:.2}", self.0),
            size if size < 100.0 => write!(f, "{:.1}", self.0),
            _ => write!(f, "{:.0}", self.0),
        }
    }
}
