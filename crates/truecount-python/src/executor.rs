//! Threads that work without the GIL.
//!
//! Threads do not survive a fork, which Python's multiprocessing uses on Linux: a process that finds its parent's
//! thread pool starts its own.

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

/// With fewer scores than this, the work is done before a thread would have woken up.
const WORTH_IT: usize = 1 << 15;

/// What is made between two looks at Ctrl-C.
const BLOCK: u64 = 64;

/// This process's threads, as many as there are cores (or as RAYON_NUM_THREADS says, within reason).
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((owner, pool)) = held.take() {
        if owner == process::id() {
            *held = Some((owner, pool.clone()));
            return Ok(pool);
        }
        // Dropping it would wait for threads that do not exist in this process.
        forget(pool);
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads::by_default());
    let pool = pool.thread_name(|number| format!("truecount-{number}")).build();
    let pool = Arc::new(pool.map_err(|e| PyRuntimeError::new_err(format!("the threads cannot be started: {e}")))?);
    *held = Some((process::id(), pool.clone()));
    Ok(pool)
}

/// Those who work: all threads, or the caller's if that is as fast. Rayon's own would not survive a fork.
pub struct PyThreads {
    pool: Option<Arc<ThreadPool>>,
    /// What stopped them.
    stop: Mutex<Option<PyErr>>,
}

impl Executor for PyThreads {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        match &self.pool {
            Some(pool) => pool.install(|| items.par_iter().map(make).collect()),
            None => items.iter().map(make).collect(),
        }
    }

    /// On all threads, however few there are. Ctrl-C ends it after at most a block.
    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        in_blocks(n, make).map_err(|stop| {
            *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
            Interrupted
        })
    }
}

fn in_blocks<T: Send>(n: u64, make: impl Fn(u64) -> T + Sync + Send) -> PyResult<Vec<T>> {
    let pool = pool()?;
    let mut made = Vec::new();
    let mut from = 0;
    while from < n {
        let to = n.min(from + BLOCK);
        made.extend(pool.install(|| (from..to).into_par_iter().map(&make).collect::<Vec<T>>()));
        #[allow(clippy::redundant_closure_for_method_calls)] // the method alone is not for every lifetime
        Python::attach(|py| py.check_signals())?;
        from = to;
    }
    Ok(made)
}

/// Does work on this many scores without the GIL, on all threads if that pays.
pub fn detached<T: Send>(
    py: Python<'_>,
    scores: usize,
    work: impl FnOnce(&PyThreads) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let pool = if scores < WORTH_IT { None } else { Some(pool()?) };
    let threads = PyThreads { pool, stop: Mutex::new(None) };
    py.detach(|| work(&threads)).map_err(|failure| {
        let stop = threads.stop.into_inner().unwrap_or_else(PoisonError::into_inner);
        stop.unwrap_or_else(|| raised(failure))
    })
}

/// Does work without the GIL that finds its threads by itself.
pub fn installed<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}
