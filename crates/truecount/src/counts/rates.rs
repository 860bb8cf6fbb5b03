//! A sensitivity and a specificity, and the prevalence that follows from counts.
//!
//! The standard error is the delta method's, √V at the estimate clipped to [0, 1], with
//! p(α) = α Se + (1−α)(1−Sp):
//!
//! ```text
//! V = [p(1−p)/n + α² Se(1−Se)/(m₊−1) + (1−α)² Sp(1−Sp)/(m₋−1)]/(Se + Sp − 1)²
//! ```
//!
//! with two refinements. In p(1−p) = α Se(1−Se) + (1−α) Sp(1−Sp) + α(1−α)(Se+Sp−1)², the terms of
//! the classes are also multiplied by m/(m−1). The last term is left out for the prevalence of the
//! sample (`inference`).

use super::interval::{self, RateInterval};
use super::rate::{ClassRate, Rate, precision, wilson_sides};
use crate::inference::{EstimateDistribution, FEW_LABELLED, IntervalEstimate, IntervalKind, Quadratic, exact_ends};
use crate::numeric::gauss;
use crate::plan::{HalfWidth, LabelCount, Planner, Size, WorstCaseSearch};
use crate::{Error, Estimate, IntervalOptions, Method, PerClass, Problem, Target, Warning};

/// The value of Se + Sp − 1 at or below which a test is uninformative.
const MIN_YOUDEN: f64 = 1e-12;

/// A sensitivity and a specificity of an informative test: their sum exceeds 1.
///
/// # Examples
/// ```
/// use truecount::counts::{Rate, RateInterval, Rates};
/// use truecount::{IntervalOptions, Target};
/// # fn main() -> Result<(), truecount::Error> {
/// let sensitivity = Rate::Counted { count: 178, of: 179 };
/// let specificity = Rate::Counted { count: 358, of: 359 };
/// let rates = Rates::new(sensitivity, specificity)?;
/// let options = IntervalOptions::new(0.95, Target::Population)?;
/// let estimate = rates.estimate(4060, 11284, RateInterval::LangReiczigel, &options)?;
/// let interval = estimate.interval.unwrap();
/// assert_eq!(format!("{:.3} to {:.3}", interval.lower, interval.upper), "0.349 to 0.372");
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    sensitivity: Rate,
    specificity: Rate,
}

impl Rates {
    /// Combines a sensitivity and a specificity.
    ///
    /// # Errors
    /// Returns an error if a rate is not a share in [0, 1] or its denominator is 0, and
    /// [`Problem::RatesNotSeparating`] if the rates add up to 1 or less.
    pub fn new(sensitivity: Rate, specificity: Rate) -> Result<Self, Error> {
        let (sensitivity, specificity) = (sensitivity.checked("sensitivity")?, specificity.checked("specificity")?);
        let rates = Self { sensitivity, specificity };
        if rates.youden() > MIN_YOUDEN {
            return Ok(rates);
        }
        Err(Problem::RatesNotSeparating { sensitivity: sensitivity.share(), specificity: specificity.share() }.into())
    }

    /// Returns the sensitivity.
    pub fn sensitivity(&self) -> &Rate {
        &self.sensitivity
    }

    /// Returns the specificity.
    pub fn specificity(&self) -> &Rate {
        &self.specificity
    }

    /// Returns Youden's index, Se + Sp − 1.
    pub(super) fn youden(&self) -> f64 {
        self.sensitivity.share() + self.specificity.share() - 1.0
    }

    /// Returns the rates without their denominators, so that they have no variance.
    fn as_exact(&self) -> Self {
        let exact = |rate: &Rate| Rate::Exact(rate.share());
        Self { sensitivity: exact(&self.sensitivity), specificity: exact(&self.specificity) }
    }

