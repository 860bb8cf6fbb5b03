//! Output files: inputs are never overwritten, streams are written directly, and an interrupted run
//! leaves no temporary file.
#![cfg(unix)]

use crate::common::Folder;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const ESTIMATE: &str = "estimate --train train.csv --test test.csv";

fn folder() -> Folder {
    let rows: Vec<String> = (0..60).map(|i| format!("{},{}\n", f64::from(i % 30) / 10.0 - 0.5, i % 2)).collect();
    Folder::with_train()
        .file("test.csv", "score,day\n1,mon\n0.1,tue\n2.2,tue\n")
        .file("pool.csv", "score,label\n".to_owned() + &rows.concat())
}

/// Returns a shell that runs a script, with the path of the command in `$truecount`.
fn shell(folder: &Folder, script: &str) -> Command {
    let mut shell = Command::new("bash");
    shell.args(["-c", script]).current_dir(folder.path()).env("truecount", env!("CARGO_BIN_EXE_truecount"));
    shell
}

/// Returns the stdout of a script that must succeed.
#[track_caller]
fn run_ok(folder: &Folder, script: &str) -> String {
    let Output { status, stdout, stderr } = shell(folder, script).output().unwrap();
    assert_eq!(status.code(), Some(0), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// Links to files, and a redirected standard input, are files. Other outputs that are inputs are in
/// `refusals/output.txt`.
#[test]
fn an_output_must_not_be_an_input_or_another_output() {
    let folder = folder();
    symlink("test.csv", folder.path().join("link.csv")).unwrap();
    symlink("new.csv", folder.path().join("new-link.csv")).unwrap();
    let check = "check --train train.csv --test test.csv";
    let input = |option: &str, input: &str| {
        format!("error: {option} would overwrite the input {input}\nhint: name another file")
    };
    assert_eq!(folder.fails(2, &format!("{ESTIMATE} -o link.csv")), input("--output", "test.csv"));
    assert_eq!(folder.fails(2, &format!("{check} --figure link.csv")), input("--figure", "test.csv"));
    let mut redirected = shell(&folder, "$truecount estimate --train train.csv --test - -o test.csv <test.csv");
    assert_eq!(String::from_utf8(redirected.output().unwrap().stderr).unwrap().trim(), input("--output", "-"));
    assert_eq!(
        folder.fails(2, &format!("{check} -o new.csv --figure ./new-link.csv")),
        "error: --output and --figure would both write ./new-link.csv\nhint: name two files"
    );
    assert!(folder.read("test.csv").starts_with("score,day\n") && !folder.path().join("new.csv").exists());
}

/// Streams are recognised by their kind, not by their name.
#[test]
fn streams_are_written_directly() {
    let folder = folder();
    let table = folder.run(ESTIMATE).stdout;
    let csv = folder.run(&format!("{ESTIMATE} --format csv")).stdout;
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/7", "/proc/self/fd/7"] {
        if path.starts_with("/proc") && !Path::new("/proc/self/fd").exists() {
            continue;
        }
        // Earlier and later lines of the log are preserved.
        let script =
            format!("(echo before; $truecount {ESTIMATE} -o {path} 7>&1; echo after) >>log 2>&1; cat log; rm log");
        assert_eq!(run_ok(&folder, &script), format!("before\n{table}after\n"), "{path}");
        assert_eq!(run_ok(&folder, &format!("$truecount {ESTIMATE} -o {path} 7>&1 | cat")), table, "{path}");
    }
    // The same holds for a file that is not opened for appending.
    let script = format!("(echo before; $truecount {ESTIMATE} -o /dev/stdout; echo after) >log; cat log; rm log");
    assert_eq!(run_ok(&folder, &script), format!("before\n{table}after\n"));
    assert_eq!(run_ok(&folder, &format!("$truecount {ESTIMATE} -o /dev/stderr 2>&1 >/dev/null")), table);
    assert_eq!(run_ok(&folder, &format!("$truecount {ESTIMATE} --format csv -o >(cat)")), csv);
    assert_eq!(
        run_ok(&folder, &format!("mkfifo pipe.csv; cat pipe.csv & $truecount {ESTIMATE} -o pipe.csv; wait")),
        csv
    );
    assert!(fs::symlink_metadata(folder.path().join("pipe.csv")).is_ok_and(|pipe| !pipe.is_file()), "a pipe still");
    assert_eq!(run_ok(&folder, &format!("$truecount {ESTIMATE} -o /dev/null")), "");
    // A link to a pipe is a pipe, and a reader may stop early.
    symlink("pipe.csv", folder.path().join("link.csv")).unwrap();
    let script = format!("head -c 5 pipe.csv & $truecount {ESTIMATE} -o link.csv; wait");
    assert_eq!(run_ok(&folder, &script), csv[..5]);
    assert_eq!(folder.names("."), ["link.csv", "pipe.csv", "pool.csv", "test.csv", "train.csv"]);
    let unread = format!("check --train train.csv -o /dev/null --figure /dev/null; {ESTIMATE} -o /dev/null");
    assert_eq!(run_ok(&folder, &format!("$truecount {}", unread.replace("; ", "; $truecount "))), "");
    assert_eq!(
        folder.fails(1, &format!("{ESTIMATE} --format csv -o .")),
        "error: . is not a file that can be replaced"
    );
}

/// Every kind of output reports a full device, and standard output that is closed.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let folder = folder();
    let fit = "fit --train train.csv";
    for command in [
        format!("{ESTIMATE} -o /dev/full"),
        format!("{ESTIMATE} >/dev/full"),
        "check --train train.csv >/dev/full".to_owned(),
        "check --train train.csv --figure /dev/full".to_owned(),
        "plan --train train.csv --se 0.05 >/dev/full".to_owned(),
        format!("{fit} -o /dev/full"),
        format!("{fit} -o - >/dev/full"),
        "report --train train.csv --test test.csv -o - >/dev/full".to_owned(),
        "evaluate --train train.csv --pool pool.csv --method cc --samples 9 --size 5 >/dev/full".to_owned(),
        "completions bash >/dev/full".to_owned(),
        "estimate --help >/dev/full".to_owned(),
    ] {
        let Output { status, stderr, .. } = shell(&folder, &format!("$truecount {command}")).output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap().to_lowercase();
        assert_eq!(status.code(), Some(1), "{command}: {stderr}");
        let error = stderr.lines().last().unwrap();
        assert!(error.starts_with("error: ") && error.contains("no s"), "{command}: {error}");
        if let Some(command) = command.strip_suffix(">/dev/full") {
            let Output { status, stderr, .. } = shell(&folder, &format!("$truecount {command} >&-")).output().unwrap();
            let stderr = String::from_utf8(stderr).unwrap();
            assert_eq!(status.code(), Some(1), "{command}: {stderr}");
            assert!(stderr.contains("error: standard output is closed\nhint: write "), "{command}: {stderr}");
        }
    }
}

