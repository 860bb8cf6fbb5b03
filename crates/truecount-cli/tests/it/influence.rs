//! `truecount influence`: its rows match the input rows, and add up to the estimate and its error.

use crate::common::Folder;

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
    folder.run_ok("influence --train train.csv --test first.csv second.csv --output values.parquet");
    assert!(folder.bytes("values.parquet").starts_with(b"PAR1"));
}
