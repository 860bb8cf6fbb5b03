//! Threads that work without the GIL.
//!
//! Threads do not survive a fork, which Python's multiprocessing uses on Linux: a process that finds its parent's
//! thread pool starts its own.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::mem::forget;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use truecount_io::threads;

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// With fewer scores than this, the work is done before a thread would have woken up.
const WORTH_IT: usize = 1 << 15;

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

/// Applies a function to each item; results in order. Runs on all threads if called within [`detached`], else on this
/// one, since rayon's own threads would not survive a fork.
pub fn each<T: Sync, U: Send>(items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
    if rayon::current_thread_index().is_some() {
        items.par_iter().map(make).collect()
    } else {
        items.iter().map(make).collect()
    }
}

/// Does work on this many scores without the GIL, on all threads if that pays.
pub fn detached<T: Send>(py: Python<'_>, scores: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = if scores < WORTH_IT { None } else { Some(pool()?) };
    Ok(py.detach(|| match pool {
        None => work(),
        Some(pool) => pool.install(work),
    }))
}

/// Applies a function to the numbers 0 to n − 1 on all threads; results in order. Ctrl-C ends it after at most `block`
/// of them.
pub fn numbered<T: Send>(py: Python<'_>, n: u64, block: u64, make: impl Fn(u64) -> T + Sync) -> PyResult<Vec<T>> {
    let pool = pool()?;
    let mut made = Vec::new();
    let mut from = 0;
    while from < n {
        let to = n.min(from + block);
        let some: Vec<T> = py.detach(|| pool.install(|| (from..to).into_par_iter().map(&make).collect()));
        made.extend(some);
        py.check_signals()?;
        from = to;
    }
    Ok(made)
}
