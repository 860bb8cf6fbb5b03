//! What is asked of a plan, and the rows that answer it.

use super::Counts;
use crate::advice::worded;
use crate::failure::Failure;
use crate::output;
use truecount::inference::{Goal, Labelled, Measure, Plan, Planner, Share, Size, Split};
use truecount::quantifier::Quantifier;
use truecount::{Error, Method, Model, PerClass, Reporting};

/// How far above the fewest unlabelled scores that can do, with all rates known, a table of sizes begins: next to that
/// number the labelled ones have no end.
const ROOM: f64 = 1.25;

/// Rows of a table of sizes, before that of unlimited unlabelled scores.
const ROWS: usize = 5;

/// What is to be found.
#[derive(Clone, Copy)]
pub enum Question {
    /// Pairs of sizes that reach a goal.
    Sizes(Goal),
    /// The labelled scores that reach it.
    Labelled(Goal, Size),
    /// The unlabelled ones.
    Unlabelled(Goal, Counts),
    /// What to expect.
    Expected(Size, Counts),
}

impl Question {
    pub fn goal(&self) -> Option<Goal> {
        match self {
            Self::Sizes(goal) | Self::Labelled(goal, _) | Self::Unlabelled(goal, _) => Some(*goal),
            Self::Expected(..) => None,
        }
    }
}

/// One plan.
pub struct PlanRow {
    pub method: Method,
    /// How the labelled scores fall into the classes.
    pub split: &'static str,
    pub plan: Plan,
    /// Of the intervals.
    pub level: f64,
    /// Whether the goal is reached, if there is one.
    pub reached: Option<bool>,
}

/// All plans, with what they rest on.
pub struct Plans<'a> {
    pub model: &'a Model,
    pub question: Question,
    pub prevalence: Option<f64>,
    pub reporting: Reporting,
    pub planners: Vec<(&'a Quantifier, Planner)>,
    pub rows: Vec<PlanRow>,
}

impl<'a> Plans<'a> {
    pub fn new(
        model: &'a Model,
        question: Question,
        prevalence: Option<f64>,
        reporting: &Reporting,
    ) -> Result<Self, Failure> {
        let planners = planners(model, prevalence, reporting)?;
        let splits = splits(model, question, prevalence)?;
        let given = match question {
            Question::Unlabelled(_, counts) | Question::Expected(_, counts) => labelled(counts, &splits)?,
            Question::Sizes(_) | Question::Labelled(..) => Vec::new(),
        };
        let mut rows = Vec::new();
        for (quantifier, planner) in &planners {
            let mut add = |split, plan| {
                let reached = question.goal().map(|goal| goal.is_met_by(&plan));
                rows.push(PlanRow { method: quantifier.method(), split, plan, level: reporting.level(), reached });
            };
            match question {
                Question::Sizes(goal) => {
                    let ladder = ladder(goal, &planners);
                    ladder.for_each(|n| add("best", planner.labelled(goal, n, Split::Least(goal.measure()))));
                }
                Question::Labelled(goal, n) => {
                    for (name, split) in &splits {
                        add(name, planner.labelled(goal, n, *split));
                    }
                }
                Question::Unlabelled(goal, _) => {
                    for (name, labelled) in &given {
                        add(name, planner.unlabelled(goal, *labelled));
                    }
                }
                Question::Expected(n, _) => {
                    for (name, labelled) in &given {
                        add(name, planner.plan(n, *labelled));
                    }
                }
            }
        }
        Ok(Self { model, question, prevalence, reporting: *reporting, planners, rows })
    }

    /// The unlabelled scores from which on enough labels can do, for each method.
    pub fn fewest(&self, goal: Goal) -> impl Iterator<Item = f64> + '_ {
        fewest(goal, &self.planners)
    }
}

/// One planner for each method that can be planned for; the others are left out with a warning.
fn planners<'a>(
    model: &'a Model,
    prevalence: Option<f64>,
    reporting: &Reporting,
) -> Result<Vec<(&'a Quantifier, Planner)>, Failure> {
    let (mut planners, mut refused) = (Vec::new(), Vec::new());
    for quantifier in model.quantifiers() {
        match quantifier.planner(prevalence, reporting) {
            Ok(planner) => planners.push((quantifier, planner)),
            Err(error @ Error::Parameter { .. }) => return Err(error.into()),
            Err(error @ Error::NoPrecision { .. }) => refused.push(worded(&error)),
            Err(error) => refused.push(format!("{}: {}", quantifier.method(), worded(&error))),
        }
    }
    if planners.is_empty() {
        return Err(Failure::Data(refused.join("; ")));
    }
    for reason in refused {
        output::say(&format!("warning: left out, {reason}"));
    }
    Ok(planners)
}

/// The ways in which labelled scores may fall into the classes: as is best, as in the pilot, as when labelling at
/// random.
fn splits(model: &Model, question: Question, prevalence: Option<f64>) -> Result<Vec<(&'static str, Split)>, Failure> {
    let measure = question.goal().map_or(Measure::StandardError, |goal| goal.measure());
    let PerClass { positive, negative } = model.labelled_counts();
    let pilot = Share::new(positive as f64 / (positive + negative) as f64)?;
    let mut splits = vec![("best", Split::Least(measure)), ("as pilot", Split::Share(pilot))];
    // Of one class alone there is nothing to label at random.
    if let Some(share) = prevalence.and_then(|alpha| Share::new(alpha).ok()) {
        splits.push(("at random", Split::Share(share)));
    }
    Ok(splits)
}

fn labelled(counts: Counts, splits: &[(&'static str, Split)]) -> Result<Vec<(&'static str, Labelled)>, Failure> {
    match counts {
        Counts::Each(each) => Ok(vec![("given", Labelled::each(each)?)]),
        Counts::InAll(total) => {
            let mut possible = Vec::new();
            for (name, split) in splits {
                match (Labelled::in_all(total, *split), split) {
                    (Ok(labelled), _) => possible.push((*name, labelled)),
                    (Err(error), Split::Least(_)) => return Err(error.into()),
                    // Too few of a class in this way; another way may do.
                    (Err(error), Split::Share(_)) => output::say(&format!("warning: left out, {name}: {error}")),
                }
            }
            Ok(possible)
        }
    }
}

fn fewest<'a>(goal: Goal, planners: &'a [(&Quantifier, Planner)]) -> impl Iterator<Item = f64> + 'a {
    planners.iter().map(move |(_, planner)| match planner.unlabelled(goal, Labelled::UNLIMITED).unlabelled {
        Size::Of(n) => n as f64,
        Size::Unlimited => f64::INFINITY,
    })
}

/// 1, 2, 5, 10, … from where the method with the fewest can do, and unlimited.
fn ladder(goal: Goal, planners: &[(&Quantifier, Planner)]) -> impl Iterator<Item = Size> + use<> {
    let from = ROOM * fewest(goal, planners).fold(f64::INFINITY, f64::min);
    let rungs = (0..17).flat_map(|decade| [1, 2, 5].map(|k| k * 10_u64.pow(decade)));
    rungs.skip_while(move |n| (*n as f64) < from).take(ROWS).map(Size::Of).chain([Size::Unlimited])
}
