//! Calibration of the probabilities of several classes by the labelled rows.
//!
//! With z the logarithms of a row's K probabilities, raised to a floor, less their means among the
//! labelled rows, and x = (z, 1), the calibrated probabilities are
//!
//! ```text
//! P(k | x) ∝ exp(x · w_k)
//! ```
//!
//! This is multinomial logistic regression on the log probabilities, or matrix scaling (Guo, Pleiss,
//! Sun and Weinberger, *On calibration of modern neural networks*, 2017), with the penalty
//!
//! ```text
//! ½λ Σ_jk Var(z_j) (w_jk − tδ_jk)² + ½ 0.1 Σ_j Var(z_j) (t − 1)²,    t = Σ_j Var(z_j) w_jj / Σ_j Var(z_j)
//! ```
//!
//! towards temperature scaling, a common slope t. The slope is nearly free: if it were drawn to 1, the shares of an
//! overconfident classifier would be too equal; if it were free, it would be extreme with few labels. λ maximises √λ
//! times Laplace's approximation of the evidence, among five values. The factor √λ favours stronger penalties.
//!
//! The floor c bounds the ratios of classes: probabilities near 0 are often wrong, because a class has heavier tails
//! than the classifier assumes, or because they were rounded. It maximises the evidence at λ = 1 times
//! (c/1e-6)^(−½/ln 10), among 1e-6, 1e-4, 1e-3 and 1e-2: a tenfold floor must be better by a factor of √e.
//!
//! The ratios of the class densities are r_k(x) = P(k | x) n/n_k. With free intercepts this is right
//! however many rows of each class were labelled (Prentice and Pyke, *Logistic disease incidence
//! models and case-control studies*, 1979): the numbers n_k are then no source of error, so 1/n_k is
//! subtracted from the variance of each intercept. Under a design of the labelled rows, their weights multiply the log
//! likelihood, with H the penalised Hessian, P that of the penalty and G the design covariance of the scores within
//! classes (`multiclass::labelled`), and the covariance is H⁻¹(G + P)H⁻¹.
//!
//! Where the regression does not follow the classes, the mean of a function s(x) among the labelled
//! rows of class k differs from the mean that it implies, Σ_i P(k | x_i) s(x_i) / Σ_i P(k | x_i). The
//! contrasts [y_i = k]/n_k − P(k | x_i)/Σ_i P(k | x_i) give this difference.

use super::labelled::{LabelledErrors, LabelledSample};
use super::mixture::{CalibrationErrors, MixtureRows};
use crate::numeric::dense::{Cholesky, Matrix, dot};

/// The values of λ that are compared, the stiffest first.
const RIDGES: [f64; 5] = [10.0, 3.0, 1.0, 0.3, 0.1];

/// The penalty of the common slope.
const SLOPE_RIDGE: f64 = 0.1;

/// The floors of the probabilities that are compared.
const FLOORS: [f64; 4] = [1e-6, 1e-4, 1e-3, 1e-2];

/// The gain in log evidence that a tenfold floor needs.
const GAIN_OF_TENFOLD_FLOOR: f64 = 0.5;

/// The penalty of the intercepts, which only makes them identifiable.
const INTERCEPT_RIDGE: f64 = 1e-4;

/// The number of Newton's steps for each λ.
const STEPS: usize = 100;

/// A fitted calibration of K probabilities.
#[derive(Clone, Debug)]
pub(super) struct Calibration {
    /// The floor of the probabilities.
    floor: f64,
    /// The means of the log probabilities of the labelled rows.
    means: Vec<f64>,
    /// The logarithms of the shares n_k/n of the labelled rows.
    ln_shares: Vec<f64>,
    /// The coefficients w, shape (K + 1, K), the intercepts last.
    weights: Matrix,
    /// Its contribution to the covariance of the shares.
    pub(super) errors: CalibrationErrors,
}

