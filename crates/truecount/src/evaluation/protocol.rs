//! Test samples with known prevalence, drawn from labelled pools.
//!
//! Within each class, scores are drawn without replacement, and every subset of the required size is equally likely. Of
//! the n scores in a sample, round(α n) are positive, halves rounded away from 0.
//!
//! A [`SamplingProtocol`] varies the prevalence alone (prior probability shift). Sources: Forman (2008), *Quantifying
//! counts and costs via classification*, for the grid (the artificial-prevalence protocol, APP); Esuli, Moreo,
//! Sebastiani and Sperduti (2022), *A detailed overview of `LeQua@CLEF` 2022*, for prevalences uniform on the simplex
//! (UPP), which are the gaps between sorted uniform numbers (Kraemer's algorithm). `QuaPy` 0.2.3 draws all samples with
//! replacement, so that a sample may contain a score several times, more often the smaller the pool. Here each score
//! occurs at most once, as in a sample from a population, and a pool that is too small is an error.
//!
//! With two domains, A and B, more than the prevalence can vary: González, Moreo and Sebastiani (2024), *Binary
//! quantification and dataset shift: an experimental investigation*. Global covariate shift is
//! [`TestSampler::global_covariate_shift`], local covariate shift [`TestSampler::local_covariate_shift`]. Concept shift
//! needs no sampler of its own: for it, the pool's labels have another meaning.

use super::sample::{DrawCounts, TestSample, class_sizes};
use crate::choice::choice;
use crate::random::stream;
use crate::{Class, Error, LabelledScores, Problem};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::iter;

/// The number of prevalences of [`SamplingProtocol::Grid`]: 0, 0.05, …, 1.
pub const GRID_SIZE: u32 = 21;

/// A rule for the prevalences of test samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SamplingProtocol {
    /// Prevalences 0, 0.05, …, 1 in turn, and again from 0.
    Grid,
    /// Prevalences uniform on [0, 1], and shares of several classes uniform on the simplex.
    #[default]
    Uniform,
    /// Prevalences of simple random samples of the pool.
    Natural,
}

impl SamplingProtocol {
    /// All protocols: name, protocol, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("grid", Self::Grid, "prevalences 0, 0.05, …, 1 in turn (APP)"),
        ("uniform", Self::Uniform, "prevalences uniform on [0, 1] (UPP)"),
        ("natural", Self::Natural, "simple random samples of the pool (NPP)"),
    ];
}

choice!(SamplingProtocol, "protocol");

impl SamplingProtocol {
    /// Returns the largest numbers of rows that a sample of this size may need.
    pub(super) fn largest_draw(self, classes: usize, size: usize) -> DrawCounts {
        match self {
            Self::Natural => DrawCounts::Total(size),
            Self::Grid | Self::Uniform => DrawCounts::ByClass(vec![size; classes]),
        }
    }

    /// Returns the numbers of rows of the sample with this number; the grid is for two classes.
    pub(super) fn counts(self, number: u64, classes: usize, size: usize, rng: &mut ChaCha8Rng) -> DrawCounts {
        match self {
            Self::Grid => counts_with_positives(grid_positives(number, size), size),
            Self::Uniform => {
                let mut ends: Vec<usize> = (1..classes).map(|_| rounded_share(rng.random(), size)).collect();
                ends.sort_unstable();
                ends.push(size);
                let starts = iter::once(&0).chain(&ends);
                DrawCounts::ByClass(ends.iter().zip(starts).map(|(end, start)| end - start).collect())
            }
            Self::Natural => DrawCounts::Total(size),
        }
    }
}

/// A sampler of test samples of one size from labelled pools.
///
/// A sample depends only on the seed and the sample's number, since each number has its own ChaCha8
/// stream. So samples can be drawn in any order and by any number of threads.
///
/// # Examples
/// ```
/// use truecount::LabelledScores;
/// use truecount::evaluation::{SamplingProtocol, TestSampler};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, -0.2, 0.3, -1.1];
/// let labels = [true, true, true, false, false, false];
/// let pool = LabelledScores::new(&scores, &labels)?;
/// let sampler = TestSampler::new(&pool, SamplingProtocol::Grid, 3, 1)?;
/// let sample = sampler.sample(10);
/// // Half of three, rounded.
/// assert_eq!(sample.prevalence(), 2.0 / 3.0);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct TestSampler<'a> {
    composition: Composition<'a>,
    size: usize,
    seed: u64,
}

