//! The paper's claims: in how many settings they hold here, and where they do not.

use super::{ErrorMeasure, ErrorStatistics};
use crate::shared::{CellFormat, ResultColumn, ResultRow, Unit};
use serde::Serialize;
use serde_json::{Value, json};

/// A claim that one of certain arms has the least error.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The claim in words.
    pub words: &'static str,
    /// The arms of which one should have the least error.
    pub best: &'static [&'static str],
    /// The arms they are compared with.
    pub among: &'static [&'static str],
    /// In how many settings the paper says so; in its words if it gives no number, and empty if it says nothing.
    pub paper: &'static str,
    /// The replications that are compared.
    pub over: Replications,
}

/// The replications that errors are compared over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replications {
    /// Each arm's own: those where it has an estimate.
    Own,
    /// Those in which both the arm and the study's first arm, which is then the claim's only best one, have an
    /// estimate.
    Both,
}

impl Claim {
    /// A claim over each arm's own replications.
    pub(super) const fn new(
        words: &'static str,
        best: &'static [&'static str],
        among: &'static [&'static str],
        paper: &'static str,
    ) -> Self {
        Self { words, best, among, paper, over: Replications::Own }
    }

    /// The claim over the replications in which both arms have an estimate.
    pub(super) const fn where_both_estimate(self) -> Self {
        Self { over: Replications::Both, ..self }
    }
}

/// In how many settings a claim holds.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimCount {
    /// The part of the study.
    #[serde(skip)]
    pub part: String,
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
    pub exceptions: Vec<ClaimException>,
}

