//! Files that commands write: none that they read, streams as streams, and nothing left of what was given up.
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

/// A shell that runs a script with the command in `$truecount`.
fn shell(folder: &Folder, script: &str) -> Command {
    let mut shell = Command::new("bash");
    shell.args(["-c", script]).current_dir(folder.path()).env("truecount", env!("CARGO_BIN_EXE_truecount"));
    shell
}

/// What a script prints that must succeed.
#[track_caller]
fn done(folder: &Folder, script: &str) -> String {
    let Output { status, stdout, stderr } = shell(folder, script).output().unwrap();
    assert_eq!(status.code(), Some(0), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

fn names(folder: &Folder) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder.path()).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn no_output_is_an_input_or_another_output() {
    let folder = folder();
    assert_eq!(folder.run("fit --train train.csv --method o-cs -o model.json").code, 0);
    assert_eq!(folder.run("tally --model model.json --test test.csv -o day.tally").code, 0);
    symlink("test.csv", folder.path().join("link.csv")).unwrap();
    symlink("new.csv", folder.path().join("new-link.csv")).unwrap();
    let before: Vec<(String, Vec<u8>)> = names(&folder)
        .into_iter()
        .filter_map(|name| Some((name.clone(), fs::read(folder.path().join(name)).ok()?)))
        .collect();
    let check = "check --train train.csv --test test.csv";
    let plan = "plan --train train.csv --se 0.05";
    let drawn = "evaluate --train train.csv --pool pool.csv --method cc";
    let report = "report --train train.csv --test test.csv";
    for (command, option, input) in [
        (format!("{ESTIMATE} -o test.csv"), "--output", "test.csv"),
        (format!("{ESTIMATE} -o link.csv"), "--output", "test.csv"),
        (format!("{check} -o train.csv"), "--output", "train.csv"),
        (format!("{check} --figure train.csv"), "--figure", "train.csv"),
        (format!("{check} --figure link.csv"), "--figure", "test.csv"),
        (format!("{plan} -o train.csv"), "--output", "train.csv"),
        (format!("{plan} --figure ./train.csv"), "--figure", "train.csv"),
        ("plan --model model.json --se 0.05 --figure model.json".to_owned(), "--figure", "model.json"),
        ("fit --train train.csv -o train.csv".to_owned(), "--output", "train.csv"),
        ("tally --model model.json --test test.csv -o model.json".to_owned(), "--output", "model.json"),
        ("tally --model model.json --test test.csv -o test.csv".to_owned(), "--output", "test.csv"),
        ("finish --model model.json day.tally --format csv -o day.tally".to_owned(), "--output", "day.tally"),
        ("finish --model model.json day.tally -o model.json".to_owned(), "--output", "model.json"),
        (format!("{drawn} -o train.csv"), "--output", "train.csv"),
        (format!("{drawn} -o pool.csv"), "--output", "pool.csv"),
        (format!("{report} -o train.csv"), "--output", "train.csv"),
        (format!("{report} -o test.csv"), "--output", "test.csv"),
    ] {
        let expected = format!("error: {option} would overwrite the input {input}");
        assert_eq!(folder.fails(2, &command), expected, "{command}");
    }
    // Standard input is a file too.
    let mut redirected = shell(&folder, "$truecount estimate --train train.csv --test - -o test.csv <test.csv");
    assert_eq!(redirected.output().unwrap().stderr, b"error: --output would overwrite the input -\n");
    for (command, options, file) in [
        (format!("{check} -o new.csv --figure new.csv"), ["--output", "--figure"], "new.csv"),
        (format!("{check} -o new.csv --figure ./new-link.csv"), ["--output", "--figure"], "./new-link.csv"),
        (format!("{plan} -o new.csv --figure ./new.csv"), ["--output", "--figure"], "./new.csv"),
        (format!("{drawn} -o figures/errors.svg --figures figures"), ["--output", "--figures"], "figures/errors.svg"),
        (format!("{report} -o figures/scores.png --figures figures"), ["--output", "--figures"], "figures/scores.png"),
    ] {
        let [first, second] = options;
        let expected = format!("error: {first} and {second} would both write {file}; name two files");
        assert_eq!(folder.fails(2, &command), expected, "{command}");
    }
    for command in [format!("{check} --figure -"), format!("{plan} --figure -"), format!("{drawn} -o -")] {
        let option = if command.ends_with("-o -") { "--output" } else { "--figure" };
        let expected = format!("error: {option} cannot be standard output; name a file");
        assert_eq!(folder.fails(2, &command), expected, "{command}");
    }
    for (name, content) in before {
        assert_eq!(fs::read(folder.path().join(&name)).unwrap(), content, "{name}");
    }
    assert!(!folder.path().join("figures").exists() && !folder.path().join("new.csv").exists());
}

/// What a path stands for decides, not how it is called.
#[test]
fn streams_are_written_directly() {
    let folder = folder();
    let table = folder.run(ESTIMATE).stdout;
    let csv = folder.run(&format!("{ESTIMATE} --format csv")).stdout;
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/7", "/proc/self/fd/7"] {
        if path.starts_with("/proc") && !Path::new("/proc/self/fd").exists() {
            continue;
        }
        // What is in the log before and what comes after stays where it is.
        let script =
            format!("(echo before; $truecount {ESTIMATE} -o {path} 7>&1; echo after) >>log 2>&1; cat log; rm log");
        assert_eq!(done(&folder, &script), format!("before\n{table}after\n"), "{path}");
        assert_eq!(done(&folder, &format!("$truecount {ESTIMATE} -o {path} 7>&1 | cat")), table, "{path}");
    }
    // Not only what is appended to: standard output has one place, whoever writes there.
    let script = format!("(echo before; $truecount {ESTIMATE} -o /dev/stdout; echo after) >log; cat log; rm log");
    assert_eq!(done(&folder, &script), format!("before\n{table}after\n"));
    assert_eq!(done(&folder, &format!("$truecount {ESTIMATE} -o /dev/stderr 2>&1 >/dev/null")), table);
    assert_eq!(done(&folder, &format!("$truecount {ESTIMATE} --format csv -o >(cat)")), csv);
    assert_eq!(done(&folder, &format!("mkfifo pipe.csv; cat pipe.csv & $truecount {ESTIMATE} -o pipe.csv; wait")), csv);
    assert!(fs::symlink_metadata(folder.path().join("pipe.csv")).is_ok_and(|pipe| !pipe.is_file()), "a pipe still");
    assert_eq!(done(&folder, &format!("$truecount {ESTIMATE} -o /dev/null")), "");
    // A link to a pipe is one, and a reader that stops early has what it wanted.
    symlink("pipe.csv", folder.path().join("link.csv")).unwrap();
    let script = format!("head -c 5 pipe.csv & $truecount {ESTIMATE} -o link.csv; wait");
    assert_eq!(done(&folder, &script), csv[..5]);
    assert_eq!(names(&folder), ["link.csv", "pipe.csv", "pool.csv", "test.csv", "train.csv"]);
    let unread = format!("check --train train.csv -o /dev/null --figure /dev/null; {ESTIMATE} -o /dev/null");
    assert_eq!(done(&folder, &format!("$truecount {}", unread.replace("; ", "; $truecount "))), "");
    assert_eq!(
        folder.fails(1, &format!("{ESTIMATE} --format csv -o .")),
        "error: . is not a file that can be replaced"
    );
}

