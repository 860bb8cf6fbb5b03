//! Every arm over the pools, and in each of the pools.

use super::{LABELS, PREVALENCES, PoolSetting, PoolsStudy};
use crate::shared::{BLUE, CellFormat, GREEN, ResultColumn, ResultRow, ResultTable, Unit, VERMILION};
use crate::studies::intervals::{CoverageDots, CoverageSummary, IntervalSummary, coverage_figure};
use crate::studies::{Study, StudyResults, Summary, notes, share};
use serde::Serialize;

/// The file of the figure.
pub(crate) const FIGURE: &str = "pools.svg";

/// The summary of the study.
#[derive(Clone, Debug, Serialize)]
pub struct PoolsSummary {
    /// Every arm over the pools that allow so many labels.
    pub by_prevalence: Vec<PrevalenceSummary>,
    /// Every arm in each of the pools.
    pub by_pool: Vec<PoolSummary>,
    /// The same with all numbers of labels in one row.
    #[serde(skip)]
    pool_rows: Vec<PoolRow>,
}

/// An arm over all pools, with so many labels and one prevalence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrevalenceSummary {
    /// Labels of each class.
    pub labels: u32,
    /// Share of positives in the test samples.
    pub alpha: f64,
    /// Pools that allow so many labels.
    pub pools: usize,
    /// The arm's name.
    pub arm: &'static str,
    /// Its estimates and intervals.
    #[serde(flatten)]
    pub intervals: IntervalSummary,
}

/// An arm in one pool, over all prevalences, with so many labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolSummary {
    /// The pool's name.
    pub pool: String,
    /// Labels of each class.
    pub labels: u32,
    /// The arm's name.
    pub arm: &'static str,
    /// Its estimates and intervals.
    #[serde(flatten)]
    pub intervals: IntervalSummary,
}

/// An arm in a pool, over the prevalences.
#[derive(Clone, Debug)]
struct PoolRow {
    pool: String,
    arm: &'static str,
    /// With each of the numbers of labels, as far as the pool allows it.
    by_labels: [Option<IntervalSummary>; LABELS.len()],
}

impl PrevalenceSummary {
    /// Every arm with so many labels and this prevalence.
    fn arms(results: &StudyResults<PoolsStudy>, labels: u32, alpha: f64) -> Vec<Self> {
        let these = |setting: &PoolSetting| setting.labels == labels && setting.alpha == alpha;
        let pools = results.settings().iter().filter(|setting| these(setting)).count();
        let arms = summarise_arms(results, these);
        arms.into_iter().map(|(arm, intervals)| Self { labels, alpha, pools, arm, intervals }).collect()
    }
}

impl PoolSummary {
    /// Every arm in the pool of these settings, which have the same number of labels.
    fn arms(results: &StudyResults<PoolsStudy>, settings: &[PoolSetting]) -> Vec<Self> {
        let PoolSetting { ref pool, labels, .. } = settings[0];
        let arms = summarise_arms(results, |s| s.pool.name() == pool.name() && s.labels == labels);
        let row = |(arm, intervals)| Self { pool: pool.name().to_owned(), labels, arm, intervals };
        arms.into_iter().map(row).collect()
    }
}

/// Every arm in these settings, if any of them are finished.
fn summarise_arms(
    results: &StudyResults<PoolsStudy>,
    these: impl Fn(&PoolSetting) -> bool,
) -> Vec<(&'static str, IntervalSummary)> {
    let summary = |(place, arm): (usize, &&'static str)| {
        let statistics = results.in_arm_where(place, &these);
        (!statistics.is_empty()).then(|| (*arm, IntervalSummary::new(&statistics)))
    };
    PoolsStudy::ARMS.iter().enumerate().filter_map(summary).collect()
}

impl PoolRow {
    /// Every arm in every pool.
    fn all(summaries: &[PoolSummary]) -> Vec<Self> {
        let of_pool = |summaries: &[PoolSummary]| {
            let fewest = summaries.iter().take_while(|summary| summary.labels == LABELS[0]);
            let row = |PoolSummary { pool, arm, .. }: &PoolSummary| {
                let with = |labels| summaries.iter().find(|summary| summary.labels == labels && summary.arm == *arm);
                let by_labels = LABELS.map(|labels| with(labels).map(|summary| summary.intervals.clone()));
                Self { pool: pool.clone(), arm, by_labels }
            };
            fewest.map(row).collect::<Vec<_>>()
        };
        summaries.chunk_by(|a, b| a.pool == b.pool).flat_map(of_pool).collect()
    }
}

