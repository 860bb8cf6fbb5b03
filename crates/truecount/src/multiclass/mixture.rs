//! Maximum likelihood of the shares of a mixture whose densities are known up to a factor.
//!
//! With r_k(x) ∝ f_k(x), the shares π̂ maximise the mean of log m(x), m = Σ_k π_k r_k(x), over the
//! simplex. Expectation maximisation (Saerens, Latinne and Decaestecker, *Adjusting the outputs of a
//! classifier to new a priori probabilities*, 2002) comes near the maximum, and Newton's method with an
//! active set reaches it: the mean of log m less Σ_k π_k has the same maximum over all π ≥ 0.
//!
//! With A_k = r_k/m, a row adds ψ_k = Σ_j T_kj A_j to n times the error of π̂_k. T is the inverse of the
//! information, the mean of AAᵀ, within the shares with the sum 1. T/n is also the covariance of π̂ about
//! the shares of the population; those of the sample vary by (diag π − ππᵀ)/n about these, which is
//! subtracted (finite populations: in part). The calibration adds J V_W Jᵀ: a logit of class j
//! changes π̂_k by the mean of A_j (T_kj − ψ_k π_j). The calibration may also be misspecified. If the means of ψ
//! among the labelled rows replaced those that it implies, π̂ would move by
//!
//! ```text
//! d = Σ_j π_j (mean of ψ that the calibration implies for class j − mean of ψ among its labelled rows)
//! ```
//!
//! d dᵀ is added as the covariance of this systematic error.
//!
//! The means in T, J and ψ are expectations for the mixture with the shares π, at π̂ and for intervals at
//! other π. They are sums over the n test rows and the labelled rows with the weights
//!
//! ```text
//! m_π / (n m_π̂ + Σ_k n_k r_k)
//! ```
//!
//! (importance sampling with the balance heuristic of Veach and Guibas 1995). Without the labelled rows, the
//! standard error of a class that the test rows lack would be ten times too large.

use super::labelled::LabelledErrors;
use super::linear::raised;
use super::sampling::ShareErrors;
use crate::numeric::dense::{Cholesky, Matrix, dot};

/// The number of steps of expectation maximisation before Newton's method.
const EM_STEPS: usize = 20;

/// The maximum number of Newton's steps.
const NEWTON_STEPS: usize = 200;

/// Rows with ratios of class densities, each known up to a factor of the row.
#[derive(Clone, Debug)]
pub(super) struct MixtureRows {
    /// The ratios r, shape (n, K).
    pub(super) ratios: Matrix,
    /// The features of the rows, shape (n, K + 1); `None` if the ratios are exact.
    pub(super) features: Option<Matrix>,
}

/// The calibration's contribution to the covariance of the shares.
#[derive(Clone, Debug)]
pub(super) struct CalibrationErrors {
    /// Λ = diag(V_W, 1), shape (K(K + 1) + 1, K(K + 1) + 1): the covariance of the coefficients, and 1 for the misfit.
    pub(super) coefficients: LabelledErrors,
    /// The contrasts of the labelled rows, shape (n, K).
    pub(super) contrasts: Matrix,
}

/// The mixture of the test rows.
pub(super) struct ClassMixture<'a> {
    /// The test rows, followed by the labelled rows.
    rows: MixtureRows,
    /// `None` if the ratios are exact.
    calibration: Option<&'a CalibrationErrors>,
    /// The weights of the test rows, with the sum n, followed by those of the labelled rows.
    weights: Vec<f64>,
    /// The number n of test rows, counting repeats.
    n: f64,
    /// The number of stored test rows.
    stored: usize,
    /// The maximum of the likelihood, with the sum 1.
    shares: Vec<f64>,
    /// For each row, n m + Σ_k n_k r_k, with shares of at least about half a row in m.
    densities: Vec<f64>,
    /// F = (J, d), shape (K, K(K + 1) + 1); zeros, shape (K, 1), if the ratios are exact.
    derivatives: Matrix,
    /// The shares after a Newton step from the maximum that may leave the simplex: those at which ψ is taken, plus the
    /// mean of ψ among the test rows.
    raw: Vec<f64>,
}

