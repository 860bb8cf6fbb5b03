//! What a page asks, as the program answers it. That the answers are the command's is checked in a browser (`cargo xtask web`).

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The answer to a request about files of this folder.
fn asked(folder: &Path, request: &Value) -> Value {
    let mut program = Command::new(env!("CARGO_BIN_EXE_truecount-web"));
    let mut running =
        program.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
    running.stdin.take().expect("a pipe").write_all(request.to_string().as_bytes()).unwrap();
    let done = running.wait_with_output().unwrap();
    assert!(done.status.success());
    serde_json::from_slice(&done.stdout).unwrap()
}

fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// What is guessed of a table.
fn guessed(table: &str) -> Value {
    let folder = with(&[("table.csv", table)]);
    asked(folder.path(), &json!({ "ask": "columns", "file": "table.csv" }))["labelled"].clone()
}

#[test]
fn what_is_clear_is_guessed_and_nothing_else() {
    let guess = |score, label, positive| json!({ "score": score, "label": label, "positive": positive });
    let (none, some) = (None::<&str>, Some);
    assert_eq!(guessed("score,label\n1,1\n2,0\n"), guess(some("score"), some("label"), some("1")));
    assert_eq!(
        guessed("id,p,truth\n1,0.5,True\n2,0.25,False\n3,1,True\n"),
        guess(some("p"), some("truth"), some("True"))
    );
    // Sorted by its labels, with a column of two weights.
    let rows = "0.5,1,no\n".repeat(3000) + &"0.75,2,yes\n".repeat(3000);
    assert_eq!(guessed(&format!("p,weight,y\n{rows}")), guess(some("p"), some("y"), some("yes")));
    // Marks are whole; the label has names that nobody knows, and may be either of two columns.
    assert_eq!(guessed("mark;kind\n1;ham\n2;spam\n5;ham\n"), guess(some("mark"), some("kind"), none));
    assert_eq!(guessed("mark;kind;sex\n1;ham;f\n2;spam;m\n5;ham;m\n"), guess(some("mark"), none, none));
    assert_eq!(guessed("a,b\n0.1,0.2\n0.3,0.4\n"), guess(none, none, none));
    assert_eq!(guessed("score,label\n1,ham\n2,spam\n"), guess(some("score"), some("label"), none));
}

#[test]
fn columns_of_objects_are_paths_and_few_values_are_listed() {
    let folder = with(&[("marks.jsonl", "{\"judge\": {\"mark\": 3}, \"by\": \"a\"}\n\n{\"judge\": {\"mark\": 4}}\n")]);
    let found = asked(folder.path(), &json!({ "ask": "columns", "file": "marks.jsonl" }));
    let mark = json!({ "name": "judge.mark", "numbers": true, "values": ["3", "4"], "first": ["3", "4"] });
    let by = json!({ "name": "by", "numbers": false, "values": ["", "a"], "first": ["a", ""] });
    assert_eq!(found["columns"], json!([mark, by]));
    let many: String = (0..30).fold("score,g\n".to_owned(), |table, row| format!("{table}{row}.5,{row}\n"));
    let folder = with(&[("many.csv", &many)]);
    let found = asked(folder.path(), &json!({ "ask": "columns", "file": "many.csv" }));
    assert_eq!(found["columns"][1]["values"], Value::Null);
    assert_eq!(found["columns"][1]["first"], json!(["0", "1", "2"]));
}

/// A column that nobody asks for may be anything, as for the command.
#[test]
fn what_cannot_be_read_is_not_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table.csv"), b"score,city\n0.5,K\xf6ln\n0.25,Bonn\n").unwrap();
    let found = asked(folder.path(), &json!({ "ask": "columns", "file": "table.csv" }));
    assert_eq!(found["columns"][1]["first"], json!(["\u{fffd}", "Bonn"]));
    assert_eq!(found["labelled"]["score"], "score");
}

