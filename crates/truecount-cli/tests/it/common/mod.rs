//! Runs the command in a temporary folder.
#![allow(dead_code)] // each test file uses its part

use assert_cmd::Command;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Replaces the version of the command by X.Y.Z, so that a new version changes no test.
pub fn any_version(text: &str) -> String {
    text.replace(env!("CARGO_PKG_VERSION"), "X.Y.Z")
}

/// The result of a run.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A folder with input files. Commands run inside it, so that messages contain no path of this
/// machine.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with `train.csv`: twelve positives around 2, twelve negatives around 0.
    pub fn with_train() -> Self {
        let spread = [-1.4, -0.9, -0.6, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3];
        let rows = |mean: f64, label: u8| spread.map(|s| format!("{:.1},{label}\n", s + mean)).concat();
        Self::new().file("train.csv", format!("score,label\n{}{}", rows(2.0, 1), rows(0.0, 0)))
    }

    /// A folder with the spam data's `train.csv` and `weeks.csv`.
    pub fn with_spam() -> Self {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/spam");
        let file = |folder: Self, name: &str| folder.file(name, fs::read(data.join(name)).unwrap());
        ["train.csv", "weeks.csv"].into_iter().fold(Self::new(), file)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.path().join(name), content).unwrap();
        self
    }

    pub fn run(&self, arguments: &str) -> Run {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &str, stdin: impl Into<Vec<u8>>) -> Run {
        self.run_all(arguments.split_whitespace(), stdin)
    }

    /// Runs the command with arguments that may contain spaces.
    pub fn run_words(&self, words: &[String]) -> Run {
        self.run_all(words, "")
    }

    fn run_all(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>, stdin: impl Into<Vec<u8>>) -> Run {
        let output = Command::cargo_bin("truecount")
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

/// Compresses a text with gzip.
pub fn gzip(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}
