//! Probabilities of several classes, and their labelled rows.

use super::MulticlassMethod;
use crate::design::{LabelledUnits, count_clusters};
use crate::located_error::ErrorLocation;
use crate::model::SampledRows;
use crate::numeric::dense::Matrix;
use crate::{Error, Problem};
use std::borrow::Cow;

/// The rounding error of a probability with two decimals.
const ROUNDING: f64 = 5e-3;

/// The probabilities of K classes for each of n rows, by any classifier.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassProbabilities {
    rows: Matrix,
    weights: Option<Vec<f64>>,
    /// The weights of the rows in each replicate.
    pub(super) replicates: Vec<Vec<f64>>,
    /// The number of equal rows that each row stands for; `None` if that is one.
    counts: Option<Vec<u64>>,
    pub(super) kind: RowKind,
}

/// The meaning of a row's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowKind {
    Probabilities,
    /// The softmax of decision values.
    Softmax,
    /// 1 for the predicted class, and 0 for the others.
    Predicted,
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
        Self::check_classes(classes)?;
        let rows = values.len() / classes;
        Error::unless_equal(("probabilities", values.len(), rows * classes))?;
        let sums = values.chunks_exact(classes).map(|row| row.iter().sum::<f64>());
        if let Some((row, sum)) = sums.enumerate().find(|(_, sum)| !sum.is_nan() && !is_one(*sum, classes)) {
            return Err(ErrorLocation::default().error(Problem::ProbabilitiesNotOne { sum }).at_row(row));
        }
        Error::unless_probabilities(values).map_err(|error| error.renumber_row(|value| value / classes))?;
        let (rows, kind) = (Matrix::from_values(classes, values.to_vec()), RowKind::Probabilities);
        Ok(Self { rows, weights: None, replicates: Vec::new(), counts: None, kind })
    }

    /// Creates a table of probabilities, or of the softmax of decision values such as logits.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new), and an error if a decision value is not finite, and if all rows have
    /// probabilities.
    pub fn from_scores(values: &[f64], classes: usize, are_decision_values: bool) -> Result<Self, Error> {
        if !are_decision_values {
            return Self::new(values, classes);
        }
        Error::unless_finite(values)?;
        let sums_to_one = values.chunks(classes.max(1)).all(|row| is_one(row.iter().sum(), classes));
        if sums_to_one && values.iter().all(|value| *value >= 0.0) {
            return Err(Problem::DecisionValuesExpected.into());
        }
        let softmax = |row: &[f64]| {
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let powers: Vec<f64> = row.iter().map(|value| (value - largest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(move |power| power / sum)
        };
        let values: Vec<f64> = values.chunks(classes.max(1)).flat_map(softmax).collect();
        Ok(Self { kind: RowKind::Softmax, ..Self::new(&values, classes)? })
    }

    /// Returns whether scores are decision values: at least one is negative, and fewer than half of the rows have the
    /// sum 1. A single wrong probability thus remains an error.
    pub fn are_decision_values(values: &[f64], classes: usize) -> bool {
        let rows = || values.chunks(classes.max(1));
        let ones = rows().filter(|row| is_one(row.iter().sum(), classes)).count();
        values.iter().any(|value| *value < 0.0) && 2 * ones < rows().count()
    }

    /// Creates a table of n rows with the same predicted class and without probabilities. It stores a single row.
    ///
    /// # Errors
    /// Returns an error if there are fewer than two classes.
    ///
    /// # Panics
    /// Panics unless the predicted class is below K.
    pub fn predicted(class: usize, classes: usize, n: u64) -> Result<Self, Error> {
        Self::check_classes(classes)?;
        assert!(class < classes, "a class below K");
        let rows = Matrix::from_fn(1, classes, |_, k| f64::from(u8::from(k == class)));
        let (weights, replicates) = (None, Vec::new());
        Ok(Self { rows, weights, replicates, counts: Some(vec![n]), kind: RowKind::Predicted })
    }

    /// Adds the number of equal rows that each row stands for.
    ///
    /// # Errors
    /// Returns an error unless each row has a number, and if rows have weights.
    pub fn with_counts(self, counts: Vec<u64>) -> Result<Self, Error> {
        Error::unless_equal(("counts", counts.len(), self.len()))?;
        if self.is_weighted() {
            return Err(Problem::WeightsUnexpected.into());
        }
        Ok(Self { counts: Some(counts), ..self })
    }

    fn check_classes(classes: usize) -> Result<(), Problem> {
        if classes < 2 { Err(Problem::TooFewClasses { classes }) } else { Ok(()) }
    }

    /// Adds the weights of the rows, of which only ratios matter.
    ///
    /// # Errors
    /// Returns an error unless each row has a weight, and if one is neither 0 nor in [1e-100, 1e100].
    pub fn with_weights(self, weights: Option<Vec<f64>>) -> Result<Self, Error> {
        let table = if weights.is_some() { self.expanded().into_owned() } else { self };
        Error::unless_equal(("weights", weights.as_ref().map_or(table.len(), Vec::len), table.len()))?;
        weights.as_deref().map_or(Ok(()), Error::unless_weights)?;
        Ok(Self { weights, ..table })
    }

    /// Returns the weights of the rows, for replicate 0 those of the estimate itself, which may be absent.
    pub fn weights(&self, replicate: usize) -> Option<&[f64]> {
        replicate.checked_sub(1).map_or(self.weights.as_deref(), |index| Some(self.replicates[index].as_slice()))
    }

    /// Adds the weights of the rows in one more replicate, for [`TestDesign::replicates`](crate::model::TestDesign).
    ///
    /// # Errors
    /// Returns the errors of [`with_weights`](Self::with_weights).
    pub fn with_replicate(self, weights: Vec<f64>) -> Result<Self, Error> {
        let mut table = if self.counts.is_some() { self.expanded().into_owned() } else { self };
        Error::unless_equal(("replicate_weights", weights.len(), table.len()))?;
        Error::unless_weights(&weights)?;
        table.replicates.push(weights);
        Ok(table)
    }

    /// Number of stored rows, of which each may stand for several.
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

    /// Returns the rows of several tables with the same classes, one after the other. Their weights and
    /// kind are as in the first table.
    ///
    /// # Panics
    /// Panics without tables, and if they have different numbers of classes or replicates.
    pub fn concat(tables: &[&Self]) -> Self {
        let classes = tables[0].classes();
        assert!(tables.iter().all(|table| table.classes() == classes), "tables with the same classes");
        let weights = || tables.iter().flat_map(|table| table.weights.iter().flatten().copied()).collect();
        let replicate = |index: usize| tables.iter().flat_map(|table| &table.replicates[index]).copied().collect();
        let counts = || tables.iter().flat_map(|table| (0..table.len()).map(|row| table.count(row))).collect();
        Self {
            rows: Matrix::from_values(classes, tables.iter().flat_map(|table| table.rows.values()).copied().collect()),
            weights: tables[0].is_weighted().then(weights),
            replicates: (0..tables[0].replicates.len()).map(replicate).collect(),
            counts: tables.iter().any(|table| table.counts.is_some()).then(counts),
            kind: tables[0].kind,
        }
    }

    /// Returns the rows with these indices.
    ///
    /// # Panics
    /// Panics for the index of no row.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let values = rows.iter().flat_map(|row| self.rows.row(*row)).copied().collect();
        let select = |weights: &Vec<f64>| rows.iter().map(|row| weights[*row]).collect();
        let (weights, replicates) = (self.weights.as_ref().map(select), self.replicates.iter().map(select).collect());
        let counts = self.counts.as_ref().map(|counts| rows.iter().map(|row| counts[*row]).collect());
        Self { rows: Matrix::from_values(self.classes(), values), weights, replicates, counts, kind: self.kind }
    }

    /// Returns the table with each repeated row written out.
    pub fn expanded(&self) -> Cow<'_, Self> {
        if self.counts.is_none() {
            return Cow::Borrowed(self);
        }
        let rows: Vec<usize> = (0..self.len()).flat_map(|row| (0..self.count(row)).map(move |_| row)).collect();
        Cow::Owned(Self { counts: None, ..self.select(&rows) })
    }

    /// Returns an error if the method needs probabilities and the rows have only predicted classes.
    pub(super) fn check_method(&self, method: MulticlassMethod) -> Result<(), Problem> {
        match method {
            MulticlassMethod::Ml | MulticlassMethod::Sld | MulticlassMethod::Pacc if self.are_predicted() => {
                Err(Problem::PredictionsOnly { method: method.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the rows have predicted classes instead of probabilities.
    pub(super) fn are_predicted(&self) -> bool {
        self.kind == RowKind::Predicted
    }

    /// Returns the number of equal rows that a row stands for.
    pub(super) fn count(&self, row: usize) -> u64 {
        self.counts.as_ref().map_or(1, |counts| counts[row])
    }

    /// Returns the number of rows, counting repeats.
    pub(super) fn size(&self) -> u64 {
        (0..self.len()).map(|row| self.count(row)).sum()
    }

    /// Returns the sum of the weights.
    pub(super) fn total_weight(&self) -> f64 {
        self.weights.as_ref().map_or(self.size() as f64, |weights| weights.iter().sum())
    }

    /// Returns weights with the sum n: the counts, or the weights themselves, rescaled.
    pub(super) fn relative_weights(&self) -> Vec<f64> {
        match &self.weights {
            Some(weights) if weights.iter().any(|weight| *weight != weights[0]) => {
                let mean = weights.iter().sum::<f64>() / weights.len() as f64;
                weights.iter().map(|weight| weight / mean).collect()
            }
            _ => (0..self.len()).map(|row| self.count(row) as f64).collect(),
        }
    }

    /// Returns the rows divided by their sums, with the classes in this order, before other verdicts.
    pub(super) fn normalised(&self, order: &[usize]) -> Matrix {
        let column = |k: usize| order.get(k).copied().unwrap_or(k);
        let mut ordered = Matrix::from_fn(self.len(), self.classes(), |i, k| self.rows[(i, column(k))]);
        for row in ordered.iter_rows_mut() {
            let sum: f64 = row.iter().sum();
            for p in row {
                *p /= sum;
            }
        }
        ordered
    }
}

/// Returns whether the sum of probabilities is 1, up to their rounding.
fn is_one(sum: f64, classes: usize) -> bool {
    // 1e-9 is for the rounding of the sum.
    (sum - 1.0).abs() <= (ROUNDING * classes as f64).min(0.5) + 1e-9
}

impl SampledRows for ClassProbabilities {
    fn n(&self) -> u64 {
        let positive = |weights: &Vec<f64>| weights.iter().filter(|weight| **weight > 0.0).count() as u64;
        self.weights.as_ref().map_or_else(|| self.size(), positive)
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
    /// The weights of the rows, which have the effective number of rows as their sum within each class; or the numbers
    /// of equal rows.
    pub(super) weights: Vec<f64>,
    /// The number of clusters with rows of each class, if there are clusters.
    pub(super) clusters: Option<Vec<usize>>,
    /// The sampling design; `None` for a simple random sample of each class.
    pub(super) design: Option<LabelledUnits>,
}

impl LabelledProbabilities {
    /// Combines probabilities, shape (n, K), with labels in 0, …, K − 1, shape (n). A row that stands for several has
    /// one label. `names` has the classes; other verdicts may follow, which no row has as a label, if each row has a
    /// single value above 0.
    ///
    /// # Errors
    /// Returns an error if lengths differ, if a label is not below K, and if a class has fewer than two
    /// labelled rows.
    pub fn new(names: &[impl AsRef<str>], probabilities: ClassProbabilities, labels: &[usize]) -> Result<Self, Error> {
        Self::with_units(names, probabilities, labels, [None, None])
    }

    /// Returns the rows sorted by class, each repeated row written out, and the number of rows of each class.
    pub fn sorted_by_class(&self) -> (ClassProbabilities, Vec<usize>) {
        let mut rows: Vec<usize> = (0..self.labels.len()).collect();
        rows.sort_by_key(|row| self.labels[*row]);
        let mut counts = vec![0; self.labels.iter().max().map_or(0, |class| class + 1)];
        for (row, class) in self.labels.iter().enumerate() {
            counts[*class] += usize::try_from(self.probabilities.count(row)).expect("a row in memory");
        }
        (self.probabilities.select(&rows).expanded().into_owned(), counts)
    }

    /// Returns whether these are the labelled rows in any order. They are sorted by class, and `counts` has the number
    /// of rows of each. The answer for predicted classes, which many rows share, is `false`.
    pub fn has_rows(&self, rows: &ClassProbabilities, counts: &[usize]) -> bool {
        let sorted = |table: &ClassProbabilities, labels: Vec<usize>| {
            let bits = table.rows.iter_rows().map(|row| row.iter().map(|p| p.to_bits()).collect());
            let mut rows: Vec<(usize, Vec<u64>)> = labels.into_iter().zip(bits).collect();
            rows.sort_unstable();
            rows
        };
        let labels = counts.iter().enumerate().flat_map(|(class, n)| vec![class; *n]).collect();
        !rows.are_predicted() && sorted(&self.probabilities, self.labels.clone()) == sorted(rows, labels)
    }

    /// Combines probabilities with labels, and with the cluster and the stratum of each row, any `u32`, if there are
    /// any, as [`LabelledScoresBuilder`](crate::scores::LabelledScoresBuilder) does for two classes. The weights of
    /// the probabilities are survey weights of the labelled rows, of which only ratios within classes matter.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new); [`Problem::TooFewClusters`] if the rows of a class are in a single
    /// cluster; and errors if a stratum has a single row or cluster, and if rows of a cluster are in several strata.
    pub fn with_units(
        names: &[impl AsRef<str>],
        mut probabilities: ClassProbabilities,
        labels: &[usize],
        units: [Option<&[u32]>; 2],
    ) -> Result<Self, Error> {
        let classes = probabilities.classes();
        Error::unless_equal(("names", names.len(), classes))?;
        Error::unless_equal(("labels", labels.len(), probabilities.len()))?;
        if let Some(row) = labels.iter().position(|label| *label >= classes) {
            let problem = Problem::LabelNotAClass { label: labels[row], classes };
            return Err(ErrorLocation::default().error(problem).at_row(row));
        }
        let names: Vec<String> = names.iter().map(|name| name.as_ref().to_owned()).collect();
        for (column, unit) in ["clusters", "strata"].into_iter().zip(units) {
            Error::unless_equal((column, unit.map_or(labels.len(), <[u32]>::len), labels.len()))?;
        }
        let labelled = labels.iter().max().map_or(0, |k| k + 1);
        let is_prediction = |row: &[f64]| row.iter().filter(|value| **value > 0.0).count() == 1;
        if labelled < classes && probabilities.rows.iter_rows().all(is_prediction) {
            probabilities.kind = RowKind::Predicted;
        }
        let is_predicted = probabilities.are_predicted();
        let classes = if is_predicted { labelled } else { classes };
        // Predictions stay counted, and rows without weight are left out.
        let keeps_counts = is_predicted && units == [None, None];
        let times = |row: usize| match &probabilities.weights {
            Some(weights) => u64::from(weights[row] > 0.0),
            None if keeps_counts => 1,
            None => probabilities.count(row),
        };
        let rows: Vec<usize> = (0..labels.len()).flat_map(|row| (0..times(row)).map(move |_| row)).collect();
        let mut probabilities = probabilities.select(&rows);
        probabilities.counts = probabilities.counts.filter(|_| keeps_counts);
        let labels: Vec<usize> = rows.iter().map(|row| labels[*row]).collect();
        let units = units.map(|unit| unit.map(|unit| rows.iter().map(|row| unit[*row]).collect::<Vec<u32>>()));
        ClassProbabilities::check_classes(classes)?;
        let mut weights: Vec<f64> = (0..labels.len()).map(|row| probabilities.count(row) as f64).collect();
        let (mut clusters, mut is_weighted) = (units[0].as_ref().map(|_| Vec::new()), false);
        for (k, class) in names[..classes].iter().enumerate() {
            let rows: Vec<usize> = (0..labels.len()).filter(|row| labels[*row] == k).collect();
            let n: u64 = rows.iter().map(|row| probabilities.count(*row)).sum();
            if n < 2 {
                return Err(Problem::NamedClassTooSmall { class: class.clone(), n }.into());
            }
            if let (Some(clusters), Some(ids)) = (&mut clusters, &units[0]) {
                clusters.push(count_clusters(rows.iter().map(|row| ids[*row]), || class.clone())?);
            }
            // Equal weights change nothing, to the bit.
            if let Some(given) = &probabilities.weights
                && rows.iter().any(|row| given[*row] != given[rows[0]])
            {
                is_weighted = true;
                let [sum, squares] = [1, 2].map(|power| rows.iter().map(|row| given[*row].powi(power)).sum::<f64>());
                for row in rows {
                    weights[row] = given[row] / squares * sum;
                }
            }
        }
        let units = LabelledUnits::new(units.each_ref().map(Option::as_deref))?;
        let design = (is_weighted || units.common_units().is_some()).then_some(units);
        Ok(Self { names, probabilities, labels, weights, clusters, design })
    }

    /// Returns the classes in the order of their first labelled rows, which does not depend on how
    /// the caller orders the classes.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).filter(|class| self.labels.contains(class)).collect();
        order.sort_by_key(|class| self.labels.iter().position(|label| label == class));
        order
    }
}
