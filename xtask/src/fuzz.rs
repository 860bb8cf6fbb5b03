//! Searches with libFuzzer for inputs that make a reader panic, stall or take too much memory.
//! It needs a C++ compiler, and only the stable Rust toolchain.

use crate::run::{TaskError, cargo, root};
use std::fs;

/// The targets with the maximal size of an input in bytes. Small inputs are tried faster.
const TARGETS: [(&str, u32); 6] =
    [("text", 200), ("labelled", 500), ("parquet", 16_000), ("arrow", 16_000), ("tally", 16_000), ("model", 8000)];

/// Compiler flags that record which code is reached and which values are compared there.
const COVERAGE_FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// The host as an explicit target, so that build scripts and macros are built without the flags.
const HOST: &str = "host-tuple";

/// Folder of the build, of the inputs that reach new code, and of those that fail.
const WORK: &str = "target/fuzz";

/// Searches all targets or the one named, each for 10 minutes or the number given.
pub fn search(arguments: &[&str]) -> Result<(), TaskError> {
    let (only, minutes) = match *arguments {
        [] => (None, "10"),
        ["--minutes", minutes] => (None, minutes),
        [name] => (Some(name), "10"),
        [name, "--minutes", minutes] => (Some(name), minutes),
        _ => return Err(usage_error()),
    };
    let seconds = minutes.parse::<u32>().map_err(|_| usage_error())?.saturating_mul(60);
    let targets: Vec<_> = TARGETS.into_iter().filter(|(name, _)| only.is_none_or(|only| only == *name)).collect();
    if targets.is_empty() {
        return Err(usage_error());
    }
    targets.into_iter().try_for_each(|(name, max_length)| search_target(name, max_length, seconds))
}

fn usage_error() -> TaskError {
    let names = TARGETS.map(|(name, _)| name).join(" | ");
    TaskError(format!("usage: cargo xtask fuzz [{names}] [--minutes N]"))
}

/// Searches one target, starting from its corpus. An input that fails is written to
/// `target/fuzz/found`.
fn search_target(name: &str, max_length: u32, seconds: u32) -> Result<(), TaskError> {
    let corpus = format!("{WORK}/corpus/{name}");
    for folder in [&corpus, &format!("{WORK}/found")] {
        fs::create_dir_all(root().join(folder)).map_err(|e| TaskError(format!("{folder}: {e}")))?;
    }
    let build = ["run", "--quiet", "--locked", "--package", "truecount-fuzz", "--bin", name];
    let options = ["--profile", "fuzz", "--features", "search", "--target", HOST, "--target-dir", WORK];
    let (length, time) = (format!("-max_len={max_length}"), format!("-max_total_time={seconds}"));
    let failures = format!("-artifact_prefix={WORK}/found/{name}-");
    let regressions = format!("xtask/fuzz/corpus/{name}");
    let regressions = root().join(&regressions).is_dir().then_some(regressions.as_str());
    let search =
        ["--", &length, &time, &failures, "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", &corpus];
    let command = [&build[..], &options, &search, regressions.as_slice()].concat();
    cargo(name, &command, &[("RUSTFLAGS", COVERAGE_FLAGS), ("TRUECOUNT_FUZZ_SEEDS", &corpus)])
}
