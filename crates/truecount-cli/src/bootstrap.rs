//! The bootstrap on all threads.

use crate::failure::Failure;
use crate::parallel;
use truecount::{Batch, Bootstrap, Estimates, Model, Reporting, Resamples};
use truecount_analysis::Numbers;
use truecount_tables::groups::Groups;

/// The bootstrap asked for.
pub struct Resampling {
    pub resamples: Resamples,
    pub seed: u64,
    /// All threads if not given.
    pub threads: Option<u16>,
}

impl Resampling {
    /// Every group's estimates.
    pub fn estimates(
        &self,
        model: &Model,
        groups: Groups<Numbers<Vec<f64>>>,
        reporting: &Reporting,
    ) -> Result<Groups<Estimates>, Failure> {
        self.resamples.check_room(groups.contents.len() * model.quantifiers().len())?;
        let batches: Vec<Batch> = groups.contents.iter().map(Numbers::batch).collect::<Result<_, _>>()?;
        let (model, reporting) = groups.for_each(model, reporting);
        let bootstrap = Bootstrap::new(&model, batches, self.seed)?;
        let replicate = |number: u32| bootstrap.replicate(number.into());
        let number = u32::try_from(self.resamples.number()).expect("a number that can be typed");
        let replicates = parallel::numbered("bootstrap", number, self.threads, replicate)?;
        let estimates = bootstrap.finish(&replicates, &reporting)?;
        Ok(groups.with(estimates))
    }
}
