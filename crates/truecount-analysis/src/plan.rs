//! Plans: the sizes that a precision needs, or the precision that sizes give.

use crate::executor::Executor;
use crate::results::{Note, PlanRow, ResultTable, percent};
use crate::spelling::{Interface, spell};
use serde::Deserialize;
use std::collections::HashMap;
use truecount::error::Problem;
use truecount::plan::{ClassSplit, Goal, LabelCount, Plan, Planner, PositiveShare, PrecisionMeasure, Size};
use truecount::quantifier::Quantifier;
use truecount::scores::PerClass;
use truecount::{Error, IntervalOptions, Method, Model, Target, Warning};

/// The number of points of a curve.
const CURVE_POINTS: u32 = 60;

/// A curve begins at this share above the smallest number of unlabelled scores, and ends at
/// `CURVE_SPAN` times that number.
const CURVE_START: f64 = 0.03;
const CURVE_SPAN: f64 = 100.0;

/// The first number of unlabelled scores in a table of sizes, relative to the smallest number that
/// suffices with known rates. Near that number, the required labelled scores grow without bound.
const LADDER_START: f64 = 1.25;

/// The number of rows of a table of sizes before the row of unlimited unlabelled scores.
const LADDER_ROWS: usize = 5;

/// The number of labelled scores of a class below which the planned sizes are uncertain.
const SMALL_PILOT: u64 = 50;

/// The number of resamples of the pilot, whose quantiles say how sure a size is.
const RESAMPLES: u64 = 200;

/// The seed of the resamples, so that the same pilot gives the same plan.
const RESAMPLING_SEED: u64 = 1;

/// The quantiles of the sizes between which a plan's range lies.
const RANGE: (f64, f64) = (0.1, 0.9);

/// The question that a plan answers.
#[derive(Clone, Copy, Debug)]
pub enum PlanQuestion {
    /// Which pairs of sizes reach a goal?
    Sizes(Goal),
    /// How many labelled scores reach a goal with these unlabelled scores?
    Labelled(Goal, Size),
    /// How many unlabelled scores reach a goal with these labelled scores?
    Unlabelled(Goal, LabelledCounts),
    /// Which precision is expected from these sizes?
    Expected(Size, LabelledCounts),
}

/// Numbers of labelled scores.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum LabelledCounts {
    /// The number in both classes together.
    Total(u64),
    /// The numbers of positives and of negatives.
    PerClass(u64, u64),
}

impl PlanQuestion {
    /// Returns the goal; `None` if the question is about the precision.
    pub fn goal(&self) -> Option<Goal> {
        match self {
            Self::Sizes(goal) | Self::Labelled(goal, _) | Self::Unlabelled(goal, _) => Some(*goal),
            Self::Expected(..) => None,
        }
    }
}

/// A plan that is left out, with the reason.
#[derive(Clone, Debug)]
pub enum OmittedPlan {
    /// The method cannot be planned for.
    Method(Method, Error),
    /// The labelled scores cannot be divided between the classes in this way.
    Split(&'static str, Error),
}

/// The question of a plan, and the conditions that it is asked under, as in [`Plans`].
#[derive(Clone, Copy)]
pub(crate) struct PlanOptions {
    pub(crate) question: PlanQuestion,
    pub(crate) prevalence: Option<f64>,
    pub(crate) design_effect: f64,
    pub(crate) assurance: Option<f64>,
    pub(crate) interval_options: IntervalOptions,
}

/// The plans for all methods of a model.
pub struct Plans<'a> {
    /// The model fitted to the pilot.
    pub model: &'a Model,
    /// The question.
    pub question: PlanQuestion,
    /// The prevalence that is planned for; `None` plans for the least favourable prevalence.
    pub prevalence: Option<f64>,
    /// The design effect of the unlabelled scores.
    pub design_effect: f64,
    /// The probability with which the pilot's sampling error leaves the sizes sufficient; `None` for
    /// the sizes that suffice if the pilot has no error.
    pub assurance: Option<f64>,
    /// The options of the intervals.
    pub interval_options: IntervalOptions,
    /// The planner of each method; empty if no method can be planned for.
    pub planners: Planners<'a>,
    /// The plans.
    pub rows: Vec<PlanRow>,
    /// The plans that are left out.
    pub omitted: Vec<OmittedPlan>,
}

