//! Classifiers that return scores, behind one trait. Features are standardised with the mean and
//! standard deviation of the training rows.

use clap::ValueEnum;
use libsvm_rs::train::svm_train;
use libsvm_rs::{KernelType, SvmNode, SvmParameter, SvmProblem, SvmType};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};
use std::fmt;

/// The number of rows that are scored at once, which bounds the memory.
const ROWS: usize = 256;

/// The maximum size of the kernel cache during training, in MB.
const CACHE: f64 = 256.0;

/// A fitted classifier, whose scores are higher for more positive rows.
pub trait Classifier: Send + Sync {
    /// Returns one score for each row.
    fn scores(&self, features: &Array2<f64>) -> Vec<f64>;
}

/// A kind of classifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ClassifierKind {
    /// Logistic regression with an L2 penalty; the scores are log odds
    #[default]
    Logistic,
    /// Support vector machine with a radial basis function; the scores are distances from the
    /// margin
    Svm,
}

/// A classifier with its hyperparameters, before it is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learner {
    Logistic { c: f64 },
    Svm { c: f64, gamma: f64 },
}

impl ClassifierKind {
    /// Returns the learner with LIBSVM's default hyperparameters: C = 1 and γ = 1/features.
    pub fn plain(self, features: usize) -> Learner {
        match self {
            Self::Logistic => Learner::Logistic { c: 1.0 },
            Self::Svm => Learner::Svm { c: 1.0, gamma: 1.0 / features as f64 },
        }
    }

    /// Returns the grid for tuning, least flexible first. γ is divided by the number of features,
    /// because squared distances between standardised rows grow with it.
    pub fn grid(self, features: usize) -> Vec<Learner> {
        match self {
            Self::Logistic => [1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0].map(|c| Learner::Logistic { c }).to_vec(),
            Self::Svm => {
                let gammas = [1.0 / 64.0, 1.0 / 16.0, 1.0 / 4.0, 1.0].map(|share| share / features as f64);
                let learners = |gamma: f64| [0.25, 1.0, 4.0, 16.0, 64.0].map(|c| Learner::Svm { c, gamma });
                gammas.into_iter().flat_map(learners).collect()
            }
        }
    }
}

impl Learner {
    /// Fits the classifier to rows of both classes.
    pub fn fit(self, features: &Array2<f64>, positive: &[bool]) -> Box<dyn Classifier> {
        let scale = Standardisation::from_features(features);
        let standardised = scale.apply(features);
        match self {
            Self::Logistic { c } => Box::new(Scaled(scale, LogisticClassifier::fit(standardised, positive, c))),
            Self::Svm { c, gamma } => Box::new(Scaled(scale, Svm::fit(&standardised, positive, c, gamma))),
        }
    }
}

impl fmt::Display for Learner {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Logistic { c } => write!(f, "logistic regression, C {c}"),
            Self::Svm { c, gamma } => write!(f, "SVM with a radial basis function, C {c}, gamma {gamma:.3e}"),
        }
    }
}

/// A classifier of standardised features.
struct Scaled<C>(Standardisation, C);

impl<C: Classifier> Classifier for Scaled<C> {
    fn scores(&self, features: &Array2<f64>) -> Vec<f64> {
        self.1.scores(&self.0.apply(features))
    }
}

/// The standardisation z = (x − mean)/sd of every feature, with divisor n in the sd; a constant
/// feature is only centred.
struct Standardisation {
    mean: Array1<f64>,
    sd: Array1<f64>,
}

impl Standardisation {
    fn from_features(features: &Array2<f64>) -> Self {
        let mean = features.mean_axis(Axis(0)).expect("there are rows");
        // Rounding may give a constant feature a tiny spread.
        let sd = ndarray::Zip::from(&features.std_axis(Axis(0), 0.0))
            .and(&mean)
            .map_collect(|sd, mean| if *sd > 1e-12 * mean.abs() { *sd } else { 1.0 });
        Self { mean, sd }
    }

    fn apply(&self, features: &Array2<f64>) -> Array2<f64> {
        (features - &self.mean) / &self.sd
    }
}

