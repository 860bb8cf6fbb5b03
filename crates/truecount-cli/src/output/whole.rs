//! What commands find of groups, one by one and together.

use super::Differences;
use truecount::{Estimates, Model};
use truecount_tables::groups::Groups;

/// Groups with what is known of them together.
pub struct Whole {
    pub groups: Groups<Estimates>,
    pub total: Option<Estimates>,
    pub differences: Option<Differences>,
    /// The models of the strata, if there are some.
    pub strata: Vec<Stratum>,
}

/// A stratum with its model.
pub struct Stratum {
    pub name: String,
    pub model: Model,
}

impl Whole {
    /// Groups of which nothing else is asked.
    pub fn of(groups: Groups<Estimates>) -> Self {
        Self { groups, total: None, differences: None, strata: Vec::new() }
    }
}
