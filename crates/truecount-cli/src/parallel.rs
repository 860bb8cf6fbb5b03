//! Parallel work on numbered items, with a progress bar that shows the time left.

use crate::error::CliError;
use crate::progress::Bar;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount_analysis::executor::{Executor, Interrupted};
use truecount_tables::parallel::AllThreads;
use truecount_tables::threads;

/// Starts the global thread pool, for work without a `--threads` option.
pub fn start() -> Result<(), CliError> {
    let started = ThreadPoolBuilder::new().num_threads(threads::default_threads()).build_global();
    started.map_err(|e| {
        CliError::usage(format!("the threads cannot be started: {e}"), format!("change {}", threads::VARIABLE))
    })
}

/// Creates a pool of this many threads; by default, one per core.
///
/// # Errors
/// Returns an error if the threads cannot be started.
pub fn pool(threads: Option<u16>) -> Result<ThreadPool, CliError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or_else(threads::default_threads, usize::from)).build();
    pool.map_err(|e| CliError::usage(format!("the threads cannot be started: {e}"), "use fewer --threads"))
}

/// An executor that uses all threads of the current pool and shows a progress bar with this name.
pub struct WithBar(pub &'static str);

impl Executor for WithBar {
    fn map<T: Sync, U: Send>(&self, items: &[T], f: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        AllThreads.map(items, f)
    }

    fn map_range<T: Send>(&self, n: u64, f: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        // Drawn at once, because the first item may take long.
        let bar = Bar::new(self.0, Some(n)).drawn();
        AllThreads.map_range(n, |number| {
            let result = f(number);
            bar.inc(1);
            result
        })
    }
}

/// Applies a function to the numbers 0 to n − 1 on this many threads (by default, all). The results
/// are in the order of the numbers.
///
/// # Errors
/// Returns an error if the threads cannot be started.
pub fn map_range<T: Send>(
    name: &'static str,
    n: u32,
    threads: Option<u16>,
    f: impl Fn(u32) -> T + Sync,
) -> Result<Vec<T>, CliError> {
    let pool = pool(threads)?;
    // Drawn at once, because the first item may take long.
    let bar = Bar::new(name, Some(n.into())).drawn();
    let with_bar = |number: u32| {
        let result = f(number);
        bar.inc(1);
        result
    };
    Ok(pool.install(|| (0..n).into_par_iter().map(with_bar).collect()))
}

/// Applies a fallible function to the numbers 0 to n − 1, and stops at an error.
///
/// If several threads fail, the error of the smallest number is returned. After an error, no
/// further numbers are tried; therefore the returned error may depend on the number of threads.
///
/// # Errors
/// Returns an error if the function fails or the threads cannot be started.
pub fn try_map_range<T: Send>(
    name: &'static str,
    n: u32,
    threads: Option<u16>,
    f: impl Fn(u32) -> Result<T, CliError> + Sync,
) -> Result<Vec<T>, CliError> {
    let has_failed = AtomicBool::new(false);
    let unless_failed = |number: u32| {
        if has_failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = f(number);
        has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
        Some(result)
    };
    map_range(name, n, threads, unless_failed)?.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    /// Two threads fail, the one with the larger number first.
    #[test]
    fn returns_the_error_of_the_smallest_number() {
        let both = Barrier::new(2);
        let fail = |number: u32| -> Result<(), CliError> {
            both.wait();
            if number == 0 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            Err(CliError::Data(number.to_string().into()))
        };
        assert_eq!(try_map_range("numbers", 2, Some(2), fail).unwrap_err().to_string(), "0");
        assert_eq!(try_map_range("numbers", 9, Some(2), Ok).unwrap(), (0..9).collect::<Vec<_>>());
    }
}
