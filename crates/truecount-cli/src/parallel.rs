//! Parallel work on numbered items, with a progress bar that shows the time left.

use crate::error::CliError;
use crate::progress::Bar;
use rayon::ThreadPoolBuilder;
use truecount_analysis::executor::{Executor, Interrupted};
use truecount_tables::parallel::AllThreads;
use truecount_tables::threads;
pub use truecount_tables::threads::pool;

/// Starts the global thread pool, for work without a `--threads` option.
pub fn start() -> Result<(), CliError> {
    let started = ThreadPoolBuilder::new().num_threads(threads::default_threads()).build_global();
    started.map_err(|e| {
        CliError::usage(format!("the threads cannot be started: {e}"), format!("change {}", threads::VARIABLE))
    })
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