/// Logistic regression with an L2 penalty: w and b minimise Σ ln(1 + exp(−yᵢ(w·xᵢ + b))) +
/// ‖w‖²/(2C), yᵢ = ±1. Scores are the log odds w·x + b.
///
/// smartcore minimises it by limited-memory BFGS; the same objective as scikit-learn's
/// `LogisticClassifier(C=C)`.
struct LogisticClassifier {
    weights: Array1<f64>,
    intercept: f64,
}

impl LogisticClassifier {
    fn fit(features: Array2<f64>, positive: &[bool], c: f64) -> Self {
        let (rows, columns) = features.dim();
        // In row-major order.
        let values = features.into_iter().collect();
        let matrix = DenseMatrix::new(rows, columns, values, false).expect("as many values as cells");
        let classes: Vec<u8> = positive.iter().map(|p| u8::from(*p)).collect();
        let parameters = LogisticRegressionParameters::default().with_alpha(c.recip());
        let fitted = LogisticRegression::fit(&matrix, &classes, parameters).expect("rows of both classes");
        // The coefficients belong to the larger class label, which is 1.
        let weights = (0..columns).map(|column| *fitted.coefficients().get((0, column))).collect();
        Self { weights, intercept: *fitted.intercept().get((0, 0)) }
    }
}

impl Classifier for LogisticClassifier {
    fn scores(&self, features: &Array2<f64>) -> Vec<f64> {
        (features.dot(&self.weights) + self.intercept).to_vec()
    }
}

/// Support vector machine with a radial basis function: the score is the decision value Σ aᵢ
/// exp(−γ‖x − xᵢ‖²) − ρ over the support vectors xᵢ.
///
/// libsvm-rs finds the support vectors with LIBSVM's algorithm. The decision values are computed
/// here, with squared distances ‖x‖² + ‖xᵢ‖² − 2 x·xᵢ and the inner products as one matrix product,
/// which is many times faster than LIBSVM's sparse rows.
struct Svm {
    support: Array2<f64>,
    squares: Array1<f64>,
    weights: Array1<f64>,
    rho: f64,
    gamma: f64,
}