    /// Returns the prevalence given the number of positive tests and the number of tests.
    ///
    /// # Errors
    /// Returns [`Problem::DenominatorZero`] without tests, [`Problem::CountAboveWhole`] for more
    /// positives than tests, [`Problem::SmallPopulation`] for more tests than the population has
    /// members, and [`Problem::IntervalOfPopulation`] for the target sample with an interval for
    /// the population only.
    pub fn estimate(
        &self,
        positives: u64,
        tested: u64,
        interval: RateInterval,
        options: &IntervalOptions,
    ) -> Result<Estimate, Error> {
        let share = Rate::Counted { count: positives, of: tested }.checked("positives")?.share();
        if options.target() == Target::Sample && interval != RateInterval::Wilson {
            return Err(Problem::IntervalOfPopulation { interval: interval.to_string() }.into());
        }
        let rates = if interval == RateInterval::ExactRates { self.as_exact() } else { *self };
        let n = tested as f64;
        let correct = |p: f64| (p + rates.specificity.share() - 1.0) / rates.youden();
        let raw = correct(share);
        let prevalence = raw.clamp(0.0, 1.0);
        let classes = ClassRate::by_class(&rates.sensitivity, &rates.specificity);
        let fpc = options.finite_population_correction(tested)?;
        let distribution = EstimateDistribution::new(raw, n, &precision(&classes).variance(n, 0.0), fpc);
        let (se, z) = (distribution.variance().sqrt(), options.quantiles()[0]);
        let (uncertainty, ends) = match interval {
            RateInterval::Wilson => {
                let options = options.with_interval(IntervalKind::Wilson);
                let interval = distribution.interval_between(&options, |z| wilson_sides(&classes, n, fpc, z));
                // The number of positive tests is discrete.
                let fraction = rates.sampled_fraction(prevalence, fpc);
                let (lower, upper) = exact_ends(share, n, fraction, gauss::tails(options.quantiles()[1]).1);
                let ends = (correct(lower).min(interval.lower), correct(upper).max(interval.upper));
                (IntervalEstimate::around(prevalence, n, se, ends), None)
            }
            RateInterval::LangReiczigel => {
                let ends = interval::lang_reiczigel(positives, tested, &rates.sensitivity, &rates.specificity, z);
                (IntervalEstimate::around(prevalence, n, se, ends), Some(ends))
            }
            RateInterval::ExactRates => {
                let (lower, upper) = Quadratic::binomial(n).wilson_unclipped(share, z);
                let ends = (correct(lower), correct(upper));
                (IntervalEstimate::around(prevalence, n, se, ends), Some(ends))
            }
        };
        let mut warnings: Vec<Warning> = Vec::new();
        let is_outside = ends.is_some_and(|(lower, upper)| upper < 0.0 || lower > 1.0);
        warnings.extend(outside_warning(raw, se, is_outside));
        warnings.extend(self.rate_warnings(&classes));
        if tested == 1 {
            warnings.push(Warning::SingleScore);
        }
        if rates != rates.as_exact() && uncertainty.is_without_spread(n) {
            warnings.push(Warning::ZeroStandardError);
        }
        Ok(Estimate {
            method: Method::AC,
            n: tested,
            effective_n: None,
            size: options.size_of_target(tested, tested as f64),
            apparent: None,
            prevalence,
            raw,
            std_error: Some(uncertainty.std_error),
            interval: Some(uncertainty.interval()),
            level: options.level(),
            target: options.target(),
            misfit: None,
            warnings,
            warning_strata: Vec::new(),
            origin: None,
        })
    }

    /// Returns a planner of the number of tests, at one prevalence or at the worst. Half-widths are a number
    /// of standard errors.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] if the prevalence is not in [0, 1].
    pub fn planner(&self, prevalence: Option<f64>, options: &IntervalOptions) -> Result<Planner, Error> {
        let precision = precision(&ClassRate::by_class(&self.sensitivity, &self.specificity));
        let planner = Planner::new(|_| vec![precision], (prevalence, WorstCaseSearch::Exact), options)?;
        Ok(planner.with_half_width(HalfWidth::StandardErrors))
    }

    /// Returns the denominators as numbers of labelled scores; unlimited for an exact rate.
    pub fn label_count(&self) -> LabelCount {
        let size = |rate: &Rate| rate.denominator().map_or(Size::Unlimited, Size::Finite);
        LabelCount::from_rate_denominators(PerClass {
            positive: size(&self.sensitivity),
            negative: size(&self.specificity),
        })
    }

    /// Returns warnings about the rates: few labelled cases, weak separation.
    fn rate_warnings(&self, classes: &PerClass<ClassRate>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let smallest = [&self.sensitivity, &self.specificity].into_iter().filter_map(Rate::denominator).min();
        warnings.extend(smallest.filter(|n| *n < FEW_LABELLED).map(|n| Warning::FewLabelled { n }));
        let (difference, noise) =
            (self.youden(), (classes.positive.sampling_variance() + classes.negative.sampling_variance()).sqrt());
        if difference < 3.0 * noise {
            warnings.push(Warning::WeakSeparation { difference, noise });
        }
        warnings
    }
}

/// Returns the warning about an estimate outside [0, 1]; `is_outside` says that the whole interval
/// is.
pub(super) fn outside_warning(raw: f64, se: f64, is_outside: bool) -> Option<Warning> {
    match Warning::unless_inside(raw, Some(se))? {
        Warning::FarOutsideUnitInterval { raw, distance } => Some(Warning::RatesContradicted { raw, distance }),
        Warning::OutsideUnitInterval { raw } if is_outside => {
            Some(Warning::RatesContradicted { raw, distance: (raw - raw.clamp(0.0, 1.0)).abs() / se })
        }
        other => Some(other),
    }
}
