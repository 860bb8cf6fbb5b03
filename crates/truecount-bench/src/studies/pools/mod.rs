//! Do the intervals hold on real scores, and how far are the estimates off? Pools of scored, labelled cases, from which
//! every replication draws a labelled sample and a disjoint test sample.
//!
//! Within each class both samples together are a simple random sample without replacement. The difference of two
//! disjoint samples' means then has variance S²(1/m + 1/n), S² the pool's own: as if both came from an endless
//! population, so a pool need not be large for the intervals to be judged fairly.
//!
//! `o-cs`, `es` and `max` see the scores with their defaults. The other arms have kernel densities on the scale of the
//! ranks, and the sweeps among them take their rates from these (`es model`).
//!
//! 30, 100 and 500 labels of each class and test samples of 500, of which exactly 2, 10 and 50 % are positive, as far as
//! the pool has enough of each class.

mod summary;

pub(crate) use summary::FIGURE;
pub use summary::{PoolSummary, PoolsSummary, PrevalenceSummary};

use super::intervals::IntervalStatistics;
use super::samples::{fit_and_estimate, outcomes, positives};
use super::{ArmOutcome, Study};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Serialize, Serializer};
use std::sync::Arc;
use truecount::distribution::Family;
use truecount::{Error, Estimate, LabelledScores, Method, PerClass, RateSource, Settings, Transform};

/// Numbers of labels of each class.
const LABELS: [u32; 3] = [30, 100, 500];

/// Shares of positives in the test samples.
const PREVALENCES: [f64; 3] = [0.02, 0.1, 0.5];

/// Scores in a test sample.
const N: u32 = 500;

/// The methods with their defaults.
const PLAIN: [Method; 3] = [Method::O_CS, Method::ES, Method::MAX];

/// The methods with kernel densities, which the sweeps take their rates from too.
const KERNEL: [Method; 5] = [Method::O_CS, Method::ES, Method::SLD, Method::KDEY_ML, Method::DYS];

/// The study of real scores.
#[derive(Debug)]
pub struct PoolsStudy;

/// Labelled scores to draw samples from, with room for all test samples in addition to the smallest labelled one.
#[derive(Clone, Debug)]
pub struct Pool {
    name: String,
    scores: LabelledScores,
}

/// A pool without room for the smallest labelled sample and all test samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} positive and {} negative scores are too few to draw from: {} labels of each class and test samples of {N} take {} and {}",
    has.positive, has.negative, LABELS[0], needs.positive, needs.negative
)]
pub struct PoolTooSmall {
    has: PerClass<usize>,
    needs: PerClass<usize>,
}

impl Pool {
    /// A pool of these scores, with the name that it has in the results.
    ///
    /// # Errors
    /// Returns an error if the pool has no room for samples.
    pub fn new(name: impl Into<String>, scores: LabelledScores) -> Result<Self, PoolTooSmall> {
        let (has, needs) = (scores.scores().map(Vec::len), needs(LABELS[0]));
        let pool = Self { name: name.into(), scores };
        if pool.allows(LABELS[0]) { Ok(pool) } else { Err(PoolTooSmall { has, needs }) }
    }

    /// The name in the results.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The scores.
    pub fn scores(&self) -> &LabelledScores {
        &self.scores
    }

    /// Whether there is room for so many labels of each class in addition to every test sample.
    fn allows(&self, labels: u32) -> bool {
        let (has, needs) = (self.scores.scores().map(Vec::len), needs(labels));
        has.positive >= needs.positive && has.negative >= needs.negative
    }
}

/// The scores of each class that so many labels and the test samples with most of that class take.
fn needs(labels: u32) -> PerClass<usize> {
    let positives = PREVALENCES.map(|alpha| positives(N, alpha));
    let most = |of: fn(u32) -> u32| positives.into_iter().map(of).max().unwrap_or_default();
    PerClass { positive: most(|k| k), negative: most(|k| N - k) }.map(|n| (labels + n) as usize)
}

/// A point of the design.
#[derive(Clone, Debug, Serialize)]
pub struct PoolSetting {
    /// Where both samples come from.
    #[serde(serialize_with = "name")]
    pub pool: Arc<Pool>,
    /// Labels of each class.
    pub labels: u32,
    /// Share of positives in the test sample.
    pub alpha: f64,
    /// Size of the test sample.
    pub n: u32,
}

fn name<S: Serializer>(pool: &Arc<Pool>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&pool.name)
}

impl PoolSetting {
    /// Every number of labels and prevalence that each of the pools allows.
    pub fn all(pools: impl IntoIterator<Item = Pool>) -> Vec<Self> {
        pools.into_iter().map(Arc::new).flat_map(|pool| Self::for_pool(&pool)).collect()
    }

    fn for_pool(pool: &Arc<Pool>) -> Vec<Self> {
        let labels = LABELS.into_iter().filter(|labels| pool.allows(*labels));
        let with = |labels| PREVALENCES.map(|alpha| Self { pool: Arc::clone(pool), labels, alpha, n: N });
        labels.flat_map(with).collect()
    }

