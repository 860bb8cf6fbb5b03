//! Who works for the command: all threads.

use truecount_io::held::{Stopped, Workers};
use truecount_io::parallel::prelude::*;

/// All threads. What stops them ends the command.
pub struct AllThreads;

impl Workers for AllThreads {
    fn each<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        items.par_iter().map(make).collect()
    }

    fn numbered<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Stopped> {
        Ok((0..n).into_par_iter().map(make).collect())
    }
}
