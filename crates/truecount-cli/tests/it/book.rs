//! Runs every `truecount` command in the README and the book, and compares its output with the
//! page. The commands of a page run one after the other, in a fresh folder with the project's data.
//!
//! A number that a sentence takes from an output names its line. Below the paragraph stands a comment, `<!-- from
//! WORDS: NUMBERS; WORDS: NUMBERS -->`: the last output above that has a line with these words has the numbers, which
//! may be rounded or percentages, in that line. `<!-- from elsewhere: NUMBERS -->` names numbers of other origin.

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

/// Options of scripts that pages name without them.
const SCRIPT_OPTIONS: [&str; 2] = ["--classifier", "--tune"];

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

/// Figures that the commands of a page write: the page, the output path, and the figure in the repository.
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

/// Returns the README and all pages of the book except the generated ones, relative to the workspace.
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
pub fn words(command: &str) -> Vec<String> {
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

/// Returns whether two lines are equal, with numbers within 1e-9: last digits depend on the machine.
fn are_equal(shown: &str, printed: &str) -> bool {
    let words = |text: &str| text.split([' ', ',']).map(str::to_owned).collect::<Vec<_>>();
    let (shown, printed) = (words(shown), words(printed));
    let equal = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9,
        _ => a == b,
    };
    shown.len() == printed.len() && shown.iter().zip(&printed).all(equal)
}

#[derive(Default)]
struct PageResult {
    /// The number of commands that ran.
    runs: usize,
    /// The [`EXCEPTIONS`] that apply to the page.
    exceptions: Vec<&'static str>,
    /// The outputs of commands, the files that they write, and other blocks, each with the number of its line.
    outputs: Vec<(usize, String)>,
    faults: Vec<String>,
}

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
            result.outputs.push((block.line, block.lines.join("\n")));
            continue;
        }
        for (command, shown) in commands(&block) {
            if let Some((beginning, _)) = EXCEPTIONS.iter().find(|(beginning, _)| command.starts_with(beginning)) {
                result.exceptions.push(beginning);
                continue;
            }
            let arguments =
                command.strip_prefix("truecount ").or(command.strip_prefix("cargo run --profile quick -- "));
            let Some(arguments) = arguments else {
                result.faults.push(format!("{location}: '{command}' cannot run here"));
                continue;
            };
            let arguments = words(arguments);
            let run = folder.run_words(&arguments);
            result.runs += 1;
            let written = arguments.iter().filter(|path| [".csv", ".html"].iter().any(|end| path.ends_with(end)));
            let texts = written.filter_map(|path| fs::read_to_string(folder.path().join(path)).ok());
            let texts: Vec<String> = texts.map(|text| without(&text, "<", ">")).collect();
            result.outputs.push((block.line, format!("{}\n{}\n{}", run.stdout, run.stderr, texts.join("\n"))));
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
        result.faults.extend(number_faults(&name, &page, &result.outputs));
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

/// Returns the indices of the lines of fenced blocks.
fn fenced_lines(page: &str) -> HashSet<usize> {
    blocks(page).iter().flat_map(|block| block.line - 1..=block.line + block.lines.len()).collect()
}

/// Returns a text with line ends in place of what stands between two marks.
fn without(text: &str, start: &str, end: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(start) {
        kept = kept + before + "\n";
        rest = after.split_once(end).map_or("", |(_, rest)| rest);
    }
    kept + rest
}

/// Returns the numbers of a text without their signs.
fn numbers(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && !".e-".contains(c));
    let words = words.map(|word| word.trim_matches(['.', 'e', '-']));
    words.filter(|word| word.parse::<f64>().is_ok()).collect()
}

fn decimals(number: &str) -> i32 {
    number.split_once('.').map_or(0, |(_, decimals)| i32::try_from(decimals.len()).unwrap())
}

/// Returns whether the line has the number, rounded or as a percentage.
fn has_number(line: &str, number: &str) -> bool {
    let half_unit = 0.500_001 * 0.1_f64.powi(decimals(number));
    let number: f64 = number.parse().unwrap();
    let values = numbers(line).into_iter().map(|value| value.parse::<f64>().unwrap());
    values.flat_map(|value| [value, 100.0 * value]).any(|value| (value - number).abs() <= half_unit)
}

