//! The data of a report: estimates of all rows by several methods, estimates of the groups, and the
//! shift checks.

use crate::audit::AuditData;
use crate::words::Trust;
use truecount::check::{ShiftCheck, ShiftVerdict};
use truecount::quantifier::Quantifier;
use truecount::{
    Batch, Bootstrap, Error, Estimate, Estimates, IntervalOptions, Method, Model, PerClass, Problem, Resamples,
    Settings,
};
use truecount_analysis::ScoreValues;
use truecount_analysis::executor::Executor;
use truecount_analysis::family_test::family_test;
use truecount_analysis::groups::{GroupNames, NamedGroups, TextNames};
use truecount_analysis::results::{EstimateRow, FitRow, Sort};

/// Methods shown in addition to the requested ones; they use no fitted distribution.
const OTHERS: [Method; 2] = [Method::ES, Method::MAX];

/// The classifier's own count, corrected and as it is.
const COUNTS: [Method; 2] = [Method::AC, Method::CC];

/// The models of a report.
pub struct ReportModels {
    /// The model of the methods asked for.
    pub asked: Model,
    /// The model of the requested and a few other methods, as far as the labelled scores allow.
    pub every: Model,
    /// Classify & Count, if its cutoff separates the labelled scores and the first method is not
    /// itself uncorrected.
    pub count: Option<Model>,
}

impl ReportModels {
    /// The models of a report about test scores with weights or without.
    ///
    /// # Errors
    /// Returns an error if the methods asked for cannot be fitted again.
    pub fn new(asked: Model, weighted: bool) -> Result<Self, Error> {
        let settings = asked.settings();
        let with = |methods| Settings { methods, ..settings.clone() };
        // Counts are shown only if Adjusted Count can be fitted at the same cutoff.
        let counts = Model::fit(asked.labelled(), &with(COUNTS.to_vec())).is_ok();
        let usable = OTHERS.into_iter().filter(|method| !weighted || method.takes_weights());
        let usable = usable.chain(COUNTS.into_iter().filter(|_| counts));
        let others = usable.filter(|method| !settings.methods.contains(method));
        let methods = settings.methods.iter().copied().chain(others).collect();
        let leaving_out = Settings { may_leave_out: true, ..with(methods) };
        let every = Model::fit_available(asked.labelled(), &leaving_out)?.0;
        let first = asked.quantifiers()[0].method();
        let count = (counts && !first.is_uncorrected()).then(|| Model::fit(asked.labelled(), &with(vec![Method::CC])));
        let count = count.transpose()?.map(Model::without_check);
        Ok(Self { asked, every, count })
    }

    /// The method that the report's sentences and figures are about.
    pub fn first(&self) -> &Quantifier {
        &self.asked.quantifiers()[0]
    }
}

/// The options for standard errors and intervals.
pub struct ReportOptions {
    /// Level, target and kind of interval.
    pub reporting: IntervalOptions,
    /// The bootstrap with its seed, if it takes the place of formulas.
    pub resampling: Option<(Resamples, u64)>,
}

/// Test scores by their groups.
type ReportRows<N> = NamedGroups<ScoreValues<Vec<f64>>, N>;

impl ReportOptions {
    /// Every group's estimates.
    fn estimates<N>(
        &self,
        executor: &impl Executor,
        model: &Model,
        groups: &ReportRows<N>,
    ) -> Result<Vec<Estimates>, Error> {
        let (one, reporting) = groups.for_each(model, &self.reporting);
        let Some((resamples, seed)) = self.resampling else {
            let estimate = |rows: &ScoreValues<Vec<f64>>| one.estimate(rows.batch()?, &reporting);
            return executor.map(&groups.contents, estimate).into_iter().collect::<Result<_, Error>>();
        };
        resamples.check_room(groups.contents.len() * model.quantifiers().len())?;
        let batches: Vec<Batch> = groups.contents.iter().map(ScoreValues::batch).collect::<Result<_, _>>()?;
        let bootstrap = Bootstrap::new(&one, batches, seed)?;
        let replicates = executor.map_range(resamples.number(), |number| bootstrap.replicate(number))?;
        bootstrap.estimates(&replicates, &reporting)
    }
}