/// A setting where a claim does not hold.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimException {
    /// The fields of the setting.
    #[serde(flatten)]
    pub setting: Value,
    /// The measure by which it does not hold.
    pub measure: ErrorMeasure,
    /// The claim's best arm with its error.
    pub claimed: (&'static str, f64),
    /// The arm that is better, with its error.
    pub better: (&'static str, f64),
    /// Whether the difference is within two Monte Carlo standard errors.
    pub open: bool,
}

impl ClaimCount {
    /// Counts a claim in settings of a part, which have these arms.
    pub(super) fn new<S: Serialize>(
        claim: &Claim,
        part: &str,
        arms: &'static [&'static str],
        settings: &[(&S, &Vec<ErrorStatistics>)],
    ) -> Self {
        let mut count = Self {
            part: part.to_owned(),
            claim: claim.words,
            paper: claim.paper,
            mae: 0,
            rmse: 0,
            mae_open: 0,
            rmse_open: 0,
            open_at_most: false,
            exceptions: Vec::new(),
        };
        for (setting, errors) in settings {
            for measure in ErrorMeasure::ALL {
                if let Some(lead) = Lead::new(claim, arms, errors, measure) {
                    count.add(&lead, measure, json!(setting), |arm| {
                        (arms[arm], measure.select(&errors[arm]).unwrap_or(f64::NAN))
                    });
                }
            }
        }
        count
    }

    fn add(
        &mut self,
        lead: &Lead,
        measure: ErrorMeasure,
        setting: Value,
        value: impl Fn(usize) -> (&'static str, f64),
    ) {
        let (holds, open_count) = match measure {
            ErrorMeasure::Mae => (&mut self.mae, &mut self.mae_open),
            ErrorMeasure::Rmse => (&mut self.rmse, &mut self.rmse_open),
        };
        let open = lead.se.is_none_or(|se| lead.difference.abs() < 2.0 * se.value);
        *open_count += usize::from(open);
        self.open_at_most |= lead.se.is_some_and(|se| se.at_most);
        if lead.difference < 0.0 {
            *holds += 1;
        } else {
            let (claimed, better) = (value(lead.claimed), value(lead.rival));
            self.exceptions.push(ClaimException { setting, measure, claimed, better, open });
        }
    }

    fn open_in_words(&self, count: usize) -> String {
        if self.open_at_most { format!("≤ {count}") } else { count.to_string() }
    }
}

impl ResultRow for ClaimCount {
    const NAME: &'static str = "claims";

    fn columns() -> Vec<ResultColumn<Self>> {
        let count = |name, meaning, value: fn(&Self) -> usize| {
            ResultColumn::new(name, Unit::Count, meaning, move |row: &Self| value(row).into())
        };
        let in_words = |name, value: fn(&Self) -> usize| {
            ResultColumn::new(name, Unit::Text, "the same in words", move |row: &Self| {
                row.open_in_words(value(row)).into()
            })
            .heading("open", CellFormat::AsIs)
        };
        vec![
            ResultColumn::new("part", Unit::Text, "which part of the study; empty if it is the whole", |row: &Self| {
                row.part.as_str().into()
            }),
            ResultColumn::new("claim", Unit::Text, "what the paper says", |row: &Self| row.claim.into())
                .heading("settings with", CellFormat::AsIs),
            ResultColumn::new("paper", Unit::Text, "in how many settings, in its words", |row: &Self| {
                (!row.paper.is_empty()).then_some(row.paper).into()
            })
            .shown(CellFormat::AmongNumbers)
            .optional_as("–"),
            count("mae", "in how many it holds by the MAE", |row| row.mae).heading("MAE", CellFormat::AsIs),
            count("mae_open", "in how many the difference is too small to tell", |row| row.mae_open),
            in_words("mae_open_in_words", |row| row.mae_open),
            count("rmse", "in how many it holds by the RMSE", |row| row.rmse).heading("RMSE", CellFormat::AsIs),
            count("rmse_open", "in how many the difference is too small to tell", |row| row.rmse_open),
            in_words("rmse_open_in_words", |row| row.rmse_open),
            ResultColumn::new("open_at_most", Unit::Flag, "whether fewer may be open", |row: &Self| {
                row.open_at_most.into()
            }),
            ResultColumn::new("exceptions", Unit::Nested, "where it does not hold", |row: &Self| {
                json!(row.exceptions).into()
            }),
        ]
    }
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

impl Lead {
    fn new(claim: &Claim, arms: &[&str], errors: &[ErrorStatistics], measure: ErrorMeasure) -> Option<Self> {
        let among = |names: &'static [&str]| (0..arms.len()).filter(move |arm| names.contains(&arms[*arm]));
        let by = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
        match claim.over {
            Replications::Own => {
                let own = |arm: usize| Some((arm, measure.select(&errors[arm])?));
                let least = |names| among(names).filter_map(own).min_by(by);
                let (claimed, rival) = (least(claim.best)?, least(claim.among)?);
                let se = own_se(errors, claimed.0, rival.0, measure);
                Some(Self { claimed: claimed.0, rival: rival.0, difference: claimed.1 - rival.1, se })
            }
            Replications::Both => {
                let behind = |arm: usize| Some((arm, paired(&errors[arm], measure)?.0));
                let (rival, behind) = among(claim.among).filter_map(behind).min_by(by)?;
                let se = paired(&errors[rival], measure)?.1.map(|value| StandardError { value, at_most: false });
                Some(Self { claimed: 0, rival, difference: -behind, se })
            }
        }
    }
}

/// An arm's error minus that of the first arm, with its standard error; for the RMSE, of the squares.
fn paired(errors: &ErrorStatistics, measure: ErrorMeasure) -> Option<(f64, Option<f64>)> {
    match measure {
        ErrorMeasure::Mae => Some((errors.mae_difference?, errors.mae_difference_se)),
        ErrorMeasure::Rmse => Some((errors.mse_difference?, errors.mse_difference_se)),
    }
}

/// The standard error of the difference of two arms' own errors: from the differences in each replication, if one of
/// them is the first arm and both have estimates in all; otherwise as if the two saw different data.
fn own_se(errors: &[ErrorStatistics], a: usize, b: usize, measure: ErrorMeasure) -> Option<StandardError> {
    let (of_a, of_b) = (&errors[a], &errors[b]);
    let everywhere = of_a.refused + of_b.refused == 0;
    if let (0, other) | (other, 0) = (a, b)
        && everywhere
    {
        let of_squares = paired(&errors[other], measure)?.1?;
        let value = match measure {
            ErrorMeasure::Mae => of_squares,
            ErrorMeasure::Rmse => of_squares / (of_a.rmse? + of_b.rmse?),
        };
        return Some(StandardError { value, at_most: false });
    }
    let value = match measure {
        ErrorMeasure::Mae => of_a.mae_se?.hypot(of_b.mae_se?),
        ErrorMeasure::Rmse => of_a.rmse_se?.hypot(of_b.rmse_se?),
    };
    Some(StandardError { value, at_most: true })
}
