//! Plans: the sizes that a precision or a power needs, or the precision and power that sizes give.

use crate::AnalysisProblem;
use crate::advice::describe_warning;
use crate::counts::COUNT_METHOD;
use crate::executor::Executor;
use crate::results::{AlarmForecast, CLASS, Note, PlanRow, ResultTable, describe_bound, percent};
use crate::spelling::{Interface, spell};
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use truecount::counts::Rates;
use truecount::error::{Condition, Problem, Severity};
use truecount::monitor::{AlarmSimulation, Bound};
use truecount::multiclass::{ClassWarning, MulticlassMethod, MulticlassModel};
use truecount::plan::{ClassSplit, Goal, GroupDifference, LabelCount, Plan, Planner};
use truecount::plan::{PositiveShare, PrecisionMeasure, Size};
use truecount::quantifier::Quantifier;
use truecount::scores::PerClass;
use truecount::{Error, IntervalOptions, Model, Target};

/// The number of points of a curve.
const CURVE_POINTS: u32 = 24;

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

/// The number of planned labelled rows of a class below which `ml` needs more than its plan says.
const FEW_PLANNED: u64 = 75;

/// The number of resamples of the pilot, whose quantiles say how sure a size is.
const RESAMPLES: u64 = 200;

/// The seed of the resamples, so that the same pilot gives the same plan.
const RESAMPLING_SEED: u64 = 1;

/// The number of simulated series with the labels of each resample, and the numbers of periods within which
/// the probability of an alarm is reported.
const SERIES: usize = 5;
const PERIODS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

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
    /// How soon is an alarm at this bound raised, with this number of unlabelled scores in each period?
    Alarm(Bound, u64),
}

/// Numbers of labelled scores.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum LabelledCounts {
    /// The number in both classes together.
    Total(u64),
    /// The numbers of positives and of negatives.
    PerClass(u64, u64),
    /// The numbers of the pilot, or those behind published rates.
    #[serde(skip)]
    Pilot,
}

impl PlanQuestion {
    /// Returns the goal; `None` if the question is about the precision.
    pub fn goal(&self) -> Option<Goal> {
        match self {
            Self::Sizes(goal) | Self::Labelled(goal, _) | Self::Unlabelled(goal, _) => Some(*goal),
            Self::Expected(..) | Self::Alarm(..) => None,
        }
    }
}

/// The name of a method, and numbers of unlabelled and labelled scores.
pub type PlanCurve = (&'static str, (Vec<f64>, Vec<f64>));

/// The method, class or division of the labelled scores whose plan is left out, and the reason.
pub type OmittedPlan = (String, Error);

/// The name of a method or class with its warning: the severity, the message and the fields.
pub type PlanWarning<'a> = (&'a str, Severity, String, Box<dyn Condition>);

/// The question of a plan, and the conditions that it is asked under.
#[derive(Clone, Copy, Debug)]
pub struct PlanOptions {
    /// The question.
    pub question: PlanQuestion,
    /// The prevalence that is planned for; `None` plans for the least favourable prevalence.
    pub prevalence: Option<f64>,
    /// The difference between two groups that is planned for, if there is one, and the power.
    pub difference: Option<(GroupDifference, f64)>,
    /// The design effect of the unlabelled scores.
    pub design_effect: f64,
    /// The probability with which the pilot's sampling error leaves the sizes sufficient; `None` for
    /// the sizes that suffice if the pilot has no error.
    pub assurance: Option<f64>,
    /// The options of the intervals.
    pub interval_options: IntervalOptions,
}

impl PlanOptions {
    /// Returns the planner with the design effect and the difference.
    fn complete(&self, planner: Planner) -> Result<Planner, Error> {
        let planner = planner.with_design_effect(self.design_effect)?;
        match self.difference {
            Some((difference, _)) => planner.with_difference(difference),
            None => Ok(planner),
        }
    }

    /// Returns the row of a plan.
    fn row(&self, method: &'static str, split: &'static str, plan: Plan, goal: Option<Goal>) -> PlanRow {
        let power =
            self.difference.map(|(difference, _)| difference.power(plan.std_error.value, &self.interval_options));
        let (level, goal_met) = (self.interval_options.level(), goal.map(|goal| goal.is_met_by(&plan)));
        PlanRow { method, class: None, split, plan, range: None, power, alarm: None, level, goal_met }
    }
}

