//! What widening buys: the same bits on any number of threads, and summaries that follow from the rows.

use rayon::ThreadPoolBuilder;
use std::sync::atomic::AtomicBool;
use truecount_studies::breach::{Breach, Kind, Setting, Widened, figure, summarise};
use truecount_studies::{Plan, Results, Study, run};

/// Two settings of each of two breaches.
fn study() -> Breach {
    let these = |s: &Setting| s.n == 1000 && s.alpha >= 0.5;
    let broken = |s: &Setting| s.kind == Kind::Nothing || (s.kind == Kind::OtherVersion && s.size == 0.75);
    Breach::of(Setting::all().into_iter().filter(|s| these(s) && broken(s)).collect())
}

fn complete(replications: u32, threads: usize) -> Results<Widened> {
    let threads = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (plan, mut results) = (Plan { seed: 7, replications }, Results::default());
    run(&study(), plan, &threads, &AtomicBool::new(false), &mut results, |_| Ok::<_, ()>(())).unwrap();
    results
}

#[test]
fn threads_do_not_change_a_bit() {
    let one = complete(4, 1).to_csv(&study());
    assert_eq!(one.lines().count(), 1 + 4 * 3);
    assert_eq!(complete(4, 3).to_csv(&study()), one);
    assert_eq!(Results::from_csv(&study(), &one).unwrap(), complete(4, 2));
}

/// And the picture has a dot for every setting and method, before and after.
#[test]
fn summaries_are_those_of_the_rows() {
    let (study, results) = (study(), complete(20, 2));
    let summaries = summarise(&study, &results);
    let names: Vec<(Kind, &str)> = summaries.iter().map(|s| (s.kind, s.method.as_str())).collect();
    let expected = [Kind::Nothing, Kind::OtherVersion].map(|kind| study.arms().iter().map(move |arm| (kind, *arm)));
    assert_eq!(names, expected.into_iter().flatten().collect::<Vec<_>>());
    for summary in &summaries {
        let arm = study.arms().iter().position(|arm| *arm == summary.method).unwrap();
        let found: Vec<&Widened> =
            results.of_arm(&study, arm).filter(|(s, _)| s.kind == summary.kind).map(|(_, found)| found).collect();
        let [a, b] = found.as_slice() else { panic!("two settings") };
        assert_eq!((summary.settings, summary.rejected), (2, f64::from(a.rejected + b.rejected) / 40.0));
        let close = |of: f64, by: fn(&Widened) -> f64, power: i32| {
            let mean = 0.5 * (by(a).powi(power) + by(b).powi(power));
            assert!((of - mean.powf(f64::from(power).recip())).abs() < 1e-12, "{summary:?}");
        };
        close(summary.errors, |s| s.errors.unwrap(), 2);
        close(summary.errors_widened, |s| s.errors_widened.unwrap(), 2);
        close(summary.coverage, |s| s.coverage.unwrap(), 1);
        close(summary.coverage_widened, |s| s.coverage_widened.unwrap(), 1);
        close(summary.coverage_error * 2.0_f64.sqrt(), |s| s.coverage_error.unwrap(), 2);
        close(summary.width_ratio * summary.width, |s| s.width_widened.unwrap(), 1);
    }
    // All scores times ¾ is seen in nearly every sample, and plain intervals are useless then.
    let broken = summaries.iter().filter(|summary| summary.kind == Kind::OtherVersion);
    assert!(broken.clone().all(|s| s.rejected > 0.8 && s.coverage_widened > s.coverage + 0.3));
    assert_eq!(broken.count(), 3);
    assert_eq!(figure(&study, &results).matches("<circle").count(), 2 * 4 * 3);
}
