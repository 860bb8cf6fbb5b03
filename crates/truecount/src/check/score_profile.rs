//! The form of scores as numbers: how many decimals they have, and where they lie. Scores of another version of a classifier, or
//! rounded ones, show it.
//!
//! A score has d decimals if s·10^d is a whole number to a ten-millionth of its size: a number of 32 bits keeps its decimals, and beyond
//! six of them nothing is told.

use crate::PerClass;

/// Decimals that can be told; one more stands for all that have more.
const MOST: usize = 6;

/// How exactly s·10^d must be whole.
const WHOLE: f64 = 1e-7;

const POWERS: [f64; MOST + 1] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

/// What labelled scores look like.
#[derive(Clone, Debug)]
pub struct ScoreProfile {
    /// The least and the largest.
    pub(super) range: (f64, f64),
    /// Of each class, how many scores have so many decimals.
    pub(super) decimals: PerClass<[u64; MOST + 2]>,
}

/// What test scores look like beside them. Of constant size, and mergeable in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileCounts {
    pub(super) n: u64,
    /// Scores below the least or above the largest labelled one.
    pub(super) outside: u64,
    /// How many have more decimals than any labelled score.
    pub(super) finer: u64,
    /// The most decimals.
    pub(super) decimals: usize,
}

impl ScoreProfile {
    /// Of labelled scores.
    pub fn new(scores: &PerClass<Vec<f64>>) -> Self {
        let all = || scores.positive.iter().chain(&scores.negative).copied();
        let range = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let decimals = scores.map(|scores| {
            let mut counts = [0; MOST + 2];
            for score in scores {
                counts[decimals(*score, 0)] += 1;
            }
            counts
        });
        Self { range, decimals }
    }

    /// The most decimals of a labelled score.
    pub(super) fn most(&self) -> usize {
        let any = |d: &usize| self.decimals.positive[*d] + self.decimals.negative[*d] > 0;
        (0..=MOST).rev().find(|d| any(&(d + 1))).map_or(0, |d| d + 1)
    }

    /// The smaller of the classes' shares of scores with more decimals than this.
    pub(super) fn finer(&self, than: usize) -> f64 {
        let share = |counts: &[u64; MOST + 2]| {
            counts[than + 1..].iter().sum::<u64>() as f64 / counts.iter().sum::<u64>() as f64
        };
        share(&self.decimals.positive).min(share(&self.decimals.negative))
    }

    /// Adds test scores to what has been seen; with weights, those of weight above 0.
    pub fn see(&self, seen: &mut ProfileCounts, scores: &[f64], weights: Option<&[f64]>) {
        let (least, largest) = self.range;
        let most = self.most();
        let counts = |row: usize| weights.is_none_or(|weights| weights[row] > 0.0);
        for (_, score) in scores.iter().enumerate().filter(|(row, _)| counts(*row)) {
            seen.n += 1;
            seen.outside += u64::from(*score < least || *score > largest);
            // Decimals are counted only where it can matter: more than were seen so far, or than the labelled scores have.
            seen.decimals = decimals(*score, seen.decimals);
            if seen.decimals > most {
                seen.finer += u64::from(decimals(*score, most) > most);
            }
        }
    }
}

impl ProfileCounts {
    /// Adds what was seen elsewhere, beside the same labelled scores.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.outside += other.outside;
        self.finer += other.finer;
        self.decimals = self.decimals.max(other.decimals);
    }
}

/// The decimals of a score, and at least so many; [`MOST`] + 1 for all that have more.
fn decimals(score: f64, least: usize) -> usize {
    let is_whole = |d: &usize| {
        let scaled = score * POWERS[*d];
        (scaled - scaled.round()).abs() <= WHOLE * scaled.abs().max(1.0)
    };
    (least..=MOST).find(is_whole).unwrap_or(MOST + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_as_written() {
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
            (1.0 / 3.0, MOST + 1),
            (f64::from(1.0_f32 / 3.0), MOST + 1),
        ] {
            assert_eq!(decimals(score, 0), expected, "{score}");
        }
        assert_eq!(decimals(0.5, 4), 4);
    }

    /// What is seen in parts is what is seen at once, and nothing is counted twice.
    #[test]
    fn parts_add_up() {
        let look = ScoreProfile::new(&PerClass { positive: vec![0.5, 0.25], negative: vec![0.1, 0.25] });
        assert_eq!((look.most(), look.range, look.finer(1)), (2, (0.1, 0.5), 0.5));
        let scores = [0.125, 0.3, 0.7, 0.111, 0.2];
        let mut whole = ProfileCounts::default();
        look.see(&mut whole, &scores, None);
        assert_eq!(whole, ProfileCounts { n: 5, outside: 1, finer: 2, decimals: 3 });
        let mut parts = ProfileCounts::default();
        for part in scores.chunks(2).rev() {
            let mut seen = ProfileCounts::default();
            look.see(&mut seen, part, None);
            parts.merge(&seen);
        }
        assert_eq!(parts, whole);
        let mut weighted = ProfileCounts::default();
        look.see(&mut weighted, &scores, Some(&[0.0, 1.0, 2.0, 0.0, 1.0]));
        assert_eq!(weighted, ProfileCounts { n: 3, outside: 1, finer: 0, decimals: 1 });
    }
}
