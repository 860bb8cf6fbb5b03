//! Parallel work on many numbered items, with a bar on a terminal that shows the time left.

use crate::failure::CliError;
use crate::progress::Bar;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount_analysis::executor::{Executor, Interrupted};
use truecount_tables::parallel::AllThreads;
use truecount_tables::threads;

/// Starts the threads of all that has no option for them.
pub fn start() -> Result<(), CliError> {
    let started = ThreadPoolBuilder::new().num_threads(threads::by_default()).build_global();
    started.map_err(|e| CliError::Usage(format!("the threads cannot be started: {e} ({})", threads::VARIABLE)))
}

/// A pool of this many threads; by default, one per core.
///
/// # Errors
/// If the threads cannot be started.
pub fn pool(threads: Option<u16>) -> Result<ThreadPool, CliError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or_else(threads::by_default, usize::from)).build();
    pool.map_err(|e| CliError::Usage(format!("the threads cannot be started: {e} (--threads)")))
}

/// All threads of the current pool, with a bar of this name for work that may take long.
pub struct WithBar(pub &'static str);

impl Executor for WithBar {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        AllThreads.map(items, make)
    }

    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        // Drawn at once, because the first item may take long.
        let bar = Bar::new(self.0, Some(n)).drawn();
        AllThreads.map_range(n, |number| {
            let made = make(number);
            bar.inc(1);
            made
        })
    }
}

/// Applies a function to the numbers 0 to n − 1 on this many threads (by default, all); the results are in order.
///
/// # Errors
/// If the threads cannot be started.
pub fn map_range<T: Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> T + Sync,
) -> Result<Vec<T>, CliError> {
    let pool = pool(threads)?;
    // Drawn at once, because the first item may take long.
    let bar = Bar::new(what, Some(n.into())).drawn();
    let one = |number: u32| {
        let made = make(number);
        bar.inc(1);
        made
    };
    Ok(pool.install(|| (0..n).into_par_iter().map(one).collect()))
}

/// The same for a function that can fail, which ends the work early. If several threads fail, the failure of the
/// smallest number is reported; which items fail at all depends on the threads, since the rest is not tried.
///
/// # Errors
/// If the function fails, or the threads cannot be started.
pub fn tried<T: Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> Result<T, CliError> + Sync,
) -> Result<Vec<T>, CliError> {
    let failed = AtomicBool::new(false);
    let one = |number: u32| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let made = make(number);
        failed.fetch_or(made.is_err(), Ordering::Relaxed);
        Some(made)
    };
    map_range(what, n, threads, one)?.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    /// Two threads fail at once, that with the larger number first.
    #[test]
    fn reports_the_failure_of_the_smallest_number() {
        let both = Barrier::new(2);
        let fail = |number: u32| -> Result<(), CliError> {
            both.wait();
            if number == 0 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            Err(CliError::Data(number.to_string()))
        };
        assert_eq!(tried("numbers", 2, Some(2), fail).unwrap_err().to_string(), "0");
        assert_eq!(tried("numbers", 9, Some(2), Ok).unwrap(), (0..9).collect::<Vec<_>>());
    }
}
