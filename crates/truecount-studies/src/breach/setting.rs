//! The design and its data.
//!
//! Normal classes of standard deviation 1, their means 0 and 1.8; 500 labels of each class and 1000 test scores, or 2000 and 5000;
//! α ∈ {0.05, 0.2, 0.5, 0.8}, of which the test scores have exactly the share. Nothing is broken, or one of six things by one of three
//! sizes: 152 settings.

use crate::data;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::{Error, LabelledScores, PerClass};

/// How far apart the means of the classes are.
pub(super) const DISTANCE: f64 = 1.8;

/// The share of the one of two subpopulations among the test scores; it is half of the labelled ones.
const MOVED: f64 = 0.8;

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Nothing.
    Nothing,
    /// The negatives score so much higher.
    ShiftedClass,
    /// This share of the negatives is of a new kind, N(1, 0.5²).
    NewSubgroup,
    /// All scores are multiplied by this.
    OtherVersion,
    /// All scores are rounded to multiples of this.
    Rounding,
    /// Two subpopulations, in which both classes score so much lower or higher, half and half when labelled, 20 : 80 now.
    CovariateShift,
    /// This share of the labels of each class is wrong.
    LabelNoise,
}

impl Kind {
    /// All of them, in the order of the results.
    pub const ALL: [Self; 7] = [
        Self::Nothing,
        Self::ShiftedClass,
        Self::NewSubgroup,
        Self::OtherVersion,
        Self::Rounding,
        Self::CovariateShift,
        Self::LabelNoise,
    ];

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Nothing => "nothing broken",
            Self::ShiftedClass => "negatives score higher",
            Self::NewSubgroup => "new subgroup of negatives",
            Self::OtherVersion => "scores multiplied",
            Self::Rounding => "scores rounded",
            Self::CovariateShift => "subpopulations shifted",
            Self::LabelNoise => "labels wrong",
        }
    }

    /// By how much.
    pub fn sizes(self) -> &'static [f64] {
        match self {
            Self::Nothing => &[0.0],
            Self::ShiftedClass => &[0.1, 0.25, 0.5],
            Self::NewSubgroup => &[0.05, 0.1, 0.2],
            Self::OtherVersion => &[0.9, 0.75, 0.6],
            Self::Rounding => &[0.1, 0.5, 1.0],
            Self::CovariateShift => &[0.25, 0.5, 1.0],
            Self::LabelNoise => &[0.02, 0.05, 0.1],
        }
    }
}

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// What is broken.
    pub kind: Kind,
    /// By how much.
    pub size: f64,
    /// Labels of each class.
    pub labels: u32,
    /// Test scores.
    pub n: u32,
    /// Share of positives among them.
    pub alpha: f64,
}

impl Setting {
    /// All settings.
    pub fn all() -> Vec<Self> {
        let mut settings = Vec::new();
        for kind in Kind::ALL {
            for &size in kind.sizes() {
                for (labels, n) in [(500, 1000), (2000, 5000)] {
                    settings.extend([0.05, 0.2, 0.5, 0.8].map(|alpha| Self { kind, size, labels, n, alpha }));
                }
            }
        }
        settings
    }

    /// What is estimated.
    pub(super) fn truth(&self) -> f64 {
        f64::from(data::positives(self.n, self.alpha)) / f64::from(self.n)
    }