/// Everything a report is about.
pub struct ReportData<'a> {
    /// The models that the estimates are by.
    pub models: &'a ReportModels,
    /// The names of the groups.
    pub names: &'a dyn GroupNames,
    /// All rows together, by the methods asked for and a few others.
    pub whole: Vec<EstimateRow>,
    /// Each group, by the methods asked for; empty without grouping columns.
    pub groups: Vec<EstimateRow>,
    /// The uncorrected share in each group, by its number; empty if there is none.
    counts: Vec<f64>,
    /// The results of the shift check.
    pub checked: ShiftChecks,
    /// The labelled scores as they are, ascending.
    pub labelled: PerClass<Vec<f64>>,
    /// The labelled scores on the scale where families are fitted, ascending.
    pub scores: PerClass<Vec<f64>>,
    /// How well families fit, if the method rests on one.
    pub families: Vec<FitRow>,
    /// The estimates from audited rows, if there are any.
    pub audit: Option<AuditData>,
    resamples: Option<Resamples>,
}

/// The results of the shift check.
pub enum ShiftChecks {
    /// There are too few labelled scores for it, or too few values of them.
    Impossible(Error),
    /// The results for all rows together, and for each group, if it looks at each.
    Done {
        /// All rows together.
        whole: Box<ShiftVerdict>,
        /// Each group.
        each: Vec<ShiftVerdict>,
    },
}

impl<'a> ReportData<'a> {
    /// The data of a report about all rows, and about their groups if they have an order. What an
    /// audit says is published in the place of
    /// what the scores say.
    ///
    /// # Errors
    /// Returns an error for rows that cannot be estimated, and if the user interrupts.
    pub fn new<N: GroupNames>(
        executor: &impl Executor,
        models: &'a ReportModels,
        rows: &'a ReportRows<N>,
        audit: Option<AuditData>,
        sort: Option<&Sort>,
        options: &ReportOptions,
    ) -> Result<Self, Error> {
        let together = rows.merge_into_one(TextNames::none());
        let labelled = models.every.labelled();
        let checked = match ShiftCheck::new(labelled) {
            Err(error) => ShiftChecks::Impossible(error),
            Ok(check) => ShiftChecks::new(executor, &check, &together, rows)?,
        };
        let counts = models.count.as_ref().filter(|_| sort.is_some());
        let counts =
            counts.map_or_else(|| Ok(Vec::new()), |model| counted(executor, model, rows, &options.reporting))?;
        let whole = estimate_rows(options.estimates(executor, &models.every, &together)?);
        let mut groups = Vec::new();
        if let Some(sort) = sort {
            groups = estimate_rows(options.estimates(executor, &models.asked, rows)?);
            if let Some(audit) = &audit {
                for row in &mut groups {
                    row.estimate = audit.estimate(row.group);
                }
            }
            sort.sort(&mut groups, &rows.keys);
        }
        let transform = models.every.settings().transform;
        let scores = transform.apply_to_labelled(labelled)?.map(|scores| ascending(scores));
        // No fit takes weights or clusters.
        let families = if models.first().trusts_family() && labelled.is_plain() {
            family_test(executor, labelled, transform, None)?
        } else {
            Vec::new()
        };
        let resamples = options.resampling.map(|(resamples, _)| resamples);
        let labelled = labelled.scores().map(|scores| ascending(scores));
        let names = &rows.keys;
        Ok(Self { models, names, whole, groups, counts, checked, labelled, scores, families, audit, resamples })
    }

    /// Whether there are grouping columns.
    pub fn has_groups(&self) -> bool {
        self.names.columns().next().is_some()
    }

    /// Returns the published estimate of all rows.
    pub fn answer(&self) -> &Estimate {
        self.audit.as_ref().map_or_else(|| self.by_scores(), |audit| &audit.answer)
    }

    /// The estimate of all rows by the method the report is about, whatever an audit says.
    pub fn by_scores(&self) -> &Estimate {
        let row = self.whole.iter().find(|row| row.estimate.method == self.models.first().method());
        &row.expect("every method asked for is among them").estimate
    }

