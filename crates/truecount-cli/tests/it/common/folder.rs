//! Runs a program in a temporary folder. The tests of `truecount-bench` include this file, too.

use super::PROGRAM;
use assert_cmd::Command;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Replaces the program's version by X.Y.Z, so that a new version changes no test.
pub fn any_version(text: &str) -> String {
    text.replace(env!("CARGO_PKG_VERSION"), "X.Y.Z")
}

/// The exit status and the output of a run.
#[derive(Clone)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A folder with input files. The program runs inside it, so that messages contain no path of this machine.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path().join(name), content).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn run(&self, arguments: &str) -> Run {
        self.run_all(arguments.split_whitespace(), "")
    }

    /// Runs the program with arguments that may contain spaces.
    pub fn run_all(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>, stdin: impl Into<Vec<u8>>) -> Run {
        let output = Command::cargo_bin(PROGRAM)
            .unwrap()
            .current_dir(self.path())
            .env("SOURCE_DATE_EPOCH", "1795694400")
            .args(words)
            .write_stdin(stdin)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Returns the stderr of a run that must fail with this code and print nothing to stdout.
    #[track_caller]
    pub fn fails(&self, code: i32, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{}", run.stderr);
        run.stderr.trim_end().to_owned()
    }
}