impl<'a> Plans<'a> {
    /// Plans for all methods of a model that can be planned for.
    pub(crate) fn new(executor: &impl Executor, model: &'a Model, options: &PlanOptions) -> Result<Self, Error> {
        let PlanOptions { question, prevalence, design_effect, assurance, interval_options } = *options;
        if let Some(value) = assurance.filter(|value| !(0.5..1.0).contains(value)) {
            let (name, domain) = ("the assurance", "at least 0.5 and below 1");
            return Err(Problem::ParameterOutOfRange { name, value, domain }.into());
        }
        let conditions = (prevalence, design_effect, &interval_options);
        let (planners, mut omitted) = planners(model, conditions, Quantifier::planner)?;
        let splits = splits(model, question, prevalence)?;
        let labelled_by_split = match question {
            PlanQuestion::Unlabelled(_, counts) | PlanQuestion::Expected(_, counts) => {
                possible_labelled(counts, &splits, &mut omitted)?
            }
            PlanQuestion::Sizes(_) | PlanQuestion::Labelled(..) => Vec::new(),
        };
        let resampled = match (question.goal(), has_units(model), assurance) {
            (Some(_), false, _) => ResampledPlanners::new(executor, model, conditions)?,
            (Some(_), true, Some(_)) => return Err(Problem::BootstrapWithClusters.into()),
            _ => ResampledPlanners::default(),
        };
        let mut searches = Vec::new();
        for (quantifier, planner) in &planners {
            let mut add = |split, search| searches.push((quantifier.method(), planner, split, search));
            match question {
                PlanQuestion::Sizes(goal) => {
                    let best = ClassSplit::Optimal(goal.measure());
                    for n in size_ladder(goal, &planners) {
                        add("best", SizeSearch::Labelled(goal, n, best));
                    }
                }
                PlanQuestion::Labelled(goal, n) => {
                    for (name, split) in &splits {
                        add(name, SizeSearch::Labelled(goal, n, *split));
                    }
                }
                PlanQuestion::Unlabelled(goal, _) => {
                    for (name, count) in &labelled_by_split {
                        add(name, SizeSearch::Unlabelled(goal, *count));
                    }
                }
                PlanQuestion::Expected(n, _) => {
                    for (name, count) in &labelled_by_split {
                        add(name, SizeSearch::Nothing(n, *count));
                    }
                }
            }
        }
        let rows = executor.map(&searches, |(method, planner, split, search)| {
            let plan = search.plan(planner);
            let goal_met = search.goal().map(|goal| goal.is_met_by(&plan));
            let row = PlanRow { method: *method, split, plan, range: None, level: interval_options.level(), goal_met };
            resampled.complete(row, planner, *search, assurance)
        });
        Ok(Self { model, question, prevalence, design_effect, assurance, interval_options, planners, rows, omitted })
    }

    /// Returns a curve for each method: numbers of unlabelled scores, each with the number of
    /// labelled scores that the goal requires if these are divided between the classes in the best
    /// way. Returns `None` if a method cannot reach the goal.
    pub fn curves(&self, goal: Goal) -> Option<Vec<Vec<(f64, f64)>>> {
        let minima: Vec<f64> = min_unlabelled(goal, &self.planners).collect();
        let last = CURVE_SPAN * minima.iter().copied().fold(f64::INFINITY, f64::min);
        self.planners.iter().zip(minima).map(|((_, planner), min)| curve(planner, goal, min, last)).collect()
    }

