//! Standard errors and intervals: from formulas, from the bootstrap, and with survey weights.

use crate::common::{Folder, csv_rows};

/// Test scores of two groups with weights.
fn folder() -> Folder {
    let rows =
        [("a", 2.1, "1"), ("a", 1.4, "2"), ("b", -0.3, "1.5"), ("a", 0.2, "0"), ("b", 1.9, "4"), ("b", 0.4, "1")];
    let rows = rows.map(|(group, score, weight)| format!("{group},{score},{weight}\n")).concat();
    Folder::with_train().file("test.csv", format!("week,score,w\n{rows}"))
}

const ESTIMATE: &str = "estimate --train train.csv --test test.csv";
const BOOTSTRAP: &str = "estimate --train train.csv --test test.csv --interval bootstrap";

#[test]
fn the_number_of_threads_does_not_change_the_bootstrap() {
    let run = |options: &str| {
        folder().stdout(&format!("{BOOTSTRAP} --method all --cutoff 1 --by week --resamples 60 --format csv {options}"))
    };
    let one = run("--threads 1");
    assert_eq!(one, run("--threads 2"));
    assert_eq!(one, run("--threads 5 --seed 1"));
    assert_ne!(one, run("--seed 2"));
    assert_ne!(one, run("--target population"));
    // The estimates do not depend on the kind of interval.
    let estimates = |text: &str| csv_rows(text).iter().map(|row| row["raw"].clone()).collect::<Vec<_>>();
    let formula = folder().run(&format!("{ESTIMATE} --method all --cutoff 1 --by week --format csv"));
    assert_eq!(estimates(&one), estimates(&formula.stdout));
}