impl Summary<PoolsStudy> for PoolsSummary {
    fn new(results: &StudyResults<PoolsStudy>) -> Self {
        let designs = LABELS.into_iter().flat_map(|labels| PREVALENCES.map(|alpha| (labels, alpha)));
        let by_prevalence = designs.flat_map(|(labels, alpha)| PrevalenceSummary::arms(results, labels, alpha));
        let of_pools = results.settings().chunks(PREVALENCES.len());
        let by_pool: Vec<_> = of_pools.flat_map(|settings| PoolSummary::arms(results, settings)).collect();
        Self { by_prevalence: by_prevalence.collect(), pool_rows: PoolRow::all(&by_pool), by_pool }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        let prevalences = self.by_prevalence.chunk_by(|a, b| (a.labels, a.alpha) == (b.labels, b.alpha));
        let of_samples = prevalences.map(|rows| {
            let PrevalenceSummary { labels, alpha, pools, .. } = rows[0];
            let plural = if pools == 1 { "pool" } else { "pools" };
            let percent = (100.0 * alpha).round();
            let title = format!("{labels} labels of each class, {percent} % positives: {pools} {plural}");
            ResultTable::new(rows).titled(vec![title])
        });
        let pools = self.pool_rows.chunk_by(|a, b| a.pool == b.pool);
        of_samples.chain(pools.map(|rows| ResultTable::new(rows).titled(vec![rows[0].pool.clone()]))).collect()
    }

    fn notes(&self) -> Vec<String> {
        notes([
            "mean, min, max: coverage of the nominal 95 % intervals over the pools, %",
            "width: mean width of the intervals; MAE: mean absolute error",
            "[0, 1] and none: replications with that interval, and without an estimate, %",
            "30, 100, 500: labels of each class; means over the prevalences, coverage in %",
        ])
    }

    /// One row for every number of labels and arm with intervals: a dot for every pool and prevalence.
    fn figures(results: &StudyResults<PoolsStudy>) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        for (labels, colour) in LABELS.into_iter().zip([VERMILION, GREEN, BLUE]) {
            for (place, arm) in PoolsStudy::ARMS.iter().enumerate() {
                let these = results.in_arm_where(place, |setting| setting.labels == labels);
                let coverages: Vec<f64> = these.iter().filter_map(|statistics| statistics.coverage).collect();
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
            share(name, meaning, move |row: &Self| row.intervals.coverages.as_ref().map(value)).optional_as("")
        };
        vec![
            ResultColumn::new("labels", Unit::Count, "labels of each class", |row: &Self| u64::from(row.labels).into()),
            share("prevalence", "share of positives in the test samples", |row: &Self| row.alpha),
            ResultColumn::new("method", Unit::Text, "the method", |row: &Self| row.arm.into()).shown(CellFormat::AsIs),
            coverage("mean", "mean coverage over the pools", |c| c.mean).shown(CellFormat::Percentage(1)),
            coverage("min", "least coverage", |c| c.min).shown(CellFormat::Percentage(1)),
            coverage("max", "largest coverage", |c| c.max).shown(CellFormat::Percentage(1)),
            coverage("width", "mean width of the intervals", |c| c.width).shown(CellFormat::Decimals(4)),
            share("mae", "mean absolute error", |row: &Self| row.intervals.mae)
                .heading("MAE", CellFormat::Decimals(4))
                .optional(),
            share("vacuous", "replications whose interval is all of [0, 1]", |row: &Self| row.intervals.vacuous)
                .heading("[0, 1]", CellFormat::Rare),
            share("failed", "replications without an estimate", |row: &Self| row.intervals.none)
                .shown(CellFormat::Rare),
        ]
    }
}

impl ResultRow for PoolRow {
    const NAME: &'static str = "pools";

    fn columns() -> Vec<ResultColumn<Self>> {
        let mut columns = vec![
            ResultColumn::new("pool", Unit::Text, "the pool", |row: &Self| row.pool.as_str().into()),
            ResultColumn::new("method", Unit::Text, "the method", |row: &Self| row.arm.into()).shown(CellFormat::AsIs),
        ];
        let heading = |what, place: usize| {
            let labels = LABELS[place];
            if place == 0 { format!("{what}, {labels}") } else { labels.to_string() }
        };
        let sizes = || LABELS.into_iter().enumerate();
        columns.extend(sizes().map(|(place, labels)| {
            let meaning = format!("mean coverage over the prevalences, with {labels} labels of each class");
            ResultColumn::new(format!("coverage_{labels}"), Unit::Share, meaning, move |row: &Self| {
                row.by_labels[place].as_ref().and_then(|intervals| Some(intervals.coverages?.mean)).into()
            })
            .heading(heading("coverage", place), CellFormat::Percentage(1))
            .optional_as("")
        }));
        columns.extend(sizes().map(|(place, labels)| {
            let meaning = format!("mean absolute error over the prevalences, with {labels} labels of each class");
            ResultColumn::new(format!("mae_{labels}"), Unit::Share, meaning, move |row: &Self| {
                row.by_labels[place].as_ref().and_then(|intervals| intervals.mae).into()
            })
            .heading(heading("MAE", place), CellFormat::Decimals(4))
            .optional()
        }));
        columns
    }
}
