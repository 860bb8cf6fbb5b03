//! An executor that uses all threads of the current pool.

use rayon::prelude::*;
use truecount_analysis::executor::{Executor, Interrupted};

/// An executor on all threads of the current rayon pool. It never reports an interruption.
pub struct AllThreads;

impl Executor for AllThreads {
    fn map<T: Sync, U: Send>(&self, items: &[T], process: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        items.par_iter().map(process).collect()
    }

    fn map_range<T: Send>(&self, n: u64, process: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Ok((0..n).into_par_iter().map(process).collect())
    }
}
