//! Studies 1 to 3 of the paper: how the methods do, and in how many settings what the paper says holds.

use super::Asked;
use super::run::Complete;
use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use truecount_studies::paper::{Measure, Paper, Summary, figure, summarise};

pub fn run<P: Paper<Setting: Serialize>>(name: &str, study: &P, asked: &Asked) -> Result<(), Failure> {
    let complete = Complete::new(name, study, asked)?;
    let summaries = summarise(study, &complete.results);
    for summary in &summaries {
        for measure in Measure::ALL {
            let stem: Vec<&str> = summary.part.split_whitespace().chain([measure.name()]).collect();
            let svg = figure(study, &complete.results, &summary.part, measure);
            complete.figure(&format!("{}.svg", stem.join("-").to_lowercase()), &svg)?;
        }
    }
    complete.summary(BTreeMap::from([("parts", &summaries)]))?;
    output::to_stdout(|out| write(P::TITLE, &summaries, asked, out))
}

fn write<S>(title: &str, summaries: &[Summary<S>], asked: &Asked, out: &mut impl Write) -> io::Result<()> {
    let Asked { plan, .. } = asked;
    for summary in summaries {
        let part = if summary.part.is_empty() { String::new() } else { format!(", {}", summary.part) };
        writeln!(out, "{title}{part}")?;
        writeln!(out, "{} settings, {} replications of each", summary.settings, plan.replications)?;
        writeln!(out)?;
        let header = ["method", "MAE", "RMSE", "|bias|", "sd", "none"].map(str::to_owned);
        let all = f64::from(plan.replications) * summary.settings as f64;
        let rows = summary.arms.iter().map(|arm| {
            let means = [Some(arm.mae), Some(arm.rmse), Some(arm.absolute_bias), arm.sd];
            let means = means.map(|mean| mean.map_or("–".to_owned(), |mean| format!("{mean:.4}")));
            [vec![arm.arm.to_owned()], means.to_vec(), vec![share(arm.refused as f64 / all)]].concat()
        });
        output::aligned(header.to_vec(), rows, 1).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
        let header = ["settings with", "paper", "MAE", "open", "RMSE", "open"].map(str::to_owned);
        let rows = summary.claims.iter().map(|claim| {
            let paper = if claim.paper.is_empty() { "–" } else { claim.paper };
            let open = |count: usize| if claim.open_at_most { format!("≤ {count}") } else { count.to_string() };
            let (mae, rmse) = (claim.mae.to_string(), claim.rmse.to_string());
            vec![claim.claim.to_owned(), paper.to_owned(), mae, open(claim.mae_open), rmse, open(claim.rmse_open)]
        });
        output::aligned(header.to_vec(), rows, 1).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
    }
    let notes = [
        "MAE, RMSE, |bias|, sd: means over the settings; estimates are not kept in [0, 1]",
        "none: replications without an estimate, which its errors leave out, %",
        "settings with: by the MAE, and by the RMSE; – where the paper says nothing;",
        "summary.json lists the others",
        "open: settings closer than two Monte Carlo standard errors, either way",
    ];
    notes.iter().try_for_each(|note| writeln!(out, "{note}"))
}

/// In per cent, for what should be rare: a 0 means never.
fn share(share: f64) -> String {
    if share == 0.0 { "0".to_owned() } else { format!("{:.3}", 100.0 * share) }
}
