//! Sizes of groups, and the columns that have them or divide groups into parts.

use super::EstimateRequest;
use crate::results::escape_untrusted;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use truecount::model::LonelyPsu;

/// The maximum number of parts of groups, with their replicates; this many take about 4 GB.
pub const MAX_PARTS: usize = 4_000_000;
/// The parts, in the error about too many of them.
pub const PARTS: &str = "parts of groups (strata, clusters or replicates)";

/// The source of group sizes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Sizes {
    /// The size of a single group.
    Number(u64),
    /// A column of the test table.
    Column(String),
    /// A table with the grouping columns and a column `size`.
    Table(PathBuf),
}

impl Sizes {
    /// Returns the path of the table, if it is one.
    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Table(path) => Some(path),
            Self::Number(_) | Self::Column(_) => None,
        }
    }
}

/// Names the standard population in a table.
pub(super) fn standard_name(path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    format!("the standard population of {}", escape_untrusted(&file))
}

/// The columns that divide unlabelled rows into the parts of groups, by their index.
pub struct ColumnRoles<'a> {
    /// All columns, each once: those of the groups, those with sizes of groups, and the others.
    pub columns: Vec<String>,
    /// The columns that need a value in every row: strata, clusters and strata with a model each.
    pub required: Vec<String>,
    /// The number of grouping columns.
    pub by: usize,
    /// The number of grouping columns and columns with sizes of groups.
    pub sized_by: usize,
    /// The standard population, and the sizes of the groups' populations.
    pub sizes: [Option<&'a Sizes>; 2],
    /// The column of the strata.
    pub stratum: Option<usize>,
    /// The column with the sizes of the strata.
    pub stratum_size: Option<usize>,
    /// The sizes of the strata: their numbers of clusters if these have a population, otherwise of rows.
    pub stratum_sizes: Option<&'a Sizes>,
    /// Whether the sizes of the strata are numbers of clusters.
    pub counts_clusters: bool,
    /// The treatment of strata with a single unit.
    pub lonely: LonelyPsu,
    /// The column of the clusters.
    pub cluster: Option<usize>,
    /// The column with the sizes of the clusters.
    pub cluster_size: Option<usize>,
    /// The numbers of rows of the clusters in the population.
    pub cluster_sizes: Option<&'a Sizes>,
    /// The column that chooses the model.
    pub model_stratum: Option<usize>,
}

impl EstimateRequest {
    /// Returns the sizes of the groups' populations; with strata or clusters of known sizes `population` has
    /// theirs instead.
    pub(super) fn group_populations(&self) -> Option<&Sizes> {
        self.population.as_ref().filter(|_| self.stratum.is_none() && self.cluster_population.is_none())
    }

    /// Returns the roles of the columns.
    pub fn roles(&self) -> ColumnRoles<'_> {
        let (rows, clusters) = (self.population.as_ref(), self.cluster_population.as_ref());
        let (of_clusters, of_strata) = match clusters {
            Some(_) => (rows, clusters),
            None => (None, rows.filter(|_| self.stratum.is_some())),
        };
        let sizes = [self.standardise.as_ref(), self.group_populations()];
        let by = self.by.len();
        let mut columns = self.by.clone();
        for sizes in sizes.into_iter().flatten() {
            if let Sizes::Column(name) = sizes
                && !columns[by..].contains(name)
            {
                columns.push(name.clone());
            }
        }
        let sized_by = columns.len();
        let mut index = |name: &String| {
            columns.iter().position(|column| column == name).unwrap_or_else(|| {
                columns.push(name.clone());
                columns.len() - 1
            })
        };
        let [sizes_of_strata, sizes_of_clusters] = [of_strata, of_clusters].map(|sizes| match sizes {
            Some(Sizes::Column(name)) => Some(name),
            _ => None,
        });
        let (stratum, model_stratum) = (self.stratum.as_ref(), self.model_stratum.as_ref());
        let names = [stratum, sizes_of_strata, self.cluster.as_ref(), sizes_of_clusters, model_stratum];
        let [stratum, stratum_size, cluster, cluster_size, model_stratum] = names.map(|name| name.map(&mut index));
        let required = [&self.stratum, &self.cluster, &self.model_stratum].into_iter().flatten().cloned().collect();
        ColumnRoles {
            by,
            sized_by,
            sizes,
            stratum,
            stratum_size,
            stratum_sizes: of_strata,
            counts_clusters: clusters.is_some(),
            lonely: self.lonely_psu.unwrap_or_default(),
            cluster,
            cluster_size,
            cluster_sizes: of_clusters,
            model_stratum,
            columns,
            required,
        }
    }

    /// Returns whether rows have strata, clusters or replicate weights.
    pub fn has_design(&self) -> bool {
        self.cluster.is_some() || self.stratum.is_some() || self.replicates.is_some()
    }

    /// Returns whether each group is a simple random sample without a known size.
    pub fn has_simple_groups(&self) -> bool {
        self.standardise.is_none() && self.population.is_none() && !self.has_design()
    }

    /// Returns the paths of tables with sizes.
    pub fn size_tables(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.standardise, &self.population, &self.cluster_population].into_iter().flatten().filter_map(Sizes::path)
    }
}
