//! All groups together, and how the scores were drawn.

use super::StrataArgs;
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use truecount::{Reporting, Target};
use truecount_analysis::compare::Reference;
use truecount_tables::groups::Sizes;

/// A row for all groups together, clusters and finite populations.
#[derive(Default, clap::Args)]
pub struct TotalArgs {
    /// Adds a row for all test scores together
    #[arg(long)]
    pub total: bool,
    /// Adds a row for all groups together, added up by their known sizes: a column of the test table that is the same throughout a
    /// group, or a table with the --by columns and a column size
    #[arg(long, value_name = "COL|FILE", value_parser = sizes)]
    pub total_weights: Option<Sizes>,
    /// Column of the test table whose values say which scores were drawn together, such as households or days; for --target
    /// population, whose standard errors are then those of clusters
    #[arg(long, value_name = "COL")]
    pub cluster: Option<String>,
    /// How many there are in the population that the test scores were drawn from, which is then meant: a number, or for groups a column
    /// of the test table or a table with the --by columns and a column size
    #[arg(long, value_name = "N|COL|FILE", value_parser = sizes, conflicts_with = "target")]
    pub population: Option<Sizes>,
}

/// Sizes of groups as they are typed.
#[allow(clippy::unnecessary_wraps)] // as parsers are
fn sizes(text: &str) -> Result<Sizes, String> {
    Ok(match text.parse() {
        Ok(number) => Sizes::Number(number),
        Err(_) if Path::new(text).is_file() => Sizes::Table(text.into()),
        Err(_) => Sizes::Column(text.to_owned()),
    })
}

/// What groups are compared with, as it is typed; nothing for what is usual.
#[allow(clippy::unnecessary_wraps)] // as parsers are
pub fn reference(text: &str) -> Result<Reference, String> {
    Ok(if text.is_empty() { Reference::Usual } else { Reference::parse(text) })
}

impl TotalArgs {
    /// Whether none of the options is there.
    pub fn is_empty(&self) -> bool {
        let Self { total, total_weights, population, cluster } = self;
        !*total && total_weights.is_none() && population.is_none() && cluster.is_none()
    }

    /// The sizes that are weights, and those of populations.
    pub fn sizes(&self) -> [Option<&Sizes>; 2] {
        [self.total_weights.as_ref(), self.population.as_ref()]
    }

    /// Tables of sizes.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.sizes().into_iter().flatten().filter_map(Sizes::path)
    }

    /// Refuses what does not go together, before anything is read.
    pub fn check(
        &self,
        by: &[String],
        compared: bool,
        reporting: &Reporting,
        strata: &StrataArgs,
    ) -> Result<(), Failure> {
        let Self { total_weights, population, cluster, .. } = self;
        let in_strata = strata.stratum.is_some();
        let message = match (total_weights, population) {
            (Some(Sizes::Number(_)), _) => {
                "--total-weights takes sizes of groups: a column of the test table, or a table that is there"
            }
            (Some(_), _) if by.is_empty() => "--total-weights adds up groups: name their columns with --by",
            (_, Some(Sizes::Number(_))) if !by.is_empty() => {
                "--population with --by takes a size for each group: a column of the test table, or a table with the columns of \
                 --by and a column size"
            }
            _ if by.is_empty() && compared => "groups are compared: name their columns with --by",
            (_, None) if cluster.is_some() && reporting.target() == Target::Sample => {
                "--cluster says how the test scores were drawn, which matters for the population they were drawn from: add \
                 --target population (of the labelled scores it is --label-cluster)"
            }
            _ if cluster.as_ref().is_some_and(|cluster| by.contains(cluster)) => {
                "--cluster and --by name the same column: each group would be one cluster"
            }
            _ if in_strata && (population.is_some() || cluster.is_some()) => {
                "--stratum does not go together with --population and --cluster: leave out one of them"
            }
            _ => return Ok(()),
        };
        Err(Failure::Usage(message.to_owned()))
    }

    /// Refuses what the bootstrap has not: differences, sums of groups by known sizes, clusters, strata.
    pub fn check_bootstrap(&self, by: &[String], compared: bool, strata: &StrataArgs) -> Result<(), Failure> {
        let option = match self {
            _ if strata.stratum.is_some() => "--stratum",
            _ if compared => "a comparison",
            Self { total_weights: Some(_), .. } => "--total-weights",
            Self { cluster: Some(_), .. } => "--cluster",
            Self { population: Some(Sizes::Number(_)), .. } if by.is_empty() => return Ok(()),
            Self { population: Some(_), .. } => "--population of groups",
            _ => return Ok(()),
        };
        Err(Failure::Usage(format!("{option} has formulas of its own: leave out --interval bootstrap")))
    }
}
