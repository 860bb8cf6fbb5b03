//! The data of a report: estimates of all rows by several methods, estimates of the groups, and the
//! shift checks.

use crate::audit::AuditData;
use crate::words::Reliability;
use truecount::bootstrap::{Bootstrap, Resamples};
use truecount::error::Problem;
use truecount::quantifier::Quantifier;
use truecount::scores::PerClass;
use truecount::shift_test::{ShiftCheck, ShiftVerdict};
use truecount::{Batch, Error, Estimate, Estimates, IntervalOptions, Method, Model};
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
    /// The model with the requested methods.
    pub requested: Model,
    /// The model with the requested and a few other methods, as far as the labelled scores allow.
    pub extended: Model,
    /// Classify & Count, if its cutoff separates the labelled scores and the first method is not
    /// itself uncorrected.
    pub count: Option<Model>,
}

impl ReportModels {
    /// Fits the additional models of a report; `weighted` says whether test scores have weights.
    ///
    /// # Errors
    /// Returns an error if the requested methods cannot be fitted again.
    pub fn new(requested: Model, weighted: bool) -> Result<Self, Error> {
        let (settings, labelled) = (requested.settings(), requested.labelled());
        let with_methods = |methods: &[Method]| settings.clone().with_methods(methods.iter().copied());
        // Counts are shown only if Adjusted Count can be fitted at the same cutoff.
        let show_counts = Model::fit(labelled, &with_methods(&COUNTS)).is_ok();
        let usable = OTHERS.into_iter().filter(|method| !weighted || method.supports_weights());
        let usable = usable.chain(COUNTS.into_iter().filter(|_| show_counts));
        let others = usable.filter(|method| !settings.methods.contains(method));
        let methods: Vec<Method> = settings.methods.iter().copied().chain(others).collect();
        let every = Model::fit_available(labelled, &with_methods(&methods))?.0;
        let first = requested.quantifiers()[0].method();
        let show_count = show_counts && !first.is_uncorrected();
        let count = show_count.then(|| Model::fit(labelled, &with_methods(&[Method::CC]))).transpose()?;
        Ok(Self { count: count.map(Model::without_check), requested, extended: every })
    }

    /// Returns the method that the report's sentences and figures are about.
    pub fn first(&self) -> &Quantifier {
        &self.requested.quantifiers()[0]
    }
}

/// The options for standard errors and intervals.
pub struct ReportOptions {
    /// Level, target and type of the intervals.
    pub interval_options: IntervalOptions,
    /// The bootstrap with its seed; `None` uses formulas.
    pub resampling: Option<(Resamples, u64)>,
}

/// Test scores by their groups.
type ReportRows<N> = NamedGroups<ScoreValues<Vec<f64>>, N>;

impl ReportOptions {
    /// Estimates every group.
    fn estimates<N>(
        &self,
        executor: &impl Executor,
        model: &Model,
        groups: &ReportRows<N>,
    ) -> Result<Vec<Estimates>, Error> {
        let (group_model, interval_options) = groups.for_each(model, &self.interval_options);
        let Some((resamples, seed)) = self.resampling else {
            let estimate = |rows: &ScoreValues<Vec<f64>>| group_model.estimate_with(rows.batch()?, &interval_options);
            return executor.map(&groups.contents, estimate).into_iter().collect::<Result<_, Error>>();
        };
        resamples.check_room(groups.contents.len() * model.quantifiers().len())?;
        let batches: Vec<Batch> = groups.contents.iter().map(ScoreValues::batch).collect::<Result<_, _>>()?;
        let bootstrap = Bootstrap::new(&group_model, batches, seed)?;
        let replicates = executor.map_range(resamples.number(), |number| bootstrap.replicate(number))?;
        bootstrap.estimates(&replicates, &interval_options)
    }
}

/// The data of a report.
pub struct ReportData<'a> {
    /// The models of the estimates.
    pub models: &'a ReportModels,
    /// The names of the groups.
    pub names: &'a dyn GroupNames,
    /// The estimates for all rows together, by the requested methods and a few others.
    pub overall: Vec<EstimateRow>,
    /// The estimates for each group, by the requested methods; empty without grouping columns.
    pub groups: Vec<EstimateRow>,
    /// The uncorrected share in each group, by its number; empty if it is not shown.
    counts: Vec<f64>,
    /// The results of the shift check.
    pub shift_checks: ShiftChecks,
    /// The labelled scores, ascending.
    pub labelled: PerClass<Vec<f64>>,
    /// The labelled scores after the transform, ascending.
    pub scores: PerClass<Vec<f64>>,
    /// The tests of the families' fit; empty if the method uses no family.
    pub families: Vec<FitRow>,
    /// The estimates from audited rows, if there are any.
    pub audit: Option<AuditData>,
    resamples: Option<Resamples>,
}

