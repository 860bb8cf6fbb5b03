//! How far work has come, as a bar on a terminal that is gone when it ends.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::sync::Arc;
use truecount_tables::{Meter, Progress};

/// A bar for each reading.
pub struct ProgressBars;

/// One bar; where standard error is no terminal it draws nothing.
pub struct Bar(ProgressBar);

impl Bar {
    /// Of so much work, with the time left; how much there is may not be known of bytes.
    pub fn new(what: &str, length: Option<u64>) -> Self {
        let (bar, style) = match length {
            Some(length) => (ProgressBar::new(length), "{msg} {bar:40} {percent:>3} %  {eta} left"),
            None => (ProgressBar::new_spinner(), "{msg} {bytes} read"),
        };
        let style = ProgressStyle::with_template(style).expect("a valid template");
        Self(bar.with_style(style).with_message(what.to_owned()).with_finish(ProgressFinish::AndClear))
    }

    /// Draws it before anything is done.
    #[must_use]
    pub fn drawn(self) -> Self {
        self.0.tick();
        self
    }

    pub fn inc(&self, more: u64) {
        self.0.inc(more);
    }
}

impl Progress for ProgressBars {
    fn begin(&self, what: &str, bytes: Option<u64>) -> Arc<dyn Meter> {
        Arc::new(Bar::new(what, bytes))
    }
}

impl Meter for Bar {
    fn advance(&self, bytes: u64) {
        self.inc(bytes);
    }
}
