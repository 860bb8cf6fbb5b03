//! Typed tables: a table with all column types, and the properties of every table that is read.

use crate::disk::with_file;
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int64Array,
    RecordBatch, StringArray, StringViewArray, TimestampMillisecondArray,
};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use truecount::{LabelledScores, Method, Model, Settings};
use truecount_analysis::groups::GroupNames;
use truecount_tables::NoProgress;
use truecount_tables::groups::{ScoreColumns, TestFiles};

pub const SCORES: ScoreColumns = ScoreColumns::named("score");

/// Column names and markers of the typed formats.
pub const WORDS: [&[u8]; 8] =
    [b"score", b"p", b"g", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\0\0\0\0\0\0\0\0", b"\x28\xb5\x2f\xfd"];

/// A model that reads plain scores.
pub fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let scores: Vec<f64> =
            (0..24).map(|i| f64::from(i * 7 % 24) / 6.0 - 2.5 + f64::from(u8::from(i % 2 == 0))).collect();
        let labels: Vec<bool> = (0..24).map(|i| i % 2 == 0).collect();
        let methods = ["o-cs", "ac", "es"].map(|name| name.parse::<Method>().expect("a method")).to_vec();
        let settings = Settings::new(methods);
        let labelled = LabelledScores::new(&scores, &labels).expect("both classes");
        Model::fit(&labelled, &settings).expect("classes that differ")
    })
}

/// A few rows of every type that a column may have.
pub fn batch(rows: u8) -> RecordBatch {
    let (length, rows) = (usize::from(rows), i32::from(rows));
    let numbers = || (0..rows).map(|i| f64::from(i) / 8.0 - 0.5);
    let texts = |i: i32| match i % 4 {
        0 => "a",
        1 => "b",
        2 => "é",
        _ => "",
    };
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("score", Arc::new(numbers().collect::<Float64Array>())),
        ("p", Arc::new([0.0, 0.125, 1.0].into_iter().cycle().take(length).collect::<Float32Array>())),
        ("w", Arc::new((0..rows).map(i64::from).collect::<Int64Array>())),
        ("g", Arc::new((0..rows).map(|i| (i % 3 > 0).then(|| texts(i))).collect::<DictionaryArray<Int8Type>>())),
        ("t", Arc::new((0..rows).map(|i| Some(texts(i))).collect::<StringArray>())),
        ("v", Arc::new((0..rows).map(|i| Some(texts(i))).collect::<StringViewArray>())),
        ("b", Arc::new((0..rows).map(|i| Some(i % 2 == 0)).collect::<BooleanArray>())),
        ("d", Arc::new(Date32Array::from_iter_values(0..rows))),
        (
            "m",
            Arc::new(
                Decimal128Array::from_iter_values((0..rows).map(i128::from))
                    .with_precision_and_scale(20, 2)
                    .expect("it fits"),
            ),
        ),
        ("s", Arc::new(TimestampMillisecondArray::from_iter_values((0..rows).map(i64::from)).with_timezone("UTC"))),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

/// Columns to read: scores, probabilities, weights, and group columns.
type ColumnSelection = (&'static str, Option<&'static str>, Option<&'static str>, &'static [&'static str]);

/// Column selections: scores alone, groups of all types, and scores of other numeric types.
const SELECTIONS: [ColumnSelection; 4] = [
    ("score", None, None, &[]),
    ("score", Some("p"), Some("w"), &["g", "t"]),
    ("p", None, None, &["v", "b", "d", "w"]),
    ("m", None, None, &["s", "m", "score"]),
];

/// Reads an input with each column selection. Returns whether it is accepted with all of them.
pub fn read(input: &[u8]) -> bool {
    with_file(input, |path| {
        let paths: [PathBuf; 1] = [path.to_owned()];
        let accepted = SELECTIONS.map(|(score, probability, weight, by)| {
            let by: Vec<String> = by.iter().map(|name| (*name).to_owned()).collect();
            let columns = ScoreColumns { score: Some(score), probability, ..ScoreColumns::default() };
            let files = TestFiles { weight, ..TestFiles::new(&paths, columns, &by, &NoProgress) };
            let Ok(groups) = files.scores(model().unit_interval()) else { return false };
            let texts = groups.keys.texts();
            for (group, rows) in groups.contents.iter().enumerate() {
                assert_eq!(texts.group_texts(group).count(), by.len());
                let columns = [Some(&rows.scores), rows.probabilities.as_ref(), rows.weights.as_ref()];
                for column in columns.into_iter().flatten() {
                    assert_eq!(column.len(), rows.scores.len());
                    assert!(column.iter().all(|x| x.is_finite()), "{score}: {column:?}");
                }
                for p in rows.probabilities.iter().flatten() {
                    assert!((0.0..=1.0).contains(p), "a probability of {p}");
                }
            }
            true
        });
        accepted.iter().all(|accepted| *accepted)
    })
}
