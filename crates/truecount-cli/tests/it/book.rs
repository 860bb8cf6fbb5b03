//! Every `truecount` command in the README and in the book runs, and prints what is shown below it. Each page has a fresh folder with the
//! project's data, in which its commands run one after the other.

use crate::common::Folder;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Commands that do not run here, by how they begin, and why.
const EXCEPT: [(&str, &str); 5] = [
    ("cargo xtask ", "runs these tests, or measures for minutes"),
    ("cargo test ", "a measurement that takes minutes"),
    ("pip install ", "builds the Python package; `cargo xtask python` does that"),
    ("duckdb ", "needs DuckDB's command; `cargo xtask engines` runs the queries"),
    ("cargo run --release -p truecount-bench -- ", "takes minutes; the tests of truecount-bench run it small"),
];

/// What a block of a page may be. Python's are tested in python/tests/test_docs.py, Rust's as doc tests of the library; the others do
/// not run.
const KINDS: [&str; 11] =
    ["console", "python", "pycon", "rust", "text", "sh", "sql", "toml", "r", "{toctree}", "{eval-rst}"];

/// The page whose Rust is a doc test: `xtask/src/pages.rs` includes it.
const RUST: &str = "docs/how-to/rust.md";

/// Pages with nothing to run, beside those of the package's reference.
const NOTHING: [&str; 8] = [
    "docs/how-to/examples/index.md",
    "docs/how-to/index.md",
    "docs/index.md",
    "docs/reference/glossary.md",
    "docs/reference/index.md",
    "docs/reference/methods/index.md",
    "docs/reference/python.md",
    "docs/why/intervals.md",
];

