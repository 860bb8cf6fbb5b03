//! Widened intervals: summaries that follow from the rows.

use super::{arm_index, complete, figure};
use truecount_bench::studies::breach::{BreachKind, BreachSetting, BreachStudy, MethodSummary, WideningStatistics};
use truecount_bench::studies::{RunPlan, Study, Summary, SummaryRows};

/// Returns two settings without a violation, and two settings with one.
fn settings() -> Vec<BreachSetting> {
    let violation =
        |s: &BreachSetting| s.kind == BreachKind::Nothing || (s.kind == BreachKind::OtherVersion && s.size == 0.75);
    BreachSetting::all().into_iter().filter(|s| s.n == 1000 && s.alpha >= 0.5 && violation(s)).collect()
}

/// The figure also has a dot for every setting, method and kind of interval.
#[test]
fn summaries_follow_from_the_rows() {
    let results = complete::<BreachStudy>(settings(), RunPlan { seed: 7, replications: 20 }, 2);
    let SummaryRows { summaries }: SummaryRows<MethodSummary> = Summary::new(&results);
    let names: Vec<(BreachKind, &str)> = summaries.iter().map(|s| (s.kind, s.method.as_str())).collect();
    let arms = |kind| BreachStudy::ARMS.iter().map(move |arm| (kind, *arm));
    let expected = [BreachKind::Nothing, BreachKind::OtherVersion].map(arms);
    assert_eq!(names, expected.into_iter().flatten().collect::<Vec<_>>());
    for summary in &summaries {
        let rows = results.in_arm_where(arm_index::<BreachStudy>(&summary.method), |s| s.kind == summary.kind);
        let [a, b] = rows.as_slice() else { panic!("two settings") };
        assert_eq!((summary.settings, summary.rejected), (2, f64::from(a.rejected + b.rejected) / 40.0));
        let close = |mean: f64, value: fn(&WideningStatistics) -> f64, power: i32| {
            let expected = 0.5 * (value(a).powi(power) + value(b).powi(power));
            assert!((mean - expected.powf(f64::from(power).recip())).abs() < 1e-12, "{summary:?}");
        };
        close(summary.errors, |s| s.errors.unwrap(), 2);
        close(summary.errors_widened, |s| s.errors_widened.unwrap(), 2);
        close(summary.coverage, |s| s.coverage.unwrap(), 1);
        close(summary.coverage_widened, |s| s.coverage_widened.unwrap(), 1);
        close(summary.coverage_error * 2.0_f64.sqrt(), |s| s.coverage_error.unwrap(), 2);
        close(summary.width_ratio * summary.width, |s| s.width_widened.unwrap(), 1);
    }
    // Multiplied scores are detected in nearly every sample, and plain intervals then have low
    // coverage.
    let violated = summaries.iter().filter(|summary| summary.kind == BreachKind::OtherVersion);
    assert!(violated.clone().all(|s| s.rejected > 0.8 && s.coverage_widened > s.coverage + 0.3));
    assert_eq!(violated.count(), 3);
    assert_eq!(figure(&results).matches("<circle").count(), 2 * 4 * 3);
}
