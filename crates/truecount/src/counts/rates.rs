//! A sensitivity and a specificity, and what they make of counts.
//!
//! The standard error is the delta method's, √V at the estimate inside [0, 1] with p(α) = α Se + (1−α)(1−Sp):
//!
//! ```text
//! V = [p(1−p)/n + α² Se(1−Se)/(m₊−1) + (1−α)² Sp(1−Sp)/(m₋−1)]/(Se + Sp − 1)²
//! ```
//!
//! but for the classes' part of p(1−p) = α Se(1−Se) + (1−α) Sp(1−Sp) + α(1−α)(Se+Sp−1)², which has m/(m−1) too, and for the last
//! term of that, which the sample's own prevalence is without (`inference`).

use super::interval::{self, RateInterval};
use super::rate::{ClassRate, Rate, precision};
use crate::inference::{EstimateDistribution, FEW_LABELLED, Interval, IntervalEstimate, Quadratic};
use crate::{Error, Estimate, IntervalOptions, Method, PerClass, Problem, Target, Warning};

/// Se + Sp − 1 below which a test tells nothing.
const NOTHING: f64 = 1e-12;

/// A sensitivity and a specificity that together tell something.
///
/// # Examples
/// ```
/// use truecount::counts::{Rate, RateInterval, Rates};
/// use truecount::{IntervalOptions, Target};
/// # fn main() -> Result<(), truecount::Error> {
/// let rates = Rates::new(Rate::Counted { count: 178, of: 179 }, Rate::Counted { count: 358, of: 359 })?;
/// let reporting = IntervalOptions::new(0.95, Target::Population)?;
/// let found = rates.estimate(4060, 11284, RateInterval::LangReiczigel, &reporting)?;
/// let interval = found.uncertainty.map(|found| (format!("{:.3}", found.lower), format!("{:.3}", found.upper)));
/// assert_eq!(interval, Some(("0.349".into(), "0.372".into())));
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    sensitivity: Rate,
    specificity: Rate,
}

impl Rates {
    /// These two.
    ///
    /// # Errors
    /// For what is no share, and for rates that add up to 1 or less.
    pub fn new(sensitivity: Rate, specificity: Rate) -> Result<Self, Error> {
        let (sensitivity, specificity) = (sensitivity.checked("sensitivity")?, specificity.checked("specificity")?);
        let rates = Self { sensitivity, specificity };
        if rates.youden() > NOTHING {
            return Ok(rates);
        }
        Err(Problem::RatesNotSeparating { sensitivity: sensitivity.share(), specificity: specificity.share() }.into())
    }

    /// The sensitivity.
    pub fn sensitivity(&self) -> &Rate {
        &self.sensitivity
    }

    /// The specificity.
    pub fn specificity(&self) -> &Rate {
        &self.specificity
    }

    /// Se + Sp − 1.
    fn youden(&self) -> f64 {
        self.sensitivity.share() + self.specificity.share() - 1.0
    }

    /// The same without what is not known of them.
    fn taken_for_exact(&self) -> Self {
        let exact = |rate: &Rate| Rate::Exact(rate.share());
        Self { sensitivity: exact(&self.sensitivity), specificity: exact(&self.specificity) }
    }

    /// The prevalence where so many of so many tested are positive: Adjusted Count of tests that are 1 or 0.
    ///
    /// # Errors
    /// For no one tested, or more positives than tested; and for an interval that is not one of what is meant.
    pub fn estimate(
        &self,
        positives: u64,
        tested: u64,
        interval: RateInterval,
        reporting: &IntervalOptions,
    ) -> Result<Estimate, Error> {
        let share = Rate::Counted { count: positives, of: tested }.checked("positives")?.share();
        if reporting.target() == Target::Sample && interval != RateInterval::Wilson {
            return Err(Problem::IntervalOfPopulation { interval: interval.to_string() }.into());
        }
        let rates = if interval == RateInterval::ExactRates { self.taken_for_exact() } else { *self };
        let n = tested as f64;
        let correct = |p: f64| (p + rates.specificity.share() - 1.0) / rates.youden();
        let raw = correct(share);
        let prevalence = raw.clamp(0.0, 1.0);
        let classes = ClassRate::both(&rates.sensitivity, &rates.specificity);
        let spread = EstimateDistribution::new(raw, n, &precision(&classes).variance(n, 0.0), reporting.drawn(tested)?);
        let (se, z) = (spread.variance().sqrt(), reporting.quantiles()[0]);
        let (found, ends) = match interval {
            RateInterval::Wilson => (spread.uncertainty(&reporting.with_interval(Interval::Wilson)), None),
            RateInterval::LangReiczigel => {
                let ends = interval::lang_reiczigel(positives, tested, &rates.sensitivity, &rates.specificity, z);
                (IntervalEstimate::around(prevalence, n, se, ends), Some(ends))
            }
            RateInterval::ExactRates => {
                let (lower, upper) = Quadratic::drawing(n).wilson_uncut(share, z);
                let ends = (correct(lower), correct(upper));
                (IntervalEstimate::around(prevalence, n, se, ends), Some(ends))
            }
        };
        let mut warnings: Vec<Warning> = Vec::new();
        let empty = ends.is_some_and(|(lower, upper)| upper < 0.0 || lower > 1.0);
        warnings.extend(outside(raw, se, empty));
        warnings.extend(self.reasons(&classes));
        if tested == 1 {
            warnings.push(Warning::SingleScore);
        }
        if rates != rates.taken_for_exact() && found.is_without_spread(n) {
            warnings.push(Warning::ZeroStandardError);
        }
        Ok(Estimate {
            method: Method::AC,
            n: tested,
            effective_n: None,
            prevalence,
            raw,
            uncertainty: Some(found),
            level: reporting.level(),
            misfit: None,
            warnings,
            origin: None,
        })
    }

    /// What the rates themselves give reason to warn about.
    fn reasons(&self, classes: &PerClass<ClassRate>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let least = [&self.sensitivity, &self.specificity].into_iter().filter_map(Rate::denominator).min();
        warnings.extend(least.filter(|n| *n < FEW_LABELLED).map(|n| Warning::FewLabelled { n }));
        let (difference, noise) =
            (self.youden(), (classes.positive.mean_variance() + classes.negative.mean_variance()).sqrt());
        if difference < 3.0 * noise {
            warnings.push(Warning::WeakSeparation { difference, noise });
        }
        warnings
    }
}

/// What to say of an estimate outside [0, 1], or of an interval that lies there as a whole.
fn outside(raw: f64, se: f64, empty: bool) -> Option<Warning> {
    match Warning::unless_inside(raw, Some(se))? {
        Warning::FarOutside { raw, distance } => Some(Warning::RatesContradicted { raw, distance }),
        Warning::OutsideUnitInterval { raw } if empty => {
            Some(Warning::RatesContradicted { raw, distance: (raw - raw.clamp(0.0, 1.0)).abs() / se })
        }
        other => Some(other),
    }
}
