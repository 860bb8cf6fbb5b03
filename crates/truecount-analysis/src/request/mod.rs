//! Requests for analyses, which every interface makes from its arguments.
//!
//! A field has the name of the command's long option, with underscores. The request alone decides which computation
//! answers it: by formula or with the bootstrap, by strata, with a sampling design, with totals, or with comparisons.

mod check;
mod class_scores;
mod compare;
mod counts;
mod plan;
mod rules;
mod sizes;

pub use crate::audit::AuditRequest;
pub use crate::evaluation::EvaluateRequest;
pub use check::CheckRequest;
pub use class_scores::{ClassColumn, ClassReport, class_labels, class_method, fit_class_methods, predicted_class};
pub use compare::{CompareRequest, OtherSample, SampleComparison};
pub use counts::CountsRequest;
pub use plan::PlanRequest;
pub use sizes::{ColumnRoles, MAX_PARTS, PARTS, Sizes};

use crate::AnalysisProblem;
use crate::compare::{ComparisonSets, DifferenceResult, ReferenceOption};
use crate::design_tallies::ReplicateKind;
use crate::estimates::Resampling;
use crate::executor::Executor;
use crate::groups::{GroupKeys, GroupNames, NamedGroups, TextNames};
use crate::options::IntervalArgs;
use crate::output::Stratum;
use crate::results::{PublicationRule, escape_untrusted};
use crate::rows::{GroupCells, MemoryRows, TestRows};
use crate::sets::TestSets;
use crate::standard::{GroupSizes, StandardisedEstimates};
use crate::strata::{SmallStrata, StratifiedGroups};
use crate::totals::{GroupEstimates, GroupSource, TotalOptions, estimate_groups};
use serde::Deserialize;
use std::collections::HashMap;
use truecount::bootstrap::Resamples;
use truecount::compare::{JointErrors, Reference};
use truecount::model::LonelyPsu;
use truecount::{Error, Estimates, IntervalOptions, Method, Model, Tally, Target};

/// The name of the bootstrap among the kinds of intervals.
pub const BOOTSTRAP: &str = "bootstrap";

/// A request for estimates of groups, with their total and differences.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct EstimateRequest {
    pub by: Vec<String>,
    pub weight: Option<String>,
    pub level: f64,
    /// The target; an empty text for the population if rows have weights, otherwise for the sample.
    pub target: String,
    pub interval: String,
    pub misfit: String,
    pub resamples: Option<u64>,
    pub seed: Option<u64>,
    pub total: bool,
    pub standardise: Option<Sizes>,
    pub population: Option<Sizes>,
    pub cluster_population: Option<Sizes>,
    pub cluster: Option<String>,
    pub stratum: Option<String>,
    pub lonely_psu: Option<LonelyPsu>,
    pub replicates: Option<String>,
    pub replicate_type: Option<String>,
    pub model_stratum: Option<String>,
    pub small_strata: SmallStrata,
    /// Whether the apparent prevalences are counted, where the sampling design allows.
    pub apparent: bool,
    /// The reference of comparisons, an empty text for the usual one; `None` without comparisons.
    pub compare: Option<String>,
    /// The name of a rule for publication.
    pub publish: Option<String>,
    /// The columns with the probabilities of several classes, or the one with the predicted class; empty for a single
    /// score.
    pub class_scores: Vec<String>,
    /// The column with numbers of rows, if tables have counts of predicted classes.
    pub class_count: Option<String>,
}

impl Default for EstimateRequest {
    /// A request for the estimate of all rows.
    fn default() -> Self {
        let options = IntervalOptions::default();
        Self {
            by: Vec::new(),
            weight: None,
            level: options.level(),
            target: options.target().to_string(),
            interval: options.interval().to_string(),
            misfit: options.misfit().to_string(),
            resamples: None,
            seed: None,
            total: false,
            standardise: None,
            population: None,
            cluster_population: None,
            cluster: None,
            stratum: None,
            lonely_psu: None,
            replicates: None,
            replicate_type: None,
            model_stratum: None,
            small_strata: SmallStrata::Reject,
            apparent: false,
            compare: None,
            publish: None,
            class_scores: Vec::new(),
            class_count: None,
        }
    }
}