    /// Draws a labelled sample and test scores, which have no case in common.
    ///
    /// The labelled sample is [`truecount::Problem::Inverted`] if its positives score lower on average than its negatives.
    fn draw(&self, rng: &mut ChaCha8Rng) -> (Result<LabelledScores, Error>, Vec<f64>) {
        let Self { pool, labels, alpha, n } = self;
        let labels = *labels as usize;
        let positives = positives(*n, *alpha);
        // In random order, so that the first ones are a random part of them.
        let mut some = |scores: &[f64], tested: u32| -> Vec<f64> {
            scores.to_vec().partial_shuffle(rng, labels + tested as usize).0.to_vec()
        };
        let (positive, negative) =
            (some(pool.scores.positive(), positives), some(pool.scores.negative(), n - positives));
        let train = [&positive[..labels], &negative[..labels]].concat();
        let is_positive: Vec<bool> = (0..2 * labels).map(|i| i < labels).collect();
        (LabelledScores::new(&train, &is_positive), [&positive[labels..], &negative[labels..]].concat())
    }
}

impl Study for PoolsStudy {
    const NAME: &'static str = "pools";
    const REPLICATIONS: u32 = 2000;
    const ARMS: &'static [&'static str] = &["o-cs", "es", "max", "o-cs kernel", "es model", "sld", "kdey-ml", "dys"];

    type Setting = PoolSetting;
    type Shared = ();
    type Statistics = IntervalStatistics;
    type Summary = PoolsSummary;

    fn prepare(_: &PoolSetting, _: &mut ChaCha8Rng) {}

    fn replicate(setting: &PoolSetting, (): &(), rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (train, test) = setting.draw(rng);
        let results = match &train {
            Ok(train) => arms(train, &test),
            Err(inverted) => vec![Err(inverted.clone()); Self::ARMS.len()],
        };
        outcomes(setting.alpha, results)
    }
}

fn arms(train: &LabelledScores, test: &[f64]) -> Vec<Result<Estimate, Error>> {
    let plain = |method| fit_and_estimate(train, &[method], &Settings::default(), test);
    let settings = Settings {
        family: Family::Kernel,
        transform: Transform::Rank,
        rates: Some(RateSource::Model),
        ..Settings::default()
    };
    let kernel = fit_and_estimate(train, &KERNEL, &settings, test);
    PLAIN.map(plain).into_iter().flatten().chain(kernel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Positives 10000, 10001, …, negatives 0, 1, ….
    fn pool(positives: u32, negatives: u32) -> Result<Pool, PoolTooSmall> {
        let scores: Vec<f64> = (10_000..10_000 + positives).chain(0..negatives).map(f64::from).collect();
        let labels: Vec<bool> = scores.iter().map(|score| *score >= 10_000.0).collect();
        Pool::new("pool", LabelledScores::new(&scores, &labels).unwrap())
    }

    #[test]
    fn a_pool_has_the_settings_it_has_room_for() {
        let labels = |positives, negatives| {
            let settings = PoolSetting::all(pool(positives, negatives));
            settings.iter().map(|setting| (setting.labels, setting.alpha)).collect::<Vec<_>>()
        };
        assert_eq!(labels(280, 520), [(30, 0.02), (30, 0.1), (30, 0.5)]);
        assert_eq!(labels(750, 989).len(), 6);
        assert_eq!(labels(749, 990).len(), 6);
        assert_eq!(labels(750, 990).len(), 9);
        let refused = |positives, negatives| pool(positives, negatives).unwrap_err().to_string();
        assert_eq!(
            refused(279, 520),
            "279 positive and 520 negative scores are too few to draw from: 30 labels of each class and test samples of 500 take \
             280 and 520"
        );
        assert!(refused(280, 519).starts_with("280 positive and 519 negative"));
    }

    /// No case twice, and exactly the shares of the design.
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

    /// Every case is as likely to be labelled as any other of its class, and as likely to be tested.
    #[test]
    fn cases_are_equally_likely() {
        let (replications, labels) = (4000, 30.0);
        let setting = &PoolSetting::all(pool(280, 520))[1];
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut seen = [[0_u32; 280]; 2];
        for _ in 0..replications {
            let (train, test) = setting.draw(&mut rng);
            for (seen, scores) in seen.iter_mut().zip([train.unwrap().positive(), &test]) {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // scores are whole numbers
                scores
                    .iter()
                    .filter(|score| **score >= 10_000.0)
                    .for_each(|score| seen[(score - 10_000.0) as usize] += 1);
            }
        }
        for (seen, of_each) in seen.iter().zip([labels, 50.0]) {
            let share: f64 = of_each / 280.0;
            let (mean, sd) =
                (f64::from(replications) * share, (f64::from(replications) * share * (1.0 - share)).sqrt());
            assert!(seen.iter().all(|times| (f64::from(*times) - mean).abs() < 5.0 * sd), "{of_each}: {seen:?}");
        }
    }
}
