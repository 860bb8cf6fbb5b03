//! Test samples with known shares of several classes.

use super::SamplingProtocol;
use crate::random::stream;
use crate::{Error, Problem};

/// A sampler of test samples of one size from a pool with two or more classes.
///
/// It draws rows as [`TestSampler`](super::TestSampler) draws scores.
#[derive(Clone, Debug)]
pub struct ClassSampler {
    pool: Vec<usize>,
    protocol: SamplingProtocol,
    size: usize,
    seed: u64,
}

impl ClassSampler {
    /// Creates a sampler of `size` rows from a pool with these numbers of rows of each class.
    ///
    /// # Errors
    /// Returns [`Problem::PoolTooSmall`] if a sample could need more rows than the pool has, with the index of the
    /// class as [set](crate::error::ErrorLocation::set) unless all classes together have too few; and
    /// [`Problem::ParameterOutOfRange`] if the size is 0, and for the grid unless there are two classes.
    pub fn new(pool: Vec<usize>, protocol: SamplingProtocol, size: usize, seed: u64) -> Result<Self, Error> {
        Error::unless_in_domain(size > 0, ("the size of a sample", 0.0), "1 or more")?;
        let (is_possible, classes) = (protocol != SamplingProtocol::Grid || pool.len() == 2, pool.len() as f64);
        Error::unless_in_domain(is_possible, ("the number of classes", classes), "2 for the grid")?;
        match protocol.largest_draw(pool.len(), size).shortage(&pool) {
            Some((class, n, size)) => {
                let error = Error::from(Problem::PoolTooSmall { class: None, n, size });
                Err(class.into_iter().fold(error, Error::in_set))
            }
            None => Ok(Self { pool, protocol, size, seed }),
        }
    }

    /// Draws the sample with this number: the rows of each class, numbered from 0.
    pub fn sample(&self, number: u64) -> Vec<Vec<usize>> {
        let mut rng = stream(self.seed, number);
        self.protocol.counts(number, self.pool.len(), self.size, &mut rng).draw(&self.pool, &mut rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LabelledScores;
    use crate::evaluation::TestSampler;

    fn sampler(pool: &[usize], protocol: SamplingProtocol, size: usize) -> ClassSampler {
        ClassSampler::new(pool.to_vec(), protocol, size, 7).unwrap()
    }

    /// Uniform on the simplex: every share of four classes has the mean 1/4 and the variance 3/80, and two shares have
    /// the covariance −1/80. Rounding to 1/2000 is negligible. Tolerance: five standard errors of means of values with
    /// standard deviations below 0.2 and 0.06.
    #[test]
    fn shares_are_uniform_on_the_simplex() {
        let sampler = sampler(&[2000; 4], SamplingProtocol::Uniform, 2000);
        let n = 2000;
        let deviations = |number| sampler.sample(number).iter().map(|rows| rows.len() as f64 / 2000.0 - 0.25).collect();
        let samples: Vec<Vec<f64>> = (0..n).map(deviations).collect();
        let mean = |value: &dyn Fn(&Vec<f64>) -> f64| samples.iter().map(value).sum::<f64>() / n as f64;
        let se = 1.0 / (n as f64).sqrt();
        for i in 0..4 {
            assert!(mean(&|shares| shares[i]).abs() < 5.0 * 0.2 * se);
            for j in 0..4 {
                let expected = if i == j { 3.0 / 80.0 } else { -1.0 / 80.0 };
                let moment = mean(&|shares| shares[i] * shares[j]);
                assert!((moment - expected).abs() < 5.0 * 0.06 * se, "{i} {j}: {moment}");
            }
        }
    }

    /// Two classes have the rows of [`TestSampler`], to the bit.
    #[test]
    fn two_classes_have_the_rows_of_positives_and_negatives() {
        let scores: Vec<f64> = (100..140).chain(0..60).map(f64::from).collect();
        let pool = LabelledScores::new(&scores, &scores.iter().map(|s| *s >= 100.0).collect::<Vec<_>>()).unwrap();
        for (_, protocol, _) in SamplingProtocol::TABLE {
            let (two, classes) =
                (TestSampler::new(&pool, *protocol, 30, 7).unwrap(), sampler(&[40, 60], *protocol, 30));
            for number in 0..50 {
                let [positive, negative] = classes.sample(number).try_into().unwrap();
                let rows = positive.iter().map(|row| row + 100).chain(negative).map(|row| row as f64);
                assert_eq!(rows.collect::<Vec<_>>(), two.sample(number).scores());
            }
        }
    }

    /// Natural: 5 of 10 rows are each drawn with probability 1/2, so the class of 3 has the mean 3/2 and a variance
    /// below 1. Tolerance: five standard errors.
    #[test]
    fn natural_samples_have_the_shares_of_the_pool() {
        let sampler = sampler(&[2, 3, 5], SamplingProtocol::Natural, 5);
        let samples: Vec<Vec<Vec<usize>>> = (0..2000).map(|number| sampler.sample(number)).collect();
        let mean = samples.iter().map(|rows| rows[1].len() as f64).sum::<f64>() / 2000.0;
        assert!((mean - 1.5).abs() < 0.112, "{mean}");
        let is_valid = |rows: &Vec<Vec<usize>>| rows.concat().len() == 5 && rows[1].iter().all(|row| *row < 3);
        assert!(samples.iter().all(is_valid));
    }

    #[test]
    fn impossible_samples_are_errors() {
        let error = |pool: &[usize], protocol, size| ClassSampler::new(pool.to_vec(), protocol, size, 1).unwrap_err();
        let small = error(&[6, 3, 9], SamplingProtocol::Uniform, 4);
        assert_eq!((small.location().set, small.code()), (Some(1), "pool-too-small"));
        assert_eq!(error(&[1, 1, 1], SamplingProtocol::Natural, 4).location().set, None);
        for (protocol, size) in [(SamplingProtocol::Uniform, 0), (SamplingProtocol::Grid, 1)] {
            assert_eq!(error(&[6, 3, 9], protocol, size).code(), "parameter-out-of-range");
        }
    }
}