/// Pages the commands write a picture for that is in the repository: where to, and the picture.
const PICTURES: [(&str, &str, &str); 9] = [
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

/// The README and every page of the book, but for those that are generated, from the workspace's folder.
fn pages() -> Vec<String> {
    fn below(folder: &Path, pages: &mut Vec<String>) {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            if root().join(&path).is_dir() {
                below(&path, pages);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    let mut pages = vec!["README.md".to_owned()];
    below(Path::new("docs"), &mut pages);
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

/// A block: its kind, the number of its first line, its lines.
struct Block<'a> {
    kind: &'a str,
    line: usize,
    lines: Vec<&'a str>,
}

/// The blocks of a page that stand between fences, in lists too.
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

/// (command, the lines shown below it); a command goes on where a line ends with a backslash.
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

/// The words of a command, as a shell parts them.
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

/// The same text, with numbers equal to 1e-9: their last digits are the machine's.
fn same(shown: &str, printed: &str) -> bool {
    let words = |text: &str| text.split([' ', ',']).map(str::to_owned).collect::<Vec<_>>();
    let (shown, printed) = (words(shown), words(printed));
    let equal = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9,
        _ => a == b,
    };
    shown.len() == printed.len() && shown.iter().zip(&printed).all(equal)
}

/// What became of a page.
#[derive(Default)]
struct Tried {
    /// Commands that ran.
    ran: usize,
    /// The exceptions that were met.
    excepted: Vec<&'static str>,
    wrong: Vec<String>,
}

/// Runs the commands of a page in the folder.
fn try_page(name: &str, page: &str, folder: &Folder) -> Tried {
    let mut tried = Tried::default();
    for block in blocks(page) {
        let place = format!("{name}:{}", block.line);
        if !KINDS.contains(&block.kind) {
            tried.wrong.push(format!("{place}: '{}' is no kind of block; there are {}", block.kind, KINDS.join(", ")));
        }
        if block.kind == "rust" && name != RUST {
            tried.wrong.push(format!("{place}: the Rust of this page is no doc test yet"));
        }
        if block.kind != "console" {
            continue;
        }
        for (command, shown) in commands(&block) {
            if let Some((beginning, _)) = EXCEPT.iter().find(|(beginning, _)| command.starts_with(beginning)) {
                tried.excepted.push(beginning);
                continue;
            }
            let here = command.strip_prefix("truecount ").or(command.strip_prefix("cargo run --release -- "));
            let Some(arguments) = here else {
                tried.wrong.push(format!("{place}: '{command}' is no command that can run here"));
                continue;
            };
            let run = folder.run_words(&words(arguments));
            tried.ran += 1;
            // An alarm is what `monitor` is for.
            let alarmed = run.code == 3 && run.stderr.starts_with("alarm: ");
            if run.code != 0 && !alarmed {
                tried.wrong.push(format!("{place}: {command}\nexit {}: {}", run.code, run.stderr));
            } else if !shown.is_empty() {
                let printed: Vec<&str> = run.stdout.lines().collect();
                let all = shown.iter().zip(&printed).all(|(shown, printed)| same(shown, printed));
                if !all || shown.len() != printed.len() {
                    tried.wrong.push(format!("{place}: {command}\nprints\n{}", run.stdout));
                }
            }
        }
    }
    tried
}

#[test]
fn commands_print_what_is_shown() {
    let run = |name: String| {
        let page = fs::read_to_string(root().join(&name)).unwrap();
        let folder = Folder::new();
        copy(&root().join("data"), &folder.path().join("data"));
        fs::create_dir_all(folder.path().join("docs/figures")).unwrap();
        let mut tried = try_page(&name, &page, &folder);
        let something =
            blocks(&page).iter().any(|block| ["console", "python", "pycon", "r", "rust"].contains(&block.kind));
        if something == (NOTHING.contains(&name.as_str()) || name.starts_with("docs/reference/python/")) {
            tried
                .wrong
                .push(format!("{name}: show how it is done, or, if there is nothing to run, add it to the list"));
        }
        // Counted in another way: nothing that looks like a command is left out.
        let prompts = page.lines().filter(|line| line.trim_start().starts_with("$ ")).count();
        if prompts != tried.ran + tried.excepted.len() && tried.wrong.is_empty() {
            tried
                .wrong
                .push(format!("{name}: of {prompts} lines that begin with '$ ' only {} are commands", tried.ran));
        }
        for (_, made, picture) in PICTURES.iter().filter(|(page, ..)| *page == name) {
            if fs::read(folder.path().join(made)).ok() != fs::read(root().join(picture)).ok() {
                tried.wrong.push(format!("{picture} is out of date"));
            }
        }
        tried
    };
    let tried: Vec<Tried> = pages().into_par_iter().map(run).collect();
    let mut wrong: Vec<String> = tried.iter().flat_map(|page| page.wrong.clone()).collect();
    for (beginning, reason) in EXCEPT {
        if !tried.iter().any(|page| page.excepted.contains(&beginning)) {
            wrong.push(format!(
                "no page has the command '{beginning}', excepted since it {reason}: take it out of the list"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} things are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
    let (ran, with): (usize, usize) =
        (tried.iter().map(|page| page.ran).sum(), tried.iter().filter(|page| page.ran > 0).count());
    assert!(ran >= 20 && with >= 8, "only {ran} commands of {with} pages ran");
}

/// Where the links of a page lead, those to other sites aside.
fn links(page: &str) -> Vec<&str> {
    let ends = page.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let targets = ends.map(|(target, _)| target.split('#').next().unwrap());
    targets.filter(|target| !target.is_empty() && !target.contains([':', ' ', '\n'])).collect()
}

#[test]
fn links_lead_to_files() {
    assert_eq!(links("[a](b.md#c) ![d](e/f.svg) [g](https://h.org) [i](#j)"), ["b.md", "e/f.svg"]);
    let others = ["CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "python/README.md"].map(str::to_owned);
    let (mut found, mut wrong) = (0, Vec::new());
    for page in pages().into_iter().chain(others) {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for target in links(&text) {
            found += 1;
            let generated = target.contains("command/") || page == "docs/reference/index.md";
            if !generated && !root().join(&page).parent().unwrap().join(target).exists() {
                wrong.push(format!("{page} leads to {target}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found >= 50, "only {found} links");
}

/// The code within a page's lines, outside blocks.
fn spans(page: &str) -> Vec<String> {
    let fenced: HashSet<usize> =
        blocks(page).iter().flat_map(|block| block.line - 1..=block.line + block.lines.len()).collect();
    let text: Vec<&str> =
        page.lines().enumerate().filter(|(number, _)| !fenced.contains(number)).map(|(_, line)| line).collect();
    text.join("\n")
        .split("\n\n")
        .flat_map(|part| part.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// What is wrong with a command that is named within a line.
fn misnamed(code: &str, help: &mut HashMap<String, String>) -> Option<String> {
    let mut words = code.strip_prefix("truecount ")?.split_whitespace().peekable();
    let command = words.next_if(|word| word.starts_with(char::is_lowercase))?.to_owned();
    if ["help", "man", "completions"].contains(&command.as_str()) {
        return None;
    }
    let asked = || Folder::new().run(&format!("help {command}")).stdout;
    let help = help.entry(command.clone()).or_insert_with(asked);
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
fn named_commands_have_their_options() {
    assert_eq!(spans("a `b` c\n```sh\n`d`\n```\n`e\nf`\n"), ["b", "e\nf"]);
    let mut help = HashMap::new();
    assert_eq!(misnamed("truecount plan --train x -o y", &mut help), None);
    assert!(misnamed("truecount plan --above 1", &mut help).is_some());
    assert!(misnamed("truecount guess", &mut help).is_some());
    let mut wrong = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        wrong.extend(
            spans(&text).iter().filter_map(|code| misnamed(code, &mut help)).map(|wrong| format!("{page}: {wrong}")),
        );
    }
    assert!(help.len() > 10, "only {} commands are named", help.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rust_is_doc_tests() {
    let tests = fs::read_to_string(root().join("xtask/src/pages.rs")).unwrap();
    assert!(tests.contains(&format!("#[doc = include_str!(\"../../{RUST}\")]")), "{RUST} is not included");
    assert!(fs::read_to_string(root().join(RUST)).unwrap().contains("```rust\n"), "{RUST} has no Rust");
}

/// What is wrong with a page of one block.
fn wrong(block: &str) -> String {
    try_page("page", block, &Folder::with_train()).wrong.join("\n")
}

#[test]
fn what_is_wrong_is_found() {
    let fit = "truecount fit --train train.csv --method 'ac' -o -";
    assert_eq!(wrong(&format!("```console\n$ {fit}\n```\n")), "");
    assert!(wrong(&format!("```console\n$ {fit}\nnothing\n```\n")).starts_with(&format!("page:1: {fit}\nprints\n{{")));
    assert!(
        wrong("- list\n\n  ```console\n  $ truecount fit\n  ```\n")
            .starts_with("page:3: truecount fit\nexit 2: error:")
    );
    assert_eq!(wrong("```console\n$ truecount fit --train train.csv \\\n    --method ac -o -\n```\n"), "");
    assert!(wrong("```console\n$ rm data\n```\n").contains("no command that can run here"));
    assert!(wrong("```console\noutput\n```\n").contains("no command that can run here"));
    assert!(wrong("```ruby\nputs 1\n```\n").contains("'ruby' is no kind of block"));
    assert!(wrong("```\ntext\n```\n").contains("'' is no kind of block"));
    assert!(wrong("```rust\nfn main() {}\n```\n").contains("no doc test"));
}
