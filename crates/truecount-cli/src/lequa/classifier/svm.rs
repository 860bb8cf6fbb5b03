//! Support vector machine with a radial basis function: the score is the decision value Σ aᵢ exp(−γ‖x − xᵢ‖²) − ρ over
//! the support vectors xᵢ.
//!
//! libsvm-rs finds them, as LIBSVM does. The decision values are computed here: squared distances as ‖x‖² + ‖xᵢ‖² − 2
//! x·xᵢ, the inner products as one matrix product, which is many times faster than LIBSVM's sparse rows.

use super::Classifier;
use libsvm_rs::train::svm_train;
use libsvm_rs::{KernelType, SvmNode, SvmParameter, SvmProblem, SvmType};
use ndarray::{Array1, Array2, ArrayView2, Axis};

/// Rows scored together, which bounds the memory.
const ROWS: usize = 256;

/// The largest part of the kernel matrix cached while learning, in MB.
const CACHE: f64 = 256.0;

pub struct Svm {
    support: Array2<f64>,
    squares: Array1<f64>,
    weights: Array1<f64>,
    rho: f64,
    gamma: f64,
}

impl Svm {
    pub fn fit(features: &Array2<f64>, positive: &[bool], c: f64, gamma: f64) -> Self {
        libsvm_rs::set_quiet(true);
        let rows = features.nrows() as f64;
        let parameters = SvmParameter {
            svm_type: SvmType::CSvc,
            kernel_type: KernelType::Rbf,
            gamma,
            c,
            // The whole kernel matrix in single precision, if it fits.
            cache_size: (rows * rows * 4.0 / f64::from(1 << 20)).ceil().min(CACHE),
            ..SvmParameter::default()
        };
        let nodes =
            |row: ndarray::ArrayView1<f64>| (1..).zip(row).map(|(index, x)| SvmNode { index, value: *x }).collect();
        let problem = SvmProblem {
            labels: positive.iter().map(|p| if *p { 1.0 } else { -1.0 }).collect(),
            instances: features.rows().into_iter().map(nodes).collect(),
        };
        let model = svm_train(&problem, &parameters);
        assert_eq!(model.label, [1, -1], "decision values are positive on the side of the first");
        // LIBSVM counts rows from 1.
        let rows: Vec<usize> = model.sv_indices.iter().map(|row| row - 1).collect();
        let support = features.select(Axis(0), &rows);
        Self {
            squares: squares(&support.view()),
            support,
            weights: model.sv_coef[0].iter().copied().collect(),
            rho: model.rho[0],
            gamma,
        }
    }

    fn decide(&self, features: &ArrayView2<f64>) -> Array1<f64> {
        let mut kernel = features.dot(&self.support.t());
        for (mut row, square) in kernel.rows_mut().into_iter().zip(squares(features)) {
            row.zip_mut_with(&self.squares, |k, support| *k = (-self.gamma * (square + support - 2.0 * *k)).exp());
        }
        kernel.dot(&self.weights) - self.rho
    }
}

impl Classifier for Svm {
    fn scores(&self, features: &Array2<f64>) -> Vec<f64> {
        features.axis_chunks_iter(Axis(0), ROWS).flat_map(|rows| self.decide(&rows)).collect()
    }
}

/// ‖x‖² of every row.
fn squares(rows: &ArrayView2<f64>) -> Array1<f64> {
    rows.map_axis(Axis(1), |row| row.dot(&row))
}
