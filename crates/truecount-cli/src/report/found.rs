//! What a report is about: estimates of all rows by several methods, those of the groups, and the checks.

use super::audited::Audits;
use super::models::Models;
use super::trust::Trust;
use crate::bootstrap::Resampling;
use crate::check::families;
use crate::failure::Failure;
use crate::output::Answer;
use crate::output::Whole;
use truecount::check::{Checked, ShiftCheck};
use truecount::{Error, Estimate, Estimates, Model, PerClass, Reporting};
use truecount_analysis::Numbers;
use truecount_analysis::results::{EstimateRow, FitRow, Sort};
use truecount_tables::groups::{Groups, Keys};
use truecount_tables::parallel::prelude::*;

/// How standard errors and intervals are found.
pub struct How {
    pub reporting: Reporting,
    pub resampling: Option<Resampling>,
}

impl How {
    /// Every group's estimates.
    fn estimates(&self, model: &Model, groups: Groups<Numbers<Vec<f64>>>) -> Result<Groups<Estimates>, Failure> {
        if let Some(resampling) = &self.resampling {
            return resampling.estimates(model, groups, &self.reporting);
        }
        let (model, reporting) = groups.for_each(model, &self.reporting);
        let estimate = |rows: &Numbers<Vec<f64>>| Ok(model.estimate(rows.batch()?, &reporting)?);
        let estimates = groups.contents.par_iter().map(estimate).collect::<Result<_, Failure>>()?;
        Ok(groups.with(estimates))
    }

    /// What the classifier counts itself in every group.
    fn counts(&self, model: &Model, groups: &Groups<Numbers<Vec<f64>>>) -> Result<Vec<f64>, Failure> {
        let count = |rows: &Numbers<Vec<f64>>| Ok(model.estimate(rows.batch()?, &self.reporting)?[0].prevalence);
        groups.contents.par_iter().map(count).collect()
    }
}

/// Everything the report is about.
pub struct Found<'a> {
    pub models: &'a Models,
    /// All rows together, by what is asked for and the methods beside it.
    pub whole: Answer<'a>,
    /// Each group, by the methods asked for; none without `--by`.
    pub groups: Option<Answer<'a>>,
    /// What the classifier counts itself in each group, if it does.
    counts: Vec<f64>,
    pub checked: Checks,
    /// The labelled scores as they are, ascending.
    pub labelled: PerClass<Vec<f64>>,
    /// The labelled scores on the scale where families are fitted, ascending.
    pub scores: PerClass<Vec<f64>>,
    /// How well families fit, if the method rests on one.
    pub families: Vec<FitRow>,
    /// What audited rows say, if there are some.
    pub audits: Option<Audits>,
}

/// The results of the shift check.
pub enum Checks {
    /// There are too few labelled scores for it, or too few values of them.
    Impossible(Error),
    /// The results for all rows together, and for each group, if it looks at each.
    Done { whole: Box<Checked>, each: Vec<Checked> },
}

