//! Reading text returns every row once, with its line, or an error with its location.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use truecount::{Error, LabelledScores, Model, Settings, Tally};
use truecount_analysis::groups::{GroupNames, NameValue};
use truecount_text::{
    ColumnSelection, GZIP, Input, Meter, MissingPolicy, NoProgress, ScoreColumns, TextFiles, TextTable, first_rows,
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

/// The first number of a column decides its form, even if a block of empty cells lies before it.
#[test]
fn numbers_have_the_form_of_the_first() {
    let rows = format!("score,g\n{}7 %,a\n", ",a\n".repeat(300_000));
    assert!(read_error(rows).contains("plain numbers"));
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
    let groups = files(&paths, &by).scores(None).unwrap();
    let names: Vec<Vec<String>> = (0..5).map(|group| groups.keys.texts().group_texts(group).collect()).collect();
    assert_eq!(names, [["b", "x"], ["a", "x"], ["b", "y"], ["c", "x"], ["b", ""]]);
    assert_eq!(groups.keys.values().group_values(4).last(), Some(NameValue::Missing));
    let scores: Vec<&[f64]> = groups.contents.iter().map(|rows| rows.scores.as_slice()).collect();
    assert_eq!(scores, [&[1.0, 4.0][..], &[2.0], &[3.0], &[5.0], &[6.0]]);
    let whole = files(&paths, &[]).scores(None).unwrap();
    assert_eq!(whole.contents[0].scores, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn rows_are_numbered_over_all_files_with_those_that_are_left_out() {
    let (_one, first) = file("score,g\n1,b\n,a\n2,a\n");
    let (_other, second) = file("score,g\n3,b\n");
    let (paths, by) = ([first, second], ["g".to_owned()]);
    let columns = ScoreColumns { missing: Some(MissingPolicy::Drop), ..SCORES };
    let groups = TextFiles { columns, ..files(&paths, &by) }.numbered_rows().unwrap();
    assert_eq!(groups.contents.into_iter().map(|rows| rows.rows).collect::<Vec<_>>(), [vec![1, 4], vec![3]]);
}

#[test]
fn tallies_equal_those_of_the_rows_in_memory() {
    let rows: Vec<String> = (0..90_000).map(|i| format!("{},{}\n", f64::from(i % 23) / 4.0, i % 7)).collect();
    let (_folder, path) = file(format!("score,g\n{}", rows.concat()));
    let (paths, by, model) = ([path], ["g".to_owned()], model());
    let (kept, tallied) = (files(&paths, &by).scores(None).unwrap(), files(&paths, &by).tally(&model).unwrap());
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
    assert!(weighted.scores(None).err().unwrap().to_string().contains('b'));
    let (_folder, path) = file("score,g\n");
    assert!(files(&[path], &by).scores(None).is_err());
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
