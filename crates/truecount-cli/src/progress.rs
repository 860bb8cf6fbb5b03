//! Reading, as a bar on a terminal that is gone when reading ends.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::sync::Arc;
use truecount_io::{Meter, Progress};

/// A bar for each reading.
pub struct Bars;

/// One bar; where standard error is no terminal it draws nothing.
struct Bar(ProgressBar);

impl Progress for Bars {
    fn begin(&self, what: &str, bytes: Option<u64>) -> Arc<dyn Meter> {
        let (bar, style) = match bytes {
            Some(bytes) => (ProgressBar::new(bytes), "{msg} {bar:40} {percent:>3} %  {eta} left"),
            None => (ProgressBar::new_spinner(), "{msg} {bytes} read"),
        };
        let style = ProgressStyle::with_template(style).expect("a valid template");
        Arc::new(Bar(bar.with_style(style).with_message(what.to_owned()).with_finish(ProgressFinish::AndClear)))
    }
}

impl Meter for Bar {
    fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}
