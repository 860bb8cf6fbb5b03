//! Options for intervals: level, target, kind and multiplicity.

use super::SharedVariance;
use crate::choice::choice;
use crate::numeric::gauss;
use crate::{Error, Problem};

/// The estimand: the prevalence of the sample, or of its population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Target {
    /// The share of positives among the test scores themselves.
    #[default]
    Sample,
    /// The prevalence of the population that the test scores were drawn from; adds α(1−α)/n to the
    /// variance.
    Population,
}

impl Target {
    /// Both targets: name, target, meaning.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("sample", Self::Sample, "the share of positives among these very scores"),
        ("population", Self::Population, "the share in the population they were drawn from: wider"),
    ];
}

choice!(Target, "target");

/// The kind of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IntervalKind {
    /// The values of α that the estimate does not contradict, each with the variance at that α.
    #[default]
    Wilson,
    /// The estimate plus and minus z standard errors, clipped to [0, 1].
    Wald,
}

impl IntervalKind {
    /// Both kinds: name, kind, meaning.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("wilson", Self::Wilson, "the prevalences that the estimate does not contradict"),
        ("wald", Self::Wald, "estimate ± z standard errors"),
    ];
}

choice!(IntervalKind, "interval");

/// The consequence if the shift check rejects that the test scores are a mixture of the labelled
/// classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnMisfit {
    /// The interval is widened by the systematic error that goes with the misfit.
    #[default]
    Widen,
    /// The interval stays as it is, with a warning that it is not reliable.
    Warn,
}

impl OnMisfit {
    /// Both consequences: name, consequence, meaning.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("widen", Self::Widen, "the interval is widened in proportion to the misfit"),
        ("warn", Self::Warn, "the interval is left as it is, with a warning"),
    ];
}

choice!(OnMisfit, "misfit");

/// Options for intervals: level, target, kind, population size and number of simultaneous checks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalOptions {
    level: f64,
    target: Target,
    interval: IntervalKind,
    misfit: OnMisfit,
    /// The size of the population that the test scores were drawn from; `None` if it is unlimited.
    size: Option<u64>,
    /// The number of test sets that are checked simultaneously.
    sets: usize,
    /// The parallel shift that these test sets show together.
    shared_shift: Option<SharedVariance>,
    /// The normal quantiles at (1 + level)/2 and at the level, the latter at least 0.
    quantiles: [f64; 2],
}

impl IntervalOptions {
    /// Options for Wilson-type intervals.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless 0 < level < 1.
    pub fn new(level: f64, target: Target) -> Result<Self, Error> {
        let is_inside = level > 0.0 && level < 1.0;
        Error::unless_in_domain(is_inside, ("level", level), "between 0 and 1, both excluded")?;
        let quantiles = [-gauss::quantile(0.5 - 0.5 * level), -gauss::quantile(1.0 - level).min(0.0)];
        let (interval, misfit) = (IntervalKind::default(), OnMisfit::default());
        Ok(Self { level, target, interval, misfit, size: None, sets: 1, shared_shift: None, quantiles })
    }

    /// Sets the nominal coverage of the intervals.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] unless 0 < level < 1.
    pub fn with_level(self, level: f64) -> Result<Self, Error> {
        let Self { quantiles, .. } = Self::new(level, self.target)?;
        Ok(Self { level, quantiles, ..self })
    }

    /// Sets the target of the intervals. The population is unlimited; for a finite one see
    /// [`with_population`](Self::with_population).
    #[must_use]
    pub fn with_target(self, target: Target) -> Self {
        Self { target, size: None, ..self }
    }

    /// Sets the kind of the intervals.
    #[must_use]
    pub fn with_interval(self, interval: IntervalKind) -> Self {
        Self { interval, ..self }
    }

    /// Sets the consequence of misfit.
    #[must_use]
    pub fn on_misfit(self, misfit: OnMisfit) -> Self {
        Self { misfit, ..self }
    }

    /// Sets the target to a finite population of this size. Drawing n of N items adds
    /// (1 − n/N) α(1−α)/n to the variance.
    #[must_use]
    pub fn with_population(self, size: u64) -> Self {
        Self { target: Target::Population, size: Some(size), ..self }
    }

    /// Sets the two-sided normal quantile z ≥ 0 instead of the level, for p-values: the level
    /// rounds to 1 long before z is large.
    pub(crate) fn at(self, z: f64) -> Self {
        let outside = 2.0 * gauss::tails(z).1;
        Self { level: 1.0 - outside, quantiles: [z, -gauss::quantile(outside).min(0.0)], ..self }
    }

    /// Sets the number of test sets that are checked for prior probability shift at the same time.
    /// The probability of any false alarm among them is at most 1 %.
    #[must_use]
    pub fn with_multiplicity(self, sets: usize) -> Self {
        Self { sets: sets.max(1), ..self }
    }

    /// Sets the parallel shift that the test sets show together
    /// ([`Estimates::shared_shift`](crate::Estimates::shared_shift)). It widens the intervals unless
    /// [`OnMisfit::Warn`] is set.
    #[must_use]
    pub fn with_shared_shift(self, shared_shift: Option<SharedVariance>) -> Self {
        Self { shared_shift, ..self }
    }

    /// The nominal coverage of the intervals.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The two-sided normal quantile z at the level.
    pub fn quantile(&self) -> f64 {
        self.quantiles[0]
    }

    /// The target of the intervals.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The size of the population; `None` if it is unlimited or not the target.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Returns the number of items that a prevalence is a share of: n for the sample, the size of the
    /// population or, if that is not set, the total weight of the scores. Weights that do not sum to more
    /// than n are relative and tell no size.
    pub(crate) fn size_of_target(&self, n: u64, total_weight: f64) -> Option<f64> {
        match (self.target, self.size) {
            (Target::Sample, _) => Some(n as f64),
            (Target::Population, Some(size)) => Some(size as f64),
            (Target::Population, None) => Some(total_weight).filter(|total| *total > n as f64 * (1.0 + 1e-9)),
        }
    }

    /// The finite population correction for n scores: the fraction of the variance α(1−α)/n that
    /// applies to the target. It is 0 for the sample, 1 for an unlimited population and 1 − n/N for
    /// a finite one.
    ///
    /// # Errors
    /// Returns [`Problem::SmallPopulation`] if n is larger than the population.
    pub(crate) fn finite_population_correction(&self, n: u64) -> Result<f64, Error> {
        match (self.target, self.size) {
            (Target::Sample, _) => Ok(0.0),
            (Target::Population, None) => Ok(1.0),
            (Target::Population, Some(size)) if size < n => Err(Problem::SmallPopulation { n, size }.into()),
            (Target::Population, Some(size)) => Ok(1.0 - n as f64 / size as f64),
        }
    }

    /// The kind of the intervals.
    pub fn interval(&self) -> IntervalKind {
        self.interval
    }

    /// The consequence of misfit.
    pub fn misfit(&self) -> OnMisfit {
        self.misfit
    }

    /// The parallel shift by which intervals are widened.
    pub(crate) fn shared_shift(&self) -> Option<SharedVariance> {
        self.shared_shift.filter(|_| self.misfit == OnMisfit::Widen)
    }

    /// The number of test sets that are checked simultaneously.
    pub fn multiplicity(&self) -> usize {
        self.sets
    }

    /// The normal quantiles of a two-sided and of a one-sided interval.
    pub(crate) fn quantiles(&self) -> [f64; 2] {
        self.quantiles
    }
}

impl Default for IntervalOptions {
    /// 95 % intervals for the sample.
    fn default() -> Self {
        Self::new(0.95, Target::Sample).expect("0.95 is a level")
    }
}