impl<'a> ClassMixture<'a> {
    /// Finds the shares of test rows with these weights, whose sum is n. `counts` has the sum of the weights of the
    /// labelled rows of each class.
    pub(super) fn new(
        (test, weights, n): (&MixtureRows, &[f64], f64),
        (labelled, labelled_weights, counts): (&MixtureRows, &[f64], &[f64]),
        calibration: Option<&'a CalibrationErrors>,
    ) -> Self {
        let (stored, shares) = (test.ratios.rows(), maximise(&test.ratios, (weights, n)));
        let features = test.features.as_ref().zip(labelled.features.as_ref());
        let rows = MixtureRows {
            ratios: test.ratios.stacked(&labelled.ratios),
            features: features.map(|(test, labelled)| test.stacked(labelled)),
        };
        let numbers: Vec<f64> =
            interior(&shares, n).iter().zip(counts).map(|(share, count)| n * share + count).collect();
        let densities = rows.ratios.times(&numbers);
        let weights = [weights, labelled_weights].concat();
        let (derivatives, raw) = (Matrix::zeros(shares.len(), 1), Vec::new());
        let mixture = Self { rows, calibration, weights, n, stored, shares, densities, derivatives, raw };
        let errors = ShareCovariance::new(&mixture, &mixture.shares);
        let derivatives = calibration.map_or_else(
            || mixture.derivatives.clone(),
            |calibration| {
                let misfit = errors.misfit(calibration).into_iter().enumerate();
                let rows: Vec<Vec<f64>> = misfit.map(|(k, d)| [errors.derivative(k), vec![d]].concat()).collect();
                Matrix::from_values(rows[0].len(), rows.concat())
            },
        );
        Self { derivatives, raw: errors.shares_after_step(), ..mixture }
    }
}

impl ShareErrors for ClassMixture<'_> {
    fn shares(&self, _: f64) -> Vec<f64> {
        self.shares.clone()
    }

    fn covariance(&self, n: f64, fpc: f64) -> Matrix {
        let sampling = ShareCovariance::new(self, &self.shares).sampling_covariance(n, fpc);
        let Some(calibration) = self.calibration else { return sampling };
        let added = self.derivatives.sandwich(&calibration.coefficients.covariance);
        Matrix::from_fn(added.rows(), added.rows(), |i, j| sampling[(i, j)] + added[(i, j)])
    }

    fn variances(&self, class: usize, shares: &[f64], n: f64, fpc: f64) -> [f64; 2] {
        let errors = ShareCovariance::new(self, shares);
        let sampling = errors.sampling_covariance(n, fpc)[(class, class)];
        let all = self.calibration.map_or(sampling, |calibration| {
            let derivative = errors.derivative(class);
            let misfit = errors.misfit(calibration)[class];
            sampling + dot(&derivative, &calibration.coefficients.covariance.times(&derivative)) + misfit * misfit
        });
        [all, sampling]
    }

    fn derivatives(&self) -> Matrix {
        self.derivatives.clone()
    }

    fn influences(&self) -> Matrix {
        let ShareCovariance { relative, inverse, .. } = ShareCovariance::new(self, &self.shares);
        let values = relative.iter_rows().take(self.stored).flat_map(|a| inverse.times(a)).collect();
        Matrix::from_values(self.shares.len(), values)
    }

    fn is_from_labelled_rows(&self) -> bool {
        true
    }

    fn raw(&self) -> Vec<f64> {
        self.raw.clone()
    }
}

/// The covariance of the estimated shares if the shares have given values.
struct ShareCovariance<'a> {
    mixture: &'a ClassMixture<'a>,
    /// The shares, at least half a row each.
    shares: Vec<f64>,
    /// A = r/m of each row, shape (n, K).
    relative: Matrix,
    /// The weights of the rows, with a sum of about 1.
    weights: Vec<f64>,
    /// T, shape (K, K).
    inverse: Matrix,
}

