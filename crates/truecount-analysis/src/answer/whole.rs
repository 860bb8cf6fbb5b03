//! Estimates of groups, one by one and together.

use super::Differences;
use crate::groups::Groups;
use truecount::{Estimates, Model};

/// Groups with what is known of them together.
pub struct Whole<N> {
    /// The estimates of each group.
    pub groups: Groups<Estimates, N>,
    /// The estimates of all groups together.
    pub total: Option<Estimates>,
    /// The differences between groups, methods or samples.
    pub differences: Option<Differences>,
    /// The models of the strata, if there are some.
    pub strata: Vec<Stratum>,
}

/// A stratum with its model.
pub struct Stratum {
    /// The value of the column of strata.
    pub name: String,
    /// What was learnt from its labelled scores.
    pub model: Model,
}

impl<N> Whole<N> {
    /// Groups of which nothing else is asked.
    pub fn of(groups: Groups<Estimates, N>) -> Self {
        Self { groups, total: None, differences: None, strata: Vec::new() }
    }
}
