//! The bootstrap on all threads, with a bar on a terminal that shows the time left.

use crate::failure::Failure;
use crate::input::{Groups, Rows};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use truecount::{Bootstrap, Estimate, Model, Replicate, Reporting};

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
        groups: Groups<Rows>,
        reporting: &Reporting,
    ) -> Result<Groups<Vec<Estimate>>, Failure> {
        let batches = groups.groups.iter().map(|group| group.content.batch()).collect::<Result<_, _>>()?;
        let bootstrap = Bootstrap::new(model, batches, self.seed)?;
        let mut estimates = bootstrap.finish(&self.replicates(&bootstrap)?, reporting)?.into_iter();
        groups.map(|_| Ok(estimates.next().expect("estimates of every group")))
    }

    /// In the order of their numbers, whichever thread made them.
    fn replicates(&self, bootstrap: &Bootstrap) -> Result<Vec<Replicate>, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.map_or(0, usize::from)).build();
        let pool = pool.map_err(|e| Failure::Usage(format!("the threads cannot be started: {e} (--threads)")))?;
        let style = ProgressStyle::with_template("bootstrap {bar:40} {percent:>3} %  {eta} left");
        let bar = ProgressBar::new(self.resamples.into())
            .with_style(style.expect("a valid template"))
            .with_finish(ProgressFinish::AndClear);
        let replicate = |number: u32| {
            let replicate = bootstrap.replicate(number.into());
            bar.inc(1);
            replicate
        };
        Ok(pool.install(|| (0..self.resamples).into_par_iter().map(replicate).collect()))
    }
}
