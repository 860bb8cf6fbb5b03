//! Runs every `truecount` command in the README and the book, and compares its output with the
//! page. The commands of a page run one after the other, in a fresh folder with the project's data.

use crate::common::Folder;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Commands that do not run here: the beginning of the command, and the reason.
const EXCEPTIONS: [(&str, &str); 5] = [
    ("cargo xtask ", "runs these tests, or measures for minutes"),
    ("cargo test ", "a measurement that takes minutes"),
    ("pip install ", "builds the Python package; `cargo xtask python` does that"),
    ("duckdb ", "needs DuckDB's command; `cargo xtask engines` runs the queries"),
    ("cargo run --release -p truecount-bench -- ", "takes minutes; the tests of truecount-bench run it small"),
];

/// The allowed kinds of code blocks. Python blocks are tested in `python/tests/test_docs.py`, and
/// Rust blocks as doc tests; only `console` blocks run here.
const KINDS: [&str; 11] =
    ["console", "python", "pycon", "rust", "text", "sh", "sql", "toml", "r", "{toctree}", "{eval-rst}"];

/// Options of `truecount-bench` that pages name without it.
const BENCH_OPTIONS: [&str; 2] = ["--classifier", "--tune"];

/// The page whose Rust blocks are doc tests: `xtask/src/pages.rs` includes it.
const RUST_PAGE: &str = "docs/how-to/rust.md";

/// Pages without code to run, in addition to the package's reference.
const PAGES_WITHOUT_CODE: [&str; 7] = [
    "docs/evidence/inputs.md",
    "docs/index.md",
    "docs/reference/glossary.md",
    "docs/reference/index.md",
    "docs/reference/methods/index.md",
    "docs/reference/python.md",
    "docs/why/intervals.md",
];

/// Figures that the commands of a page write: the page, the output path, and the figure in the
/// repository.
const FIGURES: [(&str, &str, &str); 9] = [
    ("docs/how-to/monitor.md", "docs/figures/monitor.svg", "docs/figures/monitor.svg"),
    ("docs/how-to/planning.md", "docs/figures/plan.svg", "docs/figures/plan.svg"),
    ("docs/how-to/evaluation.md", "pictures/error-by-prevalence.svg", "docs/figures/error-by-prevalence.svg"),
    (
        "docs/how-to/experiment.md",
        "bench/critical-difference-prior-uniform.svg",
        "docs/figures/critical-difference.svg",
    ),
    ("docs/how-to/report.md", "pictures/groups.svg", "docs/figures/report-groups.svg"),
    (
        "docs/how-to/examples/official-statistics.md",
        "pictures/groups.svg",
        "docs/figures/example-official-statistics.svg",
    ),
    ("docs/how-to/examples/epidemiology.md", "pictures/groups.svg", "docs/figures/example-epidemiology.svg"),
    (
        "docs/how-to/examples/trust-and-safety.md",
        "docs/figures/example-trust-and-safety.svg",
        "docs/figures/example-trust-and-safety.svg",
    ),
    ("docs/how-to/examples/model-output.md", "pictures/groups.svg", "docs/figures/example-model-output.svg"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the README and all pages of the book except the generated ones, relative to the
/// workspace.
fn pages() -> Vec<String> {
    fn collect(folder: &Path, pages: &mut Vec<String>) {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            if root().join(&path).is_dir() {
                collect(&path, pages);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    let mut pages = vec!["README.md".to_owned()];
    collect(Path::new("docs"), &mut pages);
    pages.retain(|page| !page.starts_with("docs/reference/command/"));
    pages.sort();
    pages
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// A fenced code block of a page.
struct Block<'a> {
    kind: &'a str,
    /// The number of its opening line, from 1.
    line: usize,
    lines: Vec<&'a str>,
}

/// Returns the fenced blocks of a page, including those in lists.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize, Block)> = None;
    for (number, line) in page.lines().enumerate() {
        let text = line.trim_start();
        let (indent, ticks) = (line.len() - text.len(), &text[..text.len() - text.trim_start_matches('`').len()]);
        match &mut open {
            Some((fence, ..)) if text.trim_end() == *fence => blocks.extend(open.take().map(|(_, _, block)| block)),
            Some((_, indent, block)) => block.lines.push(line.get(*indent..).unwrap_or("")),
            None if ticks.len() >= 3 => {
                let kind = text[ticks.len()..].split_whitespace().next().unwrap_or("");
                open = Some((ticks, indent, Block { kind, line: number + 1, lines: Vec::new() }));
            }
            None => {}
        }
    }
    assert!(open.is_none(), "the last block has no end");
    blocks
}

/// Returns the commands of a block, each with the output shown below it. A command continues after
/// a line that ends with a backslash.
fn commands<'a>(block: &Block<'a>) -> Vec<(String, Vec<&'a str>)> {
    let mut commands: Vec<(String, Vec<&str>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((command, _))) if command.ends_with('\\') => {
                command.pop();
                command.push_str(line);
            }
            (None, Some((_, shown))) => shown.push(line),
            (None, None) => commands.push((String::new(), vec![line])),
        }
    }
    commands
}

