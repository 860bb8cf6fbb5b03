//! A sensitivity or a specificity as it is published, and the share of positive tests in each class that
//! follows from the two.

use crate::condition::Digits;
use crate::inference::{Precision, ThirdMoments};
use crate::{Error, PerClass, Problem};
use std::fmt;
use std::str::FromStr;

/// A rate, with what it was found from. [`Rates`](super::Rates) checks that it is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Known, or taken for known.
    Exact(f64),
    /// So many of so many.
    Counted {
        /// The right results.
        count: u64,
        /// Those that the test was tried on.
        of: u64,
    },
    /// A share, such as a rounded one, of so many.
    Measured {
        /// The share of right results.
        share: f64,
        /// Those that the test was tried on.
        of: u64,
    },
}

impl Rate {
    /// The rate itself.
    pub fn share(&self) -> f64 {
        match *self {
            Self::Exact(share) | Self::Measured { share, .. } => share,
            Self::Counted { count, of } => count as f64 / of as f64,
        }
    }

    /// Its denominator, if it has one.
    pub fn denominator(&self) -> Option<u64> {
        match *self {
            Self::Exact(_) => None,
            Self::Counted { of, .. } | Self::Measured { of, .. } => Some(of),
        }
    }

    /// Refuses what is no share; `name` says of what.
    pub(super) fn checked(self, name: &'static str) -> Result<Self, Error> {
        let value = match self {
            Self::Counted { of: 0, .. } | Self::Measured { of: 0, .. } => {
                return Err(Problem::NoDenominator { name }.into());
            }
            Self::Counted { count, of } if count > of => {
                return Err(Problem::CountAboveWhole { name, count, of }.into());
            }
            Self::Counted { .. } => return Ok(self),
            Self::Exact(share) | Self::Measured { share, .. } => share,
        };
        if (0.0..=1.0).contains(&value) { Ok(self) } else { Err(Problem::NotARate { name, value }.into()) }
    }
}

/// `90/100`, `0.97` or `97%`.
impl FromStr for Rate {
    type Err = Error;

    fn from_str(typed: &str) -> Result<Self, Error> {
        let unreadable = || Problem::RateUnreadable { text: typed.to_owned() }.into();
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|share| share.is_finite());
        let whole = |text: &str| text.trim().parse::<u64>().ok();
        let read = match (typed.split_once('/'), typed.trim().strip_suffix('%')) {
            (Some((count, of)), _) => whole(count).zip(whole(of)).map(|(count, of)| Self::Counted { count, of }),
            (None, Some(percent)) => number(percent).map(|percent| Self::Exact(percent / 100.0)),
            (None, None) => number(typed).map(Self::Exact),
        };
        read.ok_or_else(unreadable)
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

/// A rate without a denominator is as good as one from so many.
const WITHOUT_END: u64 = u64::MAX;

/// The share of positive tests in one class.
#[derive(Clone, Copy)]
pub(super) struct ClassRate {
    /// The share.
    pub(super) positive: f64,
    /// Of so many, if it was counted.
    pub(super) of: Option<u64>,
}

impl ClassRate {
    /// Of those who have what is counted, and of the others.
    pub(super) fn both(sensitivity: &Rate, specificity: &Rate) -> PerClass<Self> {
        PerClass {
            positive: Self { positive: sensitivity.share(), of: sensitivity.denominator() },
            negative: Self { positive: 1.0 - specificity.share(), of: specificity.denominator() },
        }
    }

    /// The variance of one test: p(1−p), with m/(m−1) where p was learnt, as for any sample.
    pub(super) fn variance(&self) -> f64 {
        let m = self.of.map(|of| of as f64);
        self.positive * (1.0 - self.positive) * m.map_or(1.0, |m| m / (m - 1.0).max(1.0))
    }

    /// What it leaves uncertain of the share.
    pub(super) fn mean_variance(&self) -> f64 {
        self.of.map_or(0.0, |of| self.variance() / of as f64)
    }

    /// E(g − p)³ of g that is 1 or 0.
    fn third(&self) -> f64 {
        self.positive * (1.0 - self.positive) * (1.0 - 2.0 * self.positive)
    }
}

/// V(α) by source, as Adjusted Count has it.
pub(super) fn precision(classes: &PerClass<ClassRate>) -> Precision {
    let unit = (classes.positive.positive - classes.negative.positive).recip();
    let variances = classes.map(|class| class.variance() * unit * unit);
    let third = classes.map(|class| ThirdMoments::empirical(class.third() * unit.powi(3)));
    let counted = classes.positive.of.is_some() || classes.negative.of.is_some();
    let labelled = counted.then(|| classes.map(|class| class.of.unwrap_or(WITHOUT_END)));
    Precision::new(variances, variances, third, labelled)
}
