//! Sample size planning: the numbers of labelled and unlabelled scores for a standard error or an
//! interval.
//!
//! ```text
//! V(α) = [α t₊ + (1−α) t₋]/n + α² w₊/n₊ + (1−α)² w₋/n₋        (population: + α(1−α)/n)
//! ```
//!
//! with t± and w± estimated from a pilot ([`Precision`]). For one prevalence the best split of m
//! labelled scores is Neyman's (1934), n₊ : n₋ = α√w₊ : (1−α)√w₋, with the training variance
//! (α√w₊ + (1−α)√w₋)²/m. So a standard error s needs
//!
//! ```text
//! m = (α√w₊ + (1−α)√w₋)² / (s² − [α t₊ + (1−α) t₋]/n).
//! ```
//!
//! Efficient Sweep chooses among several functions, each with its own t± and w±, approximately the one
//! with the smallest V. A plan takes the smallest V of all.
//!
//! If the prevalence is not known, the largest V over [0, 1] counts, and the best split minimizes
//! that value (minimax). For one function V is convex in α, with its largest value at 0 or 1, but
//! the smallest of several is not, and α(1−α)/n is largest in the middle. Therefore the largest V
//! is searched for (`worst`).
//!
//! For one function V is convex in n₊, but the smallest of several can have a local minimum for each.
//! So the search evaluates a grid of splits, and refines it around the best. V decreases in n and m, so
//! that bisection finds the smallest numbers. A plan reports the precision at these sizes.
//! The half-width is that of the interval for the estimate α.
//!
//! The difference D between two groups with n scores each has the variance
//!
//! ```text
//! V_D = V_test(α) + V_test(α+D) + D² (w₊/n₊ + w₋/n₋),      V_test(α) = [α t₊ + (1−α) t₋]/n
//! ```
//!
//! if both groups share the labelled scores, whose error is linear in α; with labelled scores for each
//! group it is V(α) + V(α+D). A two-sided test at the level a finds D with the probability
//! Φ(D/√V_D − z), where z is the 1 − a/2 quantile. So the power is a goal for √V_D.

mod goal;
mod worst;

use goal::LabelCounts;
pub use goal::{ClassSplit, Goal, LabelCount, MIN_LABELLED_PER_CLASS, PositiveShare, PrecisionMeasure, Size};
pub use worst::WorstCase;
pub(crate) use worst::WorstCaseSearch;

use crate::inference::NO_SPREAD;
use crate::inference::{
    EstimateDistribution, IntervalEstimate, IntervalOptions, Precision, Quadratic, Variance, Warning,
    testing_prevalence,
};
use crate::numeric::gauss;
use crate::{Error, PerClass, Problem};
use worst::Cases;

/// Largest size that the search considers; larger ones count as unlimited.
const MAX_SIZE: u64 = 1 << 50;

/// Steps of the grid in the search for the best split.
const GRID_STEPS: u64 = 16;

/// Numbers of scores, with the precision to expect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The number n of unlabelled scores.
    pub unlabelled: Size,
    /// The numbers n± of labelled scores.
    pub labelled: PerClass<Size>,
    /// The standard error √V.
    pub std_error: WorstCase,
    /// Half the length of the interval.
    pub half_width: WorstCase,
}

impl Plan {
    /// The total number n₊ + n₋ of labelled scores.
    pub fn labelled_in_all(&self) -> Size {
        match (self.labelled.positive, self.labelled.negative) {
            (Size::Finite(positive), Size::Finite(negative)) => Size::Finite(positive + negative),
            _ => Size::Unlimited,
        }
    }

    /// The expected value of a measure.
    pub fn measure(&self, measure: PrecisionMeasure) -> WorstCase {
        match measure {
            PrecisionMeasure::StandardError => self.std_error,
            PrecisionMeasure::HalfWidth => self.half_width,
        }
    }
}

/// Plans for one quantifier, one prevalence or all of them, and one kind of interval.
#[derive(Clone, Debug)]
pub struct Planner {
    cases: Cases,
    half_width: HalfWidth,
    /// The number of unlabelled scores that are worth one independent score.
    design_effect: f64,
    /// The difference that is planned for; `None` for a prevalence.
    difference: Option<GroupDifference>,
    options: IntervalOptions,
}