/// If the reader stops early, every command ends silently.
#[test]
fn a_broken_pipe_is_not_an_error() {
    let folder = folder();
    folder.run_ok("fit --train train.csv -o model.json");
    for command in [
        format!("{ESTIMATE} --by day --method all"),
        format!("{ESTIMATE} --format csv -o /dev/stdout"),
        "check --train train.csv --test test.csv".to_owned(),
        "plan --train train.csv --se 0.05 --method all".to_owned(),
        "fit --train train.csv -o -".to_owned(),
        "fit --train train.csv -o /dev/stdout".to_owned(),
        "report --train train.csv --test test.csv -o -".to_owned(),
        "evaluate --train train.csv --pool pool.csv --method cc --samples 9 --size 5".to_owned(),
        "sql --model model.json --table t".to_owned(),
        "completions bash".to_owned(),
        "--help".to_owned(),
    ] {
        // The reader is gone before anything is written.
        let script = format!("(sleep 0.2; exec $truecount {command}) | true; exit ${{PIPESTATUS[0]}}");
        let Output { status, stderr, .. } = shell(&folder, &script).output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(0), "{command}: {stderr}");
        assert!(!stderr.contains("panic") && !stderr.contains("error: "), "{command}: {stderr}");
    }
}

/// The test ends early for a superuser, who may write to read-only folders.
#[test]
fn a_read_only_folder_is_an_error() {
    let folder = folder();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(closed.join("x"), "").is_ok() {
        return;
    }
    assert_eq!(
        folder.fails(1, &format!("{ESTIMATE} -o closed/out.csv")),
        "error: closed/out.csv: cannot be written: permission denied"
    );
}

/// The command, which receives signals even if the tests run under `nohup`, which ignores some.
fn command_with_signals() -> Command {
    let command = env!("CARGO_BIN_EXE_truecount");
    if cfg!(target_os = "linux") {
        let mut env = Command::new("env");
        env.args(["--default-signal=HUP,INT", command]);
        env
    } else {
        Command::new(command)
    }
}

