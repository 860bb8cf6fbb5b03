//! Reading text returns every row once, with its line, or an error with its location.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use truecount::Tally;
use truecount::{Error, LabelledScores, Model, Settings};
use truecount_analysis::groups::{GroupNames, NameValue};
use truecount_text::{
    ColumnSelection, Decimal, GZIP, Input, LabelledText, Meter, NoProgress, ScoreColumns, TextColumn, TextFiles,
    TextTable, first_rows,
};

const SCORES: ScoreColumns = ScoreColumns { score: Some("score"), probability: None, decimal: None, sheet: None };

/// Writes a file with this content, in a folder that is deleted when the first value is dropped.
fn file(content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

/// Reads the first column of a text with its lines, in blocks of this size.
fn cells(text: &str, size: usize) -> Vec<(u64, String)> {
    let bytes = Box::new(Cursor::new(text.to_owned()));
    let mut table = TextTable::in_blocks("rows".to_owned(), bytes, size, None).unwrap();
    let mut cells = Vec::new();
    while table.advance().unwrap() {
        cells.push((table.line(), table.text(0).unwrap().to_owned()));
    }
    cells
}

/// Scores with their lines, and the values of the grouping columns by row.
type Rows = (Vec<(u64, f64)>, Vec<Vec<Option<String>>>);

fn read(content: impl AsRef<[u8]>, columns: ScoreColumns, by: &[&str]) -> Result<Rows, Error> {
    let (_folder, path) = file(content);
    let by: Vec<String> = by.iter().map(|name| (*name).to_owned()).collect();
    let meter: Arc<dyn Meter> = Arc::new(NoProgress);
    let input = Input::open_metered(&path, &meter, &[GZIP])?;
    let selection = ColumnSelection { columns, weight: None, by: &by, optional: &[], unit_interval: None };
    let mut pieces = truecount_text::open(input, &selection)?;
    let (mut scores, mut groups) = (Vec::new(), Vec::new());
    while let Some(piece) = pieces.next()? {
        let (chunk, _) = piece.read()?;
        let chunk = chunk.expect("a piece of text is one chunk");
        for (row, score) in chunk.numbers.scores.iter().enumerate() {
            scores.push((chunk.row_numbers.at(row), *score));
            groups.push(chunk.by.iter().map(|column| column.get(row).map(str::to_owned)).collect());
        }
    }
    Ok((scores, groups))
}

/// Returns the message of an error without the name of the file.
fn message(error: &Error) -> String {
    let text = error.to_string();
    text.split_once("rows").map_or(text.clone(), |(_, rest)| rest.trim_start_matches([',', ':', ' ']).to_owned())
}

fn read_error(content: impl AsRef<[u8]>) -> String {
    message(&read(content, SCORES, &["g"]).unwrap_err())
}

fn labelled(content: impl AsRef<[u8]>, positive: &str) -> Result<LabelledScores, String> {
    let (_folder, path) = file(content);
    let file = LabelledText { path: &path, columns: SCORES, label: "label", positive, unit_interval: None };
    file.read(&NoProgress).map_err(|error| message(&error))
}

fn texts(row: &[Option<&str>]) -> Vec<Option<String>> {
    row.iter().map(|text| text.map(str::to_owned)).collect()
}

#[test]
fn quoted_cells_may_contain_line_ends_and_delimiters() {
    let text = "a,b\n\"x\ny,\"\"z\"\"\",1\n\n\"\",2\nplain,3\n\"last\",4";
    let expected = [(2, "x\ny,\"z\""), (5, ""), (6, "plain"), (7, "last")];
    let expected = expected.map(|(line, text)| (line, text.to_owned()));
    for size in (1..40).chain([1 << 19]) {
        assert_eq!(cells(text, size), expected, "blocks of {size}");
    }
}

#[test]
fn misplaced_quotes_are_errors() {
    assert!(read_error("score,g\n1,\"a\n2,b\n").contains("line 2"), "{}", read_error("score,g\n1,\"a\n2,b\n"));
    assert!(read_error("score,g\n1,\"a\"b\n").contains("line 2"));
}

#[test]
fn line_ends_may_be_lf_or_crlf_or_missing_at_the_end() {
    for text in ["score,g\n1,a\n2,b\n", "score,g\r\n1,a\r\n2,b\r\n", "\u{feff}score,g\r\n1,a\n2,b", "score;g\n1;a\n2;b"]
    {
        let (scores, groups) = read(text, SCORES, &["g"]).unwrap();
        assert_eq!(scores, [(2, 1.0), (3, 2.0)], "{text:?}");
        assert_eq!(groups, [texts(&[Some("a")]), texts(&[Some("b")])], "{text:?}");
    }
}

#[test]
fn decimal_commas_are_detected_or_requested() {
    let (scores, _) = read("score;g\n1;a\n0,25;b\n", SCORES, &[]).unwrap();
    assert_eq!(scores, [(2, 1.0), (3, 0.25)]);
    let named = ScoreColumns { decimal: Some(Decimal::Comma), ..SCORES };
    let (scores, _) = read("score\tg\n-0,5\ta\n", named, &[]).unwrap();
    assert_eq!(scores, [(2, -0.5)]);
    assert!(read_error("score;g\n0,5;a\n0.5;a\n").starts_with("line 3, column 'score'"));
}

#[test]
fn errors_of_numbers_have_the_line_and_column() {
    for (cell, shown) in [("", "empty"), ("x", "'x'"), ("nan", "nan"), ("inf", "inf"), ("1e999", "1e999")] {
        let message = read_error(format!("score,g\n1,a\n{cell},b\n"));
        assert!(message.starts_with("line 3, column 'score'") && message.contains(shown), "{message}");
    }
    assert!(read_error("score,g\n1,a\n2\n").starts_with("line 3"));
    assert!(read_error("score,h\n1,a\n").contains("'g'"));
}

#[test]
fn json_keys_are_columns_and_nested_keys_are_paths() {
    let lines = "{\"score\": 1, \"g\": {\"h\": \"a\"}}\n\n{\"g\": {\"h\": null}, \"score\": 2e0}\n\
                 {\"score\": 3, \"g\": {\"h\": 7}}\n";
    let (scores, groups) = read(lines, SCORES, &["g.h"]).unwrap();
    assert_eq!(scores, [(1, 1.0), (3, 2.0), (4, 3.0)]);
    assert_eq!(groups, [texts(&[Some("a")]), texts(&[None]), texts(&[Some("7")])]);
    let array = "[{\"score\": 1, \"g\": \"a\"},\n {\"score\": 2}]";
    let (scores, groups) = read(array, SCORES, &["g"]).unwrap();
    assert_eq!(scores, [(1, 1.0), (2, 2.0)]);
    assert_eq!(groups, [texts(&[Some("a")]), texts(&[None])]);
}

#[test]
fn missing_numbers_and_columns_in_json_are_errors() {
    assert!(read_error("{\"score\": 1, \"g\": 1}\n{\"g\": 1}\n").starts_with("line 2, column 'score'"));
    assert!(read_error("{\"score\": 1, \"g\": 1}\n{\"score\": \"2\", \"g\": 1}\n").contains("the text '2'"));
    assert!(read_error("{\"score\": 1}\n{\"score\": 2}\n").contains("'g'"));
    assert!(read_error("{\"score\": 1, \"g\": 1}\n[1]\n").starts_with("line 2"));
}

#[test]
fn gzip_members_are_decompressed_but_only_once() {
    let text = "score,g\n1,a\n";
    let parts = [gzip(text), gzip("2,b\n")].concat();
    assert_eq!(read(parts, SCORES, &[]).unwrap().0, [(2, 1.0), (3, 2.0)]);
    let twice = {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&gzip(text)).unwrap();
        packed.finish().unwrap()
    };
    assert!(read_error(twice).contains("compressed twice"));
    let cut = gzip(text);
    assert!(read_error(&cut[..cut.len() - 9]).contains("cut off"));
}