/// The definition of half-widths.
#[derive(Clone, Debug)]
pub(crate) enum HalfWidth {
    /// Half the interval of an estimate, with the precisions at rising prevalences; `None` uses the precision at the
    /// estimate.
    Interval(Option<Vec<(f64, Precision)>>),
    /// A number of standard errors, as in formulas for sample sizes.
    StandardErrors,
    /// Half the interval of one of several classes, with the precisions at rising shares.
    ClassInterval(ClassHalfWidth, Vec<(f64, Precision)>),
}

/// A function that returns the half-width for a share and its standard error, a normal quantile, and V at any share.
pub(crate) type ClassHalfWidth = fn((f64, f64), f64, &dyn Fn(f64) -> f64) -> f64;

/// A difference between the prevalences of two groups with equally many scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupDifference {
    size: f64,
    has_separate_labels: bool,
}

impl GroupDifference {
    /// Creates a difference of this size, the second prevalence less the first. The groups have equally
    /// many labelled scores each, or share them.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless the size is in [1e-6, 1).
    pub fn new(size: f64, has_separate_labels: bool) -> Result<Self, Error> {
        let (is_inside, domain) = ((1e-6..1.0).contains(&size), "at least 0.000001 and below 1");
        Error::unless_in_domain(is_inside, ("the difference", size), domain)?;
        Ok(Self { size, has_separate_labels })
    }

    /// The second prevalence less the first.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Whether each group has labelled scores of its own.
    pub fn has_separate_labels(&self) -> bool {
        self.has_separate_labels
    }

    /// Returns the goal for the standard error with which a test finds the difference with this
    /// probability.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless the power is in [½, 1).
    pub fn goal(&self, power: f64, options: &IntervalOptions) -> Result<Goal, Error> {
        Error::unless_in_domain((0.5..1.0).contains(&power), ("the power", power), "at least 0.5 and below 1")?;
        let standard_errors = options.quantile() + gauss::quantile(power);
        Goal::new(PrecisionMeasure::StandardError, self.size / standard_errors)
    }

    /// Returns the variance of the estimated difference, whose first prevalence is α.
    fn variance(&self, alpha: f64, variance: &Variance, fpc: f64) -> f64 {
        let both = |quadratic: &Quadratic| quadratic.at(alpha) + quadratic.at(alpha + self.size);
        if self.has_separate_labels {
            return both(&variance.with_sampling(fpc));
        }
        let test = variance.test.plus(&variance.binomial.times(fpc));
        // Only the variance from the labelled scores has a curvature.
        both(&test) + self.size.powi(2) * variance.with_sampling(0.0).curvature().max(0.0)
    }

    /// Returns the probability with which a test finds the difference, if its estimate has this standard
    /// error.
    pub fn power(&self, std_error: f64, options: &IntervalOptions) -> f64 {
        gauss::tails(self.size / std_error - options.quantile()).0
    }
}

impl Planner {
    /// Creates a planner. `precisions` returns, for a prevalence, the precision of each function that
    /// the estimate may use; it is piecewise constant. Plans are for `prevalence`, or for the worst
    /// prevalence if `None`.
    ///
    /// # Errors
    /// Returns [`Problem::Parameter`] for a prevalence outside [0, 1], and
    /// [`Problem::ClassesNotSeparated`] if the precision is not finite.
    pub(crate) fn new(
        precisions: impl Fn(f64) -> Vec<Precision>,
        (prevalence, search): (Option<f64>, WorstCaseSearch),
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let cases = match prevalence {
            Some(value) => {
                let is_share = (0.0..=1.0).contains(&value);
                Error::unless_in_domain(is_share, ("the prevalence", value), "between 0 and 1")?;
                Cases::one(value, precisions(value))
            }
            None => Cases::all(precisions, search),
        };
        let finite = |part: &PerClass<f64>| part.positive.is_finite() && part.negative.is_finite();
        if cases.precisions().all(|precision| finite(&precision.test) && finite(&precision.training)) {
            let half_width = HalfWidth::Interval(None);
            Ok(Self { cases, half_width, design_effect: 1.0, difference: None, options: *options })
        } else {
            Err(Problem::ClassesNotSeparated { max_j: 0.0 }.into())
        }
    }

