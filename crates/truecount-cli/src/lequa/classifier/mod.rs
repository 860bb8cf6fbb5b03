//! Classifiers that give scores: one file each, behind one trait. Features are standardised with the mean and spread of
//! the rows a classifier learns from.

mod logistic;
mod svm;

use clap::ValueEnum;
use ndarray::{Array1, Array2, Axis};
use std::fmt;

/// A fitted classifier: scores rows of features, higher meaning more positive.
pub trait Classifier: Send + Sync {
    /// One score for each row.
    fn scores(&self, features: &Array2<f64>) -> Vec<f64>;
}

/// A kind of classifier that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Logistic regression with an L2 penalty; the scores are log odds
    #[default]
    Logistic,
    /// Support vector machine with a radial basis function; the scores are distances from the margin
    Svm,
}

/// A classifier with its hyperparameters, ready to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learner {
    Logistic { c: f64 },
    Svm { c: f64, gamma: f64 },
}

impl Kind {
    /// The hyperparameters that LIBSVM and scikit-learn start from: C = 1 and γ = 1/features.
    pub fn plain(self, features: usize) -> Learner {
        match self {
            Self::Logistic => Learner::Logistic { c: 1.0 },
            Self::Svm => Learner::Svm { c: 1.0, gamma: 1.0 / features as f64 },
        }
    }

    /// The grid to choose from, the least flexible first. γ is scaled by the number of features, because squared
    /// distances between standardised rows grow with it.
    pub fn grid(self, features: usize) -> Vec<Learner> {
        match self {
            Self::Logistic => [1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0].map(|c| Learner::Logistic { c }).to_vec(),
            Self::Svm => {
                let gammas = [1.0 / 64.0, 1.0 / 16.0, 1.0 / 4.0, 1.0].map(|share| share / features as f64);
                let with = |gamma: f64| [0.25, 1.0, 4.0, 16.0, 64.0].map(|c| Learner::Svm { c, gamma });
                gammas.into_iter().flat_map(with).collect()
            }
        }
    }
}

impl Learner {
    /// Learns from rows of both classes.
    pub fn fit(self, features: &Array2<f64>, positive: &[bool]) -> Box<dyn Classifier> {
        let scale = Standardisation::of(features);
        let standardised = scale.apply(features);
        match self {
            Self::Logistic { c } => Box::new(Scaled(scale, logistic::Logistic::fit(standardised, positive, c))),
            Self::Svm { c, gamma } => Box::new(Scaled(scale, svm::Svm::fit(&standardised, positive, c, gamma))),
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

/// z = (x − mean)/sd of every feature, with the divisor n in sd; a constant feature is only centred.
struct Standardisation {
    mean: Array1<f64>,
    sd: Array1<f64>,
}

impl Standardisation {
    fn of(features: &Array2<f64>) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// Negatives and positives in turn.
    fn twelve() -> (Array2<f64>, Vec<bool>) {
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
    fn scores(learner: Learner, expected: [f64; 2], tolerance: f64) {
        let (rows, positive) = twelve();
        let new = array![[0.5, -0.25], [1.5, 1.0]];
        let found = learner.fit(&rows, &positive).scores(&new);
        assert!(found.iter().zip(expected).all(|(s, e)| (s - e).abs() < tolerance), "{found:?}");
        // The classes' order in the rows does not matter.
        let (backwards, reversed) =
            (rows.slice(ndarray::s![..;-1, ..]).to_owned(), positive.into_iter().rev().collect::<Vec<_>>());
        let found = learner.fit(&backwards, &reversed).scores(&new);
        assert!(found.iter().zip(expected).all(|(s, e)| (s - e).abs() < tolerance), "{found:?}");
    }

    /// scale = StandardScaler().fit(rows); Z, q = scale.transform(rows), scale.transform(new)
    /// LogisticRegression(C=C, solver="newton-cholesky", tol=1e-14).fit(Z, y).decision_function(q)
    #[test]
    fn logistic_regression_agrees_with_scikit_learn() {
        scores(Learner::Logistic { c: 1.0 }, [-0.088_726_399_680_285_59, 0.684_737_570_681_741_6], 1e-8);
        scores(Learner::Logistic { c: 0.1 }, [-0.011_772_811_977_826_083, 0.154_013_329_991_867_4], 1e-8);
    }

    /// SVC(C=C, gamma=gamma, tol=1e-10).fit(Z, y).decision_function(q); LIBSVM's usual tolerance is 1e-3.
    #[test]
    fn support_vector_machine_agrees_with_scikit_learn() {
        scores(Learner::Svm { c: 1.0, gamma: 0.5 }, [-0.176_004_308_695_254_07, 0.912_520_763_733_295_2], 1e-3);
        scores(Learner::Svm { c: 4.0, gamma: 0.25 }, [-0.268_862_346_936_297_85, 1.420_532_539_950_144_7], 1e-3);
    }

    #[test]
    fn separable_classes_are_separated() {
        let rows = array![[0.0, 7.0], [1.0, 7.0], [4.0, 7.0], [5.0, 7.0]];
        let positive = [false, false, true, true];
        for kind in [Kind::Logistic, Kind::Svm] {
            for learner in kind.grid(2).into_iter().chain([kind.plain(2)]) {
                // The constant feature is no obstacle, not even where it changes.
                let found = learner.fit(&rows, &positive).scores(&array![[0.5, 7.0], [4.5, 7.0], [4.5, 7.1]]);
                assert!(found[0] < 0.0 && found[1] > 0.0, "{learner}: {found:?}");
                assert!(found.iter().all(|score| score.is_finite()), "{learner}: {found:?}");
            }
        }
    }

    /// More rows than are scored together, against the definition through LIBSVM's own predictions.
    #[test]
    fn decision_values_are_those_of_libsvm() {
        use libsvm_rs::{SvmNode, SvmParameter, SvmProblem, predict::predict_values, train::svm_train};
        let (rows, positive) = twelve();
        let scale = Standardisation::of(&rows);
        let nodes = |row: ndarray::ArrayView1<f64>| -> Vec<SvmNode> {
            (1..).zip(row).map(|(index, x)| SvmNode { index, value: *x }).collect()
        };
        let problem = SvmProblem {
            labels: positive.iter().map(|p| if *p { 1.0 } else { -1.0 }).collect(),
            instances: scale.apply(&rows).rows().into_iter().map(nodes).collect(),
        };
        let model = svm_train(&problem, &SvmParameter { gamma: 0.3, c: 2.0, ..SvmParameter::default() });
        let many = Array2::from_shape_fn((600, 2), |(i, j)| (i as f64 * 0.37 + j as f64).sin() * 3.0);
        let found = Learner::Svm { c: 2.0, gamma: 0.3 }.fit(&rows, &positive).scores(&many);
        for (row, score) in scale.apply(&many).rows().into_iter().zip(found) {
            let mut decision = [0.0];
            predict_values(&model, &nodes(row), &mut decision);
            assert!((score - decision[0]).abs() < 1e-12, "{score} {decision:?}");
        }
    }
}
