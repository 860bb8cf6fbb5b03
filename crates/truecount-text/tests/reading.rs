//! Reading text returns every row once, with its line, or an error with its location.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use truecount::{Error, LabelledScores, Model, Settings, Tally};
use truecount_analysis::groups::{GroupNames, NameValue};
use truecount_text::{
    ColumnSelection, Decimal, GZIP, Input, LabelClasses, LabelledText, Meter, MissingPolicy, NoProgress, Progress,
    ScoreColumns, ScoreWords, TextColumn, TextFiles, TextTable, first_rows,
};

const SCORES: ScoreColumns = ScoreColumns::named("score");

/// Writes a file with this content, in a folder that is deleted when the first value is dropped.
fn file(content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows");
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

/// Reads the first column of a text with its lines, in blocks of this size.
fn cells(text: &str, size: usize) -> Vec<(u64, String)> {
    let bytes = Box::new(Cursor::new(text.to_owned()));
    let mut table = TextTable::in_blocks("rows".to_owned(), bytes, size, None).unwrap();
    let mut cells = Vec::new();
    while table.advance().unwrap() {
        cells.push((table.line(), table.text(0).unwrap().into_owned()));
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
    let selection =
        ColumnSelection { columns, weight: None, by: &by, required: &[], optional: &[], unit_interval: None };
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
    let file = LabelledText {
        path: &path,
        columns: SCORES,
        label: "label",
        classes: LabelClasses::two(positive),
        unit_interval: None,
    };
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
fn decimal_commas_are_detected_or_requested() {
    let (scores, _) = read("score;g\n1;a\n0,25;b\n", SCORES, &[]).unwrap();
    assert_eq!(scores, [(2, 1.0), (3, 0.25)]);
    let named = ScoreColumns { decimal: Some(Decimal::Comma), ..SCORES };
    let (scores, _) = read("score\tg\n-0,5\ta\n", named, &[]).unwrap();
    assert_eq!(scores, [(2, -0.5)]);
    // Between tabs, a comma before three digits may separate thousands.
    assert_eq!(read("score\tg\n1\ta\n-1,25\ta\n", SCORES, &[]).unwrap().0, [(2, 1.0), (3, -1.25)]);
    assert_eq!(read("score\tg\n0,125\ta\n", SCORES, &[]).unwrap().0, [(2, 0.125)]);
    assert!(read_error("score\tg\n1,250\ta\n").starts_with("line 2, column 'score'"));
    assert!(read_error("score;g\n0,5;a\n0.5;a\n").starts_with("line 3, column 'score'"));
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

/// A file whose rows lack a score, by the policy: the rows that are kept, or the error.
fn read_with_missing(content: &str, missing: Option<MissingPolicy>) -> Result<(Vec<f64>, Vec<String>), String> {
    let (_folder, path) = file(content);
    let (paths, notes, by) = ([path], Notes::default(), ["g".to_owned()]);
    let columns = ScoreColumns { missing, ..SCORES };
    let files = TextFiles::new(&paths, columns, &by, &notes);
    let groups = files.read_scores(&model()).map_err(|error| message(&error))?;
    let scores = groups.contents.into_iter().flat_map(|rows| rows.scores).collect();
    Ok((scores, notes.0.lock().unwrap().iter().map(|note| note.split_once("rows").unwrap().1.to_owned()).collect()))
}

#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Progress for Notes {
    fn begin(&self, _: &str, _: Option<u64>) -> Arc<dyn Meter> {
        Arc::new(self.clone())
    }
}

impl Meter for Notes {
    fn advance(&self, _: u64) {}

    fn note(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

#[test]
fn rows_without_a_score_are_counted_and_left_out_on_request() {
    let csv = "score,g\n1,a\n,b\n2,b\nn/a,a\nNaN,b\n";
    let json = "{\"score\": 1, \"g\": \"a\"}\n{\"g\": \"b\"}\n{\"score\": 2, \"g\": \"b\"}\n\
                {\"score\": null, \"g\": \"a\"}\n{\"score\": \"\", \"g\": \"b\"}\n";
    for (content, first) in [(csv, 3), (json, 2)] {
        let error = read_with_missing(content, None).unwrap_err();
        let sentence = format!("column 'score': 3 of 5 rows have no value, the first in line {first}");
        assert!(error.starts_with(&sentence), "{error}");
        let (scores, notes) = read_with_missing(content, Some(MissingPolicy::Drop)).unwrap();
        assert_eq!(scores, [1.0, 2.0]);
        assert_eq!(notes, [format!(", {sentence} (by group: 'a' 1, 'b' 2)")]);
    }
    let none = read_with_missing("score,g\n,a\n,b\n", Some(MissingPolicy::Drop)).unwrap_err();
    assert!(none.starts_with("column 'score': none of 2 rows has a value;"), "{none}");
    let infinite = read_with_missing("score,g\n,a\ninf,b\n", Some(MissingPolicy::Drop)).unwrap_err();
    assert!(infinite.starts_with("line 3, column 'score'"), "{infinite}");
}

/// In a single column every empty line before the last row is a row, in blocks of any size.
#[test]
fn empty_lines_of_a_single_column_are_empty_cells() {
    let expected =
        [(2, "1"), (3, ""), (4, ""), (5, "2"), (6, ""), (7, "3")].map(|(line, text)| (line, text.to_owned()));
    for size in (1..20).chain([1 << 19]) {
        assert_eq!(cells("a\n1\n\n\n2\n\n3\n\n\n", size), expected, "blocks of {size}");
        let above_header = cells("\n\n\na\n1\n", size);
        assert_eq!(above_header, [(5, "1".to_owned())], "blocks of {size}");
    }
}

/// The first number of a column decides whether its numbers are plain, percentages or Booleans.
#[test]
fn numbers_have_the_form_of_the_first() {
    let scores = |text: &str| -> Result<Vec<f64>, String> {
        let (scores, _) = read(text, SCORES, &[]).map_err(|error| message(&error))?;
        Ok(scores.into_iter().map(|(_, score)| score).collect())
    };
    assert_eq!(scores("score;g\n67,5 %;a\n;a\n7%;a\n0,07\u{a0}%;a\n").unwrap(), [0.675, 0.07, 0.0007]);
    assert_eq!(scores("score,g\n67.5%,a\n1e1 %,a\n").unwrap(), [0.675, 0.1]);
    assert_eq!(scores("score,g\nTrue,a\nfalse,a\nTRUE,a\n").unwrap(), [1.0, 0.0, 1.0]);
    assert_eq!(scores("{\"score\": true}\n{\"score\": false}\n").unwrap(), [1.0, 0.0]);
    assert_eq!(scores("{\"score\": \"0.25\"}\n{\"score\": 1}\n{\"score\": \"-0,5\"}\n").unwrap(), [0.25, 1.0, -0.5]);
    assert_eq!(scores("{\"score\": \"67,5 %\"}\n").unwrap(), [0.675]);
    for (text, line) in [
        ("score,g\n0.5,a\n7 %,a\n", 3),
        ("score,g\n,a\n0.5,a\n7 %,a\n", 4),
        ("score,g\n7 %,a\n0.5,a\n", 3),
        ("score,g\n7 %,a\nx %,a\n", 3),
        ("score,g\n1,a\ntrue,a\n", 3),
        ("score,g\ntrue,a\n1,a\n", 3),
        ("{\"score\": 1}\n{\"score\": true}\n", 2),
        ("{\"score\": \"7 %\"}\n{\"score\": 7}\n", 2),
        // The comma may separate thousands.
        ("{\"score\": \"1,250\"}\n", 1),
    ] {
        let error = scores(text).unwrap_err();
        assert!(error.starts_with(&format!("line {line}, column 'score'")), "{error}");
    }
    // A block without a number, then percentages and plain numbers.
    let rows = format!("score,g\n{}7 %,a\n", ",a\n".repeat(300_000));
    assert!(scores(&rows).unwrap_err().contains("plain numbers"));
}

#[test]
fn verdicts_in_words_are_scores() {
    let columns = ScoreColumns { words: Some(ScoreWords::Verdicts("bad")), ..SCORES };
    let (csv, json) = ("score,g\ngood,a\n bad ,a\ngood,b\n", "{\"score\": \"good\"}\n{\"score\": \"bad\"}\n");
    assert_eq!(read(csv, columns, &["g"]).unwrap().0, [(2, 0.0), (3, 1.0), (4, 0.0)]);
    assert_eq!(read(json, columns, &[]).unwrap().0, [(1, 0.0), (2, 1.0)]);
    let third = message(&read("score\ngood\nbad\nunclear\n", columns, &[]).unwrap_err());
    assert!(third.starts_with("line 4, column 'score'") && third.contains("'bad' and 'good'"), "{third}");
    let codes = ScoreColumns { words: Some(ScoreWords::Verdicts("1")), ..SCORES };
    assert_eq!(read("score\n2\n1.0\n", codes, &[]).unwrap().0, [(2, 0.0), (3, 1.0)]);
}

#[test]
fn encodings_are_detected_by_all_bytes() {
    // ASCII is the same in every encoding.
    let bytes = [b"score,g\n".as_slice(), &b"1,ab\n".repeat(1000), b"1,a\0b\n1,\xf6\0\x01\n"].concat();
    let (_, groups) = read(&bytes, SCORES, &["g"]).unwrap();
    assert_eq!(groups[1000..], [texts(&[Some("a\0b")]), texts(&[Some("ö\0\u{1}")])]);
    // A surrogate pair may lie across two reads of the bytes.
    for padding in 0..4 {
        let rows = "1,😀\n".repeat(40_000);
        let text = format!("score,g{}\n{rows}", " ".repeat(padding));
        let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (_, groups) = read(&bytes, SCORES, &["g"]).unwrap();
        assert!(groups.iter().all(|row| *row == texts(&[Some("😀")])) && groups.len() == 40_000);
        assert!(read_error(&bytes[..bytes.len() - 1]).contains("invalid UTF-16 in line 40001"));
        // A row has five units, and the header eight and the padding.
        let row = 2 * (8 + padding + 5 * 20_000);
        bytes[row..row + 2].copy_from_slice(&0xd800_u16.to_le_bytes());
        assert!(read_error(&bytes).contains("invalid UTF-16 in line 20002"));
    }
    // Windows-1252 has no character for these bytes.
    assert!(read_error(b"score,g\n1,\x81\n").starts_with("line 2, column 'g'"));
    assert!(read_error(b"score,g\x8d\n1,a\n").contains("neither in UTF-8 nor in Windows-1252"));
}

#[test]
fn a_first_line_may_name_the_delimiter() {
    for start in ["sep=;\n", "sep=;\r\n", "\u{feff}\"sep=;\"\n"] {
        let (scores, groups) = read(format!("{start}score;g\n1,5;a,b,c\n"), SCORES, &["g"]).unwrap();
        assert_eq!((scores, groups), (vec![(3, 1.5)], vec![texts(&[Some("a,b,c")])]), "{start:?}");
    }
    assert_eq!(read("sep=|\nscore|g\n1|a\n", SCORES, &["g"]).unwrap().0, [(3, 1.0)]);
}

/// The header is the first of the first rows with all selected columns.
#[test]
fn titles_above_the_header_are_left_out() {
    let by = ["g".to_owned()];
    let scores = |text: &str| {
        let (_folder, path) = file(text);
        let (paths, notes) = ([path], Notes::default());
        let files = TextFiles::new(&paths, SCORES, &by, &notes);
        let groups = files.read_scores(&model()).map_err(|error| message(&error))?;
        let scores: Vec<f64> = groups.contents.into_iter().flat_map(|rows| rows.scores).collect();
        Ok::<_, String>((scores, notes.0.lock().unwrap().len()))
    };
    for (text, notes) in [
        ("score;g\n1,5;a\n", 0),
        ("Results, 2025\nscore;g\n1,5;a\n", 1),
        ("Results;\n;\nof;May\n\"score\";\"g\"\n1,5;a\n", 1),
        ("\n\nscore;g\n1,5;a\n", 0),
        ("sep=;\nResults;;\nscore;g;h\n1,5;a;\n", 1),
    ] {
        assert_eq!(scores(text), Ok((vec![1.5], notes)), "{text:?}");
    }
    let (_folder, path) = file("Results\n\nscore,g\n1,a\nx,b\n");
    let paths = [path];
    let files = TextFiles::new(&paths, SCORES, &by, &NoProgress);
    let error = message(&files.read_scores(&model()).err().unwrap());
    assert!(error.starts_with("line 5, column 'score'"), "{error}");
    // Without the selected columns, the first row with several names is the header.
    assert!(scores("Results\nskore,g\n1,a\n").unwrap_err().contains("the columns are 'skore', 'g'"));
    assert!(scores("skore\n1,5\n").unwrap_err().contains("the columns are 'skore'"));
}

#[test]
fn errors_name_other_formats() {
    for (start, name) in [
        (&b"PAR1"[..], "Parquet"),
        (b"ARROW1\0\0", "Arrow"),
        (b"PK\x03\x04", "Excel"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"BZh91AY&SY\0", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"7z\xbc\xaf\x27\x1c\0", "7-Zip"),
        (b"\x04\x22\x4d\x18\x64\0", "lz4"),
        (b"RDX3\nX\n\0", "file of R"),
        (b"SQLite format 3\0\x10", "SQLite"),
        (&[&b"test.csv"[..], &[0; 249], b"ustar\x0000"].concat(), "tar archive"),
    ] {
        assert!(read_error(start).contains(name), "{}", read_error(start));
    }
    assert_eq!(read("PARENT,score,g\n1,2,a\n", SCORES, &[]).unwrap().0, [(2, 2.0)]);
}

#[test]
fn many_labels_are_not_all_listed() {
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
    TextFiles::new(paths, SCORES, by, &NoProgress)
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
    assert_eq!(shown("[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2}, {\"c\": 3}]").1, expected);
    // Below titles; only one of the columns has a decimal comma.
    let names = vec!["Ort".to_owned(), "p".to_owned(), "w".to_owned()];
    let expected = [cell(0, "Köln, Süd", None), cell(1, "0,5", Some(0.5)), cell(2, "1.25", Some(1.25))];
    for titles in ["", "Erhebung\n", "Erhebung;;\n;;\n", "Erhebung\nStand: 31.10., vorläufig\n\n"] {
        assert_eq!(
            shown(&format!("{titles}Ort;p;w\nKöln, Süd;0,5;1.25\n")),
            (names.clone(), expected.to_vec()),
            "{titles}"
        );
    }
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
