//! The range and the number of decimals of scores, which show rounded scores and scores of another
//! version of a classifier.
//!
//! A score s has d decimals if s·10^d is a whole number to a ten-millionth of its size. So 32-bit
//! numbers keep their decimals, but only up to six decimals can be distinguished.

use crate::PerClass;

/// The largest number of decimals that is distinguished; one more stands for any larger number.
const MAX_DECIMALS: usize = 6;

/// The share of scores that must differ from the others for the difference to be reported.
pub(super) const MIN_SHARE: f64 = 0.5;

/// The relative tolerance for s·10^d to be a whole number.
const TOLERANCE: f64 = 1e-7;

const POWERS: [f64; MAX_DECIMALS + 1] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

/// The range and the decimals of labelled scores.
#[derive(Clone, Debug)]
pub struct ScoreProfile {
    /// The smallest and the largest score.
    pub(super) range: (f64, f64),
    /// The number of scores of each class, by their number of decimals.
    pub(super) decimals: PerClass<[u64; MAX_DECIMALS + 2]>,
}

/// Counts of test scores that differ from the labelled scores in range or decimals.
///
/// The counts have constant size and can be merged in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreProfileCounts {
    pub(super) n: u64,
    /// The number of scores below the smallest or above the largest labelled score.
    pub(super) outside: u64,
    /// The number of scores with more decimals than any labelled score.
    pub(super) finer: u64,
    /// The largest number of decimals.
    pub(super) decimals: usize,
}

impl ScoreProfile {
    /// Computes the profile of labelled scores.
    pub fn new(scores: &PerClass<Vec<f64>>) -> Self {
        let all = || scores.positive.iter().chain(&scores.negative).copied();
        let range = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let decimals = scores.map(|scores| {
            let mut counts = [0; MAX_DECIMALS + 2];
            for score in scores {
                counts[decimals(*score, 0)] += 1;
            }
            counts
        });
        Self { range, decimals }
    }

    /// Returns the largest number of decimals of a labelled score.
    pub(super) fn max_decimals(&self) -> usize {
        let any = |d: &usize| self.decimals.positive[*d] + self.decimals.negative[*d] > 0;
        (0..=MAX_DECIMALS).rev().find(|d| any(&(d + 1))).map_or(0, |d| d + 1)
    }

    /// Returns the share of scores with more than `decimals` decimals, in the class where it is
    /// smaller.
    pub(super) fn share_finer(&self, decimals: usize) -> f64 {
        let share = |counts: &[u64; MAX_DECIMALS + 2]| {
            counts[decimals + 1..].iter().sum::<u64>() as f64 / counts.iter().sum::<u64>() as f64
        };
        share(&self.decimals.positive).min(share(&self.decimals.negative))
    }

    /// Adds test scores to the counts; with weights, only scores with a weight above 0.
    pub fn update(&self, counts: &mut ScoreProfileCounts, scores: &[f64], weights: Option<&[f64]>) {
        let (smallest, largest) = self.range;
        let max_decimals = self.max_decimals();
        let has_weight = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
        for (_, score) in scores.iter().enumerate().filter(|(row, _)| has_weight(*row)) {
            counts.n += 1;
            counts.outside += u64::from(*score < smallest || *score > largest);
            // For speed, only numbers of decimals above the current maxima are distinguished.
            counts.decimals = decimals(*score, counts.decimals);
            if counts.decimals > max_decimals {
                counts.finer += u64::from(decimals(*score, max_decimals) > max_decimals);
            }
        }
    }
}

impl ScoreProfileCounts {
    /// Adds other counts for the same labelled scores.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.outside += other.outside;
        self.finer += other.finer;
        self.decimals = self.decimals.max(other.decimals);
    }
}

/// Returns the number of decimals of a score, but at least `min`; [`MAX_DECIMALS`] + 1 for any
/// larger number.
fn decimals(score: f64, min: usize) -> usize {
    let is_whole = |d: &usize| {
        let scaled = score * POWERS[*d];
        (scaled - scaled.round()).abs() <= TOLERANCE * scaled.abs().max(1.0)
    };
    (min..=MAX_DECIMALS).find(is_whole).unwrap_or(MAX_DECIMALS + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_those_of_the_written_number() {
        for (score, expected) in [
            (0.0, 0),
            (-3.0, 0),
            (1e300, 0),
            (0.5, 1),
            (-12.25, 2),
            (0.07, 2),
            (f64::from(0.07_f32), 2),
            (f64::from(99.99_f32), 2),
            (0.123_456, 6),
            (0.000_001, 6),
            (1.0 / 3.0, MAX_DECIMALS + 1),
            (f64::from(1.0_f32 / 3.0), MAX_DECIMALS + 1),
        ] {
            assert_eq!(decimals(score, 0), expected, "{score}");
        }
        assert_eq!(decimals(0.5, 4), 4);
    }

    #[test]
    fn merged_counts_equal_counts_of_all_scores() {
        let profile = ScoreProfile::new(&PerClass { positive: vec![0.5, 0.25], negative: vec![0.1, 0.25] });
        assert_eq!((profile.max_decimals(), profile.range, profile.share_finer(1)), (2, (0.1, 0.5), 0.5));
        let scores = [0.125, 0.3, 0.7, 0.111, 0.2];
        let mut whole = ScoreProfileCounts::default();
        profile.update(&mut whole, &scores, None);
        assert_eq!(whole, ScoreProfileCounts { n: 5, outside: 1, finer: 2, decimals: 3 });
        let mut parts = ScoreProfileCounts::default();
        for part in scores.chunks(2).rev() {
            let mut counts = ScoreProfileCounts::default();
            profile.update(&mut counts, part, None);
            parts.merge(&counts);
        }
        assert_eq!(parts, whole);
        let mut weighted = ScoreProfileCounts::default();
        profile.update(&mut weighted, &scores, Some(&[0.0, 1.0, 2.0, 0.0, 1.0]));
        assert_eq!(weighted, ScoreProfileCounts { n: 3, outside: 1, finer: 0, decimals: 1 });
    }
}
