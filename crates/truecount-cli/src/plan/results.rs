//! The results of planning: the table of sizes, and notes on the goal and the pilot.

use crate::output::parameters_json;
use crate::output::variances;
use serde_json::json;
use truecount::Target;
use truecount::plan::PrecisionMeasure;
use truecount::scores::PerClass;
use truecount_analysis::plan::Plans;
use truecount_analysis::results::{Note, Results};
use truecount_analysis::spelling::Interface;

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
        ("assurance", json!(plans.assurance)),
        ("level", json!(plans.interval_options.level())),
        ("target", json!(target.map(|(name, ..)| name))),
    ];
    Results { about, tables: vec![plans.table()], notes: notes(plans), ..Results::default() }
}

fn notes(plans: &Plans) -> Vec<Note> {
    let mut notes = plans.notes(Interface::Shell);
    notes.extend(variances(plans.planners.iter().map(|(quantifier, _)| *quantifier), |quantifier| {
        quantifier.variance_sources().map(str::to_owned)
    }));
    let PerClass { positive, negative } = plans.model.labelled_counts();
    let pilot = format!("pilot: {positive} positive and {negative} negative scores; a plan is as good as its pilot");
    notes.push(Note::source(pilot));
    notes
}
