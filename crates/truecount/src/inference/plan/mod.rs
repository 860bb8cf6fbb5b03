//! How many labelled and unlabelled scores a standard error or an interval needs.
//!
//! ```text
//! V(α) = [α t₊ + (1−α) t₋]/n + α² w₊/n₊ + (1−α)² w₋/n₋        (+ α(1−α)/n for the population's prevalence)
//! ```
//!
//! with t± and w± learnt from a pilot ([`Precision`]). For one prevalence the best split of m labelled scores is Neyman's (1934),
//! n₊ : n₋ = α√w₊ : (1−α)√w₋, which leaves (α√w₊ + (1−α)√w₋)²/m; so an allowed standard error s needs
//!
//! ```text
//! m = (α√w₊ + (1−α)√w₋)² / (s² − [α t₊ + (1−α) t₋]/n).
//! ```
//!
//! If the prevalence is not known, V stands for its largest value over [0, 1] and the best split makes that least (minimax). For
//! known t± and w± that V is convex in α, its largest value at an end; but Efficient Sweep's jump from step to step, and the
//! population's part is largest in the middle, so it is searched for (`worst`).
//!
//! Sizes are whole numbers: V is convex in n₊ and falls in n and m, so what is sought is found by bisection on whole numbers, and a
//! plan tells what is to be expected at the very sizes it names. The half-width of an interval is that of the interval that would be
//! reported for the estimate α.

mod goal;
mod worst;

use goal::LabelCounts;
pub use goal::{ClassSplit, Goal, LEAST_LABELLED, LabelCount, PositiveShare, PrecisionMeasure, Size};
pub use worst::Worst;

use super::interval::NO_SPREAD;
use super::{EstimateDistribution, IntervalEstimate, IntervalOptions, Precision, Warning, judge};
use crate::{Error, PerClass, Problem};
use worst::Cases;

/// More scores than these are as good as unlimited.
const MOST: u64 = 1 << 50;

/// Sizes, and what is to be expected of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// n.
    pub unlabelled: Size,
    /// n±; both are unlimited or neither is.
    pub labelled: PerClass<Size>,
    /// √V.
    pub se: Worst,
    /// Half the length of the interval.
    pub half_width: Worst,
}

impl Plan {
    /// n₊ + n₋.
    pub fn labelled_in_all(&self) -> Size {
        match (self.labelled.positive, self.labelled.negative) {
            (Size::Of(positive), Size::Of(negative)) => Size::Of(positive + negative),
            _ => Size::Unlimited,
        }
    }

    /// What is to be expected of a measure.
    pub fn measure(&self, measure: PrecisionMeasure) -> Worst {
        match measure {
            PrecisionMeasure::StandardError => self.se,
            PrecisionMeasure::HalfWidth => self.half_width,
        }
    }
}

/// Plans for one quantifier, one prevalence or all of them, and one kind of interval.
#[derive(Clone, Debug)]
pub struct Planner {
    cases: Cases,
    /// By which an interval judges each prevalence, if not by that of the estimate.
    several: Option<Vec<(f64, Precision)>>,
    reporting: IntervalOptions,
}

impl Planner {
    /// From the precision at each prevalence, constant but for a few jumps; for one prevalence or for whichever it may be.
    ///
    /// # Errors
    /// [`Problem::Parameter`] for a prevalence outside [0, 1]; [`Problem::NoSeparation`] where the precision is not finite.
    pub(crate) fn new(
        precision: impl Fn(f64) -> Precision,
        prevalence: Option<f64>,
        reporting: &IntervalOptions,
    ) -> Result<Self, Error> {
        let cases = match prevalence {
            Some(value) if (0.0..=1.0).contains(&value) => Cases::one(value, precision(value)),
            Some(value) => {
                return Err(Problem::Parameter { name: "the prevalence", value, domain: "between 0 and 1" }.into());
            }
            None => Cases::all(precision),
        };
        let finite = |part: &PerClass<f64>| part.positive.is_finite() && part.negative.is_finite();
        if cases.precisions().all(|precision| finite(&precision.test) && finite(&precision.training)) {
            Ok(Self { cases, several: None, reporting: *reporting })
        } else {
            Err(Problem::NoSeparation { max_j: 0.0 }.into())
        }
    }

    /// The same where an interval judges each prevalence by the precision near it of several, if there are such.
    pub(crate) fn judging_by(self, several: Option<Vec<(f64, Precision)>>) -> Self {
        Self { several, ..self }
    }

