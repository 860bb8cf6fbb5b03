//! An estimate as it is published.

use super::{Interval, Warning};
use crate::choice::choice;
use crate::condition::Severity;
use crate::error::Error;
use crate::numeric::gauss;

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

/// How estimates are reported: level, target and kind of the intervals, and how many are looked at together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reporting {
    level: f64,
    target: Target,
    interval: Interval,
    /// How many test sets are looked at together.
    sets: usize,
    /// The normal quantiles at (1 + level)/2 and at the level, the latter not below 0.
    quantiles: [f64; 2],
}

impl Reporting {
    /// Wilson-type intervals.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless 0 < level < 1.
    pub fn new(level: f64, target: Target) -> Result<Self, Error> {
        if level > 0.0 && level < 1.0 {
            let quantiles = [-gauss::quantile(0.5 - 0.5 * level), -gauss::quantile(1.0 - level).min(0.0)];
            Ok(Self { level, target, interval: Interval::default(), sets: 1, quantiles })
        } else {
            Err(Error::Parameter { name: "level", value: level, domain: "between 0 and 1, both excluded" })
        }
    }

    /// The same with another kind of interval.
    #[must_use]
    pub fn with_interval(self, interval: Interval) -> Self {
        Self { interval, ..self }
    }

    /// The same for one of several test sets that are looked at together, for which the check of prior probability shift
    /// allows: a false alarm among all of them has a probability of at most 1 %.
    #[must_use]
    pub fn among(self, sets: usize) -> Self {
        Self { sets: sets.max(1), ..self }
    }

    /// The nominal coverage of the intervals.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Whose prevalence they are for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// How they follow from the variance.
    pub fn interval(&self) -> Interval {
        self.interval
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

impl Default for Reporting {
    /// 95 % intervals for the sample.
    fn default() -> Self {
        Self::new(0.95, Target::Sample).expect("0.95 is a level")
    }
}

/// Standard deviation of one score's contribution below which the formula is not believed.
pub(super) const NO_SPREAD: f64 = 1e-4;

/// How far off an estimate may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertainty {
    /// √V at the prevalence, or the standard deviation of bootstrap replicates.
    pub se: f64,
    /// Lower end of the interval, in [0, 1].
    pub lower: f64,
    /// Upper end of the interval, in [0, 1].
    pub upper: f64,
}

/// A prevalence estimate. All shares lie between 0 and 1, but for `raw`.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Number of test scores; of weighted ones, of those with a weight above 0.
    pub n: u64,
    /// The effective number of weighted scores, (Σw)²/Σw² (Kish 1965); none without weights.
    pub effective_n: Option<f64>,
    /// `raw` kept inside [0, 1].
    pub prevalence: f64,
    /// The estimator as defined, never clipped.
    pub raw: f64,
    /// Standard error and interval, of the methods that have a formula for them.
    pub uncertainty: Option<Uncertainty>,
    /// Nominal coverage of the interval.
    pub level: f64,
    /// What to beware of.
    pub warnings: Vec<Warning>,
}

impl Estimate {
    /// What the most serious of its warnings means; none without warnings.
    pub fn severity(&self) -> Option<Severity> {
        self.warnings.iter().map(Warning::severity).max()
    }

    pub(crate) fn new(
        (n, effective_n): (u64, Option<f64>),
        raw: f64,
        uncertainty: Option<Uncertainty>,
        reporting: &Reporting,
        mut warnings: Vec<Warning>,
    ) -> Self {
        let prevalence = raw.clamp(0.0, 1.0);
        let se = uncertainty.map(|uncertainty| uncertainty.se);
        if let Some(outside) = Warning::unless_inside(raw, se) {
            warnings.insert(0, outside);
        }
        if se.is_some_and(|se| se * effective_n.unwrap_or(n as f64).sqrt() < NO_SPREAD) {
            warnings.push(Warning::ZeroStandardError);
        }
        Self { n, effective_n, prevalence, raw, uncertainty, level: reporting.level, warnings }
    }
}
