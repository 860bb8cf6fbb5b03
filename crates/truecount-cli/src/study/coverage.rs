//! The study of the intervals, and its summary for people.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use std::collections::BTreeMap;
use std::io::{self, Write};
use truecount_studies::coverage::{BAND, Coverage, Summary, figure, summarise};

pub fn run(asked: &Asked) -> Result<(), Failure> {
    let study = Coverage::all();
    let complete = Complete::new("coverage", &study, asked)?;
    let summaries = summarise(&study, &complete.results);
    complete.figure("coverage.svg", &figure(&study, &complete.results))?;
    complete.summary(BTreeMap::from([("summaries", &summaries)]))?;
    output::to_stdout(|out| write(&summaries, out))
}

fn write(summaries: &[Summary], out: &mut impl Write) -> io::Result<()> {
    for of_scenario in summaries.chunk_by(|a, b| a.scenario == b.scenario) {
        let settings = of_scenario.iter().map(|summary| summary.settings).max().unwrap_or_default();
        writeln!(out, "{}: {settings} settings", of_scenario[0].scenario.title())?;
        let [low, high] = BAND.map(percent);
        let in_band = format!("{low} – {high}");
        let header = ["method", "mean", "min", "max", &in_band, "width", "[0, 1]", "none"].map(str::to_owned);
        let rows = of_scenario.iter().map(|s| {
            let shares = [s.mean, s.min, s.max, s.in_band].map(percent);
            let rare = [s.vacuous, s.none].map(rare_percent);
            [vec![s.arm.to_owned()], shares.to_vec(), vec![format!("{:.4}", s.width)], rare.to_vec()].concat()
        });
        output::aligned(header.to_vec(), rows, 1).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
    }
    writeln!(out, "mean, min, max: coverage of the nominal 95 % intervals over the settings, %")?;
    writeln!(out, "{} – {}: share of the settings between these, %", percent(BAND[0]), percent(BAND[1]))?;
    writeln!(out, "width: mean width of the intervals")?;
    writeln!(out, "[0, 1] and none: replications with that interval, and without an estimate, %")
}

/// In per cent.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// In per cent, for what should not happen: a 0 means never.
fn rare_percent(share: f64) -> String {
    if share == 0.0 { "0".to_owned() } else { format!("{:.3}", 100.0 * share) }
}
