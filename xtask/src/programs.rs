//! Comparisons with other programs, each in its own Python environment under target/.

use crate::run::{TaskError, built_file, cargo, run};
use crate::web::Page;

/// The engines in which the SQL is tested.
#[derive(Clone, Copy, PartialEq)]
pub enum Engines {
    /// DuckDB and SQLite, which are small, and parsers for the dialects of other engines.
    Embedded,
    /// In addition ClickHouse and DataFusion, which are large, and PostgreSQL, which is installed on
    /// the system; and tallies in Spark, which needs Java.
    All,
}

/// Schemas of metadata files, by their names in check-jsonschema, and the files.
const SCHEMAS: [(&str, &[&str]); 4] = [
    ("vendor.github-actions", &["packaging/action/action.yml"]),
    ("vendor.citation-file-format", &["CITATION.cff"]),
    ("vendor.dependabot", &[".github/dependabot.yml"]),
    ("vendor.github-workflows", &[".github/workflows/ci.yml", ".github/workflows/release.yml"]),
];

/// Folder that `pools` writes to.
const POOLS: &str = "target/pools/data";

/// Number of splits of each data set in QuaPy's protocol: enough to see a change. The book's table
/// has more.
const SPLITS: &str = "5";

/// Compares truecount with other packages, on one thread.
///
/// Names, answers, times and errors are compared with QuaPy and mlquantify, errors also in QuaPy's
/// own protocol; and intervals with prediction-powered inference.
pub fn peers() -> Result<(), TaskError> {
    pools()?;
    let threads = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"].map(|name| (name, "1"));
    let python = environment("peers", &["crates/truecount-bench/peers/requirements.txt"])?;
    package(&python, "release")?;
    let example = ["--quiet", "--release", "--locked", "--package", "truecount-bench", "--example", "peer_times"];
    cargo("example", &[&["build"], &example[..]].concat(), &[])?;
    let times = [&[env!("CARGO"), "run"], &example[..], &["--"]].concat();
    let compare = |script: &str, arguments: &[&str]| {
        let script = format!("crates/truecount-bench/peers/{script}.py");
        run(&script, &python, &[&["-B", &script], arguments].concat(), &threads)
    };
    compare("names", &[])?;
    compare("compare", &times)?;
    compare("intervals", &[])?;
    compare("accuracy", &[POOLS])?;
    compare("calls", &[])?;
    compare("uniform", &[SPLITS])
}

/// Writes the pools of scores of three classifiers for `truecount-bench study pools`.
pub fn pools() -> Result<(), TaskError> {
    let python = environment("pools", &["crates/truecount-bench/pools/requirements.txt"])?;
    run("pools", &python, &["-B", "crates/truecount-bench/pools/make.py", POOLS], &[])
}

/// Recomputes the golden values with mpmath.
pub fn golden(options: &[&str]) -> Result<(), TaskError> {
    let python = environment("golden", &["xtask/golden/requirements.txt"])?;
    run("golden values", &python, &[&["-B", "xtask/golden/check.py"], options].concat(), &[])
}

/// Installs the Python package as any user installs it, checks its types, and runs its tests and
/// examples. The tests compare its results with the command that the package includes.
pub fn python() -> Result<(), TaskError> {
    let python = environment("python", &["python/tests/requirements.txt"])?;
    package(&python, "dev")?;
    let typed = ["-m", "mypy", "python/truecount", "python/tests/users.py", "python/examples"];
    run("types", &python, &typed, &[])?;
    run("types in editors", &python, &["-m", "pyright", "--pythonpath", &python], &[])?;
    run("stubs", &python, &["-m", "mypy.stubtest", "truecount._core"], &[])?;
    let tests = ["-m", "pytest", "--quiet", "--doctest-modules", "--pyargs", "truecount", "python/tests"];
    run("Python tests", &python, &tests, &[("MPLBACKEND", "agg"), ("OMP_NUM_THREADS", "1")])
}

/// Checks the formatting of Python files, and the project's metadata files against their schemas.
pub fn descriptions() -> Result<(), TaskError> {
    let python = environment("descriptions", &["xtask/descriptions/requirements.txt"])?;
    run("formatting of Python", &python, &["-m", "ruff", "format", "--check", "--quiet", "."], &[])?;
    SCHEMAS.iter().try_for_each(|(schema, files)| {
        let check = ["-m", "check_jsonschema", "--builtin-schema", schema];
        run("descriptions", &python, &[&check[..], files].concat(), &[])
    })?;
    run("descriptions", &python, &["-c", "import json; json.load(open('codemeta.json', encoding='utf-8'))"], &[])
}

/// Checks the command's JSON against its schemas, the examples for coding assistants, and the script
/// of the action.
pub fn schemas_and_examples(truecount: &str) -> Result<(), TaskError> {
    let python = environment("descriptions", &["xtask/descriptions/requirements.txt"])?;
    run("schemas, examples and action", &python, &["-B", "packaging/check.py", truecount], &[])
}

/// Folder of the source distribution.
const SDIST: &str = "target/sdist";

/// Writes the source distribution of the Python package, and an archive that also has the sources of
/// all crates it needs.
pub fn source_archives() -> Result<(), TaskError> {
    let python = environment("sdist-tools", &["xtask/sdist/requirements.txt"])?;
    run("source distribution", &python, &["-B", "xtask/sdist/make.py", SDIST], &[])
}

/// Writes both archives, and builds the package from the second without a network.
pub fn sdist() -> Result<(), TaskError> {
    source_archives()?;
    let python = environment("sdist-tools", &["xtask/sdist/requirements.txt"])?;
    run("build without a network", &python, &["-B", "xtask/sdist/check.py", SDIST], &[])
}

