//! What a study is: the points of a design, and in each of them several arms that see the same simulated data.

use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::{Error, Estimate};

/// A simulation study.
pub trait Study: Sync {
    /// A point of the design; its fields are the first columns of the results.
    type Setting: Serialize + Sync;

    /// Every point of the design, in the order of the results.
    fn settings(&self) -> &[Self::Setting];

    /// The names of what is compared in every setting.
    fn arms(&self) -> &[&'static str];

    /// One replication: what every arm, in their order, found in data drawn from `rng`.
    fn replicate(&self, setting: &Self::Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome>;
}

/// What an arm found in one replication.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The prevalence it was to find.
    pub truth: f64,
    /// The estimate, or why there is none.
    pub found: Result<Estimate, Error>,
}