#[derive(Clone, Debug)]
enum Composition<'a> {
    /// One pool, with a prevalence that varies by a protocol.
    Varying(&'a LabelledScores, SamplingProtocol),
    /// One or two pools, with the same numbers of scores in every sample.
    Fixed(Vec<(&'a LabelledScores, DrawCounts)>),
}

impl<'a> TestSampler<'a> {
    /// Creates a sampler of `size` scores with prevalences by a protocol.
    ///
    /// # Errors
    /// Returns [`Problem::PoolTooSmall`] if a sample could need more scores than the pool has: with
    /// [`SamplingProtocol::Natural`] more than all scores, otherwise more than there are of either
    /// class. Returns [`Problem::ParameterOutOfRange`] if the size is 0.
    pub fn new(pool: &'a LabelledScores, protocol: SamplingProtocol, size: usize, seed: u64) -> Result<Self, Error> {
        check_pool(pool, &protocol.largest_draw(2, size))?;
        Self::from_composition(Composition::Varying(pool, protocol), size, seed)
    }

    /// Creates a sampler of `size` scores, all samples with the same prevalence.
    ///
    /// # Errors
    /// Returns [`Problem::PoolTooSmall`] if the pool has fewer scores of a class than a sample
    /// needs, and [`Problem::ParameterOutOfRange`] if the prevalence is outside [0, 1] or the size
    /// is 0.
    pub fn with_prevalence(pool: &'a LabelledScores, prevalence: f64, size: usize, seed: u64) -> Result<Self, Error> {
        check_share(PREVALENCE, prevalence, 0.0)?;
        let counts = counts_with_positives(rounded_share(prevalence, size), size);
        Self::with_fixed_counts(vec![(pool, counts)], size, seed)
    }

    /// Creates a sampler with global covariate shift: a `share` of the `size` scores comes from the
    /// first domain, the rest from the second.
    ///
    /// Both domains have the given prevalence. Without one, each domain contributes a simple random
    /// sample, so that the prevalence shifts if the domains' prevalences differ.
    ///
    /// # Errors
    /// Returns [`Problem::PoolTooSmall`] if a domain has fewer scores, or fewer of a class, than a
    /// sample needs, and [`Problem::ParameterOutOfRange`] if the share or the prevalence is outside
    /// [0, 1] or the size is 0.
    pub fn global_covariate_shift(
        domains: [&'a LabelledScores; 2],
        share: f64,
        prevalence: Option<f64>,
        size: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        check_share("the share of a domain", share, 0.0)?;
        prevalence.map_or(Ok(()), |prevalence| check_share(PREVALENCE, prevalence, 0.0))?;
        let first = rounded_share(share, size);
        let second = size - first;
        let [first, second] = prevalence.map_or([DrawCounts::Total(first), DrawCounts::Total(second)], |prevalence| {
            // Rounded over the whole sample, so that its prevalence does not depend on the share.
            let positives = rounded_share(prevalence, size);
            let first_positives = rounded_share(prevalence, first).clamp(positives.saturating_sub(second), positives);
            [counts_with_positives(first_positives, first), counts_with_positives(positives - first_positives, second)]
        });
        Self::with_fixed_counts(vec![(domains[0], first), (domains[1], second)], size, seed)
    }

    /// Creates a sampler with local covariate shift: only the share of the first domain's positives
    /// varies with the prevalence, which is ¼ or more.
    ///
    /// The other three parts keep their proportions: positives of the second domain, negatives of
    /// the first and negatives of the second as 1 : 1 : 2. At a prevalence of ½, two thirds of the
    /// positives come from the first domain and two thirds of the negatives from the second.
    ///
    /// González et al. keep the number of the other scores, so that samples grow with the
    /// prevalence; here all samples have `size` scores.
    ///
    /// # Errors
    /// Returns [`Problem::PoolTooSmall`] if a domain has fewer scores of a class than a sample
    /// needs, and [`Problem::ParameterOutOfRange`] if the prevalence is outside [¼, 1] or the size
    /// is 0.
    pub fn local_covariate_shift(
        domains: [&'a LabelledScores; 2],
        prevalence: f64,
        size: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        check_share(PREVALENCE, prevalence, 0.25)?;
        let positives = rounded_share(prevalence, size);
        let negatives = size - positives;
        // A third of the negatives, rounded; at ¼ the number of all positives, up to rounding.
        let third = ((2 * negatives + 3) / 6).min(positives);
        let first = [positives - third, third.min(negatives)];
        let second = [third, negatives - first[1]];
        let parts = domains.into_iter().zip([first, second]);
        Self::with_fixed_counts(parts.map(|(pool, n)| (pool, DrawCounts::ByClass(n.to_vec()))).collect(), size, seed)
    }

    fn with_fixed_counts(parts: Vec<(&'a LabelledScores, DrawCounts)>, size: usize, seed: u64) -> Result<Self, Error> {
        parts.iter().try_for_each(|(pool, take)| check_pool(pool, take))?;
        Self::from_composition(Composition::Fixed(parts), size, seed)
    }

    fn from_composition(composition: Composition<'a>, size: usize, seed: u64) -> Result<Self, Error> {
        Error::unless_in_domain(size > 0, ("the size of a sample", 0.0), "1 or more")?;
        Ok(Self { composition, size, seed })
    }

    /// Draws the sample with this number.
    pub fn sample(&self, number: u64) -> TestSample {
        let mut rng = stream(self.seed, number);
        match &self.composition {
            Composition::Varying(pool, protocol) => {
                let take = protocol.counts(number, 2, self.size, &mut rng);
                TestSample::draw(&[(*pool, take)], &mut rng)
            }
            Composition::Fixed(parts) => TestSample::draw(parts, &mut rng),
        }
    }
}

const PREVALENCE: &str = "the prevalence of the samples";

/// Checks that a share lies in [`minimum`, 1], where `minimum` is 0 or ¼.
fn check_share(name: &'static str, value: f64, minimum: f64) -> Result<(), Error> {
    let domain = if minimum > 0.0 { "between ¼ and 1" } else { "between 0 and 1" };
    Error::unless_in_domain((minimum..=1.0).contains(&value), (name, value), domain)
}

fn check_pool(pool: &LabelledScores, take: &DrawCounts) -> Result<(), Error> {
    take.shortage(&class_sizes(pool)).map_or(Ok(()), |(class, n, size)| {
        let class = class.map(|index| [Class::Positive, Class::Negative][index]);
        Err(Problem::PoolTooSmall { class, n, size }.into())
    })
}

/// Returns round(share · n), halves rounded up.
///
/// The product is raised by a few rounding errors, since the double nearest to a decimal share may
/// be slightly too small.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of n
fn rounded_share(share: f64, n: usize) -> usize {
    ((share * n as f64 * (1.0 + 4.0 * f64::EPSILON)).round() as usize).min(n)
}

fn counts_with_positives(positives: usize, n: usize) -> DrawCounts {
    DrawCounts::ByClass(vec![positives, n - positives])
}

/// Returns the number of positives among `size` scores in the sample with this number.
///
/// The prevalence is k/20 for the k-th sample of each turn, halves rounded up. The number is
/// computed in integers, because 0.35 · 90 is below 31.5 in floating point.
#[allow(clippy::cast_possible_truncation)] // below the number of prevalences
fn grid_positives(number: u64, size: usize) -> usize {
    let (k, steps) = ((number % u64::from(GRID_SIZE)) as usize, GRID_SIZE as usize - 1);
    (2 * k * size + steps) / (2 * steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates 40 positives with scores 100 to 139 and 60 negatives with scores 0 to 59; probabilities are score/1000.
    fn pool() -> LabelledScores {
        let scores: Vec<f64> = (100..140).chain(0..60).map(f64::from).collect();
        let thousandths: Vec<f64> = scores.iter().map(|s| s / 1000.0).collect();
        LabelledScores::builder(&scores, &scores.iter().map(|s| *s >= 100.0).collect::<Vec<_>>())
            .probabilities(&thousandths)
            .build()
            .unwrap()
    }

    fn samples(protocol: SamplingProtocol, size: usize, n: u64) -> Vec<TestSample> {
        let pool = pool();
        let draws = TestSampler::new(&pool, protocol, size, 7).unwrap();
        (0..n).map(|number| draws.sample(number)).collect()
    }

    /// Every sample has the right size, no row twice, the probabilities of its scores and the right
    /// number of positives.
    #[test]
    fn samples_are_rows_of_the_pool() {
        for (_, protocol, _) in SamplingProtocol::TABLE {
            for sample in samples(*protocol, 40, 200) {
                let mut scores = sample.scores().to_vec();
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

    /// All sizes satisfy the definition |20 m − k n| ≤ 10, even 0.35 · 90 = 31.5, whose product of
    /// the nearest doubles is 31.499….
    #[test]
    fn grid_counts_are_rounded_exactly() {
        assert_eq!(grid_positives(7, 90), 32);
        for (size, k) in (1..=1000_usize).flat_map(|size| (0..=20_usize).map(move |k| (size, k))) {
            let positives = grid_positives(k as u64 + 42, size);
            let twentieths = 20 * positives;
            assert!(twentieths + 10 > k * size && twentieths <= k * size + 10, "{positives} of {size} at {k}/20");
        }
    }

    /// The number of positives in 20000 samples of 8. Uniform: 0 and 8 with probability 1/16, 1 to 7 with 1/8. Natural:
    /// the hypergeometric distribution with mean 8·0.4 and variance 8·0.4·0.6·92/99. Tolerance: five standard errors.
    #[test]
    fn prevalences_follow_the_protocol() {
        let n = 20_000;
        let positives_by = |protocol| samples(protocol, 8, n).iter().map(TestSample::positives).collect::<Vec<_>>();
        let uniform = positives_by(SamplingProtocol::Uniform);
        for k in 0..=8 {
            let expected = if k == 0 || k == 8 { 1.0 / 16.0 } else { 1.0 / 8.0 };
            let share = uniform.iter().filter(|positives| **positives == k).count() as f64 / n as f64;
            let se = (expected * (1.0 - expected) / n as f64).sqrt();
            assert!((share - expected).abs() < 5.0 * se, "{k}: {share}");
        }
        let natural = positives_by(SamplingProtocol::Natural);
        let mean = natural.iter().sum::<usize>() as f64 / n as f64;
        let variance = 8.0 * 0.4 * 0.6 * 92.0 / 99.0;
        assert!((mean - 3.2).abs() < 5.0 * (variance / n as f64).sqrt(), "{mean}");
        let sample_variance = natural.iter().map(|k| (*k as f64 - 3.2).powi(2)).sum::<f64>() / n as f64;
        // The variance of a squared deviation is below 2 variance² here (negative excess kurtosis).
        assert!((sample_variance - variance).abs() < 5.0 * variance * (2.0 / n as f64).sqrt(), "{sample_variance}");
    }

    /// All rows are equally likely: at prevalence ½, each sample of 40 has 20 of the 40 positives.
    #[test]
    fn rows_are_equally_likely() {
        let mut times_drawn = [0_u32; 40];
        let n = 4000;
        for sample in samples(SamplingProtocol::Grid, 40, 21 * n).iter().skip(10).step_by(21) {
            assert_eq!(sample.positives(), 20);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // scores are whole numbers
            sample.scores()[..20].iter().for_each(|s| times_drawn[*s as usize - 100] += 1);
        }
        let se = (0.25 * n as f64).sqrt();
        let is_near = |times: &u32| (f64::from(*times) - 0.5 * n as f64).abs() < 5.0 * se;
        assert!(times_drawn.iter().all(is_near), "{times_drawn:?}");
    }

    #[test]
    fn samples_larger_than_the_pool_fail() {
        let pool = pool();
        let error = |protocol, size| TestSampler::new(&pool, protocol, size, 1).unwrap_err();
        for protocol in [SamplingProtocol::Grid, SamplingProtocol::Uniform] {
            let problem = Problem::PoolTooSmall { class: Some(Class::Positive), n: 40, size: 41 };
            assert_eq!(error(protocol, 41), problem.into());
        }
        let problem = Problem::PoolTooSmall { class: None, n: 100, size: 101 };
        assert_eq!(error(SamplingProtocol::Natural, 101), problem.into());
        assert!(TestSampler::new(&pool, SamplingProtocol::Natural, 100, 1).is_ok());
        assert_eq!(error(SamplingProtocol::Grid, 0).code(), "parameter-out-of-range");
    }

    /// Creates a domain whose negatives begin at `first` and whose positives begin at `first` + 500.
    fn domain(first: u32) -> LabelledScores {
        let scores: Vec<f64> = (first + 500..first + 600).chain(first..first + 200).map(f64::from).collect();
        let positive: Vec<bool> = (0..300).map(|i| i < 100).collect();
        LabelledScores::new(&scores, &positive).unwrap()
    }

    /// Counts the positives and negatives of domain A and of domain B.
    fn count_parts(sample: &TestSample) -> [usize; 4] {
        let count = |from: f64, to: f64| sample.scores().iter().filter(|s| **s >= from && **s < to).count();
        let counts = [count(500.0, 1000.0), count(0.0, 500.0), count(1500.0, 2000.0), count(1000.0, 1500.0)];
        assert_eq!(sample.positives(), counts[0] + counts[2]);
        // Positives are first.
        assert!(sample.scores()[..sample.positives()].iter().all(|s| s.rem_euclid(1000.0) >= 500.0));
        counts
    }

    #[test]
    fn shares_are_rounded_as_decimal_numbers() {
        let shares = [(0.35, 90), (0.5, 5), (0.0, 9), (1.0, 9), (0.449_999, 10)];
        assert_eq!(shares.map(|(share, n)| rounded_share(share, n)), [32, 3, 0, 9, 4]);
        let pool = pool();
        let at = TestSampler::with_prevalence(&pool, 0.3, 10, 1).unwrap();
        assert!((0..50).all(|number| at.sample(number).positives() == 3));
        assert_eq!(TestSampler::with_prevalence(&pool, 1.01, 10, 1).unwrap_err().code(), "parameter-out-of-range");
    }

    /// Both domains have the same prevalence, or a hypergeometric number of positives, here with mean 40/3.
    #[test]
    fn global_covariate_shift_mixes_domains() {
        let (a, b) = (domain(0), domain(1000));
        let pure = TestSampler::global_covariate_shift([&a, &b], 0.25, Some(0.5), 80, 3).unwrap();
        assert!((0..20).all(|number| count_parts(&pure.sample(number)) == [10, 10, 30, 30]));
        let mixed = TestSampler::global_covariate_shift([&a, &b], 0.5, None, 80, 3).unwrap();
        let n = 4000;
        let counts: Vec<[usize; 4]> = (0..n).map(|number| count_parts(&mixed.sample(number))).collect();
        assert!(counts.iter().all(|[p, n, q, m]| p + n == 40 && q + m == 40));
        let mean = counts.iter().map(|parts| parts[0]).sum::<usize>() as f64 / n as f64;
        let variance = 40.0 / 3.0 * (2.0 / 3.0) * 260.0 / 299.0;
        assert!((mean - 40.0 / 3.0).abs() < 5.0 * (variance / n as f64).sqrt(), "{mean}");
        for (share, percent) in (0..=20).flat_map(|k| (0..=100).map(move |percent| (f64::from(k) / 20.0, percent))) {
            let prevalence = f64::from(percent) / 100.0;
            let draws = TestSampler::global_covariate_shift([&a, &b], share, Some(prevalence), 33, 3).unwrap();
            let [p, n, q, m] = count_parts(&draws.sample(0));
            assert_eq!((p + n, p + q, p + n + q + m), (rounded_share(share, 33), rounded_share(prevalence, 33), 33));
        }
        let needed = TestSampler::global_covariate_shift([&a, &b], 0.1, Some(0.9), 200, 3).unwrap_err();
        assert_eq!(needed, Problem::PoolTooSmall { class: Some(Class::Positive), n: 100, size: 162 }.into());
    }

    /// At ½ as in González et al.: positives of A and B as 2 : 1, negatives as 1 : 2. Elsewhere
    /// only the share of A's positives varies.
    #[test]
    fn local_covariate_shift_varies_one_part() {
        let (a, b) = (domain(0), domain(1000));
        let at = |prevalence| {
            count_parts(&TestSampler::local_covariate_shift([&a, &b], prevalence, 120, 3).unwrap().sample(0))
        };
        assert_eq!(at(0.5), [40, 20, 20, 40]);
        assert_eq!(at(0.25), [0, 30, 30, 60]);
        assert_eq!(at(0.75), [80, 10, 10, 20]);
        for (size, percent) in (1..60).flat_map(|size| (25..=100).map(move |percent| (size, percent))) {
            let prevalence = f64::from(percent) / 100.0;
            let [p, n, q, m] =
                count_parts(&TestSampler::local_covariate_shift([&a, &b], prevalence, size, 3).unwrap().sample(0));
            assert_eq!(p + n + q + m, size);
            assert_eq!(p + q, rounded_share(prevalence, size));
            assert!(n.abs_diff(q) <= 1 && (2 * n).abs_diff(m) <= 2, "{size}, {percent} %: {p} {n} {q} {m}");
        }
        let error = TestSampler::local_covariate_shift([&a, &b], 0.2, 120, 3).unwrap_err();
        assert_eq!(error.code(), "parameter-out-of-range");
    }
}
