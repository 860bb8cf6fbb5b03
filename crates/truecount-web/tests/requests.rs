//! Tests of the program's answers to the page's requests. `cargo xtask web` compares them with the
//! command's answers in a browser.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the answer to a request about files in this folder.
fn answer(folder: &Path, request: &Value) -> Value {
    let mut program = Command::new(env!("CARGO_BIN_EXE_truecount-web"));
    let mut process =
        program.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
    process.stdin.take().expect("a pipe").write_all(request.to_string().as_bytes()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// Returns the guessed columns of a table.
fn guessed_columns(table: &str) -> Value {
    let folder = folder_with(&[("table.csv", table)]);
    answer(folder.path(), &json!({ "ask": "columns", "file": "table.csv" }))["labelled"].clone()
}

#[test]
fn columns_are_guessed_only_if_unambiguous() {
    let guess = |score, label, positive| json!({ "score": score, "label": label, "positive": positive });
    let (none, some) = (None::<&str>, Some);
    assert_eq!(guessed_columns("score,label\n1,1\n2,0\n"), guess(some("score"), some("label"), some("1")));
    assert_eq!(
        guessed_columns("id,p,truth\n1,0.5,True\n2,0.25,False\n3,1,True\n"),
        guess(some("p"), some("truth"), some("True"))
    );
    // The table is sorted by its labels, and has a column with two different weights.
    let rows = "0.5,1,no\n".repeat(3000) + &"0.75,2,yes\n".repeat(3000);
    assert_eq!(guessed_columns(&format!("p,weight,y\n{rows}")), guess(some("p"), some("y"), some("yes")));
    // Scores are integers, the labels are not frequent ones, and two columns may have them.
    assert_eq!(guessed_columns("mark;kind\n1;ham\n2;spam\n5;ham\n"), guess(some("mark"), some("kind"), none));
    assert_eq!(guessed_columns("mark;kind;sex\n1;ham;f\n2;spam;m\n5;ham;m\n"), guess(some("mark"), none, none));
    assert_eq!(guessed_columns("a,b\n0.1,0.2\n0.3,0.4\n"), guess(none, none, none));
    // Every label has a column with its scores.
    let classes = "kind,sex,p_a,p_b,p_c\na,f,0.5,0.25,0.25\nb,m,0.25,0.5,0.25\nc,m,0.25,0.25,0.5\n";
    assert_eq!(guessed_columns(classes), guess(none, some("kind"), none));
    assert_eq!(guessed_columns(&classes.replace("p_c", "p_b")), guess(none, some("sex"), none));
    assert_eq!(guessed_columns("score,label\n1,ham\n2,spam\n"), guess(some("score"), some("label"), none));
}

#[test]
fn columns_of_objects_are_paths_and_few_values_are_listed() {
    let folder =
        folder_with(&[("marks.jsonl", "{\"judge\": {\"mark\": 3}, \"by\": \"a\"}\n\n{\"judge\": {\"mark\": 4}}\n")]);
    let description = answer(folder.path(), &json!({ "ask": "columns", "file": "marks.jsonl" }));
    let mark = json!({ "name": "judge.mark", "numbers": true, "values": [["3", 1], ["4", 1]], "first": ["3", "4"], "classes": null });
    let by = json!({ "name": "by", "numbers": false, "values": [["a", 1]], "first": ["a"], "classes": null });
    assert_eq!(description["columns"], json!([mark, by]));
    let many: String = (0..30).fold("score,g\n".to_owned(), |table, row| format!("{table}{row}.5,{row}\n"));
    let folder = folder_with(&[("many.csv", &many)]);
    let description = answer(folder.path(), &json!({ "ask": "columns", "file": "many.csv" }));
    assert_eq!(description["columns"][1]["values"], Value::Null);
    assert_eq!(description["columns"][1]["first"], json!(["0", "1", "2"]));
}

/// Tables are read as by the command: below titles, in any encoding, with a decimal comma and
/// without some values.
#[test]
fn columns_are_read_as_for_the_analysis() {
    let table = "Erhebung;;\nStand: 31.10.;;\n\nscore;city;w\n0,5;Köln;1\nNA;Bonn;\n0,25;;2\n";
    let latin: Vec<u8> = table.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let utf_16: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for content in [table.as_bytes().to_vec(), latin, utf_16] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("table.csv"), content).unwrap();
        let description = answer(folder.path(), &json!({ "ask": "columns", "file": "table.csv" }));
        let column = |index: usize| {
            let column = &description["columns"][index];
            json!([column["name"], column["numbers"], column["first"]])
        };
        assert_eq!(column(0), json!(["score", true, ["0,5", "0,25"]]));
        assert_eq!(column(1), json!(["city", false, ["Köln", "Bonn"]]));
        assert_eq!(column(2), json!(["w", true, ["1", "2"]]));
        assert_eq!(description["labelled"]["score"], "score");
    }
}

