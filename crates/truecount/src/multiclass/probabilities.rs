//! Probabilities of several classes, and their labelled rows.

use crate::located_error::ErrorLocation;
use crate::model::SampledRows;
use crate::numeric::dense::Matrix;
use crate::{Error, Problem};

/// The rounding error of a probability with two decimals.
const ROUNDING: f64 = 5e-3;

/// The probabilities of K classes for each of n rows, by any classifier.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassProbabilities {
    rows: Matrix,
    weights: Option<Vec<f64>>,
}

impl ClassProbabilities {
    /// Creates a table of probabilities from rows of K values. The sum of a row may differ from 1 by
    /// 0.005 K, the rounding of two decimals; each row is divided by its sum.
    ///
    /// # Errors
    /// Returns an error if there are fewer than two classes, if the number of values is not a
    /// multiple of K, if a value is not in [0, 1], and if a row's sum differs from 1 by more; the
    /// error names the row.
    pub fn new(values: &[f64], classes: usize) -> Result<Self, Error> {
        if classes < 2 {
            return Err(Problem::TooFewClasses { classes }.into());
        }
        let rows = values.len() / classes;
        Error::unless_equal(("probabilities", values.len(), rows * classes))?;
        Error::unless_probabilities(values).map_err(|error| error.renumber_row(|value| value / classes))?;
        // 1e-9 is for the rounding of the sum.
        let rounding = ROUNDING * classes as f64 + 1e-9;
        let sums = values.chunks_exact(classes).map(|row| row.iter().sum::<f64>());
        if let Some((row, sum)) = sums.enumerate().find(|(_, sum)| (sum - 1.0).abs() > rounding) {
            return Err(ErrorLocation::default().error(Problem::ProbabilitiesNotOne { sum }).at_row(row));
        }
        Ok(Self { rows: Matrix::from_values(classes, values.to_vec()), weights: None })
    }

    /// Adds the weights of the rows, of which only ratios matter.
    ///
    /// # Errors
    /// Returns an error unless each row has a weight, and if one is neither 0 nor in [1e-100, 1e100].
    pub fn with_weights(self, weights: Option<Vec<f64>>) -> Result<Self, Error> {
        Error::unless_equal(("weights", weights.as_ref().map_or(self.len(), Vec::len), self.len()))?;
        weights.as_deref().map_or(Ok(()), Error::unless_weights)?;
        Ok(Self { weights, ..self })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.rows()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of classes K.
    pub fn classes(&self) -> usize {
        self.rows.columns()
    }

    /// Returns the rows of several tables with the same classes, one after the other. They have weights if the
    /// first table has.
    ///
    /// # Panics
    /// Panics without tables, and if they have different numbers of classes.
    pub fn concat(tables: &[&Self]) -> Self {
        let classes = tables[0].classes();
        assert!(tables.iter().all(|table| table.classes() == classes), "tables with the same classes");
        let weights = || tables.iter().flat_map(|table| table.weights.iter().flatten().copied()).collect();
        Self {
            rows: Matrix::from_values(classes, tables.iter().flat_map(|table| table.rows.values()).copied().collect()),
            weights: tables[0].is_weighted().then(weights),
        }
    }

    /// Returns the rows with these indices.
    ///
    /// # Panics
    /// Panics for the index of no row.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let values = rows.iter().flat_map(|row| self.rows.row(*row)).copied().collect();
        let weights = self.weights.as_ref().map(|weights| rows.iter().map(|row| weights[*row]).collect());
        Self { rows: Matrix::from_values(self.classes(), values), weights }
    }

    /// Returns the sum of the weights.
    pub(super) fn total_weight(&self) -> f64 {
        self.weights.as_ref().map_or(self.len() as f64, |weights| weights.iter().sum())
    }

    /// Returns the weights, with the mean 1.
    pub(super) fn relative_weights(&self) -> Vec<f64> {
        match &self.weights {
            Some(weights) if weights.iter().any(|weight| *weight != weights[0]) => {
                let mean = weights.iter().sum::<f64>() / weights.len() as f64;
                weights.iter().map(|weight| weight / mean).collect()
            }
            _ => vec![1.0; self.len()],
        }
    }

    /// Returns the rows divided by their sums, with the classes in this order.
    pub(super) fn normalised(&self, order: &[usize]) -> Matrix {
        let mut ordered = Matrix::from_fn(self.len(), order.len(), |i, k| self.rows[(i, order[k])]);
        for row in ordered.iter_rows_mut() {
            let sum: f64 = row.iter().sum();
            for p in row {
                *p /= sum;
            }
        }
        ordered
    }
}

impl SampledRows for ClassProbabilities {
    fn n(&self) -> u64 {
        self.weights.as_ref().map_or(self.len(), |weights| weights.iter().filter(|weight| **weight > 0.0).count())
            as u64
    }

    fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }
}

/// Labelled rows with probabilities of K named classes.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledProbabilities {
    pub(super) names: Vec<String>,
    pub(super) probabilities: ClassProbabilities,
    pub(super) labels: Vec<usize>,
}

impl LabelledProbabilities {
    /// Combines probabilities, shape (n, K), with labels in 0, …, K − 1, shape (n). `names` has the
    /// name of each class, for messages.
    ///
    /// # Errors
    /// Returns an error if lengths differ, if a label is not below K, and if a class has fewer than two
    /// labelled rows.
    pub fn new(names: &[impl AsRef<str>], probabilities: ClassProbabilities, labels: &[usize]) -> Result<Self, Error> {
        let classes = probabilities.classes();
        Error::unless_equal(("names", names.len(), classes))?;
        Error::unless_equal(("labels", labels.len(), probabilities.len()))?;
        if let Some(row) = labels.iter().position(|label| *label >= classes) {
            let problem = Problem::LabelNotAClass { label: labels[row], classes };
            return Err(ErrorLocation::default().error(problem).at_row(row));
        }
        let names: Vec<String> = names.iter().map(|name| name.as_ref().to_owned()).collect();
        for (k, class) in names.iter().enumerate() {
            let n = labels.iter().filter(|label| **label == k).count();
            if n < 2 {
                return Err(Problem::NamedClassTooSmall { class: class.clone(), n }.into());
            }
        }
        Ok(Self { names, probabilities, labels: labels.to_vec() })
    }

    /// Returns the classes in the order of their first labelled rows, which does not depend on how
    /// the caller orders the classes.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|class| self.labels.iter().position(|label| label == class));
        order
    }
}
