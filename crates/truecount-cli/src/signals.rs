//! Early ends of the command: by Ctrl-C, SIGTERM, SIGHUP of a terminal that closes, or when memory runs out.
//!
//! Each removes files that are being written. After a signal the exit status is 128 plus its number, as in shells;
//! otherwise it is 1. Work that can keep its partial results is first asked to stop; a second signal ends it.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;
use truecount_tables::whole_file;

/// Number of the signal of Ctrl-C, which is 2 on every system.
const INTERRUPT: i32 = 2;

const OUT_OF_MEMORY: &str = "\
error: there is not enough memory
hint: allow more memory, or process fewer rows or groups at a time
";

static LAST_SIGNAL: AtomicI32 = AtomicI32::new(INTERRUPT);

/// Whether the current work stops when `STOP` is set.
static WORK_CHECKS_STOP: AtomicBool = AtomicBool::new(false);

static STOP: AtomicBool = AtomicBool::new(false);

/// Returns a flag that the first signal sets from now on, instead of ending the process.
pub fn stop_flag() -> &'static AtomicBool {
    WORK_CHECKS_STOP.store(true, Ordering::Relaxed);
    &STOP
}

/// Exit status after the last signal.
pub fn exit_code() -> u8 {
    u8::try_from(128 + LAST_SIGNAL.load(Ordering::Relaxed)).expect("signals have small numbers")
}

fn handle(signal: i32) {
    LAST_SIGNAL.store(signal, Ordering::Relaxed);
    if WORK_CHECKS_STOP.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed) {
        return;
    }
    whole_file::remove_temporary_files();
    exit(exit_code().into());
}

/// Ends the process with an error about memory, without allocating any.
pub fn exit_out_of_memory() -> ! {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        // Another thread is ending the process, unless this one needs memory to do so.
        std::thread::sleep(Duration::from_secs(1));
    } else {
        let _ = io::stderr().write_all(OUT_OF_MEMORY.as_bytes());
        whole_file::remove_temporary_files();
    }
    exit(1)
}

/// Starts a thread that waits for signals.
#[cfg(unix)]
pub fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let ignored = ignored();
    let handled = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(handled)?;
    let wait = move || signals.forever().for_each(handle);
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Returns a bit mask of the signals that the parent process has set to be ignored, as `nohup`
/// does; the lowest bit is signal 1. The mask is 0 if the system has no `/proc`.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends the process at once, without exit handlers, because other threads are still running.
#[cfg(unix)]
fn exit(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

#[cfg(not(unix))]
pub fn watch() -> io::Result<()> {
    ctrlc::set_handler(|| handle(INTERRUPT)).map_err(io::Error::other)
}

#[cfg(not(unix))]
fn exit(code: i32) -> ! {
    std::process::exit(code)
}