impl<'a> ShareCovariance<'a> {
    fn new(mixture: &'a ClassMixture, shares: &[f64]) -> Self {
        let (ratios, classes) = (&mixture.rows.ratios, shares.len());
        let shares = interior(shares, mixture.n);
        let densities = ratios.times(&shares);
        let mut relative = ratios.clone();
        for (row, density) in relative.iter_rows_mut().zip(&densities) {
            for r in row {
                *r /= density;
            }
        }
        let weights = densities.iter().zip(&mixture.densities).zip(&mixture.weights);
        let weights: Vec<f64> = weights.map(|((m, all), weight)| weight * (m / all)).collect();
        let mut information = Matrix::zeros(classes - 1, classes - 1);
        for (a, weight) in relative.iter_rows().zip(&weights) {
            let against_last: Vec<f64> = a[..classes - 1].iter().map(|x| x - a[classes - 1]).collect();
            information.add_outer_product(*weight, &against_last);
        }
        let inverse = regularised_inverse(information);
        // The rows and columns of the last class follow from sums of 0.
        let inner = |i: usize, j: usize| match (i + 1 < classes, j + 1 < classes) {
            (true, true) => inverse[(i, j)],
            (true, false) => -inverse.row(i).iter().sum::<f64>(),
            (false, true) => -inverse.row(j).iter().sum::<f64>(),
            (false, false) => inverse.values().iter().sum(),
        };
        let inverse = Matrix::from_fn(classes, classes, inner);
        Self { mixture, shares, relative, weights, inverse }
    }

    /// Returns the covariance from the sampling of the test rows.
    fn sampling_covariance(&self, n: f64, fpc: f64) -> Matrix {
        let shares = &self.shares;
        Matrix::from_fn(shares.len(), shares.len(), |i, j| {
            let drawn = if i == j { shares[i] } else { 0.0 } - shares[i] * shares[j];
            (self.inverse[(i, j)] - (1.0 - fpc) * drawn) / n
        })
    }

    /// Returns the shares plus the mean of ψ among the test rows, which is 0 inside the simplex.
    fn shares_after_step(&self) -> Vec<f64> {
        let n = self.mixture.n;
        if self.mixture.shares.iter().all(|share| *share >= 0.5 / n) {
            return self.mixture.shares.clone();
        }
        let mut mean = vec![0.0; self.shares.len()];
        for (a, weight) in self.relative.iter_rows().zip(&self.mixture.weights).take(self.mixture.stored) {
            mean.iter_mut().zip(a).for_each(|(sum, a)| *sum += weight * a / n);
        }
        self.inverse.times(&mean).iter().zip(&self.shares).map(|(step, share)| share + step).collect()
    }

    /// Returns d, by which the shares would move if the class means were those of the labelled rows.
    fn misfit(&self, calibration: &CalibrationErrors) -> Vec<f64> {
        let mut moved = vec![0.0; self.shares.len()];
        let labelled = self.relative.iter_rows().skip(self.mixture.stored);
        for (a, contrast) in labelled.zip(calibration.contrasts.iter_rows()) {
            let factor = dot(contrast, &self.shares);
            moved.iter_mut().zip(a).for_each(|(sum, a)| *sum -= factor * a);
        }
        self.inverse.times(&moved)
    }

    /// Returns a row of J, the derivative of a share by the coefficients of the calibration.
    fn derivative(&self, class: usize) -> Vec<f64> {
        let Some(features) = &self.mixture.rows.features else { return Vec::new() };
        let (row_of_class, classes) = (self.inverse.row(class), self.shares.len());
        let mut derivative = vec![0.0; features.columns() * classes];
        for ((a, x), weight) in self.relative.iter_rows().zip(features.iter_rows()).zip(&self.weights) {
            let influence = dot(row_of_class, a);
            let by_logit: Vec<f64> =
                (0..classes).map(|j| weight * a[j] * (row_of_class[j] - influence * self.shares[j])).collect();
            for (x, block) in x.iter().zip(derivative.chunks_exact_mut(classes)) {
                block.iter_mut().zip(&by_logit).for_each(|(sum, d)| *sum += x * d);
            }
        }
        derivative
    }
}

/// Returns the shares raised to at least half a row each.
fn interior(shares: &[f64], n: f64) -> Vec<f64> {
    raised(shares, 0.5 / n)
}

