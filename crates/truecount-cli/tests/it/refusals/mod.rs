//! Commands that are refused, and what they say: the transcripts (`*.txt`) beside this file.
//!
//! A transcript has these lines:
//!
//! - `folder train` begins with a new folder; [`folder`] has the names.
//! - `file test.csv score,g | 1,a | 2,b` writes a file; ` | ` separates its lines.
//! - `copy a.csv b.csv` copies a file.
//! - `run fit …` is a command that must succeed.
//! - `$ estimate …` is a command that must be refused. The exit status and the message follow; of
//!   several commands in a row, each must be refused with the same message. A message right after
//!   new files is that of the last command, run again.
//! - `#` begins a comment.
//!
//! `…` at the end of a message stands for its rest, and at the end of another line for the rest of
//! that line. Empty lines of messages are left out. A refused command may print nothing to stdout
//! and write no file. Each message should be whole in one place only: there a new wording is read.
//! `UPDATE_REFUSALS=1 cargo test -p truecount-cli refus` rewrites messages that have changed.

use crate::common::{Folder, Run};
use crate::{audit, compare, evaluate, experiment, test_design};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::{Path, PathBuf};
use std::{env, fs, mem};

/// The rest of a line or of a message.
const REST: char = '…';

fn folder(name: &str) -> Folder {
    match name {
        "empty" => Folder::new(),
        "train" => Folder::with_train(),
        "spam" => Folder::with_spam(),
        "audit" => audit::folder(),
        "compare" => compare::folder(),
        "evaluate" => evaluate::pool(),
        "experiment" => experiment::folder(),
        "test_design" => test_design::folder(),
        _ => panic!("unknown folder: {name}"),
    }
}

/// A transcript while it is run.
struct Transcript {
    folder: Folder,
    /// The commands that are waiting for their message, or the last ones.
    commands: Vec<String>,
    /// Whether the commands have had a message.
    is_answered: bool,
    /// The lines of the expected message.
    expected: Vec<String>,
    /// The transcript with the messages that the commands gave.
    actual: String,
    faults: Vec<String>,
}

#[test]
fn commands_are_refused_with_their_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/refusals");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|name| name == "txt")).collect();
    assert!(!paths.is_empty());
    let faults: Vec<String> = paths.par_iter().flat_map_iter(|path| check(path)).collect();
    assert!(faults.is_empty(), "{} messages differ\n\n{}", faults.len(), faults.join("\n\n"));
}

/// Runs a transcript and returns the differences, or rewrites it.
fn check(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let mut transcript = Transcript {
        folder: Folder::new(),
        commands: Vec::new(),
        is_answered: true,
        expected: Vec::new(),
        actual: String::new(),
        faults: Vec::new(),
    };
    for line in text.lines() {
        transcript.read(line);
    }
    transcript.finish_message();
    if !transcript.faults.is_empty() && env::var_os("UPDATE_REFUSALS").is_some() {
        fs::write(path, transcript.actual).unwrap();
        return Vec::new();
    }
    transcript.faults.iter().map(|fault| format!("{name}: {fault}")).collect()
}

impl Transcript {
    fn read(&mut self, line: &str) {
        if ["1 ", "2 ", "  "].iter().any(|start| line.starts_with(start)) {
            self.expected.push(line.to_owned());
            return;
        }
        self.finish_message();
        self.actual += line;
        self.actual.push('\n');
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        let path = |name: &str| self.folder.path().join(name);
        match kind {
            "$" => {
                if mem::take(&mut self.is_answered) {
                    self.commands.clear();
                }
                self.commands.push(rest.to_owned());
            }
            "folder" => self.folder = folder(rest),
            "file" => {
                let (name, lines) = rest.split_once(' ').unwrap_or((rest, ""));
                let content = lines.replace(" | ", "\n") + if lines.is_empty() { "" } else { "\n" };
                fs::write(path(name), content).unwrap();
            }
            "copy" => {
                let (from, to) = rest.split_once(' ').unwrap();
                fs::copy(path(from), path(to)).unwrap();
            }
            "run" => {
                let run = self.folder.run(rest);
                assert_eq!(run.code, 0, "{rest}: {}", run.stderr);
            }
            "" | "#" => {}
            _ => panic!("unknown line: {line}"),
        }
    }

    /// Runs the commands before a message and compares it with theirs.
    fn finish_message(&mut self) {
        if self.expected.is_empty() {
            return;
        }
        self.is_answered = true;
        let expected = mem::take(&mut self.expected).join("\n");
        for (number, command) in self.commands.iter().enumerate() {
            let before = files(self.folder.path());
            let Run { code, stdout, stderr } = self.folder.run(command);
            let lines: Vec<&str> = stderr.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
            let actual = format!("{code} {}", lines.join("\n  "));
            let is_expected = matches(&expected, &actual);
            if number == 0 {
                self.actual += if is_expected { &expected } else { &actual };
                self.actual.push('\n');
            }
            let fault = if !is_expected {
                format!("{actual}\nexpected:\n{expected}")
            } else if !stdout.is_empty() {
                format!("stdout: {stdout}")
            } else if files(self.folder.path()) != before {
                format!("the files are now {:?}", files(self.folder.path()))
            } else {
                continue;
            };
            self.faults.push(format!("$ {command}\n{fault}"));
        }
    }
}

fn matches(expected: &str, actual: &str) -> bool {
    let mut lines = actual.lines();
    let mut patterns = expected.lines().peekable();
    while let Some(pattern) = patterns.next() {
        let Some(line) = lines.next() else { return false };
        let is_equal = pattern.strip_suffix(REST).map_or(line == pattern, |start| line.starts_with(start));
        if !is_equal {
            return false;
        }
        if patterns.peek().is_none() && pattern.ends_with(REST) {
            return true;
        }
    }
    lines.next().is_none()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}
