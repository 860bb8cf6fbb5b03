//! The bootstrap on all threads.

use crate::failure::Failure;
use crate::input::{Groups, Numbers};
use crate::parallel;
use truecount::{Bootstrap, Estimate, Model, Reporting};

/// The bootstrap asked for.
pub struct Resampling {
    pub resamples: u32,
    pub seed: u64,
    /// All there are, if it is not said.
    pub threads: Option<u16>,
}

impl Resampling {
    /// Every group's estimates.
    pub fn estimates(
        &self,
        model: &Model,
        groups: Groups<Numbers<Vec<f64>>>,
        reporting: &Reporting,
    ) -> Result<Groups<Vec<Estimate>>, Failure> {
        let batches = groups.contents.iter().map(Numbers::batch).collect::<Result<_, _>>()?;
        let bootstrap = Bootstrap::new(model, batches, self.seed)?;
        let replicate = |number: u32| bootstrap.replicate(number.into());
        let replicates = parallel::numbered("bootstrap", self.resamples, self.threads, replicate)?;
        let mut estimates = bootstrap.finish(&replicates, reporting)?.into_iter();
        groups.map(|_| Ok(estimates.next().expect("estimates of every group")))
    }
}
