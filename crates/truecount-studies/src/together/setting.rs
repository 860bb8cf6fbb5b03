//! The design and its data.
//!
//! Normal classes of standard deviation 1, d ∈ {1.5, 2.5} apart, and as many labels of each class: 30, 100 or 300. Four groups: two
//! with the prevalences and sizes of the setting, and two more of the same sizes, with the mean of both prevalences. 4 pairs of
//! prevalences, 3 of sizes, 2 targets: 144 settings. For the target `sample` every group has exactly the share of positives that
//! comes closest; for `population` it is drawn.

use crate::data;
use rand_chacha::ChaCha8Rng;
use serde::{Serialize, Serializer};
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::{Error, LabelledScores, PerClass, Target};

/// The known weights of the groups in the total.
pub(super) const WEIGHTS: [f64; 4] = [4.0, 3.0, 2.0, 1.0];

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Labels of each class.
    pub labels: u32,
    /// How far apart the means of the classes are.
    pub distance: f64,
    /// Whose prevalence is meant.
    #[serde(serialize_with = "name")]
    pub target: Target,
    /// Prevalence of the first group.
    pub first: f64,
    /// Prevalence of the second.
    pub second: f64,
    /// Size of the first group.
    pub n_first: u32,
    /// Size of the second.
    pub n_second: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde passes it
fn name<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(target)
}

/// The mean with these weights.
pub(super) fn mean(weights: &[f64], values: &[f64]) -> f64 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>() / weights.iter().sum::<f64>()
}

impl Setting {
    /// All settings.
    pub fn all() -> Vec<Self> {
        let mut settings = Vec::new();
        for labels in [30, 100, 300] {
            for distance in [1.5, 2.5] {
                for target in [Target::Sample, Target::Population] {
                    for (first, second) in [(0.02, 0.05), (0.1, 0.1), (0.3, 0.2), (0.9, 0.2)] {
                        for (n_first, n_second) in [(100, 100), (50, 1000), (2000, 500)] {
                            settings.push(Self { labels, distance, target, first, second, n_first, n_second });
                        }
                    }
                }
            }
        }
        settings
    }

    /// The labelled sample, which all groups share.
    pub(super) fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let n = 2 * self.labels;
        LabelledScores::new(&data::draw(&self.classes(), n, 0.5, rng), &data::labels(n, 0.5))
    }

    /// The test scores of the four groups.
    pub(super) fn groups(&self, rng: &mut ChaCha8Rng) -> [Vec<f64>; 4] {
        let classes = self.classes();
        self.designed().map(|(share, n)| match self.target {
            Target::Sample => data::draw(&classes, n, share, rng),
            Target::Population => data::sample(&classes, n, share, rng),
        })
    }

    /// What is estimated of the four groups.
    pub(super) fn truths(&self) -> [f64; 4] {
        self.designed().map(|(share, n)| match self.target {
            Target::Sample => f64::from(data::positives(n, share)) / f64::from(n),
            Target::Population => share,
        })
    }

    /// The prevalences and sizes of the four groups.
    fn designed(&self) -> [(f64, u32); 4] {
        let middle = 0.5 * (self.first + self.second);
        [(self.first, self.n_first), (self.second, self.n_second), (middle, self.n_first), (middle, self.n_second)]
    }

    fn classes(&self) -> PerClass<ScoreDistribution> {
        let class = |mean| Normal::new(mean, 1.0).expect("a mean and sd of the design").into();
        PerClass { positive: class(self.distance), negative: class(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn the_design_has_144_settings() {
        assert_eq!(Setting::all().len(), 144);
    }

    /// The mean score of a group is its prevalence times the distance: exactly that prevalence for the sample, and on average
    /// for the population, whose shares vary as those of draws do. Within four Monte Carlo errors.
    #[test]
    fn groups_are_those_of_the_design() {
        let times = 2000.0_f64;
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_124);
        for (target, drawing) in [(Target::Sample, 0.0), (Target::Population, 0.3 * 0.7)] {
            let setting =
                Setting { labels: 30, distance: 2.0, target, first: 0.3, second: 0.05, n_first: 50, n_second: 100 };
            let truths = setting.truths();
            assert!(truths.iter().zip([0.3, 0.05, 0.175, 0.175]).all(|(a, b)| (a - b).abs() <= 0.01), "{truths:?}");
            let mut means: Vec<f64> = Vec::new();
            for _ in 0..2000 {
                let groups = setting.groups(&mut rng);
                assert_eq!(groups.each_ref().map(Vec::len), [50, 100, 50, 100]);
                means.push(groups[0].iter().sum::<f64>() / 50.0);
            }
            let mean = means.iter().sum::<f64>() / times;
            let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / times;
            let expected = (1.0 + 4.0 * drawing) / 50.0;
            assert!((mean - 0.6).abs() < 4.0 * (expected / times).sqrt(), "{target}: {mean}");
            assert!((variance / expected - 1.0).abs() < 4.0 * (2.0 / times).sqrt(), "{target}: {variance}");
        }
    }
}
