//! Weighted sums of the shares of several classes over groups, with the parts of their covariance.

use super::linear::project_to_simplex;
use super::sampling::TestContribution;
use crate::inference::{ErrorContributions, Quadratic, SystematicError, TestSamplingError};
use crate::numeric::dense::Matrix;

/// The sum of the shares of groups, each times its weight W, with the parts of its covariance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShareTotals {
    /// ΣW.
    pub(super) weight: f64,
    /// The number of groups.
    groups: usize,
    /// ΣWF.
    pub(super) derivatives: Matrix,
    /// ΣW² of the covariance from neither the labelled rows nor common clusters.
    pub(super) covariance: Matrix,
    /// The totals of the classes, in the order of computation.
    pub(super) classes: Vec<ShareTotal>,
}

/// The sum of the shares of one class.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ShareTotal {
    /// ΣWπ, and that of the shares before they are made possible.
    pub(super) share: f64,
    raw: f64,
    /// ΣW²/n.
    inverse_n: f64,
    /// ΣW²V of the test rows, and Σ(W²V)²/d with d degrees of freedom.
    variance: [f64; 2],
    /// Coefficients of 1, x and x² in ΣW²V of the test rows, and of the labelled rows, if x scales all π
    /// proportionally from 0, and if it scales all 1 − π, towards 1.
    scaled: [[[f64; 3]; 2]; 2],
    /// The variance of the misfit, as `variance`.
    misfit: [f64; 2],
    pub(super) sources: ErrorContributions,
}

impl ShareTotals {
    /// Creates the sum of one group with these derivatives and this covariance without the labelled rows' errors. For
    /// each class there is its share, also before it is made possible, the number of independent rows, the
    /// contribution of the test rows to its variance, the coefficients of 1, p and p² in the variance at share p from
    /// the test rows and from the labelled rows, and the error from misfit.
    pub(super) fn new<'a>(
        weight: f64,
        (mut derivatives, covariance): (Matrix, Matrix),
        classes: impl Iterator<Item = ([f64; 2], f64, &'a TestContribution, [[f64; 3]; 2], SystematicError)>,
    ) -> Self {
        let square = weight * weight;
        let with_squares = |variance: f64, dof: f64| [square * variance, (square * variance).powi(2) / dof];
        let class =
            |([p, raw], n, test, parts, misfit): ([f64; 2], f64, &TestContribution, [[f64; 3]; 2], SystematicError)| {
                let scaled = |[a, b, c]: [f64; 3]| {
                    let (rest, at_one) = (1.0 - p, [a + b + c, -b - 2.0 * c, c]);
                    [[a, b * p, c * p * p], [at_one[0], at_one[1] * rest, at_one[2] * rest * rest]]
                        .map(|coefficients| coefficients.map(|x| square * x))
                };
                let mut sources = ErrorContributions::default();
                sources.add_times(weight, square, &test.sources);
                ShareTotal {
                    share: weight * p,
                    raw: weight * raw,
                    inverse_n: square / n,
                    variance: with_squares(test.variance, test.dof),
                    scaled: parts.map(scaled),
                    misfit: with_squares(misfit.variance, misfit.dof),
                    sources,
                }
            };
        derivatives.iter_rows_mut().flatten().for_each(|x| *x *= weight);
        let classes: Vec<ShareTotal> = classes.map(class).collect();
        let common = |i: usize, j: usize| classes[i].sources.covariance(&classes[j].sources);
        let covariance =
            Matrix::from_fn(classes.len(), classes.len(), |i, j| square * covariance[(i, j)] - common(i, j));
        Self { weight, groups: 1, derivatives, covariance, classes }
    }

    pub(super) fn is_widened(&self) -> bool {
        self.classes.iter().any(|class| class.misfit[0] > 0.0)
    }

    /// Returns the sum of other groups, with their weights multiplied by these factors.
    ///
    /// # Panics
    /// Panics without groups.
    pub(super) fn sum(groups: &[(f64, &Self)]) -> Self {
        let [derivatives, covariance] = [&groups[0].1.derivatives, &groups[0].1.covariance]
            .map(|matrix| Matrix::zeros(matrix.rows(), matrix.columns()));
        let classes = vec![ShareTotal::default(); covariance.rows()];
        let mut sum = Self { weight: 0.0, groups: 0, derivatives, covariance, classes };
        for (factor, group) in groups {
            sum.add(*factor, group);
        }
        sum
    }