/// The labelled rows that plans are based on.
#[derive(Clone, Copy)]
pub enum Pilot<'a> {
    /// The labelled scores of a model.
    Scores(&'a Model),
    /// The labelled rows of several classes.
    Classes(&'a MulticlassModel),
    /// No labelled rows: published rates take their place.
    Rates,
}

/// The plans for all methods of a model, for several classes, or for published rates.
pub struct Plans<'a> {
    /// The pilot.
    pub pilot: Pilot<'a>,
    /// The question and its conditions.
    pub options: PlanOptions,
    /// The planner of each method; empty if no method can be planned for.
    pub planners: Planners<'a>,
    /// The plans.
    pub rows: Vec<PlanRow>,
    /// The plans that are left out.
    pub omitted: Vec<OmittedPlan>,
}

impl<'a> Plans<'a> {
    /// Plans for all methods of a model that can be planned for.
    pub(crate) fn new(executor: &impl Executor, model: &'a Model, options: PlanOptions) -> Result<Self, Error> {
        let PlanOptions { question, prevalence, assurance, .. } = options;
        if let Some(value) = assurance.filter(|value| !(0.5..1.0).contains(value)) {
            let (name, domain) = ("the assurance", "at least 0.5 and below 1");
            return Err(Problem::ParameterOutOfRange { name, value, domain }.into());
        }
        let (planners, mut omitted) = planners(model, &options, Quantifier::planner)?;
        let splits = splits(model, question, prevalence)?;
        if let PlanQuestion::Alarm(bound, n) = question {
            let rows = alarm_rows(executor, (model, &planners), &options, (bound, n), &mut omitted)?;
            return Ok(Self { pilot: Pilot::Scores(model), options, planners, rows, omitted });
        }
        let searches = searches(question, &planners, (&splits, model.labelled_counts()), &mut omitted)?;
        // The library does not resample clusters and strata.
        let has_units = model.labelled().clusters().or(model.labelled().strata()).is_some();
        let resampled = match (question.goal(), has_units, assurance) {
            (Some(_), false, _) => ResampledPlanners::new(executor, model, &options)?,
            (Some(_), true, Some(_)) => return Err(Problem::BootstrapOfClusters.into()),
            _ => ResampledPlanners::default(),
        };
        let searches: Vec<_> =
            planners.iter().flat_map(|method| searches.iter().map(move |search| (method, search))).collect();
        let rows = executor.map(&searches, |(MethodPlanner { method, planner, .. }, (split, search))| {
            let row = options.row(method, split, search.plan(planner), search.goal());
            resampled.complete(row, planner, *search, &options)
        });
        Ok(Self { pilot: Pilot::Scores(model), options, planners, rows, omitted })
    }

    /// Plans for the shares of several classes, with the mix of the labelled rows.
    ///
    /// # Errors
    /// Returns the errors of [`MulticlassModel::planners`], and an error for a design effect or a number of labelled
    /// rows that is out of range.
    pub(crate) fn for_classes(model: &'a MulticlassModel, options: PlanOptions) -> Result<Self, Error> {
        if model.has_label_design() {
            return Err(AnalysisProblem::option_conflict(
                "a pilot of several classes cannot have weights, clusters or strata",
                "leave them out, and multiply the planned labelled rows by their design effect",
            ));
        }
        let (method, mut omitted, mut rows) = (model.method().describe().0, Vec::new(), Vec::new());
        let planner = |planner| Ok(MethodPlanner { method, quantifier: None, planner: options.complete(planner)? });
        let planners = model.planners(&options.interval_options)?.into_iter().map(planner);
        let planners = planners.collect::<Result<Planners, Error>>()?;
        let counts = model.labelled_counts();
        let all: u64 = counts.iter().sum();
        let questions = match options.question {
            PlanQuestion::Sizes(goal) => {
                size_ladder(goal, &planners, f64::max).map(|n| PlanQuestion::Labelled(goal, n)).collect()
            }
            question => vec![question],
        };
        for question in questions {
            let mut classes = Vec::new();
            for ((MethodPlanner { planner, .. }, positive), name) in planners.iter().zip(&counts).zip(model.names()) {
                let split = ClassSplit::Share(PositiveShare::new(*positive as f64 / all as f64)?);
                let pilot = (&[(name.as_str(), split)][..], PerClass { positive: *positive, negative: all - positive });
                for (_, search) in searches(question, &planners, pilot, &mut omitted)? {
                    let row = options.row(method, "as pilot", search.plan(planner), search.goal());
                    classes.push(PlanRow { class: Some(name.clone()), ..row });
                }
            }
            // Sizes that suffice for this class suffice for all.
            if let PlanQuestion::Sizes(_) = options.question {
                rows.extend(classes.into_iter().max_by_key(|row| row.plan.labelled_in_all()));
            } else {
                rows.extend(classes);
            }
        }
        Ok(Self { pilot: Pilot::Classes(model), options, planners, rows, omitted })
    }

