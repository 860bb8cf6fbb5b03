//! The benefit of widening intervals if the test scores do not fit a mixture of the labelled classes: nominal 95 %
//! intervals, plain and widened, if the assumption holds and if it is violated in six ways.
//!
//! Three methods analyse the same data: Efficient Sweep, Continuous Sweep and Adjusted Count, with their defaults.
//!
//! Normal classes with means 0 and 1.8 and standard deviation 1; 500 labels of each class and 1000
//! test scores, or 2000 and 5000; exactly a share α ∈ {0.05, 0.2, 0.5, 0.8} of the test scores is
//! positive. Nothing is violated, or one of six violations has one of three sizes: 152 settings.

use super::intervals::CoverageDots;
use super::samples::{cross, draw, each_arm, labels, normal, normal_classes, outcomes, positives, prevalence};
use super::{ArmOutcome, IntervalStudy, SelectedSettings, StudyResults, StudySummary};
use crate::shared::{BLUE, VERMILION};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;
use truecount::Tally;
use truecount::distribution::Distribution;
use truecount::inference::OnMisfit;
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method, Model, Settings};

/// The methods, in the order of the arms.
const METHODS: [Method; 3] = [Method::ES, Method::O_CS, Method::AC];

/// The distance between the classes' means.
const DISTANCE: f64 = 1.8;

/// The share of the second subpopulation among the test scores; its share of the labelled scores is one half.
const TEST_SHARE: f64 = 0.8;

/// The study of widened intervals.
#[derive(Debug)]
pub struct BreachStudy;

/// The kind of violation of the assumption; the setting's `size` says how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BreachKind {
    /// No violation.
    Nothing,
    /// `size` is added to the scores of the negatives.
    ShiftedClass,
    /// A share `size` of the negatives comes from a new subgroup, N(1, 0.5²).
    NewSubgroup,
    /// All scores are multiplied by `size`.
    OtherVersion,
    /// All scores are rounded to multiples of `size`.
    Rounding,
    /// There are two subpopulations, whose scores are lower and higher by `size`. Their shares are
    /// 50 : 50 among the labelled scores and 20 : 80 among the test scores.
    CovariateShift,
    /// A share `size` of the labels of each class is wrong.
    LabelNoise,
}

impl BreachKind {
    /// All kinds with their titles and sizes, in the order of the results.
    pub const ALL: [(Self, &'static str, &'static [f64]); 7] = [
        (Self::Nothing, "nothing broken", &[0.0]),
        (Self::ShiftedClass, "negatives score higher", &[0.1, 0.25, 0.5]),
        (Self::NewSubgroup, "new subgroup of negatives", &[0.05, 0.1, 0.2]),
        (Self::OtherVersion, "scores multiplied", &[0.9, 0.75, 0.6]),
        (Self::Rounding, "scores rounded", &[0.1, 0.5, 1.0]),
        (Self::CovariateShift, "subpopulations shifted", &[0.25, 0.5, 1.0]),
        (Self::LabelNoise, "labels wrong", &[0.02, 0.05, 0.1]),
    ];
}

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BreachSetting {
    /// The kind of violation.
    pub kind: BreachKind,
    /// The size of the violation.
    pub size: f64,
    /// Labels of each class.
    pub labels: u32,
    /// The number of test scores.
    pub n: u32,
    /// Share of positives among the test scores.
    pub alpha: f64,
}

impl BreachSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let samples = cross([(500, 1000), (2000, 5000)], [0.05, 0.2, 0.5, 0.8]);
        let kinds =
            BreachKind::ALL.into_iter().flat_map(|(kind, _, sizes)| sizes.iter().map(move |size| (kind, *size)));
        let settings = cross(kinds, samples).into_iter();
        settings.map(|((kind, size), ((labels, n), alpha))| Self { kind, size, labels, n, alpha }).collect()
    }

    fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let n = 2 * self.labels;
        let (mut scores, mut labels) = (unbroken(n, 0.5, rng), labels(n, 0.5));
        match self.kind {
            BreachKind::CovariateShift => self.shift(&mut scores, 0.5, rng),
            BreachKind::LabelNoise => labels.iter_mut().for_each(|label| *label ^= rng.random_bool(self.size)),
            _ => {}
        }
        LabelledScores::new(&scores, &labels)
    }

    fn test(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let mut scores = unbroken(self.n, self.alpha, rng);
        let (_, negatives) = scores.split_at_mut(positives(self.n, self.alpha) as usize);
        match self.kind {
            BreachKind::Nothing | BreachKind::LabelNoise => {}
            BreachKind::ShiftedClass => negatives.iter_mut().for_each(|score| *score += self.size),
            BreachKind::NewSubgroup => {
                let subgroup = normal(1.0, 0.5);
                for score in negatives {
                    if rng.random_bool(self.size) {
                        *score = subgroup.sample(rng);
                    }
                }
            }
            BreachKind::OtherVersion => scores.iter_mut().for_each(|score| *score *= self.size),
            BreachKind::Rounding => {
                for score in &mut scores {
                    *score = (*score / self.size).round() * self.size;
                }
            }
            BreachKind::CovariateShift => self.shift(&mut scores, TEST_SHARE, rng),
        }
        scores
    }

    /// Adds the size to each score with this probability, and subtracts it otherwise.
    fn shift(&self, scores: &mut [f64], share: f64, rng: &mut ChaCha8Rng) {
        for score in scores {
            *score += if rng.random_bool(share) { self.size } else { -self.size };
        }
    }
}

