//! The inputs of a plan: a goal, and the numbers of labelled and unlabelled scores.

use super::{MAX_SIZE, Plan, first_where};
use crate::{Error, PerClass};
use std::fmt;

/// Smallest number of labelled scores per class to plan for. With fewer, standard errors are
/// unreliable.
pub const MIN_LABELLED_PER_CLASS: u64 = crate::inference::FEW_LABELLED;

/// A number of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// This number.
    Finite(u64),
    /// So large a number that the scores contribute no variance.
    Unlimited,
}

impl Size {
    /// The number; infinite if unlimited.
    pub(super) fn number(self) -> f64 {
        match self {
            Self::Finite(n) => n as f64,
            Self::Unlimited => f64::INFINITY,
        }
    }

    /// The number; `None` if unlimited.
    pub(super) fn count(self) -> Option<u64> {
        match self {
            Self::Finite(n) => Some(n),
            Self::Unlimited => None,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Finite(n) => n.fmt(f),
            Self::Unlimited => "∞".fmt(f),
        }
    }
}

/// A measure of an estimate's precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecisionMeasure {
    /// √V(α).
    StandardError,
    /// Half the length of the interval for the estimate α.
    HalfWidth,
}

/// The precision that a plan must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    measure: PrecisionMeasure,
    at_most: f64,
}

impl Goal {
    /// Goal of a measure that is at most this value.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) unless the value is in
    /// [1e-6, ½); ½ is half the length of [0, 1].
    pub fn new(measure: PrecisionMeasure, at_most: f64) -> Result<Self, Error> {
        let name = match measure {
            PrecisionMeasure::StandardError => "the standard error",
            PrecisionMeasure::HalfWidth => "the half-width",
        };
        let (is_inside, domain) = ((1e-6..0.5).contains(&at_most), "at least 0.000001 and below 0.5");
        Error::unless_in_domain(is_inside, (name, at_most), domain).map(|()| Self { measure, at_most })
    }

    /// The measure of the precision.
    pub fn measure(&self) -> PrecisionMeasure {
        self.measure
    }

    /// The largest allowed value of the measure.
    pub fn at_most(&self) -> f64 {
        self.at_most
    }

    /// Returns whether a plan meets the goal.
    pub fn is_met_by(&self, plan: &Plan) -> bool {
        plan.measure(self.measure).value <= self.at_most
    }
}

/// A share of positives among labelled scores, in (0, 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositiveShare(f64);

impl PositiveShare {
    /// Creates a share of positives.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) unless 0 < share < 1.
    pub fn new(share: f64) -> Result<Self, Error> {
        let (is_inside, domain) = (share > 0.0 && share < 1.0, "between 0 and 1, both excluded");
        Error::unless_in_domain(is_inside, ("the share", share), domain).map(|()| Self(share))
    }

    /// The number of positives among two or more scores, at least one of each class.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the total
    pub(super) fn count(self, total: u64) -> u64 {
        ((self.0 * total as f64) as u64).clamp(1, total - 1)
    }

    /// The smallest number of labelled scores with [`LEAST_LABELLED`] or more in each class.
    pub(super) fn min_total(self) -> u64 {
        let enough = |total: u64| self.count(total).min(total - self.count(total)) >= MIN_LABELLED_PER_CLASS;
        let mut high = 2 * MIN_LABELLED_PER_CLASS;
        while !enough(high) && high < MAX_SIZE {
            high *= 2;
        }
        first_where(2 * MIN_LABELLED_PER_CLASS, high, enough)
    }
}

/// The split of labelled scores into the classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClassSplit {
    /// The split with the smallest value of this measure, if one can choose the items to label.
    Optimal(PrecisionMeasure),
    /// A fixed share of positives, as for items drawn at random.
    Share(PositiveShare),
}

/// The number of labelled scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelCount(pub(super) LabelCounts);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LabelCounts {
    Total(u64, ClassSplit),
    PerClass(PerClass<Size>),
}

impl LabelCount {
    /// Unlimited labels of both classes, so that the rates are known.
    pub const UNLIMITED: Self =
        Self(LabelCounts::PerClass(PerClass { positive: Size::Unlimited, negative: Size::Unlimited }));

    /// The numbers behind published rates, however few.
    pub(crate) fn from_rate_denominators(sizes: PerClass<Size>) -> Self {
        Self(LabelCounts::PerClass(sizes))
    }

    /// A total number, with its split into the classes.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) for a total below twice
    /// [`MIN_LABELLED_PER_CLASS`], or for a class with fewer than [`MIN_LABELLED_PER_CLASS`].
    pub fn in_all(total: u64, split: ClassSplit) -> Result<Self, Error> {
        let (name, domain) = ("the number of labelled scores", "at least 20, ten of each class");
        Error::unless_in_domain(total >= 2 * MIN_LABELLED_PER_CLASS, (name, total as f64), domain)?;
        if let ClassSplit::Share(share) = split {
            let positive = share.count(total);
            Self::each(PerClass { positive, negative: total - positive })?;
        }
        Ok(Self(LabelCounts::Total(total, split)))
    }

    /// A number for each class.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) for a class with fewer than
    /// [`MIN_LABELLED_PER_CLASS`].
    pub fn each(counts: PerClass<u64>) -> Result<Self, Error> {
        let smaller = counts.positive.min(counts.negative);
        let number = ("the number of labelled scores of a class", smaller as f64);
        Error::unless_in_domain(smaller >= MIN_LABELLED_PER_CLASS, number, "at least 10")?;
        Ok(Self(LabelCounts::PerClass(counts.map(|n| Size::Finite(*n)))))
    }
}
