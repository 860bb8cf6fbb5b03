//! Intervals for a prevalence from counts, among them Lang and Reiczigel's.
//!
//! Lang and Reiczigel's interval (2014, Preventive Veterinary Medicine 113, 13–22, equations 4 to
//! 7, 16 and 17) is, with z the normal quantile, x of n positive, and rates of m₊ and m₋,
//!
//! ```text
//! n' = n + z²,  p' = (x + z²/2)/n',    m' = m + 2,  Se' = (k₊ + 1)/m₊',  Sp' = (k₋ + 1)/m₋'
//! P' = (p' + Sp' − 1)/(Se' + Sp' − 1)
//! V' = [p'(1−p')/n' + P'² Se'(1−Se')/m₊' + (1−P')² Sp'(1−Sp')/m₋']/(Se' + Sp' − 1)²
//! dP = 2z² [P' Se'(1−Se')/m₊' − (1−P') Sp'(1−Sp')/m₋']
//! P' + dP ± z√V'
//! ```
//!
//! (Equation 4 is printed with (1+P)² for (1−P)².) A rate without a denominator is the limit of
//! large m: it is not adjusted and has no variance. If neither rate has a denominator, the interval
//! is Agresti and Coull's for the share of positive tests, corrected by the rates.

use super::rate::Rate;
use crate::choice::choice;

/// A type of interval for a prevalence from counts and rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RateInterval {
    /// Lang and Reiczigel's (2014).
    #[default]
    LangReiczigel,
    /// A Wilson-type interval: the prevalences that the estimate does not contradict if each rate
    /// errs as far as its own Wilson interval.
    Wilson,
    /// Wilson's (1927) for the share of positive tests, with both ends corrected by the rates,
    /// which are taken as exact.
    ExactRates,
}

impl RateInterval {
    /// All intervals: name, interval, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        (
            "lang-reiczigel",
            Self::LangReiczigel,
            "Lang and Reiczigel's (2014), which accounts for the denominators of both rates",
        ),
        ("wilson", Self::Wilson, "a Wilson-type interval, from the Wilson intervals of both rates"),
        ("exact-rates", Self::ExactRates, "Wilson's for the share of positive tests, with both rates taken as exact"),
    ];

    /// Returns the sources of error that the interval and the standard error account for.
    pub fn accounts_for(self) -> &'static str {
        match self {
            Self::LangReiczigel | Self::Wilson => {
                "sampling of the tested, and of those behind each rate with a denominator"
            }
            Self::ExactRates => "sampling of the tested only; both rates are taken as exact",
        }
    }

    /// Returns the title of the interval: its authors.
    pub fn title(self) -> &'static str {
        match self {
            Self::LangReiczigel => "Lang and Reiczigel (2014)",
            Self::Wilson => "Wilson-type",
            Self::ExactRates => "Wilson (1927), at exact rates",
        }
    }
}

choice!(RateInterval, "interval");

/// Returns the ends of Lang and Reiczigel's interval, which may lie outside [0, 1].
pub(super) fn lang_reiczigel(
    positives: u64,
    tested: u64,
    sensitivity: &Rate,
    specificity: &Rate,
    z: f64,
) -> (f64, f64) {
    let z2 = z * z;
    let n = tested as f64 + z2;
    let p = (positives as f64 + z2 / 2.0) / n;
    let ((se, v_se), (sp, v_sp)) = (adjusted(sensitivity), adjusted(specificity));
    let youden = se + sp - 1.0;
    if youden <= 0.0 {
        // Small denominators: the adjusted rates no longer separate the classes, and no prevalence
        // is excluded.
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let centre = (p + sp - 1.0) / youden;
    let variance = p * (1.0 - p) / n + centre * centre * v_se + (1.0 - centre).powi(2) * v_sp;
    let shifted = centre + 2.0 * z2 * (centre * v_se - (1.0 - centre) * v_sp);
    let half = z * variance.sqrt() / youden;
    (shifted - half, shifted + half)
}

/// Returns the rate with one more correct and one more wrong result, and its variance.
fn adjusted(rate: &Rate) -> (f64, f64) {
    let share = rate.share();
    rate.denominator().map_or((share, 0.0), |denominator| {
        let (m, adjusted_m) = (denominator as f64, denominator as f64 + 2.0);
        let share = (share * m + 1.0) / adjusted_m;
        (share, share * (1.0 - share) / adjusted_m)
    })
}
