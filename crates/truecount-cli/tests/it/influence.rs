//! `truecount influence`: its rows match the input rows, and add up to the estimate and its error.

use crate::common::Folder;
use insta::assert_snapshot;
use serde_json::Value;

const WEEKS: &str = "--train train.csv --test weeks.csv --by week --format csv";

/// Returns the cells of a table, without its header.
fn cells(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn rows_are_in_input_order() {
    let folder = Folder::with_spam();
    let weeks = folder.read("weeks.csv");
    let (header, rows) = weeks.split_once('\n').unwrap();
    let half = rows[..rows.len() / 2].rfind('\n').unwrap() + 1;
    let folder = folder
        .file("first.csv", format!("{header}\n{}", &rows[..half]))
        .file("second.csv", format!("{header}\n{}", &rows[half..]));
    let whole = folder.stdout(&format!("influence {WEEKS}"));
    for (index, (output, input)) in cells(&whole).iter().zip(cells(&weeks)).enumerate() {
        let expected = (input[0], &*(index + 1).to_string(), number(input[1]));
        assert_eq!((output[0], output[1], number(output[2])), expected);
    }
    assert_eq!(cells(&whole).len(), rows.lines().count());
    let parts = "--train train.csv --test first.csv second.csv --by week --format csv";
    assert_eq!(folder.stdout(&format!("influence {parts}")), whole);
}

#[test]
fn weighted_rows_have_their_weight() {
    let folder = Folder::with_train().file("test.csv", "score,w\n1.9,2\n-0.3,1\n0.7,0\n2.2,0.5\n");
    let arguments = "--train train.csv --test test.csv --weight w";
    assert_snapshot!(folder.stdout(&format!("influence {arguments} --method ac")), @"
    row   score   weight   influence   se_labels
    ──────────────────────────────────────────────
      1     1.9        2     +1.0000    0.244631
      2    -0.3        1     -1.4000    0.244631
      3     0.7        0     +1.0000    0.244631
      4     2.2      0.5     +1.0000    0.244631

    the mean of a group's influence values is its raw estimate; its variance under
    any sampling design, plus se_labels², is a variance of the estimate
    ");
}

#[test]
fn labelled_scores_have_a_row_for_each_group() {
    let folder =
        Folder::with_train().file("test.csv", "day,score\na,1.9\na,-0.3\na,0.1\nb,0.7\nb,2.2\nb,1.8\nb,-0.1\n");
    let command = "influence --train train.csv --test test.csv --by day --labelled";
    let printed = folder.stdout(command);
    assert_snapshot!(printed.lines().take(4).chain(printed.lines().skip(50)).collect::<Vec<_>>().join("\n"), @"
    day   class      row   score   influence
    ──────────────────────────────────────────
    a     positive     1     0.6    0.024851
    a     positive     2     1.1    0.014231

    influence: contribution of each labelled score to the error of the estimate; the
    squares, times n/(n − 1) in each class, add up to the part of se² from the
    labelled rows
    ");
    let rows = folder.stdout(&format!("{command} --format csv"));
    assert_eq!(cells(&rows).len(), 2 * 24);
}

#[test]
fn every_output_format_has_the_rows() {
    let folder = Folder::with_train().file("test.csv", "score\n1.9\n-0.3\n");
    let command = "influence --train train.csv --test test.csv --method ac";
    assert_snapshot!(folder.stdout(&format!("{command} --format jsonl")), @r#"
    {"group":{},"row":1,"score":1.9,"influence":1.0,"se_labels":0.35675303400633795}
    {"group":{},"row":2,"score":-0.3,"influence":-1.4000000000000001,"se_labels":0.35675303400633795}
    "#);
    let rows = folder.stdout(&format!("{command} --format jsonl")).trim_end().replace('\n', ",");
    assert_eq!(folder.json(command), serde_json::from_str::<Value>(&format!("{{\"influence\":[{rows}]}}")).unwrap());
    folder.run_ok(&format!("{command} --output values.parquet"));
    assert!(folder.bytes("values.parquet").starts_with(b"PAR1"));
}
