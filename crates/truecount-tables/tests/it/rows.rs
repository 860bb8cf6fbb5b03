//! Rows have their numbers, and invalid values are errors at their rows, however a file is divided
//! into parts and whoever reads them.

use crate::common::{
    Folder, SCORE, arrow_file, arrow_stream, batch, message, model, parquet, read, spread, test_files, texts,
};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, UInt32Array};
use arrow_select::take::take;
use parquet::basic::Compression;
use rayon::ThreadPoolBuilder;
use std::path::PathBuf;
use std::sync::Arc;
use truecount_tables::groups::{ScoreColumns, TestFiles};
use truecount_tables::input::{Fingerprint, MissingPolicy};

const PLAIN: Compression = Compression::UNCOMPRESSED;

fn pool(threads: usize) -> rayon::ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Returns a table in every format that has parts, of this many rows or whole.
fn formats(table: &RecordBatch, part: usize) -> [(&'static str, Vec<u8>); 6] {
    [
        ("whole.parquet", parquet(table, 1 << 20, PLAIN)),
        ("many.parquet", parquet(table, part, PLAIN)),
        ("whole.arrow", arrow_file(table, 1 << 20, None)),
        ("many.arrow", arrow_file(table, part, None)),
        ("whole.arrows", arrow_stream(table, 1 << 20, None)),
        ("many.arrows", arrow_stream(table, part, None)),
    ]
}

/// Writes rows in every format that has parts, as text, and in pieces of several formats.
fn divisions(folder: &Folder, scores: &[f64], groups: &[i64]) -> Vec<Vec<PathBuf>> {
    let table = |from: usize, to: usize| {
        let columns: [ArrayRef; 2] = [
            Arc::new(Float64Array::from(scores[from..to].to_vec())),
            Arc::new(Int64Array::from(groups[from..to].to_vec())),
        ];
        let [scores, groups] = columns;
        batch(vec![("score", scores), ("g", groups)])
    };
    let (all, third) = (table(0, scores.len()), scores.len() / 3);
    let lines: Vec<String> = scores.iter().zip(groups).map(|(score, group)| format!("{score},{group}\n")).collect();
    let text = lines.concat();
    let pieces = vec![
        folder.file("1.parquet", parquet(&table(0, third), 211, PLAIN)),
        folder.file("2.arrow", arrow_file(&table(third, 2 * third), 307, None)),
        folder.file("3.arrows", arrow_stream(&table(2 * third, scores.len()), 1000, None)),
    ];
    let typed = formats(&all, 701).map(|(name, content)| vec![folder.file(name, content)]);
    [vec![folder.file("rows.csv", format!("score,g\n{text}"))], pieces].into_iter().chain(typed).collect()
}

/// Large batches are read in several chunks, and pieces of a file by different threads.
#[test]
fn rows_keep_their_order_and_numbers() {
    let (folder, by, model) = (Folder::new(), texts(&["g"]), model(&["cc"]));
    let rows = 100_000_u32;
    let scores: Vec<f64> = (0..rows).map(spread).collect();
    let groups: Vec<i64> = (0..rows).map(|i| i64::from(i * 7919 % 10_007 % 5)).collect();
    // The number and score of each row of a group, in the order of the groups' first rows.
    let mut expected: Vec<(i64, Vec<(u64, f64)>)> = Vec::new();
    for ((row, score), group) in (1..).zip(&scores).zip(&groups) {
        let index = expected.iter().position(|(name, _)| name == group).unwrap_or_else(|| {
            expected.push((*group, Vec::new()));
            expected.len() - 1
        });
        expected[index].1.push((row, *score));
    }
    for (paths, threads) in divisions(&folder, &scores, &groups).into_iter().zip([1, 3].into_iter().cycle()) {
        let files = test_files(&paths, &by);
        let read = pool(threads).install(|| files.read_numbered_rows(&model).unwrap());
        assert_eq!(read.contents.len(), expected.len());
        for ((name, expected), numbered) in expected.iter().zip(&read.contents) {
            let mut rows: Vec<(u64, f64)> =
                numbered.rows.iter().copied().zip(numbered.numbers.scores.clone()).collect();
            rows.sort_unstable_by_key(|(row, _)| *row);
            assert!(rows == *expected, "{paths:?}, group {name}");
        }
    }
}

/// An invalid value in any column and part is an error at its row.
#[test]
fn invalid_values_are_errors_at_their_rows() {
    let folder = Folder::new();
    let columns = ScoreColumns { probability: Some("p"), ..SCORE };
    for (column, value, expected) in [
        ("score", f64::NEG_INFINITY, "the value is -inf; scores must be finite numbers"),
        ("p", 1.0 + f64::EPSILON, "the value is 1.0000000000000002; probabilities lie between 0 and 1"),
        ("p", -1e-300, "the value is -1e-300; probabilities lie between 0 and 1"),
        ("w", -1e-300, "the value is -1e-300; a weight is 0, or between 1e-100 and 1e100"),
        ("w", 1e101, "the value is 1e101; a weight is 0, or between 1e-100 and 1e100"),
    ] {
        // A batch of more than 65,536 rows is read in several chunks.
        let many = if value == f64::NEG_INFINITY { vec![(70_000, 66_000), (70_000, 70_000)] } else { Vec::new() };
        for (rows, bad) in many.into_iter().chain([(40, 1), (40, 33)]) {
            let values = |name: &str| -> ArrayRef {
                let cell = |row: usize| if name == column && row + 1 == bad { value } else { 0.5 };
                Arc::new(Float64Array::from_iter_values((0..rows).map(cell)))
            };
            let table = batch(["w", "p", "score"].map(|name| (name, values(name))).to_vec());
            for (name, content) in formats(&table, rows / 7) {
                let paths = [folder.file(name, content)];
                let files = TestFiles { columns, weight: Some("w"), ..test_files(&paths, &[]) };
                let error = read(&files).unwrap_err();
                let place = format!("{name}, row {bad}, column '{column}': {expected}");
                assert!(message(&error, &folder).starts_with(&place), "{error}, not {place}");
            }
        }
    }
}

/// Rows without a value are counted over all parts, chunks and files. The others keep their numbers.
#[test]
fn rows_without_a_value_are_counted_and_left_out() {
    let folder = Folder::new();
    let lacks = |row: usize| row % 1000 == 7;
    let value = |row: usize| if row % 2000 == 7 { Some(f64::NAN) } else { (!lacks(row)).then_some(0.5) };
    let table = |rows: usize| {
        let scores = (0..rows).map(value).collect::<Float64Array>();
        let groups = Int64Array::from_iter_values((0..rows).map(|row| i64::from(lacks(row) || row % 3 == 0)));
        batch(vec![("score", Arc::new(scores) as _), ("g", Arc::new(groups) as _)])
    };
    let (rows, model, by) = (140_000, model(&["cc"]), texts(&["g"]));
    let more = batch(vec![
        ("score", Arc::new(Float64Array::from(vec![Some(1.0), None, Some(2.0)])) as _),
        ("g", Arc::new(Int64Array::from(vec![0, 1, 0])) as _),
    ]);
    for (name, content) in formats(&table(rows), rows / 7) {
        let paths = [folder.file(name, content), folder.file("more.parquet", parquet(&more, 2, PLAIN))];
        let error = read(&test_files(&paths, &by)).unwrap_err();
        let file = paths[0].display();
        let counts = "2 files, column 'score': 141 of 140003 rows have no value, the first in";
        assert!(error.to_string().starts_with(&format!("{counts} {file}, row 8 ('NaN');")), "{error}");
        let columns = ScoreColumns { missing: Some(MissingPolicy::Drop), ..SCORE };
        let files = TestFiles { columns, ..test_files(&paths, &by) };
        for threads in [1, 3] {
            let groups = pool(threads).install(|| files.read_numbered_rows(&model).unwrap());
            let mut numbers: Vec<u64> = groups.contents.iter().flat_map(|group| group.rows.iter().copied()).collect();
            numbers.sort_unstable();
            let expected = (0..rows).filter(|row| !lacks(*row)).chain([rows, rows + 2]).map(|row| row as u64 + 1);
            assert!(numbers.iter().copied().eq(expected), "{name}");
        }
    }
}

/// Without other errors, the first invalid row of the first file is reported on any number of threads.
#[test]
fn the_first_invalid_row_is_reported() {
    let folder = Folder::new();
    let column = |bad: &[usize]| {
        let values = (1..=3000).map(|row| if bad.contains(&row) { f64::INFINITY } else { 0.25 });
        batch(vec![("score", Arc::new(Float64Array::from_iter_values(values)) as _)])
    };
    let paths = [
        folder.file("a.parquet", parquet(&column(&[2503, 807, 2999]), 400, PLAIN)),
        folder.file("b.parquet", parquet(&column(&[1]), 400, PLAIN)),
    ];
    for threads in [1, 4] {
        let error = pool(threads).install(|| read(&test_files(&paths, &[])).unwrap_err());
        assert!(message(&error, &folder).starts_with("a.parquet, row 807, column 'score'"), "{error}");
    }
}

/// A fingerprint depends on the values and numbers of all rows, but on neither the format, the
/// number of threads nor the division into parts.
#[test]
fn fingerprints_are_those_of_the_rows() {
    let folder = Folder::new();
    let columns = ScoreColumns { probability: Some("p"), ..SCORE };
    let of = |bytes: Vec<u8>, threads: usize| {
        let (paths, fingerprint) = ([folder.file("rows", bytes)], Fingerprint::default());
        let files =
            TestFiles { columns, weight: Some("w"), fingerprint: Some(&fingerprint), ..test_files(&paths, &[]) };
        pool(threads).install(|| read(&files).unwrap());
        fingerprint.value()
    };
    let rows = 2000;
    let table = |change: (&str, u32)| {
        let column = |name: &str| -> ArrayRef {
            let changed = |row: u32| f64::from(u8::from(change == (name, row))) * 0.125;
            Arc::new(Float64Array::from_iter_values((0..rows).map(|row| 0.5 * spread(row) + changed(row))))
        };
        batch(["score", "p", "w"].map(|name| (name, column(name))).to_vec())
    };
    let plain = of(parquet(&table(("", 0)), 300, PLAIN), 1);
    assert_eq!(plain, of(parquet(&table(("", 0)), 170, PLAIN), 3));
    assert_eq!(plain, of(arrow_file(&table(("", 0)), 900, None), 2));
    for column in ["score", "p", "w"] {
        for row in [0, 777, rows - 1] {
            assert_ne!(plain, of(arrow_file(&table((column, row)), 900, None), 1), "{column}, {row}");
        }
    }
    // Equal rows in another order are other rows.
    let swapped = table(("", 0));
    let indices = UInt32Array::from_iter_values((0..rows).rev());
    let columns = swapped.columns().iter().map(|column| take(column, &indices, None).unwrap());
    let swapped = RecordBatch::try_new(swapped.schema(), columns.collect()).unwrap();
    assert_ne!(plain, of(arrow_file(&swapped, 900, None), 1));
}