/// Returns the target; for an empty text, the population if `is_population`, and otherwise the sample.
fn with_default_target(target: String, is_population: bool) -> String {
    if target.is_empty() { if is_population { Target::Population } else { Target::Sample }.to_string() } else { target }
}

/// The models of strata, which are values of a column.
pub struct StratumModels {
    /// The strata with a model each. Strata that share a model are one entry.
    pub strata: Vec<Stratum>,
    /// The index of the entry of each value.
    pub index: HashMap<String, usize>,
}

impl StratumModels {
    /// Estimates the parts of groups, each with the model of its stratum.
    ///
    /// # Errors
    /// Returns the errors of [`StratifiedGroups::new`].
    pub fn groups<'a, N: GroupKeys>(
        &'a self,
        executor: &impl Executor,
        rows: &'a MemoryRows<N>,
        options: &IntervalOptions,
    ) -> Result<StratifiedGroups<'a>, Error> {
        let GroupCells { names, groups, model_strata, .. } = &rows.parts;
        let blocks = model_strata.iter().map(|stratum| self.index[stratum]).collect();
        let models = self.strata.iter().map(|stratum| (stratum.name.as_str(), &stratum.model)).collect();
        StratifiedGroups::new(executor, models, &rows.sets(), blocks, (groups, names.number()), options)
    }
}

impl EstimateRequest {
    /// Returns the level, target and kind of the intervals.
    ///
    /// # Errors
    /// Returns an error if the level is not in (0, 1), and for an unknown name.
    pub fn interval_options(&self) -> Result<IntervalOptions, Error> {
        let Self { level, target, interval, misfit, .. } = self.clone();
        let target = with_default_target(target, self.weight.is_some());
        let options = IntervalArgs { level, target, interval, misfit, population: None }.parse()?;
        let implies_population =
            self.stratum.is_some() || self.replicates.is_some() || self.cluster_population.is_some();
        Ok(if implies_population { options.with_target(Target::Population) } else { options })
    }

    /// Returns the bootstrap; `None` if intervals come from formulas.
    ///
    /// # Errors
    /// Returns an error for too few or too many resamples, and for rows with weights.
    pub fn resampling(&self) -> Result<Option<Resampling>, Error> {
        if !self.uses_bootstrap() {
            return Ok(None);
        }
        let number = self.resamples.unwrap_or(Resamples::DEFAULT);
        let resamples = Resamples::new(number, self.weight.is_some(), &self.interval_options()?)?;
        Ok(Some(Resampling { resamples, seed: self.seed.unwrap_or(1) }))
    }

    fn uses_bootstrap(&self) -> bool {
        self.interval == BOOTSTRAP
    }

    /// Returns the kind of the replicate weights.
    ///
    /// # Errors
    /// Returns an error for an unknown kind.
    pub fn replicate_kind(&self) -> Result<ReplicateKind, AnalysisProblem> {
        self.replicate_type.as_deref().unwrap_or_default().parse()
    }

    /// Returns the rule for publication.
    ///
    /// # Errors
    /// Returns an error for an unknown name.
    pub fn publication_rule(&self) -> Result<Option<PublicationRule>, Error> {
        self.publish.as_deref().map(str::parse).transpose()
    }

    /// Returns an error if options exclude each other; called before rows are read.
    ///
    /// # Errors
    /// Returns [`AnalysisProblem::OptionConflict`], and the errors of
    /// [`interval_options`](Self::interval_options), [`resampling`](Self::resampling) and
    /// [`publication_rule`](Self::publication_rule).
    pub fn check(&self) -> Result<(), Error> {
        self.interval_options()?;
        self.publication_rule()?;
        rules::check(&rules::ESTIMATE, self)?;
        self.check_classes()?;
        self.resampling().map(|_| ())
    }

    /// Returns an error if options cannot be used with several classes.
    fn check_classes(&self) -> Result<(), Error> {
        if self.class_scores.is_empty() { Ok(()) } else { rules::check(&rules::CLASS_SCORES, self) }
    }

    /// Names the population of a total of groups with known sizes; `None` without sizes of groups.
    pub fn population_of_total(&self) -> Option<String> {
        match self.standardise.as_ref().or(self.group_populations())? {
            Sizes::Table(path) => Some(sizes::standard_name(path)),
            Sizes::Column(column) => {
                Some(format!("the population whose groups have the sizes in {}", escape_untrusted(column)))
            }
            Sizes::Number(_) => None,
        }
    }

