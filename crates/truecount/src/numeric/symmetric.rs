//! Symmetric matrices, row by row, and the law of zᵀMz for standard normal z: Σ λ_j χ²₁ with M's eigenvalues, of which the sums of
//! powers are traces.

use super::weighted_chi_squares::WeightedChiSquares;

/// The law of zᵀMz, its largest weight by so many power iterations.
pub(crate) fn law(matrix: &[f64], size: usize, iterations: usize) -> WeightedChiSquares {
    WeightedChiSquares {
        cumulants: [trace(matrix, size), dot(matrix, matrix), dot(&square(matrix, size), matrix)],
        largest: largest(matrix, size, iterations),
    }
}

/// tr M.
pub(crate) fn trace(matrix: &[f64], size: usize) -> f64 {
    matrix.iter().step_by(size + 1).sum()
}

/// M².
pub(crate) fn square(matrix: &[f64], size: usize) -> Vec<f64> {
    let rows = || matrix.chunks(size);
    // Symmetric: columns are rows.
    rows().flat_map(|row| rows().map(move |column| dot(row, column))).collect()
}

/// The largest eigenvalue of a matrix that has no negative one, by power iteration.
pub(crate) fn largest(matrix: &[f64], size: usize, iterations: usize) -> f64 {
    // A constant vector could be orthogonal to the first eigenvector.
    let mut vector: Vec<f64> = (0..size).map(|k| 1.0 + k as f64 / size as f64).collect();
    let mut largest = 0.0;
    for _ in 0..iterations {
        let next: Vec<f64> = matrix.chunks(size).map(|row| dot(row, &vector)).collect();
        largest = dot(&next, &vector) / dot(&vector, &vector);
        vector = next;
    }
    largest
}

/// Σ a b, accumulated in several sums at once.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.0.iter().zip(b.0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + a.1.iter().zip(b.1).map(|(a, b)| a * b).sum::<f64>()
}
