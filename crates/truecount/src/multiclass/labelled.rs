//! Labelled rows under a sampling design, and the errors of the quantities that they determine.
//!
//! The weights w of the n_k rows of class k are divided so that their sum is the effective number n_k* = (Σw)²/Σw²
//! (Kish 1965), so only their ratios within a class matter. A sum T = Σ_i w_i s_i over all labelled rows, with s̄_k its
//! weighted mean in class k, has contributions S_c = Σ_{i in c} w_i (s_i − s̄_k) of the clusters c, and the covariance
//!
//! ```text
//! C/(C−1) Σ_c S_c S_cᵀ
//! ```
//!
//! as for two classes (`quantifier::class_means`): without clusters a row is a unit, and C is n_k; within strata,
//! S_c is centred (`design`). Clusters with rows of several classes thus give covariances across classes.

use crate::design::{LabelledUnits, satterthwaite_dof};
use crate::numeric::dense::{Matrix, dot};
use std::ops::Range;

/// Labelled rows in the order of computation of the classes.
pub(super) struct LabelledSample<'a> {
    /// The class of each row.
    pub(super) labels: Vec<usize>,
    /// The weight of each row.
    pub(super) weights: &'a [f64],
    /// The sum of the weights of each class: the effective number of rows.
    pub(super) sizes: Vec<f64>,
    pub(super) design: Option<&'a LabelledUnits>,
}

impl LabelledSample<'_> {
    /// Returns the weighted sum of each column.
    pub(super) fn sums(&self, rows: &Matrix) -> Vec<f64> {
        let sum = |k| rows.iter_rows().zip(self.weights).map(|(row, weight)| weight * row[k]).sum();
        (0..rows.columns()).map(sum).collect()
    }

    /// Returns the contributions of the sampled units to the errors of the weighted sums of these values, by row and
    /// column; `None` for a simple random sample of each class.
    pub(super) fn unit_contributions(&self, columns: usize, value: impl Fn(usize, usize) -> f64) -> Option<Matrix> {
        let (design, classes) = (self.design?, self.sizes.len());
        // Values are relative to those of a row of the class, so that equal values have no errors.
        let first = |k: usize| self.labels.iter().position(|label| *label == k).expect("a row of each class");
        let first: Vec<usize> = (0..classes).map(first).collect();
        let value = |i: usize, j: usize| value(i, j) - value(first[self.labels[i]], j);
        let (mut means, mut rows) = (Matrix::zeros(classes, columns), vec![0; classes]);
        for (i, (k, weight)) in self.labels.iter().zip(self.weights).enumerate() {
            rows[*k] += 1;
            (0..columns).for_each(|j| means[(*k, j)] += weight * value(i, j) / self.sizes[*k]);
        }
        let factors: Vec<f64> = rows.iter().map(|n| design.unbiased(*n).sqrt()).collect();
        let error = |i: usize, j: usize| {
            let k = self.labels[i];
            factors[k] * self.weights[i] * (value(i, j) - means[(k, j)])
        };
        let column = |j| design.sums_by_unit((0..self.labels.len()).map(|i| error(i, j)));
        let sums: Vec<Vec<f64>> = (0..columns).map(column).collect();
        Some(Matrix::from_fn(sums[0].len(), columns, |unit, j| sums[j][unit]))
    }

    /// Returns the upper limit of the degrees of freedom: the number of units less that of strata, or with weights
    /// alone the effective number of rows less that of classes.
    pub(super) fn max_dof(&self) -> f64 {
        let rows = self.sizes.iter().sum::<f64>() - self.sizes.len() as f64;
        self.design.and_then(LabelledUnits::common_units).map_or(rows, |units| units - 1.0).max(1.0)
    }
}

/// The errors of quantities that the labelled rows determine.
#[derive(Clone, Debug)]
pub(super) struct LabelledErrors {
    /// Λ, their covariance.
    pub(super) covariance: Matrix,
    /// The contributions of the sampled units, with the columns that are not 0, and the largest degrees of freedom;
    /// `None` for a simple random sample.
    units: Option<(Matrix, Vec<Range<usize>>, f64)>,
}

impl LabelledErrors {
    /// Creates the errors of a simple random sample of each class.
    pub(super) fn independent(covariance: Matrix) -> Self {
        Self { covariance, units: None }
    }

    /// Creates the errors from the contributions of sampled units, and the covariance of other errors.
    pub(super) fn new(others: &Matrix, units: Matrix, max_dof: f64) -> Self {
        let mut covariance = others.clone();
        units.iter_rows().for_each(|unit| covariance.add_outer_product(1.0, unit));
        // A row of one class has no errors in the others.
        let columns = |unit: &[f64]| {
            let start = unit.iter().position(|x| *x != 0.0).unwrap_or(0);
            start..unit.iter().rposition(|x| *x != 0.0).map_or(start, |last| last + 1)
        };
        let columns = units.iter_rows().map(columns).collect();
        Self { covariance, units: Some((units, columns, max_dof)) }
    }

    pub(super) fn has_design(&self) -> bool {
        self.units.is_some()
    }

    /// Returns the degrees of freedom of the variance in a direction, by Satterthwaite's formula.
    pub(super) fn dof(&self, direction: &[f64]) -> f64 {
        let Some((units, columns, max_dof)) = &self.units else { return f64::INFINITY };
        let sum = |(unit, columns): (&[f64], &Range<usize>)| dot(&unit[columns.clone()], &direction[columns.clone()]);
        let sums: Vec<f64> = units.iter_rows().zip(columns).map(sum).collect();
        let known = dot(direction, &self.covariance.times(direction)) / dot(&sums, &sums);
        let dof = known * known * satterthwaite_dof(&sums).min(*max_dof);
        if dof.is_finite() { dof } else { f64::INFINITY }
    }

    /// Returns the degrees of freedom of a variance of which a fraction `share` lies in this direction; `others` are
    /// those if that part were known exactly.
    pub(super) fn joint_dof(&self, direction: &[f64], share: f64, others: f64) -> f64 {
        let own = self.dof(direction);
        if own.is_finite() { (others.recip() + share * share / own).recip() } else { others }
    }
}
