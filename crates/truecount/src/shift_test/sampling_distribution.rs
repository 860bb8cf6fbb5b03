//! The sampling distribution of D, the deviations in the shift check.
//!
//! For large samples the deviations are normal with mean 0 and covariance
//!
//! ```text
//! P K Pᵀ,    K = a C₊ + b C₋,    a = α/n + α²/n₊,    b = (1−α)/n + (1−α)²/n₋
//! C±(θ, η) = F±(max(θ, η)) − F±(θ) F±(η),    P = I − Ĵ ĴᵀW / (ĴᵀWĴ)
//! ```
//!
//! where P is the projection from estimating α̃ by weighted least squares. So T = Σ W D² is
//! distributed as Σ λ_j χ²₁, with λ_j the eigenvalues of a S₊ + b S₋, S± = W^½ P C± Pᵀ W^½. α and F±
//! are [`PooledRates`], estimated from labelled and test scores.
//!
//! If labelled rows have weights or clusters, n± are effective sizes: the numbers of independent
//! rows of equal weight that give the same expectation of T. They are tr S± at the labelled rates
//! over Σ |W^½ P u|², summed over rows or clusters, where u = Σ w(1{s ≥ θ} − F±)/Σw is the
//! contribution to the error of the rates. The distribution of T then has the expectation of the
//! design and the shape of simple random sampling, Rao and Scott's (1981) first-order correction.
//! The covariance between the classes within a cluster is ignored.

use super::grid::Grid;
use super::pooled_rates::PooledRates;
use crate::design::LabelDesign;
use crate::numeric::weighted_chi_squares::quadratic_form_distribution;
use crate::numeric::weighted_chi_squares::{WeightedChiSquares, approximate_upper_tail, dot, square, trace};
use crate::{Class, PerClass};

/// The number of power iterations: with λ₁ about twice λ₂, ten give λ₁ to 1e-6.
const ITERATIONS: usize = 10;

/// The parts of the distribution of T that depend on the labelled scores only.
#[derive(Clone, Debug)]
pub(super) struct LabelledScatter {
    /// The unit vector that estimating α̃ projects out.
    direction: Vec<f64>,
    /// n/(n − 1).
    corrections: PerClass<f64>,
    /// At the labelled rates.
    traces: Traces,
}

/// The quadratic form a S₊ + b S₋.
pub(super) struct QuadraticForm {
    matrix: Vec<f64>,
    edges: usize,
}

/// Traces of products of S₊ and S₋, by the number of factors, indexed by the number of factors S₋.
#[derive(Clone, Copy, Debug)]
struct Traces {
    one: [f64; 2],
    two: [f64; 3],
    three: [f64; 4],
}

impl LabelledScatter {
    /// Computes the parts for these numbers of labelled scores.
    pub(super) fn new(grid: &Grid, sizes: PerClass<f64>) -> Self {
        let direction = estimated_direction(grid);
        let class = |rates: &Vec<f64>, n: &f64| project_out(&weighted_covariance(rates, *n, &grid.weights), &direction);
        let matrices = grid.rates.zip_map(&sizes, class);
        let traces = Traces::new(&matrices, grid.len());
        Self { direction, corrections: sizes.map(|n| n / (n - 1.0)), traces }
    }

    /// Returns n±, the effective sizes under the design of the labelled rows.
    pub(super) fn sizes(&self, grid: &Grid, scores: &PerClass<Vec<f64>>, design: &LabelDesign) -> PerClass<f64> {
        let roots = roots(grid);
        let noise = |class: Class| {
            let (shares, rates) = (design.normalized_weights().get(class), grid.rates.get(class));
            let bins: Vec<usize> = scores.get(class).iter().map(|score| grid.edges.at_or_below(*score)).collect();
            // The contributions of every unit, edge by edge, and along the direction.
            let (mut squares, mut along) = (0.0, Vec::new());
            for (k, rate) in rates.iter().enumerate() {
                let above = |bin: usize| if bin > k { 1.0 } else { 0.0 };
                let parts = design
                    .sums_by_unit(class, bins.iter().zip(shares).map(|(bin, w)| w * (above(*bin) - rate) * roots[k]));
                squares += dot(&parts, &parts);
                along.resize(parts.len(), 0.0);
                along.iter_mut().zip(&parts).for_each(|(sum, part): (&mut f64, _)| *sum += self.direction[k] * part);
            }
            let n = along.len() as f64;
            n / (n - 1.0) * (squares - dot(&along, &along))
        };
        PerClass::from_fn(|class| self.traces().get(class) / noise(class))
    }

    /// Returns tr S₊ and tr S₋ at the labelled rates.
    pub(super) fn traces(&self) -> PerClass<f64> {
        let [positive, negative] = self.traces.one;
        PerClass { positive, negative }
    }

    /// Returns E T.
    pub(super) fn expectation(&self, grid: &Grid, rates: &PooledRates) -> f64 {
        let along: Vec<f64> = self.direction.iter().zip(&grid.weights).map(|(u, w)| u * w.sqrt()).collect();
        let total =
            |class: &[f64]| class.iter().zip(&grid.weights).map(|(rate, w)| w * rate * (1.0 - rate)).sum::<f64>();
        self.sum_classes(rates, |class| total(class) - variance_of_sum(class, &along))
    }

    /// Returns the variance of the sum over the edges, with these coefficients, of the test scores' share
    /// above an edge less that of the mixture. It is that of a sum of D if they are orthogonal to Ĵ.
    pub(super) fn variance(&self, rates: &PooledRates, coefficients: &[f64]) -> f64 {
        self.sum_classes(rates, |class| variance_of_sum(class, coefficients))
    }