/// A penalised multinomial logistic regression on labelled rows.
struct Regression<'a> {
    floor: f64,
    /// The means of the log probabilities.
    means: Vec<f64>,
    features: Matrix,
    sample: &'a LabelledSample<'a>,
    /// Var(z) of each class.
    variances: Vec<f64>,
    /// The coefficients that leave the probabilities unchanged, from which differences are counted.
    identity: Matrix,
}

/// The maximum of the penalised likelihood with a penalty.
struct PenalisedFit {
    weights: Matrix,
    /// P(k | x) of the labelled rows, shape (n, K).
    probabilities: Matrix,
    hessian: Cholesky,
    /// The penalty's Hessian.
    penalty: Matrix,
    /// The logarithm of √λ (c/1e-6)^(−½/ln 10) times Laplace's approximation of the evidence, less a constant.
    criterion: f64,
}

impl Calibration {
    /// Fits the calibration to the probabilities of labelled rows, shape (n, K).
    pub(super) fn fit(probabilities: &Matrix, sample: &LabelledSample) -> Self {
        let LabelledSample { labels, weights, sizes: counts, .. } = sample;
        let criteria = FLOORS.map(|floor| {
            let regression = Regression::new(probabilities, sample, floor);
            (regression.fit(1.0, &regression.identity).criterion, regression)
        });
        let best = criteria.into_iter().max_by(|(first, _), (second, _)| first.total_cmp(second));
        let (_, regression) = best.expect("there are several floors");
        let fit = regression.fit_chosen();
        let coefficients = errors(&fit, &regression);
        let n = counts.iter().sum::<f64>();
        let ln_shares = counts.iter().map(|count| (count / n).ln()).collect();
        let implied = &fit.probabilities;
        let sums = sample.sums(implied);
        let contrasts = Matrix::from_fn(labels.len(), counts.len(), |i, k| {
            weights[i] * (f64::from(u8::from(labels[i] == k)) / counts[k] - implied[(i, k)] / sums[k])
        });
        let Regression { floor, means, .. } = regression;
        Self { floor, means, ln_shares, weights: fit.weights, errors: CalibrationErrors { coefficients, contrasts } }
    }

    /// Returns the rows with these probabilities, shape (n, K), whose ratios have the maximum 1.
    pub(super) fn calibrate(&self, probabilities: &Matrix) -> MixtureRows {
        let features = centred(&logarithms(probabilities, self.floor), &self.means);
        let mut ratios = features.product(&self.weights);
        for row in ratios.iter_rows_mut() {
            row.iter_mut().zip(&self.ln_shares).for_each(|(logit, share)| *logit -= share);
            exponentiate(row);
        }
        MixtureRows { ratios, features: Some(features) }
    }
}

/// Returns the errors of the coefficients, with the covariance V_W: without a design the inverse of the penalised
/// Hessian, less 1/n_k on the diagonal of the intercepts. The last row and column are those of an independent error
/// with variance 1.
fn errors(fit: &PenalisedFit, Regression { features, sample, .. }: &Regression) -> LabelledErrors {
    let (inverse, counts) = (fit.hessian.inverse(), &sample.sizes);
    let (size, classes, intercepts) = (inverse.rows(), counts.len(), counts.len() * counts.len());
    let with_misfit = |coefficients: &dyn Fn(usize, usize) -> f64| {
        Matrix::from_fn(size + 1, size + 1, |i, j| match (i == j, i.max(j) == size) {
            (true, true) => 1.0,
            (false, true) => 0.0,
            _ => coefficients(i, j),
        })
    };
    let score = |i: usize, j: usize| {
        // The misfit has no score.
        let (feature, class) = (if j < size { features[(i, j / classes)] } else { 0.0 }, j % classes);
        feature * (f64::from(u8::from(sample.labels[i] == class)) - fit.probabilities[(i, class)])
    };
    let Some(units) = sample.unit_contributions(size + 1, score) else {
        return LabelledErrors::independent(with_misfit(&|i, j| {
            let count_variance = if i == j && i >= intercepts { counts[i - intercepts].recip() } else { 0.0 };
            inverse[(i, j)] - count_variance
        }));
    };
    let penalty_covariance = inverse.sandwich(&fit.penalty);
    let units = units.product(&with_misfit(&|i, j| inverse[(i, j)]));
    LabelledErrors::new(&with_misfit(&|i, j| penalty_covariance[(i, j)]), units, sample.max_dof())
}

