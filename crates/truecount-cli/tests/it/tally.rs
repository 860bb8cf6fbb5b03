//! Tallies: files of tallies together give the estimate over all their scores, and other files are refused.

use crate::common::{Folder, spam as data};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, StringArray};
use insta::assert_snapshot;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::fs;

/// A folder with a model, the spam scores in `whole.csv`, and a random partition of them in `part0.csv` to `part2.csv`.
fn spam(fit: &str) -> Folder {
    let weeks = data("weeks.csv");
    let mut lines = weeks.lines();
    let header = lines.next().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut parts = vec![Vec::new(); 3];
    lines.for_each(|line| parts[rng.random_range(0..3)].push(line));
    for part in &mut parts {
        part.shuffle(&mut rng);
    }
    let table = |rows: &[&str]| format!("{header}\n{}\n", rows.join("\n"));
    let folder = Folder::new().file("train.csv", data("train.csv")).file("whole.csv", table(&parts.concat()));
    let folder =
        parts.iter().enumerate().fold(folder, |folder, (i, part)| folder.file(&format!("part{i}.csv"), table(part)));
    folder.run_ok(&format!("fit --train train.csv -o model.json {fit}"));
    folder
}

/// Asserts that two JSON values are equal, numbers within 1e-12, and returns how many numbers there are.
fn compare(a: &Value, b: &Value) -> usize {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= 1e-12, "{a} {b}");
            1
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a.iter().zip(b).map(|(a, b)| compare(a, b)).sum(),
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()), "{a:?} {b:?}");
            a.iter().map(|(key, a)| compare(a, &b[key])).sum()
        }
        _ => {
            assert_eq!(a, b);
            0
        }
    }
}

/// The partition gives the same estimates; only the last digits of sums may differ. The library's tests have
/// every method.
#[test]
fn tallies_of_parts_agree_with_the_whole() {
    let options = "--by week --weight length";
    let mut folder = spam("--method o-cs,es,ac,pacc,edy");
    for name in ["whole", "part0", "part1", "part2"].map(|name| format!("{name}.csv")) {
        let text = folder.read(&name);
        let weighed = text
            .lines()
            .enumerate()
            .map(|(i, line)| if i == 0 { format!("{line},length\n") } else { format!("{line},{}\n", line.len() % 7) });
        folder = folder.file(&name, weighed.collect::<String>());
    }
    for part in 0..3 {
        let run =
            folder.run_ok(&format!("tally --model model.json --test part{part}.csv -o part{part}.tally {options}"));
        assert_eq!(run.stdout, "");
    }
    let whole = |more: &str| folder.run_ok(&format!("estimate --model model.json --test whole.csv {options} {more}"));
    let parts =
        |more: &str| folder.run_ok(&format!("finish --model model.json part0.tally part1.tally part2.tally {more}"));
    let [a, b] = [whole("--format json"), parts("--format json")];
    let numbers = compare(&serde_json::from_str(&a.stdout).unwrap(), &serde_json::from_str(&b.stdout).unwrap());
    assert!(numbers > 100, "{numbers}");
    for options in ["", "--level 0.9 --target population --interval wald"] {
        let [a, b] = [whole(options), parts(options)];
        assert_eq!((a.stdout, a.stderr), (b.stdout, b.stderr));
    }
}

/// Any Parquet reader sees the groups, and for each method n and sums or counts.
#[test]
fn a_tally_is_a_parquet_file() {
    let folder = Folder::with_train().file("test.csv", "score,day\n1,mon\n0.1,tue\n2.2,tue\n");
    folder.run_ok("tally --train train.csv --method cc,ms-quapy,t-ms --cutoff 1 --test test.csv --by day -o day.tally");
    let file = fs::File::open(folder.path().join("day.tally")).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let entries = builder.metadata().file_metadata().key_value_metadata().unwrap().clone();
    let text = entries.iter().find(|entry| entry.key == "truecount tally").unwrap().value.clone().unwrap();
    let mut metadata: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(metadata["written_by"].take(), concat!("truecount ", env!("CARGO_PKG_VERSION")));
    let checksum = metadata["checksum"].take();
    assert!(checksum.as_str().is_some_and(|sum| sum.len() == 16 && sum != "0000000000000000"), "{checksum}");
    assert_snapshot!(metadata, @r#"{"format":"truecount tally","version":2,"written_by":null,"model":"d7a0e84eaa5d7bc5","methods":["cc","ms-quapy","t-ms"],"by":["day"],"weighted":false,"shift":"each","sources":["test.csv"],"rows":"97f5bbf492ed1a82","groups":2,"scores":3,"checksum":null}"#);
    let batch = builder.build().unwrap().next().unwrap().unwrap();
    assert_eq!(batch.column(0).as_ref(), &StringArray::from(vec!["mon", "tue"]) as &dyn Array);
    let tally = batch.column_by_name("tally").unwrap().as_struct();
    let tally_of = |method: &str| tally.column_by_name(method).unwrap().as_struct();
    for method in ["cc", "ms-quapy", "t-ms", "shift"] {
        assert_eq!(tally_of(method).column(0).as_primitive::<UInt64Type>().values(), &[1, 2], "{method}");
    }
    let sums = |method: &str, row| tally_of(method).column_by_name("sums").unwrap().as_list::<i64>().value(row);
    // Classify & Count at 1: Σg and Σg² are 1 on both days, and their rounding errors are 0.
    for day in [0, 1] {
        assert_eq!(sums("cc", day).as_primitive::<Float64Type>().values(), &[1.0, 0.0, 1.0, 0.0]);
    }
    assert_eq!(sums("t-ms", 1).as_primitive::<Float64Type>().values(), &[0.1, 2.2]);
    for method in ["ms-quapy", "shift"] {
        let counts = tally_of(method).column_by_name("counts").unwrap().as_list::<i64>().value(1);
        assert_eq!(counts.as_primitive::<UInt64Type>().values().iter().sum::<u64>(), 2);
    }
}