#[test]
fn the_command_that_repeats_it_is_one_that_a_shell_takes() {
    let spread = [-1.4, -0.9, -0.6, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3];
    let rows = |mean: f64, kind| spread.map(|s| format!("{:.1},{kind}\n", s + mean)).concat();
    let train = format!("p,kind\n{}{}", rows(2.0, "spam"), rows(0.0, "ham"));
    let test: String = (0..40_u8).fold("p,\"City, \"\"State\"\"\",w\n".to_owned(), |table, row| {
        format!("{table}{:.1},{},1\n", f64::from(row) / 10.0 - 1.0, ["a", "b"][usize::from(row % 2)])
    });
    let folder = with(&[("my train.csv", &train), ("test.csv", &test)]);
    let request = |ask: &str, more: Value| {
        let mut request = json!({
            "ask": ask, "train": "my train.csv", "test": ["test.csv"], "score": "p", "label": "kind", "positive": "spam",
            "by": ["City, \"State\""], "method": ["es", "ac"], "level": 0.9, "target": "population",
        });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        asked(folder.path(), &request)
    };
    let typed = "--train 'my train.csv' --test test.csv --score p --label kind --positive spam --by '\"City, \"\"State\"\"\"' \
                 --method 'es,ac' --target population --level 0.9";
    assert_eq!(request("estimates", json!({}))["command"], format!("truecount estimate {typed} --format csv"));
    assert_eq!(
        request("differences", json!({ "reference": "b" }))["command"],
        format!("truecount compare {typed} --reference b")
    );
    let report = request("report", json!({ "items": "items", "positive_name": "it's" }));
    assert_eq!(report["command"], format!("truecount report {typed} --positive-name \"it's\" --output report.html"));
    assert!(report["page"].as_str().unwrap().starts_with("<!DOCTYPE html>"));
}

#[test]
fn what_is_wrong_is_a_sentence() {
    let folder = with(&[("train.csv", "score,label\n1,1\n2,\n"), ("book.xlsx", "PK\u{3}\u{4}")]);
    let error = |request: Value| asked(folder.path(), &request)["error"].as_str().unwrap().to_owned();
    let columns = |file: &str| error(json!({ "ask": "columns", "file": file }));
    assert_eq!(columns("book.xlsx"), "book.xlsx: is a workbook or another zip archive; save it as CSV");
    assert!(columns("none.csv").starts_with("none.csv: "));
    let estimates = json!({ "ask": "estimates", "train": "train.csv", "test": ["train.csv"] });
    assert!(error(estimates).starts_with("train.csv, line 3"));
    let counts =
        json!({ "ask": "counts", "positives": "35", "tested": " ", "sensitivity": "0.9", "specificity": "0.9" });
    assert_eq!(error(counts), "--tested is missing; add it, or name a table that has it in a column (--table FILE)");
    assert_eq!(error(json!({ "ask": "nothing" })), "there is no request called 'nothing'");
    let classes = json!({
        "ask": "classes", "distance": 1, "spread": 0, "labelled": 100, "n": 100, "prevalence": 0.5, "draw": 1,
    });
    assert_eq!(error(classes), "sd is 0; it must be between 1e-150 and 1e150");
}

/// The same draw gives the same picture, and another one another.
#[test]
fn two_classes_are_drawn_as_asked() {
    let folder = with(&[]);
    let request = |draw: u64, prevalence: f64| {
        json!({
            "ask": "classes", "distance": 2, "spread": 1, "labelled": 200, "n": 500, "prevalence": prevalence, "draw": draw,
        })
    };
    let [one, again, other] = [1, 1, 2].map(|draw| asked(folder.path(), &request(draw, 0.3)));
    assert_eq!(one, again);
    assert_ne!(one["answer"], other["answer"]);
    assert_eq!((&one["positives"], &one["n"]), (&json!(150), &json!(500)));
    let figures: Vec<&String> = one["figures"].as_object().unwrap().keys().collect();
    assert_eq!(figures, ["scores", "separation", "adjusted-count", "calibration", "weights"]);
    let counting = json!({ "ask": "counting", "sensitivity": 0.9, "specificity": 0.95, "prevalence": 0.05 });
    let said = "Where 5.0\u{a0}% are positive, the classifier counts 9.3\u{a0}%: 4.5\u{a0}% true positives and 4.8\u{a0}% false alarms.";
    assert_eq!(asked(folder.path(), &counting)["answer"], said);
}
