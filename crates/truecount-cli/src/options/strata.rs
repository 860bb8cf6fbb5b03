//! Strata: a model for each.

use super::one_of;
use truecount_analysis::strata::SmallStrata;

/// A model for each stratum.
#[derive(clap::Args)]
pub struct StrataArgs {
    /// Column of both tables: a model is fitted for each of its values, and estimates are added up by the strata's shares
    #[arg(long, value_name = "COL", conflicts_with = "model")]
    pub stratum: Option<String>,
    /// What to do with strata of fewer than ten labelled scores in a class
    #[arg(long, value_parser = one_of(&FEW), default_value = "error", requires = "stratum")]
    pub few: SmallStrata,
}

const FEW: [(&str, SmallStrata, &str); 2] = [
    ("error", SmallStrata::Refused, "say which they are, and stop"),
    ("pool", SmallStrata::Pooled, "one model for all of them, and for the next smallest ones until there are enough"),
];
