//! Commands that are refused, and what they say: the transcripts (`*.txt`) beside this file.
//!
//! A transcript has these lines:
//!
//! - `folder train` begins with a new folder: `empty`, `train` or `spam`.
//! - `file test.csv score,g | 1,a | 2,b` writes a file; ` | ` separates its lines.
//! - `run fit …` is a command that must succeed.
//! - `$ estimate …` is a command that must be refused. The exit status and the message follow; of
//!   several commands in a row, each must be refused with the same message.
//! - `#` begins a comment.
//!
//! `…` at the end of a line stands for the rest of the line, and alone for the rest of the message.
//! `UPDATE_REFUSALS=1 cargo test -p truecount-cli refus` rewrites messages that have changed.
//! Each message should appear in one place only: this is where a new wording is read.

use crate::common::{Folder, Run};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::{Path, PathBuf};
use std::{env, fs, mem};

/// The rest of a line or of a message.
const REST: char = '…';

/// A transcript while it is run.
struct Transcript {
    folder: Folder,
    /// The commands that are waiting for their message.
    commands: Vec<String>,
    /// The lines of the expected message.
    expected: Vec<String>,
    /// The transcript with the messages that the commands gave.
    actual: String,
    faults: Vec<String>,
}

#[test]
fn commands_are_refused_with_their_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/refusals");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|extension| extension == "txt")).collect();
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
        expected: Vec::new(),
        actual: String::new(),
        faults: Vec::new(),
    };
    for line in text.lines() {
        transcript.read(line);
    }
    transcript.finish_message();
    if transcript.faults.is_empty() {
        return Vec::new();
    }
    if env::var_os("UPDATE_REFUSALS").is_some() {
        fs::write(path, transcript.actual).unwrap();
        return Vec::new();
    }
    transcript.faults.iter().map(|fault| format!("{name}: {fault}")).collect()
}

impl Transcript {
    fn read(&mut self, line: &str) {
        let is_message = line.starts_with(["1 ", "2 ", "  "]);
        if is_message {
            self.expected.push(line.to_owned());
            return;
        }
        let command = line.strip_prefix("$ ");
        if command.is_none() || !self.expected.is_empty() {
            self.finish_message();
        }
        self.actual += line;
        self.actual.push('\n');
        match (command, line.split_once(' ').unwrap_or((line, ""))) {
            (Some(command), _) => self.commands.push(command.to_owned()),
            (None, ("folder", "empty")) => self.folder = Folder::new(),
            (None, ("folder", "train")) => self.folder = Folder::with_train(),
            (None, ("folder", "spam")) => self.folder = Folder::with_spam(),
            (None, ("file", file)) => {
                let (name, content) = file.split_once(' ').unwrap_or((file, ""));
                let content = content.split(" | ").map(|line| format!("{line}\n")).collect::<String>();
                fs::write(self.folder.path().join(name), if content == "\n" { "" } else { &content }).unwrap();
            }
            (None, ("run", arguments)) => {
                let run = self.folder.run(arguments);
                assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
            }
            (None, ("" | "#", _)) => {}
            _ => panic!("unknown line: {line}"),
        }
    }

    /// Runs the waiting commands and compares their messages.
    fn finish_message(&mut self) {
        let expected = mem::take(&mut self.expected);
        for (number, command) in mem::take(&mut self.commands).iter().enumerate() {
            let before = names(self.folder.path());
            let Run { code, stdout, stderr } = self.folder.run(command);
            let actual = format!("{code} {}", stderr.trim_end().replace('\n', "\n  "));
            let actual: Vec<&str> = actual.lines().map(str::trim_end).collect();
            assert!(names(self.folder.path()) == before, "{command}: a refused command has written a file");
            if stdout.is_empty() && matches(&expected, &actual) {
                if number == 0 {
                    expected.iter().for_each(|line| self.actual += &format!("{line}\n"));
                }
                continue;
            }
            if number == 0 {
                actual.iter().for_each(|line| self.actual += &format!("{line}\n"));
            }
            self.faults.push(format!("$ {command}\n{stdout}{}\nexpected:\n{}", actual.join("\n"), expected.join("\n")));
        }
    }
}

/// Returns whether a message is the expected one.
fn matches(expected: &[String], actual: &[&str]) -> bool {
    let mut lines = actual.iter();
    for pattern in expected {
        if pattern.trim() == REST.to_string() {
            return true;
        }
        let Some(line) = lines.next() else { return false };
        let is_equal = pattern.strip_suffix(REST).map_or(*line == pattern, |start| line.starts_with(start));
        if !is_equal {
            return false;
        }
    }
    lines.next().is_none()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}