    /// Plans the number of tests with published rates.
    pub(crate) fn for_rates(rates: &Rates, options: PlanOptions) -> Result<Self, Error> {
        let planner = options.complete(rates.planner(options.prevalence, &options.interval_options)?)?;
        let goal = options.question.goal();
        let plan = match (goal, options.question) {
            (_, PlanQuestion::Expected(n, _)) => planner.plan(n, rates.label_count()),
            (Some(goal), _) => planner.unlabelled(goal, rates.label_count()),
            (None, _) => unreachable!("the rules want a goal or the number of tests"),
        };
        let rows = vec![options.row(COUNT_METHOD, "pilot", plan, goal)];
        let planners = vec![MethodPlanner { method: COUNT_METHOD, quantifier: None, planner }];
        Ok(Self { pilot: Pilot::Rates, options, planners, rows, omitted: Vec::new() })
    }

    /// Returns the curve of each method: sample sizes (unlabelled, labelled) that reach the goal, with the labels
    /// divided between the classes in the best way. Returns `None` without a goal, or if any method cannot reach it.
    pub fn curves(&self) -> Option<Vec<PlanCurve>> {
        let goal = self.options.question.goal()?;
        let minima: Vec<f64> = min_unlabelled(goal, &self.planners).collect();
        let last = CURVE_SPAN * minima.iter().copied().fold(f64::INFINITY, f64::min);
        let curve =
            |(method, min): (&MethodPlanner, f64)| Some((method.method, curve(&method.planner, goal, min, last)?));
        self.planners.iter().zip(minima).map(curve).collect()
    }

