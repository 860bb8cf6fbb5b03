//! Results as an Excel workbook: one sheet with a row per result, with full precision.
//!
//! The header is bold and stays in view. Missing values are empty cells, dates of grouping columns
//! are texts, and an unlimited count is `inf`, as in CSV.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::io::{self, Write};
use truecount::Error;
use truecount_analysis::TableProblem;
use truecount_analysis::groups::{GroupNames, NameReader, NameValue};
use truecount_analysis::results::flat::FlatTable;
use truecount_analysis::results::{ResultCell, Results};

/// The name of the sheet.
const SHEET: &str = "truecount";

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
}

fn workbook(results: &Results) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    // A fixed date makes equal results equal files.
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?));
    let sheet = workbook.add_worksheet().set_name(SHEET)?;
    let flat = FlatTable::new(results);
    let groups: Vec<&str> = flat.keys.into_iter().flat_map(GroupNames::columns).collect();
    let header: Vec<&str> = groups.iter().copied().chain(flat.names()).collect();
    let mut writer = SheetWriter { sheet, row: 0, widths: vec![WIDTHS.0; header.len()] };
    let bold = Format::new().set_bold();
    for (column, name) in header.iter().enumerate() {
        writer.widen(column, name);
        writer.sheet.write_string_with_format(0, index(column), *name, &bold)?;
    }
    let names = flat.keys.map(|keys| keys.reader());
    for part in flat.parts() {
        for row in 0..part.table.len() {
            writer.row += 1;
            if let (Some(names), Some(group)) = (&names, part.table.group(row)) {
                let mut shown = (0..groups.len()).filter(|column| part.has_key[*column]);
                shown.try_for_each(|column| writer.write_name(column, names.as_ref(), group))?;
            }
            let mut first = groups.len();
            if flat.is_several() {
                writer.write_text(first, part.table.name())?;
                first += 1;
            }
            for column in 0..flat.columns.len() {
                writer.write_cell(first + column, &part.cell(row, column))?;
            }
        }
    }
    writer.finish()?;
    workbook.save_to_buffer()
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
        self.sheet.write_number(self.row, index(column), number).map(|_| ())
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
