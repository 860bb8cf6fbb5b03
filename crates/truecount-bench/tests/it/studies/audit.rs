//! Labels inside the target give valid intervals without assumptions about the scores.

use super::{complete, number, summaries};
use truecount_bench::studies::audit::{AuditSetting, AuditStudy};
use truecount_bench::studies::{RunPlan, Study};

/// Returns a setting with transportable external labels, and one without.
fn settings() -> Vec<AuditSetting> {
    let selected = |s: &AuditSetting| s.audited == 400 && s.alpha == 0.2 && (s.shift == 0.0 || s.shift == 0.8);
    AuditSetting::all().into_iter().filter(selected).collect()
}

/// With 200 samples, a coverage of 95 % has a standard error of 1.5 %; the tolerance is four
/// standard errors.
#[test]
fn an_audit_needs_no_assumption() {
    let results = complete::<AuditStudy>(settings(), RunPlan { seed: 7, replications: 200 }, 2);
    for (arm, name) in AuditStudy::ARMS.iter().enumerate() {
        for (setting, statistics) in results.in_arm(arm) {
            let coverage = statistics.value("coverage").unwrap();
            if *name == "external" && setting.shift > 0.0 {
                assert!(coverage < 0.1, "{coverage}");
            } else {
                assert!((0.89..=1.0).contains(&coverage), "{name}, {setting:?}: {coverage}");
            }
        }
    }
    let summaries = summaries(&results, "summaries");
    let width = |arm: &str, shift: f64| {
        number(summaries.iter().find(|summary| summary["arm"] == arm && summary["shift"] == shift).unwrap(), "width")
    };
    // Scores make intervals narrower, drawing by score more so, and so do transportable external
    // labels.
    assert!(width("ppi++", 0.0) < 0.85 * width("labels", 0.0));
    assert!(width("by score", 0.0) < 0.95 * width("ppi++", 0.0));
    assert!(width("combined", 0.0) < 0.97 * width("ppi++", 0.0));
}
