//! What a report is about: estimates of all rows by every method, those of the groups, and the checks.

use crate::bootstrap::Resampling;
use crate::check::families::{self, Fit};
use crate::failure::Failure;
use crate::output::Answer;
use crate::output::Whole;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use truecount::check::{Checked, ShiftCheck, Verdict};
use truecount::{Error, Estimate, Estimates, Method, Model, PerClass, Reporting, Settings};
use truecount_io::groups::Groups;
use truecount_io::input::Numbers;
use truecount_io::results::Sort;

/// The smallest p-value that is shown, and that makes a fit contradicted.
pub const LEAST_P: f64 = 0.01;

/// The models a report needs.
pub struct Models {
    /// The model of the methods asked for.
    pub asked: Model,
    /// The model of every method that the labelled scores allow, with the same settings; those asked for come first.
    pub every: Model,
    /// Why the other methods are missing.
    pub left_out: Vec<(Method, Error)>,
}

impl Models {
    pub fn new(asked: Model, weighted: bool) -> Result<Self, Failure> {
        let mut methods = asked.settings().methods.clone();
        let all = Method::ALL.iter().copied();
        let usable = all.filter(|method| !weighted || method.takes_weights());
        methods.extend(usable.filter(|method| !asked.settings().methods.contains(method)));
        let settings = Settings { methods, may_leave_out: true, ..asked.settings().clone() };
        let (every, left_out) = Model::fit_telling(asked.labelled(), &settings).map_err(|refusal| refusal.error)?;
        Ok(Self { asked, every, left_out })
    }

    /// The method that the report's sentences and figures are about.
    pub fn first(&self) -> Method {
        self.asked.quantifiers()[0].method()
    }
}

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
}

/// Everything the report is about.
pub struct Found<'a> {
    pub models: &'a Models,
    /// All rows together, by every method.
    pub whole: Answer<'a>,
    /// Each group, by the methods asked for; none without `--by`.
    pub groups: Option<Answer<'a>>,
    pub checked: Checks,
    /// The labelled scores on the scale where families are fitted, ascending.
    pub scores: PerClass<Vec<f64>>,
    pub families: Vec<Fit>,
}

/// The results of the shift check.
pub enum Checks {
    /// There are too few labelled scores for it.
    Impossible(Error),
    /// The results for all rows together, and for each group, if it looks at each.
    Done { whole: Box<Checked>, each: Vec<Checked> },
}

impl<'a> Found<'a> {
    /// Of all rows; and of the groups, in an order, if there are any.
    pub fn new(
        models: &'a Models,
        rows: Groups<Numbers<Vec<f64>>>,
        sort: Option<&Sort>,
        how: &How,
    ) -> Result<Self, Failure> {
        let together = rows.together();
        let checked = match ShiftCheck::new(models.every.labelled()) {
            Err(error) => Checks::Impossible(error),
            Ok(check) => Checks::new(&check, &together, &rows)?,
        };
        let report = |model: &'a Model, groups: Groups<Numbers<Vec<f64>>>| {
            let resamples = how.resampling.as_ref().map(|resampling| resampling.resamples);
            Answer::new(model, Whole::of(how.estimates(model, groups)?), resamples)
        };
        let whole = report(&models.every, together)?;
        let groups = sort.map(|sort| Ok::<_, Failure>(report(&models.asked, rows)?.sorted(sort))).transpose()?;
        let mut scores = models.every.settings().transform.labelled(models.every.labelled())?;
        // No fit takes weights or clusters.
        let plain = models.every.labelled().is_plain();
        let families = if plain { families::check(&scores, None) } else { Vec::new() };
        scores.positive.sort_unstable_by(f64::total_cmp);
        scores.negative.sort_unstable_by(f64::total_cmp);
        Ok(Self { models, whole, groups, checked, scores, families })
    }

    /// Whether the check doubts that a group is a mixture of the labelled classes.
    pub fn is_doubtful(&self, group: usize) -> bool {
        self.checked.each().get(group).is_some_and(is_doubtful)
    }

    /// The estimate of all rows by the method the report is about.
    pub fn answer(&self) -> &Estimate {
        let row = self.whole.rows.iter().find(|row| row.estimate.method == self.models.first());
        &row.expect("every method asked for is among all").estimate
    }
}

/// Whether the check speaks against a mixture.
pub fn is_doubtful(checked: &Checked) -> bool {
    checked.verdict() != Verdict::Mixture
}

/// The ends of the interval; without one, the estimate twice.
pub fn ends(estimate: &Estimate) -> [f64; 2] {
    estimate.uncertainty.map_or([estimate.prevalence; 2], |u| [u.lower, u.upper])
}

impl Checks {
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
