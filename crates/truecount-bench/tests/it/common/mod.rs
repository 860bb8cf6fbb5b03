//! Runs the program in a temporary folder.

#[path = "../../../../truecount-cli/tests/it/common/folder.rs"]
mod folder;
#[path = "../../../../truecount-cli/tests/it/common/transcript.rs"]
pub mod transcript;

pub use folder::{Folder, Run, any_version};

use serde_json::Value;

const PROGRAM: &str = "truecount-bench";

impl Folder {
    /// Returns a run that must succeed, with tables and progress of at most 80 columns.
    #[track_caller]
    pub fn run_ok(&self, arguments: &str) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let mut lines = run.stdout.lines().chain(run.stderr.lines().filter(|line| !line.starts_with("warning: ")));
        assert!(lines.all(|line| line.chars().count() <= 80), "{}{}", run.stdout, run.stderr);
        run
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }
}
