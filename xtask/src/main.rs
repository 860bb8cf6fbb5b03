//! `cargo xtask test` runs every check there is; `cargo xtask figures` makes the pictures of the documentation anew;
//! `cargo xtask peers` compares answers and times with QuaPy and mlquantify, and intervals with prediction-powered inference,
//! which it gets with pip (Python 3.11 or newer).

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask test | figures | peers";

/// The pictures, each made by an example of the command's crate.
const FIGURES: [(&str, &str); 1] = [("spam_figure", "docs/figures/spam.svg")];

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let done = match task.as_deref() {
        Some("test") => test(),
        Some("figures") => FIGURES.iter().try_for_each(|(example, file)| figure(example, &root().join(file))),
        Some("peers") => peers(),
        _ => Err(Failed(USAGE.to_owned())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("xtask: {failed}");
            ExitCode::FAILURE
        }
    }
}

struct Failed(String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn test() -> Result<(), Failed> {
    cargo("formatting", &["fmt", "--all", "--check"], &[])?;
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[])?;
    cargo("documentation", &["doc", "--workspace", "--no-deps", "--locked"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    cargo("figures", &["build", "--package", "truecount-cli", "--examples", "--locked"], &[])?;
    FIGURES.iter().try_for_each(|(example, file)| unchanged(example, file))?;
    cargo("tests and doc tests", &["test", "--workspace", "--locked"], &[])
}

/// Makes a picture again and compares it with the one in the repository.
fn unchanged(example: &str, file: &str) -> Result<(), Failed> {
    let made = std::env::temp_dir().join(format!("truecount-{}-{example}.svg", std::process::id()));
    figure(example, &made)?;
    let read = |path: &Path| std::fs::read(path).map_err(|e| Failed(format!("{}: {e}", path.display())));
    let same = read(&made)? == read(&root().join(file))?;
    let _ = std::fs::remove_file(&made);
    if same { Ok(()) } else { Err(Failed(format!("{file} is out of date: run `cargo xtask figures` and look at it"))) }
}

fn figure(example: &str, file: &Path) -> Result<(), Failed> {
    let file = file.to_str().ok_or_else(|| Failed(format!("{} is not UTF-8", file.display())))?;
    cargo(example, &["run", "--quiet", "--package", "truecount-cli", "--example", example, "--", file], &[])
}

/// Compares with other programs in a Python environment of their own; everything runs on one thread.
fn peers() -> Result<(), Failed> {
    let threads = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, "1"));
    let example = ["--quiet", "--release", "--locked", "--package", "truecount", "--example", "peers"];
    let (environment, python) = ("target/peers", "target/peers/bin/python");
    run("Python environment", "python3", &["-m", "venv", environment], &[])?;
    run("peers", python, &["-m", "pip", "install", "--quiet", "--requirement", "xtask/peers/requirements.txt"], &[])?;
    cargo("example", &[&["build"], &example[..]].concat(), &[])?;
    let compare = |script| {
        let command = [&["-B", script, env!("CARGO"), "run"], &example[..], &["--"]].concat();
        run("comparison", python, &command, &threads)
    };
    compare("xtask/peers/compare.py")?;
    compare("xtask/peers/intervals.py")
}

fn cargo(what: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), Failed> {
    run(what, env!("CARGO"), arguments, environment)
}

/// Runs a program in the workspace's folder.
fn run(what: &str, program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), Failed> {
    let name = Path::new(program).file_name().map_or(program.into(), |name| name.to_string_lossy());
    eprintln!("── {what}: {name} {}", arguments.join(" "));
    let start = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| Failed(format!("{program} cannot be run: {e}")))?;
    eprintln!("── {what}: {:.0} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(Failed(format!("{what} failed"))) }
}

/// The workspace's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}
