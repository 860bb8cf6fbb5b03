//! Parallel work on many numbered items, with a bar on a terminal that shows the time left.

use crate::failure::Failure;
use crate::progress::Bar;
#[cfg(feature = "program")]
use rayon::ThreadPool as Pool;
#[cfg(feature = "program")]
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicBool, Ordering};
use truecount_tables::parallel::prelude::*;
#[cfg(feature = "program")]
use truecount_tables::threads;

/// Starts the threads of all that has no option for them.
#[cfg(feature = "program")]
pub fn start() -> Result<(), Failure> {
    let started = ThreadPoolBuilder::new().num_threads(threads::by_default()).build_global();
    started.map_err(|e| Failure::Usage(format!("the threads cannot be started: {e} ({})", threads::VARIABLE)))
}

/// The one thread of a page, which works where it is.
#[cfg(not(feature = "program"))]
pub struct Pool;

#[cfg(not(feature = "program"))]
impl Pool {
    pub fn install<T>(&self, work: impl FnOnce() -> T) -> T {
        work()
    }
}

#[cfg(not(feature = "program"))]
pub fn pool(_: Option<u16>) -> Result<Pool, Failure> {
    Ok(Pool)
}

/// A pool of this many threads; by default, one per core.
#[cfg(feature = "program")]
pub fn pool(threads: Option<u16>) -> Result<Pool, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or_else(threads::by_default, usize::from)).build();
    pool.map_err(|e| Failure::Usage(format!("the threads cannot be started: {e} (--threads)")))
}

/// Applies a function to the numbers 0 to n − 1 on this many threads (by default, all); the results are in order.
pub fn numbered<T: Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> T + Sync,
) -> Result<Vec<T>, Failure> {
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
pub fn tried<T: Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let failed = AtomicBool::new(false);
    let one = |number: u32| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let made = make(number);
        failed.fetch_or(made.is_err(), Ordering::Relaxed);
        Some(made)
    };
    numbered(what, n, threads, one)?.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    /// Two threads fail at once, that with the larger number first.
    #[test]
    fn reports_the_failure_of_the_smallest_number() {
        let both = Barrier::new(2);
        let fail = |number: u32| -> Result<(), Failure> {
            both.wait();
            if number == 0 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            Err(Failure::Data(number.to_string()))
        };
        assert_eq!(tried("numbers", 2, Some(2), fail).unwrap_err().to_string(), "0");
        assert_eq!(tried("numbers", 9, Some(2), Ok).unwrap(), (0..9).collect::<Vec<_>>());
    }
}
