//! Test scores in groups: tallies of each group or its clusters, and strata with a model each.

use crate::error::CallResult;
use crate::executor::RThreads;
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::{interval_options, set_groups};
use truecount::Tally;
use truecount_analysis::estimates::tally_sets;
use truecount_analysis::sets::TestSets;
use truecount_analysis::strata::StratifiedGroups;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::TotalOptions;

/// Returns the options of the total of the groups.
pub fn total_options(request: &RequestList) -> CallResult<TotalOptions> {
    let (weights, populations) = (request.vector("total_weights")?, request.vector("populations")?);
    Ok(TotalOptions {
        interval_options: interval_options(request)?,
        total: request.flag("total")?,
        weights,
        populations,
    })
}

/// Returns the groups with their strata, or `None` if one model estimates all rows.
pub fn stratified_groups<'a>(
    threads: &RThreads,
    models: &[&'a Model],
    sets: &TestSets<'a>,
    request: &RequestList,
) -> CallResult<Option<StratifiedGroups<'a>>> {
    let (Some((groups, number)), Some(blocks)) = (set_groups(request)?, request.indices("set_models")?) else {
        return Ok(None);
    };
    let check = request.flag("check")?;
    let models = models.iter().map(|model| model.fitted.select(check)).collect();
    let blocks = blocks.into_iter().map(|block| block as usize).collect();
    Ok(Some(StratifiedGroups::new(threads, models, sets, blocks, (&groups, number), &interval_options(request)?)?))
}

/// The tallies of groups, or of the clusters in them.
pub struct GroupedTallies {
    tallies: Vec<Tally>,
    set_groups: Option<(Vec<u32>, usize)>,
    clusters: Option<Vec<u32>>,
}

impl GroupedTallies {
    pub fn new(threads: &RThreads, model: &Model, sets: &TestSets, request: &RequestList) -> CallResult<Self> {
        let tallies = tally_sets(threads, model.fitted.model(), sets)?;
        let (set_groups, clusters) = (set_groups(request)?, request.indices("set_clusters")?);
        Ok(Self { tallies, set_groups, clusters })
    }

    /// Returns the groups, for a model with or without the shift check.
    pub fn groups<'a>(&'a self, model: &'a truecount::Model) -> TalliedGroups<'a> {
        let tallied = TalliedGroups::new(model, &self.tallies, None);
        match &self.set_groups {
            Some((groups, number)) => tallied.with_parts(groups, *number, self.clusters.as_deref()),
            None => tallied,
        }
    }
}
