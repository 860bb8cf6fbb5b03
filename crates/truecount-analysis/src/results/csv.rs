//! CSV: one line per row with all digits. A missing value is an empty cell, and an unlimited count is `inf`.

use super::flat::{FlatTable, MergedTable};
use super::{ResultCell, Results};
use crate::executor::Executor;
use crate::groups::GroupNames;
use csv::ByteRecord;
use std::io::{self, Write};
use std::ops::Range;
use truecount::internal::Digits;

/// The number of rows in a block that one thread writes, and the number of blocks in memory at once.
const ROWS: usize = 1 << 12;
const BLOCKS: usize = 64;

/// A line that is written cell by cell, so that a million lines need no more memory than one.
#[derive(Default)]
struct Record {
    record: ByteRecord,
    cell: Vec<u8>,
}

impl Record {
    fn push_text(&mut self, text: &str) {
        self.record.push_field(text.as_bytes());
    }

    fn push_cell(&mut self, cell: &ResultCell) -> io::Result<()> {
        let text = &mut self.cell;
        text.clear();
        match cell {
            ResultCell::None | ResultCell::Nested(_) => {}
            ResultCell::Text(words) => text.extend_from_slice(words.as_bytes()),
            ResultCell::Whole(count) => write!(text, "{count}")?,
            ResultCell::Unlimited => text.extend_from_slice(b"inf"),
            ResultCell::Number(number) if json_writes_alike(*number) => serde_json::to_writer(text, number)?,
            ResultCell::Number(number) => write!(text, "{}", Digits(*number))?,
            ResultCell::Flag(flag) => write!(text, "{flag}")?,
            ResultCell::Warnings(estimate) => {
                for (index, sentence) in estimate.warning_sentences().enumerate() {
                    write!(text, "{}{sentence}", if index > 0 { "; " } else { "" })?;
                }
            }
        }
        self.record.push_field(&self.cell);
        Ok(())
    }
}

/// Returns whether JSON and [`Digits`] write a number alike, for which JSON takes a tenth of the time.
fn json_writes_alike(number: f64) -> bool {
    // They may round the middle between two shortest texts differently, but below a million such a middle has
    // fewer than 32 significant bits.
    (1e-4..1e6).contains(&number.abs()) && number.to_bits() & 0xf_ffff != 0
}

pub(super) fn write(results: &Results, executor: &impl Executor, out: &mut impl Write) -> io::Result<()> {
    let flat = FlatTable::new(results);
    write_header(&flat, out)?;
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

/// Writes all rows, with the header if they are the first.
pub(crate) fn write_block(results: &Results, is_first: bool, out: &mut impl Write) -> io::Result<()> {
    let flat = FlatTable::new(results);
    if is_first {
        write_header(&flat, out)?;
    }
    flat.parts().try_for_each(|part| out.write_all(&lines(&flat, part, 0..part.table.len())?))
}

fn write_header(flat: &FlatTable, out: &mut impl Write) -> io::Result<()> {
    let mut header = csv::Writer::from_writer(out);
    let groups = flat.keys.into_iter().flat_map(GroupNames::columns);
    header.write_record(groups.chain(flat.names())).map_err(cause)?;
    header.flush()
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
                    line.push_text(if *is_shown { value.as_str() } else { "" });
                }
            }
            (Some(_), None) => {
                flat.keys.into_iter().flat_map(GroupNames::columns).for_each(|_| line.push_text(""));
            }
            (None, _) => {}
        }
        if flat.is_several() {
            line.push_text(part.table.name());
        }
        (0..flat.columns.len()).try_for_each(|column| line.push_cell(&part.cell(row, column)))?;
        writer.write_byte_record(&line.record).map_err(cause)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// Returns the I/O error behind a CSV error, so that a closed pipe can be distinguished from a full disk.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(cause) => cause,
        other => io::Error::other(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_numbers_are_those_of_digits() {
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = (state >> 34) << 20;
            // Exponents from 2⁻¹⁴ to 2²¹, with 32 or 33 significant bits, and with all.
            let exponent = (1009 + (state >> 58) % 36) << 52;
            for bits in [bits, bits | 1 << 19, bits | (state & 0xf_ffff)] {
                let number = f64::from_bits(exponent | (bits & ((1 << 52) - 1)));
                if json_writes_alike(number) {
                    assert_eq!(serde_json::to_string(&number).unwrap(), Digits(number).to_string());
                }
            }
        }
    }
}