    /// Returns the table of plans.
    pub fn table(&self) -> ResultTable<'_> {
        // The columns that a plan beyond reach leaves blank, and the action that does not suffice.
        let (unreachable, action): (&[_], _) = match self.question {
            PlanQuestion::Sizes(_) | PlanQuestion::Labelled(..) => (&["labelled", "positive"], "labelled"),
            PlanQuestion::Unlabelled(..) => (&["unlabelled"], "unlabelled"),
            PlanQuestion::Expected(..) => (&[], ""),
        };
        let met = if self.assurance.is_some() { "met with this assurance" } else { "met" };
        let mut table = ResultTable::new(&self.rows)
            .star_means(format!("the goal cannot be {met}, however many rows are {action}: this is the limit"));
        if self.rows.iter().all(|row| row.range.is_none()) {
            table = table.hidden("low");
        }
        if let Some(goal) = self.question.goal() {
            table = table.hidden(match goal.measure() {
                PrecisionMeasure::StandardError => "half_width",
                PrecisionMeasure::HalfWidth => "se",
            });
        }
        if self.planners.len() == 1 {
            table = table.hidden("method");
        }
        if matches!(self.question, PlanQuestion::Sizes(_)) {
            table = table.hidden("split");
        }
        unreachable.iter().fold(table, |table, name| table.blank_where_marked(name))
    }

    /// Returns the notes below the table: the goal, and what the columns and splits mean.
    pub fn notes(&self, interface: Interface) -> Vec<Note> {
        let prevalence = match self.prevalence {
            Some(alpha) => format!("at prevalence {alpha}"),
            None => spell("at the worst prevalence ({--prevalence} names one)", interface),
        };
        let mut notes = vec![match self.question.goal() {
            Some(goal) => {
                let name = match goal.measure() {
                    PrecisionMeasure::StandardError => "se",
                    PrecisionMeasure::HalfWidth => "half-width",
                };
                format!("goal: {name} at most {} {prevalence}", goal.at_most())
            }
            None => format!("to be expected {prevalence}"),
        }];
        let target = match self.interval_options.target() {
            Target::Sample => "",
            Target::Population => " for the population's prevalence",
        };
        if self.question.goal().is_none_or(|goal| goal.measure() == PrecisionMeasure::HalfWidth) {
            notes
                .push(format!("half-width: half of the {} % interval{target}", percent(self.interval_options.level())));
        }
        #[allow(clippy::float_cmp)] // the default
        if self.design_effect != 1.0 {
            notes.push(format!("design effect of the unlabelled scores: {}", self.design_effect));
        }
        if let Some(assurance) = self.assurance {
            notes.push(format!(
                "assurance: the number suffices with probability {assurance}, as far as chance in the pilot goes"
            ));
        }
        if self.rows.iter().any(|row| row.range.is_some()) {
            notes.push("range: 80 % of resamples of the pilot ask for a number in it".to_owned());
        }
        if !matches!(self.question, PlanQuestion::Sizes(_)) {
            notes.extend(self.splits().map(|(name, meaning)| format!("{name}: {meaning}")));
        }
        notes.into_iter().map(Note::new).collect()
    }

    /// Returns a warning for each class with too few scores in the pilot.
    pub fn small_pilot(&self) -> impl Iterator<Item = String> {
        let PerClass { positive, negative } = self.model.labelled_counts();
        [(positive, "positive"), (negative, "negative")].into_iter().filter(|(n, _)| *n < SMALL_PILOT).map(
            |(n, class)| {
                format!(
                    "the sizes are uncertain: the pilot has only {n} {class} scores; plan again when more are labelled"
                )
            },
        )
    }

    /// Returns the warnings about each method's plans.
    pub fn warnings(&self) -> impl Iterator<Item = (Method, Warning)> + '_ {
        let warnings = |(quantifier, planner): &(&'a Quantifier, Planner)| {
            let method = quantifier.method();
            let warnings = quantifier.warnings().iter().copied().chain(planner.warning());
            warnings.map(move |warning| (method, warning)).collect::<Vec<_>>()
        };
        self.planners.iter().flat_map(warnings)
    }

    /// Returns the names and meanings of the divisions between the classes that occur in the table.
    fn splits(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let meanings = [
            ("best", "choose the rows to label so that each class has this many"),
            ("as pilot", "label with the same share of positives as the pilot"),
            ("at random", "label rows drawn at random, with the share of positives of the unlabelled rows"),
        ];
        meanings.into_iter().filter(|(name, _)| self.rows.iter().any(|row| row.split == *name))
    }
}

/// Returns whether the labelled scores are in clusters or strata, which the library does not resample.
fn has_units(model: &Model) -> bool {
    model.labelled().clusters().or(model.labelled().strata()).is_some()
}

/// The planner of each method.
pub type Planners<'a> = Vec<(&'a Quantifier, Planner)>;

/// The prevalence and the design effect to plan for, and the options of the intervals.
type Conditions<'a> = (Option<f64>, f64, &'a IntervalOptions);

/// Returns a planner for each method that can be planned for, and the methods that cannot.
fn planners<'a>(
    model: &'a Model,
    (prevalence, design_effect, options): Conditions,
    planner: fn(&Quantifier, Option<f64>, &IntervalOptions) -> Result<Planner, Error>,
) -> Result<(Planners<'a>, Vec<OmittedPlan>), Error> {
    let (mut planners, mut omitted) = (Vec::new(), Vec::new());
    for quantifier in model.quantifiers() {
        match planner(quantifier, prevalence, options) {
            Ok(planner) => planners.push((quantifier, planner.with_design_effect(design_effect)?)),
            Err(error) if error.code() == "parameter-out-of-range" => return Err(error),
            Err(error) => omitted.push(OmittedPlan::Method(quantifier.method(), error)),
        }
    }
    Ok((planners, omitted))
}

