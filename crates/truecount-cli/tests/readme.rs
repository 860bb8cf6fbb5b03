//! Every `truecount` command in the README and in the pages below runs, and prints what is shown below it.

mod common;

use common::Folder;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// (command, the lines shown below it)
fn commands(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => commands.push((command.to_owned(), Vec::new())),
                None => commands.last_mut().unwrap().1.push(line.to_owned()),
            }
        }
    }
    commands
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

/// Runs the commands of a page in a folder with the project's data; how many there are.
fn run_commands(folder: &Folder, page: &str) -> usize {
    let mut ran = 0;
    for (command, shown) in commands(&std::fs::read_to_string(root().join(page)).unwrap()) {
        let arguments = match command.split_once(" -- ") {
            Some(("cargo run --release", arguments)) => arguments,
            _ => match command.strip_prefix("truecount ") {
                Some(arguments) => arguments,
                None => continue,
            },
        };
        let run = folder.run(arguments);
        assert_eq!(run.code, 0, "{command}: {}", run.stderr);
        if !shown.is_empty() {
            let printed: Vec<&str> = run.stdout.lines().collect();
            let all = shown.iter().zip(&printed).all(|(shown, printed)| same(shown, printed));
            assert!(all && shown.len() == printed.len(), "{command} prints\n{}", run.stdout);
        }
        ran += 1;
    }
    ran
}

#[test]
fn commands_print_what_is_shown() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("data/spam")).unwrap();
    for name in ["train.csv", "weeks.csv", "pool.csv"] {
        let to = folder.path().join("data/spam").join(name);
        std::fs::copy(root().join("data/spam").join(name), to).unwrap();
    }
    std::fs::create_dir_all(folder.path().join("docs/figures")).unwrap();
    assert_eq!(run_commands(&folder, "README.md"), 6);
    assert_eq!(run_commands(&folder, "docs/planning.md"), 2);
    assert_eq!(run_commands(&folder, "docs/evaluation.md"), 3);
    assert_eq!(run_commands(&folder, "docs/sql.md"), 2);
    assert_eq!(run_commands(&folder, "docs/tally.md"), 4);
    assert_eq!(run_commands(&folder, "docs/warehouse.md"), 6);
    let same = |made: &str, shown: &str| {
        let read = |path: PathBuf| std::fs::read_to_string(path).unwrap();
        assert!(read(folder.path().join(made)) == read(root().join(shown)), "{shown} is out of date");
    };
    same("docs/figures/plan.svg", "docs/figures/plan.svg");
    same("pictures/error-by-prevalence.svg", "docs/figures/error-by-prevalence.svg");
}
