//! The paper's claims: in how many settings they hold here, and where they do not.

use super::{Errors, Measure, Paper};
use crate::Results;
use serde::Serialize;

/// A claim that the least error is that of one of certain arms.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// In words.
    pub words: &'static str,
    /// The arms of which one should have the least error.
    pub best: &'static [&'static str],
    /// The arms they are compared with.
    pub among: &'static [&'static str],
    /// In how many settings the paper says so; in its words if it gives no number, and empty if it says nothing.
    pub paper: &'static str,
    /// The replications that are compared.
    pub over: Over,
}

/// The replications that errors are compared over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Each arm's own: those where it has an estimate.
    Own,
    /// Those in which both the arm and the study's first arm, which is then the claim's only best one, have an
    /// estimate.
    Both,
}

/// The summary of a study, or of a part of it.
#[derive(Clone, Debug, Serialize)]
pub struct Summary<'a, S> {
    /// The part's name; empty for the whole study.
    pub part: String,
    /// Its settings.
    pub settings: usize,
    /// Every arm over the settings.
    pub arms: Vec<ArmSummary>,
    /// The paper's claims, and what is found here.
    pub claims: Vec<Answer<'a, S>>,
}

/// An arm over the settings: means of its statistics in each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmSummary {
    /// Its name.
    pub arm: &'static str,
    /// Mean MAE.
    pub mae: f64,
    /// Mean RMSE.
    pub rmse: f64,
    /// Mean |bias|.
    pub absolute_bias: f64,
    /// Mean standard deviation, if any setting has one.
    pub sd: Option<f64>,
    /// Replications without an estimate, in all settings.
    pub refused: u64,
}

/// In how many settings a claim holds.
#[derive(Clone, Debug, Serialize)]
pub struct Answer<'a, S> {
    /// The claim, in words.
    pub claim: &'static str,
    /// In how many settings the paper says so.
    pub paper: &'static str,
    /// In how many settings it holds by the MAE.
    pub mae: usize,
    /// In how many settings it holds by the RMSE.
    pub rmse: usize,
    /// The number of settings too close to call by the MAE: the difference is within two Monte Carlo standard errors.
    pub mae_open: usize,
    /// The same for the RMSE.
    pub rmse_open: usize,
    /// Whether these counts are upper bounds, because for some differences only a bound on the standard error is known.
    pub open_at_most: bool,
    /// Where it does not hold.
    pub exceptions: Vec<Exception<'a, S>>,
}

/// A setting where a claim does not hold.
#[derive(Clone, Debug, Serialize)]
pub struct Exception<'a, S> {
    /// The setting.
    #[serde(flatten)]
    pub setting: &'a S,
    /// The measure by which it does not hold.
    pub measure: Measure,
    /// The claim's best arm with its error.
    pub claimed: (&'static str, f64),
    /// The arm that is better, with its error.
    pub better: (&'static str, f64),
    /// Whether the difference is within two Monte Carlo standard errors.
    pub open: bool,
}

/// The arms of a setting.
type Arms<'a> = [(&'static str, &'a Errors)];

/// Every part of a study with finished settings.
pub fn summarise<'a, P: Paper>(study: &'a P, results: &Results<Errors>) -> Vec<Summary<'a, P::Setting>> {
    let settings: Vec<(&P::Setting, Vec<_>)> = study
        .settings()
        .iter()
        .zip(results.settings())
        .map(|(setting, arms)| (setting, study.arms().iter().copied().zip(arms).collect()))
        .collect();
    let parts = settings.chunk_by(|a, b| P::part(a.0) == P::part(b.0));
    parts
        .map(|of_part| Summary {
            part: P::part(of_part[0].0),
            settings: of_part.len(),
            arms: (0..study.arms().len()).filter_map(|arm| over_settings(of_part, arm)).collect(),
            claims: P::CLAIMS.iter().map(|claim| answer(claim, of_part)).collect(),
        })
        .collect()
}

