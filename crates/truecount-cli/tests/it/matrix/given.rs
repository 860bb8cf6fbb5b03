//! A file under the names and through the pipes by which a command may be given it, and the run of the command.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::process::{self, Child, Stdio};
use std::time::Duration;

/// What a command did.
#[derive(Clone)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Inputs for one run: what is typed for them, and who fills the pipes.
struct Given {
    words: Vec<String>,
    stdin: Vec<u8>,
    feeders: Vec<Child>,
}

impl Given {
    fn new(folder: &Path, file: &str, given: &[String]) -> Self {
        let mut stdin = Vec::new();
        let mut feeders = Vec::new();
        let at = |name: &str| folder.join(name);
        let mut word = |how: &String| -> String {
            match how.as_str() {
                "file" => file.to_owned(),
                "./" => format!("./{file}"),
                "absolute" => at(file).display().to_string(),
                "folder" => ".".to_owned(),
                "none" => format!("no-{file}"),
                "glob" => format!("{}*", &file[..1]),
                "/dev/null" => how.clone(),
                "-" | "/dev/stdin" => {
                    stdin = fs::read(at(file)).unwrap();
                    how.clone()
                }
                "symbolic link" | "dangling link" | "hard link" | "copy" => {
                    let name = format!("other-{file}");
                    match how.as_str() {
                        "symbolic link" => std::os::unix::fs::symlink(at(file), at(&name)).unwrap(),
                        "dangling link" => std::os::unix::fs::symlink(at("nowhere"), at(&name)).unwrap(),
                        "hard link" => fs::hard_link(at(file), at(&name)).unwrap(),
                        _ => drop(fs::copy(at(file), at(&name)).unwrap()),
                    }
                    name
                }
                "<()" => format!("<(cat {file})"),
                "fifo" | "slow fifo" => {
                    let block = if how == "fifo" { "1M" } else { "1" };
                    if !at("fifo").exists() {
                        assert!(process::Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
                        let feed = [format!("if={file}"), "of=fifo".to_owned(), format!("bs={block}")];
                        let mut dd = process::Command::new("dd");
                        feeders.push(dd.args(feed).current_dir(folder).stderr(Stdio::null()).spawn().unwrap());
                    }
                    "fifo".to_owned()
                }
                other => panic!("{other}"),
            }
        };
        let words = given.iter().map(&mut word).collect();
        Self { words, stdin, feeders }
    }

    fn clear(mut self, folder: &Path, file: &str) {
        for feeder in &mut self.feeders {
            // One that was never read from waits for ever.
            let _ = feeder.kill();
            let _ = feeder.wait();
        }
        for name in [format!("other-{file}"), "fifo".to_owned()] {
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

/// Runs the command in a folder; `INPUT` in its arguments stands for the file. Also what messages call the file.
pub fn run(folder: &Path, arguments: &str, file: &str, given: &[String]) -> (Run, String) {
    let given = Given::new(folder, file, given);
    let typed = arguments.replace("INPUT", &given.words.join(" "));
    let program = env!("CARGO_BIN_EXE_truecount");
    let mut command = if typed.contains("<(") {
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("exec \"$0\" {typed}"), program]);
        bash
    } else {
        let mut command = Command::new(program);
        command.args(typed.split_whitespace());
        command
    };
    let done =
        command.current_dir(folder).timeout(Duration::from_secs(20)).write_stdin(given.stdin.clone()).output().unwrap();
    let called = if given.words[0] == "-" { "standard input".to_owned() } else { given.words[0].clone() };
    given.clear(folder, file);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    // One that is stopped after 20 s, or by a signal, has no code.
    let code = done.status.code().unwrap_or(-1);
    let run = Run { code, stdout: text(done.stdout), stderr: text(done.stderr) };
    (run, called)
}
