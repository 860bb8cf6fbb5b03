//! The sampling distribution of D, the deviations in the shift check: for large samples they are normal with mean 0 and
//! covariance
//!
//! ```text
//! P K Pᵀ,    K = a C₊ + b C₋,    a = α/n + α²/n₊,    b = (1−α)/n + (1−α)²/n₋
//! C±(θ, η) = F±(max(θ, η)) − F±(θ) F±(η),    P = I − Ĵ ĴᵀW / (ĴᵀWĴ)
//! ```
//!
//! where P is the projection from estimating α̃ by weighted least squares. So T = Σ W D² is distributed as Σ λ_j χ²₁,
//! with λ the eigenvalues of a S₊ + b S₋, S± = W^½ P C± Pᵀ W^½. The sums of their powers are polynomials in a and b
//! whose coefficients depend on the labelled scores alone.
//!
//! Where labelled rows have weights or are in clusters, n± are the numbers of rows, drawn one by one and of equal weight, that would leave
//! as large an expectation of T: tr S± over the sum of |W^½ P u|² over rows or clusters, u their part w(1{s ≥ θ} − F±)/Σw of the error of the
//! rates. The law then has its expectation from the design and its shape from simple random sampling, which is Rao and Scott's (1981)
//! correction of the first order; what both classes have in common within a cluster is left out.

use super::grid::Grid;
use crate::design::Design;
use crate::numeric::weighted_chi_squares::{WeightedChiSquares, dot, largest_eigenvalue, square, trace};
use crate::{Class, PerClass};

/// Power iterations: the largest weights are about 2 to 1, so that λ₁ is then good to 1e-6.
const ITERATIONS: usize = 10;

/// S₊ and S₋, row by row, with the traces of their products.
#[derive(Clone, Debug)]
pub(super) struct ScatterMatrices {
    of: PerClass<Vec<f64>>,
    edges: usize,
    traces: Traces,
}

/// a S₊ + b S₋.
pub(super) struct QuadraticForm {
    matrix: Vec<f64>,
    edges: usize,
    cumulants: [f64; 3],
}

/// Traces of products of S₊ and S₋, indexed by how many of the factors are S₋.
#[derive(Clone, Copy, Debug)]
struct Traces {
    one: [f64; 2],
    two: [f64; 3],
    three: [f64; 4],
}

impl ScatterMatrices {
    /// From this many labelled scores of each class.
    pub(super) fn new(grid: &Grid, sizes: PerClass<f64>) -> Self {
        let direction = direction(grid);
        let class = |rates: &[f64], n: f64| projected(&weighted(rates, n, &grid.weights), &direction);
        let of = PerClass {
            positive: class(&grid.rates.positive, sizes.positive),
            negative: class(&grid.rates.negative, sizes.negative),
        };
        let traces = Traces::new(&of, grid.len());
        Self { of, edges: grid.len(), traces }
    }

    /// n± by the design of the labelled rows with these scores.
    pub(super) fn sizes(&self, grid: &Grid, scores: &PerClass<Vec<f64>>, design: &Design) -> PerClass<f64> {
        let direction = direction(grid);
        let roots: Vec<f64> = grid.weights.iter().map(|w| w.sqrt()).collect();
        let noise = |class: Class, scores: &[f64], shares: &[f64], rates: &[f64]| {
            let bins: Vec<usize> = scores.iter().map(|score| grid.edges.at_or_below(*score)).collect();
            // The parts of every unit, edge by edge, and along the direction.
            let (mut squares, mut along) = (0.0, Vec::new());
            for (k, rate) in rates.iter().enumerate() {
                let above = |bin: usize| if bin > k { 1.0 } else { 0.0 };
                let parts =
                    design.by_unit(class, bins.iter().zip(shares).map(|(bin, w)| w * (above(*bin) - rate) * roots[k]));
                squares += dot(&parts, &parts);
                along.resize(parts.len(), 0.0);
                along.iter_mut().zip(&parts).for_each(|(sum, part): (&mut f64, _)| *sum += direction[k] * part);
            }
            let n = along.len() as f64;
            n / (n - 1.0) * (squares - dot(&along, &along))
        };
        let (shares, rates) = (design.shares(), &grid.rates);
        let [positive, negative] = [self.traces.one[0], self.traces.one[1]];
        PerClass {
            positive: positive / noise(Class::Positive, &scores.positive, &shares.positive, &rates.positive),
            negative: negative / noise(Class::Negative, &scores.negative, &shares.negative, &rates.negative),
        }
    }