/// Splits a command into words, as a shell does.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns whether two lines are equal, with numbers within 1e-9: last digits depend on the
/// machine.
fn are_equal(shown: &str, printed: &str) -> bool {
    let words = |text: &str| text.split([' ', ',']).map(str::to_owned).collect::<Vec<_>>();
    let (shown, printed) = (words(shown), words(printed));
    let equal = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9,
        _ => a == b,
    };
    shown.len() == printed.len() && shown.iter().zip(&printed).all(equal)
}

/// The result of running a page.
#[derive(Default)]
struct PageResult {
    /// The number of commands that ran.
    runs: usize,
    /// The [`EXCEPTIONS`] that apply to the page.
    exceptions: Vec<&'static str>,
    faults: Vec<String>,
}

/// Runs the commands of a page in the folder.
fn run_page(name: &str, page: &str, folder: &Folder) -> PageResult {
    let mut result = PageResult::default();
    for block in blocks(page) {
        let location = format!("{name}:{}", block.line);
        if !KINDS.contains(&block.kind) {
            let kinds = KINDS.join(", ");
            result.faults.push(format!("{location}: '{}' is not a kind of block; they are {kinds}", block.kind));
        }
        if block.kind == "rust" && name != RUST_PAGE {
            result.faults.push(format!("{location}: the Rust of this page is not a doc test yet"));
        }
        if block.kind != "console" {
            continue;
        }
        for (command, shown) in commands(&block) {
            if let Some((beginning, _)) = EXCEPTIONS.iter().find(|(beginning, _)| command.starts_with(beginning)) {
                result.exceptions.push(beginning);
                continue;
            }
            let arguments = command.strip_prefix("truecount ").or(command.strip_prefix("cargo run --release -- "));
            let Some(arguments) = arguments else {
                result.faults.push(format!("{location}: '{command}' cannot run here"));
                continue;
            };
            let run = folder.run_words(&words(arguments));
            result.runs += 1;
            // An alarm of `monitor` is not a failure.
            let alarmed = run.code == 3 && run.stderr.lines().any(|line| line.starts_with("alarm: "));
            if run.code != 0 && !alarmed {
                result.faults.push(format!("{location}: {command}\nexit {}: {}", run.code, run.stderr));
            } else if !shown.is_empty() {
                let printed: Vec<&str> = run.stdout.lines().collect();
                let all = shown.iter().zip(&printed).all(|(shown, printed)| are_equal(shown, printed));
                if !all || shown.len() != printed.len() {
                    result.faults.push(format!("{location}: {command}\nprints\n{}", run.stdout));
                }
            }
        }
    }
    result
}

