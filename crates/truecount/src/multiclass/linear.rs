//! Shares of several classes from means of L ≥ K functions of the probabilities.
//!
//! With h(x) the K probabilities (`pacc`) or the indicators of the class with the highest one (`ac`),
//! m_k and S_k the mean and covariance of h among the n_k labelled rows of class k, and M = [m_k],
//!
//! ```text
//! π̂ = M⁻¹ h̄,    V = M⁻¹ (Σ_k c_k S_k) M⁻ᵀ,    c_k = π_k/n + π_k²/n_k
//! ```
//!
//! (Vucetic and Obradovic, *Classification on data with biased class distribution*, 2001; Bella et
//! al. 2010 for probabilities). V is about the shares of the sample; for those of a
//! population, M⁻¹ (Σ_k π_k (m_k − m̄)(m_k − m̄)ᵀ/n) M⁻ᵀ is added, with m̄ = Σ_k π_k m_k. The shares have
//! the sum 1; if one is negative, the nearest shares of which none is negative are taken, in the metric
//! of V. If L > K, as with verdicts other than the classes, M⁻¹ is (MᵀDM)⁻¹MᵀD with D = diag(1/h̄) of the labelled
//! rows: generalised least squares, which keeps the sum 1. `cc` replaces M⁻¹ by the identity and leaves out π_k²/n_k;
//! the π of its V are those of `ac`. Under a design of the labelled rows, Σ_k π_k² S_k/n_k is replaced by the design
//! covariance of Σ_k π_k m_k (`multiclass::labelled`).

use super::labelled::{LabelledErrors, LabelledSample};
use super::sampling::ShareErrors;
use crate::Problem;
use crate::numeric::dense::{Cholesky, Matrix, dot};
use std::borrow::Cow;

/// Means of L functions, with their means and covariances in the labelled classes.
#[derive(Clone, Debug)]
pub(super) struct ClassMeans {
    /// The means m, a row for each class.
    pub(super) means: Matrix,
    /// The covariance S of each class.
    covariances: Vec<Matrix>,
    /// Λ, the covariance of the class means, shape (K L, K L).
    pub(super) errors: LabelledErrors,
    /// M⁻¹; `None` if M is singular.
    inverse: Option<Matrix>,
    is_corrected: bool,
}

impl ClassMeans {
    /// Computes the means of labelled rows with these functions, shape (n, L), with or without the correction for the
    /// classifier's errors.
    ///
    /// # Errors
    /// Returns [`Problem::ClassesIndistinct`] if M is singular and needed.
    pub(super) fn new(functions: &Matrix, sample: &LabelledSample, is_corrected: bool) -> Result<Self, Problem> {
        let (columns, classes, counts) = (functions.columns(), sample.sizes.len(), sample.sizes.clone());
        let rows_of = |class: usize| {
            let rows = functions.iter_rows().zip(&sample.labels).zip(sample.weights);
            rows.filter(move |((_, label), _)| **label == class).map(|((row, _), n)| (row, n))
        };
        let sum = |k: usize, j: usize| rows_of(k).map(|(row, n)| n * row[j]).sum::<f64>();
        let means = Matrix::from_fn(classes, columns, |k, j| sum(k, j) / counts[k]);
        let covariances = (0..classes).map(|k| {
            let mut covariance = Matrix::zeros(columns, columns);
            for (row, n) in rows_of(k) {
                let deviations: Vec<f64> = row.iter().zip(means.row(k)).map(|(x, mean)| x - mean).collect();
                covariance.add_outer_product(n / (counts[k] - 1.0).max(f64::EPSILON), &deviations);
            }
            covariance
        });
        let covariances: Vec<Matrix> = covariances.collect();
        let size = classes * columns;
        let value = |i: usize, j: usize| {
            let label = sample.labels[i];
            if j / columns == label { functions[(i, j % columns)] / counts[label] } else { 0.0 }
        };
        let errors = match sample.unit_contributions(size, value) {
            None => LabelledErrors::independent(Matrix::from_fn(size, size, |i, j| match i / columns {
                class if class == j / columns => covariances[class][(i % columns, j % columns)] / counts[class],
                _ => 0.0,
            })),
            Some(units) => LabelledErrors::new(&Matrix::zeros(size, size), units, sample.max_dof()),
        };
        // M⁻¹ = (MᵀDM)⁻¹MᵀD, with D = I if L = K; the rows of `means` are the columns of M.
        let n: f64 = counts.iter().sum();
        let weight = |j: usize| {
            let all = (0..classes).map(|k| sum(k, j)).sum::<f64>() / n;
            if columns == classes {
                1.0
            } else if all > 0.0 {
                all.recip()
            } else {
                0.0
            }
        };
        let weights: Vec<f64> = (0..columns).map(weight).collect();
        let weighted = Matrix::from_fn(classes, columns, |k, j| means[(k, j)] * weights[j]);
        let gram = Matrix::from_fn(classes, classes, |i, j| dot(weighted.row(i), means.row(j)));
        let inverse = Cholesky::new(&gram).map(|gram| gram.inverse().product(&weighted));
        if is_corrected && inverse.is_none() {
            return Err(Problem::ClassesIndistinct);
        }
        Ok(Self { means, covariances, errors, inverse, is_corrected })
    }

