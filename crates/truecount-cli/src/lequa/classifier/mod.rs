//! Classifiers that give scores: one file each, behind one trait; features are standardised on the rows a classifier learns from.

mod logistic;
mod svm;

use clap::ValueEnum;
use ndarray::{Array1, Array2, Axis};
use std::fmt;

/// What has learnt to score rows of features, higher meaning more positive.
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
    /// Support vector machine with a radial basis function; the scores are distances, Platt scaling gives probabilities
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

    /// The grid to choose from, the least flexible first. γ goes with the number of features, as squared distances between
    /// standardised rows do.
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
        // Rounding may leave a constant feature a spread that is none.
        let sd = ndarray::Zip::from(&features.std_axis(Axis(0), 0.0))
            .and(&mean)
            .map_collect(|sd, mean| if *sd > 1e-12 * mean.abs() { *sd } else { 1.0 });
        Self { mean, sd }
    }

    fn apply(&self, features: &Array2<f64>) -> Array2<f64> {
        (features - &self.mean) / &self.sd
    }
}
