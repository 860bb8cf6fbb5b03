//! `--label-weight`, `--label-cluster` and `--label-stratum`, for every command that reads labelled rows.

use crate::common::Folder;
use std::fmt::Write;

/// A folder with `test.csv` and a labelled table with weights `w`, equal weights `same`, and
/// clusters `c`, and strata `h` by score.
pub fn folder() -> Folder {
    let mut train = "score,label,w,same,c,h\n".to_owned();
    for i in 0..120_u32 {
        let positive = u32::from(i % 2 == 0);
        // Multiples of the golden ratio modulo 1 are evenly spread and reproducible.
        let spread = (f64::from(i) * 0.618_033_988_75).fract();
        let score = 0.25 * f64::from(positive) + 0.7 * spread;
        writeln!(train, "{score:.4},{positive},{},{},day {},{}", 1 + i % 5, 2, i / 6, score > 0.5).unwrap();
    }
    let test: String = (0..300)
        .map(|i| format!("{:.4}", 0.95 * (f64::from(i) * 0.618_033_988_75).fract()))
        .collect::<Vec<_>>()
        .join("\n");
    Folder::new().file("train.csv", train).file("test.csv", format!("score\n{test}\n"))
}

/// Fixed numbers of labels in each stratum have less variance, also from a model file and in SQL.
#[test]
fn strata_of_the_labels_are_read() {
    let folder = folder();
    let se = |arguments: &str| {
        folder.json(&format!("estimate --test test.csv {arguments}"))["estimates"][0]["se"].as_f64().unwrap()
    };
    let (with, without) = (se("--train train.csv --label-stratum h"), se("--train train.csv"));
    assert!(with < 0.9 * without, "{with}, {without}");
    folder.stdout("fit --train train.csv --label-stratum h -o model.json");
    assert_eq!(se("--model model.json"), with);
    assert!(folder.stdout("sql --model model.json --table scores").contains("AS inverse_dof_of_classes"));
    let table = folder.stdout("estimate --train train.csv --test test.csv --label-stratum h");
    assert!(table.ends_with(" negative scores from 2 strata\n"), "{table}");
    let single = folder.run("estimate --train train.csv --test test.csv --label-stratum score");
    let lonely = "has a single row or cluster among the labelled rows, so the variance within it is not known";
    assert!(single.stderr.starts_with("error: train.csv: the stratum '"), "{}", single.stderr);
    assert!(single.stderr.contains(lonely), "{}", single.stderr);
}

/// A model file and a tally give the same result as `estimate`; the other commands use the design.
#[test]
fn every_command_accepts_weights_and_clusters() {
    let folder = folder();
    let design = "--train train.csv --label-weight w --label-cluster c";
    let estimates = folder.stdout(&format!("estimate {design} --test test.csv --format csv"));
    folder.stdout(&format!("fit {design} -o model.json"));
    assert_eq!(folder.stdout("estimate --model model.json --test test.csv --format csv"), estimates);
    folder.stdout(&format!("tally {design} --test test.csv -o tally.parquet"));
    assert_eq!(folder.stdout("finish tally.parquet --model model.json --format csv"), estimates);
    folder.stdout(&format!("report {design} --test test.csv -o report.html"));
    let page = folder.read("report.html");
    assert!(page.contains("60 of them positive with weights"), "{page}");
    assert!(!page.contains("How well the families fit"));
    let check = folder.stdout(&format!("check {design} --test test.csv"));
    assert!(check.contains("Families are not tested"), "{check}");
    let plan = folder.stdout(&format!("plan {design} --se 0.05"));
    assert_ne!(plan, folder.stdout("plan --train train.csv --se 0.05"));
    let sql = folder.stdout("sql --model model.json --table scores");
    assert!(sql.contains("AS inverse_dof_of_classes"), "{sql}");
}
