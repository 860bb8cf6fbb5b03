//! Drawing test samples of known prevalence from a labelled pool.
//!
//! A protocol says which prevalences the samples have. Within each class, scores are drawn without replacement, and
//! every subset of the required size is equally likely. round(α n) of the n scores are positive, halves rounded away
//! from 0.
//!
//! Sources: Forman (2008), *Quantifying counts and costs via classification*, for the grid (the artificial-prevalence
//! protocol, APP); Esuli, Moreo, Sebastiani and Sperduti (2022), *A detailed overview of `LeQua@CLEF` 2022*, for
//! prevalences uniform on the simplex (UPP), which for two classes amounts to one uniform number, as in Kraemer's
//! algorithm. `QuaPy` 0.2.3 draws all of its samples with replacement, so that a sample may contain a score several
//! times, the more so the smaller the pool. Here it cannot, as in a sample from a population, and a pool that is too
//! small is an error.

use crate::choice::choice;
use crate::scores::taken;
use crate::{Batch, Class, Error, LabelledScores, PerClass};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The prevalences of [`Protocol::Grid`]: 0, 0.05, …, 1.
pub const GRID: u32 = 21;

/// Which prevalences the samples have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// 0, 0.05, …, 1, one sample after another, and again from 0.
    Grid,
    /// Uniform on [0, 1].
    #[default]
    Uniform,
    /// The prevalence of a simple random sample of the pool.
    Natural,
}

impl Protocol {
    /// Every protocol: name, protocol, what it does.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("grid", Self::Grid, "prevalences 0, 0.05, …, 1 by turns (APP)"),
        ("uniform", Self::Uniform, "prevalences uniform on [0, 1] (UPP)"),
        ("natural", Self::Natural, "simple random samples of the pool (NPP)"),
    ];
}

choice!(Protocol, "protocol");

/// Test samples of one size from a labelled pool.
///
/// A sample depends only on the seed and its number (each has its own ChaCha8 stream), so samples can be drawn in any
/// order and by any number of threads.
///
/// # Examples
/// ```
/// use truecount::LabelledScores;
/// use truecount::evaluation::{Draws, Protocol};
/// # fn main() -> Result<(), truecount::Error> {
/// let pool = LabelledScores::new(&[2.1, 1.4, 0.9, -0.2, 0.3, -1.1], &[true, true, true, false, false, false])?;
/// let draws = Draws::new(&pool, Protocol::Grid, 3, 1)?;
/// let sample = draws.sample(10);
/// // Half of three, rounded.
/// assert_eq!(sample.prevalence(), 2.0 / 3.0);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Draws<'a> {
    pool: &'a LabelledScores,
    protocol: Protocol,
    size: usize,
    seed: u64,
}

/// Scores whose labels are known, positives first.
#[derive(Clone, Debug, PartialEq)]
pub struct TestSample {
    scores: Vec<f64>,
    probabilities: Option<Vec<f64>>,
    positives: usize,
}

impl<'a> Draws<'a> {
    /// Samples of `size` scores.
    ///
    /// # Errors
    /// [`Error::PoolTooSmall`] if any sample could need more scores than the pool has, even if none happens to: with
    /// [`Protocol::Natural`] more than all, otherwise more than there are of either class. [`Error::Parameter`] for a
    /// size of 0.
    pub fn new(pool: &'a LabelledScores, protocol: Protocol, size: usize, seed: u64) -> Result<Self, Error> {
        if size == 0 {
            return Err(Error::Parameter { name: "the size of a sample", value: 0.0, domain: "1 or more" });
        }
        let PerClass { positive, negative } = pool.scores().map(Vec::len);
        let needed = match protocol {
            Protocol::Natural => vec![(None, positive + negative)],
            Protocol::Grid | Protocol::Uniform => {
                vec![(Some(Class::Positive), positive), (Some(Class::Negative), negative)]
            }
        };
        match needed.into_iter().find(|(_, n)| *n < size) {
            Some((class, n)) => Err(Error::PoolTooSmall { class, n, size }),
            None => Ok(Self { pool, protocol, size, seed }),
        }
    }

