//! Runs the program in a temporary folder.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Replaces the program's version by X.Y.Z, so that a new version changes no test.
pub fn any_version(text: &str) -> String {
    text.replace(env!("CARGO_PKG_VERSION"), "X.Y.Z")
}

/// The exit status and the output of a run.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A folder with input files. The program runs inside it, so that messages contain no path of this
/// machine.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.path().join(name), content).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn run(&self, arguments: &str) -> Run {
        let output = Command::cargo_bin("truecount-bench")
            .unwrap()
            .current_dir(self.path())
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

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

    /// Returns the stderr of a run that must fail with this code and print nothing to stdout.
    #[track_caller]
    pub fn fails(&self, code: i32, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{}", run.stderr);
        run.stderr.trim_end().to_owned()
    }
}
