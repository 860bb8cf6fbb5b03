//! The LeQua application, emulated: the paper's table with ours beside it.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use truecount_analysis::results::{Column, Look, Note, Results, Row, Table, Unit};
use truecount_studies::paper::{Emulated, EmulatedRow};

/// What `summary.json` holds besides the parameters.
#[derive(Serialize)]
struct Summary<'a> {
    methods: &'a [EmulatedRow],
    training_samples: usize,
    in_the_order_of_the_paper: usize,
}

pub fn run(asked: &Asked) -> Result<(), Failure> {
    let study = Emulated::all();
    let complete = Complete::new("lequa", &study, asked)?;
    let rows = study.rows(&complete.results);
    let (ordered, samples) = study.in_order(&complete.results);
    complete.summary(Summary { methods: &rows, training_samples: samples, in_the_order_of_the_paper: ordered })?;
    let rows: Vec<ArmRow> = rows.into_iter().map(ArmRow).collect();
    let title = vec![
        "LeQua 2022, emulated: skew-normal scores as the paper fitted them".to_owned(),
        format!("{samples} training samples of 5000, {} test samples of 250 for each", asked.plan.replications),
        String::new(),
    ];
    let errors = ["method", "mae", "mae_sd", "mae_paper", "rmse", "rmse_paper", "rae", "rae_paper"];
    let closer = ["method", "first_closer", "first_closer_paper"];
    let others = (0..rows.len()).filter(|place| rows[*place].0.arm != "o-cs").collect();
    let tables = vec![
        Table::new(&rows).for_programs(),
        Table::new(&rows).view(&errors).titled(title),
        Table::new(&rows).view(&closer).headed("method", "o-cs closer than".to_owned()).only(others),
    ];
    let notes = [
        format!("sld < dys < o-cs < t-ms by the MAE, as in the paper: {ordered} of {samples} training samples"),
        "MAE, RMSE, RAE: means over the training samples, of which the paper has one".to_owned(),
        "± sd: standard deviation of the MAE between training samples".to_owned(),
    ];
    let notes = notes.into_iter().map(Note::new).collect();
    output::print(&Results { about: complete.about(), tables, notes, warnings: Vec::new() }, asked.form, None)
}

/// A method over the training samples.
struct ArmRow(EmulatedRow);

impl Row for ArmRow {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<Column<Self>> {
        let found = [
            ("mae", "MAE", "mean absolute error, mean over the training samples"),
            ("rmse", "RMSE", "root mean squared error, mean over the training samples"),
            ("rae", "RAE", "mean relative absolute error, mean over the training samples"),
        ];
        let mut columns =
            vec![Column::new("method", Unit::Text, "the method", |row: &Self| row.0.arm.into()).shown(Look::AsIs)];
        for (k, (name, heading, what)) in found.into_iter().enumerate() {
            let sd = (format!("{name}_sd"), format!("standard deviation of {name} between training samples"));
            let paper = (format!("{name}_paper"), format!("{name} in the paper, of its one training sample"));
            columns.extend([
                Column::new(name, Unit::Share, what, move |row: &Self| row.0.found[k].into())
                    .heading(heading, Look::Decimals(4)),
                Column::new(sd.0, Unit::Share, sd.1, move |row: &Self| row.0.sd[k].into())
                    .heading("± sd", Look::Decimals(4)),
                Column::new(paper.0, Unit::Share, paper.1, move |row: &Self| row.0.paper.map(|paper| paper[k]).into())
                    .heading("paper", Look::Decimals(4))
                    .optional_as(""),
            ]);
        }
        columns.extend([
            Column::new("first_closer", Unit::Share, "test samples on which o-cs is closer", |row: &Self| {
                row.0.first_closer.into()
            })
            .heading("of the test samples", Look::Percent(1)),
            Column::new("first_closer_paper", Unit::Share, "the same in the paper", |row: &Self| {
                row.0.paper_first_closer.into()
            })
            .heading("paper", Look::Percent(1))
            .optional_as(""),
        ]);
        columns
    }
}
