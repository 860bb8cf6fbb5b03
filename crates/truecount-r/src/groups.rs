//! Test scores in groups: tallies of each group or its parts, and strata with a model each.

use crate::error::CallResult;
use crate::executor::RThreads;
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::{NewDataColumns, interval_options, set_groups};
use truecount::model::ReplicateVariance;
use truecount_analysis::design_tallies::{DesignTallies, PartDesign};
use truecount_analysis::sets::TestSets;
use truecount_analysis::strata::StratifiedGroups;
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

/// Tallies groups, or the strata, clusters or replicates in them.
pub fn tally_groups(
    threads: &RThreads,
    model: &Model,
    columns: &NewDataColumns,
    sets: &TestSets,
    request: &RequestList,
) -> CallResult<DesignTallies> {
    let model = model.fitted.model();
    let number = u32::try_from(sets.sets.len()).expect("sets are numbered by u32");
    let groups = set_groups(request)?.unwrap_or_else(|| ((0..number).collect(), sets.sets.len()));
    let design = match (request.indices("set_strata")?, request.indices("set_clusters")?) {
        (Some(strata), clusters) => PartDesign::Strata {
            strata,
            clusters,
            sizes: request.vector("strata_sizes")?,
            units: request.vector("strata_units")?,
        },
        (None, Some(clusters)) => PartDesign::Clusters(clusters),
        (None, None) => PartDesign::Simple,
    };
    let tallies = DesignTallies::new(threads, model, sets, groups, design)?;
    let Some((weights, formula)) = replicates(request)? else { return Ok(tallies) };
    let weights: Vec<Vec<f64>> =
        weights.chunks(columns.number_of_rows()).map(|column| columns.sorted(column)).collect();
    Ok(tallies.with_replicates(threads, model, sets, weights.iter().map(Vec::as_slice), formula)?)
}

/// Returns the replicate weights, replicate after replicate, and the formula of their variance.
fn replicates(request: &RequestList) -> CallResult<Option<(Vec<f64>, ReplicateVariance)>> {
    let weights = request.vector("replicate_weights")?.filter(|weights| !weights.is_empty());
    let Some(weights) = weights else { return Ok(None) };
    let formula = ReplicateVariance {
        factors: request.vector("replicate_factors")?.unwrap_or_default(),
        about_mean: request.flag("replicates_about_mean")?,
        dof: request.number("replicate_dof")?.unwrap_or(f64::NAN),
    };
    Ok(Some((weights, formula)))
}
