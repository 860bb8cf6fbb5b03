//! Where test scores are no mixture of the labelled classes.

use crate::condition::{Field, ToFields};
use std::fmt;

/// An interval that holds more test scores than the nearest mixture of the labelled classes predicts. (Where one holds
/// fewer, the rest holds more.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// From this score on; −∞ for all below `to`.
    pub from: f64,
    /// To below this score; ∞ for all from `from` on.
    pub to: f64,
    /// How many too many, as a share of the test scores.
    pub share: f64,
    /// Its standard error.
    pub se: f64,
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

/// Four fields, whatever it is called.
impl ToFields for Excess {
    fn add_fields(&self, _: &'static str, fields: &mut Vec<(&'static str, Field)>) {
        let Self { from, to, share, se } = self;
        for (name, value) in [("from", from), ("to", to), ("share", share), ("se", se)] {
            value.add_fields(name, fields);
        }
    }
}

/// Three digits, or as many as the whole number has.
struct ThreeDigits(f64);

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
