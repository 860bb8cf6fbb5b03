//! Differences of the shares of several classes, and weighted means of them.
//!
//! All estimates of a model rest on the same labelled rows. With F_a the derivatives of the shares in a by
//! quantities that the labelled rows determine, and Λ the covariance of these quantities,
//!
//! ```text
//! Cov(π̂_a, π̂_b) = F_a Λ F_bᵀ
//! ```
//!
//! For maximum likelihood, F = (J, d) and Λ = diag(V_W, 1) (`multiclass::mixture`); for means,
//! F = (π_1 M⁻¹, …, π_K M⁻¹) and Λ = diag(S_1/n_1, …, S_K/n_K) (`multiclass::linear`). Errors that the labelled
//! rows have not shown are common, too. The interval of a difference follows from those of the test rows'
//! errors and the variance of the common errors, as for two classes (`inference::difference`).

use super::sampling::TestContribution;
use super::{MulticlassEstimate, MulticlassModel};
use crate::Error;
use crate::compare::{Comparator, Comparison, Contrast, Reference};
use crate::inference::{
    Common, Covariances, Difference, ErrorContributions, IntervalOptions, Quadratic, SystematicError, TestSamplingError,
};
use crate::numeric::dense::{Matrix, dot};
use std::ops::Range;

/// The sum of the shares of groups, each times its weight W, with the parts of its covariance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SummedShares {
    /// ΣW.
    weight: f64,
    /// ΣWF.
    derivatives: Matrix,
    classes: Vec<SummedShare>,
}

/// The sum of the shares of one class, in the order of computation.
#[derive(Clone, Debug, PartialEq)]
struct SummedShare {
    /// ΣWπ.
    share: f64,
    /// ΣW²/n.
    inverse_n: f64,
    /// ΣW²V of the test rows, and Σ(W²V)²/d with d degrees of freedom.
    variance: [f64; 2],
    /// ΣW²V if all shares are multiplied by x, and if all 1 − π are: the coefficients of 1, x and x².
    scaled: [[f64; 3]; 2],
    /// The variance of the misfit, as `variance`.
    misfit: [f64; 2],
    sources: ErrorContributions,
}

impl SummedShares {
    /// Creates the sum of one group. For each class there is its share, the number of independent rows, the
    /// contribution of the test rows to its variance, with the coefficients of 1, p and p² if the share is p, and
    /// the error from misfit.
    pub(super) fn new<'a>(
        weight: f64,
        mut derivatives: Matrix,
        classes: impl Iterator<Item = (f64, f64, &'a TestContribution, [f64; 3], SystematicError)>,
    ) -> Self {
        let square = weight * weight;
        let with_squares = |variance: f64, dof: f64| [square * variance, (square * variance).powi(2) / dof];
        let class = |(p, n, test, [a, b, c], misfit): (f64, f64, &TestContribution, [f64; 3], SystematicError)| {
            let (rest, at_one) = (1.0 - p, [a + b + c, -b - 2.0 * c, c]);
            let mut sources = ErrorContributions::default();
            sources.add_times(weight, square, &test.sources);
            SummedShare {
                share: weight * p,
                inverse_n: square / n,
                variance: with_squares(test.variance, test.dof),
                scaled: [[a, b * p, c * p * p], [at_one[0], at_one[1] * rest, at_one[2] * rest * rest]]
                    .map(|coefficients| coefficients.map(|x| square * x)),
                misfit: with_squares(misfit.variance, misfit.dof),
                sources,
            }
        };
        derivatives.iter_rows_mut().flatten().for_each(|x| *x *= weight);
        Self { weight, derivatives, classes: classes.map(class).collect() }
    }

    pub(super) fn is_widened(&self) -> bool {
        self.classes.iter().any(|class| class.misfit[0] > 0.0)
    }

    /// Adds other groups, or with the sign −1 subtracts them.
    fn add(&mut self, sign: f64, other: &Self) {
        let add = |own: &mut [f64], other: &[f64]| own.iter_mut().zip(other).for_each(|(own, x)| *own += sign * x);
        self.weight += sign * other.weight;
        for (own, row) in self.derivatives.iter_rows_mut().zip(other.derivatives.iter_rows()) {
            add(own, row);
        }
        for (own, class) in self.classes.iter_mut().zip(&other.classes) {
            own.share += sign * class.share;
            own.inverse_n += sign * class.inverse_n;
            add(&mut own.variance, &class.variance);
            add(own.scaled.as_flattened_mut(), class.scaled.as_flattened());
            add(&mut own.misfit, &class.misfit);
            own.sources.add_times(sign, sign, &class.sources);
        }
    }

    /// Returns the mean share of a class.
    fn share(&self, class: usize) -> f64 {
        (self.classes[class].share / self.weight).clamp(0.0, 1.0)
    }

    /// Returns the error of the mean share of a class from the test rows.
    fn test_error(&self, class: usize) -> TestSamplingError {
        let (estimate, square) = (self.share(class), self.weight * self.weight);
        let SummedShare { inverse_n, variance, scaled, misfit, sources, .. } = &self.classes[class];
        // Groups that share clusters have a covariance.
        let common = 1.0 + if variance[0] > 0.0 { sources.covariance_of_terms() / variance[0] } else { 0.0 };
        let common = common.max(0.0);
        let side = |from_zero: bool| {
            let ([a, b, c], whole) = if from_zero { (scaled[0], estimate) } else { (scaled[1], 1.0 - estimate) };
            let at = |p: f64| {
                let x = if from_zero { p } else { 1.0 - p } / whole;
                (a + x * (b + x * c)) * common / square
            };
            Quadratic::through(at(0.0), at(0.5), at(1.0))
        };
        let dof = |[sum, squares]: [f64; 2]| if squares > 0.0 { sum * sum / squares } else { f64::INFINITY };
        TestSamplingError {
            estimate,
            n: square / inverse_n,
            variance: variance[0] * common / square,
            sides: [side(estimate > 0.0), side(estimate >= 1.0)],
            systematic: SystematicError { variance: misfit[0] / square, dof: dof(*misfit) },
            dof: dof(*variance),
        }
    }
}

