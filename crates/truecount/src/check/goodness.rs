//! Does a family fit a class? Anderson and Darling's statistic of the labelled scores x₁ ≤ … ≤ x_n against the fitted
//! distribution,
//!
//! ```text
//! A² = −n − (1/n) Σ (2i−1) [ln F(x_i) + ln(1 − F(x_{n+1−i}))]
//! ```
//!
//! (Anderson and Darling 1954), which weighs the tails most. Its law depends on the family and on which parameters were
//! estimated (Stephens 1974), so it is simulated: samples of the same size from the fitted distribution, each with its own
//! fit (parametric bootstrap; Stute, González Manteiga and Presedo Quindimil 1993).

use crate::distribution::{Distribution, Family, ScoreDistribution};
use crate::{Class, Error};
use rand::Rng;

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
        let statistic = anderson_darling(&*fitted, scores);
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

    /// A²; infinite where the fit holds a score for impossible.
    pub fn statistic(&self) -> f64 {
        self.statistic
    }

    /// A² of one sample of the same size from the fitted distribution, with its own fit; infinite where that fit fails, so that the
    /// p-value errs upwards.
    pub fn replicate(&self, rng: &mut dyn Rng) -> f64 {
        let sample: Vec<f64> = (0..self.n).map(|_| self.fitted.sample(rng)).collect();
        Self::new(self.fitted.family(), self.class, &sample).map_or(f64::INFINITY, |refitted| refitted.statistic)
    }

    /// (1 + #{A²* ≥ A²}) / (1 + B), from B replicates: never below 1/(1 + B), and exact as a test at its multiples if the
    /// parameters were known.
    pub fn p_value(&self, replicates: &[f64]) -> f64 {
        let as_large = replicates.iter().filter(|replicate| **replicate >= self.statistic).count();
        (1 + as_large) as f64 / (1 + replicates.len()) as f64
    }
}

/// A², from both tails, so that neither loses digits.
fn anderson_darling(distribution: &dyn Distribution, scores: &[f64]) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let each = sorted.iter().enumerate().map(|(i, x)| {
        let (below, above) = distribution.tails(*x);
        (2 * i + 1) as f64 * below.ln() + (2 * (n - i) - 1) as f64 * above.ln()
    });
    -(n as f64) - each.sum::<f64>() / n as f64
}
