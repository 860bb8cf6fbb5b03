//! The data of a report: estimates of all rows by several methods, estimates of the groups, and the shift checks.

use crate::audit::AuditData;
use crate::words::Reliability;
use std::borrow::Cow;
use truecount::error::Problem;
use truecount::quantifier::{Operation, Quantifier};
use truecount::scores::PerClass;
use truecount::shift_test::{ShiftCheck, ShiftVerdict};
use truecount::{Error, Estimate, Estimates, IntervalOptions, Method, Model};
use truecount_analysis::ScoreValues;
use truecount_analysis::compare::DifferenceResult;
use truecount_analysis::executor::Executor;
use truecount_analysis::groups::{GroupKeys, GroupNames, NamedGroups, TextNames};
use truecount_analysis::monitor::{MonitorSeries, monitor};
use truecount_analysis::notes::variance_of;
use truecount_analysis::request::{CheckRequest, EstimateRequest};
use truecount_analysis::results::{EstimateRow, FitRow, PublicationRule, Sort, StandardisedSets};
use truecount_analysis::rows::MemoryRows;
use truecount_analysis::standard::GroupSizes;

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
    /// Classify & Count, if its cutoff separates the labelled scores and the first method is not itself uncorrected.
    pub count: Option<Model>,
}

impl ReportModels {
    /// Fits the additional models of a report; `weighted` says whether test scores have weights, and
    /// `is_simple` whether each group is a simple random sample without a known size.
    ///
    /// # Errors
    /// Returns an error if the requested methods cannot be fitted again.
    pub fn new(requested: Model, weighted: bool, is_simple: bool) -> Result<Self, Error> {
        let (settings, labelled) = (requested.settings(), requested.labelled());
        let with_methods = |methods: &[Method]| settings.clone().with_methods(methods.iter().copied());
        // Counts are shown only if Adjusted Count can be fitted at the same cutoff.
        let show_counts = Model::fit(labelled, &with_methods(&COUNTS)).is_ok();
        let usable = OTHERS.into_iter().filter(|method| !weighted || method.supports_weights());
        let usable = usable.chain(COUNTS.into_iter().filter(|_| show_counts));
        let usable = usable.filter(|method| {
            let needed = [Operation::TestDesign, Operation::Covariance];
            is_simple || needed.iter().all(|operation| operation.is_supported_by(*method))
        });
        let others = usable.filter(|method| !settings.methods.contains(method));
        let methods: Vec<Method> = settings.methods.iter().copied().chain(others).collect();
        let every = Model::fit(labelled, &with_methods(&methods).available_only())?;
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

type ReportRows<'r, N> = NamedGroups<ScoreValues<Cow<'r, [f64]>>, N>;

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
    /// The uncorrected share of all rows together, if it is shown.
    overall_count: Option<f64>,
    /// The results of the shift check.
    pub shift_checks: CheckOutcome,
    /// The labelled scores, ascending.
    pub labelled: PerClass<Vec<f64>>,
    /// The labelled scores after the transform, ascending.
    pub scores: PerClass<Vec<f64>>,
    /// The tests of the families' fit; empty if the method uses no family.
    pub families: Vec<FitRow>,
    /// The estimates from audited rows, if there are any.
    pub audit: Option<AuditData>,
    /// The population of the estimate of all rows, if the sizes of groups are known.
    pub population: Option<String>,
    /// The crude and standardised shares, if requested.
    pub standardised: Option<StandardisedSets>,
    /// The differences of many groups from all together, if the method has joint errors.
    pub differences: Option<DifferenceResult>,
    /// The smoothed shares of many dates, if the method has joint errors and smoothing moves the shares.
    smoothed: Option<MonitorSeries>,
    /// The rule for publication, if requested; its judgements are in the rows.
    pub publication_rule: Option<PublicationRule>,
    resamples: Option<u64>,
}

/// The number of groups above which they are many: only some have names in a figure, and a table is folded.
pub const MANY_GROUPS: usize = 40;

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
    /// The smoothed shares of many dates.
    pub smoothed: Option<&'a MonitorSeries>,
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
pub enum CheckOutcome {
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
    pub fn new<N: GroupKeys>(
        executor: &impl Executor,
        models: &'a ReportModels,
        rows: &'a MemoryRows<N>,
        audit: Option<AuditData>,
        sort: Option<&Sort>,
        request: &EstimateRequest,
    ) -> Result<Self, Error> {
        let (all, names, options) = (rows.as_one_group(), &rows.parts.names, request.interval_options()?);
        let merged = rows.by_group().merge_into_one(TextNames::none());
        let by_group = rows.by_group().with_shift_total(executor, &models.extended)?;
        let labelled = models.extended.labelled();
        let shift_checks = match ShiftCheck::new(labelled) {
            Err(error) => CheckOutcome::Impossible(error),
            Ok(check) => CheckOutcome::new(executor, &check, &merged.contents, &by_group)?,
        };
        let (mut counts, mut overall_count) = (Vec::new(), None);
        if let Some(model) = &models.count {
            overall_count = uncorrected_shares(executor, model, &merged.contents, &options)?.pop();
            if sort.is_some() {
                counts = uncorrected_shares(executor, model, &by_group.contents, &options)?;
            }
        }
        let GroupSizes { standard, populations } = &rows.parts.sizes;
        let has_sizes = standard.is_some() || populations.is_some();
        let is_by_set = standard.as_ref().is_some_and(|standard| !standard.columns.is_empty());
        let estimates = if has_sizes && names.number() > 1 {
            let request = EstimateRequest { total: true, ..request.clone() };
            let mut estimates = request.run(executor, rows, &models.extended)?.1;
            let total = if is_by_set { estimates.total } else { estimates.take_total() };
            total.expect("a total was requested")
        } else if has_sizes {
            request.run(executor, rows, &models.extended)?.1.groups.swap_remove(0)
        } else {
            request.run(executor, &all, &models.extended)?.1.groups.swap_remove(0)
        };
        let mut overall = estimate_rows(vec![estimates]);
        let (mut groups, mut standardised, mut differences, mut smoothed) = (Vec::new(), None, None, None);
        if let Some(sort) = sort {
            let many = names.number() > MANY_GROUPS && audit.is_none() && request.publish.is_none();
            let (model, has_dates) = (&models.requested, names.dates().is_some());
            let plain = EstimateRequest { total: false, standardise: None, ..request.clone() };
            let by_share = Sort::By(vec!["-prevalence".to_owned()]);
            let sort = if many && *sort == Sort::Groups && !has_dates { &by_share } else { sort };
            // A method without joint errors has neither of them.
            if many && !has_dates {
                let request = EstimateRequest { compare: Some("total".to_owned()), ..plain };
                differences = request.run(executor, rows, model).ok().and_then(|(_, groups)| groups.differences);
            } else if many && names.columns().count() == 1 {
                let series = monitor(executor, &plain, rows, model, None, None).ok().map(|(_, series)| series);
                smoothed = series.filter(MonitorSeries::smooths);
            }
            let (model, _) = by_group.single_group_settings(&models.requested, &options);
            let estimates = request.run(executor, rows, &model)?.1;
            groups = estimate_rows(estimates.groups);
            standardised = estimates.standardised.map(|sets| StandardisedSets::new(names.clone(), sets));
            if let Some(sets) = &mut standardised {
                sort.sort(&mut sets.rows, names);
            }
            if let Some(audit) = &audit {
                for row in &mut groups {
                    row.estimate = audit.estimate(row.group);
                }
            }
            sort.sort(&mut groups, names);
        }
        let publication_rule = request.publication_rule()?;
        if let Some(rule) = publication_rule {
            let standardised = standardised.iter_mut().flat_map(StandardisedSets::estimates_mut);
            rule.apply(overall.iter_mut().chain(&mut groups).chain(standardised));
        }
        let transform = models.extended.settings().transform;
        let scores = transform.apply_to_labelled(labelled)?.map(|scores| ascending(scores));
        // Families cannot be fitted to weighted or clustered scores.
        let families = if models.first().trusts_family() && labelled.is_simple_random_sample() {
            CheckRequest { transform: transform.to_string(), ..CheckRequest::default() }.families(executor, labelled)?
        } else {
            Vec::new()
        };
        let resamples = request.resampling()?.map(|resampling| resampling.resamples.number());
        let labelled = labelled.scores().map(|scores| ascending(scores));
        Ok(Self {
            models,
            names,
            overall,
            groups,
            counts,
            overall_count,
            shift_checks,
            labelled,
            scores,
            families,
            audit,
            population: request.population_of_total().filter(|_| has_sizes && !is_by_set),
            standardised,
            differences,
            smoothed,
            publication_rule,
            resamples,
        })
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
        &self.score_row().estimate
    }

