//! The LeQua application, emulated: the paper's table with ours beside it.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use std::io::{self, Write};
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
    output::to_stdout(|out| write(&rows, (ordered, samples), asked, out))
}

fn write(
    rows: &[EmulatedRow],
    (ordered, samples): (usize, usize),
    asked: &Asked,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "LeQua 2022, emulated: skew-normal scores as the paper fitted them")?;
    writeln!(out, "{samples} training samples of 5000, {} test samples of 250 for each", asked.plan.replications)?;
    writeln!(out)?;
    let header = ["method", "MAE", "± sd", "paper", "RMSE", "paper", "RAE", "paper", "o-cs closer", "paper"];
    let lines = rows.iter().map(|row| {
        let found = row.found.map(|value| format!("{value:.4}"));
        let paper = row.paper.map_or([const { String::new() }; 3], |paper| paper.map(|value| format!("{value:.4}")));
        let closer = if row.arm == "o-cs" { String::new() } else { format!("{:.1} %", 100.0 * row.first_closer) };
        let of_paper = row.paper_first_closer.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share));
        let ([mae, rmse, rae], [paper_mae, paper_rmse, paper_rae]) = (found, paper);
        let sd = format!("{:.4}", row.sd[0]);
        vec![row.arm.to_owned(), mae, sd, paper_mae, rmse, paper_rmse, rae, paper_rae, closer, of_paper]
    });
    output::aligned(header.map(str::to_owned).to_vec(), lines, 1)
        .iter()
        .try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    writeln!(out, "sld < dys < o-cs < t-ms by the MAE, as in the paper: {ordered} of {samples} training samples")?;
    writeln!(out, "MAE, RMSE, RAE: means over the training samples, of estimates inside [0, 1]; the paper has one")?;
    writeln!(out, "± sd: standard deviation of the MAE between training samples")?;
    writeln!(out, "o-cs closer: share of the test samples on which the error of o-cs is smaller")
}
