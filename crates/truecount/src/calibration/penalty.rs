//! The penalty λS₃ + κS₂ + ρI on the calibration curve.
//!
//! S_r approximates ∫ (η⁽ʳ⁾)² dx: it is the sum of the squared r-th divided differences of η over
//! x_b = Φ⁻¹((b + ½)/K), times (r!)² (which makes them derivatives) and times their mean spacing.
//!
//! For λ → ∞ the curve is a parabola, as for two normal classes on this scale. κ shrinks it towards
//! a line, which cannot be distinguished from a parabola with few labels. ρ keeps it finite if the
//! labelled classes do not overlap.

use super::least_squares::{EquationRow, LeastSquares};
use crate::numeric::gauss;

/// The factor κ of the second differences.
const KAPPA: f64 = 0.5;

/// The factor ρ of the ridge.
const RHO: f64 = 1e-3;

/// The penalty for a number of bins, as rows whose squares add up to it.
pub(super) struct Penalty {
    bins: usize,
    /// Second differences times √(κ spacing).
    second: Vec<[f64; 4]>,
    /// Third differences times √spacing, without the factor √λ.
    third: Vec<[f64; 4]>,
    /// The squared factors of third differences, as differences of second differences, times their
    /// spacing.
    steps: Vec<f64>,
    /// The spacings of the second differences.
    spacings: Vec<f64>,
}

impl Penalty {
    /// Creates the penalty for this many bins.
    pub(super) fn new(bins: usize) -> Self {
        let x = gauss::normal_scores(bins);
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

    pub(super) fn bins(&self) -> usize {
        self.bins
    }

    /// Fills N systems with the rows of the penalty at λ and with the data.
    ///
    /// `data(bin, n)` returns the weight w and the value v of a bin in system n: an equation of
    /// weight w for η_b = v/w.
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
            // With a single call, the compiler keeps all pivots of a bin's rows in registers.
            for row in third.iter().chain(&second).chain([&row]) {
                system.add(bin, *row);
            }
        }
    }

    /// Returns the penalty ηᵀ(λS₃ + κS₂ + ρI)η.
    pub(super) fn value(&self, lambda: f64, eta: &[f64]) -> f64 {
        let squares = |rows: &[[f64; 4]]| -> f64 {
            let each = rows.iter().enumerate();
            each.map(|(i, row)| row.iter().zip(&eta[i..]).map(|(factor, eta)| factor * eta).sum::<f64>().powi(2)).sum()
        };
        lambda * squares(&self.third) + squares(&self.second) + RHO * eta.iter().map(|eta| eta * eta).sum::<f64>()
    }

    /// Returns ½ ln of the product of the nonzero eigenvalues of λS₃ + κS₂, up to a constant.
    ///
    /// Third differences are differences of second differences: λS₃ + κS₂ = Dᵀ(κW₂ + λEᵀW₃E)D,
    /// where D are the second differences, E the third differences as differences of second ones,
    /// and W the spacings. So the product is det(κW₂ + λEᵀW₃E) det(DDᵀ). The first factor is the
    /// determinant of a tridiagonal matrix; the second is the same for every λ.
    pub(super) fn half_ln_determinant(&self, lambda: f64) -> f64 {
        let (mut rest, mut before, mut sum) = (0.0, 0.0, 0.0);
        for (i, spacing) in self.spacings.iter().enumerate() {
            // before − before²/pivot, computed without a subtraction.
            let left = if before > 0.0 { before * rest / (rest + before) } else { 0.0 };
            rest = KAPPA * spacing + left;
            before = lambda * self.steps.get(i).copied().unwrap_or(0.0);
            sum += (rest + before).ln();
        }
        0.5 * sum
    }
}
