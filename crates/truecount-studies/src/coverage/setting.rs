//! The design and its data.
//!
//! Study 2 of Kloos et al.: classes with means 1 and 0 and standard deviations σ⁺, σ⁻ ∈ {0.5, 1, 1.5}; α ∈ {0.3, 0.5,
//! 0.9}, n ∈ {100, 1000}, n_train ∈ {100, 1000}, α_train ∈ {0.4, 0.5, 0.6}: 324 settings. Test and training set have
//! exactly αn and α_train n_train positives. The variants with skew-normal classes, the positives of shape −k and the
//! negatives of shape k, so that their long tails meet, keep α_train = 0.5: 108 settings each.

use crate::data;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use truecount::distribution::{Family, Normal, ScoreDistribution, SkewNormal};
use truecount::{Error, LabelledScores, PerClass};

/// The classes' distributions, and the family fitted to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scenario {
    /// Normal classes, normal fitted: Study 2.
    Normal,
    /// Skew-normal classes of shapes −2 and 2, skew-normal fitted.
    SkewNormal,
    /// Skew-normal classes of shapes −4 and 4, normal fitted.
    WrongFamily,
}

impl Scenario {
    /// Every scenario, in the order of the results.
    pub const ALL: [Self; 3] = [Self::Normal, Self::SkewNormal, Self::WrongFamily];

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Normal => "normal classes, normal fitted",
            Self::SkewNormal => "skew-normal classes of shape 2, skew-normal fitted",
            Self::WrongFamily => "skew-normal classes of shape 4, normal fitted",
        }
    }

    /// The family that is fitted.
    pub fn family(self) -> Family {
        match self {
            Self::Normal | Self::WrongFamily => Family::Normal,
            Self::SkewNormal => Family::SkewNormal,
        }
    }

    /// A class's distribution; `lean` is the sign of its shape.
    fn class(self, mean: f64, sd: f64, lean: f64) -> Result<ScoreDistribution, Error> {
        let skewed = |shape: f64| Ok(SkewNormal::centred(mean, sd, lean * shape)?.into());
        match self {
            Self::Normal => Ok(Normal::new(mean, sd)?.into()),
            Self::SkewNormal => skewed(2.0),
            Self::WrongFamily => skewed(4.0),
        }
    }
}

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// The classes' distributions, and the family fitted to them.
    pub scenario: Scenario,
    /// σ⁺.
    pub sd_pos: f64,
    /// σ⁻.
    pub sd_neg: f64,
    /// Share of positives in the test set.
    pub alpha: f64,
    /// Size of the test set.
    pub n: u32,
    /// Size of the training set.
    pub n_train: u32,
    /// Share of positives in the training set.
    pub alpha_train: f64,
}

impl Setting {
    /// All settings of a scenario.
    pub fn of(scenario: Scenario) -> Vec<Self> {
        const SDS: [f64; 3] = [0.5, 1.0, 1.5];
        const SIZES: [u32; 2] = [100, 1000];
        let alphas_train: &[f64] = if scenario == Scenario::Normal { &[0.4, 0.5, 0.6] } else { &[0.5] };
        let mut settings = Vec::new();
        for sd_pos in SDS {
            for sd_neg in SDS {
                for alpha in [0.3, 0.5, 0.9] {
                    for n in SIZES {
                        for n_train in SIZES {
                            let with = |&alpha_train| Self { scenario, sd_pos, sd_neg, alpha, n, n_train, alpha_train };
                            settings.extend(alphas_train.iter().map(with));
                        }
                    }
                }
            }
        }
        settings
    }

    /// A training sample.
    ///
    /// # Errors
    /// [`Error::Inverted`] if its positives score lower on average than its negatives, as happens where classes
    /// overlap.
    pub(super) fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let scores = data::draw(&self.classes(), self.n_train, self.alpha_train, rng);
        LabelledScores::new(&scores, &data::labels(self.n_train, self.alpha_train))
    }

    /// Test scores.
    pub(super) fn test(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        data::draw(&self.classes(), self.n, self.alpha, rng)
    }

    fn classes(&self) -> PerClass<ScoreDistribution> {
        let class = |mean, sd, lean| self.scenario.class(mean, sd, lean).expect("a mean and sd of the design");
        PerClass { positive: class(1.0, self.sd_pos, -1.0), negative: class(0.0, self.sd_neg, 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn the_design_has_324_and_twice_108_settings() {
        assert_eq!(Scenario::ALL.map(|scenario| Setting::of(scenario).len()), [324, 108, 108]);
    }

    /// Mean and standard deviation within four Monte Carlo errors of the design's, skewness on the right side; exactly
    /// αn positives.
    #[test]
    fn data_are_those_of_the_design() {
        const N: u32 = 100_000;
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_123);
        for scenario in Scenario::ALL {
            let setting =
                Setting { scenario, sd_pos: 0.5, sd_neg: 1.5, alpha: 0.3, n: 100, n_train: N, alpha_train: 0.4 };
            let train = setting.train(&mut rng).unwrap();
            assert_eq!((train.positive().len(), train.negative().len()), (40_000, 60_000));
            assert_eq!(setting.test(&mut rng).len(), 100);
            for (scores, mean, sd, lean) in [(train.positive(), 1.0, 0.5, -1.0), (train.negative(), 0.0, 1.5, 1.0)] {
                let n = scores.len() as f64;
                let moment = |k| scores.iter().map(|s| ((s - mean) / sd).powi(k)).sum::<f64>() / n;
                // Of these classes the excess kurtosis is below 1, so that of the variance's mean is below 3.
                assert!(moment(1).abs() < 4.0 / n.sqrt(), "{scenario:?} {}", moment(1));
                assert!((moment(2) - 1.0).abs() < 4.0 * (3.0 / n).sqrt(), "{scenario:?} {}", moment(2));
                let skewness = lean * moment(3);
                // Azzalini (1985): (4−π)/2 m³/(1−m²)^{3/2}, m = √(2/π) k/√(1+k²): 0.454 for k = 2 and 0.784 for k = 4.
                let expected = match scenario {
                    Scenario::Normal => 0.0,
                    Scenario::SkewNormal => 0.454,
                    Scenario::WrongFamily => 0.784,
                };
                assert!((skewness - expected).abs() < 0.06, "{scenario:?} {skewness}");
            }
        }
    }
}
