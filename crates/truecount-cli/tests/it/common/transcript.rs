//! Transcripts: commands of a program with what they print. The tests of `truecount-bench` and `truecount-web` include
//! this file, too.
//!
//! A transcript has these lines:
//!
//! - `folder train` begins with a new folder; the tests of each program have the names.
//! - `file test.csv score,g | 1,a ×30 | 2,b` writes a file; ` | ` separates its lines, the first of which is here 30
//!   times after the header.
//! - `copy a.csv b.csv` copies a file.
//! - `replace a.json from | to` replaces the first occurrence of a text in a file.
//! - `contains a.svg text` and `lacks a.svg text` demand that a file has a text, or does not.
//! - `run fit …` is a command that must succeed.
//! - `$ estimate …` is a command, which reads `a.csv` from standard input if it ends in ` < a.csv`. Its answer follows:
//!   lines of stdout after `>`, then the exit status with stderr. Of several commands in a row, each must have the same
//!   answer. An answer right after new files is that of the last command, run again.
//! - `#` begins a comment.
//!
//! `…` at the end of a line stands for its rest, at the end of a message for the rest of the message, and alone in a
//! line of stdout for any number of lines. Empty lines of messages are left out, and `X.Y.Z` is the version. A refused
//! command may print nothing to stdout and change no file. Each message should be whole in one place only: there a new
//! wording is read. `UPDATE_TRANSCRIPTS=1` rewrites answers that have changed.

use super::folder::{Folder, Run, any_version};
use std::path::{Path, PathBuf};
use std::{env, fs, mem};

/// The rest of a line or of a message.
const REST: char = '…';

/// The program whose commands are in a transcript.
pub struct Program {
    /// Returns the folder of this name.
    pub folder: fn(&str) -> Folder,
    /// Runs a command with this standard input.
    pub run: fn(&Folder, &str, Vec<u8>) -> Run,
}

/// A transcript while it is run.
struct Transcript<'a> {
    program: &'a Program,
    folder: Folder,
    /// The commands that are waiting for their answer, or the last ones.
    commands: Vec<String>,
    /// Whether the commands have had an answer.
    is_answered: bool,
    /// The lines of the expected answer.
    expected: Vec<String>,
    /// The transcript with the answers that the commands gave.
    actual: String,
    faults: Vec<String>,
}

impl Program {
    /// Runs a transcript and returns the differences, or rewrites it.
    pub fn check(&self, path: &Path) -> Vec<String> {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap();
        let mut transcript = Transcript {
            program: self,
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
        transcript.finish_answer();
        if !transcript.faults.is_empty() && env::var_os("UPDATE_TRANSCRIPTS").is_some() {
            fs::write(path, transcript.actual).unwrap();
            return Vec::new();
        }
        transcript.faults.iter().map(|fault| format!("{name}: {fault}")).collect()
    }
}

impl Transcript<'_> {
    fn read(&mut self, line: &str) {
        if [">", "0", "1 ", "2 ", "3 ", "  "].iter().any(|start| line.starts_with(start)) {
            self.expected.push(line.to_owned());
            return;
        }
        self.finish_answer();
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
            "folder" => self.folder = (self.program.folder)(rest),
            "file" => {
                let (name, lines) = rest.split_once(' ').unwrap_or((rest, ""));
                let repeated = |line: &str| match line.rsplit_once(" ×") {
                    Some((line, times)) => format!("{line}\n").repeat(times.parse().unwrap()),
                    None => format!("{line}\n"),
                };
                let content = if lines.is_empty() { String::new() } else { lines.split(" | ").map(repeated).collect() };
                fs::create_dir_all(path(name).parent().unwrap()).unwrap();
                fs::write(path(name), content).unwrap();
            }
            "copy" => {
                let (from, to) = rest.split_once(' ').unwrap();
                fs::copy(path(from), path(to)).unwrap();
            }
            "replace" => {
                let (name, (from, to)) =
                    rest.split_once(' ').map(|(name, texts)| (name, texts.split_once(" | ").unwrap())).unwrap();
                let text = self.folder.read(name);
                assert!(text.contains(from), "{line}");
                fs::write(path(name), text.replacen(from, to, 1)).unwrap();
            }
            "contains" | "lacks" => {
                let (name, text) = rest.split_once(' ').unwrap();
                assert_eq!(self.folder.read(name).contains(text), kind == "contains", "{line}");
            }
            "run" => {
                let run = self.run(rest);
                assert_eq!(run.code, 0, "{rest}: {}", run.stderr);
            }
            "" | "#" => {}
            _ => panic!("unknown line: {line}"),
        }
    }

    /// Runs a command, with a file as standard input if one is named.
    fn run(&self, command: &str) -> Run {
        let (command, stdin) = match command.split_once(" < ") {
            Some((command, file)) => (command, self.folder.read(file).into_bytes()),
            None => (command, Vec::new()),
        };
        (self.program.run)(&self.folder, command, stdin)
    }

    /// Runs the commands before an answer and compares it with theirs.
    fn finish_answer(&mut self) {
        if self.expected.is_empty() {
            return;
        }
        self.is_answered = true;
        let expected = mem::take(&mut self.expected);
        for (number, command) in self.commands.iter().enumerate() {
            let before = contents(self.folder.path());
            let Run { code, stdout, stderr } = self.run(command);
            let shown = any_version(&stdout);
            let printed = shown.lines().map(|line| if line.is_empty() { ">".to_owned() } else { format!("> {line}") });
            let lines: Vec<&str> = stderr.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
            let message = format!("{code} {}", lines.join("\n  "));
            let actual: Vec<String> = printed.chain(message.trim_end().lines().map(str::to_owned)).collect();
            let is_expected = matches(&expected, &actual);
            if number == 0 {
                self.actual += &(if is_expected { &expected } else { &actual }).join("\n");
                self.actual.push('\n');
            }
            let is_refused = [1, 2].contains(&code);
            let fault = if !is_expected {
                format!("{}\nexpected:\n{}", actual.join("\n"), expected.join("\n"))
            } else if is_refused && !stdout.is_empty() {
                format!("stdout: {stdout}")
            } else if is_refused && contents(self.folder.path()) != before {
                format!("files have changed: {:?}", files(self.folder.path()))
            } else {
                continue;
            };
            self.faults.push(format!("$ {command}\n{fault}"));
        }
    }
}

fn matches(expected: &[String], actual: &[String]) -> bool {
    match (expected, actual) {
        ([], []) => true,
        ([gap, rest @ ..], _) if *gap == format!("> {REST}") => {
            let printed = actual.iter().take_while(|line| line.starts_with('>')).count();
            (0..=printed).any(|from| matches(rest, &actual[from..]))
        }
        ([pattern, rest @ ..], [line, lines @ ..]) => match pattern.strip_suffix(REST) {
            Some(start) => line.starts_with(start) && (rest.is_empty() || matches(rest, lines)),
            None => line == pattern && matches(rest, lines),
        },
        _ => false,
    }
}

fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    files(folder).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Returns the paths of all files in a folder and the folders in it, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}