    /// The sample with this number.
    pub fn sample(&self, number: u64) -> TestSample {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let rows = match self.protocol {
            Protocol::Grid => self.rows(on_the_grid(number, self.size), &mut rng),
            Protocol::Uniform => {
                let alpha: f64 = rng.random();
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of the size
                let positives = (alpha * self.size as f64).round() as usize;
                self.rows(positives, &mut rng)
            }
            Protocol::Natural => self.any_rows(&mut rng),
        };
        let of = |column: &PerClass<Vec<f64>>| {
            [taken(&column.positive, &rows.positive), taken(&column.negative, &rows.negative)].concat()
        };
        TestSample {
            scores: of(self.pool.scores()),
            probabilities: self.pool.probabilities().map(of),
            positives: rows.positive.len(),
        }
    }

    /// Rows of each class.
    fn rows(&self, positives: usize, rng: &mut ChaCha8Rng) -> PerClass<Vec<usize>> {
        let PerClass { positive, negative } = self.pool.scores().map(Vec::len);
        PerClass { positive: some(positive, positives, rng), negative: some(negative, self.size - positives, rng) }
    }

    /// Rows of both classes, drawn from the whole pool.
    fn any_rows(&self, rng: &mut ChaCha8Rng) -> PerClass<Vec<usize>> {
        let PerClass { positive, negative } = self.pool.scores().map(Vec::len);
        let (positives, negatives) =
            some(positive + negative, self.size, rng).into_iter().partition::<Vec<_>, _>(|row| *row < positive);
        PerClass { positive: positives, negative: negatives.into_iter().map(|row| row - positive).collect() }
    }
}

/// The number of positives among this many scores in the sample with this number: a share k/20 for the k-th of each
/// turn, halves rounded up. Computed in integers, because 0.35 · 90 is below 31.5 in floating point.
#[allow(clippy::cast_possible_truncation)] // below the number of prevalences
fn on_the_grid(number: u64, size: usize) -> usize {
    let (k, steps) = ((number % u64::from(GRID)) as usize, GRID as usize - 1);
    (2 * k * size + steps) / (2 * steps)
}

/// n of the rows 0 to `of` − 1, without replacement.
fn some(of: usize, n: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    (0..of).collect::<Vec<_>>().partial_shuffle(rng, n).0.to_vec()
}

