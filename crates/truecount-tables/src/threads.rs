//! The number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::env;
use std::num::NonZero;
use std::thread::available_parallelism;
use truecount::Error;
use truecount_analysis::AnalysisProblem;

/// Maximum number of threads per core from the environment: more would only wait, and use memory.
const MAX_PER_CORE: usize = 4;

/// Environment variable with the default number of threads, ignored unless it is a positive integer.
pub const VARIABLE: &str = "RAYON_NUM_THREADS";

/// Returns the number of threads to use without an option.
pub fn default_threads() -> usize {
    let cores = available_parallelism().map_or(1, NonZero::get);
    limit_threads(env::var(VARIABLE).ok().as_deref(), cores)
}

/// Creates a pool of this many threads; by default, one per core.
///
/// # Errors
/// Returns an error if the threads cannot be started.
pub fn pool(threads: Option<u16>) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or_else(default_threads, usize::from)).build();
    pool.map_err(|e| {
        AnalysisProblem::option_conflict(format!("the threads cannot be started: {e}"), "use fewer {--threads}")
    })
}

/// Returns the requested number of threads within the limit, or else one thread per core.
fn limit_threads(requested: Option<&str>, cores: usize) -> usize {
    let requested = requested.and_then(|number| number.parse().ok()).filter(|number| *number > 0);
    requested.unwrap_or(cores).min(MAX_PER_CORE * cores)
}

#[cfg(test)]
mod tests {
    use super::limit_threads;

    #[test]
    fn valid_numbers_are_used_up_to_the_limit() {
        let threads = |requested| limit_threads(requested, 2);
        assert_eq!([Some("1"), Some("3"), Some("8")].map(threads), [1, 3, 8]);
        assert_eq!([Some("9"), Some("999999")].map(threads), [8, 8]);
        assert_eq!([None, Some(""), Some("0"), Some("-1"), Some("many"), Some("1e3")].map(threads), [2; 6]);
    }
}
