//! Plans for every form, and below them what the sizes are for and where they come from.

use super::report::{PlanRow, Plans, Question};
use crate::output::learnt;
use crate::output::variances;
use serde_json::json;
use truecount::inference::PrecisionMeasure;
use truecount::{PerClass, Target};
use truecount_io::results::{Column, Look, Mark, Note, Results, Row, Table, Unit, percent};

impl Row for PlanRow {
    const NAME: &'static str = "plans";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("method", Unit::Text, "the quantifier planned for", |row: &Self| row.method.to_string().into())
                .shown(Look::AsIs),
            Column::new("split", Unit::Text, "how the labelled scores fall into the classes", |row: &Self| {
                row.split.into()
            })
            .shown(Look::AsIs),
            Column::new("unlabelled", Unit::Count, "unlabelled scores", |row: &Self| row.plan.unlabelled.into())
                .optional()
                .shown(Look::AsIs),
            Column::new("labelled", Unit::Count, "labelled scores", |row: &Self| row.plan.labelled_in_all().into())
                .optional()
                .shown(Look::AsIs),
            Column::new("positive", Unit::Count, "labelled positives", |row: &Self| row.plan.labelled.positive.into())
                .optional()
                .shown(Look::AsIs),
            Column::new("negative", Unit::Count, "labelled negatives", |row: &Self| row.plan.labelled.negative.into())
                .optional(),
            Column::new("se", Unit::Share, "standard error to be expected, at its worst", |row: &Self| {
                row.plan.se.value.into()
            })
            .shown(Look::StandardError),
            Column::new("se_at", Unit::Share, "the prevalence where it is that large", |row: &Self| {
                row.plan.se.prevalence.into()
            }),
            Column::new(
                "half_width",
                Unit::Share,
                "half of the interval to be expected, at its worst",
                |row: &Self| row.plan.half_width.value.into(),
            )
            .heading("half-width", Look::StandardError),
            Column::new("half_width_at", Unit::Share, "the prevalence where it is that large", |row: &Self| {
                row.plan.half_width.prevalence.into()
            }),
            Column::new("level", Unit::Share, "nominal coverage of the interval", |row: &Self| row.level.into()),
            Column::new("reached", Unit::Flag, "whether the goal is reached, if there is one", |row: &Self| {
                row.reached.into()
            })
            .optional(),
        ]
    }

    fn mark(&self) -> Mark {
        if self.reached == Some(false) { Mark::Star } else { Mark::None }
    }
}

impl Plans<'_> {
    pub fn results(&self) -> Results<'_> {
        let goal = self.question.goal().map(|goal| {
            let name = match goal.measure() {
                PrecisionMeasure::StandardError => "se",
                PrecisionMeasure::HalfWidth => "half_width",
            };
            json!({ name: goal.at_most() })
        });
        let target = Target::TABLE.iter().find(|(_, target, _)| *target == self.reporting.target());
        let about = vec![
            ("model", learnt(self.model)),
            ("goal", goal.into()),
            ("prevalence", json!(self.prevalence)),
            ("level", json!(self.reporting.level())),
            ("target", json!(target.map(|(name, ..)| name))),
        ];
        Results { about, tables: vec![self.table()], notes: self.notes(), warnings: Vec::new() }
    }

    fn table(&self) -> Table<'_> {
        let (sizes_in_vain, searched): (&[_], _) = match self.question {
            Question::Sizes(_) | Question::Labelled(..) => (&["labelled", "positive"], "labelled"),
            Question::Unlabelled(..) => (&["unlabelled"], "unlabelled"),
            Question::Expected(..) => (&[], ""),
        };
        let mut table =
            Table::new(&self.rows).star_means(format!("out of reach: this is left however many are {searched}"));
        if self.planners.len() == 1 {
            table = table.hidden("method");
        }
        if matches!(self.question, Question::Sizes(_)) {
            table = table.hidden("split");
        }
        sizes_in_vain.iter().fold(table, |table, name| table.blank_where_marked(name))
    }

    fn notes(&self) -> Vec<Note> {
        let place = match self.prevalence {
            Some(alpha) => format!("at prevalence {alpha}"),
            None => "at the worst prevalence (--prevalence names one)".to_owned(),
        };
        let mut notes = vec![Note::new(match self.question.goal() {
            Some(goal) => {
                let name = match goal.measure() {
                    PrecisionMeasure::StandardError => "se",
                    PrecisionMeasure::HalfWidth => "half-width",
                };
                format!("goal: {name} at most {} {place}", goal.at_most())
            }
            None => format!("to be expected {place}"),
        })];
        let target = match self.reporting.target() {
            Target::Sample => "",
            Target::Population => " for the population's prevalence",
        };
        notes
            .push(Note::new(format!("half-width: half of the {} % interval{target}", percent(self.reporting.level()))));
        if !matches!(self.question, Question::Sizes(_)) {
            notes.extend(self.splits());
        }
        notes.extend(variances(self.planners.iter().map(|(quantifier, _)| *quantifier), |quantifier| {
            quantifier.variance_of().map(str::to_owned)
        }));
        let PerClass { positive, negative } = self.model.labelled_counts();
        let pilot =
            format!("pilot: {positive} positive and {negative} negative scores; a plan is as good as its pilot");
        notes.push(Note::source(pilot));
        notes
    }

    /// What the splits mean that are in the table.
    fn splits(&self) -> Vec<Note> {
        let meanings = [
            ("best", "choose what to label, so that this many are of each class"),
            ("as pilot", "label as the pilot was, with its share of positives"),
            ("at random", "label what comes, with the share of positives of the unlabelled"),
        ];
        let shown = |name: &str| self.rows.iter().any(|row| row.split == name);
        let line = |(name, meaning): &(&str, &str)| shown(name).then(|| Note::new(format!("{name}: {meaning}")));
        meanings.iter().filter_map(line).collect()
    }
}