    /// Σ λ, Σ λ², Σ λ³ at a and b, without the matrix.
    pub(super) fn cumulants(&self, factors: PerClass<f64>) -> [f64; 3] {
        self.traces.cumulants(factors)
    }

    /// tr S₊ and tr S₋.
    pub(super) fn traces(&self) -> PerClass<f64> {
        let [positive, negative] = self.traces.one;
        PerClass { positive, negative }
    }

    /// The form at a and b.
    pub(super) fn at(&self, factors: PerClass<f64>) -> QuadraticForm {
        let PerClass { positive: a, negative: b } = factors;
        let matrix = self.of.positive.iter().zip(&self.of.negative).map(|(p, n)| a * p + b * n).collect();
        QuadraticForm { matrix, edges: self.edges, cumulants: self.cumulants(factors) }
    }
}

impl QuadraticForm {
    /// E T.
    pub(super) fn expectation(&self) -> f64 {
        self.cumulants[0]
    }

    /// The law of T.
    pub(super) fn law(&self) -> WeightedChiSquares {
        WeightedChiSquares {
            cumulants: self.cumulants,
            largest: largest_eigenvalue(&self.matrix, self.edges, ITERATIONS),
        }
    }

    /// Cov(√W_k D_k, √W_l D_l).
    pub(super) fn covariance(&self, k: usize, l: usize) -> f64 {
        self.matrix[k * self.edges + l]
    }
}

impl Traces {
    fn new(of: &PerClass<Vec<f64>>, edges: usize) -> Self {
        let PerClass { positive, negative } = of;
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

    /// tr A, tr A², tr A³ of A = a S₊ + b S₋; under a trace, three factors of two kinds can be reordered.
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

/// The direction that estimating α̃ takes out.
pub(super) fn direction(grid: &Grid) -> Vec<f64> {
    let mut direction: Vec<f64> = grid.distance.iter().zip(&grid.weights).map(|(j, w)| j * w.sqrt()).collect();
    let length = dot(&direction, &direction).sqrt();
    for u in &mut direction {
        *u /= length;
    }
    direction
}

/// W^½ C W^½, C unbiased from the shares of n scores at or above each edge: n/(n−1) times the plug-in value.
pub(super) fn weighted(rates: &[f64], n: f64, weights: &[f64]) -> Vec<f64> {
    let row = |k: usize| (0..rates.len()).map(move |l| n / (n - 1.0) * (rates[k.max(l)] - rates[k] * rates[l]));
    let covariance = (0..rates.len()).flat_map(row);
    let m = weights.len();
    covariance.enumerate().map(|(at, c)| c * (weights[at / m] * weights[at % m]).sqrt()).collect()
}

/// (I − uuᵀ) W^½ C W^½ (I − uuᵀ).
fn projected(weighted: &[f64], u: &[f64]) -> Vec<f64> {
    let m = u.len();
    let along: Vec<f64> = weighted.chunks(m).map(|row| dot(row, u)).collect();
    let both = dot(&along, u);
    let each = weighted.iter().enumerate().map(|(at, g)| {
        let (k, l) = (at / m, at % m);
        g - u[k] * along[l] - along[k] * u[l] + both * u[k] * u[l]
    });
    each.collect()
}