    /// Adds other groups with their weights multiplied by a factor, or with a negative factor subtracts them.
    pub(super) fn add(&mut self, factor: f64, other: &Self) {
        let (square, fourth) = (factor * factor.abs(), factor.powi(3) * factor.abs());
        let add = |factor: f64, own: &mut [f64], other: &[f64]| {
            own.iter_mut().zip(other).for_each(|(own, x)| *own += factor * x);
        };
        let add_with_squares = |own: &mut [f64; 2], other: &[f64; 2]| {
            *own = [own[0] + square * other[0], own[1] + fourth * other[1]];
        };
        self.weight += factor * other.weight;
        self.groups = if factor < 0.0 { self.groups - other.groups } else { self.groups + other.groups };
        for (own, row) in self.derivatives.iter_rows_mut().zip(other.derivatives.iter_rows()) {
            add(factor, own, row);
        }
        for (own, row) in self.covariance.iter_rows_mut().zip(other.covariance.iter_rows()) {
            add(square, own, row);
        }
        for (own, class) in self.classes.iter_mut().zip(&other.classes) {
            own.share += factor * class.share;
            own.raw += factor * class.raw;
            own.inverse_n += square * class.inverse_n;
            add_with_squares(&mut own.variance, &class.variance);
            add(square, own.scaled.as_flattened_mut().as_flattened_mut(), class.scaled.as_flattened().as_flattened());
            add_with_squares(&mut own.misfit, &class.misfit);
            own.sources.add_times(factor, square, &class.sources);
        }
    }

    /// Returns the mean of the groups' shares of a class.
    fn share(&self, class: usize) -> f64 {
        (self.classes[class].share / self.weight).clamp(0.0, 1.0)
    }

    /// Returns the mean shares before they are made possible.
    pub(super) fn raw(&self) -> Vec<f64> {
        self.classes.iter().map(|class| class.raw / self.weight).collect()
    }

    /// Returns the mean shares for this covariance of the mean. Groups without a class have negative raw shares as
    /// often as positive ones, so only the mean of these is made possible.
    pub(super) fn shares(&self, covariance: &Matrix) -> Vec<f64> {
        if self.groups == 1 {
            return (0..self.classes.len()).map(|class| self.share(class)).collect();
        }
        project_to_simplex(&self.raw(), covariance)
    }

    /// Returns the error of the mean share of a class from the test rows, for an estimate of it.
    pub(super) fn test_error(&self, class: usize, estimate: f64) -> TestSamplingError {
        let (scaled_from, square) = (self.share(class), self.weight * self.weight);
        let ShareTotal { inverse_n, variance, scaled, misfit, sources, .. } = &self.classes[class];
        // Groups that share clusters have a covariance.
        let common = 1.0 + if variance[0] > 0.0 { sources.covariance_of_terms() / variance[0] } else { 0.0 };
        let common = common.max(0.0);
        let side = |from_zero: bool| {
            let at = |p: f64| scaled_variance(&scaled[0], (scaled_from, from_zero), p) * common / square;
            Quadratic::through(at(0.0), at(0.5), at(1.0))
        };
        let dof = |[sum, squares]: [f64; 2]| if squares > 0.0 { sum * sum / squares } else { f64::INFINITY };
        TestSamplingError {
            estimate,
            n: square / inverse_n,
            variance: variance[0] * common / square,
            sides: [side(scaled_from > 0.0), side(scaled_from >= 1.0)],
            systematic: SystematicError { variance: misfit[0] / square, dof: dof(*misfit) },
            dof: dof(*variance),
        }
    }

    /// Returns the variance of a class's mean share from the labelled rows at share p, relative to that at the
    /// estimate, if both are the sums of the groups' variances.
    pub(super) fn labelled_ratio(&self, class: usize, p: f64) -> f64 {
        let (estimate, scaled) = (self.share(class), &self.classes[class].scaled[1]);
        let from_zero = if p < estimate { estimate > 0.0 } else { estimate >= 1.0 };
        let [at, at_estimate] = [p, estimate].map(|p| scaled_variance(scaled, (estimate, from_zero), p));
        if at_estimate > 0.0 { (at / at_estimate).max(0.0) } else { 1.0 }
    }
}

/// Evaluates the variance at share p from coefficients for shares scaled proportionally from 0, or towards 1.
fn scaled_variance(scaled: &[[f64; 3]; 2], (estimate, from_zero): (f64, bool), p: f64) -> f64 {
    let ([a, b, c], x) = if from_zero { (scaled[0], p / estimate) } else { (scaled[1], (1.0 - p) / (1.0 - estimate)) };
    a + x * (b + x * c)
}
