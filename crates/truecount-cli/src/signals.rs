//! Signals that ask the command to end: Ctrl-C, SIGTERM, and SIGHUP of a terminal that closes. What is being written is
//! given up, and nothing is left of it; the exit code is 128 and the signal's number, as shells have it. Work that keeps
//! what it has is asked to stop first, and ended by a second signal.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use truecount_tables::whole_file;

/// The number of Ctrl-C's signal, on every system.
const INTERRUPT: i32 = 2;

/// The last signal.
static RECEIVED: AtomicI32 = AtomicI32::new(INTERRUPT);

/// Whether there is work that looks at `STOP`.
static ORDERLY: AtomicBool = AtomicBool::new(false);

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on the first signal only sets what this returns.
pub fn orderly() -> &'static AtomicBool {
    ORDERLY.store(true, Ordering::Relaxed);
    &STOP
}

/// The exit code of what a signal ended.
pub fn exit_code() -> u8 {
    u8::try_from(128 + RECEIVED.load(Ordering::Relaxed)).expect("signals have small numbers")
}

fn received(signal: i32) {
    RECEIVED.store(signal, Ordering::Relaxed);
    if ORDERLY.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed) {
        return;
    }
    whole_file::abandon();
    end(exit_code().into());
}

/// Waits for signals on a thread of its own.
#[cfg(unix)]
pub fn watch() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let ignored = ignored();
    let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(heeded)?;
    let wait = move || signals.forever().for_each(received);
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// The signals that whoever started the command wants ignored, as `nohup` does: a bit for each, the first for signal 1.
/// Where there is no way to know without unsafe code, none.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends at once: other threads may be anywhere.
#[cfg(unix)]
fn end(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

#[cfg(not(unix))]
pub fn watch() -> io::Result<()> {
    ctrlc::set_handler(|| received(INTERRUPT)).map_err(io::Error::other)
}

#[cfg(not(unix))]
fn end(code: i32) -> ! {
    std::process::exit(code)
}
