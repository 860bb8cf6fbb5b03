//! The results of planning: the table of sizes, and notes on the goal and the pilot.

use crate::output::parameters_json;
use crate::output::variances;
use serde_json::json;
use truecount::plan::PrecisionMeasure;
use truecount_analysis::plan::{Pilot, PlanOptions, Plans};
use truecount_analysis::results::{Note, Results};
use truecount_analysis::spelling::Interface;

/// Returns the results for all formats, with the goal in percent or as a share.
pub fn results<'a>(plans: &'a Plans, in_percent: bool) -> Results<'a> {
    let PlanOptions { question, difference, interval_options, .. } = plans.options;
    let goal = question.goal().map(|goal| match (difference, goal.measure()) {
        (Some((difference, power)), _) => json!({ "difference": difference.size(), "power": power }),
        (None, PrecisionMeasure::StandardError) => json!({ "se": goal.at_most() }),
        (None, PrecisionMeasure::HalfWidth) => json!({ "half_width": goal.at_most() }),
    });
    let model = if let Pilot::Scores(model) = plans.pilot { Some(parameters_json(model)) } else { None };
    let about = vec![
        ("model", model.into()),
        ("goal", goal.into()),
        ("prevalence", json!(plans.options.prevalence)),
        ("design_effect", json!(plans.options.design_effect)),
        ("assurance", json!(plans.options.assurance)),
        ("level", json!(interval_options.level())),
        ("target", json!(interval_options.target().to_string())),
    ];
    Results { about, tables: vec![plans.table()], notes: notes(plans, in_percent), ..Results::default() }
}

fn notes(plans: &Plans, in_percent: bool) -> Vec<Note> {
    let mut notes = plans.notes(Interface::Shell, in_percent);
    notes.extend(variances(plans.planners.iter().filter_map(|method| method.quantifier)));
    let classes: Vec<_> = plans.labelled_counts().iter().map(|(n, class)| format!("{n} {class}")).collect();
    notes.extend(classes.split_last().map(|(last, others)| {
        let classes = format!("{} and {last}", others.join(", "));
        Note::source(format!("pilot: {classes} scores; a plan is as good as its pilot"))
    }));
    notes
}
