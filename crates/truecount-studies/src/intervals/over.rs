//! An arm over several settings.

use super::Intervals;
use serde::Serialize;

/// The coverages of nominal 95 % intervals that count as right.
pub const BAND: [f64; 2] = [0.925, 0.975];

/// What an arm found in several settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Over {
    /// Its intervals, if it has any.
    #[serde(flatten)]
    pub coverages: Option<Coverages>,
    /// Mean over the settings of the mean absolute error, if there are estimates.
    pub mae: Option<f64>,
    /// Share of the replications that gave no estimate.
    pub none: f64,
    /// Share of the replications whose interval is all of [0, 1].
    pub vacuous: f64,
}

/// The intervals of several settings. Apart from the number of settings, all values are shares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Coverages {
    /// Settings with intervals.
    pub settings: usize,
    /// Mean coverage.
    pub mean: f64,
    /// Least coverage.
    pub min: f64,
    /// Largest coverage.
    pub max: f64,
    /// Share of the settings whose coverage lies in the [`BAND`].
    pub in_band: f64,
    /// Mean width of the intervals.
    pub width: f64,
}

impl Over {
    /// Over these settings.
    pub(crate) fn new(settings: &[&Intervals]) -> Self {
        let share = |of: fn(&Intervals) -> u32| {
            let replications: u32 = settings.iter().map(|s| s.replications()).sum();
            f64::from(settings.iter().map(|s| of(s)).sum::<u32>()) / f64::from(replications)
        };
        Self {
            coverages: Coverages::new(
                &settings.iter().filter_map(|s| s.coverage).collect::<Vec<_>>(),
                &settings.iter().filter_map(|s| s.width).collect::<Vec<_>>(),
            ),
            mae: mean(&settings.iter().filter_map(|s| s.mae).collect::<Vec<_>>()),
            none: share(|s| s.inverted + s.refused),
            vacuous: share(|s| s.vacuous),
        }
    }
}

impl Coverages {
    /// Of the coverage in each setting, and of the mean widths there.
    pub(crate) fn new(coverage: &[f64], widths: &[f64]) -> Option<Self> {
        let settings = coverage.len();
        Some(Self {
            settings,
            mean: mean(coverage)?,
            min: coverage.iter().copied().fold(f64::INFINITY, f64::min),
            max: coverage.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            in_band: coverage.iter().filter(|c| (BAND[0]..=BAND[1]).contains(*c)).count() as f64 / settings as f64,
            width: mean(widths)?,
        })
    }
}

/// The mean, if there are values.
fn mean(values: &[f64]) -> Option<f64> {
    crate::study::mean(values.iter().copied())
}
