//! What labels inside the target give: the same bits on any number of threads, and intervals that hold whatever the scores do.

use rayon::ThreadPoolBuilder;
use std::sync::atomic::AtomicBool;
use truecount_studies::audit::{Audits, Setting, summarise};
use truecount_studies::intervals::Intervals;
use truecount_studies::{Plan, Results, Study, run};

/// Labels from elsewhere that carry over, and labels that do not.
fn study() -> Audits {
    let these = |s: &Setting| s.audited == 400 && s.alpha == 0.2 && (s.shift == 0.0 || s.shift == 0.8);
    Audits::of(Setting::all().into_iter().filter(these).collect())
}

fn complete(replications: u32, threads: usize) -> Results<Intervals> {
    let threads = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (plan, mut results) = (Plan { seed: 7, replications }, Results::default());
    run(&study(), plan, &threads, &AtomicBool::new(false), &mut results, |_| Ok::<_, ()>(())).unwrap();
    results
}

#[test]
fn threads_do_not_change_a_bit() {
    let one = complete(4, 1).to_csv(&study());
    assert_eq!(one.lines().count(), 1 + 2 * 6);
    assert_eq!(complete(4, 3).to_csv(&study()), one);
    assert_eq!(Results::from_csv(&study(), &one).unwrap(), complete(4, 2));
}

/// 200 samples of each: a coverage of 95 % has a standard error of 1.5 %, and is asked to be within four.
#[test]
fn an_audit_needs_no_assumption() {
    let (study, results) = (study(), complete(200, 2));
    for (arm, name) in study.arms().iter().enumerate() {
        for (setting, found) in results.of_arm(&study, arm) {
            let coverage = found.coverage.unwrap();
            if *name == "elsewhere" && setting.shift > 0.0 {
                assert!(coverage < 0.1, "{coverage}");
            } else {
                assert!((0.89..=1.0).contains(&coverage), "{name}, {setting:?}: {coverage}");
            }
        }
    }
    let summaries = summarise(&study, &results);
    let width = |arm: &str, shift: f64| {
        let found = summaries.iter().find(|summary| summary.arm == arm && summary.shift == shift);
        found.unwrap().coverages.width
    };
    // Scores help, drawing by them more so, and labels from elsewhere where they carry over.
    assert!(width("ppi++", 0.0) < 0.85 * width("labels", 0.0));
    assert!(width("by score", 0.0) < 0.95 * width("ppi++", 0.0));
    assert!(width("combined", 0.0) < 0.97 * width("ppi++", 0.0));
}
