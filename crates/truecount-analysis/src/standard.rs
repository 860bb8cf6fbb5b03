//! Standard populations: the sizes of groups, and the shares that are standardised to them.

use crate::groups::Partition;
use truecount::{Error, Estimates};

/// The weights of groups in a standard population. Groups that differ only in its columns form a
/// set, whose share is standardised.
#[derive(Clone, Debug, PartialEq)]
pub struct Standard {
    /// The weight of each group.
    pub weights: Vec<f64>,
    /// The indices of the grouping columns that the standard population does not have.
    pub columns: Vec<usize>,
    /// The set of each group.
    pub sets: Vec<u32>,
}

impl Standard {
    /// Creates a standard population with these weights, in which all groups form one set.
    pub fn single_set(weights: Vec<f64>) -> Self {
        Self { sets: vec![0; weights.len()], columns: Vec::new(), weights }
    }

    /// Estimates each set of groups without and with standardisation.
    pub(crate) fn estimates<E>(
        &self,
        crude: impl Fn(&[usize]) -> Result<E, Error>,
        standardised: impl Fn(&[usize]) -> Result<E, Error>,
    ) -> Result<StandardisedEstimates<E>, Error> {
        let sets = Partition::new(&self.sets, self.sets.iter().max().map_or(0, |last| *last as usize + 1));
        let sets = || (0..sets.number()).map(|set| sets.parts(set));
        let standardised = sets().map(standardised).collect::<Result<_, _>>()?;
        let crude = sets().map(crude).collect::<Result<_, _>>()?;
        let (columns, first_groups) = (self.columns.clone(), sets().map(|set| set[0]).collect());
        Ok(StandardisedEstimates { population: None, columns, first_groups, crude, standardised })
    }
}

/// The sizes of groups, as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct GroupSizes {
    /// The standard population.
    pub standard: Option<Standard>,
    /// The sizes of the groups' populations.
    pub populations: Option<Vec<f64>>,
}

/// The crude and the standardised estimates of each set of groups.
pub struct StandardisedEstimates<E = Estimates> {
    /// The standard population, if it has a name.
    pub population: Option<String>,
    /// The indices of the grouping columns that define the sets; empty for a single set.
    pub columns: Vec<usize>,
    /// The first group of each set.
    pub first_groups: Vec<usize>,
    /// The estimates of each set without standardisation.
    pub crude: Vec<E>,
    /// The standardised estimates of each set.
    pub standardised: Vec<E>,
}