impl Svm {
    fn fit(features: &Array2<f64>, positive: &[bool], c: f64, gamma: f64) -> Self {
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
        let nodes = |row: ArrayView1<f64>| (1..).zip(row).map(|(index, x)| SvmNode { index, value: *x }).collect();
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

    fn decision_values(&self, features: &ArrayView2<f64>) -> Array1<f64> {
        let mut kernel = features.dot(&self.support.t());
        for (mut row, square) in kernel.rows_mut().into_iter().zip(squares(features)) {
            row.zip_mut_with(&self.squares, |k, support| *k = (-self.gamma * (square + support - 2.0 * *k)).exp());
        }
        kernel.dot(&self.weights) - self.rho
    }
}

impl Classifier for Svm {
    fn scores(&self, features: &Array2<f64>) -> Vec<f64> {
        features.axis_chunks_iter(Axis(0), ROWS).flat_map(|rows| self.decision_values(&rows)).collect()
    }
}

/// Returns ‖x‖² of every row.
fn squares(rows: &ArrayView2<f64>) -> Array1<f64> {
    rows.map_axis(Axis(1), |row| row.dot(&row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// Returns twelve rows, alternately negative and positive.
    fn twelve_rows() -> (Array2<f64>, Vec<bool>) {
        let rows = array![
            [2.04, -2.56],
            [1.22, 0.23],
            [-0.45, -0.22],
            [-1.22, 0.57],
            [-0.87, 3.32],
            [1.03, 0.45],
            [-0.28, -0.67],
            [-0.26, 0.41],
            [0.48, -0.24],
            [1.76, 0.6],
            [0.02, 1.55],
            [1.35, 0.29]
        ];
        (rows, (0..12).map(|row| row % 2 == 1).collect())
    }

    #[track_caller]
    fn assert_scores(learner: Learner, expected: [f64; 2], tolerance: f64) {
        let (rows, positive) = twelve_rows();
        let new = array![[0.5, -0.25], [1.5, 1.0]];
        let scores = learner.fit(&rows, &positive).scores(&new);
        assert!(scores.iter().zip(expected).all(|(s, e)| (s - e).abs() < tolerance), "{scores:?}");
        // The order of the rows does not matter.
        let (backwards, reversed) =
            (rows.slice(ndarray::s![..;-1, ..]).to_owned(), positive.into_iter().rev().collect::<Vec<_>>());
        let scores = learner.fit(&backwards, &reversed).scores(&new);
        assert!(scores.iter().zip(expected).all(|(s, e)| (s - e).abs() < tolerance), "{scores:?}");
    }

    /// scale = StandardScaler().fit(rows); Z, q = scale.transform(rows), scale.transform(new)
    /// LogisticRegression(C=C, solver="newton-cholesky", tol=1e-14).fit(Z, y).decision_function(q)
    #[test]
    fn logistic_regression_agrees_with_scikit_learn() {
        assert_scores(Learner::Logistic { c: 1.0 }, [-0.088_726_399_680_285_59, 0.684_737_570_681_741_6], 1e-8);
        assert_scores(Learner::Logistic { c: 0.1 }, [-0.011_772_811_977_826_083, 0.154_013_329_991_867_4], 1e-8);
    }

    /// SVC(C=C, gamma=gamma, tol=1e-10).fit(Z, y).decision_function(q); LIBSVM's default tolerance
    /// is 1e-3.
    #[test]
    fn support_vector_machine_agrees_with_scikit_learn() {
        assert_scores(Learner::Svm { c: 1.0, gamma: 0.5 }, [-0.176_004_308_695_254_07, 0.912_520_763_733_295_2], 1e-3);
        assert_scores(Learner::Svm { c: 4.0, gamma: 0.25 }, [-0.268_862_346_936_297_85, 1.420_532_539_950_144_7], 1e-3);
    }

    #[test]
    fn separable_classes_are_separated() {
        let rows = array![[0.0, 7.0], [1.0, 7.0], [4.0, 7.0], [5.0, 7.0]];
        let positive = [false, false, true, true];
        for kind in [ClassifierKind::Logistic, ClassifierKind::Svm] {
            for learner in kind.grid(2).into_iter().chain([kind.plain(2)]) {
                // A feature that is constant in the training rows may vary in new rows.
                let scores = learner.fit(&rows, &positive).scores(&array![[0.5, 7.0], [4.5, 7.0], [4.5, 7.1]]);
                assert!(scores[0] < 0.0 && scores[1] > 0.0, "{learner}: {scores:?}");
                assert!(scores.iter().all(|score| score.is_finite()), "{learner}: {scores:?}");
            }
        }
    }

    /// Scores more rows than fit into one chunk.
    #[test]
    fn decision_values_agree_with_libsvm() {
        use libsvm_rs::predict::predict_values;
        let (rows, positive) = twelve_rows();
        let scale = Standardisation::from_features(&rows);
        let nodes = |row: ArrayView1<f64>| -> Vec<SvmNode> {
            (1..).zip(row).map(|(index, x)| SvmNode { index, value: *x }).collect()
        };
        let problem = SvmProblem {
            labels: positive.iter().map(|p| if *p { 1.0 } else { -1.0 }).collect(),
            instances: scale.apply(&rows).rows().into_iter().map(nodes).collect(),
        };
        let model = svm_train(&problem, &SvmParameter { gamma: 0.3, c: 2.0, ..SvmParameter::default() });
        let many = Array2::from_shape_fn((600, 2), |(i, j)| (i as f64 * 0.37 + j as f64).sin() * 3.0);
        let scores = Learner::Svm { c: 2.0, gamma: 0.3 }.fit(&rows, &positive).scores(&many);
        for (row, score) in scale.apply(&many).rows().into_iter().zip(scores) {
            let mut decision = [0.0];
            predict_values(&model, &nodes(row), &mut decision);
            assert!((score - decision[0]).abs() < 1e-12, "{score} {decision:?}");
        }
    }
}
