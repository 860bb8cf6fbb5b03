//! The summary of every arm over the pools, and in each pool.

use super::{LABELS, PREVALENCES, PoolSetting, PoolsStudy};
use crate::shared::{BLUE, CellFormat, GREEN, ResultColumn, ResultRow, ResultTable, VERMILION};
use crate::studies::intervals::{CoverageDots, CoverageSummary, IntervalSummary, coverage_figure};
use crate::studies::{Study, StudyResults, Summary, notes};
use serde::Serialize;

pub(crate) const FIGURE: &str = "pools.svg";

/// The summary of the study.
#[derive(Clone, Debug, Serialize)]
pub struct PoolsSummary {
    /// Every arm over all pools, by number of labels and prevalence.
    pub by_prevalence: Vec<PrevalenceSummary>,
    /// Every arm in each pool, by number of labels.
    pub by_pool: Vec<PoolSummary>,
    /// Every arm in each pool, with all numbers of labels in one row.
    #[serde(skip)]
    pool_rows: Vec<PoolRow>,
}

/// The summary of an arm over all pools, for one number of labels and one prevalence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrevalenceSummary {
    /// Labels of each class.
    pub labels: u32,
    /// Share of positives in the test samples.
    pub alpha: f64,
    /// The number of pools that allow this many labels.
    pub pools: usize,
    /// The arm's name.
    pub arm: &'static str,
    /// The summary of the arm's estimates and intervals.
    #[serde(flatten)]
    pub intervals: IntervalSummary,
}

/// The summary of an arm in one pool over all prevalences, for one number of labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolSummary {
    /// The pool's name.
    pub pool: String,
    /// Labels of each class.
    pub labels: u32,
    /// The arm's name.
    pub arm: &'static str,
    /// The summary of the arm's estimates and intervals.
    #[serde(flatten)]
    pub intervals: IntervalSummary,
}

/// The summaries of an arm in a pool over the prevalences.
#[derive(Clone, Debug)]
struct PoolRow {
    pool: String,
    arm: &'static str,
    /// The summary for each number of labels; `None` if the pool does not allow it.
    by_labels: [Option<IntervalSummary>; LABELS.len()],
}

impl PrevalenceSummary {
    /// Summarises every arm for this number of labels and this prevalence.
    fn arms(results: &StudyResults<PoolsStudy>, labels: u32, alpha: f64) -> Vec<Self> {
        let selected = |setting: &PoolSetting| setting.labels == labels && setting.alpha == alpha;
        let pools = results.settings().iter().filter(|setting| selected(setting)).count();
        let arms = summarise_arms(results, selected);
        arms.into_iter().map(|(arm, intervals)| Self { labels, alpha, pools, arm, intervals }).collect()
    }
}

impl PoolSummary {
    /// Summarises every arm in the pool of these settings, which have the same number of labels.
    fn arms(results: &StudyResults<PoolsStudy>, settings: &[PoolSetting]) -> Vec<Self> {
        let PoolSetting { ref pool, labels, .. } = settings[0];
        let arms = summarise_arms(results, |s| s.pool.name() == pool.name() && s.labels == labels);
        let row = |(arm, intervals)| Self { pool: pool.name().to_owned(), labels, arm, intervals };
        arms.into_iter().map(row).collect()
    }
}

/// Summarises every arm in the selected settings; empty if none of them are finished.
fn summarise_arms(
    results: &StudyResults<PoolsStudy>,
    selected: impl Fn(&PoolSetting) -> bool,
) -> Vec<(&'static str, IntervalSummary)> {
    let summary = |(index, arm): (usize, &&'static str)| {
        let statistics = results.in_arm_where(index, &selected);
        (!statistics.is_empty()).then(|| (*arm, IntervalSummary::new(&statistics)))
    };
    PoolsStudy::ARMS.iter().enumerate().filter_map(summary).collect()
}

impl PoolRow {
    /// Returns the rows of every arm in every pool.
    fn all(summaries: &[PoolSummary]) -> Vec<Self> {
        let pool_rows = |summaries: &[PoolSummary]| {
            let fewest_labels = summaries.iter().take_while(|summary| summary.labels == LABELS[0]);
            let row = |PoolSummary { pool, arm, .. }: &PoolSummary| {
                let find = |labels| summaries.iter().find(|summary| summary.labels == labels && summary.arm == *arm);
                let by_labels = LABELS.map(|labels| find(labels).map(|summary| summary.intervals.clone()));
                Self { pool: pool.clone(), arm, by_labels }
            };
            fewest_labels.map(row).collect::<Vec<_>>()
        };
        summaries.chunk_by(|a, b| a.pool == b.pool).flat_map(pool_rows).collect()
    }
}