/// Scores have other names in the tables, six labelled rows have no value, and there are three
/// labels.
#[test]
fn rows_are_left_out_and_labels_stand_against_the_rest() {
    let spread = [-1.4, -0.9, -0.6, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3];
    let rows = |mean: f64, label| spread.map(|s| format!("{:.1},{label}\n", s + mean)).concat();
    let labelled = [rows(2.0, "cat"), rows(0.0, "dog"), rows(0.1, "cow")].concat();
    let two = labelled.replace("cow", "dog");
    let folder = folder_with(&[
        ("train.csv", &format!("p,kind\n{labelled}{}", ",dog\n".repeat(6))),
        ("two.csv", &format!("prob,kind\n{two}")),
        ("test.csv", &format!("prob\n{}", spread.map(|s| format!("{s}\n")).concat())),
    ]);
    let mut request = json!({
        "ask": "estimates", "train": "two.csv", "test": ["test.csv"], "score": "prob", "label": "kind", "positive": "cat",
    });
    let expected = answer(folder.path(), &request)["text"].clone();
    assert!(expected.is_string());
    request["train"] = json!("train.csv");
    request["train_score"] = json!("p");
    let error = answer(folder.path(), &request);
    assert_eq!(error["incomplete"], 6, "{error}");
    request["missing"] = json!("drop");
    let error = answer(folder.path(), &request)["error"].to_string();
    assert!(error.contains("two labels are needed"), "{error}");
    request["rest"] = json!(true);
    let estimates = answer(folder.path(), &request);
    assert_eq!(estimates["text"], expected);
    let command = estimates["command"].as_str().unwrap();
    for option in ["--score prob ", "--train-score p ", "--missing drop ", "--rest "] {
        assert!(command.contains(option), "{command}");
    }
}

#[test]
fn the_command_line_is_quoted_for_a_shell() {
    let spread = [-1.4, -0.9, -0.6, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3];
    let rows = |mean: f64, kind| spread.map(|s| format!("{:.1},{kind}\n", s + mean)).concat();
    let train = format!("p,kind\n{}{}", rows(2.0, "spam"), rows(0.0, "ham"));
    let test: String = (0..40_u8).fold("p,\"City, \"\"State\"\"\",w\n".to_owned(), |table, row| {
        format!("{table}{:.1},{},1\n", f64::from(row) / 10.0 - 1.0, ["a", "b"][usize::from(row % 2)])
    });
    let folder = folder_with(&[("my train.csv", &train), ("test.csv", &test)]);
    let request = |ask: &str, more: Value| {
        let mut request = json!({
            "ask": ask, "train": "my train.csv", "test": ["test.csv"],
            "score": "p", "label": "kind", "positive": "spam", "by": ["City, \"State\""], "method": ["es", "ac"], "target": "population", "level": 0.9,
            "items": "items", "positive_name": "it's",
        });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        answer(folder.path(), &request)
    };
    let typed = "--train 'my train.csv' --test test.csv --score p --label kind --positive spam \
                 --by '\"City, \"\"State\"\"\"' --method 'es,ac' --target population --level 0.9";
    assert_eq!(request("estimates", json!({}))["command"], format!("truecount estimate {typed} --format csv"));
    let differences = request("differences", json!({ "reference": "b" }));
    assert_eq!(differences["command"], format!("truecount compare {typed} --reference b"));
    let sentence = differences["answer"].as_str().unwrap();
    assert!(sentence.starts_with("a: ") && sentence.contains(" points "), "{sentence}");
    assert!(!differences["html"].as_str().unwrap().contains(sentence), "{differences}");
    let wald = request("estimates", json!({ "interval": "wald" }));
    assert_eq!(wald["command"], format!("truecount estimate {typed} --interval wald --format csv"));
    assert_ne!(wald["text"], request("estimates", json!({}))["text"]);
    let conflict = request("differences", json!({ "interval": "bootstrap" }))["error"].as_str().unwrap().to_owned();
    assert!(conflict.starts_with("a comparison cannot be used with --interval bootstrap"), "{conflict}");
    let report = request("report", json!({}));
    assert_eq!(report["command"], format!("truecount report {typed} --positive-name \"it's\" --output report.html"));
    assert!(report["page"].as_str().unwrap().starts_with("<!DOCTYPE html>"));
}

