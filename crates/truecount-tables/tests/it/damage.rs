//! Files that are damaged, concatenated or hostile end in an error that names them, not in a panic or in other rows.

use crate::common::{Folder, arrow_file, arrow_stream, batch, gzip, message, parquet, read_scores, zip};
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_ipc::CompressionType;
use bytes::Bytes;
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter, RowGroupMetaData};
use std::sync::Arc;

const PLAIN: Compression = Compression::UNCOMPRESSED;

fn table(from: u8, rows: u8) -> RecordBatch {
    let scores: Vec<f64> = (from..from + rows).map(|i| f64::from(i) / 16.0).collect();
    batch(vec![("score", Arc::new(Float64Array::from(scores)) as ArrayRef)])
}

/// A flipped bit ends in an error that names the file, or in numbers.
#[test]
fn flipped_bits_do_not_panic() {
    let (folder, table) = (Folder::new(), table(0, 40));
    let rows: Vec<String> = (0..40).map(|i| (f64::from(i) / 16.0).to_string()).collect();
    let text = format!("score\n{}\n", rows.join("\n")).into_bytes();
    for (name, bytes) in [
        ("a.parquet", parquet(&table, 15, PLAIN)),
        ("a.arrow", arrow_file(&table, 15, None)),
        ("lz4.arrow", arrow_file(&table, 15, Some(CompressionType::LZ4_FRAME))),
        ("a.arrows", arrow_stream(&table, 15, None)),
        ("zstd.arrows", arrow_stream(&table, 15, Some(CompressionType::ZSTD))),
        ("a.csv.zst", zstd::encode_all(&text[..], 1).unwrap()),
        ("a.csv.gz", gzip(&text)),
    ] {
        for position in (0..bytes.len()).step_by(5) {
            let mut bytes = bytes.clone();
            bytes[position] ^= 1 << (position % 8);
            if let Err(error) = read_scores(&folder.file(name, bytes)) {
                assert!(message(&error, &folder).starts_with(name), "{name}, byte {position}: {error}");
            }
        }
    }
}

/// A footer may state another number of rows than its row groups have.
#[test]
fn row_groups_with_missing_rows_are_errors() {
    let folder = Folder::new();
    let bytes = Bytes::from(parquet(&table(0, 40), 20, PLAIN));
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes).unwrap();
    let footer_length = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().unwrap()) as usize;
    let stating = |rows: i64| {
        let with_rows = |group: &RowGroupMetaData| group.clone().into_builder().set_num_rows(rows).build().unwrap();
        let groups = metadata.row_groups().iter().map(with_rows).collect();
        let metadata = metadata.clone().into_builder().set_row_groups(groups).build();
        let mut file = bytes[..bytes.len() - 8 - footer_length].to_vec();
        ParquetMetaDataWriter::new(&mut file, &metadata).finish().unwrap();
        read_scores(&folder.file("rows", file)).map_err(|error| message(&error, &folder))
    };
    assert_eq!(stating(20).map(|rows| rows.len()), Ok(40));
    let missing = stating(21).unwrap_err();
    assert!(missing.starts_with("rows, from row 21 on: cannot be read (1 rows are missing)"), "{missing}");
}

/// What would expand beyond a limit is not held in memory.
#[test]
fn decompression_bombs_are_refused() {
    let folder = Folder::new();
    let types = ("[Content_Types].xml", &b"<Types/>"[..]);
    let spaces = vec![b' '; 100 << 20];
    let bomb = folder.file("bomb.xlsx", zip(&[types, ("xl/sharedStrings.xml", &spaces)]));
    let error = message(&read_scores(&bomb).unwrap_err(), &folder);
    assert!(
        error.starts_with("bomb.xlsx: ")
            && error.ends_with(" unpack to more than 64 MB; unpack the file and check its content"),
        "{error}"
    );
    let line = folder.file("line.csv.gz", gzip(&spaces));
    assert!(["row-too-large", "column-unknown"].contains(&read_scores(&line).unwrap_err().code()));
    let zeros = batch(vec![("score", Arc::new(Float64Array::from(vec![0.0; 12 << 20])) as ArrayRef)]);
    for content in [
        arrow_stream(&zeros, 12 << 20, Some(CompressionType::ZSTD)),
        arrow_file(&zeros, 12 << 20, Some(CompressionType::ZSTD)),
    ] {
        assert_eq!(read_scores(&folder.file("zeros", content)).unwrap_err().code(), "rows-damaged");
    }
}

#[test]
fn other_archives_are_named() {
    let folder = Folder::new();
    let types = ("[Content_Types].xml", &b"<Types/>"[..]);
    let error = |parts: &[(&str, &[u8])]| message(&read_scores(&folder.file("x", zip(parts))).unwrap_err(), &folder);
    let no_workbook = "x: is a zip archive but not an Excel workbook; save it as .xlsx or CSV";
    assert_eq!(error(&[("scores.csv", b"score\n0.5\n")]), no_workbook);
    assert_eq!(error(&[types, ("word/document.xml", b"<x/>")]), no_workbook);
    let binary = "x: is a binary workbook (.xlsb); save it as .xlsx or CSV";
    assert_eq!(error(&[types, ("xl/workbook.bin", b"")]), binary);
    assert!(error(&[types, ("xl/workbook.xml", b"<workbook/>")]).starts_with("x: is not a complete Excel file"));
}
