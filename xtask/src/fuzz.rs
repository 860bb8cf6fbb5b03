//! Searches for inputs that a reader of untrusted input does not bear: libFuzzer, guided by which code an input reaches, which needs
//! a C++ compiler and no other Rust than the usual one.

use crate::run::{Failed, root, run};
use std::fs;

/// The targets, and the most bytes of an input: of small ones there can be more.
const TARGETS: [(&str, u32); 6] =
    [("text", 200), ("labelled", 500), ("parquet", 16_000), ("arrow", 16_000), ("tally", 16_000), ("model", 8000)];

/// What makes the compiler count which code is reached, and what is compared there.
const COUNTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Named, so that what runs while it builds is built without.
const HOST: &str = "host-tuple";

/// Where inputs are kept that reach something new, beside the build.
const WORK: &str = "target/fuzz";

/// All targets or one, each for so many minutes.
pub fn search(arguments: &[String]) -> Result<(), Failed> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (named, minutes) = match arguments[..] {
        [] => (None, "10"),
        ["--minutes", minutes] => (None, minutes),
        [name] => (Some(name), "10"),
        [name, "--minutes", minutes] => (Some(name), minutes),
        _ => return Err(wrong()),
    };
    let seconds = minutes.parse::<u32>().map_err(|_| wrong())?.saturating_mul(60);
    let targets: Vec<_> = TARGETS.into_iter().filter(|(name, _)| named.is_none_or(|named| named == *name)).collect();
    if targets.is_empty() {
        return Err(wrong());
    }
    targets.into_iter().try_for_each(|(name, longest)| one(name, longest, seconds))
}

fn wrong() -> Failed {
    let names = TARGETS.map(|(name, _)| name).join(" | ");
    Failed(format!("usage: cargo xtask fuzz [{names}] [--minutes N]"))
}

/// Searches one target from what is known of it; an input that is not borne is left in `target/fuzz/found`.
fn one(name: &str, longest: u32, seconds: u32) -> Result<(), Failed> {
    let known = format!("{WORK}/corpus/{name}");
    for folder in [&known, &format!("{WORK}/found")] {
        fs::create_dir_all(root().join(folder)).map_err(|e| Failed(format!("{folder}: {e}")))?;
    }
    let build = [
        "run",
        "--quiet",
        "--locked",
        "--package",
        "truecount-fuzz",
        "--bin",
        name,
        "--profile",
        "fuzz",
        "--features",
        "search",
    ];
    let (length, time) = (format!("-max_len={longest}"), format!("-max_total_time={seconds}"));
    let found = format!("-artifact_prefix={WORK}/found/{name}-");
    let kept = format!("xtask/fuzz/corpus/{name}");
    let kept = root().join(&kept).is_dir().then_some(kept.as_str());
    let search = ["--", &length, &time, &found, "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", &known];
    let command = [&build[..], &["--target", HOST, "--target-dir", WORK], &search, kept.as_slice()].concat();
    run(name, env!("CARGO"), &command, &[("RUSTFLAGS", COUNTED), ("TRUECOUNT_FUZZ_SEEDS", &known)])
}
