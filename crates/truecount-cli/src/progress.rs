//! Progress bars on a terminal, which disappear when the work ends.

use crate::output::print_wrapped_message;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::sync::Arc;
use truecount_analysis::results::escape_untrusted;
use truecount_tables::{Meter, Progress};

/// Shows a progress bar for each file that is read.
pub struct ProgressBars;

/// A progress bar, which draws nothing if standard error is not a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// Creates a bar that shows the time left; without a length, the number of bytes read.
    pub fn new(name: &str, length: Option<u64>) -> Self {
        let (bar, style) = match length {
            Some(length) => (ProgressBar::new(length), "{msg} {bar:40} {percent:>3} %  {eta} left"),
            None => (ProgressBar::new_spinner(), "{msg} {bytes} read"),
        };
        let style = ProgressStyle::with_template(style).expect("a valid template");
        Self(bar.with_style(style).with_message(name.to_owned()).with_finish(ProgressFinish::AndClear))
    }

    /// Draws the bar at once, before the first step of the work.
    #[must_use]
    pub fn drawn(self) -> Self {
        self.0.tick();
        self
    }

    pub fn inc(&self, steps: u64) {
        self.0.inc(steps);
    }
}

impl Progress for ProgressBars {
    fn begin(&self, name: &str, bytes: Option<u64>) -> Arc<dyn Meter> {
        Arc::new(Bar::new(name, bytes))
    }
}

impl Meter for Bar {
    fn advance(&self, bytes: u64) {
        self.inc(bytes);
    }

    fn note(&self, message: &str) {
        self.0.suspend(|| print_wrapped_message(&escape_untrusted(message)));
    }
}