/// Inverts an information matrix; a singular one gets a small ridge, so that its variances are huge.
fn regularised_inverse(mut information: Matrix) -> Matrix {
    let size = information.rows();
    let largest = (0..size).map(|i| information[(i, i)]).fold(1e-12, f64::max);
    loop {
        if let Some(decomposed) = Cholesky::new(&information) {
            return decomposed.inverse();
        }
        (0..size).for_each(|i| information[(i, i)] += 1e-10 * largest);
    }
}

/// Returns the shares that maximise the weighted mean of log Σ_k π_k r_k, for weights with the sum n.
fn maximise(ratios: &Matrix, (weights, n): (&[f64], f64)) -> Vec<f64> {
    let classes = ratios.columns();
    let mut shares = vec![1.0 / classes as f64; classes];
    for _ in 0..EM_STEPS {
        let gradient = gradient(ratios, (weights, n), &shares);
        shares.iter_mut().zip(&gradient).for_each(|(share, g)| *share *= g + 1.0);
    }
    let value = |shares: &[f64]| {
        let likelihoods = ratios.iter_rows().zip(weights).map(|(r, weight)| weight * dot(r, shares).ln());
        likelihoods.sum::<f64>() / n - shares.iter().sum::<f64>()
    };
    let mut current = value(&shares);
    for _ in 0..NEWTON_STEPS {
        let (gradient, information) =
            (gradient(ratios, (weights, n), &shares), information(ratios, (weights, n), &shares));
        let step = newton_step(&shares, &gradient, &information);
        let largest = step.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let mut length = 1.0;
        loop {
            let next: Vec<f64> = shares.iter().zip(&step).map(|(share, x)| (share + length * x).max(0.0)).collect();
            let next_value = value(&next);
            if next_value >= current - 1e-14 || length < 1e-9 {
                (shares, current) = (next, next_value);
                break;
            }
            length *= 0.5;
        }
        if largest < 1e-12 {
            break;
        }
    }
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

/// Returns the gradient of the mean of log m less the sum of the shares.
fn gradient(ratios: &Matrix, (weights, n): (&[f64], f64), shares: &[f64]) -> Vec<f64> {
    let mut gradient = vec![-1.0; shares.len()];
    for (r, weight) in ratios.iter_rows().zip(weights) {
        let density = dot(r, shares);
        gradient.iter_mut().zip(r).for_each(|(g, r)| *g += weight * (r / density / n));
    }
    gradient
}

/// Returns the negative Hessian of the mean of log m.
fn information(ratios: &Matrix, (weights, n): (&[f64], f64), shares: &[f64]) -> Matrix {
    let mut information = Matrix::zeros(shares.len(), shares.len());
    for (r, weight) in ratios.iter_rows().zip(weights) {
        let density = dot(r, shares);
        information.add_outer_product(weight * (density * density * n).recip(), r);
    }
    information
}

/// Returns Newton's step within π ≥ 0: shares that would become negative become 0, and shares that
/// are 0 stay so unless the likelihood increases with them.
fn newton_step(shares: &[f64], gradient: &[f64], information: &Matrix) -> Vec<f64> {
    let mut free: Vec<usize> = (0..shares.len()).filter(|k| shares[*k] > 0.0 || gradient[*k] > 0.0).collect();
    let mut step: Vec<f64> = shares.iter().map(|share| -share).collect();
    loop {
        // Shares that are not free go to 0.
        let target = |k: usize| {
            let fixed: f64 =
                (0..shares.len()).filter(|j| !free.contains(j)).map(|j| information[(k, j)] * shares[j]).sum();
            gradient[k] + fixed
        };
        let inner = Matrix::from_fn(free.len(), free.len(), |i, j| information[(free[i], free[j])]);
        let solution = regularised_inverse(inner).times(&free.iter().map(|k| target(*k)).collect::<Vec<_>>());
        let lowest = (0..free.len())
            .min_by(|i, j| (shares[free[*i]] + solution[*i]).total_cmp(&(shares[free[*j]] + solution[*j])));
        match lowest {
            Some(i) if shares[free[i]] + solution[i] < 0.0 && free.len() > 1 => {
                free.remove(i);
            }
            _ => {
                free.iter().zip(&solution).for_each(|(k, x)| step[*k] = *x);
                return step;
            }
        }
    }
}