impl TestSample {
    /// The scores, with their probabilities if the pool has some.
    pub fn batch(&self) -> Batch<'_> {
        Batch { scores: &self.scores, probabilities: self.probabilities.as_deref(), weights: None }
    }

    /// The scores, positives first.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The share of positives.
    pub fn prevalence(&self) -> f64 {
        self.positives as f64 / self.scores.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 positives with the scores 100 to 139 and 60 negatives with 0 to 59; a thousandth of the score as probability.
    fn pool() -> LabelledScores {
        let scores: Vec<f64> = (100..140).chain(0..60).map(f64::from).collect();
        let thousandths: Vec<f64> = scores.iter().map(|s| s / 1000.0).collect();
        LabelledScores::with_probabilities(
            &scores,
            &thousandths,
            &scores.iter().map(|s| *s >= 100.0).collect::<Vec<_>>(),
        )
        .unwrap()
    }

    fn samples(protocol: Protocol, size: usize, n: u64) -> Vec<TestSample> {
        let pool = pool();
        let draws = Draws::new(&pool, protocol, size, 7).unwrap();
        (0..n).map(|number| draws.sample(number)).collect()
    }

    /// Every sample has its size, no row twice, its own probabilities, and says how many of its scores are positive.
    #[test]
    fn samples_are_rows_of_the_pool() {
        for (_, protocol, _) in Protocol::TABLE {
            for sample in samples(*protocol, 40, 200) {
                let mut scores = sample.scores.clone();
                scores.sort_unstable_by(f64::total_cmp);
                scores.dedup();
                assert_eq!(scores.len(), 40);
                let positives = scores.iter().filter(|s| **s >= 100.0).count();
                assert_eq!(sample.prevalence(), positives as f64 / 40.0);
                let batch = sample.batch();
                let pairs = batch.scores.iter().zip(batch.probabilities.unwrap());
                assert!(pairs.into_iter().all(|(score, p)| score / 1000.0 == *p));
            }
        }
    }

    /// 10 times 0, 0.05, …, 1, rounded: halves away from 0.
    #[test]
    fn the_grid_comes_by_turns() {
        let positives: Vec<usize> = samples(Protocol::Grid, 10, 42).iter().map(|sample| sample.positives).collect();
        let round = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10];
        assert_eq!(positives, [round, round].concat());
    }

    /// 0.35 · 90 = 31.5, the product of the nearest doubles is 31.499…: all sizes against the definition, |20 m − k n|
    /// ≤ 10.
    #[test]
    fn the_grid_is_rounded_as_it_says() {
        assert_eq!(on_the_grid(7, 90), 32);
        for (size, k) in (1..=1000_usize).flat_map(|size| (0..=20_usize).map(move |k| (size, k))) {
            let positives = on_the_grid(k as u64 + 42, size);
            let twentieths = 20 * positives;
            assert!(twentieths + 10 > k * size && twentieths <= k * size + 10, "{positives} of {size} at {k}/20");
        }
    }

    /// Of 20000 samples of 8 the number of positives: 0 and 8 half as often as 1 to 7, a sixteenth and an eighth; then
    /// the hypergeometric distribution with mean 8·0.4 and variance 8·0.4·0.6·92/99. Five standard errors.
    #[test]
    fn prevalences_follow_the_protocol() {
        let n = 20_000;
        let of = |protocol| samples(protocol, 8, n).iter().map(|s| s.positives).collect::<Vec<_>>();
        let uniform = of(Protocol::Uniform);
        for k in 0..=8 {
            let expected = if k == 0 || k == 8 { 1.0 / 16.0 } else { 1.0 / 8.0 };
            let share = uniform.iter().filter(|positives| **positives == k).count() as f64 / n as f64;
            let se = (expected * (1.0 - expected) / n as f64).sqrt();
            assert!((share - expected).abs() < 5.0 * se, "{k}: {share}");
        }
        let natural = of(Protocol::Natural);
        let mean = natural.iter().sum::<usize>() as f64 / n as f64;
        let variance = 8.0 * 0.4 * 0.6 * 92.0 / 99.0;
        assert!((mean - 3.2).abs() < 5.0 * (variance / n as f64).sqrt(), "{mean}");
        let found = natural.iter().map(|k| (*k as f64 - 3.2).powi(2)).sum::<f64>() / n as f64;
        // The variance of a squared deviation is below 2 variance² here (negative excess kurtosis).
        assert!((found - variance).abs() < 5.0 * variance * (2.0 / n as f64).sqrt(), "{found}");
    }

    /// Each row is as likely: 40 positives, half of 40 in each sample at ½.
    #[test]
    fn rows_are_equally_likely() {
        let mut seen = [0_u32; 40];
        let n = 4000;
        for sample in samples(Protocol::Grid, 40, 21 * n).iter().skip(10).step_by(21) {
            assert_eq!(sample.positives, 20);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // scores are whole numbers
            sample.scores[..20].iter().for_each(|s| seen[*s as usize - 100] += 1);
        }
        let se = (0.25 * n as f64).sqrt();
        assert!(seen.iter().all(|times| (f64::from(*times) - 0.5 * n as f64).abs() < 5.0 * se), "{seen:?}");
    }

    #[test]
    fn a_sample_is_its_seed_and_number() {
        let pool = pool();
        let draw = |seed, number| Draws::new(&pool, Protocol::Uniform, 20, seed).unwrap().sample(number);
        assert_eq!(draw(1, 5), draw(1, 5));
        assert_ne!(draw(1, 5), draw(1, 6));
        assert_ne!(draw(1, 5), draw(2, 5));
    }

    #[test]
    fn refuses_samples_that_the_pool_is_too_small_for() {
        let pool = pool();
        let error = |protocol, size| Draws::new(&pool, protocol, size, 1).unwrap_err();
        for protocol in [Protocol::Grid, Protocol::Uniform] {
            assert_eq!(error(protocol, 41), Error::PoolTooSmall { class: Some(Class::Positive), n: 40, size: 41 });
        }
        assert_eq!(error(Protocol::Natural, 101), Error::PoolTooSmall { class: None, n: 100, size: 101 });
        assert!(Draws::new(&pool, Protocol::Natural, 100, 1).is_ok());
        assert!(matches!(error(Protocol::Grid, 0), Error::Parameter { .. }));
        assert_eq!(
            error(Protocol::Grid, 41).to_string(),
            "the pool has 40 positive scores, too few for samples of 41 at any prevalence; draw smaller samples"
        );
        assert_eq!(
            error(Protocol::Natural, 101).to_string(),
            "the pool has 100 scores, too few for samples of 101; draw smaller samples"
        );
    }
}
