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
    let paper = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
    let header = ["method", "MAE", "± sd", "paper", "RMSE", "paper", "RAE", "paper"].map(str::to_owned);
    let lines = rows.iter().map(|row| {
        let measures = row.found.iter().enumerate().flat_map(|(k, found)| {
            let sd = (k == 0).then(|| format!("{:.4}", row.sd[k]));
            [Some(format!("{found:.4}")), sd, Some(paper(row.paper.map(|paper| paper[k])))]
        });
        [row.arm.to_owned()].into_iter().chain(measures.flatten()).collect()
    });
    output::aligned(header.to_vec(), lines, 1).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    let header = ["o-cs closer than", "of the test samples", "paper"].map(str::to_owned);
    let lines = rows.iter().filter(|row| row.arm != "o-cs").map(|row| {
        let share = |share: f64| format!("{:.1} %", 100.0 * share);
        vec![row.arm.to_owned(), share(row.first_closer), row.paper_first_closer.map_or_else(String::new, share)]
    });
    output::aligned(header.to_vec(), lines, 1).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out)?;
    writeln!(out, "sld < dys < o-cs < t-ms by the MAE, as in the paper: {ordered} of {samples} training samples")?;
    writeln!(out, "MAE, RMSE, RAE: means over the training samples, of which the paper has one")?;
    writeln!(out, "± sd: standard deviation of the MAE between training samples")
}
