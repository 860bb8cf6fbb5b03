//! Test scores in groups, for what is found of them together: by a model for each stratum, or tallied, by clusters where there are some.

use crate::asked::Asked;
use crate::executor::Threads;
use crate::failure::Failure;
use crate::model::Model;
use crate::tested::{Tested, reporting};
use truecount_analysis::groups::MergedTallies;
use truecount_analysis::held::{self, Cells, Sets, Strata, Summed};

/// What is asked of groups together.
pub fn summed(asked: &Asked) -> Result<Summed, Failure> {
    let (weights, populations) = (asked.vector("total_weights")?, asked.vector("populations")?);
    Ok(Summed { reporting: reporting(asked)?, total: asked.flag("total")?, weights, populations })
}

/// The strata with a model for each, if these are asked for.
pub fn strata<'a>(
    threads: &Threads,
    models: &[&'a Model],
    sets: &Sets<'a>,
    asked: &Asked,
) -> Result<Option<Strata<'a>>, Failure> {
    let (Some((groups, number)), Some(blocks)) = (Tested::parts(asked)?, asked.numbered("blocks")?) else {
        return Ok(None);
    };
    let check = asked.flag("check")?;
    let models = models.iter().map(|model| model.fitted.checked_if(check)).collect();
    let blocks = blocks.into_iter().map(|block| block as usize).collect();
    Ok(Some(Strata::new(threads, models, sets, blocks, (&groups, number), &reporting(asked)?)?))
}

/// The tallies of groups, or of the clusters in them.
pub struct Tallied {
    tallies: MergedTallies,
    parts: Option<(Vec<u32>, usize)>,
    clusters: Option<Vec<u32>>,
}

impl Tallied {
    pub fn new(threads: &Threads, model: &Model, sets: &Sets, asked: &Asked) -> Result<Self, Failure> {
        let contents = held::tallied(threads, model.fitted.model(), sets)?;
        let (parts, clusters) = (Tested::parts(asked)?, asked.numbered("clusters")?);
        Ok(Self { tallies: MergedTallies { contents, together: None }, parts, clusters })
    }

    pub fn cells(&self) -> Cells<'_> {
        match &self.parts {
            Some((groups, number)) => {
                Cells::of_parts(&self.tallies.contents, groups, *number, self.clusters.as_deref())
            }
            None => Cells::new(&self.tallies),
        }
    }
}
