//! Requests for plans of sample sizes.

use super::rules::{OptionRule, check, rule};
use super::{BOOTSTRAP, with_default_target};
use crate::AnalysisProblem;
use crate::executor::Executor;
use crate::options::IntervalArgs;
use crate::plan::{LabelledCounts, Pilot, PlanOptions, PlanQuestion, Plans};
use serde::Deserialize;
use truecount::counts::Rates;
use truecount::inference::IntervalKind;
use truecount::monitor::Bound;
use truecount::plan::{Goal, GroupDifference, PrecisionMeasure, Size};
use truecount::{Error, IntervalOptions};

/// The probability with which a difference is found, unless the request says another one.
const POWER: f64 = 0.8;

/// A request for a plan of sample sizes, with the labelled scores of a model as the pilot, or with published rates.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct PlanRequest {
    pub se: Option<f64>,
    pub half_width: Option<f64>,
    pub difference: Option<f64>,
    pub power: Option<f64>,
    pub separate_labels: bool,
    pub above: Option<f64>,
    pub below: Option<f64>,
    pub prevalence: Option<f64>,
    pub sensitivity: Option<String>,
    pub specificity: Option<String>,
    pub unlabelled: Option<u64>,
    pub labelled: Option<LabelledCounts>,
    pub assurance: Option<f64>,
    pub design_effect: Option<f64>,
    pub level: Option<f64>,
    pub target: String,
    pub interval: Option<String>,
}

const RULES: [OptionRule<PlanRequest>; 12] = [
    rule(
        |request| request.goals() > 1,
        "{--se}, {--half-width}, {--difference}, {--above} and {--below} are different goals",
        "leave out all but one of them",
    ),
    rule(
        |request| request.goals() == 0 && (request.unlabelled.is_none() || request.label_counts().is_none()),
        "there is no goal",
        "add {--se} or {--half-width}, or {--labelled} and {--unlabelled} to see what to expect of them",
    ),
    rule(
        |request| request.has_precision() && request.unlabelled.is_some() && request.label_counts().is_some(),
        "with both {--labelled} (or published rates) and {--unlabelled} there is nothing to plan",
        "leave out one of them, or leave out {--se} and {--half-width} to see what to expect",
    ),
    rule(
        |request| request.assurance.is_some() && !request.has_precision() && !request.plans_groups(),
        "{--assurance} needs a goal",
        "add {--se} or {--half-width}, and leave out {--labelled} or {--unlabelled}",
    ),
    rule(
        |request| request.interval.as_deref() == Some(BOOTSTRAP),
        "a plan has no bootstrap",
        "leave out {--interval=bootstrap}",
    ),
    rule(
        |request| (request.power.is_some() || request.separate_labels) && request.difference.is_none(),
        "{--power} and {--separate-labels} have an effect with {--difference} only",
        "add {--difference}, or leave them out",
    ),
    rule(
        |request| request.bound().is_some() && (request.prevalence.is_none() || request.unlabelled.is_none()),
        "an alarm needs a prevalence and the number of rows in a period",
        "add {--prevalence}, the share that is to be found, and {--unlabelled}",
    ),
    rule(
        |request| {
            let PlanRequest { above, below, prevalence, .. } = request;
            let is_within = |limit: &Option<f64>, sign: f64| {
                limit.zip(*prevalence).is_some_and(|(limit, prevalence)| sign * (prevalence - limit) <= 0.0)
            };
            is_within(above, 1.0) || is_within(below, -1.0)
        },
        "{--prevalence} is within the limit, so that no alarm is to be raised",
        "give the share that the alarm is to find, beyond the limit",
    ),
    rule(
        |request| request.power.is_some() && request.unlabelled.is_some(),
        "{--power} cannot be used with {--unlabelled}, for which the power is computed",
        "leave out one of them",
    ),
    rule(
        |request| request.bound().is_some() && request.labelled.is_some(),
        "{--labelled} cannot be used with {--above} and {--below}, as the labels are those of the pilot",
        "leave out {--labelled}",
    ),
    rule(
        |request| request.sensitivity.is_some() != request.specificity.is_some(),
        "{--sensitivity} and {--specificity} need each other",
        "add the other one, or plan from labelled scores",
    ),
    rule(
        |request| {
            let PlanRequest { labelled, assurance, .. } = request;
            request.has_rates() && (labelled.is_some() || assurance.is_some() || request.bound().is_some())
        },
        "{--labelled}, {--assurance}, {--above} and {--below} need labelled scores as the pilot",
        "leave them out; rates as fractions, such as 90/100, have the sampling error of their numbers",
    ),
];

const CLASS_RULES: [OptionRule<PlanRequest>; 3] = [
    rule(
        |request| request.interval.as_deref().is_some_and(|interval| interval != IntervalKind::Wilson.to_string()),
        "{--interval} is wilson for several classes",
        "leave it out",
    ),
    rule(
        |request| request.assurance.is_some() || request.difference.is_some() || request.bound().is_some(),
        "{--assurance}, {--difference}, {--above} and {--below} cannot be used with several classes",
        "leave them out, or plan for one class, with all others as negatives",
    ),
    rule(
        |request| request.prevalence.is_some() || matches!(request.labelled, Some(LabelledCounts::PerClass(..))),
        "{--prevalence} and two numbers in {--labelled} cannot be used with several classes",
        "leave them out, or give one number: the classes have the shares of the labelled rows",
    ),
];

