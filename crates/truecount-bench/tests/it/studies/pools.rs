//! Samples from pools: valid intervals even if the samples take the whole pool.

use super::{arm_index, complete, figure, number, summaries};
use serde_json::Value;
use truecount::LabelledScores;
use truecount::distribution::{Distribution, Normal};
use truecount_bench::studies::pools::{Pool, PoolSetting, PoolsStudy};
use truecount_bench::studies::{RunPlan, Study};

/// Returns a pool of quantiles of two normal classes whose means differ by two standard deviations.
fn pool(name: &str, positives: u32, negatives: u32) -> Pool {
    let class = |n: u32, mean: f64| {
        let class = Normal::new(mean, 1.0).unwrap();
        (0..n).map(move |i| class.inverse_cdf((f64::from(i) + 0.5) / f64::from(n)))
    };
    let scores: Vec<f64> = class(positives, 2.0).chain(class(negatives, 0.0)).collect();
    let labels: Vec<bool> = (0..positives + negatives).map(|i| i < positives).collect();
    Pool::new(name, LabelledScores::new(&scores, &labels).unwrap()).unwrap()
}

fn two_pools() -> Vec<PoolSetting> {
    PoolSetting::all([pool("small", 300, 600), pool("larger", 350, 600)])
}

/// The figure also has a dot for every setting and arm with intervals.
#[test]
fn summaries_follow_from_the_rows() {
    let results = complete::<PoolsStudy>(two_pools(), RunPlan { seed: 2, replications: 3 }, 2);
    let [by_prevalence, by_pool] = ["by_prevalence", "by_pool"].map(|list| summaries(&results, list));
    assert_eq!((by_prevalence.len(), by_pool.len()), (6 * 8, 3 * 8));
    let arms = PoolsStudy::ARMS.iter().cycle();
    assert!(by_prevalence.iter().map(|row| &row["arm"]).eq(arms.clone().take(6 * 8)));
    assert!(by_pool.iter().map(|row| &row["arm"]).eq(arms.take(3 * 8)));
    let pools = |row: &Value| usize::try_from(row["pools"].as_u64().unwrap()).unwrap();
    assert_eq!(by_prevalence.iter().map(pools).sum::<usize>(), (3 * 2 + 3) * 8);
    let has_mean_mae = |row: &Value, selected: &dyn Fn(&PoolSetting) -> bool, settings: usize| {
        let rows = results.select(arm_index::<PoolsStudy>(row["arm"].as_str().unwrap()), selected);
        assert_eq!(rows.iter().len(), settings);
        assert!((number(row, "mae") - rows.values("mae").iter().sum::<f64>() / settings as f64).abs() < 1e-15);
    };
    for row in &by_prevalence {
        has_mean_mae(row, &|s| row["labels"] == s.labels && row["alpha"] == s.alpha, pools(row));
    }
    for row in &by_pool {
        has_mean_mae(row, &|s| row["pool"] == s.pool.name() && row["labels"] == s.labels, 3);
        assert_eq!(row.get("mean").is_none(), row["arm"] == "dys");
    }
    assert_eq!(figure(&results).matches("<circle").count(), (3 + 6) * 7);
}
