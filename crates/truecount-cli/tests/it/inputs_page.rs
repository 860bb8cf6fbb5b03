//! The page `docs/evidence/inputs.md`: odd inputs, each with the answer that the command gives.
//!
//! `UPDATE_PAGES=1 cargo test -p truecount-cli inputs_page` writes the page.

use crate::common::{Folder, Run};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const INTRODUCTION: &str = "\
# Odd inputs

Each row of this page is an unusual input with the answer of the command. A test fails if an answer changes.
⏎ ends a line and ⇥ is a tab. An answer is what was read together with the notes, or the first line of the error.
The mean is the mean of the scores that were read.
";

/// Probabilities with labels, for files of probabilities.
const TRAIN: &str = "prob,label\n0.9,1\n0.8,1\n0.7,1\n0.4,1\n0.6,0\n0.3,0\n0.2,0\n0.1,0\n";

/// A single cell of the column of scores.
const CELLS: [&str; 26] = [
    "0.67", " 0.67 ", "+0.67", ".67", "6.7e-1", "67%", "67 %", "66.8%", "0,67", "true", "FALSE", "1", "0", "0x1",
    "1/2", "0.67*", "<0.01", "n/a", "NA", "NULL", "nan", "inf", "-", "?", "#DIV/0!", "1.000,5",
];

/// A file of scores, and options.
const FILES: [(&str, &str); 22] = [
    ("prob,id\n0.25,a\n0.5,b\n", ""),
    ("prob;id\n0,25;a\n0,5;b\n", ""),
    ("prob\tid\n0,25\ta\n0,5\tb\n", ""),
    ("sep=;\nprob;id\n0,25;a\n0,5;b\n", ""),
    ("\u{feff}prob,id\n0.25,a\n0.5,b\n", ""),
    ("prob\r\n0.25\r\n0.5\r\n", ""),
    ("prob\n0.25\n0.5", ""),
    ("prob\n0.25\n\n0.5\n\n", ""),
    ("Report of March\n\nprob,id\n0.25,a\n0.5,b\n", ""),
    ("prob,id\n0.25,a\n0.5,b\n0.3,Total\n", "--by id --sort none"),
    ("prob\n25%\n50%\n", ""),
    ("prob\n25%\n0.5\n", ""),
    ("prob\ntrue\n0.5\n", ""),
    ("prob,id\n0.25,a\n,b\n0.5,c\n", ""),
    ("prob,id\n0.25,a\n,b\n0.5,c\n", "--missing drop"),
    ("prob,id\n0.25,a\n0.5\n", ""),
    ("prob,id\n0.25,a\n0.5,b,c\n", ""),
    ("prob,prob\n0.25,0.5\n", ""),
    ("Prob\n0.25\n", ""),
    ("0.25\n0.5\n", ""),
    ("prob\n", ""),
    ("", ""),
];

/// The sensitivity of a test.
const RATES: [&str; 14] = [
    "90/100", "0.668", "66.8%", "66,8 %", "66.8% (60.8-72.4)", "66,8 % (60,8–72,4)", "0.668 (0.608 to 0.724)",
    "66.8% [95% CI: 60.8, 72.4]", "100% (83.9-100)", "66.8% (90% CI 60.8-72.4)", "66.8% (70-80)", "66.8", "110/100",
    "high",
];

/// Labels of the two positives and the two negatives.
const LABELS: [(&str, &str, &str); 10] = [
    ("1", "0", ""),
    ("1.0", "0.0", ""),
    ("true", "false", ""),
    ("TRUE", "FALSE", "--positive TRUE"),
    ("yes", "no", ""),
    ("yes", "no", "--positive yes"),
    ("yes", "no", "--positive Yes"),
    ("1", "1", ""),
    ("1", "", ""),
    ("1", "-1", ""),
];

fn code(text: &str) -> String {
    let shown =
        text.replace('\u{feff}', "[byte order mark]").replace("\r\n", "⏎").replace('\n', "⏎").replace('\t', "⇥");
    if shown.is_empty() { "(empty file)".to_owned() } else { format!("`{shown}`") }
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

fn section(page: &mut String, title: &str, column: &str, rows: impl Iterator<Item = (String, String)>) {
    write!(page, "\n## {title}\n\n| {column} | answer |\n|---|---|\n").unwrap();
    for (input, answer) in rows {
        writeln!(page, "| {} | {} |", input.replace('|', "\\|"), answer.replace('|', "\\|")).unwrap();
    }
}

fn page() -> String {
    let estimate = |content: &str, options: &str| {
        let folder = Folder::new().file("train.csv", TRAIN).file("new.csv", content);
        let command =
            format!("estimate --train train.csv --test new.csv --prob prob --method pcc --format csv {options}");
        answer(&folder.run(&command), rows_and_mean)
    };
    let with_options = |text: String, options: &str| {
        if options.is_empty() { text } else { format!("{text} with `{options}`") }
    };
    let mut page = INTRODUCTION.to_owned();
    let cells = CELLS.iter().map(|cell| (format!("`{cell}`"), estimate(&format!("prob\n\"{cell}\"\n"), "")));
    section(&mut page, "A cell of a score", "cell", cells);
    let files = FILES.iter().map(|(file, options)| (with_options(code(file), options), estimate(file, options)));
    section(&mut page, "A file of scores", "file", files);
    let labels = LABELS.iter().map(|(positive, negative, options)| {
        let train = format!("score,label\n2,{positive}\n3,{positive}\n1,{negative}\n0,{negative}\n");
        let folder = Folder::new().file("train.csv", train).file("new.csv", "score\n3\n-1\n-2\n-3\n");
        let run = folder.run(&format!("estimate --train train.csv --test new.csv --method cc --format csv {options}"));
        let shown = format!(
            "`{positive}` and {}",
            if negative.is_empty() { "empty".to_owned() } else { format!("`{negative}`") }
        );
        (with_options(shown, options), answer(&run, |value| format!("share {}", value("prevalence"))))
    });
    section(&mut page, "Labels", "labels", labels);
    let rates = RATES.iter().map(|rate| {
        let words = "counts --positives 35 --tested 800 --specificity 97/100 --format csv --sensitivity".split(' ');
        let words: Vec<String> = words.chain([*rate]).map(str::to_owned).collect();
        (format!("`{rate}`"), answer(&Folder::new().run_words(&words), sensitivity))
    });
    section(&mut page, "A sensitivity", "`--sensitivity`", rates);
    page
}

#[test]
fn the_page_of_inputs_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evidence/inputs.md");
    let page = page();
    if env::var_os("UPDATE_PAGES").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let differs = |(actual, expected): &(&str, &str)| actual != expected;
    let first = page.lines().zip(written.lines()).find(differs);
    assert!(page == written, "run this test with UPDATE_PAGES=1; first difference: {first:?}");
}
