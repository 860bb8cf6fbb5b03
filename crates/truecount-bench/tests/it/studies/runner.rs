//! The runner: reproducible results on any number of threads and across interruptions, and tables
//! that can be read back.

use super::{complete, figure, number, summaries, threads};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount_bench::studies::coverage::{CoverageSetting, CoverageStudy, Scenario};
use truecount_bench::studies::{Completion, RunPlan, Statistics, Study, StudyResults};

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

/// Neither the interruption nor the number of threads changes a bit.
#[test]
fn a_stopped_run_continues_with_the_same_bits() {
    let (mut results, stop) = (unfinished(), AtomicBool::new(false));
    let after_three = |results: &StudyResults<CoverageStudy>| {
        stop.store(results.finished().len() == 3, Ordering::Relaxed);
        Ok::<_, ()>(())
    };
    assert_eq!(results.run(&threads(2), &stop, after_three), Ok(Completion::Stopped));
    assert_eq!(results.finished().len(), 3);

    let mut read = unfinished().with_cells(&results.to_csv()).unwrap();
    assert_eq!(read.finished(), results.finished());
    let mut calls = 0;
    let count = |_: &StudyResults<CoverageStudy>| {
        calls += 1;
        Ok::<_, ()>(())
    };
    assert_eq!(read.run(&threads(2), &AtomicBool::new(false), count), Ok(Completion::Complete));
    assert_eq!(calls, 5);
    assert_eq!(read.to_csv(), study(PLAN, 1).to_csv());
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
    let message = |table: &str| unfinished().with_cells(table).unwrap_err().to_string();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        message(&lines[..4].join("\n")),
        "line 4 is not what this study writes: the last setting has not all its rows"
    );
    assert_eq!(
        message(&table.replacen("o-cs,", "t-cs,", 1)),
        "line 2 is not what this study writes: it should begin with normal,1.5,0.5,0.3,100,100,0.4,o-cs"
    );
    let garbled = format!("{},x", lines[2].rsplit_once(',').unwrap().0);
    let text = message(&table.replacen(lines[2], &garbled, 1));
    assert!(text.starts_with("line 3 is not what this study writes: ") && text.contains("invalid float"), "{text}");
    let more = format!("{table}{}\n", lines[32]);
    assert_eq!(message(&more), "line 34 is not what this study writes: there are more rows than settings and arms");
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
        let [summary_mean, min, max, width] = ["mean", "min", "max", "width"].map(|name| number(summary, name));
        // The mean of equal coverages may have a rounding error.
        assert!((summary_mean - mean).abs() < 1e-15);
        assert!(min <= mean + 1e-15 && mean - 1e-15 <= max && width > 0.0);
        assert!(rows.iter().all(|row| replications(row).iter().sum::<u32>() == PLAN.replications));
    }
    let svg = figure(&results);
    assert_eq!(svg.matches("wrong family, es family").count(), 1);
    // A dot for every setting and arm.
    assert_eq!(svg.matches("<circle").count(), 8 * 4);
    assert!(CoverageStudy::summary(&unfinished()).json.is_empty());
}

/// A training sample is refused if its positives have the lower mean; every arm counts these
/// samples.
#[test]
fn inverted_samples_are_counted() {
    let overlapping = CoverageSetting {
        scenario: Scenario::Normal,
        sd_pos: 1.5,
        sd_neg: 1.5,
        alpha: 0.5,
        n: 100,
        n_train: 20,
        alpha_train: 0.5,
    };
    let replications = 2000;
    let results = complete::<CoverageStudy>(vec![overlapping], RunPlan { seed: 1, replications }, 2);
    // The means of ten scores each differ by 1 with a standard error of 1.5 √(2/10): Φ(−1/0.671) =
    // 0.0680.
    let share = 0.0680_f64;
    let error = (share * (1.0 - share) / f64::from(replications)).sqrt();
    for arm in 0..4 {
        let (_, row) = results.in_arm(arm).next().unwrap();
        let inverted = f64::from(row.count("inverted")) / f64::from(replications);
        assert!((inverted - share).abs() < 4.0 * error, "{} {inverted}", CoverageStudy::ARMS[arm]);
        assert_eq!(["estimates", "inverted", "refused"].map(|name| row.count(name)).iter().sum::<u32>(), replications);
    }
}
