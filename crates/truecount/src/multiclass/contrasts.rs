//! Differences of the shares of several classes.
//!
//! All estimates of a model rest on the same labelled rows. With F_a the derivatives of the shares in a by
//! quantities that the labelled rows determine, and Λ the covariance of these quantities,
//!
//! ```text
//! Cov(π̂_a, π̂_b) = F_a Λ F_bᵀ
//! ```
//!
//! For maximum likelihood, F = (J, d) and Λ = diag(V_W, 1) (`multiclass::mixture`); for means,
//! F = (π_1 M⁻¹, …, π_K M⁻¹) and Λ = diag(S_1/n_1, …, S_K/n_K) (`multiclass::linear`), or the design covariance
//! (`multiclass::labelled`). Errors that the labelled rows have not shown are common, too. The interval of a difference
//! follows from those of the test rows' errors and the variance of the common errors, as for two classes
//! (`inference::difference`).

use super::totals::ShareTotals;
use super::{MulticlassEstimate, MulticlassModel};
use crate::Error;
use crate::compare::{Comparator, Comparison, Contrast, Reference};
use crate::inference::{Common, Covariances, Difference, IntervalOptions};
use crate::numeric::dense::dot;
use std::ops::Range;

impl MulticlassModel {
    /// Estimates the difference of each class's share in two samples without common rows. The samples may have
    /// common clusters. As for two classes, the standard errors do not allow for misfit, but the intervals do.
    pub fn differences(
        &self,
        first: &MulticlassEstimate,
        second: &MulticlassEstimate,
        options: &IntervalOptions,
    ) -> Vec<Difference> {
        self.total_differences(&first.summed, &second.summed, options)
    }

    fn total_differences(&self, a: &ShareTotals, b: &ShareTotals, options: &IntervalOptions) -> Vec<Difference> {
        let labelled = self.labelled_errors();
        let shares = [a, b].map(|sum| (sum, sum.shares(&self.total_covariances(sum)[1]), sum.raw()));
        let difference = |class: usize| {
            let errors = shares.each_ref().map(|(sum, shares, _)| sum.test_error(class, shares[class]));
            let rows = [a, b].map(|shares| shares.derivatives.row(class));
            let direction: Vec<f64> = rows[0].iter().zip(rows[1]).map(|(x, y)| x / a.weight - y / b.weight).collect();
            let products = rows.map(|row| labelled.covariance.times(row));
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
                dof: labelled.dof(&direction),
            };
            let parts = |place: usize, labelled: f64| {
                let error = &errors[place];
                (shares[place].2[class], error.variance + labelled, error)
            };
            Difference::new(parts(0, training.first), parts(1, training.second), &common, options)
        };
        self.in_callers_order(difference)
    }

    /// Returns the mean shares in the caller's order, and their standard errors without misfit.
    fn shares_with_errors(&self, sum: &ShareTotals) -> [Vec<f64>; 2] {
        let [labelled, covariance] = self.total_covariances(sum);
        let shares = sum.shares(&covariance);
        let variance = |class: usize| sum.test_error(class, shares[class]).variance + labelled[(class, class)];
        [self.in_callers_order(|class| shares[class]), self.in_callers_order(|class| variance(class).max(0.0).sqrt())]
    }
}

/// Comparisons of the shares of groups within each level, for example of each month with all months.
pub struct ClassContrasts<'a> {
    model: &'a MulticlassModel,
    estimates: &'a [&'a MulticlassEstimate],
    /// The factors of the groups' weights in the totals.
    factors: Vec<f64>,
    options: IntervalOptions,
    /// The sum of all groups of each level, with its shares and their standard errors.
    totals: Vec<(ShareTotals, [Vec<f64>; 2])>,
    contrasts: Vec<Contrast>,
}

impl<'a> ClassContrasts<'a> {
    /// Creates the contrasts of estimates by a model, which are in the order of their levels. Totals weight the
    /// groups by `weights`, or else by the sums of the weights of their rows.
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
        weights: Option<&[f64]>,
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let factor = |(group, estimate): (usize, &&MulticlassEstimate)| {
            weights.map_or(1.0, |weights| weights[group] / estimate.summed.weight)
        };
        let factors: Vec<f64> = estimates.iter().enumerate().map(factor).collect();
        let total = |range: &Range<usize>| {
            let groups = range.clone().map(|group| (factors[group], &estimates[group].summed));
            let total = ShareTotals::sum(&groups.collect::<Vec<_>>());
            let shares = model.shares_with_errors(&total);
            (total, shares)
        };
        let contrasts = Contrast::in_levels(levels, reference)?;
        let totals = levels.iter().map(total).collect();
        Ok(Self { model, estimates, factors, options: *options, totals, contrasts })
    }

    /// The contrasts, each a group with its comparator.
    pub fn contrasts(&self) -> &[Contrast] {
        &self.contrasts
    }

    /// Estimates the difference of the share of each class.
    pub fn compare(&self, contrast: Contrast) -> Vec<Comparison> {
        let (estimate, factor) = (self.estimates[contrast.group], self.factors[contrast.group]);
        let (total, [total_shares, total_errors]) = &self.totals[contrast.level()];
        // A total is compared through the rest.
        let rest;
        let other = match contrast.other {
            Comparator::Group(index) => &self.estimates[index].summed,
            Comparator::Total | Comparator::Rest => {
                let mut others = total.clone();
                others.add(-factor, &estimate.summed);
                rest = others;
                &rest
            }
        };
        let (own, weight) =
            (self.model.shares_with_errors(&estimate.summed), factor * estimate.summed.weight / total.weight);
        let differences = self.model.total_differences(&estimate.summed, other, &self.options);
        let comparison = |(class, difference): (usize, Difference)| {
            let difference = match contrast.other {
                Comparator::Total => difference
                    .to_whole(weight, [own[1][class], total_errors[class]])
                    .with_difference(estimate.shares[class] - total_shares[class]),
                _ => difference,
            };
            Comparison { contrast, other: estimate.shares[class] - difference.difference, difference }
        };
        differences.into_iter().enumerate().map(comparison).collect()
    }
}
