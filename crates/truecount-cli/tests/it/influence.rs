//! `truecount influence`: its rows match the input rows, and add up to the estimate and its error.

use crate::common::Folder;
use insta::assert_snapshot;
use serde_json::Value;
use std::collections::BTreeMap;

const WEEKS: &str = "--train train.csv --test weeks.csv --by week --format csv";

/// Returns the cells of a table, without its header.
fn cells(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

/// Returns the values of a column, grouped by the first column.
fn by_first(csv: &str, column: usize) -> BTreeMap<String, Vec<f64>> {
    let mut groups: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in cells(csv) {
        groups.entry(row[0].to_owned()).or_default().push(number(row[column]));
    }
    groups
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns Σ(x − mean)² n/(n − 1).
fn sum_of_squares(values: &[f64]) -> f64 {
    let (n, mean) = (values.len() as f64, mean(values));
    values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() * n / (n - 1.0)
}

#[test]
fn the_mean_of_a_group_is_its_estimate() {
    let folder = Folder::with_spam();
    let estimates = folder.stdout(&format!("estimate {WEEKS}"));
    let estimates = by_first(&estimates, 5);
    let values = by_first(&folder.stdout(&format!("influence {WEEKS}")), 3);
    assert_eq!(values.len(), 24);
    for (week, values) in values {
        let raw = estimates[&week][0];
        assert!((mean(&values) - raw).abs() < 1e-14, "{week}: {} {raw}", mean(&values));
    }
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
    any sampling design, plus se_labels², is that of the estimate
    ");
    let rows = folder.stdout(&format!("influence {arguments} --format csv"));
    let (mut sum, mut total) = (0.0, 0.0);
    for row in cells(&rows) {
        sum += number(row[2]) * number(row[3]);
        total += number(row[2]);
    }
    let raw = number(cells(&folder.stdout(&format!("estimate {arguments} --format csv")))[0][4]);
    assert!((sum / total - raw).abs() < 1e-14, "{} {raw}", sum / total);
}

/// The squared standard error for the population is Σ(x − mean)²/(n(n − 1)) over the test scores
/// plus Σ x² n±/(n± − 1) over the labelled scores. The second term is exact (see the library's
/// tests). The first agrees with the formula's variance only if the test scores are a mixture of
/// the labelled classes; for a count of two values it always does.
#[test]
fn influence_values_add_up_to_the_standard_error() {
    let folder = Folder::with_spam();
    for (method, tolerance) in [("ac", 5e-5), ("es", 5e-3)] {
        let arguments = format!("--train train.csv --test weeks.csv --method {method} --format csv");
        let output = |command: &str| folder.stdout(&format!("{command} {arguments}"));
        let values: Vec<f64> = cells(&output("influence")).iter().map(|row| number(row[2])).collect();
        let test = sum_of_squares(&values) / (values.len() as f64).powi(2);
        let classes = by_first(&output("influence --labelled"), 3);
        let labelled: f64 = classes.values().map(|class| sum_of_squares(class)).sum();
        let se = number(cells(&output("estimate --target population"))[0][5]);
        let sum = (test + labelled).sqrt();
        assert!((sum / se - 1.0).abs() < tolerance, "{method}: {sum} {se}");
    }
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
