//! The design and its data.
//!
//! Normal classes of standard deviation 1, their means 0 and 1.8: 300 labels of each elsewhere, 3000 items of which 100 or 400 are audited,
//! exactly α ∈ {0.05, 0.2, 0.5} of them positive. Elsewhere the negatives score lower than among the items by 0, 0.1, 0.2, 0.4 or 0.8:
//! 30 settings.

use crate::data;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::{Error, LabelledScores, PerClass};

/// How far apart the means of the classes are elsewhere.
const DISTANCE: f64 = 1.8;

/// Labels of each class elsewhere.
const LABELS: u32 = 300;

/// Items.
const N: u32 = 3000;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// By how much the negatives among the items score higher than those that were labelled elsewhere.
    pub shift: f64,
    /// Audited items.
    pub audited: u32,
    /// Share of positives among the items.
    pub alpha: f64,
}

/// What is counted.
pub(super) struct Items {
    pub(super) scores: Vec<f64>,
    pub(super) positive: Vec<bool>,
}

impl Setting {
    /// By how much negatives score higher.
    pub const SHIFTS: [f64; 5] = [0.0, 0.1, 0.2, 0.4, 0.8];

    /// How many items are audited.
    pub const AUDITED: [u32; 2] = [100, 400];

    /// All settings.
    pub fn all() -> Vec<Self> {
        let mut settings = Vec::new();
        for shift in Self::SHIFTS {
            for audited in Self::AUDITED {
                settings.extend([0.05, 0.2, 0.5].map(|alpha| Self { shift, audited, alpha }));
            }
        }
        settings
    }

    /// What is estimated.
    pub(super) fn truth(&self) -> f64 {
        f64::from(data::positives(N, self.alpha)) / f64::from(N)
    }

    /// The labels elsewhere.
    pub(super) fn train(rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        LabelledScores::new(&draw(0.0, 2 * LABELS, 0.5, rng), &data::labels(2 * LABELS, 0.5))
    }

    /// The items.
    pub(super) fn items(&self, rng: &mut ChaCha8Rng) -> Items {
        Items { scores: draw(self.shift, N, self.alpha, rng), positive: data::labels(N, self.alpha) }
    }
}

/// Scores where negatives have that mean, those of the positives first.
fn draw(negatives: f64, n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    data::draw(&PerClass { positive: normal(DISTANCE), negative: normal(negatives) }, n, share, rng)
}

fn normal(mean: f64) -> ScoreDistribution {
    Normal::new(mean, 1.0).expect("a mean of the design").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn the_design_has_30_settings() {
        assert_eq!(Setting::all().len(), 30);
    }

    /// Means of both classes among the items, within five Monte Carlo errors.
    #[test]
    fn data_are_those_of_the_design() {
        let setting = Setting { shift: 0.4, audited: 100, alpha: 0.5 };
        let Items { scores, positive } = setting.items(&mut ChaCha8Rng::seed_from_u64(20_261_122));
        let mean = |class: bool| {
            let of: Vec<f64> = scores.iter().zip(&positive).filter(|(_, is)| **is == class).map(|(s, _)| *s).collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        let error = 1500.0_f64.sqrt().recip();
        assert!((mean(true) - 1.8).abs() < 5.0 * error && (mean(false) - 0.4).abs() < 5.0 * error);
        assert_eq!(setting.truth(), 0.5);
    }
}
