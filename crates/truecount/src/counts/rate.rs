//! A published sensitivity or specificity, and the share of positive tests in each class that
//! follows from both.

use super::published;
use crate::condition::Digits;
use crate::inference::{Precision, Quadratic};
use crate::{Error, PerClass, Problem};
use std::fmt;
use std::str::FromStr;

/// A sensitivity or specificity, with its denominator if known. [`Rates`](super::Rates) validates
/// it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// A rate taken as exact.
    Exact(f64),
    /// A count of correct results with its denominator.
    Counted {
        /// The number of correct results.
        count: u64,
        /// The number of cases that the test was tried on.
        of: u64,
    },
    /// A share, such as a rounded one, with its denominator.
    Measured {
        /// The share of correct results.
        share: f64,
        /// The number of cases that the test was tried on.
        of: u64,
    },
}

impl Rate {
    /// Returns the rate as a number.
    pub fn share(&self) -> f64 {
        match *self {
            Self::Exact(share) | Self::Measured { share, .. } => share,
            Self::Counted { count, of } => count as f64 / of as f64,
        }
    }

    /// Returns the denominator, if it is known.
    pub fn denominator(&self) -> Option<u64> {
        match *self {
            Self::Exact(_) => None,
            Self::Counted { of, .. } | Self::Measured { of, .. } => Some(of),
        }
    }

    /// Returns the sampling variance of the rate; 0 without a denominator.
    pub(super) fn sampling_variance(&self) -> f64 {
        ClassRate { share: self.share(), denominator: self.denominator() }.sampling_variance()
    }

    /// Returns the rate if it is a share in [0, 1]; `name` is the rate's name in the error.
    pub(super) fn checked(self, name: &'static str) -> Result<Self, Error> {
        let value = match self {
            Self::Counted { of: 0, .. } | Self::Measured { of: 0, .. } => {
                return Err(Problem::DenominatorZero { name }.into());
            }
            Self::Counted { count, of } if count > of => {
                return Err(Problem::CountAboveWhole { name, count, of }.into());
            }
            Self::Counted { .. } => return Ok(self),
            Self::Exact(share) | Self::Measured { share, .. } => share,
        };
        if (0.0..=1.0).contains(&value) { Ok(self) } else { Err(Problem::RateOutOfRange { name, value }.into()) }
    }
}

/// Parses `90/100`, `0.97`, `97%`, or a share with its 95 % interval such as `66.8% (60.8-72.4)`.
/// The interval gives the denominator.
impl FromStr for Rate {
    type Err = Error;

    fn from_str(typed: &str) -> Result<Self, Error> {
        let unreadable = || Problem::RateNotReadable { text: typed.to_owned() }.into();
        let whole = |text: &str| text.trim().parse::<u64>().ok();
        let parsed = match typed.split_once('/') {
            Some((count, of)) => whole(count).zip(whole(of)).map(|(count, of)| Self::Counted { count, of }),
            None => published::parse(typed).map(|(share, number)| match number {
                Some(of) => Self::Measured { share, of },
                None => Self::Exact(share),
            }),
        };
        parsed.ok_or_else(unreadable)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Exact(share) => write!(f, "{}", Digits(share)),
            Self::Counted { count, of } => write!(f, "{count}/{of}"),
            Self::Measured { share, of } => write!(f, "{} of {of}", Digits(share)),
        }
    }
}

/// The denominator that stands for a rate without one: large enough that the rate has no variance.
const UNLIMITED: u64 = u64::MAX;

/// The share of positive tests in one class.
#[derive(Clone, Copy)]
pub(super) struct ClassRate {
    /// The share of positive tests.
    pub(super) share: f64,
    /// The number of cases of the class that were tested, if known.
    pub(super) denominator: Option<u64>,
}

impl ClassRate {
    /// Returns the shares of positive tests in the positive and the negative class.
    pub(super) fn by_class(sensitivity: &Rate, specificity: &Rate) -> PerClass<Self> {
        PerClass {
            positive: Self { share: sensitivity.share(), denominator: sensitivity.denominator() },
            negative: Self { share: 1.0 - specificity.share(), denominator: specificity.denominator() },
        }
    }

    /// Returns the variance of one test: p(1−p), times m/(m−1) if p comes from m cases.
    fn variance(&self) -> f64 {
        let m = self.denominator.map(|m| m as f64);
        self.share * (1.0 - self.share) * m.map_or(1.0, |m| m / (m - 1.0).max(1.0))
    }

    /// Returns the sampling variance of the share; 0 without a denominator.
    pub(super) fn sampling_variance(&self) -> f64 {
        self.denominator.map_or(0.0, |m| self.variance() / m as f64)
    }

    /// Returns the distances from the share to the ends of its interval by Wilson (1927), below and
    /// above, in units of z; 0 without a denominator.
    pub(super) fn wilson_deviations(&self, z: f64) -> [f64; 2] {
        let Some(m) = self.denominator.map(|m| m as f64) else { return [0.0, 0.0] };
        let spread = (self.share * (1.0 - self.share) / m + (z / (2.0 * m)).powi(2)).sqrt();
        let shift = (0.5 - self.share) * z / m;
        [spread - shift, spread + shift].map(|distance| distance / (1.0 + z * z / m))
    }
}

/// Returns the variance components of Adjusted Count at these shares.
pub(super) fn precision(classes: &PerClass<ClassRate>) -> Precision {
    let unit = (classes.positive.share - classes.negative.share).recip();
    let variances = classes.map(|class| class.variance() * unit * unit);
    let has_denominator = classes.positive.denominator.is_some() || classes.negative.denominator.is_some();
    let labelled = has_denominator.then(|| classes.map(|class| class.denominator.unwrap_or(UNLIMITED)));
    // The intervals for counts correct no skewness.
    Precision::new(variances, variances, PerClass::default(), labelled)
}

/// Returns the variances below and above the estimate from n tests, for an interval of z standard
/// errors: each rate errs as far as its own Wilson interval (MOVER, Donner and Zou 2012). A higher
/// rate of positive tests in either class makes the prevalence lower.
///
/// `fpc` is the finite population correction.
pub(super) fn wilson_sides(classes: &PerClass<ClassRate>, n: f64, fpc: f64, z: f64) -> [Quadratic; 2] {
    let square = (classes.positive.share - classes.negative.share).powi(-2);
    [1, 0].map(|end| {
        let parts = classes.map(|class| {
            let unseen = class.denominator.map_or(0.0, |m| 0.5 / m as f64);
            let test = class.variance() * square + unseen;
            (test / n, class.wilson_deviations(z)[end].powi(2) * square)
        });
        let PerClass { positive, negative } = Quadratic::from_classes(&parts, 0.0);
        positive.plus(&negative).plus(&Quadratic::binomial(n).times(fpc))
    })
}