/// Every kind of output says that the device is full.
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
    ] {
        let Output { status, stderr, .. } = shell(&folder, &format!("$truecount {command}")).output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap().to_lowercase();
        assert_eq!(status.code(), Some(1), "{command}: {stderr}");
        let error = stderr.lines().last().unwrap();
        assert!(error.starts_with("error: ") && error.contains("no s"), "{command}: {error}");
    }
}

/// Where reading stops early, every command that prints ends without a word about it.
#[test]
fn a_broken_pipe_is_no_error() {
    let folder = folder();
    assert_eq!(folder.run("fit --train train.csv --method o-cs -o model.json").code, 0);
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

#[test]
fn a_link_to_a_file_that_is_not_there_creates_it() {
    let folder = folder();
    fs::create_dir(folder.path().join("far")).unwrap();
    symlink("far/middle.csv", folder.path().join("out.csv")).unwrap();
    symlink("real.csv", folder.path().join("far/middle.csv")).unwrap();
    assert_eq!(folder.run(&format!("{ESTIMATE} -o out.csv")).code, 0);
    assert_eq!(read(&folder, "far/real.csv"), folder.run(&format!("{ESTIMATE} --format csv")).stdout);
    assert_eq!(fs::read_link(folder.path().join("out.csv")).unwrap(), Path::new("far/middle.csv"));
    assert_eq!(fs::read_link(folder.path().join("far/middle.csv")).unwrap(), Path::new("real.csv"));
    symlink("nowhere/out.csv", folder.path().join("lost.csv")).unwrap();
    assert_eq!(
        folder.fails(1, &format!("{ESTIMATE} -o lost.csv")),
        "error: lost.csv: the folder nowhere does not exist"
    );
    symlink("circle.csv", folder.path().join("circle.csv")).unwrap();
    assert_eq!(
        folder.fails(1, &format!("{ESTIMATE} -o circle.csv")),
        "error: circle.csv is not a file that can be replaced"
    );
}

/// A folder without leave to write there; a superuser has it anyway.
#[test]
fn a_folder_that_is_read_only_is_an_error() {
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

/// An estimate of many groups into `out.csv`, stopped by its process id while the file is being written.
fn writing(folder: &Folder) -> Option<Child> {
    let command = env!("CARGO_BIN_EXE_truecount");
    let words = "estimate --train train.csv --test groups.csv --method cc,ac --by id -o out.csv".split(' ');
    let mut child = Command::new(command).args(words).current_dir(folder.path()).stderr(Stdio::null()).spawn().unwrap();
    loop {
        // Larger than empty, which the check before the work is.
        let begun = fs::read_dir(folder.path()).unwrap().any(|entry| {
            let entry = entry.unwrap();
            entry.file_name().to_str().unwrap().starts_with(".truecount-")
                && entry.metadata().is_ok_and(|m| m.len() > 0)
        });
        if begun {
            return Some(child);
        }
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        sleep(Duration::from_micros(100));
    }
}

/// Whatever ends a run while it writes, the file is whole: the old one, or the new one. Only after a kill that no process
/// can see is a temporary file left.
#[test]
fn signals_leave_a_whole_file_and_nothing_else() {
    let rows: Vec<String> = (0..60_000).map(|i| format!("{},{i}\n", f64::from(i % 50) / 10.0 - 1.0)).collect();
    let folder = Folder::with_train().file("groups.csv", "score,id\n".to_owned() + &rows.concat());
    let out = folder.path().join("out.csv");
    let complete = "estimate --train train.csv --test groups.csv --method cc,ac --by id --format csv";
    let new = folder.run(complete).stdout;
    for (signal, number) in [("HUP", 1), ("INT", 2), ("TERM", 15), ("KILL", 9)] {
        let mut caught = 0;
        for _ in 0..20 {
            fs::write(&out, "as it was").unwrap();
            let Some(mut child) = writing(&folder) else { continue };
            assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
            let status = child.wait().unwrap();
            let found = fs::read_to_string(&out).unwrap();
            assert!(found == "as it was" || found == new, "SIG{signal}: {} bytes", found.len());
            if status.success() {
                continue;
            }
            caught += 1;
            if signal == "KILL" {
                assert_eq!(status.signal(), Some(9));
                for name in names(&folder).iter().filter(|name| name.starts_with(".truecount-")) {
                    fs::remove_file(folder.path().join(name)).unwrap();
                }
            } else {
                assert_eq!(status.code(), Some(128 + number), "SIG{signal}");
            }
            assert_eq!(names(&folder), ["groups.csv", "out.csv", "train.csv"], "SIG{signal}");
            if caught == 3 {
                break;
            }
        }
        assert!(caught > 0, "SIG{signal} never came in time");
    }
}

/// Who starts a command may want it to live on, as `nohup` does.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = folder();
    let script = "mkfifo pipe; trap '' HUP; $truecount estimate --train train.csv --test pipe -o out.csv & \
                  exec 9>pipe; kill -s HUP $!; printf 'score\\n1\\n2\\n' >&9; exec 9>&-; wait $!";
    assert_eq!(done(&folder, script), "");
    assert!(read(&folder, "out.csv").starts_with("method,n,"));
}

#[test]
fn of_two_commands_at_one_target_one_wins() {
    let folder = folder();
    let contents = ["cc", "all"].map(|method| folder.run(&format!("{ESTIMATE} --method {method} --format csv")).stdout);
    for _ in 0..5 {
        let start =
            |method| shell(&folder, &format!("exec $truecount {ESTIMATE} --method {method} -o out.csv")).spawn();
        for mut child in [start("cc").unwrap(), start("all").unwrap()] {
            assert!(child.wait().unwrap().success());
        }
        assert!(contents.contains(&read(&folder, "out.csv")));
    }
    assert_eq!(names(&folder), ["out.csv", "pool.csv", "test.csv", "train.csv"]);
}

/// Neither the language of the system nor its clock changes a byte.
#[test]
fn language_and_clock_change_nothing() {
    let folder = folder();
    for command in [ESTIMATE, "report --train train.csv --test test.csv -o -", "fit --train train.csv -o -"] {
        let plain = done(&folder, &format!("$truecount {command}"));
        for environment in ["LC_ALL=C", "LC_ALL=de_DE.UTF-8 LANG=de_DE", "TZ=Pacific/Kiritimati", "SOURCE_DATE_EPOCH=1"]
        {
            assert_eq!(done(&folder, &format!("{environment} $truecount {command}")), plain, "{environment} {command}");
        }
        let late = done(&folder, &format!("touch -d 2060-01-01 train.csv test.csv; $truecount {command}"));
        assert_eq!(late, plain, "{command}");
    }
}
