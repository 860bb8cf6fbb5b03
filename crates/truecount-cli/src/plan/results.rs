//! The results of planning: the table of sizes, and notes on the goal and the pilot.

use crate::output::parameters_json;
use crate::output::variances;
use serde_json::json;
use truecount::Target;
use truecount::plan::PrecisionMeasure;
use truecount::scores::PerClass;
use truecount_analysis::plan::{PlanOptions, Plans};
use truecount_analysis::results::{Note, Results};
use truecount_analysis::spelling::Interface;

/// Returns the results for all formats.
pub fn results<'a>(plans: &'a Plans) -> Results<'a> {
    let PlanOptions { question, difference, interval_options, .. } = plans.options;
    let goal = question.goal().map(|goal| match (difference, goal.measure()) {
        (Some((difference, power)), _) => json!({ "difference": difference.size(), "power": power }),
        (None, PrecisionMeasure::StandardError) => json!({ "se": goal.at_most() }),
        (None, PrecisionMeasure::HalfWidth) => json!({ "half_width": goal.at_most() }),
    });
    let target = Target::TABLE.iter().find(|(_, target, _)| *target == interval_options.target());
    let about = vec![
        ("model", plans.model.map(parameters_json).into()),
        ("goal", goal.into()),
        ("prevalence", json!(plans.options.prevalence)),
        ("design_effect", json!(plans.options.design_effect)),
        ("assurance", json!(plans.options.assurance)),
        ("level", json!(interval_options.level())),
        ("target", json!(target.map(|(name, ..)| name))),
    ];
    Results { about, tables: vec![plans.table()], notes: notes(plans), ..Results::default() }
}

fn notes(plans: &Plans) -> Vec<Note> {
    let mut notes = plans.notes(Interface::Shell);
    let Some(model) = plans.model else { return notes };
    notes.extend(variances(plans.planners.iter().filter_map(|method| method.quantifier)));
    let PerClass { positive, negative } = model.labelled_counts();
    let pilot = format!("pilot: {positive} positive and {negative} negative scores; a plan is as good as its pilot");
    notes.push(Note::source(pilot));
    notes
}