/// The third row shows that the day comes first.
#[test]
fn dates_are_grouped_by_period() {
    let spread = [-1.4, -0.9, -0.6, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3];
    let rows = |mean: f64, label| spread.map(|s| format!("{:.1},{label}\n", s + mean)).concat();
    let train = format!("score,label\n{}{}", rows(2.0, 1), rows(0.0, 0));
    let days = ["1/2/2026,0.4", "2/3/2026,1.4", "13/2/2026 10:00,2.2", "31/3/2026,-0.3"];
    let folder = folder_with(&[("train.csv", &train), ("test.csv", &format!("day,score\n{}\n", days.join("\n")))]);
    let estimates = |every: &str| {
        let request =
            json!({ "ask": "estimates", "train": "train.csv", "test": ["test.csv"], "by": ["day"], "every": every });
        answer(folder.path(), &request)
    };
    let months = estimates("month");
    let groups: Vec<&str> =
        months["text"].as_str().unwrap().lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(groups, ["day", "2026-02", "2026-03"]);
    assert!(months["command"].as_str().unwrap().contains("--by day --every month"), "{months}");
    let hours = estimates("hour")["error"].as_str().unwrap().to_owned();
    assert!(hours.starts_with("'1/2/2026' in the column 'day' does not determine the hour"), "{hours}");
}

#[test]
fn errors_are_sentences() {
    let folder = folder_with(&[("train.csv", "score,label\n1,1\n2,\n"), ("book.xlsx", "PK\u{3}\u{4}")]);
    let error = |request: Value| answer(folder.path(), &request)["error"].as_str().unwrap().to_owned();
    let columns = |file: &str| error(json!({ "ask": "columns", "file": file }));
    assert!(columns("book.xlsx").starts_with("book.xlsx: is not a complete Excel file"));
    assert!(columns("none.csv").starts_with("none.csv: "));
    let estimates = json!({ "ask": "estimates", "train": "train.csv", "test": ["train.csv"] });
    assert!(error(estimates).starts_with("train.csv, column 'label': 1 of 2 rows has no value, in line 3"));
    let counts = json!({ "ask": "counts", "positives": "35", "sensitivity": "0.9", "specificity": "0.9" });
    assert_eq!(
        error(counts),
        "--tested is missing\nhint: add it, or name a table that has it in a column (--table FILE)"
    );
    assert_eq!(error(json!({ "ask": "nothing" })), "there is no request called 'nothing'");
    let classes = json!({
        "ask": "classes", "distance": 1, "spread": 0, "labelled": 100, "n": 100, "prevalence": 0.5, "draw": 1,
    });
    assert_eq!(error(classes), "sd is 0\nhint: it must be between 1e-150 and 1e150");
}

#[test]
fn simulated_classes_depend_on_the_seed_and_the_request() {
    let folder = folder_with(&[]);
    let request = |draw: u64, prevalence: f64| {
        json!({
            "ask": "classes", "distance": 2, "spread": 1, "labelled": 200, "n": 500,
            "prevalence": prevalence, "draw": draw,
        })
    };
    let [one, again, other] = [1, 1, 2].map(|draw| answer(folder.path(), &request(draw, 0.3)));
    assert_eq!(one, again);
    assert_ne!(one["answer"], other["answer"]);
    assert_eq!((&one["positives"], &one["n"]), (&json!(150), &json!(500)));
    let figures: Vec<&String> = one["figures"].as_object().unwrap().keys().collect();
    assert_eq!(figures, ["scores", "separation", "adjusted-count", "calibration", "weights"]);
    let counting = json!({ "ask": "counting", "sensitivity": 0.9, "specificity": 0.95, "prevalence": 0.05 });
    let sentence = "Where 5.0\u{a0}% are positive, the classifier counts 9.3\u{a0}%: 4.5\u{a0}% true positives and \
                    4.8\u{a0}% false alarms.";
    assert_eq!(answer(folder.path(), &counting)["answer"], sentence);
}
