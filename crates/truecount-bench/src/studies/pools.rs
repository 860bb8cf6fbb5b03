//! Coverage and errors on real scores: every replication draws a labelled sample and a disjoint
//! test sample from a pool of labelled scores.
//!
//! Within each class both samples together are a simple random sample without replacement. The difference between the
//! means of two disjoint samples then has variance S²(1/m + 1/n), where S² is the pool's variance, as if both came from
//! an infinite population. So a pool need not be large for a fair assessment of the intervals.
//!
//! `o-cs`, `es` and `max` use their defaults. The other arms use kernel densities after the rank
//! transform, and the sweeps among them take their rates from these densities (`es family`).
//!
//! 30, 100 and 500 labels of each class and test samples of 500, of which exactly 2, 10 and 50 %
//! are positive, if the pool has enough scores of each class.

use super::intervals::CoverageDots;
use super::samples::{cross, fit_and_estimate, outcomes, positives};
use super::{ArmOutcome, IntervalStudy, StudyResults, StudySummary};
use crate::shared::{BLUE, GREEN, VERMILION};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::sync::Arc;
use truecount::distribution::Family;
use truecount::quantifier::RateSource;
use truecount::scores::{PerClass, Transform};
use truecount::{Error, Estimate, LabelledScores, Method, Settings};

/// The file of the figure.
pub(crate) const FIGURE: &str = "pools.svg";

/// Numbers of labels of each class.
const LABELS: [u32; 3] = [30, 100, 500];

/// Shares of positives in the test samples.
const PREVALENCES: [f64; 3] = [0.02, 0.1, 0.5];

/// The size of a test sample.
const N: u32 = 500;

const PLAIN: [Method; 3] = [Method::O_CS, Method::ES, Method::MAX];

/// The methods with kernel densities, from which the sweeps also take their rates.
const KERNEL: [Method; 5] = [Method::O_CS, Method::ES, Method::SLD, Method::KDEY_ML, Method::DYS];

/// The study of real scores.
#[derive(Debug)]
pub struct PoolsStudy;

/// Labelled scores to draw samples from: enough for each test sample in addition to the smallest labelled sample.
#[derive(Clone, Debug)]
pub struct Pool {
    name: String,
    scores: LabelledScores,
}

/// The error for a pool that is too small for the smallest labelled sample and each test sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} positive and {} negative scores are too few to draw from: {} labels of each class and test samples of {N} take \
     {} and {}",
    has.positive, has.negative, LABELS[0], needs.positive, needs.negative
)]
pub struct PoolTooSmall {
    has: PerClass<usize>,
    needs: PerClass<usize>,
}

impl Pool {
    /// Returns a pool of these scores; results refer to it by name.
    ///
    /// # Errors
    /// Returns an error if the pool is too small.
    pub fn new(name: impl Into<String>, scores: LabelledScores) -> Result<Self, PoolTooSmall> {
        let (has, needs) = (scores.scores().map(Vec::len), needs(LABELS[0]));
        let pool = Self { name: name.into(), scores };
        if pool.allows(LABELS[0]) { Ok(pool) } else { Err(PoolTooSmall { has, needs }) }
    }

    /// Returns the name in the results.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the scores.
    pub fn scores(&self) -> &LabelledScores {
        &self.scores
    }

    /// Returns whether the pool is large enough for this many labels of each class in addition to every test sample.
    fn allows(&self, labels: u32) -> bool {
        let (has, needs) = (self.scores.scores().map(Vec::len), needs(labels));
        has.positive >= needs.positive && has.negative >= needs.negative
    }
}

/// Returns the number of scores of each class that are needed for this many labels and any test sample.
fn needs(labels: u32) -> PerClass<usize> {
    let positives = PREVALENCES.map(|alpha| positives(N, alpha));
    let max = |count: fn(u32) -> u32| positives.into_iter().map(count).max().unwrap_or_default();
    PerClass { positive: max(|k| k), negative: max(|k| N - k) }.map(|n| (labels + n) as usize)
}

/// A point of the design.
#[derive(Clone, Debug, Serialize)]
pub struct PoolSetting {
    /// The pool that both samples are drawn from.
    #[serde(serialize_with = "serialize_name")]
    pub pool: Arc<Pool>,
    /// Labels of each class.
    pub labels: u32,
    /// Share of positives in the test sample.
    pub alpha: f64,
    /// Size of the test sample.
    pub n: u32,
}

fn serialize_name<S: Serializer>(pool: &Arc<Pool>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&pool.name)
}

impl PoolSetting {
    /// Returns the settings that each of the pools allows.
    pub fn all(pools: impl IntoIterator<Item = Pool>) -> Vec<Self> {
        pools.into_iter().map(Arc::new).flat_map(|pool| Self::for_pool(&pool)).collect()
    }

    fn for_pool(pool: &Arc<Pool>) -> Vec<Self> {
        let labels = LABELS.into_iter().filter(|labels| pool.allows(*labels));
        let settings = |labels| PREVALENCES.map(|alpha| Self { pool: Arc::clone(pool), labels, alpha, n: N });
        labels.flat_map(settings).collect()
    }