    /// Returns the table of plans.
    pub fn table(&self) -> ResultTable<'_> {
        let PlanOptions { question, difference, assurance, .. } = self.options;
        let (is_of_rates, is_of_classes) =
            (matches!(self.pilot, Pilot::Rates), matches!(self.pilot, Pilot::Classes(_)));
        // The columns that a plan beyond reach leaves blank, and the action that does not suffice.
        let (unreachable, action): (&[_], _) = match question {
            PlanQuestion::Sizes(_) | PlanQuestion::Labelled(..) => (&["labelled", "positive"], "labelled"),
            PlanQuestion::Unlabelled(..) if is_of_rates => (&["unlabelled"], "tested"),
            PlanQuestion::Unlabelled(..) => (&["unlabelled"], "unlabelled"),
            PlanQuestion::Expected(..) | PlanQuestion::Alarm(..) => (&[], ""),
        };
        let met = if assurance.is_some() { "met with this assurance" } else { "met" };
        let (is_alarm, is_difference) = (matches!(question, PlanQuestion::Alarm(..)), difference.is_some());
        let measure = question.goal().filter(|_| !is_difference).map(|goal| goal.measure());
        let is_of_pilot = self.rows.iter().all(|row| row.split == "pilot");
        let is_exact = self.rows.iter().all(|row| row.plan.labelled_in_all() == Size::Unlimited);
        let hidden: [(bool, &[_]); 10] = [
            (self.rows.iter().all(|row| row.range.is_none()), &["low"]),
            (is_alarm, &["split", "unlabelled", "labelled", "positive", "se", "half_width"]),
            (!is_alarm, &["periods", "false_alarm"]),
            (is_difference || measure == Some(PrecisionMeasure::StandardError), &["half_width"]),
            (measure == Some(PrecisionMeasure::HalfWidth), &["se"]),
            (!is_alarm && !is_difference, &["power"]),
            (self.planners.len() == 1, &["method"]),
            (is_of_classes, &["method", "split", "positive"]),
            (matches!(question, PlanQuestion::Sizes(_)) || is_of_pilot, &["split"]),
            (is_exact && is_of_rates, &["labelled", "positive"]),
        ];
        let hidden = hidden.iter().filter(|(is_hidden, _)| *is_hidden).flat_map(|(_, columns)| *columns);
        let table = ResultTable::new(&self.rows)
            .star_means(format!("the goal cannot be {met}, however many rows are {action}: this is the limit"));
        let table = hidden.fold(table, |table, column| table.hidden(column));
        let table = if is_of_classes { table } else { table.without(CLASS) };
        let table = if is_of_rates { table.headed("unlabelled", "tested".to_owned()) } else { table };
        unreachable.iter().fold(table, |table, name| table.blank_where_marked(name))
    }

    /// Returns the first note below the table: the goal, or what the table says.
    fn question_note(&self, interface: Interface, in_percent: bool) -> String {
        let PlanOptions { question, prevalence, difference, .. } = self.options;
        let place = match (prevalence, self.pilot) {
            (_, Pilot::Classes(_)) => "if new rows have the shares of the pilot".to_owned(),
            (Some(alpha), _) => format!("at prevalence {alpha}"),
            (None, _) => spell("at the worst prevalence ({--prevalence} names one)", interface),
        };
        match (question, difference) {
            (PlanQuestion::Alarm(bound, n), _) => format!(
                "power: probability of an alarm that the share is {}, within these periods of {n} rows {place}",
                describe_bound(bound)
            ),
            (_, Some((difference, power))) => {
                let groups = format!("a difference of {} between two groups, the lower {place}", difference.size());
                match question.goal() {
                    Some(_) => format!("goal: with probability {power}, find {groups}"),
                    None => format!("power: probability of finding {groups}"),
                }
            }
            _ => match question.goal() {
                Some(goal) => {
                    let name = match goal.measure() {
                        PrecisionMeasure::StandardError => "se",
                        PrecisionMeasure::HalfWidth => "half-width",
                    };
                    let limit = goal.at_most();
                    let limit = if in_percent { format!("{} %", percent(limit)) } else { limit.to_string() };
                    format!("goal: {name} at most {limit} {place}")
                }
                None => format!("to be expected {place}"),
            },
        }
    }

    /// Returns the notes below the table, with the goal in percent or as a share: the goal, and what the columns and
    /// splits mean.
    pub fn notes(&self, interface: Interface, in_percent: bool) -> Vec<Note> {
        let PlanOptions { question, difference, design_effect, assurance, ref interval_options, .. } = self.options;
        let level = percent(interval_options.level());
        let mut notes = vec![self.question_note(interface, in_percent)];
        if let PlanQuestion::Alarm(bound, _) = question {
            let bound = percent(bound.share());
            notes.push(format!("false alarm: the same while the share stays at {bound} %"));
            notes.push(format!(
                "simulated: {SERIES} series with the labels of each of {RESAMPLES} resamples of the pilot"
            ));
        }
        if let Some((difference, _)) = difference {
            let sizes = if difference.has_separate_labels() { "all numbers are" } else { "unlabelled:" };
            notes.push(format!("{sizes} of each group; found: the {level} % interval of the difference excludes 0"));
        }
        let target = match interval_options.target() {
            Target::Sample => "",
            Target::Population => " for the population's prevalence",
        };
        let has_half_width = difference.is_none() && !matches!(question, PlanQuestion::Alarm(..));
        if has_half_width && question.goal().is_none_or(|goal| goal.measure() == PrecisionMeasure::HalfWidth) {
            notes.push(match self.pilot {
                Pilot::Rates => format!("half-width: {:.2} standard errors{target}", interval_options.quantile()),
                _ => format!("half-width: half of the {level} % interval{target}"),
            });
        }
        #[allow(clippy::float_cmp)] // the default
        if design_effect != 1.0 {
            notes.push(format!("design effect of the unlabelled scores: {design_effect}"));
        }
        if let Some(assurance) = assurance {
            notes.push(format!(
                "assurance: the number suffices with probability {assurance}, as far as chance in the pilot goes"
            ));
        }
        if self.rows.iter().any(|row| row.range.is_some()) {
            notes.push("range: 80 % of resamples of the pilot ask for a number in it".to_owned());
        }
        if let Pilot::Classes(model) = self.pilot {
            let (method, summary) = model.method().describe();
            if let PlanQuestion::Sizes(_) = question {
                let all = "class: the one that needs the most labelled rows, for the goal or for ten of its own; \
                           {--unlabelled} N lists all";
                notes.push(spell(all, interface));
            } else if self.rows.iter().all(|row| row.goal_met == Some(true)) {
                let given = if let PlanQuestion::Unlabelled(..) = question { "labelled" } else { "unlabelled" };
                let classes = if self.omitted.is_empty() { "all classes" } else { "the classes shown" };
                notes.push(format!("for the same {given} number, the largest suffices for {classes}"));
            }
            notes.push("labelled: drawn at random, with ten rows of each class or more".to_owned());
            let few = Size::Finite(FEW_PLANNED);
            if model.method() == MulticlassMethod::Ml && self.rows.iter().any(|row| row.plan.labelled.positive < few) {
                notes.push(format!(
                    "below {FEW_PLANNED} labelled rows of a class, errors are often larger than planned"
                ));
            }
            notes.push(format!("{method}: {summary}"));
        } else if !matches!(question, PlanQuestion::Sizes(_)) {
            notes.extend(self.splits().map(|(name, meaning)| format!("{name}: {meaning}")));
        }
        notes.into_iter().map(Note::new).collect()
    }

    /// Returns a warning for each class with too few scores in the pilot.
    pub fn small_pilot(&self) -> impl Iterator<Item = String> {
        self.labelled_counts().into_iter().filter(|(n, _)| *n < SMALL_PILOT).map(|(n, class)| {
            format!("the sizes are uncertain: the pilot has only {n} {class} scores; plan again when more are labelled")
        })
    }

    /// Returns the number of labelled scores of each class, with its name.
    pub fn labelled_counts(&self) -> Vec<(u64, &'a str)> {
        match self.pilot {
            Pilot::Scores(model) => {
                let PerClass { positive, negative } = model.labelled_counts();
                vec![(positive, "positive"), (negative, "negative")]
            }
            Pilot::Classes(model) => {
                model.labelled_counts().into_iter().zip(model.names().iter().map(String::as_str)).collect()
            }
            Pilot::Rates => Vec::new(),
        }
    }

    /// Returns the warnings about the plans of each method or class, and about several classes together. About
    /// classes with few rows, [`small_pilot`](Self::small_pilot) warns.
    pub fn warnings(&self, interface: Interface) -> Vec<PlanWarning<'a>> {
        let mut warnings: Vec<PlanWarning> = Vec::new();
        for (index, MethodPlanner { method, quantifier, planner }) in self.planners.iter().enumerate() {
            let name = if let Pilot::Classes(model) = self.pilot { model.names()[index].as_str() } else { *method };
            let own = quantifier.map(Quantifier::warnings).unwrap_or_default().iter().copied();
            warnings.extend(own.chain(planner.warning()).map(|warning| {
                (name, warning.severity(), describe_warning(&warning, interface), Box::new(warning) as Box<_>)
            }));
        }
        if let Pilot::Classes(model) = self.pilot {
            let method = model.method().describe().0;
            for warning in model.pilot_warnings(&self.options.interval_options) {
                if !matches!(warning, ClassWarning::ClassFewLabelled { .. }) {
                    warnings.push((method, warning.severity(), warning.to_string(), Box::new(warning)));
                }
            }
        }
        warnings
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

