//! Inputs whose reads are short, interrupted, or fail: the answer is the same or an error that names the input, never a shorter one.

use super::format;
use crate::{Meter, Silent};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use truecount::Error;
use truecount_text::{ColumnSelection, Input, ScoreColumns};

/// Gives a few bytes a call; at one call fails, and at some is interrupted.
struct Faulty {
    bytes: Vec<u8>,
    given: usize,
    /// The most bytes a call gives.
    most: usize,
    calls: usize,
    fails_at: Option<usize>,
    interrupted_every: Option<usize>,
}

impl Faulty {
    fn new(bytes: &[u8], most: usize) -> Self {
        Self { bytes: bytes.to_vec(), given: 0, most, calls: 0, fails_at: None, interrupted_every: None }
    }
}

impl Read for Faulty {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.fails_at == Some(self.calls) {
            return Err(io::Error::other("the disk is gone"));
        }
        if self.interrupted_every.is_some_and(|every| self.calls.is_multiple_of(every)) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let rest = &self.bytes[self.given..];
        let more = rest.len().min(self.most).min(buffer.len());
        buffer[..more].copy_from_slice(&rest[..more]);
        self.given += more;
        Ok(more)
    }
}

fn wanted(by: &[String]) -> ColumnSelection<'_> {
    let columns = ScoreColumns { score: None, probability: None, decimal: None, sheet: None };
    ColumnSelection { columns, weight: None, by, unit_interval: None }
}

/// All scores of an input, with as many texts of groups.
fn rows(input: Input) -> Result<Vec<f64>, Error> {
    let by = ["g".to_owned()];
    let meter: Arc<dyn Meter> = Arc::new(Silent);
    let mut pieces = format::open(input, &wanted(&by), &meter)?;
    let mut scores = Vec::new();
    while let Some(piece) = pieces.next()? {
        let mut rest = Some(piece);
        while let Some(piece) = rest {
            let (chunk, more) = piece.read()?;
            if let Some(chunk) = chunk {
                assert_eq!(chunk.by[0].len(), chunk.numbers.scores.len());
                scores.extend_from_slice(&chunk.numbers.scores);
            }
            rest = more;
        }
    }
    Ok(scores)
}

fn of(reader: Faulty) -> Result<Vec<f64>, Error> {
    let meter: Arc<dyn Meter> = Arc::new(Silent);
    rows(Input::from_reader("x", reader, &meter, &format::PACKINGS)?)
}

const SCORES: [f64; 9] = [0.5, 1.5, -2.0, 0.25, 3.0, -0.125, 7.0, 1.0, 0.0];

/// The scores in every format.
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
        for most in [1, 2, 7, bytes.len()] {
            assert_eq!(of(Faulty::new(&bytes, most)).as_deref(), Ok(&SCORES[..]), "{format}, {most}");
            for every in [2, 3] {
                let interrupted = Faulty { interrupted_every: Some(every), ..Faulty::new(&bytes, most) };
                assert_eq!(of(interrupted).as_deref(), Ok(&SCORES[..]), "{format}, {most}, {every}");
            }
        }
    }
}

#[test]
fn a_read_that_fails_is_an_error_that_names_the_input() {
    for (format, bytes) in formats() {
        for most in [1, 64] {
            // The last call of all finds the end.
            for call in 1..=bytes.len().div_ceil(most) {
                let found = of(Faulty { fails_at: Some(call), ..Faulty::new(&bytes, most) });
                let error = found.expect_err(&format!("{format}: call {call} of {most} bytes fails"));
                assert!(
                    error.to_string().starts_with('x') && error.to_string().contains("the disk is gone"),
                    "{format}: {error}"
                );
            }
        }
    }
}

/// Whoever writes a file while it is read gets an answer of what was there, or an error.
#[test]
fn files_that_grow_or_shrink_while_they_are_read() {
    for (format, bytes) in formats() {
        for length in [0, 3, bytes.len() / 2, bytes.len() - 1, 2 * bytes.len()] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x");
            std::fs::write(&path, &bytes).unwrap();
            for found in [changed_before_opening(&path, length), changed_while_open(&path, length)] {
                if let Err(error) = found {
                    assert!(error.to_string().contains(path.to_str().unwrap()), "{format}, {length}: {error}");
                }
            }
        }
    }
}

fn resize(path: &Path, length: usize) {
    let file: File = OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(length as u64).unwrap();
}

/// After its first bytes have told what it is.
fn changed_before_opening(path: &Path, length: usize) -> Result<Vec<f64>, Error> {
    let input = super::open(path, &Silent)?;
    let before = std::fs::read(path).unwrap();
    resize(path, length);
    let found = rows(input);
    std::fs::write(path, before).unwrap();
    found
}

/// After its columns have been found.
fn changed_while_open(path: &Path, length: usize) -> Result<Vec<f64>, Error> {
    let by = ["g".to_owned()];
    let meter: Arc<dyn Meter> = Arc::new(Silent);
    let mut pieces = format::open(super::open(path, &Silent)?, &wanted(&by), &meter)?;
    resize(path, length);
    let mut scores = Vec::new();
    while let Some(piece) = pieces.next()? {
        scores.extend(piece.read()?.0.into_iter().flat_map(|chunk| chunk.numbers.scores.to_vec()));
    }
    Ok(scores)
}