    /// Returns the published estimates of the groups, in their order.
    pub fn rows(&self) -> Vec<&EstimateRow> {
        let first = self.models.first().method();
        self.groups.iter().filter(|row| row.estimate.method == first).collect()
    }

    /// Returns the uncorrected share of a group, if it is shown.
    pub fn count(&self, group: usize) -> Option<f64> {
        self.counts.get(group).copied()
    }

    /// What a method's standard errors and intervals account for; `None` if it has none.
    pub fn variance(&self, method: Method) -> Option<String> {
        let quantifier = self.models.every.quantifiers().iter().find(|quantifier| quantifier.method() == method)?;
        match self.resamples {
            Some(resamples) => Some(method.variance_of_bootstrap(resamples.number())),
            None => quantifier.variance_of().map(str::to_owned),
        }
    }

    /// Returns the checked groups with their estimates, the groups furthest from a mixture first.
    pub fn furthest(&self) -> Vec<(&EstimateRow, &ShiftVerdict)> {
        let each = self.checked.each();
        let mut furthest: Vec<(&EstimateRow, &ShiftVerdict)> =
            self.rows().into_iter().filter_map(|row| Some((row, each.get(row.group)?))).collect();
        furthest.sort_by(|(_, a), (_, b)| a.shift.p_value.total_cmp(&b.shift.p_value));
        furthest
    }

    /// Returns whether any group has this grade of reliability.
    pub fn any(&self, trust: Trust) -> bool {
        self.rows().iter().any(|row| Trust::from_estimate(&row.estimate) == trust)
    }
}

/// A row for each group and method.
fn estimate_rows(groups: Vec<Estimates>) -> Vec<EstimateRow> {
    let of_group = |(group, estimates): (usize, Estimates)| {
        estimates.into_iter().map(move |estimate| EstimateRow { group, is_total: false, estimate })
    };
    groups.into_iter().enumerate().flat_map(of_group).collect()
}

/// Returns the uncorrected share of every group.
fn counted<N>(
    executor: &impl Executor,
    model: &Model,
    groups: &ReportRows<N>,
    reporting: &IntervalOptions,
) -> Result<Vec<f64>, Error> {
    let count = |rows: &ScoreValues<Vec<f64>>| Ok(model.estimate(rows.batch()?, reporting)?[0].prevalence);
    executor.map(&groups.contents, count).into_iter().collect()
}

/// The scores in ascending order.
pub fn ascending(scores: &[f64]) -> Vec<f64> {
    let mut ascending = scores.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    ascending
}

/// The ends of the interval; without one, the estimate twice.
pub fn ends(estimate: &Estimate) -> [f64; 2] {
    estimate.uncertainty.map_or([estimate.prevalence; 2], |u| [u.lower, u.upper])
}

impl ShiftChecks {
    /// Returns the reason why the check is impossible, to follow "cannot be checked".
    pub fn impossible(error: &Error) -> &'static str {
        match error.problem() {
            Some(Problem::TooFewDifferent) => "because the labelled scores have too few different values",
            _ => "because there are too few labelled scores",
        }
    }

    /// The check of each group, if it looks at each.
    pub fn each(&self) -> &[ShiftVerdict] {
        match self {
            Self::Impossible(_) => &[],
            Self::Done { each, .. } => each,
        }
    }

    fn new<N>(
        executor: &impl Executor,
        check: &ShiftCheck,
        whole: &ReportRows<TextNames>,
        each: &ReportRows<N>,
    ) -> Result<Self, Error> {
        let tally = |rows: &ScoreValues<Vec<f64>>| {
            let mut tally = check.tally();
            check.update(&mut tally, rows.batch()?).map(|()| tally)
        };
        let tested = |groups: &[ScoreValues<Vec<f64>>]| {
            let tallies = executor.map(groups, tally).into_iter().collect::<Result<Vec<_>, Error>>()?;
            check.test_all(&tallies)
        };
        let whole = tested(&whole.contents)?.pop().expect("the tally of all rows");
        let each = if each.shift_total.is_some() { Vec::new() } else { tested(&each.contents)? };
        Ok(Self::Done { whole: Box::new(whole), each })
    }
}
