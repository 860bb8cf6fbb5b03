//! The penalty on the calibration curve: λS₃ + κS₂ + ρI, where S_r is the sum of the squared r-th divided differences of η over
//! x_b = Φ⁻¹((b + ½)/K), times (r!)² (so that they are derivatives), each weighing its mean spacing: ∫ (η⁽ʳ⁾)² dx, roughly.
//!
//! λ → ∞ leaves a parabola, which is what two normal classes have on this scale; κ leans it to a line, which few labels cannot tell
//! from a parabola; ρ keeps it finite where the labelled classes do not overlap.

use super::least_squares::{LeastSquares, EquationRow};
use crate::numeric::gauss;

/// κ.
const KAPPA: f64 = 0.5;

/// ρ.
const RHO: f64 = 1e-3;

/// Rows whose squares make the penalty.
pub(super) struct Penalty {
    bins: usize,
    /// √κ √spacing times second differences.
    second: Vec<[f64; 4]>,
    /// √spacing times third differences, to be multiplied by √λ.
    third: Vec<[f64; 4]>,
    /// Third differences as differences of second ones: the factor of each, squared, and its spacing.
    steps: Vec<f64>,
    /// Spacings of the second differences.
    spacings: Vec<f64>,
}

impl Penalty {
    /// For so many bins.
    pub(super) fn new(bins: usize) -> Self {
        let x = gauss::scores(bins);
        let width = |i: usize, order: usize| x[i + order] - x[i];
        let mean_spacing = |i: usize, order: usize| width(i, order) / order as f64;
        let [first, second, third] = [bins - 1, bins.saturating_sub(2), bins.saturating_sub(3)];
        let slope: Vec<[f64; 4]> = (0..first).map(|i| [-1.0 / width(i, 1), 1.0 / width(i, 1), 0.0, 0.0]).collect();
        let next = |rows: &[[f64; 4]], i: usize, order: usize| {
            let factor = order as f64 / width(i, order);
            let (a, b) = (rows[i], rows[i + 1]);
            [-a[0], b[0] - a[1], b[1] - a[2], b[2]].map(|difference| difference * factor)
        };
        let bend: Vec<[f64; 4]> = (0..second).map(|i| next(&slope, i, 2)).collect();
        let scaled = |row: [f64; 4], square: f64| row.map(|factor| factor * square.sqrt());
        Self {
            bins,
            second: (0..second).map(|i| scaled(bend[i], KAPPA * mean_spacing(i, 2))).collect(),
            third: (0..third).map(|i| scaled(next(&bend, i, 3), mean_spacing(i, 3))).collect(),
            steps: (0..third).map(|i| mean_spacing(i, 3) * (3.0 / width(i, 3)).powi(2)).collect(),
            spacings: (0..second).map(|i| mean_spacing(i, 2)).collect(),
        }
    }

    /// The number of bins.
    pub(super) fn bins(&self) -> usize {
        self.bins
    }

    /// Fills N systems with the rows of the penalty at λ, and of each bin one of weight w in which η_b is to be `value`/w; `data` gives
    /// both for a bin of a system.
    #[inline]
    pub(super) fn fill<const N: usize>(
        &self,
        system: &mut LeastSquares<N>,
        lambda: f64,
        data: impl Fn(usize, usize) -> (f64, f64),
    ) {
        let root = lambda.sqrt();
        system.clear();
        for bin in 0..self.bins {
            let mut row = EquationRow::shared([0.0; 4]);
            for n in 0..N {
                let (weight, value) = data(bin, n);
                let root = (weight + RHO).sqrt();
                (row.factors[0][n], row.value[n]) = (root, value / root);
            }
            let third = self.third.get(bin).map(|row| EquationRow::shared(row.map(|factor| root * factor)));
            let second = self.second.get(bin).map(|row| EquationRow::shared(*row));
            // Of one call the compiler keeps all pivots that a bin's rows meet at hand.
            for row in third.iter().chain(&second).chain([&row]) {
                system.add(bin, *row);
            }
        }
    }

    /// ηᵀ(λS₃ + κS₂ + ρI)η.
    pub(super) fn value(&self, lambda: f64, eta: &[f64]) -> f64 {
        let squares = |rows: &[[f64; 4]]| -> f64 {
            let each = rows.iter().enumerate();
            each.map(|(i, row)| row.iter().zip(&eta[i..]).map(|(factor, eta)| factor * eta).sum::<f64>().powi(2)).sum()
        };
        lambda * squares(&self.third) + squares(&self.second) + RHO * eta.iter().map(|eta| eta * eta).sum::<f64>()
    }

    /// ½ ln of the product of the eigenvalues of λS₃ + κS₂ that are not 0, but for a constant.
    ///
    /// S₃ differences what S₂ has: with D the second differences, it is Dᵀ(κW₂ + λEᵀW₃E)D, W their spacings and E the third
    /// differences of second ones. So the product is det(κW₂ + λEᵀW₃E) det(DDᵀ), the first of a tridiagonal matrix, the second the
    /// same for every λ.
    pub(super) fn half_ln_determinant(&self, lambda: f64) -> f64 {
        let (mut rest, mut before, mut sum) = (0.0, 0.0, 0.0);
        for (i, spacing) in self.spacings.iter().enumerate() {
            // before − before²/pivot, without the difference.
            let left = if before > 0.0 { before * rest / (rest + before) } else { 0.0 };
            rest = KAPPA * spacing + left;
            before = lambda * self.steps.get(i).copied().unwrap_or(0.0);
            sum += (rest + before).ln();
        }
        0.5 * sum
    }
}
