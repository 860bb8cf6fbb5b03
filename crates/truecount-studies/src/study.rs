//! A study: the points of a design, and in each of them several arms that see the same simulated data.

use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use truecount::{Error, Estimate};

/// A simulation study.
pub trait Study: Sync {
    /// A point of the design; its fields are the first columns of the results.
    type Setting: Serialize + Sync;
    /// What all replications of a setting share: distributions, or quantifiers that know them.
    type Shared: Sync;
    /// The statistics of an arm's replications; their fields are the last columns of the results.
    type Statistics: Statistics;

    /// Every point of the design, in the order of the results.
    fn settings(&self) -> &[Self::Setting];

    /// The names of the arms, which are compared in every setting.
    fn arms(&self) -> &[&'static str];

    /// What all replications of a setting share, with anything random drawn from `rng`.
    fn prepare(&self, setting: &Self::Setting, rng: &mut ChaCha8Rng) -> Self::Shared;

    /// One replication: the result of every arm, in order, on data drawn from `rng`.
    fn replicate(&self, shared: &Self::Shared, rng: &mut ChaCha8Rng) -> Vec<<Self::Statistics as Statistics>::Outcome>;
}

/// The result of an arm that estimates in one replication.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The true prevalence.
    pub truth: f64,
    /// The estimate, or why there is none.
    pub found: Result<Estimate, Error>,
}

/// The statistics of an arm's replications.
pub trait Statistics: Clone + PartialEq + Serialize + DeserializeOwned {
    /// The result of an arm in one replication.
    type Outcome: Send + Sync;

    /// From the arm's outcomes, and those of the study's first arm in the same replications; summed in that order.
    fn new(arm: &[&Self::Outcome], first: &[&Self::Outcome]) -> Self;
}

/// The mean, if there is one.
pub(crate) fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let n = values.len();
    (n > 0).then(|| values.sum::<f64>() / n as f64)
}

/// A number of replications.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).expect("no more replications than a u32 counts")
}
