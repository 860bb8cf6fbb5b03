//! Intervals hold under survey designs, and are widened where the check rejects.

use super::{complete, number, summaries};
use truecount_bench::studies::RunPlan;
use truecount_bench::studies::breach::{BreachKind, BreachSetting, BreachStudy};
use truecount_bench::studies::designs::{SurveySetting, SurveyStudy};

/// With 100 samples, a coverage of 95 % has a standard error of 2.2 %; the tolerance is four standard errors.
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

/// Multiplied scores are detected in nearly every sample, and plain intervals then have low coverage.
#[test]
fn intervals_are_widened_where_the_check_rejects() {
    let is_selected =
        |s: &BreachSetting| s.kind == BreachKind::OtherVersion && s.size == 0.75 && s.n == 1000 && s.alpha >= 0.5;
    let settings = BreachSetting::all().into_iter().filter(is_selected).collect();
    let rows = summaries(&complete::<BreachStudy>(settings, RunPlan { seed: 7, replications: 20 }, 2), "summaries");
    let (plain, widened) = rows.split_at(3);
    for (plain, widened) in plain.iter().zip(widened) {
        assert_eq!(widened["arm"].as_str().unwrap(), format!("{} widened", plain["arm"].as_str().unwrap()));
        assert!(number(plain, "rejected") > 0.8 && number(widened, "mean") > number(plain, "mean") + 0.3, "{widened}");
    }
}