    /// Sets the definition of half-widths.
    pub(crate) fn with_half_width(self, half_width: HalfWidth) -> Self {
        Self { half_width, ..self }
    }

    /// Sets the design effect of the unlabelled scores: the variance under their design, with clusters
    /// or weights, over that of as many independent scores.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless the design effect is finite and above 0.
    pub fn with_design_effect(self, design_effect: f64) -> Result<Self, Error> {
        let is_possible = design_effect > 0.0 && design_effect.is_finite();
        Error::unless_in_domain(is_possible, ("the design effect", design_effect), "above 0")?;
        Ok(Self { design_effect, ..self })
    }

    /// Plans for a difference between two groups, whose prevalences are this planner's prevalence and the
    /// prevalence plus the difference.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] if the second prevalence exceeds 1.
    pub fn with_difference(self, difference: GroupDifference) -> Result<Self, Error> {
        let (value, domain) = (self.cases.single().unwrap_or(0.0), "at most 1 less the difference");
        Error::unless_in_domain(value <= 1.0 - difference.size, ("the prevalence", value), domain)?;
        Ok(Self { difference: Some(difference), half_width: HalfWidth::StandardErrors, ..self })
    }

    /// Returns the plan with these sizes.
    pub fn plan(&self, unlabelled: Size, labelled: LabelCount) -> Plan {
        let labelled = self.by_class(unlabelled, labelled);
        let worst = |measure| self.worst(measure, unlabelled, labelled);
        Plan {
            unlabelled,
            labelled,
            std_error: worst(PrecisionMeasure::StandardError),
            half_width: worst(PrecisionMeasure::HalfWidth),
        }
    }

    /// Divides labelled scores between the classes.
    fn by_class(&self, unlabelled: Size, labelled: LabelCount) -> PerClass<Size> {
        match labelled.0 {
            LabelCounts::PerClass(sizes) => sizes,
            LabelCounts::Total(total, split) => {
                let positive = match split {
                    ClassSplit::Optimal(measure) => self.best_positive_count(total, unlabelled, measure),
                    ClassSplit::Share(share) => share.count(total),
                };
                PerClass { positive: Size::Finite(positive), negative: Size::Finite(total - positive) }
            }
        }
    }

    /// Returns the plan with the fewest labelled scores that meets the goal with these unlabelled
    /// ones.
    ///
    /// Each class has [`MIN_LABELLED_PER_CLASS`] or more. If no number suffices, the plan has
    /// unlimited labelled scores and misses the goal.
    pub fn labelled(&self, goal: Goal, unlabelled: Size, split: ClassSplit) -> Plan {
        let min_total = match split {
            ClassSplit::Optimal(_) => 2 * MIN_LABELLED_PER_CLASS,
            ClassSplit::Share(share) => share.min_total(),
        };
        let counts = |total| match total {
            Size::Finite(total) => LabelCount(LabelCounts::Total(total, split)),
            Size::Unlimited => LabelCount::UNLIMITED,
        };
        let total = smallest_size(min_total, |total| self.meets(goal, unlabelled, counts(total)));
        self.plan(unlabelled, counts(total))
    }

    /// Returns the plan with the fewest unlabelled scores that meets the goal with these labelled
    /// ones.
    ///
    /// If no number suffices, the plan has unlimited unlabelled scores and misses the goal.
    pub fn unlabelled(&self, goal: Goal, labelled: LabelCount) -> Plan {
        self.plan(smallest_size(1, |unlabelled| self.meets(goal, unlabelled, labelled)), labelled)
    }

    /// Returns whether these sizes meet the goal.
    fn meets(&self, goal: Goal, unlabelled: Size, labelled: LabelCount) -> bool {
        self.worst(goal.measure(), unlabelled, self.by_class(unlabelled, labelled)).value <= goal.at_most()
    }

    /// Returns the warning about all plans.
    pub fn warning(&self) -> Option<Warning> {
        let se_per_score = self.plan(Size::Finite(1), LabelCount::UNLIMITED).std_error.value;
        (se_per_score < NO_SPREAD).then_some(Warning::ZeroStandardError)
    }

