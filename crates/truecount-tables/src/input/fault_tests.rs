//! Inputs whose reads are short, interrupted or fail. The result is complete, or an error that names the input.

use super::format;
use crate::{Meter, NoProgress};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use std::io::{self, Read, Write};
use std::sync::Arc;
use truecount::Error;
use truecount_text::{ColumnSelection, Input, ScoreColumns};

/// A reader that returns a few bytes per call, and may fail or be interrupted.
struct FaultyReader {
    bytes: Vec<u8>,
    offset: usize,
    /// The maximum number of bytes per call.
    max_bytes: usize,
    calls: usize,
    fails_at: Option<usize>,
    interrupted_every: Option<usize>,
}

impl FaultyReader {
    fn new(bytes: &[u8], max_bytes: usize) -> Self {
        Self { bytes: bytes.to_vec(), offset: 0, max_bytes, calls: 0, fails_at: None, interrupted_every: None }
    }
}

impl Read for FaultyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.fails_at == Some(self.calls) {
            return Err(io::Error::other("the disk is gone"));
        }
        if self.interrupted_every.is_some_and(|every| self.calls.is_multiple_of(every)) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let rest = &self.bytes[self.offset..];
        let length = rest.len().min(self.max_bytes).min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.offset += length;
        Ok(length)
    }
}

fn selection(by: &[String]) -> ColumnSelection<'_> {
    let columns = ScoreColumns::default();
    ColumnSelection { columns, weight: None, by, required: &[], optional: &[], unit_interval: None }
}

/// Reads all scores of an input, and checks that the grouping column has as many rows.
fn rows(input: Input) -> Result<Vec<f64>, Error> {
    let by = ["g".to_owned()];
    let meter: Arc<dyn Meter> = Arc::new(NoProgress);
    let mut pieces = format::open(input, &selection(&by), &meter)?;
    let mut scores = Vec::new();
    while let Some(piece) = pieces.next()? {
        let mut rest = Some(piece);
        while let Some(piece) = rest {
            let (chunk, next) = piece.read()?;
            if let Some(chunk) = chunk {
                assert_eq!(chunk.by[0].len(), chunk.numbers.scores.len());
                scores.extend_from_slice(&chunk.numbers.scores);
            }
            rest = next;
        }
    }
    Ok(scores)
}

fn read(reader: FaultyReader) -> Result<Vec<f64>, Error> {
    let meter: Arc<dyn Meter> = Arc::new(NoProgress);
    rows(Input::from_reader("x", reader, &meter, &format::COMPRESSIONS)?)
}

const SCORES: [f64; 9] = [0.5, 1.5, -2.0, 0.25, 3.0, -0.125, 7.0, 1.0, 0.0];

fn formats() -> Vec<(&'static str, Vec<u8>)> {
    let rows = SCORES.map(|score| format!("{score},\"a\nb\"\n"));
    let text = format!("score,g\n{}", rows.concat()).into_bytes();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&text).unwrap();
    let scores: ArrayRef = Arc::new(Float64Array::from(SCORES.to_vec()));
    let groups: ArrayRef = Arc::new(StringArray::from(vec!["a"; SCORES.len()]));
    let batch = RecordBatch::try_from_iter([("score", scores), ("g", groups)]).unwrap();
    let parts = || (0..SCORES.len()).step_by(4).map(|from| batch.slice(from, 4.min(SCORES.len() - from)));
    let mut parquet = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    let mut arrow = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    for part in parts() {
        parquet.write(&part).unwrap();
        parquet.flush().unwrap();
        arrow.write(&part).unwrap();
        stream.write(&part).unwrap();
    }
    let objects = SCORES.map(|score| format!("{{\"score\": {score}, \"g\": \"a\\nb\"}}"));
    vec![
        ("json lines", objects.join("\n").into_bytes()),
        ("json array", format!("[{}]", objects.join(",\n")).into_bytes()),
        ("zstd", zstd::encode_all(&text[..], 3).unwrap()),
        ("gzip", gzip.finish().unwrap()),
        ("text", text),
        ("parquet", parquet.into_inner().unwrap()),
        ("arrow", arrow.into_inner().unwrap()),
        ("arrow stream", stream.into_inner().unwrap()),
    ]
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    for (format, bytes) in formats() {
        for max_bytes in [1, 2, 7, bytes.len()] {
            assert_eq!(read(FaultyReader::new(&bytes, max_bytes)).as_deref(), Ok(&SCORES[..]), "{format}, {max_bytes}");
            for every in [2, 3] {
                let interrupted =
                    FaultyReader { interrupted_every: Some(every), ..FaultyReader::new(&bytes, max_bytes) };
                assert_eq!(read(interrupted).as_deref(), Ok(&SCORES[..]), "{format}, {max_bytes}, {every}");
            }
        }
    }
}

#[test]
fn errors_of_failed_reads_name_the_input() {
    for (format, bytes) in formats() {
        for max_bytes in [1, 64] {
            // The last call reaches the end.
            for call in 1..=bytes.len().div_ceil(max_bytes) {
                let result = read(FaultyReader { fails_at: Some(call), ..FaultyReader::new(&bytes, max_bytes) });
                let error = result.expect_err(&format!("{format}: call {call} of {max_bytes} bytes fails"));
                assert!(
                    error.to_string().starts_with('x') && error.to_string().contains("the disk is gone"),
                    "{format}: {error}"
                );
            }
        }
    }
}
