//! Results written to what takes them badly: in pieces, with interruptions, or not at all.

use std::io::{self, ErrorKind, Write};
use truecount_analysis::executor::Sequential;
use truecount_analysis::results::{Note, ResultColumn, ResultFormat, ResultRow, ResultTable, Results, Unit};

struct Named(&'static str, f64);

impl ResultRow for Named {
    const NAME: &'static str = "named";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            ResultColumn::new("name", Unit::Text, "a name", |row: &Self| row.0.into()),
            ResultColumn::new("value", Unit::Number, "a value", |row: &Self| row.1.into()),
        ]
    }
}

/// Takes a byte at a time, is interrupted before each, and fails from one of its calls on if so asked.
struct Reluctant {
    taken: Vec<u8>,
    calls: usize,
    failing: Option<usize>,
}

impl Write for Reluctant {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.failing.is_some_and(|failing| self.calls > failing) {
            return Err(ErrorKind::StorageFull.into());
        }
        if self.calls % 2 == 1 {
            return Err(ErrorKind::Interrupted.into());
        }
        self.taken.extend(bytes.first());
        Ok(bytes.len().min(1))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the results in a form that is text, or as Parquet.
fn write(results: &Results, form: Option<ResultFormat>, out: &mut (impl Write + Send)) -> io::Result<()> {
    match form {
        Some(form) => results.write(&Sequential, form, out),
        None => truecount_tables::parquet::write(results, out),
    }
}

#[test]
fn every_form_is_whole_or_an_error() {
    let rows = [Named("a,b", 0.1), Named("\u{e9}", -2e300), Named("", 0.0)];
    let results =
        &Results { tables: vec![ResultTable::new(&rows)], notes: vec![Note::new("a note")], ..Results::default() };
    for form in
        [ResultFormat::Markdown, ResultFormat::Latex, ResultFormat::Json, ResultFormat::Jsonl, ResultFormat::Csv]
            .map(Some)
            .into_iter()
            .chain([None])
    {
        let mut whole = Vec::new();
        write(results, form, &mut whole).unwrap();
        let mut slow = Reluctant { taken: Vec::new(), calls: 0, failing: None };
        write(results, form, &mut slow).unwrap();
        assert!(!whole.is_empty() && slow.taken == whole);
        for failing in 0..slow.calls {
            let mut failed = Reluctant { taken: Vec::new(), calls: 0, failing: Some(failing) };
            assert!(write(results, form, &mut failed).is_err(), "the call {failing} of {}", slow.calls);
            assert!(whole.starts_with(&failed.taken) && failed.taken.len() < whole.len());
        }
    }
}
