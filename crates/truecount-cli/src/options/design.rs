//! Options for the sampling design of the test rows.

use super::one_of;
use std::path::Path;
use truecount::error::Condition;
use truecount::model::LonelyPsu;
use truecount_analysis::design_tallies::ReplicateKind;
use truecount_analysis::request::{EstimateRequest, Sizes};

/// The sampling design of the test rows, except replicate weights.
#[derive(Clone, clap::Args)]
pub struct DesignArgs {
    /// Population size; implies --target population
    ///
    /// A number; or, for groups, a column of the test table or a table with the --by columns and
    /// a column size. With --stratum these are the sizes of the strata, with --cluster-population the
    /// rows of each cluster, if only some of them were drawn.
    #[arg(long, value_name = "N|COL|FILE", value_parser = sizes)]
    population: Option<Sizes>,
    /// Column with the clusters of the test rows
    ///
    /// Rows with the same value, such as a household or a day, were drawn together. Standard errors
    /// for the population are then those of sums over clusters. For the test rows themselves only the
    /// classifier's errors count; --label-cluster shows how they agree within clusters, and without
    /// it the standard error for the population is used.
    #[arg(long, value_name = "COL")]
    cluster: Option<String>,
    /// Number of clusters in the population, in each stratum; implies --target population
    ///
    /// A number; or, with --stratum, a column of the test table or a table with the --stratum column
    /// and a column size. If a share of the clusters was drawn, their standard error is smaller.
    #[arg(long, value_name = "N|COL|FILE", value_parser = sizes)]
    cluster_population: Option<Sizes>,
    /// Column with the strata that the test rows were drawn in; implies --target population
    ///
    /// A fixed number of rows, or of clusters, was drawn in each stratum. Rows that stand for
    /// different numbers of cases need --weight. The sizes of the strata are given by --population.
    #[arg(long, value_name = "COL")]
    stratum: Option<String>,
    /// Treatment of test strata with a single drawn row or cluster, as survey.lonely.psu in R
    #[arg(long, value_parser = one_of(LonelyPsu::TABLE))]
    lonely_psu: Option<LonelyPsu>,
}

impl DesignArgs {
    /// Adds the options to a request.
    pub fn add_to(&self, request: EstimateRequest) -> EstimateRequest {
        let Self { population, cluster, cluster_population, stratum, lonely_psu } = self.clone();
        EstimateRequest { population, cluster, cluster_population, stratum, lonely_psu, ..request }
    }
}

/// Parses sizes of groups: a number, an existing table, or the name of a column.
#[allow(clippy::unnecessary_wraps)] // clap's value parsers return a `Result`
pub fn sizes(text: &str) -> Result<Sizes, String> {
    Ok(match text.parse() {
        Ok(number) => Sizes::Number(number),
        // A file that does not exist is an error later.
        Err(_) if Path::new(text).is_file() || has_extension(text) => Sizes::Table(text.into()),
        Err(_) => Sizes::Column(text.to_owned()),
    })
}

/// Returns whether a text ends like the name of a table's file.
fn has_extension(text: &str) -> bool {
    let extension = Path::new(text).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.to_lowercase().as_str()))
}

/// The extensions of tables.
const EXTENSIONS: [&str; 7] = ["csv", "tsv", "txt", "xlsx", "parquet", "json", "jsonl"];

/// Replicate weights of the test rows.
#[derive(Clone, clap::Args)]
pub struct ReplicateArgs {
    /// Columns with replicate weights, such as 'rep*'; implies --target population
    ///
    /// A star stands for any characters. The standard error measures how the estimates with each
    /// column deviate from the estimate with --weight.
    #[arg(long, value_name = "PATTERN", requires_all = ["weight", "replicate_type"])]
    replicates: Option<String>,
    /// Kind of the replicate weights: bootstrap, brr, fay=FACTOR, jk1, jk2, jkn or sdr
    ///
    /// With R columns, the squared deviations are added up and multiplied by 1/R for bootstrap and brr (balanced
    /// repeated replication), 1/(R(1 - FACTOR)²) for fay, (R - 1)/R for jk1 (one deleted cluster a column), (m - 1)/m
    /// for jkn (one deleted cluster of the m of a stratum a column, found from the weights), 1 for jk2 (one of a pair
    /// of clusters a column), and 4/R for sdr (successive differences).
    #[arg(long, value_name = "KIND", requires = "replicates", value_parser = replicate_kind)]
    replicate_type: Option<String>,
}

/// Parses a kind of replicate weights; an error says what it can be.
fn replicate_kind(text: &str) -> Result<String, String> {
    let kind = text.parse::<ReplicateKind>();
    kind.map(|_| text.to_owned()).map_err(|problem| problem.hint().unwrap_or_default())
}

impl ReplicateArgs {
    /// Adds the options to a request.
    pub fn add_to(&self, request: EstimateRequest) -> EstimateRequest {
        let Self { replicates, replicate_type } = self.clone();
        EstimateRequest { replicates, replicate_type, ..request }
    }
}