impl MulticlassModel {
    /// Estimates the difference of each class's share in two samples without common rows. The samples may have
    /// common clusters. As for two classes, the standard errors do not allow for misfit, and the intervals do.
    pub fn differences(
        &self,
        first: &MulticlassEstimate,
        second: &MulticlassEstimate,
        options: &IntervalOptions,
    ) -> Vec<Difference> {
        self.summed_differences(&first.summed, &second.summed, options)
    }

    fn summed_differences(&self, a: &SummedShares, b: &SummedShares, options: &IntervalOptions) -> Vec<Difference> {
        let labelled = self.labelled_covariance();
        let difference = |class: usize| {
            let errors = [a, b].map(|shares| shares.test_error(class));
            let rows = [a, b].map(|shares| shares.derivatives.row(class));
            let products = rows.map(|row| labelled.times(row));
            let covariances = |covariance: &dyn Fn(usize, usize) -> f64| Covariances {
                first: covariance(0, 0) / (a.weight * a.weight),
                second: covariance(1, 1) / (b.weight * b.weight),
                both: covariance(0, 1) / (a.weight * b.weight),
            };
            let summed = [a, b].map(|shares| shares.classes.iter().map(|class| class.share).collect::<Vec<_>>());
            let training = covariances(&|i, j| dot(rows[i], &products[j]));
            let common = Common {
                test: a.classes[class].sources.covariance(&b.classes[class].sources) / (a.weight * b.weight),
                training,
                unseen: covariances(&|i, j| self.unseen_errors(class, [&summed[i], &summed[j]], f64::INFINITY)),
                dof: f64::INFINITY,
            };
            let parts = |place: usize, labelled: f64| {
                let error = &errors[place];
                (error.estimate, error.variance + labelled, error)
            };
            Difference::new(parts(0, training.first), parts(1, training.second), &common, options)
        };
        self.in_callers_order(difference)
    }

    /// Returns the standard error of each mean share in the caller's order, without misfit.
    fn summed_errors(&self, shares: &SummedShares) -> Vec<f64> {
        let (labelled, square) = (shares.derivatives.sandwich(&self.labelled_covariance()), shares.weight.powi(2));
        let variance = |class: usize| shares.test_error(class).variance + labelled[(class, class)] / square;
        self.in_callers_order(|class| variance(class).max(0.0).sqrt())
    }
}

/// Comparisons of the shares of groups within each level, for example of each month with all months.
pub struct ClassContrasts<'a> {
    model: &'a MulticlassModel,
    estimates: &'a [&'a MulticlassEstimate],
    options: IntervalOptions,
    /// The sum of all groups of each level, and its standard errors.
    totals: Vec<(SummedShares, Vec<f64>)>,
    contrasts: Vec<Contrast>,
}

impl<'a> ClassContrasts<'a> {
    /// Creates the contrasts of estimates by a model, which are in the order of their levels. Totals weight the
    /// groups by the sums of the weights of their rows.
    ///
    /// # Errors
    /// Returns the errors of [`Contrast::in_levels`].
    ///
    /// # Panics
    /// Panics for a level without groups.
    pub fn new(
        model: &'a MulticlassModel,
        estimates: &'a [&'a MulticlassEstimate],
        levels: &[Range<usize>],
        reference: &Reference,
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let total = |range: &Range<usize>| {
            let mut groups = estimates[range.clone()].iter().map(|estimate| &estimate.summed);
            let mut total = groups.next().expect("a group in each level").clone();
            groups.for_each(|group| total.add(1.0, group));
            let errors = model.summed_errors(&total);
            (total, errors)
        };
        let contrasts = Contrast::in_levels(levels, reference)?;
        Ok(Self { model, estimates, options: *options, totals: levels.iter().map(total).collect(), contrasts })
    }

    /// The contrasts, each a group with its comparator.
    pub fn contrasts(&self) -> &[Contrast] {
        &self.contrasts
    }

    /// Estimates the difference of the share of each class.
    pub fn compare(&self, contrast: Contrast) -> Vec<Comparison> {
        let estimate = self.estimates[contrast.group];
        let (total, whole_errors) = &self.totals[contrast.level()];
        let rest;
        let other = match contrast.other {
            Comparator::Group(index) => &self.estimates[index].summed,
            Comparator::Total | Comparator::Rest => {
                let mut others = total.clone();
                others.add(-1.0, &estimate.summed);
                rest = others;
                &rest
            }
        };
        let (own_errors, weight) = (self.model.summed_errors(&estimate.summed), estimate.summed.weight / total.weight);
        let differences = self.model.summed_differences(&estimate.summed, other, &self.options);
        let comparison = |(class, difference): (usize, Difference)| {
            let difference = match contrast.other {
                Comparator::Total => difference.to_whole(weight, [own_errors[class], whole_errors[class]]),
                _ => difference,
            };
            Comparison { contrast, other: estimate.shares[class] - difference.difference, difference }
        };
        differences.into_iter().enumerate().map(comparison).collect()
    }
}