impl<'a> Regression<'a> {
    fn new(probabilities: &Matrix, sample: &'a LabelledSample, floor: f64) -> Self {
        let (classes, n) = (probabilities.columns(), sample.sizes.iter().sum::<f64>());
        let logs = logarithms(probabilities, floor);
        let means: Vec<f64> = sample.sums(&logs).into_iter().map(|sum| sum / n).collect();
        let features = centred(&logs, &means);
        let squares = Matrix::from_values(classes + 1, features.values().iter().map(|x| x * x).collect());
        let variances = sample.sums(&squares)[..classes].iter().map(|sum| sum / n + 1e-9).collect();
        let identity = Matrix::from_fn(classes + 1, classes, |j, k| match j {
            j if j == classes => means[k],
            j => f64::from(u8::from(j == k)),
        });
        Self { floor, means, features, sample, variances, identity }
    }

    /// Returns the fit with the λ that maximises √λ times the evidence.
    fn fit_chosen(&self) -> PenalisedFit {
        let mut best: Option<PenalisedFit> = None;
        // The fit with one penalty is the start of the next.
        let mut start = self.identity.clone();
        for ridge in RIDGES {
            let fit = self.fit(ridge, &start);
            start.clone_from(&fit.weights);
            if best.as_ref().is_none_or(|best| fit.criterion > best.criterion) {
                best = Some(fit);
            }
        }
        best.expect("there are several penalties")
    }

    /// Maximises the penalised likelihood by Newton's method.
    fn fit(&self, ridge: f64, start: &Matrix) -> PenalisedFit {
        let (classes, penalty) = (self.identity.columns(), self.penalty(ridge));
        let mut weights = start.clone();
        let (mut likelihood, mut probabilities) = self.likelihood(&weights, &penalty);
        for _ in 0..STEPS {
            let step = self.hessian(&probabilities, &penalty).solve(&self.gradient(&weights, &probabilities, &penalty));
            let mut length = 1.0;
            let largest = step.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
            loop {
                let values = weights.values().iter().zip(&step).map(|(w, x)| w + length * x).collect();
                let next = Matrix::from_values(classes, values);
                let (next_likelihood, next_probabilities) = self.likelihood(&next, &penalty);
                if next_likelihood >= likelihood - 1e-9 || length < 1e-4 {
                    (weights, likelihood, probabilities) = (next, next_likelihood, next_probabilities);
                    break;
                }
                length *= 0.5;
            }
            // Convergence is quadratic: the next step would be below the rounding of the coefficients.
            if largest * length < 1e-8 {
                break;
            }
        }
        let hessian = self.hessian(&probabilities, &penalty);
        // The penalty of the slopes has the determinant λ^(K² − 1) Π_j Var(z_j)^K times a constant.
        let ln_penalty = self.variances.iter().map(|variance| classes as f64 * (ridge * variance).ln()).sum::<f64>();
        let criterion = likelihood + 0.5 * (ln_penalty - hessian.ln_determinant())
            - GAIN_OF_TENFOLD_FLOOR * (self.floor / FLOORS[0]).log10();
        PenalisedFit { weights, probabilities, hessian, penalty, criterion }
    }

    /// Returns P, for a penalty ½ vᵀPv of the coefficients' differences v from the identity; w_jj has a common part.
    fn penalty(&self, ridge: f64) -> Matrix {
        let (variances, size) = (&self.variances, self.identity.values().len());
        let (classes, total) = (variances.len(), variances.iter().sum::<f64>());
        let slope = |place: usize| (place / classes == place % classes).then(|| variances[place / classes]);
        let common = |a, b| Some((SLOPE_RIDGE - ridge) * (slope(a)? * slope(b)? / total));
        let mut penalty = Matrix::from_fn(size, size, |a, b| common(a, b).unwrap_or(0.0));
        let own = |place: usize| variances.get(place / classes).map_or(INTERCEPT_RIDGE, |variance| ridge * variance);
        (0..size).for_each(|place| penalty[(place, place)] += own(place));
        penalty
    }

