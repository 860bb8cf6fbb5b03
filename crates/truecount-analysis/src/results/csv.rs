//! CSV: one line per row with all digits. A missing value is an empty cell, and an unlimited count
//! is `inf`.

use super::flat::{FlatTable, MergedTable};
use super::{ResultCell, Results};
use crate::executor::Executor;
use crate::groups::GroupNames;
use csv::ByteRecord;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;
use truecount::internal::Digits;

/// The number of rows in a block that one thread writes, and the number of blocks in memory at
/// once.
const ROWS: usize = 1 << 12;
const BLOCKS: usize = 64;

/// A line that is written cell by cell, so that a million lines need no more memory than one.
#[derive(Default)]
struct Record {
    record: ByteRecord,
    cell: Vec<u8>,
}

impl Record {
    fn push(&mut self, value: impl Display) -> io::Result<()> {
        self.cell.clear();
        write!(self.cell, "{value}")?;
        self.record.push_field(&self.cell);
        Ok(())
    }

    fn push_cell(&mut self, cell: &ResultCell) -> io::Result<()> {
        match cell {
            ResultCell::None | ResultCell::Nested(_) => self.push(""),
            ResultCell::Text(text) => self.push(text),
            ResultCell::Whole(count) => self.push(count),
            ResultCell::Unlimited => self.push("inf"),
            ResultCell::Number(number) => self.push(Digits(*number)),
            ResultCell::Flag(flag) => self.push(flag),
            ResultCell::Warnings(estimate) => self.push(estimate.warning_sentences().collect::<Vec<_>>().join("; ")),
        }
    }
}

pub(super) fn write(results: &Results, executor: &impl Executor, out: &mut impl Write) -> io::Result<()> {
    let flat = FlatTable::new(results);
    let mut header = csv::Writer::from_writer(&mut *out);
    let groups = flat.keys.into_iter().flat_map(GroupNames::columns);
    header.write_record(groups.chain(flat.names())).map_err(cause)?;
    header.flush()?;
    drop(header);
    for part in flat.parts() {
        let blocks: Vec<Range<usize>> =
            (0..part.table.len()).step_by(ROWS).map(|first| first..part.table.len().min(first + ROWS)).collect();
        for blocks in blocks.chunks(BLOCKS) {
            let lines = executor.map(blocks, |rows| lines(&flat, part, rows.clone()));
            lines.into_iter().try_for_each(|block| out.write_all(&block?))?;
        }
    }
    Ok(())
}

/// Returns a block of lines. The function is not generic, so that it is compiled in this crate.
fn lines(flat: &FlatTable, part: &MergedTable, rows: Range<usize>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let texts = flat.keys.map(|keys| keys.texts());
    let mut line = Record::default();
    for row in rows {
        line.record.clear();
        match (&texts, part.table.group(row)) {
            (Some(texts), Some(group)) => {
                for (value, is_shown) in texts.group_texts(group).zip(&part.has_key) {
                    line.push(if *is_shown { value.as_str() } else { "" })?;
                }
            }
            (Some(_), None) => {
                flat.keys.into_iter().flat_map(GroupNames::columns).try_for_each(|_| line.push(""))?;
            }
            (None, _) => {}
        }
        if flat.is_several() {
            line.push(part.table.name())?;
        }
        (0..flat.columns.len()).try_for_each(|column| line.push_cell(&part.cell(row, column)))?;
        writer.write_byte_record(&line.record).map_err(cause)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// Returns the I/O error behind a CSV error, so that a closed pipe can be distinguished from a full
/// disk.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => cause,
        other => io::Error::other(format!("{other:?}")),
    }
}
