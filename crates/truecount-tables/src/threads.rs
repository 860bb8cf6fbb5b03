//! How many threads there are where nobody says.

use std::env;
use std::num::NonZero;
use std::thread::available_parallelism;

/// Threads for every core, at most, unless more are asked for by name: others would only wait, and take memory.
const MOST: usize = 4;

/// What says how many threads there are where no option does; anything but a number from 1 counts for nothing.
pub const VARIABLE: &str = "RAYON_NUM_THREADS";

/// Threads where no option says how many.
pub fn by_default() -> usize {
    let cores = available_parallelism().map_or(1, NonZero::get);
    within_reason(env::var(VARIABLE).ok().as_deref(), cores)
}

/// One thread per core, or what is asked for within reason.
fn within_reason(asked: Option<&str>, cores: usize) -> usize {
    let asked = asked.and_then(|number| number.parse().ok()).filter(|number| *number > 0);
    asked.unwrap_or(cores).min(MOST * cores)
}

#[cfg(test)]
mod tests {
    use super::within_reason;

    #[test]
    fn the_environment_is_heard_within_reason() {
        let of = |asked| within_reason(asked, 2);
        assert_eq!([Some("1"), Some("3"), Some("8")].map(of), [1, 3, 8]);
        assert_eq!([Some("9"), Some("999999")].map(of), [8, 8]);
        assert_eq!([None, Some(""), Some("0"), Some("-1"), Some("many"), Some("1e3")].map(of), [2; 6]);
    }
}
