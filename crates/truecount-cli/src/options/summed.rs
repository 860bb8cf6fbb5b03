//! All groups together, and how the scores were drawn.

use std::path::{Path, PathBuf};

/// A row for all groups together, clusters and finite populations.
#[derive(Default, clap::Args)]
pub struct Summed {
    /// Adds a row for all test scores together
    #[arg(long)]
    pub total: bool,
    /// Adds a row for all groups together, added up by their known sizes: a column of the test table that is the same throughout a
    /// group, or a table with the --by columns and a column size
    #[arg(long, value_name = "COL|FILE", value_parser = Sizes::parse)]
    pub total_weights: Option<Sizes>,
    /// Column of the test table whose values say which scores were drawn together, such as households or days; for --target
    /// population, whose standard errors are then those of clusters
    #[arg(long, value_name = "COL")]
    pub cluster: Option<String>,
    /// How many there are in the population that the test scores were drawn from, which is then meant: a number, or for groups a column
    /// of the test table or a table with the --by columns and a column size
    #[arg(long, value_name = "N|COL|FILE", value_parser = Sizes::parse, conflicts_with = "target")]
    pub population: Option<Sizes>,
}

/// Where the sizes of groups are.
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    Number(u64),
    Column(String),
    Table(PathBuf),
}

impl Sizes {
    #[allow(clippy::unnecessary_wraps)] // as parsers are
    fn parse(text: &str) -> Result<Self, String> {
        Ok(match text.parse() {
            Ok(number) => Self::Number(number),
            Err(_) if Path::new(text).is_file() => Self::Table(text.into()),
            Err(_) => Self::Column(text.to_owned()),
        })
    }

    /// Its table, if it is one.
    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Table(path) => Some(path),
            Self::Number(_) | Self::Column(_) => None,
        }
    }
}

impl Summed {
    /// Tables of sizes.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.total_weights, &self.population].into_iter().flatten().filter_map(Sizes::path)
    }
}