/// Draws scores of unchanged classes, positives first.
fn unbroken(n: u32, share: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    draw(&normal_classes(DISTANCE, 0.0), n, share, rng)
}

impl IntervalStudy for BreachStudy {
    const NAME: &'static str = "breach";
    const REPLICATIONS: u32 = 2000;
    const ARMS: &'static [&'static str] = &["es", "o-cs", "ac", "es widened", "o-cs widened", "ac widened"];

    type Setting = BreachSetting;

    fn replicate(setting: &BreachSetting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (train, test) = (setting.train(rng), setting.test(rng));
        let estimates = train.and_then(|train| estimates(&train, &test));
        outcomes(prevalence(setting.n, setting.alpha), each_arm(Self::ARMS.len(), estimates))
    }

    /// Summarises every arm over the settings with one violation of one size. The figure has two rows of
    /// dots for every violation: plain and widened intervals.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary) {
        let mut dots = Vec::new();
        for (kind, title, sizes) in BreachKind::ALL {
            let (plain, widened) = (0..METHODS.len(), METHODS.len()..Self::ARMS.len());
            for (arms, intervals, colour) in [(plain, "plain", VERMILION), (widened, "widened", BLUE)] {
                let settings =
                    SelectedSettings(arms.flat_map(|arm| results.select(arm, |s| s.kind == kind).0).collect());
                dots.push(CoverageDots::new(format!("{title}, {intervals}"), colour, &settings));
            }
            let rows = sizes.iter().flat_map(|size| {
                let arms = results.arms(move |s| s.kind == kind && s.size == *size);
                arms.map(move |(arm, settings)| {
                    (format!("{size}, {arm}"), json!({"kind": kind, "size": size, "arm": arm}), settings)
                })
            });
            summary.add_intervals(title, rows);
        }
        summary.add_coverage_figure("breach.svg", &dots);
    }
}

/// Returns the estimates by every method with plain intervals, and those with widened ones.
fn estimates(train: &LabelledScores, test: &[f64]) -> Result<Vec<Estimate>, Error> {
    let settings = Settings::new(METHODS.iter().copied()).with_cutoff(0.5 * DISTANCE);
    let model = Model::fit(train, &settings)?;
    let mut tallies = Tally::new(&model);
    tallies.update(test)?;
    let estimates = |on_misfit| tallies.evaluate_with(&IntervalOptions::default().on_misfit(on_misfit));
    Ok(estimates(OnMisfit::Warn)?.into_iter().chain(estimates(OnMisfit::Widen)?).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    const N: u32 = 100_000;

    fn mean_and_variance(scores: &[f64]) -> (f64, f64) {
        let n = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / n;
        (mean, scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / n)
    }

    #[test]
    fn arms_are_the_methods() {
        let names = METHODS.map(|method| method.to_string());
        let widened = names.each_ref().map(|name| format!("{name} widened"));
        assert!(BreachStudy::ARMS.iter().eq(names.iter().chain(&widened)));
    }

    /// Means and variances of the labelled and test scores of both classes agree with the violation within five Monte
    /// Carlo errors. For these shapes the error of a variance is below √(3/n) times the variance.
    #[test]
    fn simulated_data_follow_the_design() {
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_125);
        // (mean, variance) of the positives and the negatives
        let unbroken = [(1.8, 1.0), (0.0, 1.0)];
        for (kind, _, sizes) in BreachKind::ALL {
            let size = *sizes.last().unwrap();
            let (labelled, test) = match kind {
                BreachKind::Nothing => (unbroken, unbroken),
                BreachKind::ShiftedClass => (unbroken, [(1.8, 1.0), (0.5, 1.0)]),
                // 0.8 · 0 + 0.2 · 1; 0.8 · 1 + 0.2 · (0.25 + 1) − 0.04.
                BreachKind::NewSubgroup => (unbroken, [(1.8, 1.0), (0.2, 1.01)]),
                BreachKind::OtherVersion => (unbroken, [(1.08, 0.36), (0.0, 0.36)]),
                // Sheppard: the variance increases by 1/12.
                BreachKind::Rounding => (unbroken, [(1.8, 1.0 + 1.0 / 12.0), (0.0, 1.0 + 1.0 / 12.0)]),
                // ±1 with probability 1/2 has variance 1; with 0.8 and 0.2 it has mean 0.6 and variance 0.64.
                BreachKind::CovariateShift => ([(1.8, 2.0), (0.0, 2.0)], [(2.4, 1.64), (0.6, 1.64)]),
                // A tenth of each class belongs to the other: the variance increases by 0.1 · 0.9 ·
                // 1.8².
                BreachKind::LabelNoise => ([(1.62, 1.2916), (0.18, 1.2916)], unbroken),
            };
            let setting = BreachSetting { kind, size, labels: N, n: 2 * N, alpha: 0.5 };
            let (train, scores) = (setting.train(&mut rng).unwrap(), setting.test(&mut rng));
            let (positive, negative) = scores.split_at(N as usize);
            let classes = [train.positive(), train.negative(), positive, negative];
            for (scores, (mean, variance)) in classes.into_iter().zip(labelled.into_iter().chain(test)) {
                let (moments, n) = (mean_and_variance(scores), scores.len() as f64);
                assert!((moments.0 - mean).abs() < 5.0 * (variance / n).sqrt(), "{kind:?}: {moments:?}");
                let error = 5.0 * variance * (3.0 / n).sqrt();
                assert!((moments.1 - variance).abs() < error, "{kind:?}: {moments:?}");
            }
        }
    }
}