impl Summary<PoolsStudy> for PoolsSummary {
    fn new(results: &StudyResults<PoolsStudy>) -> Self {
        let designs = LABELS.into_iter().flat_map(|labels| PREVALENCES.map(|alpha| (labels, alpha)));
        let by_prevalence = designs.flat_map(|(labels, alpha)| PrevalenceSummary::arms(results, labels, alpha));
        let chunks = results.settings().chunks(PREVALENCES.len());
        let by_pool: Vec<_> = chunks.flat_map(|settings| PoolSummary::arms(results, settings)).collect();
        Self { by_prevalence: by_prevalence.collect(), pool_rows: PoolRow::all(&by_pool), by_pool }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        let prevalences = self.by_prevalence.chunk_by(|a, b| (a.labels, a.alpha) == (b.labels, b.alpha));
        let by_prevalence = prevalences.map(|rows| {
            let PrevalenceSummary { labels, alpha, pools, .. } = rows[0];
            let plural = if pools == 1 { "pool" } else { "pools" };
            let percent = (100.0 * alpha).round();
            let title = format!("{labels} labels of each class, {percent} % positives: {pools} {plural}");
            ResultTable::new(rows).titled(vec![title])
        });
        let pools = self.pool_rows.chunk_by(|a, b| a.pool == b.pool);
        by_prevalence.chain(pools.map(|rows| ResultTable::new(rows).titled(vec![rows[0].pool.clone()]))).collect()
    }

    fn notes(&self) -> Vec<String> {
        notes([
            "mean, min, max: coverage of the nominal 95 % intervals over the pools, %",
            "width: mean width of the intervals; MAE: mean absolute error",
            "[0, 1] and none: replications with that interval, and without an estimate, %",
            "30, 100, 500: labels of each class; means over the prevalences, coverage in %",
        ])
    }

    /// Draws one row for every number of labels and arm with intervals, with a dot for every pool
    /// and prevalence.
    fn figures(results: &StudyResults<PoolsStudy>) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        for (labels, colour) in LABELS.into_iter().zip([VERMILION, GREEN, BLUE]) {
            for (index, arm) in PoolsStudy::ARMS.iter().enumerate() {
                let settings = results.in_arm_where(index, |setting| setting.labels == labels);
                let coverages: Vec<f64> = settings.iter().filter_map(|statistics| statistics.coverage).collect();
                if !coverages.is_empty() {
                    rows.push(CoverageDots { name: format!("{labels} labels, {arm}"), colour, coverages });
                }
            }
        }
        vec![(FIGURE.to_owned(), coverage_figure(&rows))]
    }
}

impl ResultRow for PrevalenceSummary {
    const NAME: &'static str = "prevalences";

    fn columns() -> Vec<ResultColumn<Self>> {
        let coverage = |name, meaning, value: fn(&CoverageSummary) -> f64| {
            Self::share(name, meaning, move |row| row.intervals.coverages.as_ref().map(value)).optional_as("")
        };
        vec![
            Self::count("labels", "labels of each class", |row| u64::from(row.labels)),
            Self::share("prevalence", "share of positives in the test samples", |row| row.alpha),
            Self::text("method", "the method", |row| row.arm.into()).shown(CellFormat::AsIs),
            coverage("mean", "mean coverage over the pools", |c| c.mean).shown(CellFormat::Percentage(1)),
            coverage("min", "least coverage", |c| c.min).shown(CellFormat::Percentage(1)),
            coverage("max", "largest coverage", |c| c.max).shown(CellFormat::Percentage(1)),
            coverage("width", "mean width of the intervals", |c| c.width).shown(CellFormat::Decimals(4)),
            Self::share("mae", "mean absolute error", |row| row.intervals.mae).heading("MAE", CellFormat::Decimals(4)),
            Self::share("vacuous", "replications whose interval is all of [0, 1]", |row| row.intervals.vacuous)
                .heading("[0, 1]", CellFormat::Rare),
            Self::share("failed", "replications without an estimate", |row| row.intervals.none).shown(CellFormat::Rare),
        ]
    }
}

impl ResultRow for PoolRow {
    const NAME: &'static str = "pools";

    fn columns() -> Vec<ResultColumn<Self>> {
        let mut columns = vec![
            Self::text("pool", "the pool", |row| row.pool.as_str().into()),
            Self::text("method", "the method", |row| row.arm.into()).shown(CellFormat::AsIs),
        ];
        let heading = |measure, index: usize| {
            let labels = LABELS[index];
            if index == 0 { format!("{measure}, {labels}") } else { labels.to_string() }
        };
        let sizes = || LABELS.into_iter().enumerate();
        columns.extend(sizes().map(|(index, labels)| {
            let meaning = format!("mean coverage over the prevalences, with {labels} labels of each class");
            Self::share(format!("coverage_{labels}"), meaning, move |row| {
                row.by_labels[index].as_ref().and_then(|intervals| Some(intervals.coverages?.mean))
            })
            .heading(heading("coverage", index), CellFormat::Percentage(1))
            .optional_as("")
        }));
        columns.extend(sizes().map(|(index, labels)| {
            let meaning = format!("mean absolute error over the prevalences, with {labels} labels of each class");
            Self::share(format!("mae_{labels}"), meaning, move |row| {
                row.by_labels[index].as_ref().and_then(|intervals| intervals.mae)
            })
            .heading(heading("MAE", index), CellFormat::Decimals(4))
        }));
        columns
    }
}
