//! What every arm found, over the pools and in each of them.

use super::{LABELS, PREVALENCES, Pools, Setting};
use crate::intervals::{Intervals, Over};
use crate::{Results, Study};
use serde::Serialize;

/// An arm over all pools, with so many labels and one prevalence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfPrevalence {
    /// Labels of each class.
    pub labels: u32,
    /// Share of positives in the test samples.
    pub alpha: f64,
    /// Pools that allow so many labels.
    pub pools: usize,
    /// The arm's name.
    pub arm: &'static str,
    /// What it found.
    #[serde(flatten)]
    pub over: Over,
}

/// An arm in one pool, over all prevalences, with so many labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfPool {
    /// The pool's name.
    pub pool: String,
    /// Labels of each class.
    pub labels: u32,
    /// The arm's name.
    pub arm: &'static str,
    /// What it found.
    #[serde(flatten)]
    pub over: Over,
}

/// Every arm over the pools that allow so many labels.
pub fn by_prevalence(study: &Pools, results: &Results<Intervals>) -> Vec<OfPrevalence> {
    let designs = LABELS.into_iter().flat_map(|labels| PREVALENCES.map(|alpha| (labels, alpha)));
    let of_design = |(labels, alpha)| {
        let these = move |setting: &Setting| setting.labels == labels && setting.alpha == alpha;
        let pools = study.settings().iter().filter(|setting| these(setting)).count();
        let found = of_arms(study, results, these);
        found.into_iter().map(move |(arm, over)| OfPrevalence { labels, alpha, pools, arm, over })
    };
    designs.flat_map(of_design).collect()
}

/// Every arm in each of the pools.
pub fn by_pool(study: &Pools, results: &Results<Intervals>) -> Vec<OfPool> {
    let of_pool = |settings: &[Setting]| {
        let Setting { pool, labels, .. } = &settings[0];
        let name = pool.name().to_owned();
        let labels = *labels;
        let found = of_arms(study, results, |setting| setting.pool.name() == name && setting.labels == labels);
        found.into_iter().map(move |(arm, over)| OfPool { pool: name.clone(), labels, arm, over }).collect::<Vec<_>>()
    };
    study.settings().chunks(PREVALENCES.len()).flat_map(of_pool).collect()
}

/// What each arm found in these settings, if any of them are finished.
fn of_arms(study: &Pools, results: &Results<Intervals>, these: impl Fn(&Setting) -> bool) -> Vec<(&'static str, Over)> {
    let of_arm = |(arm, name): (usize, &&'static str)| {
        let found: Vec<&Intervals> =
            results.of_arm(study, arm).filter(|(setting, _)| these(setting)).map(|(_, found)| found).collect();
        (!found.is_empty()).then(|| (*name, Over::new(&found)))
    };
    study.arms().iter().enumerate().filter_map(of_arm).collect()
}
