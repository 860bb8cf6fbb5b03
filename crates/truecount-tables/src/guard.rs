//! Decoders of others, kept from ending the program: what is damaged in a way that they did not think of makes some panic.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// What a decoder returns, or why it failed. A decoder that panicked must not be used again.
pub fn catch_decoder_panic<T, E: Display>(decode: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    static QUIET: Once = Once::new();
    // What is caught becomes an error; printing it as well would say twice, and worse, what is wrong with the file.
    QUIET.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                loud(panic);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(before);
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
    fn what_fails_is_an_error_and_what_succeeds_is_not() {
        assert_eq!(catch_decoder_panic(|| Ok::<_, String>(1)), Ok(1));
        assert_eq!(catch_decoder_panic(|| Err::<(), _>("short")), Err("short".to_owned()));
        assert_eq!(catch_decoder_panic(|| -> Result<(), String> { panic!("at {}", 7) }), Err("at 7".to_owned()));
    }
}
