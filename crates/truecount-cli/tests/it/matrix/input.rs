//! Ways to pass a file to a command: names, links and pipes; and the run of the command.

use crate::common::Run;
use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::process::{self, Child, Stdio};
use std::time::Duration;

/// Inputs for one run: their arguments, and the processes that write to pipes.
struct Inputs {
    arguments: Vec<String>,
    stdin: Vec<u8>,
    writers: Vec<Child>,
}

impl Inputs {
    fn new(folder: &Path, file: &str, kinds: &[String]) -> Self {
        let mut stdin = Vec::new();
        let mut writers = Vec::new();
        let at = |name: &str| folder.join(name);
        let argument = |kind: &String| -> String {
            match kind.as_str() {
                "file" => file.to_owned(),
                "./" => format!("./{file}"),
                "absolute" => at(file).display().to_string(),
                "folder" => ".".to_owned(),
                "none" => format!("no-{file}"),
                "glob" => format!("{}*", &file[..1]),
                "/dev/null" => kind.clone(),
                "-" | "/dev/stdin" => {
                    stdin = fs::read(at(file)).unwrap();
                    kind.clone()
                }
                "symbolic link" | "dangling link" | "hard link" | "copy" => {
                    let name = format!("other-{file}");
                    match kind.as_str() {
                        "symbolic link" => std::os::unix::fs::symlink(at(file), at(&name)).unwrap(),
                        "dangling link" => std::os::unix::fs::symlink(at("nowhere"), at(&name)).unwrap(),
                        "hard link" => fs::hard_link(at(file), at(&name)).unwrap(),
                        _ => drop(fs::copy(at(file), at(&name)).unwrap()),
                    }
                    name
                }
                "<()" => format!("<(cat {file})"),
                "fifo" | "slow fifo" => {
                    let block = if kind == "fifo" { "1M" } else { "1" };
                    if !at("fifo").exists() {
                        assert!(process::Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
                        let arguments = [format!("if={file}"), "of=fifo".to_owned(), format!("bs={block}")];
                        let mut dd = process::Command::new("dd");
                        writers.push(dd.args(arguments).current_dir(folder).stderr(Stdio::null()).spawn().unwrap());
                    }
                    "fifo".to_owned()
                }
                other => panic!("{other}"),
            }
        };
        let arguments = kinds.iter().map(argument).collect();
        Self { arguments, stdin, writers }
    }

    fn clear(mut self, folder: &Path, file: &str) {
        for writer in &mut self.writers {
            // A writer waits for ever if nobody reads from its pipe.
            let _ = writer.kill();
            let _ = writer.wait();
        }
        for name in [format!("other-{file}"), "fifo".to_owned()] {
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

/// Runs the command in a folder, with the inputs of these kinds in place of `INPUT`. Returns the
/// result and the name that messages use for the first input.
pub fn run(folder: &Path, arguments: &str, file: &str, kinds: &[String]) -> (Run, String) {
    let inputs = Inputs::new(folder, file, kinds);
    let arguments = arguments.replace("INPUT", &inputs.arguments.join(" "));
    let program = env!("CARGO_BIN_EXE_truecount");
    let mut command = if arguments.contains("<(") {
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("exec \"$0\" {arguments}"), program]);
        bash
    } else {
        let mut command = Command::new(program);
        command.args(arguments.split_whitespace());
        command
    };
    command.current_dir(folder).timeout(Duration::from_secs(20)).write_stdin(inputs.stdin.clone());
    let output = command.output().unwrap();
    let name = if inputs.arguments[0] == "-" { "standard input".to_owned() } else { inputs.arguments[0].clone() };
    inputs.clear(folder, file);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    // A process that is stopped by a signal or after 20 s has no exit code.
    let code = output.status.code().unwrap_or(-1);
    let run = Run { code, stdout: text(output.stdout), stderr: text(output.stderr) };
    (run, name)
}
