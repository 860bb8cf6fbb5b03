//! Test scores in groups, for what is found of them together: by a model for each stratum, or tallied, by clusters where there are some.

use crate::asked::RequestList;
use crate::executor::RThreads;
use crate::failure::RError;
use crate::model::Model;
use crate::tested::{TestColumns, reporting};
use truecount::Tallies;
use truecount_analysis::estimates::tally_sets;
use truecount_analysis::sets::TestSets;
use truecount_analysis::strata::StratifiedGroups;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::TotalOptions;

/// What is asked of groups together.
pub fn summed(asked: &RequestList) -> Result<TotalOptions, RError> {
    let (weights, populations) = (asked.vector("total_weights")?, asked.vector("populations")?);
    Ok(TotalOptions { reporting: reporting(asked)?, total: asked.flag("total")?, weights, populations })
}

/// The strata with a model for each, if these are asked for.
pub fn strata<'a>(
    threads: &RThreads,
    models: &[&'a Model],
    sets: &TestSets<'a>,
    asked: &RequestList,
) -> Result<Option<StratifiedGroups<'a>>, RError> {
    let (Some((groups, number)), Some(blocks)) = (TestColumns::parts(asked)?, asked.numbered("blocks")?) else {
        return Ok(None);
    };
    let check = asked.flag("check")?;
    let models = models.iter().map(|model| model.fitted.select(check)).collect();
    let blocks = blocks.into_iter().map(|block| block as usize).collect();
    Ok(Some(StratifiedGroups::new(threads, models, sets, blocks, (&groups, number), &reporting(asked)?)?))
}

/// The tallies of groups, or of the clusters in them.
pub struct GroupedTallies {
    tallies: Vec<Tallies>,
    parts: Option<(Vec<u32>, usize)>,
    clusters: Option<Vec<u32>>,
}

impl GroupedTallies {
    pub fn new(threads: &RThreads, model: &Model, sets: &TestSets, asked: &RequestList) -> Result<Self, RError> {
        let tallies = tally_sets(threads, model.fitted.model(), sets)?;
        let (parts, clusters) = (TestColumns::parts(asked)?, asked.numbered("clusters")?);
        Ok(Self { tallies, parts, clusters })
    }

    /// Returns the groups, for a model with the check or without.
    pub fn groups<'a>(&'a self, model: &'a truecount::Model) -> TalliedGroups<'a> {
        let tallied = TalliedGroups::new(model, &self.tallies, None);
        match &self.parts {
            Some((groups, number)) => tallied.with_parts(groups, *number, self.clusters.as_deref()),
            None => tallied,
        }
    }
}
