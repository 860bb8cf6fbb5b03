//! A thread pool that works without the GIL.
//!
//! Threads do not survive a fork, which Python's multiprocessing uses on Linux. A process that
//! inherits its parent's pool therefore starts its own.

use crate::error::raised;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem::forget;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use truecount::Error;
use truecount_analysis::executor::{Executor, Interrupted};
use truecount_tables::threads;

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Fewest scores for which threads pay; with fewer, the work is done before a thread wakes up.
const MIN_PARALLEL_SCORES: usize = 1 << 15;

/// Number of items between two checks for Ctrl-C.
const BLOCK: u64 = 64;

/// Returns this process's pool, with a thread for each core, or as many as `RAYON_NUM_THREADS`
/// says, within reason.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut current = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = current.take() {
        if owner == process::id() {
            *current = Some((owner, pool.clone()));
            return Ok(pool);
        }
        // Dropping the pool would wait for threads that do not exist in this process.
        forget(pool);
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads::default_threads());
    let pool = pool.thread_name(|number| format!("truecount-{number}")).build();
    let pool = Arc::new(pool.map_err(|e| PyRuntimeError::new_err(format!("the threads cannot be started: {e}")))?);
    *current = Some((process::id(), pool.clone()));
    Ok(pool)
}

/// The threads of the pool, or the caller's thread alone if there is no pool. Rayon's global pool
/// would not survive a fork.
pub struct PyThreads {
    pool: Option<Arc<ThreadPool>>,
    /// The exception that interrupted the work.
    interrupt: Mutex<Option<PyErr>>,
}

impl Executor for PyThreads {
    fn map<T: Sync, U: Send>(&self, items: &[T], function: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        match &self.pool {
            Some(pool) => pool.install(|| items.par_iter().map(function).collect()),
            None => items.iter().map(function).collect(),
        }
    }

    /// Always uses the pool. Ctrl-C ends the work after at most a block.
    fn map_range<T: Send>(&self, n: u64, function: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        map_blocks(n, function).map_err(|interrupt| {
            *self.interrupt.lock().unwrap_or_else(PoisonError::into_inner) = Some(interrupt);
            Interrupted
        })
    }
}

fn map_blocks<T: Send>(n: u64, function: impl Fn(u64) -> T + Sync + Send) -> PyResult<Vec<T>> {
    let pool = pool()?;
    let mut results = Vec::new();
    let mut start = 0;
    while start < n {
        let end = n.min(start + BLOCK);
        results.extend(pool.install(|| (start..end).into_par_iter().map(&function).collect::<Vec<T>>()));
        check_signals()?;
        start = end;
    }
    Ok(results)
}

/// Returns the exception of a signal that has arrived, such as Ctrl-C; without the GIL.
#[allow(clippy::redundant_closure_for_method_calls)] // the method alone is not for every lifetime
pub fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Does work on this number of scores without the GIL, on the pool if that pays.
pub fn detached<T: Send>(
    py: Python<'_>,
    scores: usize,
    work: impl FnOnce(&PyThreads) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let pool = if scores < MIN_PARALLEL_SCORES { None } else { Some(pool()?) };
    let threads = PyThreads { pool, interrupt: Mutex::new(None) };
    py.detach(|| work(&threads)).map_err(|error| {
        let interrupt = threads.interrupt.into_inner().unwrap_or_else(PoisonError::into_inner);
        interrupt.unwrap_or_else(|| raised(error))
    })
}

/// Does work without the GIL that uses the current rayon pool, which is this process's.
pub fn installed<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}
