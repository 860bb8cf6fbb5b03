//! Results written to a writer that accepts single bytes, is interrupted, or fails.

use std::io::{self, ErrorKind, Write};
use truecount_analysis::executor::Sequential;
use truecount_analysis::results::{Note, ResultColumn, ResultFormat, ResultRow, ResultTable, Results, Unit};

struct NamedValue(&'static str, f64);

impl ResultRow for NamedValue {
    const NAME: &'static str = "named";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            ResultColumn::new("name", Unit::Text, "a name", |row: &Self| row.0.into()),
            ResultColumn::new("value", Unit::Number, "a value", |row: &Self| row.1.into()),
        ]
    }
}

/// A writer that accepts a byte at a time, is interrupted before each, and may fail after some calls.
struct FaultyWriter {
    written: Vec<u8>,
    calls: usize,
    fails_after: Option<usize>,
}

impl Write for FaultyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.fails_after.is_some_and(|successful| self.calls > successful) {
            return Err(ErrorKind::StorageFull.into());
        }
        if self.calls % 2 == 1 {
            return Err(ErrorKind::Interrupted.into());
        }
        self.written.extend(bytes.first());
        Ok(bytes.len().min(1))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the results in a text format, or as Parquet.
fn write(results: &Results, format: Option<ResultFormat>, out: &mut (impl Write + Send)) -> io::Result<()> {
    match format {
        Some(format) => results.write(&Sequential, format, out),
        None => truecount_tables::parquet::write(results, out),
    }
}

#[test]
fn every_format_is_written_completely_or_fails() {
    let rows = [NamedValue("a,b", 0.1), NamedValue("\u{e9}", -2e300), NamedValue("", 0.0)];
    let results =
        &Results { tables: vec![ResultTable::new(&rows)], notes: vec![Note::new("a note")], ..Results::default() };
    for format in
        [ResultFormat::Markdown, ResultFormat::Latex, ResultFormat::Json, ResultFormat::Jsonl, ResultFormat::Csv]
            .map(Some)
            .into_iter()
            .chain([None])
    {
        let mut expected = Vec::new();
        write(results, format, &mut expected).unwrap();
        let mut slow = FaultyWriter { written: Vec::new(), calls: 0, fails_after: None };
        write(results, format, &mut slow).unwrap();
        assert!(!expected.is_empty() && slow.written == expected);
        for successful in 0..slow.calls {
            let mut failed = FaultyWriter { written: Vec::new(), calls: 0, fails_after: Some(successful) };
            assert!(write(results, format, &mut failed).is_err(), "after {successful} of {}", slow.calls);
            assert!(expected.starts_with(&failed.written) && failed.written.len() < expected.len());
        }
    }
}