/// The estimates of groups, to be drawn.
pub struct GroupShares<'a> {
    /// The names of the groups.
    pub names: &'a dyn GroupNames,
    /// The estimates of the groups, in the order of the table.
    pub rows: Vec<&'a EstimateRow>,
    /// The uncorrected share of each group, by its number; empty if it is not shown.
    pub uncorrected: &'a [f64],
    /// The estimate of all groups together.
    pub overall: &'a Estimate,
}

impl GroupShares<'_> {
    /// Returns whether an estimate has this reliability.
    pub fn has_any(&self, reliability: Reliability) -> bool {
        self.rows.iter().any(|row| Reliability::from_estimate(&row.estimate) == reliability)
    }

    /// Returns the uncorrected share of a group, if it is shown.
    pub fn uncorrected_share(&self, group: usize) -> Option<f64> {
        self.uncorrected.get(group).copied()
    }
}

/// The results of the shift check.
pub enum ShiftChecks {
    /// The labelled scores are too few, or have too few different values.
    Impossible(Error),
    /// The check was made.
    Done {
        /// The result for all rows together.
        overall: Box<ShiftVerdict>,
        /// The result for each group; empty if only all rows together are checked.
        groups: Vec<ShiftVerdict>,
    },
}

impl<'a> ReportData<'a> {
    /// Computes the data of a report about all rows and, if there is an order, about their groups.
    /// The estimates from an audit are published instead of those from scores alone.
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
        let merged = rows.merge_into_one(TextNames::none());
        let labelled = models.extended.labelled();
        let shift_checks = match ShiftCheck::new(labelled) {
            Err(error) => ShiftChecks::Impossible(error),
            Ok(check) => ShiftChecks::new(executor, &check, &merged, rows)?,
        };
        let counts = match models.count.as_ref().filter(|_| sort.is_some()) {
            Some(model) => uncorrected_shares(executor, model, rows, &options.interval_options)?,
            None => Vec::new(),
        };
        let overall = estimate_rows(options.estimates(executor, &models.extended, &merged)?);
        let mut groups = Vec::new();
        if let Some(sort) = sort {
            groups = estimate_rows(options.estimates(executor, &models.requested, rows)?);
            if let Some(audit) = &audit {
                for row in &mut groups {
                    row.estimate = audit.estimate(row.group);
                }
            }
            sort.sort(&mut groups, &rows.keys);
        }
        let transform = models.extended.settings().transform;
        let scores = transform.apply_to_labelled(labelled)?.map(|scores| ascending(scores));
        // Families cannot be fitted to weighted or clustered scores.
        let families = if models.first().trusts_family() && labelled.is_simple_random_sample() {
            family_test(executor, labelled, transform, None)?
        } else {
            Vec::new()
        };
        let resamples = options.resampling.map(|(resamples, _)| resamples);
        let labelled = labelled.scores().map(|scores| ascending(scores));
        let names = &rows.keys;
        Ok(Self { models, names, overall, groups, counts, shift_checks, labelled, scores, families, audit, resamples })
    }

    /// Returns whether there are grouping columns.
    pub fn has_groups(&self) -> bool {
        self.names.columns().next().is_some()
    }

    /// Returns the published estimate of all rows.
    pub fn answer(&self) -> &Estimate {
        self.audit.as_ref().map_or_else(|| self.score_estimate(), |audit| &audit.published)
    }

    /// Returns the estimate of all rows from scores alone, by the method the report is about.
    pub fn score_estimate(&self) -> &Estimate {
        let row = self.overall.iter().find(|row| row.estimate.method == self.models.first().method());
        &row.expect("every method asked for is among them").estimate
    }

    /// Returns the published estimates of the groups, in their order.
    pub fn rows(&self) -> Vec<&EstimateRow> {
        let first = self.models.first().method();
        self.groups.iter().filter(|row| row.estimate.method == first).collect()
    }

    /// Returns the published estimates of the groups, to be drawn.
    pub fn group_shares(&self) -> GroupShares<'_> {
        GroupShares { names: self.names, rows: self.rows(), uncorrected: &self.counts, overall: self.answer() }
    }

    /// Returns the uncorrected share of all rows together, if it is shown.
    pub fn overall_count(&self) -> Option<f64> {
        self.models.count.as_ref()?;
        let row = self.overall.iter().find(|row| row.estimate.method == Method::CC)?;
        Some(row.estimate.prevalence)
    }

    /// Returns the uncorrected share of a group, if it is shown.
    pub fn count(&self, group: usize) -> Option<f64> {
        self.counts.get(group).copied()
    }

    /// Describes the sampling that a method's standard error accounts for; `None` if it has none.
    pub fn variance(&self, method: Method) -> Option<String> {
        let quantifier = self.models.extended.quantifiers().iter().find(|quantifier| quantifier.method() == method)?;
        match self.resamples {
            Some(resamples) => Some(method.bootstrap_variance_sources(resamples.number())),
            None => quantifier.variance_sources().map(str::to_owned),
        }
    }

    /// Returns the checked groups with their estimates, in ascending order of the p-value.
    pub fn rows_by_p_value(&self) -> Vec<(&EstimateRow, &ShiftVerdict)> {
        let verdicts = self.shift_checks.groups();
        let mut rows: Vec<(&EstimateRow, &ShiftVerdict)> =
            self.rows().into_iter().filter_map(|row| Some((row, verdicts.get(row.group)?))).collect();
        rows.sort_by(|(_, a), (_, b)| a.statistics.p_value.total_cmp(&b.statistics.p_value));
        rows
    }
}

