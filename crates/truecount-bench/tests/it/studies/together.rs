//! Differences, ratios and totals: valid intervals, and summaries that follow from the rows.

use super::{complete, figure};
use truecount_bench::studies::intervals::BAND;
use truecount_bench::studies::together::{JointSetting, Quantity, QuantitySummary, TogetherStudy};
use truecount_bench::studies::{RunPlan, Study, Summary, SummaryRows};

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
        let coverages = results.in_arm(index).map(|(_, statistics)| statistics.coverage.unwrap());
        let mean = coverages.sum::<f64>() / 3.0;
        assert!((mean - 0.95).abs() < 4.0 * (0.95 * 0.05 / 600.0_f64).sqrt(), "{arm}: {mean}");
    }
}

/// The figure also has a dot for every setting and arm.
#[test]
fn summaries_follow_from_the_rows() {
    let results = complete::<TogetherStudy>(settings(), RunPlan { seed: 7, replications: 5 }, 2);
    let SummaryRows { summaries }: SummaryRows<QuantitySummary> = Summary::new(&results);
    assert_eq!(summaries.len(), TogetherStudy::ARMS.len());
    for (index, summary) in summaries.iter().enumerate() {
        let rows = results.in_arm_where(index, |_| true);
        let name = format!("{:?}", summary.quantity).to_lowercase();
        let arm = TogetherStudy::ARMS[index];
        assert_eq!(format!("{name} {}", summary.method), arm.replacen("against-", "against", 1));
        let coverage: Vec<f64> = rows.iter().map(|row| row.coverage.unwrap()).collect();
        let in_band = coverage.iter().filter(|c| (BAND[0]..=BAND[1]).contains(*c)).count() as f64 / 3.0;
        assert_eq!((summary.coverages.settings, summary.coverages.in_band), (3, in_band), "{arm}");
        assert_eq!(summary.coverages.mean, coverage.iter().sum::<f64>() / 3.0, "{arm}");
        let mut ratios: Vec<f64> = rows.iter().filter_map(|row| row.se_ratio).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        assert_eq!(summary.se_ratio, ratios.get(1).copied(), "{arm}");
        assert_eq!(summary.se_ratio.is_none(), summary.quantity == Quantity::Ratio);
        let endless: u32 = rows.iter().map(|row| row.endless).sum();
        assert_eq!((summary.endless, summary.none), (f64::from(endless) / 15.0, 0.0), "{arm}");
    }
    assert_eq!(figure(&results).matches("<circle").count(), 3 * TogetherStudy::ARMS.len());
}
