//! Results as an Excel workbook: a sheet for each table that people read, and one with the notes.
//!
//! Cells have every digit and show as many as the table on a terminal. The ends of an interval are two
//! columns. The header is bold and stays in view. Missing values are empty cells, dates of grouping
//! columns are texts, and an unlimited count is `inf`, as in CSV.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::collections::HashMap;
use std::io::{self, Write};
use truecount::Error;
use truecount_analysis::TableProblem;
use truecount_analysis::groups::{GroupNames, NameReader, NameValue};
use truecount_analysis::results::{ReadableTable, ResultCell, ResultTable, Results, TOTAL};

/// The name of the sheet with the notes.
const NOTES: &str = "notes";

/// The width of the notes, in characters.
const NOTE_WIDTH: f64 = 100.0;

/// The narrowest and the widest column, in characters.
const WIDTHS: (usize, usize) = (8, 40);

/// Writes the results.
///
/// # Errors
/// Returns the error of the writer, and an error for more rows or columns than a sheet can hold.
pub fn write(results: &Results, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&workbook(results).map_err(|error| match limit(&error) {
        Some(limit) => io::Error::other(Error::from(TableProblem::ExcelLimit { limit })),
        None => io::Error::other(error),
    })?)
}

/// Returns the limit of Excel that results exceed.
fn limit(error: &XlsxError) -> Option<&'static str> {
    match error {
        XlsxError::RowColumnLimitError => Some("a sheet has at most 1,048,576 rows and 16,384 columns"),
        XlsxError::MaxStringLengthExceeded => Some("a cell has at most 32,767 characters"),
        _ => None,
    }
}

/// A sheet that is filled from the top, with the width of each column.
struct SheetWriter<'a> {
    sheet: &'a mut Worksheet,
    row: u32,
    widths: Vec<usize>,
    formats: Vec<Format>,
}

fn workbook(results: &Results) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    // A fixed date makes equal results equal files.
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?));
    let (mut notes, mut numbers) = (Vec::new(), HashMap::new());
    for (table, readable) in results.readable() {
        let number = numbers.entry(table.name()).and_modify(|number| *number += 1).or_insert(1);
        let name = if *number > 1 { format!("{} {number}", table.name()) } else { table.name().to_owned() };
        notes.extend(table.title().iter().map(|line| format!("{name}: {line}")));
        write_table(workbook.add_worksheet().set_name(name)?, table, &readable)?;
    }
    notes.extend(results.explanations());
    notes.extend(results.notes.iter().map(|note| note.sentence().to_owned()));
    notes.extend(results.warnings.iter().cloned());
    let sheet = workbook.add_worksheet().set_name(NOTES)?;
    sheet.set_column_width(0, NOTE_WIDTH)?;
    let wrapped = Format::new().set_text_wrap();
    for (row, note) in (0..).zip(&notes) {
        sheet.write_string_with_format(row, 0, note, &wrapped)?;
    }
    workbook.save_to_buffer()
}

/// Writes a table: names of groups, values and marks.
fn write_table(sheet: &mut Worksheet, table: &ResultTable, readable: &ReadableTable) -> Result<(), XlsxError> {
    let columns = readable.value_columns();
    let groups: Vec<&str> = table.keys.into_iter().flat_map(GroupNames::columns).collect();
    let formats = columns.iter().map(|column| match column.number_format.as_str() {
        "" => Format::new(),
        format => Format::new().set_num_format(format),
    });
    let formats: Vec<Format> = groups.iter().map(|_| Format::new()).chain(formats).chain([Format::new()]).collect();
    let mut writer = SheetWriter { sheet, row: 0, widths: vec![WIDTHS.0; formats.len()], formats };
    let bold = Format::new().set_bold();
    let header = groups.iter().copied().chain(columns.iter().map(|column| column.heading.as_str()));
    for (column, name) in header.enumerate() {
        writer.widen(column, name);
        writer.sheet.write_string_with_format(0, index(column), name, &bold)?;
    }
    let names = table.keys.map(|keys| keys.reader());
    for row in 0..table.len() {
        writer.row += 1;
        match (&names, table.group(row)) {
            (Some(names), Some(group)) => {
                (0..groups.len()).try_for_each(|column| writer.write_name(column, names.as_ref(), group))?;
            }
            (Some(_), None) => writer.write_text(0, TOTAL)?,
            (None, _) => {}
        }
        for (column, value) in (groups.len()..).zip(&columns) {
            writer.write_cell(column, &value.cell(row))?;
        }
        match table.mark(row).text() {
            "" => {}
            mark => writer.write_text(groups.len() + columns.len(), mark)?,
        }
    }
    writer.finish()
}

