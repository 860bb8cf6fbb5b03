//! Differences, ratios and totals: valid intervals, and summaries that follow from the rows.

use super::{complete, figure, number, summaries};
use truecount_bench::studies::intervals::BAND;
use truecount_bench::studies::together::{JointSetting, TogetherStudy};
use truecount_bench::studies::{RunPlan, Study};

/// Returns three settings with both targets.
fn settings() -> Vec<JointSetting> {
    let selected = |s: &JointSetting| s.labels == 100 && s.n_first == 100 && s.first == 0.3;
    JointSetting::all().into_iter().filter(selected).take(3).collect()
}

/// The mean coverage over the three settings is nominal within four Monte Carlo errors.
#[test]
fn intervals_have_nominal_coverage_away_from_0_and_1() {
    let results = complete::<TogetherStudy>(settings(), RunPlan { seed: 7, replications: 200 }, 2);
    for (index, arm) in TogetherStudy::ARMS.iter().enumerate() {
        let coverages = results.in_arm(index).map(|(_, statistics)| statistics.value("coverage").unwrap());
        let mean = coverages.sum::<f64>() / 3.0;
        assert!((mean - 0.95).abs() < 4.0 * (0.95 * 0.05 / 600.0_f64).sqrt(), "{arm}: {mean}");
    }
}

/// The figure also has a dot for every setting and arm.
#[test]
fn summaries_follow_from_the_rows() {
    let results = complete::<TogetherStudy>(settings(), RunPlan { seed: 7, replications: 5 }, 2);
    let summaries = summaries(&results, "summaries");
    assert_eq!(summaries.len(), TogetherStudy::ARMS.len());
    for (index, (summary, arm)) in summaries.iter().zip(TogetherStudy::ARMS).enumerate() {
        let rows = results.select(index, |_| true);
        let [quantity, method] = ["quantity", "method"].map(|name| summary[name].as_str().unwrap());
        assert_eq!(format!("{quantity} {method}"), *arm);
        let coverage = rows.values("coverage");
        let in_band = coverage.iter().filter(|c| (BAND[0]..=BAND[1]).contains(*c)).count() as f64 / 3.0;
        assert_eq!((&summary["settings"], number(summary, "in_band")), (&3.into(), in_band), "{arm}");
        assert_eq!(number(summary, "mean"), coverage.iter().sum::<f64>() / 3.0, "{arm}");
        let mut ratios = rows.values("se_ratio");
        ratios.sort_unstable_by(f64::total_cmp);
        assert_eq!(summary["se_ratio"].as_f64(), ratios.get(1).copied(), "{arm}");
        assert_eq!(summary["se_ratio"].is_null(), quantity == "ratio");
        let endless: u32 = rows.iter().map(|row| row.count("endless")).sum();
        assert_eq!((number(summary, "endless"), number(summary, "none")), (f64::from(endless) / 15.0, 0.0), "{arm}");
    }
    assert_eq!(figure(&results).matches("<circle").count(), 3 * TogetherStudy::ARMS.len());
}