impl<'a> Found<'a> {
    /// Of all rows; and of the groups, in an order, if there are any. What audits say is published in the place of what the scores do.
    pub fn new(
        models: &'a Models,
        rows: Groups<Numbers<Vec<f64>>>,
        audits: Option<Audits>,
        sort: Option<&Sort>,
        how: &How,
    ) -> Result<Self, Failure> {
        let together = rows.joined(Keys::none());
        let checked = match ShiftCheck::new(models.every.labelled()) {
            Err(error) => Checks::Impossible(error),
            Ok(check) => Checks::new(&check, &together, &rows)?,
        };
        let counts = models.count.as_ref().filter(|_| sort.is_some());
        let counts = counts.map_or_else(|| Ok(Vec::new()), |model| how.counts(model, &rows))?;
        let report = |model: &'a Model, groups: Groups<Numbers<Vec<f64>>>| {
            let resamples = how.resampling.as_ref().map(|resampling| resampling.resamples);
            Answer::new(model, Whole::of(how.estimates(model, groups)?), resamples)
        };
        let whole = report(&models.every, together)?;
        let grouped = |sort| {
            let mut groups = report(&models.asked, rows)?;
            if let Some(audits) = &audits {
                groups.rows.iter_mut().for_each(|row| row.estimate = audits.of(row.group));
            }
            Ok::<_, Failure>(groups.sorted(sort))
        };
        let groups = sort.map(grouped).transpose()?;
        let labelled = models.every.labelled().scores().map(|scores| ascending(scores));
        let scores = models.every.settings().transform.labelled(models.every.labelled())?;
        // No fit takes weights or clusters.
        let fitted = models.first().trusts_family() && models.every.labelled().is_plain();
        let families = if fitted { families::check(&scores, None) } else { Vec::new() };
        let scores = scores.map(|scores| ascending(scores));
        Ok(Self { models, whole, groups, counts, checked, labelled, scores, families, audits })
    }

    /// What is published of all rows.
    pub fn answer(&self) -> &Estimate {
        self.audits.as_ref().map_or_else(|| self.by_scores(), |audits| &audits.answer)
    }

    /// The estimate of all rows by the method the report is about, whatever an audit says.
    pub fn by_scores(&self) -> &Estimate {
        let row = self.whole.rows.iter().find(|row| row.estimate.method == self.models.first().method());
        &row.expect("every method asked for is beside others").estimate
    }

    /// What is published of the groups, in their order.
    pub fn rows(&self) -> Vec<&EstimateRow> {
        let first = self.models.first().method();
        self.groups.iter().flat_map(|groups| &groups.rows).filter(|row| row.estimate.method == first).collect()
    }

    /// What the classifier counts itself in a group, if it does.
    pub fn count(&self, group: usize) -> Option<f64> {
        self.counts.get(group).copied()
    }

    /// What is published of the groups that are checked, with the check of each, those furthest from a mixture first.
    pub fn furthest(&self) -> Vec<(&EstimateRow, &Checked)> {
        let each = self.checked.each();
        let mut furthest: Vec<(&EstimateRow, &Checked)> =
            self.rows().into_iter().filter_map(|row| Some((row, each.get(row.group)?))).collect();
        furthest.sort_by(|(_, a), (_, b)| a.shift.p_value.total_cmp(&b.shift.p_value));
        furthest
    }

    /// Whether any group, or all together, is of this kind.
    pub fn any(&self, trust: Trust) -> bool {
        self.rows().iter().any(|row| Trust::of(&row.estimate) == trust)
    }
}

/// The scores in their order.
pub fn ascending(scores: &[f64]) -> Vec<f64> {
    let mut ascending = scores.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    ascending
}

/// The ends of the interval; without one, the estimate twice.
pub fn ends(estimate: &Estimate) -> [f64; 2] {
    estimate.uncertainty.map_or([estimate.prevalence; 2], |u| [u.lower, u.upper])
}

impl Checks {
    /// Why there is none, behind "cannot be checked".
    pub fn impossible(error: &Error) -> &'static str {
        match error {
            Error::TooFewDifferent => "where labelled scores have so few values",
            _ => "with so few labelled ones",
        }
    }

    /// The check of each group, if it looks at each.
    pub fn each(&self) -> &[Checked] {
        match self {
            Self::Impossible(_) => &[],
            Self::Done { each, .. } => each,
        }
    }

    fn new(
        check: &ShiftCheck,
        whole: &Groups<Numbers<Vec<f64>>>,
        each: &Groups<Numbers<Vec<f64>>>,
    ) -> Result<Self, Error> {
        let tallied = |rows: &Numbers<Vec<f64>>| {
            let mut tally = check.tally();
            check.push(&mut tally, rows.batch()?).map(|()| tally)
        };
        let tested = |groups: &Groups<Numbers<Vec<f64>>>| {
            let tallies = groups.contents.par_iter().map(tallied).collect::<Result<Vec<_>, Error>>()?;
            check.test_all(&tallies)
        };
        let whole = tested(whole)?.pop().expect("the tally of all rows");
        let each = if each.together.is_some() { Vec::new() } else { tested(each)? };
        Ok(Self::Done { whole: Box::new(whole), each })
    }
}