#[test]
fn commands_print_the_output_on_the_page() {
    let run = |name: String| {
        let page = fs::read_to_string(root().join(&name)).unwrap();
        let folder = Folder::new();
        copy(&root().join("data"), &folder.path().join("data"));
        fs::create_dir_all(folder.path().join("docs/figures")).unwrap();
        let mut result = run_page(&name, &page, &folder);
        let has_code =
            blocks(&page).iter().any(|block| ["console", "python", "pycon", "r", "rust"].contains(&block.kind));
        if has_code == (PAGES_WITHOUT_CODE.contains(&name.as_str()) || name.starts_with("docs/reference/python/")) {
            result.faults.push(format!("{name}: add code that runs, or add the page to PAGES_WITHOUT_CODE"));
        }
        // A second count ensures that no command was overlooked.
        let prompts = page.lines().filter(|line| line.trim_start().starts_with("$ ")).count();
        if prompts != result.runs + result.exceptions.len() && result.faults.is_empty() {
            let runs = result.runs;
            result.faults.push(format!("{name}: of {prompts} lines that begin with '$ ' only {runs} are commands"));
        }
        for (_, output, figure) in FIGURES.iter().filter(|(page, ..)| *page == name) {
            if fs::read(folder.path().join(output)).ok() != fs::read(root().join(figure)).ok() {
                result.faults.push(format!("{figure} is out of date"));
            }
        }
        result
    };
    let results: Vec<PageResult> = pages().into_par_iter().map(run).collect();
    let mut faults: Vec<String> = results.iter().flat_map(|page| page.faults.clone()).collect();
    for (beginning, reason) in EXCEPTIONS {
        if !results.iter().any(|page| page.exceptions.contains(&beginning)) {
            faults.push(format!("no page has the command '{beginning}' (it {reason}): remove it from EXCEPTIONS"));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n\n{}", faults.len(), faults.join("\n\n"));
    let runs: usize = results.iter().map(|page| page.runs).sum();
    let pages = results.iter().filter(|page| page.runs > 0).count();
    assert!(runs >= 20 && pages >= 8, "only {runs} commands of {pages} pages ran");
}

/// Returns the link targets of a page, without links to other sites.
fn links(page: &str) -> Vec<&str> {
    let ends = page.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let targets = ends.map(|(target, _)| target.split('#').next().unwrap());
    targets.filter(|target| !target.is_empty() && !target.contains([':', ' ', '\n'])).collect()
}

#[test]
fn links_lead_to_files() {
    assert_eq!(links("[a](b.md#c) ![d](e/f.svg) [g](https://h.org) [i](#j)"), ["b.md", "e/f.svg"]);
    let others = ["CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "python/README.md"].map(str::to_owned);
    let (mut count, mut broken) = (0, Vec::new());
    for page in pages().into_iter().chain(others) {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for target in links(&text) {
            count += 1;
            let generated = target.contains("command/") || page == "docs/reference/index.md";
            if !generated && !root().join(&page).parent().unwrap().join(target).exists() {
                broken.push(format!("{page} leads to {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(count >= 50, "only {count} links");
}

/// Returns the inline code of a page.
fn inline_code(page: &str) -> Vec<String> {
    let fenced: HashSet<usize> =
        blocks(page).iter().flat_map(|block| block.line - 1..=block.line + block.lines.len()).collect();
    let text: Vec<&str> =
        page.lines().enumerate().filter(|(number, _)| !fenced.contains(number)).map(|(_, line)| line).collect();
    text.join("\n")
        .split("\n\n")
        .flat_map(|part| part.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Returns the fault of an inline command: an unknown command or option. `help` caches the help.
fn command_fault(code: &str, help: &mut HashMap<String, String>) -> Option<String> {
    let mut words = code.strip_prefix("truecount ")?.split_whitespace().peekable();
    let command = words.next_if(|word| word.starts_with(char::is_lowercase))?.to_owned();
    if ["help", "man", "completions"].contains(&command.as_str()) {
        return None;
    }
    let print_help = || Folder::new().run(&format!("help {command}")).stdout;
    let help = help.entry(command.clone()).or_insert_with(print_help);
    let known = |option: &str| help.split_whitespace().any(|word| word.trim_end_matches(',') == option);
    if help.is_empty() {
        return Some(format!("`{code}`: there is no command {command}"));
    }
    let mut unknown = words.map(|word| word.split('=').next().unwrap()).filter(|word| word.starts_with('-'));
    unknown
        .find(|option| option.len() > 1 && !known(option))
        .map(|option| format!("`{code}`: {command} has no {option}"))
}

#[test]
fn inline_commands_and_options_exist() {
    assert_eq!(inline_code("a `b` c\n```sh\n`d`\n```\n`e\nf`\n"), ["b", "e\nf"]);
    let mut help = HashMap::new();
    assert_eq!(command_fault("truecount plan --train x -o y", &mut help), None);
    assert!(command_fault("truecount plan --above 1", &mut help).is_some());
    assert!(command_fault("truecount guess", &mut help).is_some());
    let (mut faults, mut codes) = (Vec::new(), Vec::new());
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for code in inline_code(&text) {
            faults.extend(command_fault(&code, &mut help).map(|fault| format!("{page}: {fault}")));
            codes.push((page.clone(), code));
        }
    }
    assert!(help.len() > 10, "only {} commands are named", help.len());
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let options: HashSet<&str> =
        help.values().flat_map(|help| help.split(is_end)).filter(|word| word.starts_with("--")).collect();
    for (page, code) in &codes {
        let option = code.split(is_end).next().unwrap_or_default();
        let is_option = option.len() > 2 && option.starts_with("--");
        if is_option && !options.contains(option) && !BENCH_OPTIONS.contains(&option) {
            faults.push(format!("{page}: `{code}`: no command has {option}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn rust_blocks_are_doc_tests() {
    let tests = fs::read_to_string(root().join("xtask/src/pages.rs")).unwrap();
    assert!(tests.contains(&format!("#[doc = include_str!(\"../../{RUST_PAGE}\")]")), "{RUST_PAGE} is not included");
    assert!(fs::read_to_string(root().join(RUST_PAGE)).unwrap().contains("```rust\n"), "{RUST_PAGE} has no Rust");
}

/// Returns the faults of a page with one block.
fn faults(block: &str) -> String {
    run_page("page", block, &Folder::with_train()).faults.join("\n")
}

#[test]
fn faults_are_detected() {
    let fit = "truecount fit --train train.csv --method 'ac' -o -";
    assert_eq!(faults(&format!("```console\n$ {fit}\n```\n")), "");
    assert!(faults(&format!("```console\n$ {fit}\nnothing\n```\n")).starts_with(&format!("page:1: {fit}\nprints\n{{")));
    assert!(
        faults("- list\n\n  ```console\n  $ truecount fit\n  ```\n")
            .starts_with("page:3: truecount fit\nexit 2: error:")
    );
    assert_eq!(faults("```console\n$ truecount fit --train train.csv \\\n    --method ac -o -\n```\n"), "");
    assert!(faults("```console\n$ rm data\n```\n").contains("cannot run here"));
    assert!(faults("```console\noutput\n```\n").contains("cannot run here"));
    assert!(faults("```ruby\nputs 1\n```\n").contains("'ruby' is not a kind of block"));
    assert!(faults("```\ntext\n```\n").contains("'' is not a kind of block"));
    assert!(faults("```rust\nfn main() {}\n```\n").contains("not a doc test"));
}
