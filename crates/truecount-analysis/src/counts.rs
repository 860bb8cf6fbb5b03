//! Prevalences from counts and published error rates.

use crate::AnalysisProblem;
use crate::estimates::groups_warning;
use crate::results::{CountRow, EstimateRow};
use crate::standard::{Standard, StandardisedEstimates};
use std::collections::BTreeMap;
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::error::{Condition, ErrorLocation};
use truecount::{Error, IntervalOptions, Warning};

/// The name of the method in results: the estimator of Rogan and Gladen (1978).
pub(crate) const COUNT_METHOD: &str = "rogan-gladen";

/// The counts of a group, and the rates of its test.
#[derive(Clone, Copy, Debug)]
pub struct CountedGroup {
    /// The number of positive tests.
    pub positives: u64,
    /// The number of tests.
    pub tested: u64,
    /// The sensitivity.
    pub sensitivity: Rate,
    /// The specificity.
    pub specificity: Rate,
}

impl CountedGroup {
    /// Estimates the prevalence of the group with this number.
    fn estimate(self, group: usize, interval: RateInterval, options: &IntervalOptions) -> Result<CountRow, Error> {
        let Self { positives, tested, sensitivity, specificity } = self;
        let rates = Rates::new(sensitivity, specificity)?;
        let estimate = rates.estimate(positives, tested, interval, options)?;
        Ok(CountRow { positives, rates: Some(rates), row: EstimateRow::new(group, estimate) })
    }
}

/// Estimates the prevalence of each row, which is a group, and returns the estimates with counts and rates.
///
/// # Errors
/// Returns an error for impossible rates or counts, at its location if there are `locations`, otherwise
/// with the row if there are several.
pub fn count_rows(
    rows: &[CountedGroup],
    locations: &[ErrorLocation],
    interval: RateInterval,
    options: &IntervalOptions,
) -> Result<Vec<CountRow>, Error> {
    let located = |error: Error, row: usize| match locations.get(row) {
        Some(location) => location.clone().error(error),
        None if rows.len() > 1 => error.at_row(row),
        None => error,
    };
    let estimate = |(group, row): (usize, &CountedGroup)| {
        row.estimate(group, interval, options).map_err(|error| located(error, group))
    };
    let mut rows: Vec<CountRow> = rows.iter().enumerate().map(estimate).collect::<Result<_, _>>()?;
    mark_contradicted_rates(&mut rows);
    Ok(rows)
}

/// Marks groups whose rates are those of another group that contradicts these rates.
fn mark_contradicted_rates(rows: &mut [CountRow]) {
    let mut by_rates = BTreeMap::<_, Vec<_>>::new();
    for CountRow { rates, row, .. } in rows {
        by_rates.entry(format!("{rates:?}")).or_default().push(&mut row.estimate.warnings);
    }
    by_rates.into_values().for_each(Warning::warn_of_contradictions);
}

/// Estimates the prevalence of all groups together: from the sums of their counts if they have the
/// same rates, otherwise from their estimates, weighted by the number tested in each.
///
/// # Errors
/// Returns an error for impossible counts, and without groups.
pub fn count_total(rows: &[CountRow], interval: RateInterval, options: &IntervalOptions) -> Result<CountRow, Error> {
    total(&rows.iter().collect::<Vec<_>>(), None, interval, options)
}

/// Estimates the crude prevalence of each set of groups, and that of a standard population. `rows` has
/// the groups in their order.
///
/// # Errors
/// Returns the errors of [`count_total`], and an error if all weights of a set are 0.
pub fn count_standardised(
    rows: &[CountRow],
    standard: &Standard,
    interval: RateInterval,
    options: &IntervalOptions,
) -> Result<StandardisedEstimates, Error> {
    let estimates = |groups: &[usize], weights: Option<&[f64]>| {
        let rows: Vec<&CountRow> = groups.iter().map(|group| &rows[*group]).collect();
        let weights: Option<Vec<f64>> = weights.map(|weights| groups.iter().map(|group| weights[*group]).collect());
        Ok([total(&rows, weights.as_deref(), interval, options)?.row.estimate].into_iter().collect())
    };
    standard.estimates(|groups| estimates(groups, None), |groups| estimates(groups, Some(&standard.weights)))
}

/// Estimates the prevalence of groups together with these weights; without weights as [`count_total`] does.
fn total(
    rows: &[&CountRow],
    weights: Option<&[f64]>,
    interval: RateInterval,
    options: &IntervalOptions,
) -> Result<CountRow, Error> {
    let weight = |group: usize| weights.map_or(rows[group].row.estimate.n as f64, |weights| weights[group]);
    let groups = || (0..rows.len()).map(|group| (rows[group], weight(group))).filter(|(_, weight)| *weight > 0.0);
    let positives = rows.iter().map(|row| row.positives).sum();
    let rates = rows.first().and_then(|row| row.rates).filter(|rates| rows.iter().all(|row| row.rates == Some(*rates)));
    let mut estimate = if let (Some(rates), None) = (rates, weights) {
        let tested = rows.iter().map(|row| row.row.estimate.n).sum();
        rates.estimate(positives, tested, interval, options)?
    } else {
        let groups = groups().filter_map(|(row, weight)| Some((row.rates?, &row.row.estimate, weight)));
        Rates::total(&groups.collect::<Vec<_>>(), interval, options)?
    };
    // The total rests on the rates of the groups' tests.
    let of_rates = |warning: &&Warning| matches!(warning, Warning::FewLabelled { .. } | Warning::WeakSeparation { .. });
    for warning in groups().flat_map(|(row, _)| &row.row.estimate.warnings).filter(of_rates) {
        if !estimate.warnings.iter().any(|known| known.code() == warning.code()) {
            estimate.warnings.push(*warning);
        }
    }
    estimate.warnings.extend(groups_warning(&estimate, groups().map(|(row, weight)| (&row.row.estimate, weight))));
    Ok(CountRow { positives, rates, row: EstimateRow::total(estimate) })
}

/// Adds a denominator to a rate that is a share.
///
/// # Errors
/// Returns [`AnalysisProblem::DenominatorTwice`] if the rate already has a denominator.
pub fn with_denominator(rate: Rate, of: u64) -> Result<Rate, AnalysisProblem> {
    match rate {
        Rate::Exact(share) => Ok(Rate::Measured { share, of }),
        Rate::Counted { .. } | Rate::Measured { .. } => {
            Err(AnalysisProblem::DenominatorTwice { value: rate.to_string(), of })
        }
    }
}