#[test]
fn errors_name_other_formats() {
    for (start, name) in [
        (&b"PAR1"[..], "Parquet"),
        (b"ARROW1\0\0", "Arrow"),
        (b"PK\x03\x04", "workbook"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\xff\xfes\0", "UTF-16"),
    ] {
        assert!(read_error(start).contains(name), "{}", read_error(start));
    }
}

#[test]
fn labels_are_compared_as_numbers() {
    let scores = labelled("score,label\n1,1\n2,1.0\n-1,0\n-2,-0\n-3,\"0\"\n", "1").unwrap();
    assert_eq!(scores.positive(), [1.0, 2.0]);
    // Rows are in the order of the labels as written: 0, "0", then -0.
    assert_eq!(scores.negative(), [-1.0, -3.0, -2.0]);
    let scores = labelled("label,score\nham,1\nspam,2\nham,3\n", "spam").unwrap();
    assert_eq!((scores.positive(), scores.negative()), (&[2.0][..], &[1.0, 3.0][..]));
}

#[test]
fn errors_list_labels_unless_there_are_two() {
    let three = labelled("score,label\n1,a\n2,b\n3,c\n4,c\n", "a").unwrap_err();
    let listed = "'a' (1 row, first in line 2), 'b' (1 row, first in line 3), 'c' (2 rows, first in line 4)";
    assert!(three.contains(listed), "{three}");
    let one = labelled("score,label\n1,a\n2,a\n", "a").unwrap_err();
    assert!(one.contains("label some of the other class too"), "{one}");
    let unknown = labelled("score,label\n1,a\n2,b\n", "1").unwrap_err();
    assert!(unknown.contains("'1'") && unknown.contains("'a'"), "{unknown}");
    let empty = labelled("score,label\n1,a\n2,\n3,b\n", "a").unwrap_err();
    assert!(empty.starts_with("line 3, column 'label'"), "{empty}");
    let nan = labelled("score,label\n1,1\n2,NaN\n", "1").unwrap_err();
    assert!(nan.starts_with("line 3, column 'label'"), "{nan}");
    let many: Vec<String> = (0..2000).map(|label| format!("1,{label}\n")).collect();
    let many = labelled(format!("score,label\n{}", many.concat()), "1").unwrap_err();
    assert!(many.contains("more"), "{many}");
}

fn model() -> Model {
    let scores: Vec<f64> = (0..40).map(|i| f64::from(i % 20) / 4.0 + if i < 20 { 1.5 } else { 0.0 }).collect();
    let labels: Vec<bool> = (0..40).map(|i| i < 20).collect();
    Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), &Settings::default()).unwrap()
}

