//! The same work for many numbers on all threads, with a bar on a terminal that shows the time left.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};

/// That many threads; as many as there are cores, if it is not said.
pub fn pool(threads: Option<u16>) -> Result<ThreadPool, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build();
    pool.map_err(|e| Failure::Usage(format!("the threads cannot be started: {e} (--threads)")))
}

/// What is made of the numbers 0 to n − 1, in their order, whichever thread made it; on all threads there are, if it is
/// not said how many.
pub fn numbered<T: Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> T + Sync,
) -> Result<Vec<T>, Failure> {
    let pool = pool(threads)?;
    let style = ProgressStyle::with_template("{msg} {bar:40} {percent:>3} %  {eta} left").expect("a valid template");
    let bar = ProgressBar::new(n.into()).with_style(style).with_message(what).with_finish(ProgressFinish::AndClear);
    // At once: the first piece of work may take long.
    bar.tick();
    let one = |number: u32| {
        let made = make(number);
        bar.inc(1);
        made
    };
    Ok(pool.install(|| (0..n).into_par_iter().map(one).collect()))
}

/// The same for what can fail: a failure ends it early. Where several threads met one, that of the smallest number is
/// reported; which were met depends on the threads, for the rest is not tried.
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

    /// Two threads meet a failure at once, that of the larger number first.
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