    /// Returns sentences on whose share the weighted rows, their total and standardised shares have.
    fn target_notes(&self) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        let is_population = self.interval_options()?.target() == Target::Population;
        if self.weight.is_some() && is_population {
            notes.push("rows have weights, so the share is that of the population that they stand for".to_owned());
        }
        let share = match (&self.standardise, self.total) {
            (Some(_), _) => "standardised",
            (None, true) => "total",
            (None, false) => "all groups together",
        };
        let is_compared = matches!(self.compare.as_deref(), Some("total" | "rest"));
        if self.total || self.standardise.is_some() || is_compared {
            notes.extend(self.population_of_total().map(|population| format!("{share}: for {population}")));
        }
        Ok(notes)
    }

    /// Estimates the groups of rows, with their total and differences.
    ///
    /// # Errors
    /// Returns the errors of the analysis that the request asks for.
    pub fn run<R: TestRows>(
        &self,
        executor: &impl Executor,
        rows: &R,
        model: &Model,
    ) -> Result<(R::Names, GroupEstimates), Error> {
        let options = self.interval_options()?;
        if let Some(resampling) = self.resampling()? {
            return self.resample(executor, rows, model, &resampling);
        }
        if let Some(counting) = self.counting_model(model) {
            return Self { apparent: false, ..self.clone() }.run(executor, rows, &counting);
        }
        if rows.is_simple() && !self.total && self.compare.is_none() {
            return self.answer(model, rows.estimate(executor, model, &options)?);
        }
        let parts = rows.tally(executor, model)?;
        let estimates = self.run_tallied(executor, &parts, model)?;
        Ok((parts.names, estimates))
    }

    /// Returns whether the estimate of each group needs only its tally.
    pub fn needs_only_tallies(&self) -> bool {
        let is_single = self.has_simple_groups() && self.model_stratum.is_none() && !self.uses_bootstrap();
        is_single && !self.total && self.compare.is_none() && self.publish.is_none()
    }

    /// Answers the request with estimates of groups by `model`, without total and differences.
    ///
    /// # Errors
    /// Returns an error if the check's tally belongs to another model.
    pub fn answer<N>(&self, model: &Model, groups: NamedGroups<Estimates, N>) -> Result<(N, GroupEstimates), Error> {
        let (names, estimates) = GroupEstimates::from_estimates(model, groups)?;
        Ok((names, self.annotate(estimates)?))
    }

    /// Returns the model with Classify & Count added, if apparent prevalences are reported.
    pub fn counting_model(&self, model: &Model) -> Option<Model> {
        if self.can_count() { model.with_count() } else { None }
    }

    /// Returns whether apparent prevalences are counted: Classify & Count has no errors that can be
    /// combined between groups.
    fn can_count(&self) -> bool {
        let is_combined = self.compare.is_some() || self.standardise.is_some();
        let is_combined = is_combined || (self.group_populations().is_some() && self.total);
        self.apparent && !is_combined && !self.uses_bootstrap()
    }

    /// Estimates the groups of tallied rows by formulas, with their total and differences.
    ///
    /// # Errors
    /// Returns the errors of the analysis that the request asks for.
    pub fn run_tallied<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        parts: &GroupCells<Tally, N>,
        model: &Model,
    ) -> Result<GroupEstimates, Error> {
        self.estimate_groups(executor, &parts.tallied_groups(model)?, &parts.names, &parts.sizes)
    }

    /// Compares the groups of tallied rows, which are divided into sets, with a reference.
    ///
    /// # Errors
    /// Returns an error if options exclude a comparison, and the errors of [`run`](Self::run).
    pub fn compare_tallied<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        parts: &GroupCells<Tally, N>,
        model: &Model,
        comparison: (&ComparisonSets, &Reference),
    ) -> Result<DifferenceResult, Error> {
        Self { compare: Some(String::new()), ..self.clone() }.check()?;
        let (groups, options) = (parts.tallied_groups(model)?, self.total_options(&parts.sizes)?);
        let estimates = estimate_groups(executor, &groups, &options, Some(comparison))?;
        Ok(estimates.differences.expect("a comparison was requested"))
    }

    /// Estimates the groups of rows whose strata have a model each. Returns the joint errors of the
    /// estimates by each method, too.
    ///
    /// # Errors
    /// Returns the errors of [`run`](Self::run), and an error for a method without joint errors.
    #[allow(clippy::type_complexity)] // two results
    pub fn run_by_stratum<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        rows: &MemoryRows<N>,
        models: &StratumModels,
    ) -> Result<((N, GroupEstimates), Vec<(Method, JointErrors)>), Error> {
        let groups = models.groups(executor, rows, &self.interval_options()?)?;
        let GroupCells { names, sizes, .. } = &rows.parts;
        let estimates = self.estimate_groups(executor, &groups, names, sizes)?;
        Ok(((names.clone(), estimates), groups.joint))
    }

    /// Estimates groups with the bootstrap.
    fn resample<R: TestRows>(
        &self,
        executor: &impl Executor,
        rows: &R,
        model: &Model,
        resampling: &Resampling,
    ) -> Result<(R::Names, GroupEstimates), Error> {
        let options = match self.population {
            Some(Sizes::Number(size)) => self.interval_options()?.with_population(size),
            _ => self.interval_options()?,
        };
        let MemoryRows { parts, part_of_row, .. } = rows.read(model.unit_interval())?;
        let map_row = |error| TestSets { sets: Vec::new(), groups: part_of_row }.map_row(error);
        let rows = NamedGroups { keys: parts.names, contents: parts.contents, shift_total: None };
        let rows = rows.with_shift_total(executor, model)?;
        let all = self.total.then(|| rows.merge_into_one(TextNames::none()));
        let groups = resampling.group_estimates(executor, model, rows, &options).map_err(map_row)?;
        let total = all.map(|all| resampling.group_estimates(executor, model, all, &options)).transpose()?;
        let (names, estimates) = GroupEstimates::from_estimates(model, groups)?;
        let total = total.and_then(|total| total.contents.into_iter().next());
        Ok((names, self.annotate(GroupEstimates { total, ..estimates })?))
    }

    /// Estimates groups with their total and differences.
    fn estimate_groups<S: GroupSource>(
        &self,
        executor: &impl Executor,
        groups: &S,
        names: &impl GroupKeys,
        sizes: &GroupSizes,
    ) -> Result<GroupEstimates<S::Estimate>, Error> {
        let options = self.total_options(sizes)?;
        // Sets of groups that are standardised are compared instead of groups.
        let sets = options.standard.as_ref().filter(|standard| !standard.columns.is_empty());
        let sets = sets.map(|standard| names.group_by(standard.columns.iter().copied())).transpose()?;
        let names = sets.as_ref().map_or(names, |(names, _)| names);
        let comparison = self.comparison(names)?;
        let comparison = comparison.as_ref().map(|(sets, reference)| (sets, reference));
        let estimates = estimate_groups(executor, groups, &options, comparison)?;
        let differences = estimates.differences.map(|differences| differences.named(names));
        let differences = match &estimates.standardised {
            Some(standardised) if sets.is_some() => {
                differences.map(|differences| differences.with_group_numbers(&standardised.first_groups))
            }
            _ => differences,
        };
        let population = self.population_of_total();
        let standardised =
            estimates.standardised.map(|standardised| StandardisedEstimates { population, ..standardised });
        self.annotate(GroupEstimates { standardised, differences, ..estimates })
    }

    /// Returns the sets of groups with these names that are compared, and their reference; `None` without a comparison.
    fn comparison(&self, names: &dyn GroupNames) -> Result<Option<(ComparisonSets, Reference)>, Error> {
        let Some(text) = &self.compare else { return Ok(None) };
        let sets = ComparisonSets::new(names);
        let reference = sets.resolve_reference(&ReferenceOption::from_option(text), names)?;
        Ok(Some((sets, reference)))
    }

    /// Adds the notes and the rule for publication to estimates.
    fn annotate<E>(&self, estimates: GroupEstimates<E>) -> Result<GroupEstimates<E>, Error> {
        let (notes, publication_rule) = (self.target_notes()?, self.publication_rule()?);
        Ok(GroupEstimates { notes, publication_rule, ..estimates })
    }

    /// Returns the options of groups with these weights and populations.
    fn total_options(&self, sizes: &GroupSizes) -> Result<TotalOptions, Error> {
        let (interval_options, GroupSizes { standard, populations }) = (self.interval_options()?, sizes.clone());
        Ok(TotalOptions { interval_options, total: self.total, standard, populations })
    }
}