/// Starts an estimate of many groups into `out.csv`, and returns the process while it is writing
/// the file; `None` if the process ended too early.
fn process_while_writing(folder: &Folder) -> Option<Child> {
    let words = "estimate --train train.csv --test groups.csv --method cc,ac --by id -o out.csv".split(' ');
    let mut child =
        command_with_signals().args(words).current_dir(folder.path()).stderr(Stdio::null()).spawn().unwrap();
    loop {
        // An empty file only checks that the folder is writable.
        let is_writing = fs::read_dir(folder.path()).unwrap().any(|entry| {
            let entry = entry.unwrap();
            entry.file_name().to_str().unwrap().starts_with(".truecount-")
                && entry.metadata().is_ok_and(|m| m.len() > 0)
        });
        if is_writing {
            return Some(child);
        }
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        sleep(Duration::from_micros(100));
    }
}

/// If a signal ends a run while it writes, the file is complete: either the old one or the new one.
/// A temporary file is left only after SIGKILL, which cannot be caught.
#[test]
fn signals_leave_a_complete_file() {
    let rows: Vec<String> = (0..60_000).map(|i| format!("{},{i}\n", f64::from(i % 50) / 10.0 - 1.0)).collect();
    let folder = Folder::with_train().file("groups.csv", "score,id\n".to_owned() + &rows.concat());
    let out = folder.path().join("out.csv");
    let complete = "estimate --train train.csv --test groups.csv --method cc,ac --by id --format csv";
    let new = folder.run(complete).stdout;
    for (signal, number) in [("HUP", 1), ("INT", 2), ("TERM", 15), ("KILL", 9)] {
        let mut interrupted = 0;
        for _ in 0..20 {
            fs::write(&out, "as it was").unwrap();
            let Some(mut child) = process_while_writing(&folder) else { continue };
            assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
            let status = child.wait().unwrap();
            let content = fs::read_to_string(&out).unwrap();
            assert!(content == "as it was" || content == new, "SIG{signal}: {} bytes", content.len());
            if status.success() {
                continue;
            }
            interrupted += 1;
            if signal == "KILL" {
                assert_eq!(status.signal(), Some(9));
                for name in folder.names(".").iter().filter(|name| name.starts_with(".truecount-")) {
                    fs::remove_file(folder.path().join(name)).unwrap();
                }
            } else {
                assert_eq!(status.code(), Some(128 + number), "SIG{signal}");
            }
            assert_eq!(folder.names("."), ["groups.csv", "out.csv", "train.csv"], "SIG{signal}");
            if interrupted == 3 {
                break;
            }
        }
        assert!(interrupted > 0, "SIG{signal} never came in time");
    }
}

/// A parent process such as `nohup` may ignore a signal for the command.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = folder();
    let script = "mkfifo pipe; trap '' HUP; $truecount estimate --train train.csv --test pipe -o out.csv & \
                  exec 9>pipe; kill -s HUP $!; printf 'score\\n1\\n2\\n' >&9; exec 9>&-; wait $!";
    assert_eq!(run_ok(&folder, script), "");
    assert!(folder.read("out.csv").starts_with("method,n,"));
}

#[test]
fn language_and_clock_do_not_change_the_output() {
    let folder = folder();
    // Only a report has a date.
    let fixed = "SOURCE_DATE_EPOCH=1";
    assert_eq!(
        run_ok(&folder, &format!("{fixed} $truecount {ESTIMATE}")),
        run_ok(&folder, &format!("$truecount {ESTIMATE}"))
    );
    for command in [ESTIMATE, "report --train train.csv --test test.csv -o -", "fit --train train.csv -o -"] {
        let plain = run_ok(&folder, &format!("{fixed} $truecount {command}"));
        for environment in ["LC_ALL=C", "LC_ALL=de_DE.UTF-8 LANG=de_DE", "TZ=Pacific/Kiritimati"] {
            assert_eq!(
                run_ok(&folder, &format!("{fixed} {environment} $truecount {command}")),
                plain,
                "{environment} {command}"
            );
        }
        let late = run_ok(&folder, &format!("touch -d 2060-01-01 train.csv test.csv; {fixed} $truecount {command}"));
        assert_eq!(late, plain, "{command}");
    }
}
