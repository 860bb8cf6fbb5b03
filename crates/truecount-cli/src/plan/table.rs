//! The table for people, and below it what the sizes are for and where they come from.

use super::report::{Question, Report, Row};
use crate::output::{aligned, percent, short_se, variances};
use std::io::{self, Write};
use truecount::inference::Measure;
use truecount::{PerClass, Target};

/// In the place of a number that no goal can be reached with.
const NONE: &str = "–";

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let several = report.planners.len() > 1;
    let splits = !matches!(report.question, Question::Sizes(_));
    let left = usize::from(several) + usize::from(splits);
    let mut header = vec!["method", "split"];
    header.retain(|column| if *column == "method" { several } else { splits });
    header.extend(["unlabelled", "labelled", "positive", "se", "half-width"]);
    let header = header.into_iter().map(str::to_owned).collect();
    let missed = |row: &Row| report.reached(row) == Some(false);
    let any_missed = report.rows.iter().any(missed);
    let rows = report.rows.iter().map(|row| {
        let plan = &row.plan;
        let mut cells = Vec::new();
        if several {
            cells.push(row.method.to_string());
        }
        if splits {
            cells.push(row.split.to_owned());
        }
        let sizes = [plan.unlabelled, plan.labelled_in_all(), plan.labelled.positive];
        let searched = match report.question {
            Question::Sizes(_) | Question::Labelled(..) => 1..3,
            Question::Unlabelled(..) => 0..1,
            Question::Expected(..) => 0..0,
        };
        let size = |(i, size): (usize, &_)| {
            if missed(row) && searched.contains(&i) { NONE.to_owned() } else { format!("{size}") }
        };
        cells.extend(sizes.iter().enumerate().map(size));
        let mark = match (any_missed, missed(row)) {
            (false, _) => "",
            (true, false) => "  ",
            (true, true) => " *",
        };
        cells.extend([short_se(plan.se.value), short_se(plan.half_width.value) + mark]);
        cells
    });
    aligned(header, rows, left).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    if any_missed {
        let searched = if matches!(report.question, Question::Unlabelled(..)) { "unlabelled" } else { "labelled" };
        writeln!(out, "* out of reach: this is left however many are {searched}")?;
    }
    notes(report).iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn notes(report: &Report) -> Vec<String> {
    let place = match report.prevalence {
        Some(alpha) => format!("at prevalence {alpha}"),
        None => "at the worst prevalence (--prevalence names one)".to_owned(),
    };
    let mut lines = vec![match report.question.goal() {
        Some(goal) => {
            let name = match goal.measure() {
                Measure::StandardError => "se",
                Measure::HalfWidth => "half-width",
            };
            format!("goal: {name} at most {} {place}", goal.at_most())
        }
        None => format!("to be expected {place}"),
    }];
    let target = match report.reporting.target() {
        Target::Sample => "",
        Target::Population => " for the population's prevalence",
    };
    lines.push(format!("half-width: half of the {} % interval{target}", percent(report.reporting.level())));
    if !matches!(report.question, Question::Sizes(_)) {
        lines.extend(splits(report));
    }
    lines.extend(variances(report.planners.iter().map(|(quantifier, _)| *quantifier), |quantifier| {
        quantifier.variance_of().map(str::to_owned)
    }));
    let PerClass { positive, negative } = report.model.labelled_counts();
    lines.push(format!("pilot: {positive} positive and {negative} negative scores; a plan is as good as its pilot"));
    lines
}

/// What the splits mean that are in the table.
fn splits(report: &Report) -> Vec<String> {
    let meanings = [
        ("best", "choose what to label, so that this many are of each class"),
        ("as pilot", "label as the pilot was, with its share of positives"),
        ("at random", "label what comes, with the share of positives of the unlabelled"),
    ];
    let shown = |name: &str| report.rows.iter().any(|row| row.split == name);
    let line = |(name, meaning): &(&str, &str)| shown(name).then(|| format!("{name}: {meaning}"));
    meanings.iter().filter_map(line).collect()
}