    /// The labelled sample.
    pub(super) fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let n = 2 * self.labels;
        let (mut scores, mut labels) = (draw(n, 0.5, rng), data::labels(n, 0.5));
        match self.kind {
            Kind::CovariateShift => self.shift(&mut scores, 0.5, rng),
            Kind::LabelNoise => labels.iter_mut().for_each(|label| *label ^= rng.random_bool(self.size)),
            _ => {}
        }
        LabelledScores::new(&scores, &labels)
    }

    /// Test scores.
    pub(super) fn test(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let mut scores = draw(self.n, self.alpha, rng);
        let (_, negatives) = scores.split_at_mut(data::positives(self.n, self.alpha) as usize);
        match self.kind {
            Kind::Nothing | Kind::LabelNoise => {}
            Kind::ShiftedClass => negatives.iter_mut().for_each(|score| *score += self.size),
            Kind::NewSubgroup => {
                let subgroup = normal(1.0, 0.5);
                for score in negatives {
                    if rng.random_bool(self.size) {
                        *score = subgroup.sample(rng);
                    }
                }
            }
            Kind::OtherVersion => scores.iter_mut().for_each(|score| *score *= self.size),
            Kind::Rounding => scores.iter_mut().for_each(|score| *score = (*score / self.size).round() * self.size),
            Kind::CovariateShift => self.shift(&mut scores, MOVED, rng),
        }
        scores
    }

    /// Each score higher with this probability, lower otherwise.
    fn shift(&self, scores: &mut [f64], share: f64, rng: &mut ChaCha8Rng) {
        for score in scores {
            *score += if rng.random_bool(share) { self.size } else { -self.size };
        }
    }
}

/// Scores of unbroken classes, those of the positives first.
fn draw(n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    data::draw(&PerClass { positive: normal(DISTANCE, 1.0), negative: normal(0.0, 1.0) }, n, share, rng)
}

fn normal(mean: f64, sd: f64) -> ScoreDistribution {
    Normal::new(mean, sd).expect("a mean and sd of the design").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    const N: u32 = 100_000;

    fn moments(scores: &[f64]) -> (f64, f64) {
        let n = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / n;
        (mean, scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / n)
    }

    #[test]
    fn the_design_has_152_settings() {
        assert_eq!(Setting::all().len(), 8 * (1 + 6 * 3));
    }

    /// Means and variances of both classes' test scores and of the labelled ones follow from what is broken, within five Monte Carlo
    /// errors; those of variances are below √(3/n) of a variance for these shapes.
    #[test]
    fn data_are_those_of_the_design() {
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_125);
        // Of both classes: mean and variance when labelled, mean and variance in the test.
        let unbroken = [(1.8, 1.0), (0.0, 1.0)];
        for kind in Kind::ALL {
            let size = *kind.sizes().last().unwrap();
            let (labelled, test) = match kind {
                Kind::Nothing => (unbroken, unbroken),
                Kind::ShiftedClass => (unbroken, [(1.8, 1.0), (0.5, 1.0)]),
                // 0.8 · 0 + 0.2 · 1; 0.8 · 1 + 0.2 · (0.25 + 1) − 0.04.
                Kind::NewSubgroup => (unbroken, [(1.8, 1.0), (0.2, 1.01)]),
                Kind::OtherVersion => (unbroken, [(1.08, 0.36), (0.0, 0.36)]),
                // Sheppard: 1/12 more.
                Kind::Rounding => (unbroken, [(1.8, 1.0 + 1.0 / 12.0), (0.0, 1.0 + 1.0 / 12.0)]),
                // ±1 half and half has the variance 1; 0.8 and 0.2 the mean 0.6 and the variance 0.64.
                Kind::CovariateShift => ([(1.8, 2.0), (0.0, 2.0)], [(2.4, 1.64), (0.6, 1.64)]),
                // A tenth of each is the other's: 0.1 · 0.9 · 1.8² more.
                Kind::LabelNoise => ([(1.62, 1.2916), (0.18, 1.2916)], unbroken),
            };
            let setting = Setting { kind, size, labels: N, n: 2 * N, alpha: 0.5 };
            let (train, scores) = (setting.train(&mut rng).unwrap(), setting.test(&mut rng));
            let (positive, negative) = scores.split_at(N as usize);
            let found = [train.positive(), train.negative(), positive, negative];
            for (scores, (mean, variance)) in found.into_iter().zip(labelled.into_iter().chain(test)) {
                let (of_scores, n) = (moments(scores), scores.len() as f64);
                assert!((of_scores.0 - mean).abs() < 5.0 * (variance / n).sqrt(), "{kind:?}: {of_scores:?}");
                let error = 5.0 * variance * (3.0 / n).sqrt();
                assert!((of_scores.1 - variance).abs() < error, "{kind:?}: {of_scores:?}");
            }
            assert_eq!(setting.truth(), 0.5);
        }
    }
}
