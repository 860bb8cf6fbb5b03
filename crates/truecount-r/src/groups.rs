//! Test scores in groups and their parts, and requests for their estimates.

use crate::error::CallResult;
use crate::executor::RThreads;
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::{NewDataColumns, interval_options, set_groups};
use std::borrow::Cow;
use truecount::Tally;
use truecount::model::ReplicateVariance;
use truecount::model::{LonelyPsu, StratumPopulation, TestStrata};
use truecount_analysis::design_tallies::CellDesign;
use truecount_analysis::groups::{GroupNames, TextNames};
use truecount_analysis::output::Stratum;
use truecount_analysis::request::{EstimateRequest, Sizes, StratumModels};
use truecount_analysis::rows::{GroupCells, MemoryRows, TestRows};
use truecount_analysis::standard::{GroupSizes, Standard};
use truecount_analysis::totals::TotalOptions;

pub fn total_options(request: &RequestList) -> CallResult<TotalOptions> {
    let GroupSizes { standard, populations } = group_sizes(request)?;
    Ok(TotalOptions {
        interval_options: interval_options(request)?,
        total: request.flag("total")?,
        standard,
        populations,
    })
}

/// Returns the sizes of the groups.
pub fn group_sizes(request: &RequestList) -> CallResult<GroupSizes> {
    let standard = request.vector("standard_sizes")?.map(Standard::single_set);
    Ok(GroupSizes { standard, populations: request.vector("populations")? })
}

/// Returns the names of the groups, whose values in all grouping columns follow one another.
pub fn group_names(request: &RequestList) -> CallResult<TextNames> {
    let columns = request.texts("group_columns")?;
    let mut names = request.texts("group_names")?.into_iter().map(Some);
    let number = names.len() / columns.len().max(1);
    let columns = columns.into_iter().map(|column| (column, names.by_ref().take(number).collect()));
    Ok(TextNames::from_columns(columns.collect()))
}

/// Returns the request for estimates of groups, whose columns R has converted to parts.
pub fn estimate_request(are_weighted: bool, request: &RequestList) -> CallResult<EstimateRequest> {
    let weight = are_weighted.then(|| "weights".to_owned());
    let options = EstimateRequest { weight, ..request.read()? };
    // The rows come with their sampling design, which restricts the options.
    let given = |name: &str| Ok::<_, savvy::Error>(request.vector(name)?.filter(|values| !values.is_empty()));
    let column = |name: &str, is_given: bool| is_given.then(|| name.to_owned());
    let populations = given("populations")?.map(|_| Sizes::Column("population".to_owned()));
    let with_design = EstimateRequest {
        population: options.population.clone().or(populations),
        stratum: column("stratum", request.indices("set_strata")?.is_some()),
        cluster: column("cluster", request.indices("set_clusters")?.is_some()),
        lonely_psu: lonely_psu(request)?,
        replicates: column("replicates", given("replicate_weights")?.is_some()),
        ..options.clone()
    };
    with_design.check()?;
    Ok(options)
}

/// Returns the treatment of strata with a single row or cluster.
fn lonely_psu(request: &RequestList) -> CallResult<Option<LonelyPsu>> {
    Ok(request.text("strata_lonely")?.map(|name| name.parse()).transpose()?)
}

/// Returns the strata and clusters of the parts of groups.
pub fn cell_design(request: &RequestList) -> CallResult<CellDesign> {
    let population = match request.vector("strata_sizes")? {
        Some(of_strata) if request.flag("counts_clusters")? => {
            Some(StratumPopulation::Clusters { of_strata, rows: request.vector("cluster_rows")? })
        }
        sizes => sizes.map(StratumPopulation::Rows),
    };
    let (strata, clusters) = (request.indices("set_strata")?.unwrap_or_default(), request.indices("set_clusters")?);
    let (units, lonely) = (request.vector("strata_units")?, lonely_psu(request)?.unwrap_or_default());
    Ok(TestStrata { strata, clusters, population, units, lonely }.into())
}

/// Returns the rows with their groups and the parts of these.
pub fn memory_rows<'a>(columns: &'a NewDataColumns, request: &RequestList) -> CallResult<MemoryRows<'a, TextNames>> {
    let sets = columns.sets()?;
    let number = u32::try_from(sets.sets.len()).expect("sets are numbered by u32");
    let (groups, number) = set_groups(request)?.unwrap_or_else(|| ((0..number).collect(), sets.sets.len()));
    let names = match group_names(request)? {
        names if names.columns().next().is_some() => names,
        _ => TextNames::new(Vec::new(), vec![Vec::new(); number]),
    };
    let (design, sizes) = (cell_design(request)?, group_sizes(request)?);
    let model_strata = request.indices("set_models")?.unwrap_or_default().iter().map(u32::to_string).collect();
    let contents = sets.sets.iter().map(|set| set.map(|column| Cow::Borrowed(*column))).collect();
    let parts = GroupCells { contents, shift_total: None, names, groups, design, units: None, sizes, model_strata };
    let replicates = replicates(request)?.map(|(weights, formula)| {
        let weights = weights.chunks(columns.number_of_rows());
        (weights.map(|column| Cow::Owned(columns.sorted(column))).collect(), formula)
    });
    Ok(MemoryRows { parts, part_of_row: sets.groups, replicates })
}

/// Returns the models of the strata, or `None` if one model estimates all rows.
pub fn stratum_models(models: &[&Model], request: &RequestList) -> CallResult<Option<StratumModels>> {
    if request.indices("set_models")?.is_none() {
        return Ok(None);
    }
    let (names, check) = (request.texts("model_names")?, request.flag("check")?);
    let model = |(index, model): (usize, &&Model)| Stratum {
        name: names.get(index).cloned().unwrap_or_default(),
        model: model.fitted.select(check).clone(),
    };
    let strata: Vec<Stratum> = models.iter().enumerate().map(model).collect();
    let index = (0..strata.len()).map(|index| (index.to_string(), index)).collect();
    Ok(Some(StratumModels { strata, index }))
}

/// Tallies groups, or the strata, clusters or replicates in them.
pub fn tally_groups(
    threads: &RThreads,
    model: &Model,
    columns: &NewDataColumns,
    request: &RequestList,
) -> CallResult<GroupCells<Tally, TextNames>> {
    Ok(memory_rows(columns, request)?.tally(threads, model.fitted.model())?)
}

/// Returns the replicate weights, replicate after replicate, and the formula of their variance.
pub fn replicates(request: &RequestList) -> CallResult<Option<(Vec<f64>, ReplicateVariance)>> {
    let weights = request.vector("replicate_weights")?.filter(|weights| !weights.is_empty());
    let Some(weights) = weights else { return Ok(None) };
    let formula = ReplicateVariance {
        factors: request.vector("replicate_factors")?.unwrap_or_default(),
        about_mean: request.flag("replicates_about_mean")?,
        dof: request.number("replicate_dof")?.unwrap_or(f64::NAN),
    };
    Ok(Some((weights, formula)))
}
