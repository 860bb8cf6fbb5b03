//! Does a family fit a class? Cramér and von Mises's statistic of the labelled scores x₁ ≤ … ≤ x_n against the fitted
//! distribution function,
//!
//! ```text
//! W² = 1/(12n) + Σ [F(x_i) − (2i−1)/(2n)]²
//! ```
//!
//! (von Mises 1931; D'Agostino and Stephens 1986, §4.2): n times the mean square error of F, which is the function
//! prevalences are computed from. Anderson and Darling's statistic would weigh the tails more, but it is infinite
//! wherever a likelihood has its maximum with a score at the end of the support, as in the skew-normal's half-normal
//! limit. The law depends on the family and on which parameters were estimated: for large samples it is that of
//! [`goodness_law`](super::goodness_law); where there is none, or on request, it is simulated: samples of the same size are drawn from the
//! fitted distribution, and each gets its own fit (parametric bootstrap; Stute, González Manteiga and Presedo Quindimil 1993).

use super::goodness_law;
use crate::distribution::{Distribution, Family, ScoreDistribution};
use crate::random::stream;
use crate::{Class, Error};

/// A family fitted to a class, and how far the scores are from the fit.
#[derive(Clone, Debug)]
pub struct Goodness {
    class: Class,
    n: usize,
    fitted: ScoreDistribution,
    statistic: f64,
}

impl Goodness {
    /// Fits the family to one class's scores, as they are after the transform.
    ///
    /// # Errors
    /// Those of [`Family::fit`].
    pub fn new(family: Family, class: Class, scores: &[f64]) -> Result<Self, Error> {
        let fitted = family.fit(class, scores)?;
        let statistic = cramer_von_mises(&*fitted, scores);
        Ok(Self { class, n: scores.len(), fitted, statistic })
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The fitted distribution.
    pub fn fitted(&self) -> &ScoreDistribution {
        &self.fitted
    }

    /// W².
    pub fn statistic(&self) -> f64 {
        self.statistic
    }

    /// The probability of a W² at least as large, from the law for large samples; `None` where there is none: at a limit of the family
    /// that moves its support.
    pub fn large_sample_p_value(&self) -> Option<f64> {
        goodness_law::law(&*self.fitted).map(|law| law.upper_tail(self.statistic))
    }

    /// W² of one sample of the same size drawn from the fitted distribution, with its own fit; infinite if that fit
    /// fails, so that the p-value errs upwards.
    pub fn replicate(&self, seed: u64, number: u64) -> f64 {
        let mut rng = stream(seed, number);
        let sample: Vec<f64> = (0..self.n).map(|_| self.fitted.sample(&mut rng)).collect();
        Self::new(self.fitted.family(), self.class, &sample).map_or(f64::INFINITY, |refitted| refitted.statistic)
    }

    /// (1 + #{W²* ≥ W²}) / (1 + B), from B replicates: never below 1/(1 + B). If the parameters were known, it would be
    /// exact as a test at multiples of 1/(1 + B).
    pub fn p_value(&self, replicates: &[f64]) -> f64 {
        let as_large = replicates.iter().filter(|replicate| **replicate >= self.statistic).count();
        (1 + as_large) as f64 / (1 + replicates.len()) as f64
    }
}

/// W².
fn cramer_von_mises(distribution: &dyn Distribution, scores: &[f64]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let each = sorted.iter().enumerate().map(|(i, x)| (distribution.tails(*x).0 - (i as f64 + 0.5) / n).powi(2));
    each.sum::<f64>() + 1.0 / (12.0 * n)
}