/// The size that a plan searches for, with the goal and the given size.
#[derive(Clone, Copy)]
enum SizeSearch {
    /// The number of labelled scores, divided in this way, for a number of unlabelled ones.
    Labelled(Goal, Size, ClassSplit),
    /// The number of unlabelled scores for labelled ones.
    Unlabelled(Goal, LabelCount),
    /// Nothing, as both sizes are given.
    Nothing(Size, LabelCount),
}

impl SizeSearch {
    /// Returns the plan with the smallest size that meets the goal.
    fn plan(self, planner: &Planner) -> Plan {
        match self {
            Self::Labelled(goal, n, split) => planner.labelled(goal, n, split),
            Self::Unlabelled(goal, labelled) => planner.unlabelled(goal, labelled),
            Self::Nothing(n, labelled) => planner.plan(n, labelled),
        }
    }

    fn goal(self) -> Option<Goal> {
        match self {
            Self::Labelled(goal, ..) | Self::Unlabelled(goal, _) => Some(goal),
            Self::Nothing(..) => None,
        }
    }

    /// Returns the size that is searched for.
    fn size(self, plan: &Plan) -> Size {
        match self {
            Self::Labelled(..) => plan.labelled_in_all(),
            Self::Unlabelled(..) | Self::Nothing(..) => plan.unlabelled,
        }
    }

    /// Returns the plan with this size in place of the one that is searched for.
    fn with_size(self, planner: &Planner, size: Size) -> Plan {
        match (self, size) {
            (Self::Labelled(_, n, split), Size::Finite(total)) => {
                planner.plan(n, LabelCount::in_all(total, split).unwrap_or(LabelCount::UNLIMITED))
            }
            (Self::Labelled(_, n, _), Size::Unlimited) => planner.plan(n, LabelCount::UNLIMITED),
            (Self::Unlabelled(_, labelled) | Self::Nothing(_, labelled), size) => planner.plan(size, labelled),
        }
    }

    /// Divides labelled scores as a plan does, so that resamples need no search for the best split.
    fn split_as(self, plan: &Plan) -> Self {
        let split = match (plan.labelled.positive, plan.labelled.negative) {
            (Size::Finite(positive), Size::Finite(negative)) => {
                PositiveShare::new(positive as f64 / (positive + negative) as f64).ok()
            }
            _ => None,
        };
        match (self, split) {
            (Self::Labelled(goal, n, _), Some(share)) => Self::Labelled(goal, n, ClassSplit::Share(share)),
            _ => self,
        }
    }
}

/// Planners from resamples of the pilot, by method. They show how far the pilot's sampling error
/// moves a plan.
#[derive(Default)]
struct ResampledPlanners(Vec<HashMap<Method, Planner>>);

impl ResampledPlanners {
    /// Refits the model to resamples of its labelled scores.
    fn new(executor: &impl Executor, model: &Model, conditions: Conditions) -> Result<Self, Error> {
        let of_resample = |number| {
            let refitted = model.refit_to_resample(RESAMPLING_SEED, number).ok()?;
            let (planners, _) = planners(&refitted, conditions, Quantifier::rough_planner).ok()?;
            Some(planners.into_iter().map(|(quantifier, planner)| (quantifier.method(), planner)).collect())
        };
        let resampled = executor.map_range(RESAMPLES, of_resample)?;
        Ok(Self(resampled.into_iter().map(Option::unwrap_or_default).collect()))
    }

    /// Adds the range of sizes to a plan, and takes the size with the assurance, if it is wanted.
    ///
    /// The sizes of the resamples stand for the sizes that the pilot's population may need
    /// (percentiles of the bootstrap; Efron 1979). A resample that allows no plan needs an unlimited
    /// size.
    fn complete(&self, row: PlanRow, planner: &Planner, search: SizeSearch, assurance: Option<f64>) -> PlanRow {
        if self.0.is_empty() {
            return row;
        }
        let search = search.split_as(&row.plan);
        let size = |planners: &HashMap<Method, Planner>| match planners.get(&row.method) {
            Some(planner) => search.size(&search.plan(planner)),
            None => Size::Unlimited,
        };
        let mut sizes: Vec<Size> = self.0.iter().map(size).collect();
        sizes.sort_unstable();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an index
        let quantile = |share: f64| sizes[((share * sizes.len() as f64) as usize).min(sizes.len() - 1)];
        let range = Some((quantile(RANGE.0), quantile(RANGE.1)));
        let Some(assurance) = assurance else { return PlanRow { range, ..row } };
        let size = quantile(assurance);
        let plan = search.with_size(planner, size);
        PlanRow { plan, range, goal_met: Some(size != Size::Unlimited), ..row }
    }
}