/// Runs the output of `truecount sql` in SQL engines and compares it with `truecount estimate`.
pub fn engines(which: Engines, truecount: &str) -> Result<(), TaskError> {
    let (requirements, engines): (&[_], &[_]) = match which {
        Engines::Embedded => (&["xtask/engines/requirements.txt"], &["duckdb", "sqlite"]),
        Engines::All => (
            &["xtask/engines/requirements.txt", "xtask/engines/requirements-all.txt"],
            &["duckdb", "sqlite", "clickhouse", "datafusion", "postgresql"],
        ),
    };
    let python = environment("engines", requirements)?;
    let arguments = ["-B", "xtask/engines/check.py", "target/engines/work", truecount];
    run("SQL engines", &python, &[&arguments, engines].concat(), &[])?;
    match which {
        Engines::Embedded => Ok(()),
        Engines::All => {
            package(&python, "dev")?;
            run("tallies in Spark", &python, &["-m", "pytest", "--quiet", "python/tests/test_spark.py"], &[])
        }
    }
}

/// Opens reports in the system's Chromium, which is installed if missing.
pub fn browser(truecount: &str) -> Result<(), TaskError> {
    let python = environment("browser", &["xtask/browser/requirements.txt"])?;
    run("reports in a browser", &python, &["-B", "xtask/browser/check.py", "target/browser/work", truecount], &[])
}

/// Tests the browser page, and compares its results with the command.
pub fn web(page: &Page, truecount: &str) -> Result<(), TaskError> {
    let python = environment("browser", &["xtask/browser/requirements.txt"])?;
    let check = ["-B", "xtask/web/check.py", &page.file, "target/web/work", truecount, &page.axe];
    run("the page in a browser", &python, &check, &[])
}

/// Tests the book's interactive figures and its search in the same browser.
pub fn book(site: &str) -> Result<(), TaskError> {
    let python = environment("browser", &["xtask/browser/requirements.txt"])?;
    run("explorables", &python, &["-B", "xtask/web/explorables.py", site], &[])?;
    run("searches", &python, &["-B", "xtask/web/search.py", site], &[])
}

/// Compares time and memory on large files with DuckDB, then times scores in memory with each
/// instruction set.
pub fn speed() -> Result<(), TaskError> {
    let python = environment("speed", &["xtask/speed/requirements.txt"])?;
    let truecount = truecount("release", &["--release"])?;
    run("files", &python, &["-B", "xtask/speed/data.py", "target/speed/data"], &[])?;
    run("comparison", &python, &["-B", "xtask/speed/compare.py", "target/speed/data", &truecount], &[])?;
    let bench = ["bench", "--quiet", "--locked", "--package", "truecount", "--bench", "memory"];
    cargo("the machine's best instruction set", &bench, &[])?;
    lesser_instruction_sets().iter().try_for_each(|(set, flags)| {
        cargo(set, &[&bench[..], &["--no-default-features"]].concat(), &[("RUSTFLAGS", flags)])
    })
}

/// The simulation studies of `truecount-bench` whose results the book has.
const STUDIES: [&str; 9] = ["1", "2", "3", "lequa", "coverage", "together", "monitor", "breach", "audit"];

/// Runs the simulations that take hours: every study, which continues where it was interrupted, and
/// the tests that print tables of the book. `options` are those of a study, such as `--reps 100`.
pub fn simulate(options: &[&str]) -> Result<(), TaskError> {
    cargo("studies", &["build", "--release", "--locked", "--package", "truecount-bench"], &[])?;
    let bench = built_file("release/truecount-bench")?;
    for study in STUDIES {
        let out = format!("target/simulations/{study}");
        run(study, &bench, &[&["study", study, "--out", &out], options].concat(), &[])?;
    }
    let tables = ["test", "--locked", "--package", "truecount", "--test", "it", "--", "--ignored", "--nocapture"];
    cargo("tables", &tables, &[])
}

/// Returns the machine's instruction sets below its best, with compiler flags for each. The loops
/// choose the best set at run time, so timing a lesser one needs its own build.
fn lesser_instruction_sets() -> Vec<(&'static str, &'static str)> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        return vec![("AVX2 and FMA", "-C target-feature=+avx2,+fma"), ("any x86-64", "-C target-cpu=x86-64")];
    }
    Vec::new()
}

/// Installs the Python package as any user installs it, with its extension module in this profile:
/// `release` for timing; `dev` for tests. The feature makes it use the crates that the Rust tests
/// have built.
fn package(python: &str, profile: &str) -> Result<(), TaskError> {
    let options = format!("--profile {profile} --features shared-build");
    run("Python package", python, &["-m", "pip", "install", "--quiet", "."], &[("MATURIN_PEP517_ARGS", &options)])
}

/// Creates a Python environment with these requirements, and returns its interpreter.
pub fn environment(name: &str, requirements: &[&str]) -> Result<String, TaskError> {
    let environment = format!("target/{name}");
    let python = format!("{environment}/bin/python");
    run("Python environment", "python3", &["-m", "venv", &environment], &[])?;
    let files: Vec<_> = requirements.iter().flat_map(|file| ["--requirement", *file]).collect();
    run(name, &python, &[&["-m", "pip", "install", "--quiet"], &files[..]].concat(), &[])?;
    Ok(python)
}

/// Builds the command, and returns its path.
pub fn truecount(profile: &str, options: &[&str]) -> Result<String, TaskError> {
    cargo("truecount", &[&["build", "--locked", "--package", "truecount-cli"], options].concat(), &[])?;
    built_file(&format!("{profile}/truecount"))
}
