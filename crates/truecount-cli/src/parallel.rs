//! The same work for many numbers on all threads, with a bar on a terminal that shows the time left.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::iter::{FromParallelIterator, IntoParallelIterator, ParallelIterator};

/// What is made of the numbers 0 to n − 1, in their order, whichever thread made it; on all threads there are, if it is not said
/// how many.
pub fn numbered<T: Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> T + Sync,
) -> Result<Vec<T>, Failure> {
    collected(what, n, threads, make)
}

/// The same for what can fail: the first failure ends it early.
pub fn tried<T: Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    collected::<_, Result<_, _>>(what, n, threads, make)?
}

fn collected<T: Send, C: FromParallelIterator<T> + Send>(
    what: &'static str,
    n: u32,
    threads: Option<u16>,
    make: impl Fn(u32) -> T + Sync,
) -> Result<C, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build();
    let pool = pool.map_err(|e| Failure::Usage(format!("the threads cannot be started: {e} (--threads)")))?;
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
