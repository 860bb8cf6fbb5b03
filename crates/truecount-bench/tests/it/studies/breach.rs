//! Widened intervals: summaries that follow from the rows.

use super::{arm_index, complete, figure, number, summaries};
use serde_json::Value;
use truecount_bench::studies::breach::{BreachKind, BreachSetting, BreachStudy};
use truecount_bench::studies::{RunPlan, Study};

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
    let summaries = summaries(&results, "summaries");
    let names: Vec<(&str, &str)> =
        summaries.iter().map(|s| (s["kind"].as_str().unwrap(), s["method"].as_str().unwrap())).collect();
    let arms = |kind| BreachStudy::ARMS.iter().map(move |arm| (kind, *arm));
    assert_eq!(names, ["nothing", "other-version"].map(arms).into_iter().flatten().collect::<Vec<_>>());
    for (summary, (kind, method)) in summaries.iter().zip(names) {
        let is_nothing = |kind| kind == BreachKind::Nothing;
        let rows = results.select(arm_index::<BreachStudy>(method), |s| is_nothing(s.kind) == (kind == "nothing"));
        let [a, b] = rows.iter().collect::<Vec<_>>()[..] else { panic!("two settings") };
        assert_eq!(summary["settings"], 2);
        let rejected = f64::from(a.count("rejected") + b.count("rejected")) / 40.0;
        assert_eq!(number(summary, "rejected"), rejected);
        let close = |mean: f64, name: &str, power: i32| {
            let expected = 0.5 * (a.value(name).unwrap().powi(power) + b.value(name).unwrap().powi(power));
            assert!((mean - expected.powf(f64::from(power).recip())).abs() < 1e-12, "{summary:?}");
        };
        for (name, power) in [("errors", 2), ("errors_widened", 2), ("coverage", 1), ("coverage_widened", 1)] {
            close(number(summary, name), name, power);
        }
        close(number(summary, "coverage_error") * 2.0_f64.sqrt(), "coverage_error", 2);
        close(number(summary, "width_ratio") * number(summary, "width"), "width_widened", 1);
    }
    // Multiplied scores are detected in nearly every sample, and plain intervals then have low
    // coverage.
    let violated = summaries.iter().filter(|summary| summary["kind"] == "other-version");
    let is_wider = |s: &Value| number(s, "coverage_widened") > number(s, "coverage") + 0.3;
    assert!(violated.clone().all(|s| number(s, "rejected") > 0.8 && is_wider(s)));
    assert_eq!(violated.count(), 3);
    assert_eq!(figure(&results).matches("<circle").count(), 2 * 4 * 3);
}
