//! Options that exclude each other. The first rule that is broken is reported.

use super::{EstimateRequest, Sizes};
use crate::AnalysisProblem;
use truecount::inference::IntervalKind;
use truecount::{Error, Target};

/// A rule, with the sentences about a request that breaks it. Options are in braces.
pub(super) struct OptionRule<R> {
    is_broken: fn(&R) -> bool,
    problem: &'static str,
    hint: &'static str,
}

/// Returns the first rule that the request breaks.
pub(super) fn check<R>(rules: &[OptionRule<R>], request: &R) -> Result<(), Error> {
    match rules.iter().find(|rule| (rule.is_broken)(request)) {
        Some(OptionRule { problem, hint, .. }) => Err(AnalysisProblem::option_conflict(*problem, *hint)),
        None => Ok(()),
    }
}

pub(super) const fn rule<R>(is_broken: fn(&R) -> bool, problem: &'static str, hint: &'static str) -> OptionRule<R> {
    OptionRule { is_broken, problem, hint }
}

/// A rule about an option that the bootstrap does not support.
macro_rules! no_bootstrap {
    ($option:literal, $is_present:expr) => {
        rule(
            |request: &EstimateRequest| {
                let is_present: fn(&EstimateRequest) -> bool = $is_present;
                request.uses_bootstrap() && is_present(request)
            },
            concat!($option, " cannot be used with {--interval=bootstrap}, as it has formulas of its own"),
            "leave out {--interval=bootstrap}",
        )
    };
}

/// A rule about an option that describes how the rows were drawn from a population.
macro_rules! implies_population {
    ($option:literal, $is_present:expr) => {
        rule(
            |request: &EstimateRequest| {
                let is_present: fn(&EstimateRequest) -> bool = $is_present;
                is_present(request) && request.target == Target::Sample.to_string()
            },
            concat!($option, " implies {--target=population}, so it cannot be used with {--target=sample}"),
            concat!("leave out {--target=sample} or ", $option),
        )
    };
}

/// A rule about an option that several classes do not support.
macro_rules! no_class_scores {
    ($option:literal, $is_present:expr) => {
        rule($is_present, concat!($option, " cannot be used with {--class-scores}"), "leave it out")
    };
}

pub(super) const CLASS_SCORES: [OptionRule<EstimateRequest>; 4] = [
    no_class_scores!("{--interval}", |request| request.interval != IntervalKind::default().to_string()),
    no_class_scores!("{--model-stratum}", |request| request.model_stratum.is_some()),
    no_class_scores!("{--publish}", |request| request.publish.is_some()),
    rule(
        |request| request.class_count.is_some() && (request.weight.is_some() || request.has_design()),
        "{--class-count} cannot be used with {--weight}, {--cluster} or {--stratum}",
        "give the rows themselves instead of counts",
    ),
];

const LEAVE_OUT_ONE: &str = "leave out one of them";