    /// Draws a labelled sample and disjoint test scores.
    ///
    /// The labelled sample is the error [`truecount::error::Problem::Inverted`] if its positives score
    /// lower on average than its negatives.
    fn draw(&self, rng: &mut ChaCha8Rng) -> (Result<LabelledScores, Error>, Vec<f64>) {
        let Self { pool, labels, alpha, n } = self;
        let labels = *labels as usize;
        let positives = positives(*n, *alpha);
        // In random order, so that the first scores are a random part.
        let mut sample = |scores: &[f64], n_test: u32| -> Vec<f64> {
            scores.to_vec().partial_shuffle(rng, labels + n_test as usize).0.to_vec()
        };
        let (positive, negative) =
            (sample(pool.scores.positive(), positives), sample(pool.scores.negative(), n - positives));
        let train = [&positive[..labels], &negative[..labels]].concat();
        let is_positive: Vec<bool> = (0..2 * labels).map(|i| i < labels).collect();
        (LabelledScores::new(&train, &is_positive), [&positive[labels..], &negative[labels..]].concat())
    }
}

impl IntervalStudy for PoolsStudy {
    const NAME: &'static str = "pools";
    const REPLICATIONS: u32 = 2000;
    const ARMS: &'static [&'static str] = &["o-cs", "es", "max", "o-cs kernel", "es family", "sld", "kdey-ml", "dys"];

    type Setting = PoolSetting;

    fn replicate(setting: &PoolSetting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (train, test) = setting.draw(rng);
        let results = match &train {
            Ok(train) => arms(train, &test),
            Err(inverted) => vec![Err(inverted.clone()); Self::ARMS.len()],
        };
        outcomes(setting.alpha, results)
    }

    /// Summarises every arm over the pools that allow a number of labels, for each prevalence. The figure has a row for
    /// every number of labels and arm with intervals, with a dot for every pool and prevalence.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary) {
        for (labels, alpha) in cross(LABELS, PREVALENCES) {
            let title = format!("{labels} labels of each class, {} % positives", (100.0 * alpha).round());
            let arms = results.arms(|setting| setting.labels == labels && setting.alpha == alpha);
            let row = |(arm, settings)| (arm, json!({"labels": labels, "alpha": alpha, "arm": arm}), settings);
            summary.add_intervals(&title, arms.map(row));
        }
        let mut dots = Vec::new();
        for (labels, colour) in LABELS.into_iter().zip([VERMILION, GREEN, BLUE]) {
            let arms = results.arms(|setting| setting.labels == labels);
            let with_intervals = arms.filter(|(_, settings)| !settings.values("coverage").is_empty());
            dots.extend(
                with_intervals.map(|(arm, s)| CoverageDots::new(format!("{labels} labels, {arm}"), colour, &s)),
            );
        }
        summary.add_coverage_figure(FIGURE, &dots);
    }
}

fn arms(train: &LabelledScores, test: &[f64]) -> Vec<Result<Estimate, Error>> {
    let plain = |method| fit_and_estimate(train, &[method], &Settings::default(), test);
    let settings =
        Settings::default().with_family(Family::Kernel).with_transform(Transform::Rank).with_rates(RateSource::Family);
    let kernel = fit_and_estimate(train, &KERNEL, &settings, test);
    PLAIN.map(plain).into_iter().flatten().chain(kernel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Returns a pool with positives 10000, 10001, … and negatives 0, 1, ….
    fn pool(positives: u32, negatives: u32) -> Result<Pool, PoolTooSmall> {
        let scores: Vec<f64> = (10_000..10_000 + positives).chain(0..negatives).map(f64::from).collect();
        let labels: Vec<bool> = scores.iter().map(|score| *score >= 10_000.0).collect();
        Pool::new("pool", LabelledScores::new(&scores, &labels).unwrap())
    }

    #[test]
    fn the_size_of_a_pool_limits_the_settings() {
        let labels = |positives, negatives| {
            let settings = PoolSetting::all(pool(positives, negatives));
            settings.iter().map(|setting| (setting.labels, setting.alpha)).collect::<Vec<_>>()
        };
        assert_eq!(labels(280, 520), [(30, 0.02), (30, 0.1), (30, 0.5)]);
        assert_eq!(labels(750, 989).len(), 6);
        assert_eq!(labels(749, 990).len(), 6);
        assert_eq!(labels(750, 990).len(), 9);
        let error = |positives, negatives| pool(positives, negatives).unwrap_err().to_string();
        assert_eq!(
            error(279, 520),
            "279 positive and 520 negative scores are too few to draw from: 30 labels of each class and test samples \
             of 500 take 280 and 520"
        );
        assert!(error(280, 519).starts_with("280 positive and 519 negative"));
    }

    /// The samples have no score in common, and exactly the shares of the design.
    #[test]
    fn samples_are_disjoint() {
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_122);
        for setting in PoolSetting::all(pool(760, 1000)) {
            let (train, test) = setting.draw(&mut rng);
            let train = train.unwrap();
            let labels = setting.labels as usize;
            assert_eq!((train.positive().len(), train.negative().len(), test.len()), (labels, labels, 500));
            let positives = test.iter().filter(|score| **score >= 10_000.0).count();
            assert_eq!(positives as f64 / 500.0, setting.alpha);
            let mut all = [train.positive(), train.negative(), &test].concat();
            all.sort_unstable_by(f64::total_cmp);
            all.dedup();
            assert_eq!(all.len(), 2 * labels + 500);
        }
    }
}