    /// Returns n₊ of the best split. If several splits have the same value (because the interval is
    /// all of [0, 1], say), the choice moves towards the split with the least error of E₊g − E₋g,
    /// n₊ : n₋ = √w₊ : √w₋.
    fn best_positive_count(&self, total: u64, unlabelled: Size, measure: PrecisionMeasure) -> u64 {
        let sd = self.cases.middle().training.map(|w| w.sqrt());
        let share = sd.positive / (sd.positive + sd.negative);
        let value = |positive: u64| {
            let labelled = PerClass { positive: Size::Finite(positive), negative: Size::Finite(total - positive) };
            self.worst(measure, unlabelled, labelled).value
        };
        let distance = |n: u64| (n as f64 - share * total as f64).abs();
        let (mut low, mut high) = (MIN_LABELLED_PER_CLASS, total - MIN_LABELLED_PER_CLASS);
        loop {
            let step = (high - low).div_ceil(GRID_STEPS).max(1);
            let grid = (0..=GRID_STEPS).map(|k| (low + k * step).min(high)).map(|n| (value(n), distance(n), n));
            let best = grid.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let (_, _, best) = best.expect("a grid has points");
            if step == 1 {
                return best;
            }
            (low, high) = (best.saturating_sub(step).max(low), (best + step).min(high));
        }
    }

    /// Returns the largest value of a measure over the prevalences, for these sizes.
    fn worst(&self, measure: PrecisionMeasure, unlabelled: Size, labelled: PerClass<Size>) -> WorstCase {
        let is_limited = labelled.positive.count().or(labelled.negative.count()).is_some();
        let counts = is_limited.then(|| labelled.map(|size| size.count().unwrap_or(u64::MAX)));
        let n = unlabelled.number() / self.design_effect;
        // A sample that exceeds the population is all of it, and its prevalence is known.
        let fpc = self.options.finite_population_correction(unlabelled.count().unwrap_or(u64::MAX)).unwrap_or(0.0);
        let highest = 1.0 - self.difference.map_or(0.0, |difference| difference.size);
        let worst = self.cases.worst(|prevalence, precisions| {
            let prevalence = prevalence.min(highest);
            let planned = |precision: &Precision| precision.with_labelled(counts).variance(n, 0.0);
            let total = |variance: &Variance| match self.difference {
                None => variance.with_sampling(fpc).at(prevalence),
                Some(difference) => difference.variance(prevalence, variance, fpc),
            };
            let smallest = precisions.iter().map(planned).min_by(|a, b| total(a).total_cmp(&total(b)));
            let variance = smallest.expect("a planner has a precision at every prevalence");
            let std_error = total(&variance).sqrt();
            match (measure, &self.half_width) {
                (PrecisionMeasure::StandardError, _) => std_error,
                (_, HalfWidth::StandardErrors) => self.options.quantile() * std_error,
                (_, HalfWidth::ClassInterval(half_width, precisions)) => {
                    half_width((prevalence, std_error), self.options.quantile(), &|share| {
                        planned(&Precision::between(precisions, share)).with_unseen(fpc).at(share)
                    })
                }
                (_, HalfWidth::Interval(test_precisions)) => {
                    let distribution = EstimateDistribution::new(prevalence, n, &variance, fpc);
                    let IntervalEstimate { lower, upper, .. } = match test_precisions {
                        None => distribution.interval_estimate(&self.options),
                        Some(precisions) => distribution.interval_with(&self.options, |alpha| {
                            let precision = Precision::between(precisions, testing_prevalence(alpha, prevalence));
                            EstimateDistribution::new(alpha, n, &planned(&precision), fpc)
                        }),
                    };
                    0.5 * (upper - lower)
                }
            }
        });
        WorstCase { prevalence: worst.prevalence.min(highest), ..worst }
    }
}

/// Returns the smallest size that is enough, or an unlimited size if none is.
fn smallest_size(min: u64, is_enough: impl Fn(Size) -> bool) -> Size {
    if !is_enough(Size::Unlimited) {
        return Size::Unlimited;
    }
    let is_enough = |size: u64| is_enough(Size::Finite(size));
    let (mut low, mut high) = (min, min);
    while !is_enough(high) {
        if high > MAX_SIZE {
            return Size::Unlimited;
        }
        (low, high) = (high, 2 * high);
    }
    Size::Finite(first_where(low, high, is_enough))
}

/// Returns the first number in `low..high` for which the monotone condition holds, or `high` if it
/// holds for none.
fn first_where(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
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
