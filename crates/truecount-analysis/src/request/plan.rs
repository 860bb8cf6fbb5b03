//! Requests for plans of sample sizes.

use super::BOOTSTRAP;
use super::rules::{OptionRule, check, rule};
use crate::executor::Executor;
use crate::options::IntervalArgs;
use crate::plan::{LabelledCounts, PlanOptions, PlanQuestion, Plans};
use serde::Deserialize;
use truecount::plan::{Goal, PrecisionMeasure, Size};
use truecount::{Error, IntervalOptions, Model};

/// A request for a plan of sample sizes, with the labelled scores of a model as the pilot.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct PlanRequest {
    pub se: Option<f64>,
    pub half_width: Option<f64>,
    pub prevalence: Option<f64>,
    pub unlabelled: Option<u64>,
    pub labelled: Option<LabelledCounts>,
    pub assurance: Option<f64>,
    pub design_effect: f64,
    pub level: f64,
    pub target: String,
    pub interval: String,
}

impl Default for PlanRequest {
    fn default() -> Self {
        Self::new(&IntervalOptions::default())
    }
}

impl PlanRequest {
    /// Creates a request without a goal or sizes, for these intervals.
    pub fn new(options: &IntervalOptions) -> Self {
        Self {
            se: None,
            half_width: None,
            prevalence: None,
            unlabelled: None,
            labelled: None,
            assurance: None,
            design_effect: 1.0,
            level: options.level(),
            target: options.target().to_string(),
            interval: options.interval().to_string(),
        }
    }
}

const RULES: [OptionRule<PlanRequest>; 5] = [
    rule(
        |request| request.se.is_some() && request.half_width.is_some(),
        "{--se} and {--half-width} are two goals",
        "leave out one of them",
    ),
    rule(
        |request| !request.has_goal() && (request.unlabelled.is_none() || request.labelled.is_none()),
        "there is no goal",
        "add {--se} or {--half-width}, or {--labelled} and {--unlabelled} to see what to expect of them",
    ),
    rule(
        |request| request.has_goal() && request.unlabelled.is_some() && request.labelled.is_some(),
        "with both {--labelled} and {--unlabelled} there is nothing to plan",
        "leave out one of them, or leave out {--se} and {--half-width} to see what to expect",
    ),
    rule(
        |request| !request.has_goal() && request.assurance.is_some(),
        "{--assurance} needs a goal",
        "add {--se} or {--half-width}, and leave out {--labelled} or {--unlabelled}",
    ),
    rule(|request| request.interval == BOOTSTRAP, "a plan has no bootstrap", "leave out {--interval=bootstrap}"),
];

impl PlanRequest {
    fn has_goal(&self) -> bool {
        self.se.is_some() || self.half_width.is_some()
    }

    /// Returns the level, target and kind of the intervals.
    ///
    /// # Errors
    /// Returns an error if the level is not in (0, 1), and for an unknown name.
    pub fn interval_options(&self) -> Result<IntervalOptions, Error> {
        let Self { level, target, interval, .. } = self;
        let misfit = IntervalOptions::default().misfit().to_string();
        IntervalArgs { level: *level, target, interval, misfit: &misfit, population: None }.parse()
    }

    /// Returns the question that the request asks; called before rows are read.
    ///
    /// # Errors
    /// Returns an error if options exclude each other, and for a goal that is out of range.
    pub fn question(&self) -> Result<PlanQuestion, Error> {
        check(&RULES, self)?;
        let goal = |measure, value: Option<f64>| value.map(|value| Goal::new(measure, value)).transpose();
        let goal = match goal(PrecisionMeasure::StandardError, self.se)? {
            Some(goal) => Some(goal),
            None => goal(PrecisionMeasure::HalfWidth, self.half_width)?,
        };
        Ok(match (goal, self.unlabelled.map(Size::Finite), self.labelled) {
            (Some(goal), Some(unlabelled), _) => PlanQuestion::Labelled(goal, unlabelled),
            (Some(goal), None, Some(labelled)) => PlanQuestion::Unlabelled(goal, labelled),
            (Some(goal), None, None) => PlanQuestion::Sizes(goal),
            (None, Some(unlabelled), Some(labelled)) => PlanQuestion::Expected(unlabelled, labelled),
            (None, ..) => unreachable!("the rules want a goal or both sizes"),
        })
    }

    /// Plans for all methods of a model that can be planned for.
    ///
    /// # Errors
    /// Returns the errors of [`question`](Self::question), and an error for an assurance, a
    /// prevalence, a design effect or a number of scores that is out of range.
    pub fn run<'a>(&self, executor: &impl Executor, model: &'a Model) -> Result<Plans<'a>, Error> {
        let &Self { prevalence, design_effect, assurance, .. } = self;
        let (question, interval_options) = (self.question()?, self.interval_options()?);
        let options = PlanOptions { question, prevalence, design_effect, assurance, interval_options };
        Plans::new(executor, model, &options)
    }
}