    /// Returns whether a rule for publication suppresses the estimate of all rows.
    pub fn is_suppressed(&self) -> bool {
        self.score_row().is_suppressed()
    }

    fn score_row(&self) -> &EstimateRow {
        let row = self.overall.iter().find(|row| row.estimate.method == self.models.first().method());
        row.expect("every method asked for is among them")
    }

    /// Returns the published estimates of the groups, in their order.
    pub fn rows(&self) -> Vec<&EstimateRow> {
        let first = self.models.first().method();
        self.groups.iter().filter(|row| row.estimate.method == first).collect()
    }

    /// Returns the published estimates of the groups, to be drawn: without those that are suppressed,
    /// and none if the estimate of all rows is suppressed.
    pub fn group_shares(&self) -> GroupShares<'_> {
        let mut rows = self.rows();
        rows.retain(|row| !row.is_suppressed() && !self.is_suppressed());
        let (uncorrected, smoothed) = (self.counts.as_slice(), self.smoothed.as_ref());
        GroupShares { names: self.names, rows, uncorrected, overall: self.answer(), smoothed }
    }

    /// Returns the uncorrected share of all rows together, if it is shown.
    pub fn overall_count(&self) -> Option<f64> {
        self.overall_count
    }

    /// Returns the uncorrected share of a group, if it is shown.
    pub fn count(&self, group: usize) -> Option<f64> {
        self.counts.get(group).copied()
    }