pub(super) const ESTIMATE: [OptionRule<EstimateRequest>; 27] = [
    implies_population!("{--population}", |request| request.population.is_some()),
    implies_population!("{--stratum}", |request| request.stratum.is_some()),
    implies_population!("{--cluster-population}", |request| request.cluster_population.is_some()),
    implies_population!("{--replicates}", |request| request.replicates.is_some()),
    rule(
        |request| !request.uses_bootstrap() && request.resamples.is_some(),
        "{--resamples} has an effect with {--interval=bootstrap} only",
        "leave out {--resamples}, or add {--interval=bootstrap}",
    ),
    rule(
        |request| !request.uses_bootstrap() && request.seed.is_some(),
        "{--seed} has an effect with {--interval=bootstrap} only",
        "leave out {--seed}, or add {--interval=bootstrap}",
    ),
    no_bootstrap!("{--model-stratum}", |request| request.model_stratum.is_some()),
    no_bootstrap!("a comparison", |request| request.compare.is_some()),
    no_bootstrap!("{--standardise}", |request| request.standardise.is_some()),
    no_bootstrap!("{--cluster}", |request| request.cluster.is_some()),
    no_bootstrap!("{--stratum}", |request| request.stratum.is_some()),
    no_bootstrap!("{--replicates}", |request| request.replicates.is_some()),
    no_bootstrap!("{--population} of groups", |request| match request.population {
        Some(Sizes::Number(_)) => !request.by.is_empty(),
        ref sizes => sizes.is_some(),
    }),
    rule(
        |request| matches!(request.standardise, Some(Sizes::Number(_))),
        "{--standardise} needs the sizes of groups in the standard population",
        "name a column of the test table, or a file with a table",
    ),
    rule(
        |request| request.standardise.is_some() && request.by.is_empty(),
        "{--standardise} needs groups",
        "name the grouping columns with {--by}",
    ),
    rule(
        |request| request.cluster_population.is_some() && request.cluster.is_none(),
        "{--cluster-population} needs clusters",
        "name their column with {--cluster}",
    ),
    rule(
        |request| request.lonely_psu.is_some() && request.stratum.is_none() && request.cluster_population.is_none(),
        "{--lonely-psu} needs strata, or clusters of a finite population",
        "name their column with {--stratum}, or add {--cluster-population}",
    ),
    rule(
        |request| {
            let EstimateRequest { population, cluster_population, stratum, .. } = request;
            let is_number = |sizes: &Option<Sizes>| matches!(sizes, Some(Sizes::Number(_)));
            is_number(population) && (stratum.is_some() || cluster_population.is_some())
                || is_number(cluster_population) && stratum.is_some()
        },
        "{--population} and {--cluster-population} need a size for each stratum or cluster",
        "name a column of the test table, or a table with the column of {--stratum} or {--cluster} and a column size",
    ),
    rule(
        |request| matches!(request.population, Some(Sizes::Number(_))) && !request.by.is_empty(),
        "{--population} with {--by} needs a size for each group",
        "name a column of the test table, or a table with the columns of {--by} and a column size",
    ),
    rule(
        |request| {
            let has_groups = !request.by.is_empty() || request.stratum.is_some();
            matches!(request.population, Some(Sizes::Table(_))) && !has_groups
        },
        "a table in {--population} needs groups",
        "name the grouping columns with {--by}, or write the size itself",
    ),
    rule(
        |request| request.by.is_empty() && request.compare.is_some(),
        "only groups can be compared",
        "name the grouping columns with {--by}",
    ),
    rule(
        |request| request.cluster.as_ref().is_some_and(|cluster| request.by.contains(cluster)),
        "{--cluster} and {--by} name the same column, so each group would be one cluster",
        "name another column",
    ),
    rule(
        |request| request.cluster.is_some() && request.cluster == request.stratum,
        "{--cluster} and {--stratum} name the same column",
        LEAVE_OUT_ONE,
    ),
    rule(
        |request| {
            let EstimateRequest { stratum, cluster, population, replicates, .. } = request;
            replicates.is_some() && (stratum.is_some() || cluster.is_some() || population.is_some())
        },
        "{--replicates} cannot be used with {--stratum}, {--cluster} or {--population}",
        "leave them out: replicate weights contain the design",
    ),
    rule(
        |request| request.replicates.is_some() && request.weight.is_none(),
        "{--replicates} cannot be used without {--weight}",
        "add {--weight}, the weights of the estimate itself",
    ),
    rule(
        |request| request.model_stratum.is_some() && (request.population.is_some() || request.has_design()),
        "{--model-stratum} cannot be used with {--population}, {--cluster}, {--stratum} or {--replicates}",
        LEAVE_OUT_ONE,
    ),
    rule(
        |request| request.publish.is_some() && request.compare.is_some(),
        "{--publish} cannot be used with a comparison, which could reveal suppressed shares",
        "leave out {--publish}, or estimate without it for the comparison",
    ),
];
