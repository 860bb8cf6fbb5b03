//! The page `docs/evidence/inputs.md`: odd inputs, each with the answer that the command gives.
//!
//! The inputs are read from the page: add a row with a few words as its answer. `UPDATE_PAGES=1 cargo test -p
//! truecount-cli inputs_page` writes the answers.

use crate::common::{Folder, Run};
use std::path::Path;
use std::{env, fs};

/// Probabilities with labels, for files of probabilities.
const TRAIN: &str = "prob,label\n0.9,1\n0.8,1\n0.7,1\n0.4,1\n0.6,0\n0.3,0\n0.2,0\n0.1,0\n";

/// Returns the texts of a cell, and the options in it: `` `1` and empty with `--positive 1` ``.
fn texts_and_options(cell: &str) -> (Vec<String>, &str) {
    let (texts, options) = cell.split_once(" with ").unwrap_or((cell, ""));
    let signs = [('⏎', "\n"), ('␍', "\r"), ('⇥', "\t")];
    let text = |shown: &str| {
        let text = shown.strip_prefix('`').and_then(|shown| shown.strip_suffix('`')).unwrap_or_default();
        let text = text.replace("[byte order mark]", "\u{feff}");
        signs.iter().fold(text, |text, (sign, character)| text.replace(*sign, character))
    };
    (texts.split(" and ").map(text).collect(), options.trim_matches('`'))
}

/// Returns the first sentence of an error, or the description of each row with the notes on the
/// input. `describe` gets a function from the name of a column to the row's value.
fn answer(run: &Run, describe: impl Fn(&dyn Fn(&str) -> String) -> String) -> String {
    if run.code != 0 {
        return run.stderr.lines().next().unwrap_or_default().to_owned();
    }
    let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let index = |name: &str| header.iter().position(|column| column == name).unwrap();
    let row = |row: &csv::StringRecord| describe(&|name| row[index(name)].to_owned());
    let is_of_input = |line: &&str| line.starts_with("note: ") || line.starts_with("warning: left out");
    let notes = run.stderr.lines().filter(is_of_input).map(str::to_owned);
    rows.iter().map(row).chain(notes).collect::<Vec<_>>().join("; ")
}

/// Describes an estimate: its number of rows and their mean.
fn rows_and_mean(value: &dyn Fn(&str) -> String) -> String {
    let n = value("n");
    format!("{n} {}, mean {}", if n == "1" { "row" } else { "rows" }, value("prevalence"))
}

fn sensitivity(value: &dyn Fn(&str) -> String) -> String {
    let share = value("sensitivity");
    let denominator = value("sensitivity_of");
    if denominator.is_empty() { format!("{share}, exact") } else { format!("{share} of {denominator}") }
}

fn estimate(content: &str, options: &str) -> String {
    let folder = Folder::new().file("train.csv", TRAIN).file("new.csv", content);
    let command = format!("estimate --train train.csv --test new.csv --prob prob --method pcc --format csv {options}");
    answer(&folder.run(&command), rows_and_mean)
}

/// Estimates with these labels of the two positives and the two negatives.
fn estimate_with_labels(labels: &[String], options: &str) -> String {
    let [positive, negative] = labels else { panic!("two labels: {labels:?}") };
    let train = format!("score,label\n2,{positive}\n3,{positive}\n1,{negative}\n0,{negative}\n");
    let folder = Folder::new().file("train.csv", train).file("new.csv", "score\n3\n-1\n-2\n-3\n");
    let run = folder.run(&format!("estimate --train train.csv --test new.csv --method cc --format csv {options}"));
    answer(&run, |value| format!("share {}", value("prevalence")))
}

fn counts(rate: &str) -> String {
    let words = "counts --positives 35 --tested 800 --specificity 97/100 --format csv --sensitivity".split(' ');
    let words: Vec<String> = words.chain([rate]).map(str::to_owned).collect();
    answer(&Folder::new().run_words(&words), sensitivity)
}

/// Returns the page with the answers of the command to its inputs.
fn answered(page: &str) -> String {
    let mut section = "";
    let mut lines = Vec::new();
    for line in page.lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        let cells = line.strip_prefix("| ").and_then(|row| row.split_once(" | "));
        let Some((input, _)) = cells.filter(|(_, answer)| *answer != "answer |") else {
            lines.push(line.to_owned());
            continue;
        };
        let (texts, options) = texts_and_options(input);
        let answer = match section {
            "A cell of a score" => estimate(&format!("prob\n\"{}\"\n", texts[0]), options),
            "A file of scores" => estimate(&texts[0], options),
            "Labels" => estimate_with_labels(&texts, options),
            "A sensitivity" => counts(&texts[0]),
            other => panic!("a section without inputs: {other}"),
        };
        lines.push(format!("| {input} | {} |", answer.replace('|', "\\|")));
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_page_of_inputs_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evidence/inputs.md");
    let written = fs::read_to_string(&path).unwrap();
    let page = answered(&written);
    if env::var_os("UPDATE_PAGES").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert!(page.lines().count() > 80);
    let first = page.lines().zip(written.lines()).find(|(actual, expected)| actual != expected);
    assert!(page == written, "run this test with UPDATE_PAGES=1; first difference: {first:?}");
}