/// The planner of each method, or of each of several classes.
pub type Planners<'a> = Vec<MethodPlanner<'a>>;

/// The planner of a method.
pub struct MethodPlanner<'a> {
    /// The name of the method.
    pub method: &'static str,
    /// The method fitted to the pilot; `None` for several classes and published rates.
    pub quantifier: Option<&'a Quantifier>,
    /// The planner.
    pub planner: Planner,
}

/// Returns a planner for each method that can be planned for, and the methods that cannot.
fn planners<'a>(
    model: &'a Model,
    options: &PlanOptions,
    planner: fn(&Quantifier, Option<f64>, &IntervalOptions) -> Result<Planner, Error>,
) -> Result<(Planners<'a>, Vec<OmittedPlan>), Error> {
    let (mut planners, mut omitted) = (Vec::new(), Vec::new());
    for quantifier in model.quantifiers() {
        let method = quantifier.method();
        let planner = planner(quantifier, options.prevalence, &options.interval_options);
        match planner.and_then(|planner| options.complete(planner)) {
            Ok(planner) => {
                planners.push(MethodPlanner { method: method.name(), quantifier: Some(quantifier), planner });
            }
            Err(error) if error.code() == "parameter-out-of-range" => return Err(error),
            Err(error) => omitted.push((method.to_string(), error)),
        }
    }
    Ok((planners, omitted))
}

