//! The paper's claims: the number of settings in which they hold here.

use super::ErrorMeasure;
use crate::studies::Statistics;
use serde::Serialize;

/// A claim that certain arms have a smaller error than others.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The claim in words.
    pub words: &'static str,
    /// The arms of which one should have the smallest error.
    pub best: &'static [&'static str],
    /// The arms that they are compared with.
    pub rivals: &'static [&'static str],
    /// The number of settings according to the paper; its words if it has no number, and empty if it has no claim.
    pub paper: &'static str,
    /// The replications that are compared.
    pub over: Replications,
}

/// The replications over which errors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replications {
    /// For each arm, the replications in which it has an estimate.
    Own,
    /// The replications in which both the arm and the study's first arm have an estimate. The first
    /// arm must be the claim's only `best` arm.
    Both,
}

impl Claim {
    /// Returns a claim over each arm's own replications.
    pub(super) const fn new(
        words: &'static str,
        best: &'static [&'static str],
        rivals: &'static [&'static str],
        paper: &'static str,
    ) -> Self {
        Self { words, best, rivals, paper, over: Replications::Own }
    }

    /// Returns the claim over the replications in which both arms have an estimate.
    pub(super) const fn where_both_estimate(self) -> Self {
        Self { over: Replications::Both, ..self }
    }
}

/// The number of settings in which a claim holds.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClaimCount {
    /// The claim, in words.
    pub claim: &'static str,
    /// The number of settings according to the paper.
    pub paper: &'static str,
    /// The number of settings in which the claim holds by the MAE.
    pub mae: usize,
    /// The number of settings in which the claim holds by the RMSE.
    pub rmse: usize,
    /// The number of settings that are undecided by the MAE: the difference is within two Monte Carlo standard errors.
    pub mae_open: usize,
    /// The number of settings that are undecided by the RMSE.
    pub rmse_open: usize,
    /// Whether `mae_open` and `rmse_open` are upper bounds, because only an upper bound of some
    /// standard errors is known.
    pub open_at_most: bool,
}

impl ClaimCount {
    /// Counts the settings in which a claim holds, given the errors of all arms in each setting; the study
    /// has these arms.
    pub(super) fn new<'a>(claim: &Claim, arms: &[&str], settings: impl Iterator<Item = &'a Vec<Statistics>>) -> Self {
        let mut count = Self { claim: claim.words, paper: claim.paper, ..Self::default() };
        for errors in settings {
            for measure in ErrorMeasure::ALL {
                if let Some(lead) = Lead::new(claim, arms, errors, measure) {
                    count.add(&lead, measure);
                }
            }
        }
        count
    }

    fn add(&mut self, lead: &Lead, measure: ErrorMeasure) {
        let (holds, open) = match measure {
            ErrorMeasure::Mae => (&mut self.mae, &mut self.mae_open),
            ErrorMeasure::Rmse => (&mut self.rmse, &mut self.rmse_open),
        };
        *holds += usize::from(lead.difference < 0.0);
        *open += usize::from(lead.se.is_none_or(|se| lead.difference.abs() < 2.0 * se.value));
        self.open_at_most |= lead.se.is_some_and(|se| se.at_most);
    }

    /// Returns the cells of the claim in the table of claims.
    pub(super) fn cells(&self) -> [String; 6] {
        let open = |count: usize| if self.open_at_most { format!("≤ {count}") } else { count.to_string() };
        let paper = if self.paper.is_empty() { "–" } else { self.paper };
        let (claim, paper) = (self.claim.to_owned(), paper.to_owned());
        [claim, paper, self.mae.to_string(), open(self.mae_open), self.rmse.to_string(), open(self.rmse_open)]
    }
}

/// The comparison of the claim's best arm with its best rival.
struct Lead {
    /// The error of the claim's best arm minus the rival's.
    difference: f64,
    se: Option<StandardError>,
}

/// The Monte Carlo standard error of a difference.
#[derive(Clone, Copy)]
struct StandardError {
    value: f64,
    /// Whether `value` is an upper bound, which ignores the correlation of methods on the same data.
    at_most: bool,
}

impl Lead {
    fn new(claim: &Claim, arms: &[&str], errors: &[Statistics], measure: ErrorMeasure) -> Option<Self> {
        let indices = |names: &'static [&str]| (0..arms.len()).filter(move |arm| names.contains(&arms[*arm]));
        let by_error = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
        match claim.over {
            Replications::Own => {
                let own = |arm: usize| Some((arm, errors[arm].value(measure.statistic())?));
                let smallest = |names| indices(names).filter_map(own).min_by(by_error);
                let (claimed, rival) = (smallest(claim.best)?, smallest(claim.rivals)?);
                let se = own_se(errors, claimed.0, rival.0, measure);
                Some(Self { difference: claimed.1 - rival.1, se })
            }
            Replications::Both => {
                let paired_error = |arm: usize| Some((arm, paired(&errors[arm], measure)?.0));
                let (rival, difference) = indices(claim.rivals).filter_map(paired_error).min_by(by_error)?;
                let se = paired(&errors[rival], measure)?.1.map(|value| StandardError { value, at_most: false });
                Some(Self { difference: -difference, se })
            }
        }
    }
}

/// Returns an arm's error minus the first arm's, with the standard error of the difference. For the
/// RMSE, these are differences of the MSE.
fn paired(errors: &Statistics, measure: ErrorMeasure) -> Option<(f64, Option<f64>)> {
    match measure {
        ErrorMeasure::Mae => Some((errors.value("mae_difference")?, errors.value("mae_difference_se"))),
        ErrorMeasure::Rmse => Some((errors.value("mse_difference")?, errors.value("mse_difference_se"))),
    }
}

/// Returns the standard error of the difference between two arms' own errors. It comes from the
/// paired differences if one of the arms is the first and both have estimates in all replications;
/// otherwise the arms are treated as independent.
fn own_se(errors: &[Statistics], a: usize, b: usize, measure: ErrorMeasure) -> Option<StandardError> {
    let (errors_a, errors_b) = (&errors[a], &errors[b]);
    let all_estimated = errors_a.count("refused") + errors_b.count("refused") == 0;
    if let (0, other) | (other, 0) = (a, b)
        && all_estimated
    {
        let paired_se = paired(&errors[other], measure)?.1?;
        let value = match measure {
            ErrorMeasure::Mae => paired_se,
            ErrorMeasure::Rmse => paired_se / (errors_a.value("rmse")? + errors_b.value("rmse")?),
        };
        return Some(StandardError { value, at_most: false });
    }
    let value = match measure {
        ErrorMeasure::Mae => errors_a.value("mae_se")?.hypot(errors_b.value("mae_se")?),
        ErrorMeasure::Rmse => errors_a.value("rmse_se")?.hypot(errors_b.value("rmse_se")?),
    };
    Some(StandardError { value, at_most: true })
}
