//! Intervals hold under survey designs.

use super::complete;
use truecount_bench::studies::RunPlan;
use truecount_bench::studies::designs::{SurveySetting, SurveyStudy};

/// With 100 samples, a coverage of 95 % has a standard error of 2.2 %; the tolerance is four
/// standard errors.
#[test]
fn intervals_hold_under_every_design() {
    let settings = SurveySetting::all().into_iter().filter(|s| s.labels == 100 && s.alpha == 0.2).collect();
    let results = complete::<SurveyStudy>(settings, RunPlan { seed: 3, replications: 100 }, 2);
    for arm in 0..2 {
        for (setting, statistics) in results.in_arm(arm) {
            let coverage = statistics.value("coverage").unwrap();
            assert!(coverage >= 0.86, "{setting:?}: {coverage}");
        }
    }
}
