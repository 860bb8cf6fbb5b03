//! Dense matrices: products, and Cholesky's decomposition.

use std::ops::{Index, IndexMut};

/// The smallest pivot of a positive definite matrix, relative to its diagonal element.
const SMALLEST_PIVOT: f64 = 1e-13;

/// A matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        Self { columns, values: vec![0.0; rows * columns] }
    }

    pub(crate) fn from_fn(rows: usize, columns: usize, element: impl Fn(usize, usize) -> f64) -> Self {
        let values = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| element(i, j)).collect();
        Self { columns, values }
    }

    /// Creates a matrix with one column or more from its elements, row by row.
    pub(crate) fn from_values(columns: usize, values: Vec<f64>) -> Self {
        Self { columns, values }
    }

    pub(crate) fn rows(&self) -> usize {
        self.values.len() / self.columns
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..(i + 1) * self.columns]
    }

    pub(crate) fn iter_rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns)
    }

    pub(crate) fn iter_rows_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [f64]> {
        self.values.chunks_exact_mut(self.columns)
    }

    /// Returns the product with a vector.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.iter_rows().map(|row| dot(row, vector)).collect()
    }

    /// Returns the rows, followed by those of another matrix with as many columns.
    pub(crate) fn stacked(&self, below: &Self) -> Self {
        Self { columns: self.columns, values: [self.values.as_slice(), &below.values].concat() }
    }

    /// Returns the matrix product.
    pub(crate) fn product(&self, right: &Self) -> Self {
        let mut result = Self::zeros(self.rows(), right.columns);
        for (sums, row) in result.iter_rows_mut().zip(self.iter_rows()) {
            for (x, right_row) in row.iter().zip(right.iter_rows()) {
                sums.iter_mut().zip(right_row).for_each(|(sum, y)| *sum += x * y);
            }
        }
        result
    }

    /// Returns ABAᵀ for a symmetric B.
    pub(crate) fn sandwich(&self, inner: &Self) -> Self {
        let products: Vec<Vec<f64>> = self.iter_rows().map(|row| inner.times(row)).collect();
        Self::from_fn(self.rows(), self.rows(), |i, j| dot(self.row(i.max(j)), &products[i.min(j)]))
    }

    /// Adds `factor` times v vᵀ to a symmetric matrix.
    pub(crate) fn add_outer_product(&mut self, factor: f64, v: &[f64]) {
        for (row, x) in self.iter_rows_mut().zip(v) {
            row.iter_mut().zip(v).for_each(|(element, y)| *element += factor * (x * y));
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.values[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.values[i * self.columns + j]
    }
}

/// Returns the inner product.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Cholesky's decomposition LLᵀ of a positive definite matrix.
pub(crate) struct Cholesky(Matrix);

impl Cholesky {
    /// Decomposes a symmetric matrix; `None` unless it is positive definite.
    pub(crate) fn new(matrix: &Matrix) -> Option<Self> {
        let n = matrix.rows();
        let mut lower = Matrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let rest = matrix[(i, j)] - dot(&lower.row(i)[..j], &lower.row(j)[..j]);
                lower[(i, j)] = if i > j { rest / lower[(j, j)] } else { rest.sqrt() };
                let is_positive = i > j || rest > SMALLEST_PIVOT * matrix[(i, i)];
                if !is_positive {
                    return None;
                }
            }
        }
        Some(Self(lower))
    }

    /// Returns the solution x of LLᵀx = b.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (lower, n) = (&self.0, b.len());
        let mut x = b.to_vec();
        for i in 0..n {
            x[i] = (x[i] - dot(&lower.row(i)[..i], &x[..i])) / lower[(i, i)];
        }
        for i in (0..n).rev() {
            let above: f64 = (i + 1..n).map(|k| lower[(k, i)] * x[k]).sum();
            x[i] = (x[i] - above) / lower[(i, i)];
        }
        x
    }

    /// Returns the inverse of the matrix.
    pub(crate) fn inverse(&self) -> Matrix {
        let n = self.0.rows();
        let columns: Vec<Vec<f64>> =
            (0..n).map(|k| self.solve(&(0..n).map(|i| f64::from(u8::from(i == k))).collect::<Vec<_>>())).collect();
        Matrix::from_fn(n, n, |i, j| columns[i.max(j)][i.min(j)])
    }

    /// Returns the logarithm of the determinant of the matrix.
    pub(crate) fn ln_determinant(&self) -> f64 {
        2.0 * (0..self.0.rows()).map(|i| self.0[(i, i)].ln()).sum::<f64>()
    }
}