    /// Describes the sampling that a method's standard error accounts for; `None` if it has none.
    pub fn variance(&self, method: Method) -> Option<String> {
        let quantifier = self.models.extended.quantifiers().iter().find(|quantifier| quantifier.method() == method)?;
        variance_of(quantifier, self.resamples)
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

fn estimate_rows(groups: Vec<Estimates>) -> Vec<EstimateRow> {
    let rows = |(group, estimates): (usize, Estimates)| {
        estimates.into_iter().map(move |estimate| EstimateRow::new(group, estimate))
    };
    groups.into_iter().enumerate().flat_map(rows).collect()
}

fn uncorrected_shares(
    executor: &impl Executor,
    model: &Model,
    groups: &[ScoreValues<impl AsRef<[f64]> + Sync>],
    interval_options: &IntervalOptions,
) -> Result<Vec<f64>, Error> {
    let counts = executor.map(groups, |rows| Ok(model.estimate_with(rows.batch()?, interval_options)?[0].prevalence));
    counts.into_iter().collect()
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

impl CheckOutcome {
    /// Returns the reason why the check is impossible, to follow "cannot be checked".
    pub fn reason(error: &Error) -> &'static str {
        match error.problem() {
            Some(Problem::TooFewValuesToCheck) => "because the labelled scores have too few different values",
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
        merged: &[ScoreValues<Vec<f64>>],
        groups: &ReportRows<N>,
    ) -> Result<Self, Error> {
        let overall = test(executor, check, merged)?.pop().expect("the tally of all rows");
        let groups = if groups.shift_total.is_some() { Vec::new() } else { test(executor, check, &groups.contents)? };
        Ok(Self::Done { overall: Box::new(overall), groups })
    }
}

/// Checks each group, with a correction for the number of groups.
fn test(
    executor: &impl Executor,
    check: &ShiftCheck,
    groups: &[ScoreValues<impl AsRef<[f64]> + Sync>],
) -> Result<Vec<ShiftVerdict>, Error> {
    let tallies = executor.map(groups, |rows| {
        let mut tally = check.tally();
        check.update(&mut tally, rows.batch()?).map(|()| tally)
    });
    check.test_all(&tallies.into_iter().collect::<Result<Vec<_>, Error>>()?)
}
