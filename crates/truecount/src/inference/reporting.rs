//! How estimates are reported.

use crate::choice::choice;
use crate::numeric::gauss;
use crate::{Error, Problem};

/// Whose prevalence is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Target {
    /// The share of positives among these very test scores.
    #[default]
    Sample,
    /// The prevalence of the population they were drawn from: α(1−α)/n more variance.
    Population,
}

impl Target {
    /// Both targets: name, target, what it means.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("sample", Self::Sample, "the share of positives among these very scores"),
        ("population", Self::Population, "the share in the population they were drawn from: wider"),
    ];
}

choice!(Target, "target");

/// How an interval follows from the variance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interval {
    /// The values of α that do not contradict the estimate, each judged by its own variance.
    #[default]
    Wilson,
    /// The estimate and so many standard errors on either side, cut at 0 and 1.
    Wald,
}

impl Interval {
    /// Both intervals: name, interval, what it means.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("wilson", Self::Wilson, "the prevalences that the estimate does not contradict"),
        ("wald", Self::Wald, "the estimate and so many standard errors on either side"),
    ];
}

choice!(Interval, "interval");

/// What is done where the check finds that the test scores are no mixture of the labelled classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnMisfit {
    /// The interval allows for the systematic error that so large a misfit goes with.
    #[default]
    Widen,
    /// The interval is left as it is, and a warning says that it does not hold.
    Warn,
}

impl OnMisfit {
    /// Both: name, which, what it means.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("widen", Self::Widen, "the interval allows for the systematic error that goes with so large a misfit"),
        ("warn", Self::Warn, "the interval is left as it is, with a warning"),
    ];
}

choice!(OnMisfit, "misfit");

/// How estimates are reported: level, target and kind of the intervals, and how many are looked at together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalOptions {
    level: f64,
    target: Target,
    interval: Interval,
    misfit: OnMisfit,
    /// How many there are in the population that the test scores were drawn from; none for so many that it does not matter.
    size: Option<u64>,
    /// How many test sets are looked at together.
    sets: usize,
    /// The normal quantiles at (1 + level)/2 and at the level, the latter not below 0.
    quantiles: [f64; 2],
}

impl IntervalOptions {
    /// Wilson-type intervals.
    ///
    /// # Errors
    /// [`Problem::Parameter`] unless 0 < level < 1.
    pub fn new(level: f64, target: Target) -> Result<Self, Error> {
        if level > 0.0 && level < 1.0 {
            let quantiles = [-gauss::quantile(0.5 - 0.5 * level), -gauss::quantile(1.0 - level).min(0.0)];
            Ok(Self {
                level,
                target,
                interval: Interval::default(),
                misfit: OnMisfit::default(),
                size: None,
                sets: 1,
                quantiles,
            })
        } else {
            Err(Problem::Parameter { name: "level", value: level, domain: "between 0 and 1, both excluded" }.into())
        }
    }

    /// The same with another kind of interval.
    #[must_use]
    pub fn with_interval(self, interval: Interval) -> Self {
        Self { interval, ..self }
    }

    /// The same with something else done about misfit.
    #[must_use]
    pub fn on_misfit(self, misfit: OnMisfit) -> Self {
        Self { misfit, ..self }
    }

    /// The same for a finite population, of which the test scores are so many: drawing n of N adds (1 − n/N) α(1−α)/n.
    #[must_use]
    pub fn with_population(self, size: u64) -> Self {
        Self { target: Target::Population, size: Some(size), ..self }
    }

    /// The same for these very test scores.
    pub(crate) fn for_sample(self) -> Self {
        Self { target: Target::Sample, size: None, ..self }
    }

    /// The same with the two-sided normal quantile z ≥ 0, for p-values: a level is 1 to the last digit long before z is large.
    pub(crate) fn at(self, z: f64) -> Self {
        let outside = 2.0 * gauss::tails(z).1;
        Self { level: 1.0 - outside, quantiles: [z, -gauss::quantile(outside).min(0.0)], ..self }
    }

    /// The same for one of several test sets that are looked at together, for which the check of prior probability shift
    /// allows: a false alarm among all of them has a probability of at most 1 %.
    #[must_use]
    pub fn with_multiplicity(self, sets: usize) -> Self {
        Self { sets: sets.max(1), ..self }
    }

    /// The nominal coverage of the intervals.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// How many standard errors a normal interval reaches to either side.
    pub fn quantile(&self) -> f64 {
        self.quantiles[0]
    }

    /// Whose prevalence they are for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// How many there are in the population, if that matters.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// What share of the variance of drawing n scores from an unlimited population counts: none for the sample, all for the
    /// population, 1 − n/N for a finite one.
    ///
    /// # Errors
    /// [`Problem::SmallPopulation`] for more scores than there are.
    pub(crate) fn drawn(&self, n: u64) -> Result<f64, Error> {
        match (self.target, self.size) {
            (Target::Sample, _) => Ok(0.0),
            (Target::Population, None) => Ok(1.0),
            (Target::Population, Some(size)) if size < n => Err(Problem::SmallPopulation { n, size }.into()),
            (Target::Population, Some(size)) => Ok(1.0 - n as f64 / size as f64),
        }
    }

    /// How they follow from the variance.
    pub fn interval(&self) -> Interval {
        self.interval
    }

    /// What is done about misfit.
    pub fn misfit(&self) -> OnMisfit {
        self.misfit
    }

    /// How many test sets are looked at together.
    pub fn sets(&self) -> usize {
        self.sets
    }

    /// The normal quantiles of a two-sided and a one-sided interval.
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