/// Returns the divisions of labelled scores between the classes: the best one, that of the pilot,
/// and that of rows drawn at random.
fn splits(
    model: &Model,
    question: PlanQuestion,
    prevalence: Option<f64>,
) -> Result<Vec<(&'static str, ClassSplit)>, Error> {
    let measure = question.goal().map_or(PrecisionMeasure::StandardError, |goal| goal.measure());
    let PerClass { positive, negative } = model.labelled_counts();
    let pilot = PositiveShare::new(positive as f64 / (positive + negative) as f64)?;
    let mut splits = vec![("best", ClassSplit::Optimal(measure)), ("as pilot", ClassSplit::Share(pilot))];
    // With a prevalence of 0 or 1 there is only one class.
    if let Some(share) = prevalence.and_then(|alpha| PositiveShare::new(alpha).ok()) {
        splits.push(("at random", ClassSplit::Share(share)));
    }
    Ok(splits)
}

/// Returns the numbers of labelled scores of each class, for every division that is possible.
fn possible_labelled(
    counts: LabelledCounts,
    splits: &[(&'static str, ClassSplit)],
    omitted: &mut Vec<OmittedPlan>,
) -> Result<Vec<(&'static str, LabelCount)>, Error> {
    match counts {
        LabelledCounts::PerClass(positive, negative) => {
            Ok(vec![("given", LabelCount::each(PerClass { positive, negative })?)])
        }
        LabelledCounts::Total(total) => {
            let mut possible = Vec::new();
            for (name, split) in splits {
                match (LabelCount::in_all(total, *split), split) {
                    (Ok(labelled), _) => possible.push((*name, labelled)),
                    (Err(error), ClassSplit::Optimal(_)) => return Err(error),
                    // This division leaves too few scores of a class; another division may be
                    // possible.
                    (Err(error), ClassSplit::Share(_)) => omitted.push(OmittedPlan::Split(name, error)),
                }
            }
            Ok(possible)
        }
    }
}

/// Returns for each method the smallest number of unlabelled scores that reaches the goal with
/// unlimited labelled scores.
fn min_unlabelled<'a>(goal: Goal, planners: &'a [(&Quantifier, Planner)]) -> impl Iterator<Item = f64> + 'a {
    planners.iter().map(move |(_, planner)| match planner.unlabelled(goal, LabelCount::UNLIMITED).unlabelled {
        Size::Finite(n) => n as f64,
        Size::Unlimited => f64::INFINITY,
    })
}

/// Returns sizes that reach the goal: numbers of unlabelled scores, evenly spaced on a logarithmic
/// scale of their distance from the minimum, with the required numbers of labelled scores. The
/// curve ends at `last`, or farther if the method needs more. Returns `None` if the method cannot
/// reach the goal.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // numbers of scores
fn curve(planner: &Planner, goal: Goal, min: f64, last: f64) -> Option<Vec<(f64, f64)>> {
    let max_excess = (last / min - 1.0).max(1.0);
    let excess = |k: u32| CURVE_START * (max_excess / CURVE_START).powf(f64::from(k) / f64::from(CURVE_POINTS - 1));
    let size = |k: u32| Size::Finite((min * (1.0 + excess(k))).ceil() as u64);
    let plans = (0..CURVE_POINTS).map(|k| planner.labelled(goal, size(k), ClassSplit::Optimal(goal.measure())));
    let points = plans.filter_map(|plan| finite_sizes(&plan));
    min.is_finite().then(|| points.collect())
}

/// Returns the sizes of a plan if both are finite.
pub fn finite_sizes(plan: &Plan) -> Option<(f64, f64)> {
    match (plan.unlabelled, plan.labelled_in_all()) {
        (Size::Finite(n), Size::Finite(m)) => Some((n as f64, m as f64)),
        _ => None,
    }
}

/// Returns sizes among 1, 2, 5, 10, … that suffice for at least one method, followed by unlimited.
fn size_ladder(goal: Goal, planners: &[(&Quantifier, Planner)]) -> impl Iterator<Item = Size> + use<> {
    let from = LADDER_START * min_unlabelled(goal, planners).fold(f64::INFINITY, f64::min);
    let rungs = (0..17).flat_map(|decade| [1, 2, 5].map(|k| k * 10_u64.pow(decade)));
    rungs.skip_while(move |n| (*n as f64) < from).take(LADDER_ROWS).map(Size::Finite).chain([Size::Unlimited])
}