impl SheetWriter<'_> {
    fn widen(&mut self, column: usize, text: &str) {
        // One character more than the text leaves room for the bold header.
        self.widths[column] = self.widths[column].max(text.chars().count() + 1).min(WIDTHS.1);
    }

    fn write_text(&mut self, column: usize, text: &str) -> Result<(), XlsxError> {
        self.widen(column, text);
        self.sheet.write_string(self.row, index(column), text).map(|_| ())
    }

    fn write_number(&mut self, column: usize, number: impl Into<f64>) -> Result<(), XlsxError> {
        self.sheet.write_number_with_format(self.row, index(column), number, &self.formats[column]).map(|_| ())
    }

    /// Writes the value of a group in a grouping column.
    fn write_name(&mut self, column: usize, names: &dyn NameReader, group: usize) -> Result<(), XlsxError> {
        match names.value(group, column) {
            NameValue::Missing => Ok(()),
            // The shortest digits, not those of the double.
            NameValue::Single(number) if number.is_finite() => match number.to_string().parse::<f64>() {
                Ok(number) => self.write_number(column, number),
                Err(_) => self.write_text(column, &number.to_string()),
            },
            NameValue::Double(number) if number.is_finite() => self.write_number(column, number),
            NameValue::Logical(flag) => self.sheet.write_boolean(self.row, index(column), flag).map(|_| ()),
            NameValue::Signed(number) => self.write_whole(column, number.unsigned_abs(), number < 0),
            NameValue::Unsigned(number) => self.write_whole(column, number, false),
            NameValue::Single(_) | NameValue::Double(_) | NameValue::Text(_) => {
                self.write_text(column, &names.text(group, column))
            }
        }
    }

    /// Writes a whole number as a text if a cell, which is a double, would round it.
    #[allow(clippy::cast_precision_loss)] // at most 2^53
    fn write_whole(&mut self, column: usize, magnitude: u64, is_negative: bool) -> Result<(), XlsxError> {
        let sign = if is_negative { "-" } else { "" };
        if magnitude > 1 << 53 {
            return self.write_text(column, &format!("{sign}{magnitude}"));
        }
        let number = magnitude as f64;
        self.write_number(column, if is_negative { -number } else { number })
    }

    fn write_cell(&mut self, column: usize, cell: &ResultCell) -> Result<(), XlsxError> {
        match cell {
            ResultCell::None | ResultCell::Nested(_) => Ok(()),
            ResultCell::Text(text) => self.write_text(column, text),
            ResultCell::Whole(count) => self.write_whole(column, *count, false),
            ResultCell::Unlimited => self.write_text(column, "inf"),
            ResultCell::Number(number) if number.is_finite() => self.write_number(column, *number),
            ResultCell::Number(number) => self.write_text(column, &number.to_string()),
            ResultCell::Flag(flag) => self.sheet.write_boolean(self.row, index(column), *flag).map(|_| ()),
            ResultCell::Warnings(estimate) if estimate.warnings.is_empty() => Ok(()),
            ResultCell::Warnings(estimate) => {
                self.write_text(column, &estimate.warning_sentences().collect::<Vec<_>>().join("; "))
            }
        }
    }

    #[allow(clippy::cast_precision_loss)] // widths are at most 40
    fn finish(self) -> Result<(), XlsxError> {
        for (column, width) in self.widths.into_iter().enumerate() {
            self.sheet.set_column_width(index(column), width as f64)?;
        }
        self.sheet.set_freeze_panes(1, 0).map(|_| ())
    }
}

/// Returns the index of a column. One beyond the sheet is an error of the writer.
fn index(column: usize) -> u16 {
    u16::try_from(column).unwrap_or(u16::MAX)
}
