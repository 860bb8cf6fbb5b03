//! Options for the sampling design of the test rows.

use crate::error::CliError;
use truecount::error::Condition;
use truecount_analysis::AnalysisProblem;
use truecount_analysis::design_tallies::ReplicateKind;
use truecount_tables::groups::TestFiles;
use truecount_tables::input;

/// The sampling design of the test rows.
#[derive(Default, clap::Args)]
pub struct DesignArgs {
    /// Column with the clusters of the test rows
    ///
    /// Rows with the same value, such as a household or a day, were drawn together. Standard errors
    /// for the population are then those of sums over clusters. For the test rows themselves only the
    /// classifier's errors count; --label-cluster shows how they agree within clusters, and without
    /// it the standard error for the population is used.
    #[arg(long, value_name = "COL")]
    pub cluster: Option<String>,
    /// Column with the strata that the test rows were drawn in; implies --target population
    ///
    /// A fixed number of rows, or of clusters, was drawn in each stratum. Rows that stand for
    /// different numbers of cases need --weight. The sizes of the strata are given by --population.
    #[arg(long, value_name = "COL", conflicts_with = "target")]
    pub stratum: Option<String>,
    /// Columns with replicate weights, such as 'rep*'; implies --target population
    ///
    /// A star stands for any characters. The standard error measures how the estimates with each
    /// column deviate from the estimate with --weight.
    #[arg(long, value_name = "PATTERN", requires_all = ["weight", "replicate_type"], conflicts_with = "target")]
    pub replicates: Option<String>,
    /// Kind of the replicate weights: bootstrap, brr, fay=FACTOR, jk1, jk2 or sdr
    ///
    /// With R columns, the squared deviations are added up and multiplied by 1/R for bootstrap and
    /// brr (balanced repeated replication), 1/(R(1 - FACTOR)²) for fay, (R - 1)/R for jk1 (one
    /// deleted cluster a column), 1 for jk2 (one of a pair of clusters a column), and 4/R for sdr
    /// (successive differences).
    #[arg(long, value_name = "KIND", requires = "replicates", value_parser = replicate_kind)]
    pub replicate_type: Option<ReplicateKind>,
}

/// Parses a kind of replicate weights; an error says what it can be.
fn replicate_kind(text: &str) -> Result<ReplicateKind, String> {
    text.parse().map_err(|problem: AnalysisProblem| problem.hint().unwrap_or_default())
}

impl DesignArgs {
    /// Returns whether no option is present.
    pub fn is_empty(&self) -> bool {
        let Self { cluster, stratum, replicates, replicate_type: _ } = self;
        cluster.is_none() && stratum.is_none() && replicates.is_none()
    }

    /// Returns whether the options imply the population as the target.
    pub fn implies_population(&self) -> bool {
        self.stratum.is_some() || self.replicates.is_some()
    }
}

/// Returns the columns of the first test table that match the pattern, without that of the
/// weights.
///
/// # Errors
/// Returns an error if fewer than two columns match, or if a table is standard input, which
/// cannot be read once for each column.
pub fn replicate_columns(pattern: &str, files: &TestFiles) -> Result<Vec<String>, CliError> {
    if files.paths.iter().any(|path| input::is_stdio(path)) {
        let hint = "write the table to a file: it is read once for each column of replicate weights";
        return Err(CliError::usage("--replicates cannot read standard input", hint));
    }
    let mut columns =
        files.paths.first().map(|path| input::column_names(path, files.columns.sheet)).unwrap_or_default();
    columns.retain(|column| matches_pattern(pattern, column) && files.weight != Some(column));
    if columns.len() < 2 {
        let number = if columns.is_empty() { "no column has" } else { "only one column has" };
        return Err(CliError::usage(
            format!("--replicates {pattern}: {number} such a name; at least two are needed"),
            "a star stands for any characters, as in 'rep*'",
        ));
    }
    Ok(columns)
}

/// Returns whether a name matches a pattern in which a star stands for any characters.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            name.char_indices()
                .map(|(index, _)| index)
                .chain([name.len()])
                .any(|end| matches_pattern(rest, &name[end..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, name, matches) in [
            ("rep*", "rep1", true),
            ("rep*", "rep", true),
            ("rep*", "a_rep1", false),
            ("*w", "pw", true),
            ("w*_b", "w12_b", true),
            ("w*_b", "w12_b2", false),
            ("w", "w", true),
        ] {
            assert_eq!(matches_pattern(pattern, name), matches, "{pattern} {name}");
        }
    }
}
