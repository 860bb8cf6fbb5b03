//! Ctrl-C and SIGTERM: the first signal asks a study to stop, the second one ends the process.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown, register_usize};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

static LAST_SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Returns a flag that the first signal sets from now on, instead of ending the process.
pub fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
        register(signal, Arc::clone(&stop))?;
        register_usize(signal, Arc::clone(&LAST_SIGNAL), usize::try_from(signal).expect("signals have small numbers"))?;
    }
    Ok(stop)
}

/// Exit status after the last signal.
pub fn exit_code() -> u8 {
    u8::try_from(128 + LAST_SIGNAL.load(Ordering::Relaxed)).expect("signals have small numbers")
}