    /// Returns a and b times a variance of one score of each class.
    fn sum_classes(&self, PooledRates { rates, factors, .. }: &PooledRates, variance: impl Fn(&[f64]) -> f64) -> f64 {
        factors.positive * self.corrections.positive * variance(&rates.positive)
            + factors.negative * self.corrections.negative * variance(&rates.negative)
    }

    /// Approximates P(T ≥ t) at a fraction of the cost, with the shape that the distribution has at
    /// the labelled rates.
    pub(super) fn approximate_upper_tail(&self, factors: PerClass<f64>, expectation: f64, t: f64) -> f64 {
        let cumulants = self.traces.cumulants(factors);
        approximate_upper_tail(cumulants, t * cumulants[0] / expectation)
    }

    /// Returns the form a S₊ + b S₋.
    pub(super) fn form(&self, grid: &Grid, rates: &PooledRates) -> QuadraticForm {
        let a = rates.factors.positive * self.corrections.positive;
        let b = rates.factors.negative * self.corrections.negative;
        let (covariance, roots) =
            (|rates: &[f64], k: usize, l: usize| rates[k.max(l)] - rates[k] * rates[l], roots(grid));
        let PerClass { positive, negative } = &rates.rates;
        let m = grid.len();
        let entries = (0..m).flat_map(|k| (0..m).map(move |l| (k, l)));
        let entries = entries
            .map(|(k, l)| (a * covariance(positive, k, l) + b * covariance(negative, k, l)) * roots[k] * roots[l]);
        QuadraticForm { matrix: project_out(&entries.collect::<Vec<_>>(), &self.direction), edges: m }
    }
}

impl QuadraticForm {
    /// Returns the distribution of T.
    pub(super) fn law(&self) -> WeightedChiSquares {
        quadratic_form_distribution(&self.matrix, self.edges, ITERATIONS)
    }

    /// Returns Cov(√W_k D_k, √W_l D_l).
    pub(super) fn covariance(&self, k: usize, l: usize) -> f64 {
        self.matrix[k * self.edges + l]
    }
}

impl Traces {
    fn new(matrices: &PerClass<Vec<f64>>, edges: usize) -> Self {
        let PerClass { positive, negative } = matrices;
        let (positives, negatives) = (square(positive, edges), square(negative, edges));
        Self {
            one: [trace(positive, edges), trace(negative, edges)],
            two: [dot(positive, positive), dot(positive, negative), dot(negative, negative)],
            three: [
                dot(&positives, positive),
                dot(&positives, negative),
                dot(&negatives, positive),
                dot(&negatives, negative),
            ],
        }
    }

    /// Returns tr A, tr A², tr A³ for A = a S₊ + b S₋.
    ///
    /// A trace of three factors of two kinds does not depend on their order.
    fn cumulants(&self, factors: PerClass<f64>) -> [f64; 3] {
        let PerClass { positive: a, negative: b } = factors;
        let Self { one, two, three } = self;
        [
            a * one[0] + b * one[1],
            a * a * two[0] + 2.0 * a * b * two[1] + b * b * two[2],
            a.powi(3) * three[0] + 3.0 * a * b * (a * three[1] + b * three[2]) + b.powi(3) * three[3],
        ]
    }
}

/// Returns the unit vector that estimating α̃ projects out, W^½ Ĵ over its length.
pub(super) fn estimated_direction(grid: &Grid) -> Vec<f64> {
    let mut direction: Vec<f64> = grid.distance.iter().zip(&grid.weights).map(|(j, w)| j * w.sqrt()).collect();
    let length = dot(&direction, &direction).sqrt();
    for u in &mut direction {
        *u /= length;
    }
    direction
}

/// Returns the variance, for one score of a class with these shares above the edges, of the sum of the
/// coefficients over the edges below it.
fn variance_of_sum(class: &[f64], coefficients: &[f64]) -> f64 {
    let (mut sum, mut mean, mut square) = (0.0, 0.0, 0.0);
    for (k, coefficient) in coefficients.iter().enumerate() {
        sum += coefficient;
        let share = class[k] - class.get(k + 1).copied().unwrap_or(0.0);
        mean += share * sum;
        square += share * sum * sum;
    }
    square - mean * mean
}

/// Returns √W_k.
fn roots(grid: &Grid) -> Vec<f64> {
    grid.weights.iter().map(|w| w.sqrt()).collect()
}

/// Returns W^½ C W^½, with C the unbiased covariance of the shares at or above each edge: n/(n−1)
/// times the plug-in value.
pub(super) fn weighted_covariance(rates: &[f64], n: f64, weights: &[f64]) -> Vec<f64> {
    let row = |k: usize| (0..rates.len()).map(move |l| n / (n - 1.0) * (rates[k.max(l)] - rates[k] * rates[l]));
    let covariance = (0..rates.len()).flat_map(row);
    let m = weights.len();
    covariance.enumerate().map(|(index, c)| c * (weights[index / m] * weights[index % m]).sqrt()).collect()
}

/// Returns (I − uuᵀ) M (I − uuᵀ).
fn project_out(matrix: &[f64], u: &[f64]) -> Vec<f64> {
    let m = u.len();
    let along: Vec<f64> = matrix.chunks(m).map(|row| dot(row, u)).collect();
    let both = dot(&along, u);
    let entries = matrix.iter().enumerate().map(|(index, entry)| {
        let (k, l) = (index / m, index % m);
        entry - u[k] * along[l] - along[k] * u[l] + both * u[k] * u[l]
    });
    entries.collect()
}
