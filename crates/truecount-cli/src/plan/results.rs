//! The results of planning: the table of sizes, and notes on the goal and the pilot.

use crate::output::parameters_json;
use crate::output::variances;
use serde_json::json;
use truecount::Target;
use truecount::plan::PrecisionMeasure;
use truecount::scores::PerClass;
use truecount_analysis::plan::{PlanQuestion, Plans};
use truecount_analysis::results::{Note, Results, percent};

/// Returns the results for all formats.
pub fn results<'a>(plans: &'a Plans) -> Results<'a> {
    let goal = plans.question.goal().map(|goal| {
        let name = match goal.measure() {
            PrecisionMeasure::StandardError => "se",
            PrecisionMeasure::HalfWidth => "half_width",
        };
        json!({ name: goal.at_most() })
    });
    let target = Target::TABLE.iter().find(|(_, target, _)| *target == plans.interval_options.target());
    let about = vec![
        ("model", parameters_json(plans.model)),
        ("goal", goal.into()),
        ("prevalence", json!(plans.prevalence)),
        ("design_effect", json!(plans.design_effect)),
        ("level", json!(plans.interval_options.level())),
        ("target", json!(target.map(|(name, ..)| name))),
    ];
    Results { about, tables: vec![plans.table()], notes: notes(plans), warnings: Vec::new() }
}

fn notes(plans: &Plans) -> Vec<Note> {
    let prevalence = match plans.prevalence {
        Some(alpha) => format!("at prevalence {alpha}"),
        None => "at the worst prevalence (--prevalence names one)".to_owned(),
    };
    let mut notes = vec![Note::new(match plans.question.goal() {
        Some(goal) => {
            let name = match goal.measure() {
                PrecisionMeasure::StandardError => "se",
                PrecisionMeasure::HalfWidth => "half-width",
            };
            format!("goal: {name} at most {} {prevalence}", goal.at_most())
        }
        None => format!("to be expected {prevalence}"),
    })];
    let target = match plans.interval_options.target() {
        Target::Sample => "",
        Target::Population => " for the population's prevalence",
    };
    notes.push(Note::new(format!(
        "half-width: half of the {} % interval{target}",
        percent(plans.interval_options.level())
    )));
    #[allow(clippy::float_cmp)] // the default
    if plans.design_effect != 1.0 {
        notes.push(Note::new(format!("design effect of the unlabelled scores: {}", plans.design_effect)));
    }
    if !matches!(plans.question, PlanQuestion::Sizes(_)) {
        notes.extend(plans.splits().map(|(name, meaning)| Note::new(format!("{name}: {meaning}"))));
    }
    notes.extend(variances(plans.planners.iter().map(|(quantifier, _)| *quantifier), |quantifier| {
        quantifier.variance_sources().map(str::to_owned)
    }));
    let PerClass { positive, negative } = plans.model.labelled_counts();
    let pilot = format!("pilot: {positive} positive and {negative} negative scores; a plan is as good as its pilot");
    notes.push(Note::source(pilot));
    notes
}