/// Simulates series, and returns for each method a row for each number of periods.
fn alarm_rows(
    executor: &impl Executor,
    (model, planners): (&Model, &[MethodPlanner]),
    options: &PlanOptions,
    (bound, n): (Bound, u64),
    omitted: &mut Vec<OmittedPlan>,
) -> Result<Vec<PlanRow>, Error> {
    let PlanOptions { prevalence, design_effect, interval_options, .. } = options;
    let labelled = model.labelled_counts();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a number of scores
    let scores = (n as f64 / design_effect).round().max(1.0) as u64;
    let mut rows = Vec::new();
    for MethodPlanner { method, quantifier, planner } in planners {
        let fitted = quantifier.expect("the method of a model").method();
        let simulation = match AlarmSimulation::new(model, fitted, bound, scores, interval_options, RESAMPLING_SEED) {
            Ok(simulation) => simulation,
            Err(error) if error.code() == "parameter-out-of-range" => return Err(error),
            Err(error) => {
                omitted.push(((*method).to_owned(), error));
                continue;
            }
        };
        let last = PERIODS[PERIODS.len() - 1];
        let share = prevalence.expect("the rules want a prevalence");
        let prevalences = [[share; SERIES], [bound.share(); SERIES]].concat();
        let alarms = executor.map_range(RESAMPLES, |number| simulation.alarms(&prevalences, last, number))?;
        let plan = planner.plan(Size::Finite(n), LabelCount::each(labelled)?);
        rows.extend(PERIODS.map(|periods| {
            let probability = |series: Range<usize>| {
                let alarms = alarms.iter().flat_map(|alarms| &alarms[series.clone()]);
                let raised = alarms.filter(|at| at.is_some_and(|at| at < periods)).count();
                raised as f64 / (RESAMPLES as f64 * SERIES as f64)
            };
            let alarm = Some(AlarmForecast { periods, false_alarm: probability(SERIES..2 * SERIES) });
            PlanRow { power: Some(probability(0..SERIES)), alarm, ..options.row(method, "pilot", plan, None) }
        }));
    }
    Ok(rows)
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

/// Planners from resamples of the pilot, by method. They show how far the pilot's sampling error moves a plan.
#[derive(Default)]
struct ResampledPlanners(Vec<HashMap<&'static str, Planner>>);

impl ResampledPlanners {
    /// Refits the model to resamples of its labelled scores.
    fn new(executor: &impl Executor, model: &Model, options: &PlanOptions) -> Result<Self, Error> {
        let of_resample = |number| {
            let refitted = model.refit_to_resample(RESAMPLING_SEED, number).ok()?;
            let (planners, _) = planners(&refitted, options, Quantifier::rough_planner).ok()?;
            Some(planners.into_iter().map(|MethodPlanner { method, planner, .. }| (method, planner)).collect())
        };
        let resampled = executor.map_range(RESAMPLES, of_resample)?;
        Ok(Self(resampled.into_iter().map(Option::unwrap_or_default).collect()))
    }

    /// Adds the range of sizes to a plan, and takes the size with the assurance, if it is wanted.
    ///
    /// The sizes of the resamples stand for the sizes that the pilot's population may need (percentiles of the
    /// bootstrap; Efron 1979). A resample that allows no plan needs an unlimited size.
    fn complete(&self, row: PlanRow, planner: &Planner, search: SizeSearch, options: &PlanOptions) -> PlanRow {
        if self.0.is_empty() {
            return row;
        }
        let search = search.split_as(&row.plan);
        let size = |planners: &HashMap<&'static str, Planner>| match planners.get(row.method) {
            Some(planner) => search.size(&search.plan(planner)),
            None => Size::Unlimited,
        };
        let mut sizes: Vec<Size> = self.0.iter().map(size).collect();
        sizes.sort_unstable();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an index
        let quantile = |share: f64| sizes[((share * sizes.len() as f64) as usize).min(sizes.len() - 1)];
        let range = Some((quantile(RANGE.0), quantile(RANGE.1)));
        let Some(assurance) = options.assurance else { return PlanRow { range, ..row } };
        let size = quantile(assurance);
        let row = options.row(row.method, row.split, search.with_size(planner, size), None);
        PlanRow { range, goal_met: Some(size != Size::Unlimited), ..row }
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

/// Returns the searches that answer a question other than for alarms, for divisions of labelled scores and with the
/// numbers of the pilot.
fn searches<'s>(
    question: PlanQuestion,
    planners: &[MethodPlanner],
    (splits, pilot): (&[(&'s str, ClassSplit)], PerClass<u64>),
    omitted: &mut Vec<OmittedPlan>,
) -> Result<Vec<(&'s str, SizeSearch)>, Error> {
    let (counts, search): (_, &dyn Fn(LabelCount) -> SizeSearch) = match question {
        PlanQuestion::Sizes(goal) => {
            let (name, split) = splits[0];
            let ladder = size_ladder(goal, planners, f64::min);
            return Ok(ladder.map(|n| (name, SizeSearch::Labelled(goal, n, split))).collect());
        }
        PlanQuestion::Labelled(goal, n) => {
            return Ok(splits.iter().map(|(name, split)| (*name, SizeSearch::Labelled(goal, n, *split))).collect());
        }
        PlanQuestion::Unlabelled(goal, counts) => (counts, &move |labelled| SizeSearch::Unlabelled(goal, labelled)),
        PlanQuestion::Expected(n, counts) => (counts, &move |labelled| SizeSearch::Nothing(n, labelled)),
        PlanQuestion::Alarm(..) => unreachable!("an alarm is simulated"),
    };
    match counts {
        LabelledCounts::PerClass(positive, negative) => {
            Ok(vec![("given", search(LabelCount::each(PerClass { positive, negative })?))])
        }
        LabelledCounts::Pilot => Ok(vec![("pilot", search(LabelCount::each(pilot)?))]),
        LabelledCounts::Total(total) => {
            let possible = |(name, split): &(&'s str, ClassSplit)| match (LabelCount::in_all(total, *split), split) {
                (Err(error), ClassSplit::Share(_)) => {
                    // This division leaves too few scores of a class; another division may be possible.
                    omitted.push(((*name).to_owned(), error));
                    None
                }
                (labelled, _) => Some(labelled.map(|labelled| (*name, search(labelled)))),
            };
            splits.iter().filter_map(possible).collect()
        }
    }
}

/// Returns for each method the smallest number of unlabelled scores that reaches the goal with
/// unlimited labelled scores.
fn min_unlabelled<'a>(goal: Goal, planners: &'a [MethodPlanner]) -> impl Iterator<Item = f64> + 'a {
    planners.iter().map(move |method| match method.planner.unlabelled(goal, LabelCount::UNLIMITED).unlabelled {
        Size::Finite(n) => n as f64,
        Size::Unlimited => f64::INFINITY,
    })
}

/// Returns sizes that reach the goal: numbers of unlabelled scores, evenly spaced on a logarithmic scale of their
/// distance from the minimum, with the required numbers of labelled scores. The curve ends at `last`, or farther if the
/// method needs more. Returns `None` if the method cannot reach the goal.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // numbers of scores
fn curve(planner: &Planner, goal: Goal, min: f64, last: f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let max_excess = (last / min - 1.0).max(1.0);
    let excess = |k: u32| CURVE_START * (max_excess / CURVE_START).powf(f64::from(k) / f64::from(CURVE_POINTS - 1));
    let size = |k: u32| Size::Finite((min * (1.0 + excess(k))).ceil() as u64);
    let plans = (0..CURVE_POINTS).map(|k| planner.labelled(goal, size(k), ClassSplit::Optimal(goal.measure())));
    let points = plans.filter_map(|plan| finite_sizes(&plan));
    min.is_finite().then(|| points.unzip())
}

/// Returns the sizes of a plan if both are finite.
pub fn finite_sizes(plan: &Plan) -> Option<(f64, f64)> {
    match (plan.unlabelled, plan.labelled_in_all()) {
        (Size::Finite(n), Size::Finite(m)) => Some((n as f64, m as f64)),
        _ => None,
    }
}

/// Returns sizes 1, 2, 5, 10, … from the smallest that reaches the goal for some planner (`choose` is `f64::min`) or
/// for every planner (`f64::max`), then unlimited.
fn size_ladder(
    goal: Goal,
    planners: &[MethodPlanner],
    choose: fn(f64, f64) -> f64,
) -> impl Iterator<Item = Size> + use<> {
    let from = LADDER_START * min_unlabelled(goal, planners).reduce(choose).unwrap_or(f64::INFINITY);
    let rungs = (0..17).flat_map(|decade| [1, 2, 5].map(|k| k * 10_u64.pow(decade)));
    rungs.skip_while(move |n| (*n as f64) < from).take(LADDER_ROWS).map(Size::Finite).chain([Size::Unlimited])
}