fn over_settings<S>(settings: &[(&S, Vec<(&'static str, &Errors)>)], arm: usize) -> Option<ArmSummary> {
    let each = || settings.iter().map(|(_, arms)| arms[arm].1);
    let mean = |value: fn(&Errors) -> Option<f64>| {
        let values: Vec<f64> = each().filter_map(value).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    Some(ArmSummary {
        arm: settings.first()?.1[arm].0,
        mae: mean(|errors| errors.mae)?,
        rmse: mean(|errors| errors.rmse)?,
        absolute_bias: mean(|errors| errors.bias.map(f64::abs))?,
        sd: mean(|errors| errors.variance.map(f64::sqrt)),
        refused: each().map(|errors| u64::from(errors.refused)).sum(),
    })
}

fn answer<'a, S>(claim: &Claim, settings: &[(&'a S, Vec<(&'static str, &Errors)>)]) -> Answer<'a, S> {
    let mut answer = Answer {
        claim: claim.words,
        paper: claim.paper,
        mae: 0,
        rmse: 0,
        mae_open: 0,
        rmse_open: 0,
        open_at_most: false,
        exceptions: Vec::new(),
    };
    for &(setting, ref arms) in settings {
        for measure in Measure::ALL {
            let Some(Lead { claimed, rival, difference, se }) = lead(claim, arms, measure) else { continue };
            let (holds, open) = match measure {
                Measure::Mae => (&mut answer.mae, &mut answer.mae_open),
                Measure::Rmse => (&mut answer.rmse, &mut answer.rmse_open),
            };
            let is_open = se.is_none_or(|se| difference.abs() < 2.0 * se.value);
            *open += usize::from(is_open);
            answer.open_at_most |= se.is_some_and(|se| se.at_most);
            if difference < 0.0 {
                *holds += 1;
            } else {
                let value = |arm: usize| (arms[arm].0, measure.of(arms[arm].1).unwrap_or(f64::NAN));
                let (claimed, better) = (value(claimed), value(rival));
                answer.exceptions.push(Exception { setting, measure, claimed, better, open: is_open });
            }
        }
    }
    answer
}

/// The claim's best arm and the best of the others, by index, and the first one's error minus the other's.
struct Lead {
    claimed: usize,
    rival: usize,
    difference: f64,
    se: Option<StandardError>,
}

/// The Monte Carlo standard error of a difference.
#[derive(Clone, Copy)]
struct StandardError {
    value: f64,
    /// Whether it is an upper bound: two methods that see the same data have similar errors.
    at_most: bool,
}

fn lead(claim: &Claim, arms: &Arms, measure: Measure) -> Option<Lead> {
    let among = |names: &'static [&str]| (0..arms.len()).filter(move |arm| names.contains(&arms[*arm].0));
    let by = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
    match claim.over {
        Over::Own => {
            let own = |arm: usize| Some((arm, measure.of(arms[arm].1)?));
            let least = |names| among(names).filter_map(own).min_by(by);
            let (claimed, rival) = (least(claim.best)?, least(claim.among)?);
            let se = own_se(arms, claimed.0, rival.0, measure);
            Some(Lead { claimed: claimed.0, rival: rival.0, difference: claimed.1 - rival.1, se })
        }
        Over::Both => {
            let behind = |arm: usize| Some((arm, paired(arms[arm].1, measure)?.0));
            let (rival, behind) = among(claim.among).filter_map(behind).min_by(by)?;
            let se = paired(arms[rival].1, measure)?.1.map(|value| StandardError { value, at_most: false });
            Some(Lead { claimed: 0, rival, difference: -behind, se })
        }
    }
}

/// An arm's error minus that of the first arm, with its standard error; for the RMSE, of the squares.
fn paired(errors: &Errors, measure: Measure) -> Option<(f64, Option<f64>)> {
    match measure {
        Measure::Mae => Some((errors.mae_difference?, errors.mae_difference_se)),
        Measure::Rmse => Some((errors.mse_difference?, errors.mse_difference_se)),
    }
}

/// The standard error of the difference of two arms' own errors: from the differences in each replication, if one of
/// them is the first arm and both have estimates in all; otherwise as if the two saw different data.
fn own_se(arms: &Arms, a: usize, b: usize, measure: Measure) -> Option<StandardError> {
    let (of_a, of_b) = (arms[a].1, arms[b].1);
    let everywhere = of_a.refused + of_b.refused == 0;
    if let (0, other) | (other, 0) = (a, b)
        && everywhere
    {
        let of_squares = paired(arms[other].1, measure)?.1?;
        let value = match measure {
            Measure::Mae => of_squares,
            Measure::Rmse => of_squares / (of_a.rmse? + of_b.rmse?),
        };
        return Some(StandardError { value, at_most: false });
    }
    let value = match measure {
        Measure::Mae => of_a.mae_se?.hypot(of_b.mae_se?),
        Measure::Rmse => of_a.rmse_se?.hypot(of_b.rmse_se?),
    };
    Some(StandardError { value, at_most: true })
}
