//! Threads for one call, which are gone when it ends; R's own thread looks meanwhile whether the user wants to stop.

use savvy::ffi::SEXP;
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use truecount_analysis::executor::{Executor, Interrupted};

/// Between two looks at whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// With fewer scores than this, the work is done before a thread would have woken up.
const WORTH_IT: usize = 1 << 15;

thread_local! {
    /// Whether this thread is one of a call's, which shares out no more and must not talk to R.
    static WORKS: Cell<bool> = const { Cell::new(false) };
}

/// As many threads as may work on a call.
pub struct RThreads(usize);

/// That R is unwinding, with what it goes on with, a pointer; passed up as a panic is, so that what stands in between is dropped.
struct Unwinding(usize);

impl RThreads {
    /// So many, or one where there are too few scores for more.
    pub fn new(threads: i32, scores: usize) -> Self {
        Self(if scores < WORTH_IT { 1 } else { usize::try_from(threads).unwrap_or(1).max(1) })
    }

    /// So many.
    pub fn all(threads: i32) -> Self {
        Self::new(threads, WORTH_IT)
    }

    fn run<U: Send>(&self, n: usize, make: impl Fn(usize) -> U + Sync) -> Vec<U> {
        let works = WORKS.get();
        if works || n < 2 {
            return (0..n).map(make).collect();
        }
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (done, all_done) = mpsc::channel::<()>();
        let work = |done: mpsc::Sender<()>| {
            WORKS.set(true);
            let mut made = Vec::new();
            while !stopped.load(Ordering::Relaxed) {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= n {
                    break;
                }
                made.push((place, make(place)));
            }
            drop(done);
            made
        };
        let mut unwinding = None;
        let mut made: Vec<(usize, U)> = Vec::with_capacity(n);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.0.min(n))
                .map(|_| {
                    let done = done.clone();
                    scope.spawn(|| work(done))
                })
                .collect();
            drop(done);
            // The channel is closed when the last of them has let go of it.
            while all_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if unwinding.is_none()
                    && let Err(to) = interrupted()
                {
                    stopped.store(true, Ordering::Relaxed);
                    unwinding = Some(to);
                }
            }
            for thread in threads {
                made.extend(thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload)));
            }
        });
        if let Some(to) = unwinding {
            panic::resume_unwind(Box::new(to));
        }
        made.sort_unstable_by_key(|(place, _)| *place);
        made.into_iter().map(|(_, value)| value).collect()
    }
}

impl Executor for RThreads {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        self.run(items.len(), |place| make(&items[place]))
    }

    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        let n = usize::try_from(n).expect("as many as fit into memory");
        Ok(self.run(n, |number| make(number as u64)))
    }
}

#[allow(unsafe_code)]
unsafe extern "C" {
    /// Jumps out where the user wants to stop; for R's own thread alone.
    fn R_CheckUserInterrupt();
}

/// Lets R see whether the user wants to stop; if so it begins to unwind.
#[allow(unsafe_code)]
fn interrupted() -> Result<(), Unwinding> {
    let nothing = savvy::Sexp::from(savvy::NullSexp).0;
    // SAFETY: this is R's own thread, as threads that work do not come here; the jump that R may make is caught by `unwind_protect`
    // and ends there.
    let found = unsafe {
        savvy::unwind_protect(|| -> SEXP {
            R_CheckUserInterrupt();
            nothing
        })
    };
    match found {
        Err(savvy::Error::Aborted(to)) => Err(Unwinding(to as usize)),
        _ => Ok(()),
    }
}

/// What a call finds; or, where the user has stopped it, what lets R go on unwinding.
pub fn stoppable<T>(call: impl FnOnce() -> T) -> savvy::Result<T> {
    panic::catch_unwind(AssertUnwindSafe(call)).or_else(|payload: Box<dyn Any + Send>| {
        match payload.downcast::<Unwinding>() {
            Ok(to) => Err(savvy::Error::Aborted(to.0 as SEXP)),
            Err(other) => panic::resume_unwind(other),
        }
    })
}
