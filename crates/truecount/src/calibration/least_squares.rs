//! Least squares for banded systems, with at most four neighbouring unknowns in a row, by Givens
//! rotations.
//!
//! With a smoothing penalty of a million and data of weight one, rotations remain accurate, while
//! the normal equations would square this ratio.
//!
//! A rotation needs the square root and the quotient of the one before. So N systems are solved
//! side by side: ten take half as long as one after another. Each result is the same to the bit as
//! without the others.

/// The number of neighbouring unknowns in a row.
const WIDTH: usize = 4;

#[derive(Clone, Copy)]
pub(super) struct EquationRow<const N: usize> {
    /// The factors of the neighbouring unknowns.
    pub(super) factors: [[f64; N]; WIDTH],
    /// The value that their combination should have.
    pub(super) value: [f64; N],
}

impl<const N: usize> EquationRow<N> {
    const EMPTY: Self = Self { factors: [[0.0; N]; WIDTH], value: [0.0; N] };

    /// Creates an equation with the same factors in every system and the value 0.
    pub(super) fn shared(factors: [f64; WIDTH]) -> Self {
        Self { factors: factors.map(|factor| [factor; N]), ..Self::EMPTY }
    }
}

/// The upper triangular forms of N least-squares systems, with their right-hand sides.
pub(super) struct LeastSquares<const N: usize> {
    /// A row for each unknown, and padding beyond the last unknown.
    rows: Vec<EquationRow<N>>,
    unknowns: usize,
}

impl<const N: usize> LeastSquares<N> {
    /// Creates systems of this many unknowns without equations.
    pub(super) fn new(unknowns: usize) -> Self {
        Self { rows: vec![EquationRow::EMPTY; unknowns + WIDTH - 1], unknowns }
    }

    /// Removes all equations.
    pub(super) fn clear(&mut self) {
        self.rows.fill(EquationRow::EMPTY);
    }

    /// Adds an equation to each system for the unknowns from index `first` on.
    ///
    /// Equations must be added in ascending order of `first`. Factors beyond the last unknown must
    /// be 0.
    #[inline]
    pub(super) fn add(&mut self, first: usize, mut row: EquationRow<N>) {
        let pivots = self.rows[first..].first_chunk_mut::<WIDTH>().expect("the index of an unknown");
        for (step, pivot) in pivots.iter_mut().enumerate() {
            let rotations = Rotations::new(&pivot.factors[0], &row.factors[step]);
            for (a, b) in pivot.factors.iter_mut().zip(&mut row.factors[step..]) {
                rotations.rotate(a, b);
            }
            rotations.rotate(&mut pivot.value, &mut row.value);
        }
    }

    /// Solves for the unknowns, each of which must occur in an equation.
    pub(super) fn solve(&self, unknowns: &mut [[f64; N]]) {
        for index in (0..self.unknowns).rev() {
            let row = &self.rows[index];
            let (unknown, solved) = unknowns[index..].split_first_mut().expect("an unknown");
            for n in 0..N {
                let known: f64 = row.factors[1..].iter().zip(&*solved).map(|(factor, x)| factor[n] * x[n]).sum();
                unknown[n] = (row.value[n] - known) / row.factors[0][n];
            }
        }
    }

    /// Returns ½ ln det of the normal equations' matrices.
    pub(super) fn half_ln_determinants(&self) -> [f64; N] {
        let pivots = &self.rows[..self.unknowns];
        std::array::from_fn(|n| pivots.iter().map(|row| row.factors[0][n].abs().ln()).sum())
    }
}

/// The rotation in each system that eliminates a row's first factor with a pivot row.
struct Rotations<const N: usize> {
    cos: [f64; N],
    sin: [f64; N],
}

impl<const N: usize> Rotations<N> {
    /// Creates the rotations; a row replaces an empty pivot row unchanged.
    #[inline]
    fn new(pivot: &[f64; N], row: &[f64; N]) -> Self {
        let mut rotations = Self { cos: [0.0; N], sin: [0.0; N] };
        for n in 0..N {
            let (a, b) = (pivot[n], row[n]);
            let length = (a * a + b * b).sqrt();
            (rotations.cos[n], rotations.sin[n]) = (a / length, b / length);
            if a == 0.0 {
                (rotations.cos[n], rotations.sin[n]) = (0.0, 1.0);
            }
        }
        rotations
    }

    /// Rotates a pair of entries of the pivot row and the row in each system.
    #[inline]
    fn rotate(&self, pivot: &mut [f64; N], row: &mut [f64; N]) {
        for n in 0..N {
            let (a, b) = (pivot[n], row[n]);
            pivot[n] = self.cos[n] * a + self.sin[n] * b;
            row[n] = self.cos[n] * b - self.sin[n] * a;
        }
    }
}
