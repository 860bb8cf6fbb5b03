//! Logistic regression with an L2 penalty: w and b minimise Σ ln(1 + exp(−yᵢ(w·xᵢ + b))) + ‖w‖²/(2C), yᵢ = ±1. Scores
//! are the log odds w·x + b.
//!
//! smartcore minimises it by limited-memory BFGS; the same objective as scikit-learn's `LogisticRegression(C=C)`.

use super::Classifier;
use ndarray::{Array1, Array2};
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};

pub struct Logistic {
    weights: Array1<f64>,
    intercept: f64,
}

impl Logistic {
    pub fn fit(features: Array2<f64>, positive: &[bool], c: f64) -> Self {
        let (rows, columns) = features.dim();
        // Row by row, as the objective reads them.
        let values = features.into_iter().collect();
        let matrix = DenseMatrix::new(rows, columns, values, false).expect("as many values as cells");
        let classes: Vec<u8> = positive.iter().map(|p| u8::from(*p)).collect();
        let parameters = LogisticRegressionParameters::default().with_alpha(c.recip());
        let fitted = LogisticRegression::fit(&matrix, &classes, parameters).expect("rows of both classes");
        // The weights are those of the larger class label, 1.
        let weights = (0..columns).map(|column| *fitted.coefficients().get((0, column))).collect();
        Self { weights, intercept: *fitted.intercept().get((0, 0)) }
    }
}

impl Classifier for Logistic {
    fn scores(&self, features: &Array2<f64>) -> Vec<f64> {
        (features.dot(&self.weights) + self.intercept).to_vec()
    }
}
