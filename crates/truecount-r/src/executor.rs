//! Threads for a single call. R's own thread waits for them and checks for interrupts meanwhile; no
//! thread outlives the call.

use savvy::ffi::SEXP;
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use truecount_analysis::executor::{Executor, Interrupted};

/// Time between two checks for an interrupt by the user.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// With fewer scores than this, starting threads takes longer than the work.
const MIN_SCORES_FOR_THREADS: usize = 1 << 15;

thread_local! {
    /// Whether this is a worker thread, which starts no further threads and must not call R.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// The number of threads that may work on a call.
pub struct RThreads(usize);

/// The payload of a panic while R unwinds, with the pointer that lets R continue. A panic drops the
/// Rust values on the stack.
struct Unwinding(usize);

impl RThreads {
    /// Allows this many threads, or a single one for a small number of scores.
    pub fn new(threads: i32, scores: usize) -> Self {
        Self(if scores < MIN_SCORES_FOR_THREADS { 1 } else { usize::try_from(threads).unwrap_or(1).max(1) })
    }

    /// Allows this many threads, whatever the number of scores.
    pub fn all(threads: i32) -> Self {
        Self::new(threads, MIN_SCORES_FOR_THREADS)
    }

    fn run<U: Send>(&self, n: usize, task: impl Fn(usize) -> U + Sync) -> Vec<U> {
        if IS_WORKER.get() || n < 2 {
            return (0..n).map(task).collect();
        }
        let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (alive, all_done) = mpsc::channel::<()>();
        let work = |alive: mpsc::Sender<()>| {
            IS_WORKER.set(true);
            let mut results = Vec::new();
            while !is_stopped.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= n {
                    break;
                }
                results.push((index, task(index)));
            }
            drop(alive);
            results
        };
        let mut unwinding = None;
        let mut results: Vec<(usize, U)> = Vec::with_capacity(n);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.0.min(n))
                .map(|_| {
                    let alive = alive.clone();
                    scope.spawn(|| work(alive))
                })
                .collect();
            drop(alive);
            // The channel closes when the last worker drops its sender.
            while all_done.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if unwinding.is_none()
                    && let Err(payload) = check_interrupt()
                {
                    is_stopped.store(true, Ordering::Relaxed);
                    unwinding = Some(payload);
                }
            }
            for thread in threads {
                results.extend(thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload)));
            }
        });
        if let Some(payload) = unwinding {
            panic::resume_unwind(Box::new(payload));
        }
        results.sort_unstable_by_key(|(index, _)| *index);
        results.into_iter().map(|(_, value)| value).collect()
    }
}

impl Executor for RThreads {
    fn map<T: Sync, U: Send>(&self, items: &[T], task: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        self.run(items.len(), |index| task(&items[index]))
    }

    fn map_range<T: Send>(&self, n: u64, task: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        let n = usize::try_from(n).expect("the results fit into memory");
        Ok(self.run(n, |index| task(index as u64)))
    }
}

#[allow(unsafe_code)]
unsafe extern "C" {
    /// Jumps out if the user has interrupted R. Only R's own thread may call this function.
    fn R_CheckUserInterrupt();
}

/// Returns an error if the user has interrupted R, which then unwinds.
#[allow(unsafe_code)]
fn check_interrupt() -> Result<(), Unwinding> {
    let null = savvy::Sexp::from(savvy::NullSexp).0;
    // SAFETY: this is R's own thread, because workers do not call this function; `unwind_protect`
    // catches the jump that R may make.
    let result = unsafe {
        savvy::unwind_protect(|| -> SEXP {
            R_CheckUserInterrupt();
            null
        })
    };
    match result {
        Err(savvy::Error::Aborted(token)) => Err(Unwinding(token as usize)),
        _ => Ok(()),
    }
}

/// Runs a call. Returns [`savvy::Error::Aborted`], with which R continues to unwind, if the user
/// has interrupted the call.
pub fn catch_interrupt<T>(call: impl FnOnce() -> T) -> savvy::Result<T> {
    panic::catch_unwind(AssertUnwindSafe(call)).or_else(|payload: Box<dyn Any + Send>| {
        match payload.downcast::<Unwinding>() {
            Ok(unwinding) => Err(savvy::Error::Aborted(unwinding.0 as SEXP)),
            Err(other) => panic::resume_unwind(other),
        }
    })
}
