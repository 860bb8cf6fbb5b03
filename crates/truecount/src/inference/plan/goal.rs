//! What can be asked of a plan: a goal, and how many scores there are.

use super::{MOST, Plan, first};
use crate::{Error, PerClass, Problem};
use std::fmt;

/// Labelled scores in each class that are the least to plan for: what fewer leave uncertain no standard error can tell.
pub const LEAST_LABELLED: u64 = crate::inference::FEW_LABELLED;

/// A number of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// So many.
    Of(u64),
    /// So many that they leave nothing uncertain.
    Unlimited,
}

impl Size {
    pub(super) fn number(self) -> f64 {
        match self {
            Self::Of(n) => n as f64,
            Self::Unlimited => f64::INFINITY,
        }
    }

    /// The number, if there is an end.
    pub(super) fn count(self) -> Option<u64> {
        match self {
            Self::Of(n) => Some(n),
            Self::Unlimited => None,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Of(n) => n.fmt(f),
            Self::Unlimited => "∞".fmt(f),
        }
    }
}

/// What says how precise an estimate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecisionMeasure {
    /// √V(α).
    StandardError,
    /// Half the length of the interval that is reported for the estimate α.
    HalfWidth,
}

/// How precise an estimate is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    measure: PrecisionMeasure,
    at_most: f64,
}

impl Goal {
    /// A measure that must not be above a value.
    ///
    /// # Errors
    /// [`Problem::Parameter`] unless it is at least 1e-6 and below ½, half the length of [0, 1].
    pub fn new(measure: PrecisionMeasure, at_most: f64) -> Result<Self, Error> {
        if (1e-6..0.5).contains(&at_most) {
            return Ok(Self { measure, at_most });
        }
        let name = match measure {
            PrecisionMeasure::StandardError => "the standard error",
            PrecisionMeasure::HalfWidth => "the half-width",
        };
        Err(Problem::Parameter { name, value: at_most, domain: "at least 0.000001 and below 0.5" }.into())
    }

    /// What it is about.
    pub fn measure(&self) -> PrecisionMeasure {
        self.measure
    }

    /// The largest value allowed.
    pub fn at_most(&self) -> f64 {
        self.at_most
    }

    /// Whether a plan keeps to it.
    pub fn is_met_by(&self, plan: &Plan) -> bool {
        plan.measure(self.measure).value <= self.at_most
    }
}

/// A share of positives among labelled scores, between 0 and 1, both excluded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositiveShare(f64);

impl PositiveShare {
    /// # Errors
    /// [`Problem::Parameter`] unless 0 < share < 1.
    pub fn new(share: f64) -> Result<Self, Error> {
        if share > 0.0 && share < 1.0 {
            Ok(Self(share))
        } else {
            Err(Problem::Parameter { name: "the share", value: share, domain: "between 0 and 1, both excluded" }.into())
        }
    }

    /// The positives among two or more; at least one of each class.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the total
    pub(super) fn count(self, total: u64) -> u64 {
        ((self.0 * total as f64) as u64).clamp(1, total - 1)
    }

    /// The fewest labelled scores that have enough of each class.
    pub(super) fn fewest(self) -> u64 {
        let enough = |total: u64| self.count(total).min(total - self.count(total)) >= LEAST_LABELLED;
        let mut high = 2 * LEAST_LABELLED;
        while !enough(high) && high < MOST {
            high *= 2;
        }
        first(2 * LEAST_LABELLED, high, enough)
    }
}

/// How labelled scores fall into the classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClassSplit {
    /// As makes this least, where one can choose what to label.
    Least(PrecisionMeasure),
    /// By chance, as when labelling at random.
    Share(PositiveShare),
}

/// How many scores are labelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelCount(pub(super) LabelCounts);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LabelCounts {
    InAll(u64, ClassSplit),
    Each(PerClass<u64>),
    Unlimited,
}

impl LabelCount {
    /// So many of both classes that the rates are known.
    pub const UNLIMITED: Self = Self(LabelCounts::Unlimited);

    /// So many in all.
    ///
    /// # Errors
    /// [`Problem::Parameter`] for fewer than twice [`LEAST_LABELLED`], or fewer than that in a class.
    pub fn in_all(total: u64, split: ClassSplit) -> Result<Self, Error> {
        if total < 2 * LEAST_LABELLED {
            let (name, domain) = ("the number of labelled scores", "at least 20, ten of each class");
            return Err(Problem::Parameter { name, value: total as f64, domain }.into());
        }
        match split {
            ClassSplit::Least(_) => {}
            ClassSplit::Share(share) => {
                let positive = share.count(total);
                Self::each(PerClass { positive, negative: total - positive })?;
            }
        }
        Ok(Self(LabelCounts::InAll(total, split)))
    }

    /// So many of each class.
    ///
    /// # Errors
    /// [`Problem::Parameter`] for fewer than [`LEAST_LABELLED`] of a class.
    pub fn each(counts: PerClass<u64>) -> Result<Self, Error> {
        let fewer = counts.positive.min(counts.negative);
        if fewer >= LEAST_LABELLED {
            return Ok(Self(LabelCounts::Each(counts)));
        }
        let (name, domain) = ("the number of labelled scores of a class", "at least 10");
        Err(Problem::Parameter { name, value: fewer as f64, domain }.into())
    }
}
