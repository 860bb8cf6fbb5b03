//! The summary of every arm over the pools, and in each pool.

use super::{LABELS, PREVALENCES, PoolsStudy};
use crate::shared::{BLUE, GREEN, VERMILION};
use crate::studies::intervals::{CoverageDots, FAILED, REPLICATIONS, coverage_figure};
use crate::studies::samples::cross;
use crate::studies::summary::{decimals, percent, rare};
use crate::studies::{SelectedSettings, Study, StudyResults, StudySummary, SummaryTable};
use serde_json::{Value, json};

pub(crate) const FIGURE: &str = "pools.svg";

/// Summarises every arm over all pools, by number of labels and prevalence, and in each pool, by number
/// of labels. The figure has a row for every number of labels and arm with intervals, with a dot for
/// every pool and prevalence.
pub fn summary(results: &StudyResults<PoolsStudy>) -> StudySummary {
    let mut summary = StudySummary::with_notes([
        "mean, min, max: coverage of the nominal 95 % intervals over the pools, %",
        "width: mean width of the intervals; MAE: mean absolute error",
        "[0, 1] and none: replications with that interval, and without an estimate, %",
        "30, 100, 500: labels of each class; means over the prevalences, coverage in %",
    ]);
    for (labels, alpha) in cross(LABELS, PREVALENCES) {
        add_prevalence(results, labels, alpha, &mut summary);
    }
    let mut pools: Vec<&str> = results.settings().iter().map(|setting| setting.pool.name()).collect();
    pools.dedup();
    for pool in pools {
        add_pool(results, pool, &mut summary);
    }
    let mut dots = Vec::new();
    for (labels, colour) in LABELS.into_iter().zip([VERMILION, GREEN, BLUE]) {
        for (arm, settings) in results.arms(|setting| setting.labels == labels) {
            let arm_dots = CoverageDots::new(format!("{labels} labels, {arm}"), colour, &settings);
            dots.extend(Some(arm_dots).filter(|dots| !dots.coverages.is_empty()));
        }
    }
    summary.figures.push((FIGURE.to_owned(), coverage_figure(&dots)));
    summary
}

/// Adds every arm over all pools that allow this many labels, for one prevalence.
fn add_prevalence(results: &StudyResults<PoolsStudy>, labels: u32, alpha: f64, summary: &mut StudySummary) {
    let header = ["method", "mean", "min", "max", "width", "MAE", "[0, 1]", "failed"];
    let (mut table, mut title) = (SummaryTable::new(header), String::new());
    for (arm, settings) in results.arms(|setting| setting.labels == labels && setting.alpha == alpha) {
        let pools = settings.iter().len();
        if pools == 0 {
            continue;
        }
        let percent_positive = (100.0 * alpha).round();
        let plural = if pools == 1 { "pool" } else { "pools" };
        title = format!("{labels} labels of each class, {percent_positive} % positives: {pools} {plural}");
        let key = json!({"labels": labels, "alpha": alpha, "pools": pools, "arm": arm});
        let [coverages, errors] = fields(&settings);
        summary.push("by_prevalence", [key, coverages, errors]);
        let coverage = settings.coverage();
        let blank = || coverage.is_none().then(String::new);
        let [mean, min, max] = [coverage.map(|c| c.mean), coverage.map(|c| c.min), coverage.map(|c| c.max)]
            .map(|share| blank().unwrap_or_else(|| percent(share, 1)));
        let width = blank().unwrap_or_else(|| decimals(coverage.map(|c| c.width), 4));
        let [vacuous, none] = [&["vacuous"][..], &FAILED].map(|counts| rare(settings.share(counts, &REPLICATIONS)));
        table.push([arm.to_owned(), mean, min, max, width, decimals(settings.mean("mae"), 4), vacuous, none]);
    }
    summary.add_table(table.titled(title));
}

/// Adds every arm in a pool over the prevalences, with all numbers of labels in one row of the table.
fn add_pool(results: &StudyResults<PoolsStudy>, pool: &str, summary: &mut StudySummary) {
    let header = ["method", "coverage, 30", "100", "500", "MAE, 30", "100", "500"];
    let mut table = SummaryTable::new(header).titled(pool);
    for labels in LABELS {
        for (arm, settings) in results.arms(|s| s.pool.name() == pool && s.labels == labels) {
            if settings.iter().len() > 0 {
                let [coverages, errors] = fields(&settings);
                summary.push("by_pool", [json!({"pool": pool, "labels": labels, "arm": arm}), coverages, errors]);
            }
        }
    }
    for (index, arm) in PoolsStudy::ARMS.iter().enumerate() {
        let by_labels = LABELS.map(|labels| results.select(index, |s| s.pool.name() == pool && s.labels == labels));
        let [a, b, c] = by_labels
            .each_ref()
            .map(|settings| settings.coverage().map_or_else(String::new, |coverage| percent(coverage.mean, 1)));
        let [d, e, f] = by_labels.map(|settings| decimals(settings.mean("mae"), 4));
        table.push([(*arm).to_owned(), a, b, c, d, e, f]);
    }
    summary.add_table(table);
}

/// Returns the fields of an arm's estimates and intervals in `summary.json`.
fn fields(settings: &SelectedSettings) -> [Value; 2] {
    let [none, vacuous] = [&FAILED[..], &["vacuous"]].map(|counts| settings.share(counts, &REPLICATIONS));
    [json!(settings.coverage()), json!({"mae": settings.mean("mae"), "none": none, "vacuous": vacuous})]
}