impl PlanRequest {
    /// Returns the number of goals.
    fn goals(&self) -> usize {
        let Self { se, half_width, difference, above, below, .. } = self;
        [se, half_width, difference, above, below].into_iter().flatten().count()
    }

    fn has_precision(&self) -> bool {
        self.se.is_some() || self.half_width.is_some()
    }

    /// Returns whether the sizes of two groups are planned.
    fn plans_groups(&self) -> bool {
        self.difference.is_some() && self.unlabelled.is_none()
    }

    fn has_rates(&self) -> bool {
        self.sensitivity.is_some()
    }

    /// Returns the numbers of labelled scores. If they are not given, a difference and published rates have
    /// those of the pilot.
    fn label_counts(&self) -> Option<LabelledCounts> {
        self.labelled.or((self.difference.is_some() || self.has_rates()).then_some(LabelledCounts::Pilot))
    }

    /// Returns the bound of an alarm.
    fn bound(&self) -> Option<Bound> {
        self.above.map(Bound::Above).or(self.below.map(Bound::Below))
    }

    /// Returns the level, target and kind of the intervals.
    ///
    /// # Errors
    /// Returns an error if the level is not in (0, 1), and for an unknown name.
    pub fn interval_options(&self) -> Result<IntervalOptions, Error> {
        let Self { level, target, interval, .. } = self.clone();
        let (target, default) = (with_default_target(target, self.has_rates()), IntervalArgs::default());
        let (level, interval) = (level.unwrap_or(default.level), interval.unwrap_or(default.interval));
        IntervalArgs { level, target, interval, ..default }.parse()
    }

    /// Returns the question and its conditions; called before rows are read.
    ///
    /// # Errors
    /// Returns an error if options exclude each other, and for a goal that is out of range.
    pub fn options(&self) -> Result<PlanOptions, Error> {
        check(&RULES, self)?;
        let &Self { prevalence, assurance, .. } = self;
        let design_effect = self.design_effect.unwrap_or(1.0);
        let interval_options = self.interval_options()?;
        let power = self.power.unwrap_or(POWER);
        let difference = self.difference.map(|size| GroupDifference::new(size, self.separate_labels)).transpose()?;
        let goal_of = |measure, at_most: Option<f64>| at_most.map(|at_most| Goal::new(measure, at_most)).transpose();
        let goal = match difference.filter(|_| self.plans_groups()) {
            Some(difference) => Some(difference.goal(power, &interval_options)?),
            None => goal_of(PrecisionMeasure::StandardError, self.se)?
                .or(goal_of(PrecisionMeasure::HalfWidth, self.half_width)?),
        };
        let question = match (goal, self.unlabelled, self.label_counts(), self.bound()) {
            (Some(goal), Some(unlabelled), ..) => PlanQuestion::Labelled(goal, Size::Finite(unlabelled)),
            (Some(goal), None, Some(labelled), _) => PlanQuestion::Unlabelled(goal, labelled),
            (Some(goal), None, None, _) => PlanQuestion::Sizes(goal),
            (None, Some(unlabelled), _, Some(bound)) => PlanQuestion::Alarm(bound, unlabelled),
            (None, Some(unlabelled), Some(labelled), None) => {
                PlanQuestion::Expected(Size::Finite(unlabelled), labelled)
            }
            (None, ..) => unreachable!("the rules want a goal or both sizes"),
        };
        let difference = difference.map(|difference| (difference, power));
        Ok(PlanOptions { question, prevalence, difference, design_effect, assurance, interval_options })
    }

    /// Returns the question about several classes and its conditions; called before rows are read.
    ///
    /// # Errors
    /// Returns the errors of [`options`](Self::options), and an error for options that several classes do not support.
    pub fn class_options(&self) -> Result<PlanOptions, Error> {
        check(&CLASS_RULES, self)?;
        self.options()
    }

    /// Plans for published rates, for several classes, or for all methods of a model that can be planned for.
    ///
    /// # Errors
    /// Returns the errors of [`options`](Self::options) or [`class_options`](Self::class_options); an error for rates
    /// that are impossible, and for an assurance, a prevalence, a design effect or a number of scores that is out of
    /// range; the errors of [`planners`](truecount::multiclass::MulticlassModel::planners) of several classes; and
    /// [`AnalysisProblem::OptionConflict`] unless there are either labelled rows or rates.
    pub fn run<'a>(&self, executor: &impl Executor, pilot: Pilot<'a>) -> Result<Plans<'a>, Error> {
        let options = if let Pilot::Classes(_) = pilot { self.class_options()? } else { self.options()? };
        match (self.sensitivity.as_ref().zip(self.specificity.as_ref()), pilot) {
            (None, Pilot::Scores(model)) => Plans::new(executor, model, options),
            (None, Pilot::Classes(model)) => Plans::for_classes(model, options),
            (Some((sensitivity, specificity)), Pilot::Rates) => {
                Plans::for_rates(&Rates::new(sensitivity.parse()?, specificity.parse()?)?, options)
            }
            (Some(_), _) => Err(AnalysisProblem::option_conflict(
                "{--sensitivity} and {--specificity} take the place of labelled scores",
                "leave out the labelled scores or the rates",
            )),
            (None, Pilot::Rates) => Err(AnalysisProblem::option_conflict(
                "a plan needs labelled scores, or {--sensitivity} and {--specificity}",
                "add one of them",
            )),
        }
    }
}
