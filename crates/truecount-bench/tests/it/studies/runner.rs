//! The runner: reproducible results on any number of threads and across interruptions, and tables
//! that can be read back.

use super::{complete, number, summaries, threads};
use std::sync::atomic::AtomicBool;
use truecount_bench::studies::coverage::{CoverageSetting, CoverageStudy, Scenario};
use truecount_bench::studies::{RunPlan, Statistics, Study, StudyResults};

const PLAN: RunPlan = RunPlan { seed: 7, replications: 20 };

/// Returns eight settings from all scenarios, with small training samples of overlapping classes.
fn settings() -> Vec<CoverageSetting> {
    let overlapping =
        |scenario| CoverageSetting::in_scenario(scenario).into_iter().filter(|s| s.n_train == 100 && s.sd_pos == 1.5);
    Scenario::ALL.into_iter().flat_map(|scenario| overlapping(scenario).step_by(7).take(3)).take(8).collect()
}

fn study(plan: RunPlan, n: usize) -> StudyResults<CoverageStudy> {
    complete(settings(), plan, n)
}

fn unfinished() -> StudyResults<CoverageStudy> {
    StudyResults::new(settings(), PLAN)
}

#[test]
fn another_seed_changes_the_results() {
    let other = RunPlan { seed: 8, ..PLAN };
    assert_ne!(study(other, 2).finished(), study(PLAN, 2).finished());
}

#[test]
fn an_error_of_the_report_ends_the_run() {
    let full = |_: &StudyResults<CoverageStudy>| Err("the disk is full");
    let completion = unfinished().run(&threads(2), &AtomicBool::new(false), full);
    assert_eq!(completion, Err("the disk is full"));
}

#[test]
fn other_tables_are_refused() {
    let table = study(RunPlan { seed: 1, replications: 2 }, 2).to_csv();
    let lines: Vec<&str> = table.lines().collect();
    let garbled = format!("{},x", lines[2].rsplit_once(',').unwrap().0);
    for other in [
        lines[..4].join("\n"),
        table.replacen("o-cs,", "t-cs,", 1),
        table.replacen(lines[2], &garbled, 1),
        format!("{table}{}\n", lines[29..].join("\n")),
    ] {
        assert!(unfinished().with_cells(&other).is_none(), "{other}");
    }
    assert!(unfinished().with_cells("").unwrap().finished().is_empty());
}

#[test]
fn summaries_follow_from_the_rows() {
    let results = study(PLAN, 2);
    let replications = |row: &Statistics| ["estimates", "inverted", "refused"].map(|name| row.count(name));
    let summaries = summaries(&results, "summaries");
    assert_eq!(summaries.len(), 3 * 4);
    for (index, summary) in summaries.iter().enumerate() {
        let (scenario, arm) = (Scenario::ALL[index / 4], index % 4);
        assert_eq!(summary["arm"], CoverageStudy::ARMS[arm]);
        let rows = results.select(arm, |setting| setting.scenario == scenario);
        let coverages = rows.values("coverage");
        assert_eq!((&summary["settings"], rows.iter().len()), (&coverages.len().into(), coverages.len()));
        let mean = coverages.iter().sum::<f64>() / coverages.len() as f64;
        let [summary_mean, min, width] = ["mean", "min", "width"].map(|name| number(summary, name));
        // The mean of equal coverages may have a rounding error.
        assert!((summary_mean - mean).abs() < 1e-15);
        assert!(min <= mean + 1e-15 && width > 0.0);
        assert!(rows.iter().all(|row| replications(row).iter().sum::<u32>() == PLAN.replications));
    }
    let (_, svg) = &CoverageStudy::summary(&results).figures[0];
    assert_eq!(svg.matches("wrong family, es family").count(), 1);
    // A dot for every setting and arm.
    assert_eq!(svg.matches("<circle").count(), 8 * 4);
    assert!(CoverageStudy::summary(&unfinished()).tables.is_empty());
}