    /// M⁻¹ with the correction, and `None` without.
    fn correction(&self) -> Option<&Matrix> {
        self.inverse.as_ref().filter(|_| self.is_corrected)
    }

    /// Returns the estimated shares for these means of the functions, which may be negative.
    fn solve(&self, means: &[f64]) -> Vec<f64> {
        self.correction().map_or_else(|| means.to_vec(), |inverse| inverse.times(means))
    }

    /// Returns the covariance of the estimated shares of n rows if they estimate these. `fpc` is the
    /// fraction of the sampling variance of a population that applies to the target.
    fn covariance(&self, estimated: &[f64], n: f64, fpc: f64) -> Matrix {
        let uncorrected = self.inverse.as_ref().filter(|_| !self.is_corrected);
        let shares = uncorrected.map_or(estimated.to_vec(), |inverse| raised(&inverse.times(estimated), 0.0));
        let columns = self.means.columns();
        let mean: Vec<f64> = (0..columns)
            .map(|j| shares.iter().enumerate().map(|(k, share)| share * self.means[(k, j)]).sum())
            .collect();
        let mut sum = Matrix::zeros(columns, columns);
        for (k, share) in shares.iter().enumerate() {
            for (own, row) in sum.iter_rows_mut().zip(self.covariances[k].iter_rows()) {
                own.iter_mut().zip(row).for_each(|(sum, x)| *sum += share / n * x);
            }
            let from_mean: Vec<f64> = self.means.row(k).iter().zip(&mean).map(|(x, mean)| x - mean).collect();
            sum.add_outer_product(fpc * share / n, &from_mean);
        }
        if self.is_corrected {
            for (k, share) in shares.iter().enumerate() {
                // Without a design, classes have no covariances.
                let others = shares.iter().enumerate().filter(|(l, _)| *l == k || self.errors.has_design());
                for (l, other) in others {
                    for (j, row) in sum.iter_rows_mut().enumerate() {
                        let block = &self.errors.covariance.row(k * columns + j)[l * columns..(l + 1) * columns];
                        row.iter_mut().zip(block).for_each(|(sum, x)| *sum += share * other * x);
                    }
                }
            }
        }
        self.correction().map_or(sum.clone(), |inverse| inverse.sandwich(&sum))
    }
}

/// Shares from the means of functions of the test rows.
pub(super) struct LinearShares<'a> {
    means: &'a ClassMeans,
    /// The functions of the test rows.
    functions: Cow<'a, Matrix>,
    /// The number of test rows.
    n: f64,
    /// The shares, which may be negative.
    solved: Vec<f64>,
}

impl<'a> LinearShares<'a> {
    /// Solves for the shares of n rows, counting repeats; n is the sum of the weights of the stored rows.
    pub(super) fn new(means: &'a ClassMeans, functions: Cow<'a, Matrix>, (weights, n): (&[f64], f64)) -> Self {
        let sum = |k| functions.iter_rows().zip(weights).map(|(row, weight)| weight * row[k]).sum::<f64>();
        let mean = |k| sum(k) / n;
        let solved = means.solve(&(0..functions.columns()).map(mean).collect::<Vec<_>>());
        Self { means, functions, n, solved }
    }
}

