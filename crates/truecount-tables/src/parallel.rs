//! Work on all threads of the current pool.

use rayon::prelude::*;
use truecount_analysis::executor::{Executor, Interrupted};

/// All threads of the current pool. What stops them ends the program.
pub struct AllThreads;

impl Executor for AllThreads {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        items.par_iter().map(make).collect()
    }

    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Ok((0..n).into_par_iter().map(make).collect())
    }
}