/// Returns a row for each group and method.
fn estimate_rows(groups: Vec<Estimates>) -> Vec<EstimateRow> {
    let rows = |(group, estimates): (usize, Estimates)| {
        estimates.into_iter().map(move |estimate| EstimateRow { group, is_total: false, estimate })
    };
    groups.into_iter().enumerate().flat_map(rows).collect()
}

/// Returns the uncorrected share of every group.
fn uncorrected_shares<N>(
    executor: &impl Executor,
    model: &Model,
    groups: &ReportRows<N>,
    interval_options: &IntervalOptions,
) -> Result<Vec<f64>, Error> {
    let count = |rows: &ScoreValues<Vec<f64>>| Ok(model.estimate_with(rows.batch()?, interval_options)?[0].prevalence);
    executor.map(&groups.contents, count).into_iter().collect()
}

/// Returns the scores in ascending order.
pub fn ascending(scores: &[f64]) -> Vec<f64> {
    let mut ascending = scores.to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    ascending
}

/// Returns the limits of the interval; without an interval, the estimate twice.
pub fn limits(estimate: &Estimate) -> [f64; 2] {
    estimate.interval.map_or([estimate.prevalence; 2], |u| [u.lower, u.upper])
}

impl ShiftChecks {
    /// Returns the reason why the check is impossible, to follow "cannot be checked".
    pub fn reason(error: &Error) -> &'static str {
        match error.problem() {
            Some(Problem::TooFewDistinctScores) => "because the labelled scores have too few different values",
            _ => "because there are too few labelled scores",
        }
    }

    /// Returns the check of each group; empty if groups are not checked.
    pub fn groups(&self) -> &[ShiftVerdict] {
        match self {
            Self::Impossible(_) => &[],
            Self::Done { groups, .. } => groups,
        }
    }

    fn new<N>(
        executor: &impl Executor,
        check: &ShiftCheck,
        merged: &ReportRows<TextNames>,
        groups: &ReportRows<N>,
    ) -> Result<Self, Error> {
        let tally = |rows: &ScoreValues<Vec<f64>>| {
            let mut tally = check.tally();
            check.update(&mut tally, rows.batch()?).map(|()| tally)
        };
        let test = |groups: &[ScoreValues<Vec<f64>>]| {
            let tallies = executor.map(groups, tally).into_iter().collect::<Result<Vec<_>, Error>>()?;
            check.test_all(&tallies)
        };
        let overall = test(&merged.contents)?.pop().expect("the tally of all rows");
        let groups = if groups.shift_total.is_some() { Vec::new() } else { test(&groups.contents)? };
        Ok(Self::Done { overall: Box::new(overall), groups })
    }
}