    /// Returns the coefficients' differences from the identity.
    fn differences(&self, weights: &Matrix) -> Vec<f64> {
        weights.values().iter().zip(self.identity.values()).map(|(w, v)| w - v).collect()
    }

    /// Returns the penalised logarithm of the likelihood, and the probabilities of the rows.
    fn likelihood(&self, weights: &Matrix, penalty: &Matrix) -> (f64, Matrix) {
        let mut probabilities = self.features.product(weights);
        let mut sum = 0.0;
        let LabelledSample { labels, weights: row_weights, .. } = self.sample;
        for ((row, label), weight) in probabilities.iter_rows_mut().zip(labels).zip(*row_weights) {
            let logit = row[*label];
            let largest = exponentiate(row);
            let total: f64 = row.iter().sum();
            sum += weight * ((logit - largest) - total.ln());
            for p in row {
                *p /= total;
            }
        }
        let differences = self.differences(weights);
        (sum - 0.5 * dot(&differences, &penalty.times(&differences)), probabilities)
    }

    fn gradient(&self, weights: &Matrix, probabilities: &Matrix, penalty: &Matrix) -> Vec<f64> {
        let classes = weights.columns();
        let mut gradient: Vec<f64> = penalty.times(&self.differences(weights)).into_iter().map(|g| -g).collect();
        let rows = self.features.iter_rows().zip(probabilities.iter_rows());
        for (((x, p), label), weight) in rows.zip(&self.sample.labels).zip(self.sample.weights) {
            for (x, block) in x.iter().map(|x| weight * x).zip(gradient.chunks_exact_mut(classes)) {
                block.iter_mut().zip(p).for_each(|(g, p)| *g -= x * p);
                block[*label] += x;
            }
        }
        gradient
    }

    /// Returns the negative Hessian of the penalised likelihood.
    fn hessian(&self, probabilities: &Matrix, penalty: &Matrix) -> Cholesky {
        let (classes, size) = (probabilities.columns(), self.features.columns());
        let mut hessian = penalty.clone();
        for a in 0..classes {
            for b in 0..=a {
                let mut block = Matrix::zeros(size, size);
                let rows = self.features.iter_rows().zip(probabilities.iter_rows());
                for ((x, p), weight) in rows.zip(self.sample.weights) {
                    block.add_outer_product(weight * (p[a] * (f64::from(u8::from(a == b)) - p[b])), x);
                }
                for (i, row) in block.iter_rows().enumerate() {
                    for (j, element) in row.iter().enumerate() {
                        hessian[(i * classes + a, j * classes + b)] += *element;
                        if a != b {
                            hessian[(j * classes + b, i * classes + a)] += *element;
                        }
                    }
                }
            }
        }
        Cholesky::new(&hessian).expect("a penalised Hessian is positive definite")
    }
}

/// Returns the log probabilities less their means, with a last column of ones.
fn centred(logs: &Matrix, means: &[f64]) -> Matrix {
    Matrix::from_fn(logs.rows(), means.len() + 1, |i, j| if j < means.len() { logs[(i, j)] - means[j] } else { 1.0 })
}

/// Returns the logarithms of probabilities raised to a floor.
fn logarithms(probabilities: &Matrix, floor: f64) -> Matrix {
    let logs = probabilities.values().iter().map(|p| p.max(floor).ln());
    Matrix::from_values(probabilities.columns(), logs.collect())
}

/// Replaces logits by their exponentials relative to the largest, which is returned.
fn exponentiate(logits: &mut [f64]) -> f64 {
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for logit in logits {
        *logit = (*logit - largest).exp();
    }
    largest
}
