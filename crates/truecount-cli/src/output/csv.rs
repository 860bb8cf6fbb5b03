//! One line per estimate, every digit.

use super::Report;
use crate::advice::worded;
use csv::ByteRecord;
use std::fmt::Display;
use std::io::{self, Write};
use truecount::Uncertainty;

/// What follows the grouping columns; the effective number only with weights.
pub fn columns(weighted: bool) -> Vec<&'static str> {
    let columns = ["method", "n", "n_eff", "prevalence", "raw", "se", "lower", "upper", "level", "warnings"];
    columns.into_iter().filter(|column| weighted || *column != "n_eff").collect()
}

/// One line, cell by cell: a million of them need no more than this one's memory.
#[derive(Default)]
struct Line {
    record: ByteRecord,
    cell: Vec<u8>,
}

impl Line {
    fn push(&mut self, value: impl Display) -> io::Result<()> {
        self.cell.clear();
        write!(self.cell, "{value}")?;
        self.record.push_field(&self.cell);
        Ok(())
    }
}

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(report.keys.columns().chain(columns(report.weighted()))).map_err(cause)?;
    let texts = report.keys.texts();
    let mut line = Line::default();
    for row in &report.rows {
        let e = &row.estimate;
        line.record.clear();
        texts.of(row.group).try_for_each(|value| line.push(value))?;
        line.push(row.method)?;
        line.push(e.n)?;
        let uncertain = |of: fn(&Uncertainty) -> f64| e.uncertainty.as_ref().map(of);
        let (se, lower, upper) = (uncertain(|u| u.se), uncertain(|u| u.lower), uncertain(|u| u.upper));
        e.effective_n.map_or(Ok(()), |n| line.push(Digits(n)))?;
        for number in [Some(e.prevalence), Some(e.raw), se, lower, upper, Some(e.level)] {
            // What has no formula is an empty cell.
            match number {
                Some(number) => line.push(Digits(number))?,
                None => line.push("")?,
            }
        }
        let warnings: Vec<String> = e.warnings.iter().map(worded).collect();
        line.push(warnings.join("; "))?;
        writer.write_byte_record(&line.record).map_err(cause)?;
    }
    writer.flush()
}

/// What went wrong with the file itself: a pipe that nobody reads any more must be told from a full disk.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => cause,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Every digit, with an exponent where there are many zeros before them.
pub struct Digits(pub f64);

impl Display for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let x = self.0;
        if x == 0.0 || (1e-5..1e16).contains(&x.abs()) { write!(f, "{x}") } else { write!(f, "{x:e}") }
    }
}

/// The same as a text of its own.
pub fn digits(x: f64) -> String {
    Digits(x).to_string()
}