/// Returns the fault of numbers that are said to be in a line of an output.
fn source_fault(words: &str, named: &[&str], outputs: &[&str]) -> Option<String> {
    let is_end = |c: char| c.is_whitespace() || ",():".contains(c);
    let matches = |line: &&str| words.split(is_end).all(|word| line.split(is_end).any(|other| other == word));
    let lines = outputs.iter().rev().map(|output| output.lines().filter(matches).collect::<Vec<_>>());
    match lines.into_iter().find(|lines| !lines.is_empty()) {
        None => Some(format!("no output above has a line with '{words}'")),
        Some(lines) => {
            let wrong = named.iter().find(|number| !lines.iter().any(|line| has_number(line, number)))?;
            Some(format!("{wrong} is not in\n{}", lines.join("\n")))
        }
    }
}

/// Returns the numbers of a paragraph that need a source: p-values, three decimals or more, and one in quoted answers.
fn numbers_to_name(paragraph: &str) -> Vec<&str> {
    let least = if paragraph.starts_with('>') { 1 } else { 3 };
    let p_values = paragraph.split("p = ").skip(1).filter_map(|rest| numbers(rest).first().copied());
    numbers(paragraph).into_iter().filter(|number| decimals(number) >= least).chain(p_values).collect()
}

fn number_faults(name: &str, page: &str, outputs: &[(usize, String)]) -> Vec<String> {
    let fenced = fenced_lines(page);
    let (mut faults, mut paragraph, mut named) = (Vec::new(), String::new(), Vec::new());
    for (index, line) in page.lines().chain([""]).enumerate() {
        let text = line.trim();
        if let Some(sources) = text.strip_prefix("<!-- from ").and_then(|rest| rest.strip_suffix(" -->")) {
            let above: Vec<&str> =
                outputs.iter().filter(|(line, _)| *line <= index).map(|(_, text)| text.as_str()).collect();
            for (words, values) in sources.split("; ").map(|source| source.rsplit_once(": ").unwrap_or((source, ""))) {
                let values = numbers(values);
                let quoted = numbers(&paragraph);
                let absent = values.iter().find(|value| !quoted.contains(value));
                let fault = match absent {
                    Some(absent) => Some(format!("the paragraph above has no {absent}")),
                    None if words == "elsewhere" => None,
                    None => source_fault(words, &values, &above),
                };
                faults.extend(fault.map(|fault| format!("{name}:{}: {fault}", index + 1)));
                named.extend(values);
            }
        } else if text.is_empty() || text.starts_with(['|', '#']) || fenced.contains(&index) {
            let prose = without(&without(&without(&paragraph.replace("$$", "$"), "`", "`"), "](", ")"), "$", "$");
            let unnamed = numbers_to_name(&prose).into_iter().find(|number| !named.contains(number));
            if let Some(number) =
                unnamed.filter(|_| ["docs/how-to", "docs/start"].iter().any(|part| name.starts_with(part)))
            {
                faults.push(format!(
                    "{name}:{index}: add a comment that says where {number} is from, as the head of book.rs says"
                ));
            }
            paragraph.clear();
            named.clear();
        } else {
            paragraph.push_str(text);
            paragraph.push('\n');
        }
    }
    faults
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

fn inline_code(page: &str) -> Vec<String> {
    let fenced = fenced_lines(page);
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
    assert!(command_fault("truecount plan --margin 1", &mut help).is_some());
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
        if is_option && !options.contains(option) && !SCRIPT_OPTIONS.contains(&option) {
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

#[test]
fn numbers_without_their_source_are_detected() {
    let outputs = [(1, "week  share\nW01  0.0755\nW02  0.8530".to_owned()), (9, "W01 0.5".to_owned())];
    let faults = |text: &str| number_faults("docs/start/page.md", &format!("\n{text}\n"), &outputs).join("\n");
    assert_eq!(faults("W01 has 7.6 %, W02 0.853.\n<!-- from W01: 7.6; W02: 0.853 -->"), "");
    assert_eq!(faults("W01 has 7.4 %.\n<!-- from W01: 7.4 -->"), "docs/start/page.md:3: 7.4 is not in\nW01  0.0755");
    assert!(faults("W03 has 7.6 %.\n<!-- from W03: 7.6 -->").contains("no output above has a line with 'W03'"));
    assert!(faults("W01 has 8 %.\n<!-- from W01: 7.6 -->").contains("the paragraph above has no 7.6"));
    assert!(faults("W01 has 0.076.").contains("says where 0.076 is from"));
    assert!(faults("> W01 has 7.6 %.\n\nNext").contains("says where 7.6 is from"));
    assert!(faults("It may be chance (p = 0.08).").contains("says where 0.08 is from"));
    assert_eq!(faults("`0.5115` is the truth, 0.5115.\n<!-- from elsewhere: 0.5115 -->"), "");
}

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
