//! The design and its data.
//!
//! Normal classes of standard deviation 1, two of them apart, and as many labels of each class: 100 or 500. Periods of 100 or 500 scores from a
//! population whose share of positives is the bound, 1 %, 5 % or 20 %: 12 settings in which every alarm is false, the least favourable
//! ones. With 500 labels, 500 scores and a bound of 5 %, the share rises in the 2nd, the 51st or the 151st period by 2, 5 or 10 points: 9 more.

use crate::data;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::{Error, LabelledScores, PerClass};

/// Periods of a series.
pub const PERIODS: usize = 200;

/// How far apart the means of the classes are.
const DISTANCE: f64 = 2.0;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Labels of each class.
    pub labels: u32,
    /// Scores of each period.
    pub n: u32,
    /// The bound, and the share before it rises.
    pub bound: f64,
    /// By how much it rises; 0 for a series without a change.
    pub rise: f64,
    /// In which period it rises, from 0; without a change the last one and one.
    pub from: usize,
}

impl Setting {
    /// All settings.
    pub fn all() -> Vec<Self> {
        let mut settings = Vec::new();
        for labels in [100, 500] {
            for n in [100, 500] {
                for bound in [0.01, 0.05, 0.2] {
                    settings.push(Self { labels, n, bound, rise: 0.0, from: PERIODS });
                }
            }
        }
        for from in [1, 50, 150] {
            for rise in [0.02, 0.05, 0.1] {
                settings.push(Self { labels: 500, n: 500, bound: 0.05, rise, from });
            }
        }
        settings
    }

    /// The labelled sample.
    pub(super) fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let n = 2 * self.labels;
        LabelledScores::new(&data::draw(&classes(), n, 0.5, rng), &data::labels(n, 0.5))
    }

    /// The test scores of a period.
    pub(super) fn scores(&self, period: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
        data::sample(&classes(), self.n, self.share(period), rng)
    }

    fn share(&self, period: usize) -> f64 {
        self.bound + if period < self.from { 0.0 } else { self.rise }
    }

    /// The mean share up to each period.
    pub(super) fn shares_so_far(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let mean = |period: usize| {
            sum += self.share(period);
            sum / (period as f64 + 1.0)
        };
        (0..PERIODS).map(mean).collect()
    }
}

fn classes() -> PerClass<ScoreDistribution> {
    let class = |mean| Normal::new(mean, 1.0).expect("a mean and sd of the design").into();
    PerClass { positive: class(DISTANCE), negative: class(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand.
    #[test]
    fn shares_rise_when_they_do() {
        assert_eq!(Setting::all().len(), 21);
        let setting = Setting { labels: 100, n: 100, bound: 0.125, rise: 0.25, from: 2 };
        assert_eq!(setting.shares_so_far()[..4], [0.125, 0.125, 0.625 / 3.0, 0.25]);
    }
}
