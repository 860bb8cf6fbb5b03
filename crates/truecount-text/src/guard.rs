//! Protection against decoders of other crates that panic on damaged files.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder, and turns its error or panic into a message. A decoder that panicked must not be
/// used again.
///
/// # Errors
/// Returns the message of the error or the panic.
pub fn catch_decoder_panic<T, E: Display>(decode: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    static QUIET: Once = Once::new();
    if cfg!(panic = "abort") {
        return decode().map_err(|e| e.to_string());
    }
    // A caught panic becomes an error, so the panic message is not printed.
    QUIET.call_once(|| {
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                default_hook(panic);
            }
        }));
    });
    let was_guarded = GUARDED.replace(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(was_guarded);
    match decoded {
        Ok(decoded) => decoded.map_err(|e| e.to_string()),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            Err(text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it cannot be decoded").to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::catch_decoder_panic;

    #[test]
    fn errors_and_panics_become_messages() {
        assert_eq!(catch_decoder_panic(|| Ok::<_, String>(1)), Ok(1));
        assert_eq!(catch_decoder_panic(|| Err::<(), _>("short")), Err("short".to_owned()));
        assert_eq!(catch_decoder_panic(|| -> Result<(), String> { panic!("at {}", 7) }), Err("at 7".to_owned()));
    }
}
