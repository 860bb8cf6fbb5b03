//! Strata: a model for each.

use super::one_of;
use truecount_analysis::held::Few;

/// A model for each stratum.
#[derive(clap::Args)]
pub struct Strata {
    /// Column of both tables: a model is fitted for each of its values, and estimates are added up by the strata's shares
    #[arg(long, value_name = "COL", conflicts_with = "model")]
    pub stratum: Option<String>,
    /// What to do with strata of fewer than ten labelled scores in a class
    #[arg(long, value_parser = one_of(&FEW), default_value = "error", requires = "stratum")]
    pub few: Few,
}

const FEW: [(&str, Few, &str); 2] = [
    ("error", Few::Refused, "say which they are, and stop"),
    ("pool", Few::Pooled, "one model for all of them, and for the next smallest ones until there are enough"),
];