fn files<'a>(paths: &'a [PathBuf], by: &'a [String]) -> TextFiles<'a> {
    TextFiles { paths, columns: SCORES, weight: None, by, progress: &NoProgress }
}

#[test]
fn groups_are_in_order_of_first_appearance_over_all_files() {
    let (_one, first) = file("score,g,h\n1,b,x\n2,a,x\n3,b,y\n4,b,x\n");
    let (_other, second) =
        file("{\"h\": \"x\", \"g\": \"c\", \"score\": 5}\n{\"h\": null, \"g\": \"b\", \"score\": 6}\n");
    let (paths, by) = ([first, second], ["g", "h"].map(str::to_owned));
    let groups = files(&paths, &by).read_scores(&model()).unwrap();
    let names: Vec<Vec<String>> = (0..5).map(|group| groups.keys.texts().group_texts(group).collect()).collect();
    assert_eq!(names, [["b", "x"], ["a", "x"], ["b", "y"], ["c", "x"], ["b", ""]]);
    assert_eq!(groups.keys.values().group_values(4).last(), Some(NameValue::Missing));
    let scores: Vec<&[f64]> = groups.contents.iter().map(|rows| rows.scores.as_slice()).collect();
    assert_eq!(scores, [&[1.0, 4.0][..], &[2.0], &[3.0], &[5.0], &[6.0]]);
    let whole = files(&paths, &[]).read_scores(&model()).unwrap();
    assert_eq!(whole.contents[0].scores, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn tallies_equal_those_of_the_rows_in_memory() {
    let rows: Vec<String> = (0..90_000).map(|i| format!("{},{}\n", f64::from(i % 23) / 4.0, i % 7)).collect();
    let (_folder, path) = file(format!("score,g\n{}", rows.concat()));
    let (paths, by, model) = ([path], ["g".to_owned()], model());
    let (kept, tallied) = (files(&paths, &by).read_scores(&model).unwrap(), files(&paths, &by).tally(&model).unwrap());
    for (rows, tallies) in kept.contents.iter().zip(&tallied.contents) {
        let mut expected = Tally::new(&model);
        expected.update(&rows.scores[..]).unwrap();
        assert!(*tallies == expected);
    }
}

#[test]
fn groups_of_zero_weight_and_files_without_rows_are_errors() {
    let (_folder, path) = file("score,g,w\n1,a,1\n2,b,0\n");
    let (paths, by) = ([path], ["g".to_owned()]);
    let weighted = TextFiles { weight: Some("w"), ..files(&paths, &by) };
    assert!(weighted.read_scores(&model()).err().unwrap().to_string().contains('b'));
    let (_folder, path) = file("score,g\n");
    assert!(files(&[path], &by).read_scores(&model()).is_err());
}

#[test]
fn first_rows_visits_cells_as_text_and_number() {
    let shown = |content: &str| {
        let (_folder, path) = file(content);
        let mut seen = Vec::new();
        let names = first_rows(Path::new(&path), 2, &NoProgress, &mut |column, text, number| {
            seen.push((column, text.to_owned(), number));
        });
        (names.unwrap(), seen)
    };
    let cell = |column: usize, text: &str, number| (column, text.to_owned(), number);
    let expected = vec![cell(0, "1", Some(1.0)), cell(1, "x", None), cell(0, "2", Some(2.0)), cell(1, "", None)];
    assert_eq!(shown("a,b\n1,x\n2,\n3,z\n"), (vec!["a".to_owned(), "b".to_owned()], expected.clone()));
    assert_eq!(shown("{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2}\n").1, expected);
}

#[test]
fn text_columns_have_the_layout_of_arrow() {
    let mut column = TextColumn::default();
    column.push("ab");
    column.push_missing();
    column.push("");
    column.push("é");
    assert_eq!([column.get(0), column.get(1), column.get(2), column.get(3)], [Some("ab"), None, Some(""), Some("é")]);
    let (offsets, texts, present) = column.into_parts();
    assert_eq!((offsets, texts.as_str()), (vec![0, 2, 2, 2, 4], "abé"));
    assert_eq!(present, Some(vec![true, false, true, true]));
}
