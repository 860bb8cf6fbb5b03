//! The same rows in every format, compression and division into parts are read alike, to the bit.

use crate::common::{
    Folder, Group, arrow_file, arrow_stream, batch, gzip, parquet, read, spread, test_files, texts, workbook,
};
use arrow_array::{Float64Array, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use truecount_tables::groups::{ScoreColumns, TestFiles};

/// A table with scores, probabilities, weights and names.
struct Table(Vec<Row>);

struct Row {
    score: f64,
    p: f64,
    w: f64,
    name: Option<&'static str>,
}

const NAMES: [Option<&str>; 5] = [Some("north"), None, Some("süd"), Some("x, \"y\""), Some("12")];

impl Table {
    fn new(rows: u32) -> Self {
        let row = |i: u32| Row {
            score: 8.0 * spread(i) - 4.0,
            p: spread(3 * i + 1),
            w: [0.0, 0.25, 1e-7, 1e9][(i % 4) as usize] + spread(i),
            name: NAMES[(i * i % 31 % 5) as usize],
        };
        Self((0..rows).map(row).collect())
    }

    /// Returns the groups by name, in the order of their first rows.
    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for Row { score, p, w, name } in &self.0 {
            let name = texts(&[name.unwrap_or_default()]);
            let index = groups.iter().position(|group| group.name == name).unwrap_or_else(|| {
                groups.push(Group { name, ..Group::default() });
                groups.len() - 1
            });
            groups[index].scores.push(*score);
            groups[index].probabilities.get_or_insert_default().push(*p);
            groups[index].weights.get_or_insert_default().push(*w);
        }
        groups
    }

    fn text(&self, delimiter: char) -> String {
        let mut text = ["note", "w", "score", "name", "p\n"].join(&delimiter.to_string());
        for Row { score, p, w, name } in &self.0 {
            let name = name.map_or(String::new(), |name| format!("\"{}\"", name.replace('"', "\"\"")));
            writeln!(text, "\"a\nb\"{delimiter}{w}{delimiter}{score}{delimiter}{name}{delimiter}{p}").unwrap();
        }
        text
    }

    fn objects(&self) -> Vec<String> {
        let object = |Row { score, p, w, name }: &Row| json!({"w": w, "score": score, "name": name, "p": p});
        self.0.iter().map(|row| object(row).to_string()).collect()
    }

    fn batch(&self) -> RecordBatch {
        let column = |value: fn(&Row) -> f64| Arc::new(Float64Array::from_iter_values(self.0.iter().map(value))) as _;
        let names: StringArray = self.0.iter().map(|row| row.name).collect();
        batch(vec![
            ("w", column(|row| row.w)),
            ("note", Arc::new(StringArray::from(vec!["a note"; self.0.len()])) as _),
            ("score", column(|row| row.score)),
            ("name", Arc::new(names) as _),
            ("p", column(|row| row.p)),
        ])
    }

    fn workbook(&self) -> Vec<u8> {
        workbook(|sheet| {
            for (column, name) in ["w", "score", "name", "p"].iter().enumerate() {
                sheet.write_string(0, u16::try_from(column).unwrap(), *name).unwrap();
            }
            for (number, Row { score, p, w, name }) in (1..).zip(&self.0) {
                for (column, value) in [(0, w), (1, score), (3, p)] {
                    sheet.write_number(number, column, *value).unwrap();
                }
                if let Some(name) = name {
                    sheet.write_string(number, 2, *name).unwrap();
                }
            }
        })
    }
}

fn read_all(path: &Path) -> Vec<Group> {
    let columns = ScoreColumns { score: Some("score"), probability: Some("p"), ..ScoreColumns::default() };
    let (paths, by) = ([path.to_owned()], texts(&["name"]));
    let files = TestFiles { columns, weight: Some("w"), ..test_files(&paths, &by) };
    read(&files).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn text_is_read_as_written() {
    let (table, folder) = (Table::new(12_000), Folder::new());
    let (expected, commas) = (table.groups(), table.text(','));
    let lines = table.objects().join("\n");
    let array = format!("[{}]", table.objects().join(",\n "));
    for (name, content) in [
        ("commas", commas.clone().into_bytes()),
        ("tabs", table.text('\t').into_bytes()),
        ("semicolons", table.text(';').into_bytes()),
        ("gzip", gzip(commas.as_bytes())),
        ("two gzip members", [gzip(&commas.as_bytes()[..1000]), gzip(&commas.as_bytes()[1000..])].concat()),
        ("zstd", zstd::encode_all(commas.as_bytes(), 1).unwrap()),
        ("JSON lines", lines.clone().into_bytes()),
        ("JSON lines in gzip", gzip(lines.as_bytes())),
        ("JSON lines in zstd", zstd::encode_all(lines.as_bytes(), 1).unwrap()),
        ("JSON array", array.into_bytes()),
    ] {
        assert!(read_all(&folder.file("rows", content)) == expected, "{name}");
    }
}

#[test]
fn parquet_files_are_read_as_written() {
    let (table, folder) = (Table::new(5000), Folder::new());
    let (expected, columns) = (table.groups(), table.batch());
    for (name, compression) in [
        ("plain", Compression::UNCOMPRESSED),
        ("Snappy", Compression::SNAPPY),
        ("gzip", Compression::GZIP(GzipLevel::default())),
        ("Brotli", Compression::BROTLI(BrotliLevel::default())),
        ("LZ4", Compression::LZ4_RAW),
        ("zstd", Compression::ZSTD(ZstdLevel::default())),
    ] {
        assert!(read_all(&folder.file("rows", parquet(&columns, 999, compression))) == expected, "{name}");
    }
    for rows in [97, 5000] {
        let file = parquet(&columns, rows, Compression::UNCOMPRESSED);
        assert!(read_all(&folder.file("rows", file)) == expected, "{rows} rows in a group");
    }
}

#[test]
fn arrow_files_and_streams_are_read_as_written() {
    let (table, folder) = (Table::new(5000), Folder::new());
    let (expected, columns) = (table.groups(), table.batch());
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        for rows in [97, 5000] {
            let file = folder.file("rows", arrow_file(&columns, rows, compression));
            assert!(read_all(&file) == expected, "a file with {compression:?}, {rows} rows in a batch");
            let stream = folder.file("rows", arrow_stream(&columns, rows, compression));
            assert!(read_all(&stream) == expected, "a stream with {compression:?}, {rows} rows in a batch");
        }
    }
}

#[test]
fn workbooks_are_read_as_written() {
    let (table, folder) = (Table::new(2000), Folder::new());
    assert!(read_all(&folder.file("rows", table.workbook())) == table.groups());
}

/// A format is recognised by its first bytes, also behind a compression.
#[test]
fn formats_do_not_depend_on_the_name() {
    let (table, folder) = (Table::new(300), Folder::new());
    let columns = table.batch();
    let parquet = parquet(&columns, 100, Compression::UNCOMPRESSED);
    let stream = arrow_stream(&columns, 100, None);
    for (name, content) in [
        ("rows.csv", parquet.clone()),
        ("rows.parquet", table.text(',').into_bytes()),
        ("rows.json", arrow_file(&columns, 100, None)),
        ("rows.xlsx", stream.clone()),
        ("rows.txt", table.workbook()),
        ("rows.parquet.gz", gzip(&parquet)),
        ("rows.arrows.zst", zstd::encode_all(&stream[..], 1).unwrap()),
    ] {
        assert!(read_all(&folder.file(name, content)) == table.groups(), "{name}");
    }
}