    /// What is to be expected of these sizes.
    pub fn plan(&self, unlabelled: Size, labelled: LabelCount) -> Plan {
        let labelled = match labelled.0 {
            LabelCounts::Each(each) => each.map(|n| Size::Of(*n)),
            LabelCounts::Unlimited => PerClass { positive: Size::Unlimited, negative: Size::Unlimited },
            LabelCounts::InAll(total, split) => {
                let positive = match split {
                    ClassSplit::Least(measure) => self.best(total, unlabelled, measure),
                    ClassSplit::Share(share) => share.count(total),
                };
                PerClass { positive: Size::Of(positive), negative: Size::Of(total - positive) }
            }
        };
        let worst = |measure| self.worst(measure, unlabelled, labelled);
        Plan {
            unlabelled,
            labelled,
            se: worst(PrecisionMeasure::StandardError),
            half_width: worst(PrecisionMeasure::HalfWidth),
        }
    }

    /// The fewest labelled scores that reach the goal with these unlabelled ones; unlimited, with what these leave, where none do.
    /// Never fewer than [`LEAST_LABELLED`] in a class.
    pub fn labelled(&self, goal: Goal, unlabelled: Size, split: ClassSplit) -> Plan {
        let least = match split {
            ClassSplit::Least(_) => 2 * LEAST_LABELLED,
            ClassSplit::Share(share) => share.fewest(),
        };
        let in_all = |total| match total {
            Size::Of(total) => LabelCounts::InAll(total, split),
            Size::Unlimited => LabelCounts::Unlimited,
        };
        fewest_that_reach(goal, least, |total| self.plan(unlabelled, LabelCount(in_all(total))))
    }

    /// The fewest unlabelled scores that reach the goal with these labelled ones; unlimited, with what these leave, where none do.
    pub fn unlabelled(&self, goal: Goal, labelled: LabelCount) -> Plan {
        fewest_that_reach(goal, 1, |unlabelled| self.plan(unlabelled, labelled))
    }

    /// What there is to beware of in any plan.
    pub fn warning(&self) -> Option<Warning> {
        let each = self.plan(Size::Of(1), LabelCount::UNLIMITED).se.value;
        (each < NO_SPREAD).then_some(Warning::ZeroStandardError)
    }

    /// n₊ of the best split. Where a measure does not change, as where no interval excludes anything, more is learnt towards the split
    /// that tells the class means apart best, n₊ : n₋ = √w₊ : √w₋.
    fn best(&self, total: u64, unlabelled: Size, measure: PrecisionMeasure) -> u64 {
        let known = self.cases.middle().training.map(|w| w.sqrt());
        let share = known.positive / (known.positive + known.negative);
        let at = |positive: u64| {
            let labelled = PerClass { positive: Size::Of(positive), negative: Size::Of(total - positive) };
            self.worst(measure, unlabelled, labelled).value
        };
        first(LEAST_LABELLED, total - LEAST_LABELLED, |n| {
            let (here, next) = (at(n), at(n + 1));
            here < next || (here == next && n as f64 >= share * total as f64)
        })
    }

    fn worst(&self, measure: PrecisionMeasure, unlabelled: Size, labelled: PerClass<Size>) -> Worst {
        let counts = labelled.positive.count().zip(labelled.negative.count());
        let labelled = counts.map(|(positive, negative)| PerClass { positive, negative });
        let n = unlabelled.number();
        // Of a finite population no more can be drawn than all.
        let drawn = self.reporting.drawn(unlabelled.count().unwrap_or(u64::MAX)).unwrap_or(0.0);
        self.cases.worst(|prevalence, precision| {
            let variance_of = |precision: &Precision| precision.learnt_from(labelled).variance(n, 0.0);
            let variance = variance_of(precision);
            match measure {
                PrecisionMeasure::StandardError => variance.with_sampling(drawn).at(prevalence).sqrt(),
                PrecisionMeasure::HalfWidth => {
                    let spread = EstimateDistribution::new(prevalence, n, &variance, drawn);
                    let IntervalEstimate { lower, upper, .. } = match &self.several {
                        None => spread.uncertainty(&self.reporting),
                        Some(several) => spread.uncertainty_among(&self.reporting, |alpha| {
                            let there = Precision::between(several, judge(alpha, prevalence));
                            EstimateDistribution::new(alpha, n, &variance_of(&there), drawn)
                        }),
                    };
                    0.5 * (upper - lower)
                }
            }
        })
    }
}

/// The smallest size with a plan that reaches the goal, or the plan of an unlimited one.
fn fewest_that_reach(goal: Goal, least: u64, plan: impl Fn(Size) -> Plan) -> Plan {
    let reaches = |size: u64| goal.is_met_by(&plan(Size::Of(size)));
    let unlimited = plan(Size::Unlimited);
    if !goal.is_met_by(&unlimited) {
        return unlimited;
    }
    let (mut low, mut high) = (least, least);
    while !reaches(high) {
        if high > MOST {
            return unlimited;
        }
        (low, high) = (high, 2 * high);
    }
    plan(Size::Of(first(low, high, reaches)))
}

/// The first whole number in `low..high` of which something holds that holds from there on; `high` if it does of none.
fn first(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests;