impl ShareErrors for LinearShares<'_> {
    fn shares(&self, fpc: f64) -> Vec<f64> {
        project_to_simplex(&self.solved, &self.covariance(self.n, fpc))
    }

    fn covariance(&self, n: f64, fpc: f64) -> Matrix {
        self.means.covariance(&raised(&self.solved, 0.0), n, fpc)
    }

    fn variances(&self, class: usize, shares: &[f64], n: f64, fpc: f64) -> [f64; 2] {
        let variance = |n: f64, fpc: f64| self.means.covariance(shares, n, fpc)[(class, class)];
        let all = variance(n, fpc);
        [all, all - variance(f64::INFINITY, 0.0)]
    }

    fn derivatives(&self) -> Matrix {
        let (shares, columns) = (raised(&self.solved, 0.0), self.functions.columns());
        let (classes, size) = (shares.len(), shares.len() * columns);
        let Some(inverse) = self.means.correction() else { return Matrix::zeros(classes, size) };
        Matrix::from_fn(classes, size, |i, j| shares[j / columns] * inverse[(i, j % columns)])
    }

    fn influences(&self) -> Matrix {
        let solved = self.functions.iter_rows().flat_map(|row| self.means.solve(row));
        Matrix::from_values(self.solved.len(), solved.collect())
    }

    fn is_from_labelled_rows(&self) -> bool {
        false
    }

    fn raw(&self) -> Vec<f64> {
        self.solved.clone()
    }
}

/// Returns the indicators of the class with the highest probability in each row.
pub(super) fn indicators(probabilities: &Matrix) -> Matrix {
    let tops: Vec<usize> = probabilities.iter_rows().map(|row| top_class(row).0).collect();
    Matrix::from_fn(tops.len(), probabilities.columns(), |i, k| f64::from(u8::from(tops[i] == k)))
}

/// Returns the first class with the highest probability, and the probability.
pub(super) fn top_class(row: &[f64]) -> (usize, f64) {
    let mut top = (0, row[0]);
    for (k, p) in row.iter().enumerate() {
        if *p > top.1 {
            top = (k, *p);
        }
    }
    top
}

/// Returns the nearest shares of which none is negative, in the metric of a covariance, for shares
/// with the sum 1: the dual active-set method, with a multiplier for each share that is 0.
pub(super) fn project_to_simplex(shares: &[f64], covariance: &Matrix) -> Vec<f64> {
    let mut multipliers = vec![0.0; shares.len()];
    let mut active: Vec<usize> = Vec::new();
    let mut projected = shares.to_vec();
    // Rounding may leave a share of -1e-17, which no multiplier corrects.
    let lowest = |projected: &[f64], active: &[usize]| {
        let free = (0..projected.len()).filter(|k| !active.contains(k) && projected[*k] < -1e-12);
        free.min_by(|i, j| projected[*i].total_cmp(&projected[*j]))
    };
    while let Some(k) = lowest(&projected, &active) {
        active.push(k);
        loop {
            let inner = Matrix::from_fn(active.len(), active.len(), |i, j| covariance[(active[i], active[j])]);
            let Some(inner) = Cholesky::new(&inner) else { return raised(&projected, 0.0) };
            let wanted: Vec<f64> = active.iter().map(|k| -shares[*k]).collect();
            let solution = inner.solve(&wanted);
            let mut target = vec![0.0; shares.len()];
            active.iter().zip(&solution).for_each(|(k, multiplier)| target[*k] = *multiplier);
            let falling = active.iter().filter(|k| target[**k] <= 0.0);
            let step = falling.map(|k| multipliers[*k] / (multipliers[*k] - target[*k])).reduce(f64::min);
            let Some(step) = step else {
                multipliers = target;
                break;
            };
            multipliers.iter_mut().zip(&target).for_each(|(m, t)| *m += step * (t - *m));
            active.retain(|k| multipliers[*k] > 0.0);
        }
        let moved = covariance.times(&multipliers);
        projected = shares.iter().zip(&moved).map(|(share, x)| share + x).collect();
        for k in &active {
            projected[*k] = 0.0;
        }
    }
    raised(&projected, 0.0)
}

/// Returns the shares raised to at least this value, and divided by their sum.
pub(super) fn raised(shares: &[f64], least: f64) -> Vec<f64> {
    let sum: f64 = shares.iter().map(|share| share.max(least)).sum();
    shares.iter().map(|share| share.max(least) / sum).collect()
}
