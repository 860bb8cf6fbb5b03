//! Plans: the sizes that a precision needs, or the precision that sizes give.

use crate::results::{PlanRow, ResultTable};
use truecount::plan::{ClassSplit, Goal, LabelCount, Plan, Planner, PositiveShare, PrecisionMeasure, Size};
use truecount::quantifier::Quantifier;
use truecount::scores::PerClass;
use truecount::{Error, IntervalOptions, Method, Model, Warning};

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
#[derive(Clone, Copy, Debug)]
pub enum LabelledCounts {
    /// The number in both classes together.
    Total(u64),
    /// The number in each class.
    PerClass(PerClass<u64>),
}

impl PlanQuestion {
    /// Returns the question that these options ask. A goal is a largest standard error or
    /// half-width. Returns `None` unless there is a goal with at most one size, or both sizes
    /// without a goal.
    ///
    /// # Errors
    /// Returns an error for a goal that is out of range.
    pub fn new(
        se: Option<f64>,
        half_width: Option<f64>,
        unlabelled: Option<u64>,
        labelled: Option<LabelledCounts>,
    ) -> Result<Option<Self>, Error> {
        let goal = match (se, half_width) {
            (Some(se), _) => Some(Goal::new(PrecisionMeasure::StandardError, se)?),
            (None, Some(half_width)) => Some(Goal::new(PrecisionMeasure::HalfWidth, half_width)?),
            (None, None) => None,
        };
        Ok(match (goal, unlabelled.map(Size::Of), labelled) {
            (Some(goal), None, None) => Some(Self::Sizes(goal)),
            (Some(goal), Some(unlabelled), None) => Some(Self::Labelled(goal, unlabelled)),
            (Some(goal), None, Some(labelled)) => Some(Self::Unlabelled(goal, labelled)),
            (None, Some(unlabelled), Some(labelled)) => Some(Self::Expected(unlabelled, labelled)),
            _ => None,
        })
    }

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
    ///
    /// # Errors
    /// Returns an error for a prevalence, a design effect or a number of scores that is out of range.
    pub fn new(
        model: &'a Model,
        question: PlanQuestion,
        prevalence: Option<f64>,
        design_effect: f64,
        options: &IntervalOptions,
    ) -> Result<Self, Error> {
        let (planners, mut left_out) = planners(model, prevalence, design_effect, options)?;
        let splits = splits(model, question, prevalence)?;
        let labelled_by_split = match question {
            PlanQuestion::Unlabelled(_, counts) | PlanQuestion::Expected(_, counts) => {
                possible_labelled(counts, &splits, &mut left_out)?
            }
            PlanQuestion::Sizes(_) | PlanQuestion::Labelled(..) => Vec::new(),
        };
        let mut rows = Vec::new();
        for (quantifier, planner) in &planners {
            let mut add = |split, plan| {
                let goal_met = question.goal().map(|goal: Goal| goal.is_met_by(&plan));
                rows.push(PlanRow { method: quantifier.method(), split, plan, level: options.level(), goal_met });
            };
            match question {
                PlanQuestion::Sizes(goal) => {
                    let ladder = size_ladder(goal, &planners);
                    ladder.for_each(|n| add("best", planner.labelled(goal, n, ClassSplit::Optimal(goal.measure()))));
                }
                PlanQuestion::Labelled(goal, n) => {
                    for (name, split) in &splits {
                        add(name, planner.labelled(goal, n, *split));
                    }
                }
                PlanQuestion::Unlabelled(goal, _) => {
                    for (name, labelled) in &labelled_by_split {
                        add(name, planner.unlabelled(goal, *labelled));
                    }
                }
                PlanQuestion::Expected(n, _) => {
                    for (name, labelled) in &labelled_by_split {
                        add(name, planner.plan(n, *labelled));
                    }
                }
            }
        }
        Ok(Self {
            model,
            question,
            prevalence,
            design_effect,
            interval_options: *options,
            planners,
            rows,
            omitted: left_out,
        })
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
        let mut table = ResultTable::new(&self.rows)
            .star_means(format!("the goal cannot be met, however many rows are {action}: this is the limit"));
        if self.planners.len() == 1 {
            table = table.hidden("method");
        }
        if matches!(self.question, PlanQuestion::Sizes(_)) {
            table = table.hidden("split");
        }
        unreachable.iter().fold(table, |table, name| table.blank_where_marked(name))
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
    pub fn splits(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        let meanings = [
            ("best", "choose the rows to label so that each class has this many"),
            ("as pilot", "label with the same share of positives as the pilot"),
            ("at random", "label rows drawn at random, with the share of positives of the unlabelled rows"),
        ];
        meanings.into_iter().filter(|(name, _)| self.rows.iter().any(|row| row.split == *name))
    }
}

/// The planner of each method.
pub type Planners<'a> = Vec<(&'a Quantifier, Planner)>;

/// Returns a planner for each method that can be planned for, and the methods that cannot.
fn planners<'a>(
    model: &'a Model,
    prevalence: Option<f64>,
    design_effect: f64,
    options: &IntervalOptions,
) -> Result<(Planners<'a>, Vec<OmittedPlan>), Error> {
    let (mut planners, mut omitted) = (Vec::new(), Vec::new());
    for quantifier in model.quantifiers() {
        match quantifier.planner(prevalence, options) {
            Ok(planner) => planners.push((quantifier, planner.with_design_effect(design_effect)?)),
            Err(error) if error.code() == "parameter-out-of-range" => return Err(error),
            Err(error) => omitted.push(OmittedPlan::Method(quantifier.method(), error)),
        }
    }
    Ok((planners, omitted))
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
        LabelledCounts::PerClass(counts) => Ok(vec![("given", LabelCount::each(counts)?)]),
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
        Size::Of(n) => n as f64,
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
    let size = |k: u32| Size::Of((min * (1.0 + excess(k))).ceil() as u64);
    let plans = (0..CURVE_POINTS).map(|k| planner.labelled(goal, size(k), ClassSplit::Optimal(goal.measure())));
    let points = plans.filter_map(|plan| finite_sizes(&plan));
    min.is_finite().then(|| points.collect())
}

/// Returns the sizes of a plan if both are finite.
pub fn finite_sizes(plan: &Plan) -> Option<(f64, f64)> {
    match (plan.unlabelled, plan.labelled_in_all()) {
        (Size::Of(n), Size::Of(m)) => Some((n as f64, m as f64)),
        _ => None,
    }
}

/// Returns sizes among 1, 2, 5, 10, … that suffice for at least one method, followed by unlimited.
fn size_ladder(goal: Goal, planners: &[(&Quantifier, Planner)]) -> impl Iterator<Item = Size> + use<> {
    let from = LADDER_START * min_unlabelled(goal, planners).fold(f64::INFINITY, f64::min);
    let rungs = (0..17).flat_map(|decade| [1, 2, 5].map(|k| k * 10_u64.pow(decade)));
    rungs.skip_while(move |n| (*n as f64) < from).take(LADDER_ROWS).map(Size::Of).chain([Size::Unlimited])
}
