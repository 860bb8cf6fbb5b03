//! Excel workbooks (.xlsx): one sheet, whose header is the first non-empty row with the selected
//! columns. A workbook is held in memory.
//!
//! Dates become ISO 8601 texts (2026-01-31, and 2026-01-31T12:30:00 if a date of the column has a time),
//! and times of day without a date become 12:30:00. Other cells become text as in delimited text: numbers in their
//! shortest form, texts without surrounding spaces. All cells of a merged range have its value.

use crate::cells::{Cell, CellColumns, CheckedRows};
use crate::guard::catch_decoder_panic;
use crate::pieces::{ChunkAndRest, Piece, Pieces, TextPiece, TextPieces};
use crate::rows::{CellVisitor, ColumnSelection, MAX_ROWS, MAX_TITLE_ROWS, TextChunk, TextColumn, find_column};
use crate::source::{Input, damaged};
use crate::{Meter, inflation};
use calamine::{DataRef, Dimensions, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxCellReader, XlsxError};
use std::collections::VecDeque;
use std::io::{self, Cursor, Read, Seek};
use std::sync::Arc;
use truecount::Error;
use truecount::error::{ErrorLocation, Position};
use truecount_analysis::TableProblem;
use zip::ZipArchive;

/// Description of a cell whose formula has not been calculated.
const FORMULA: &str = "a formula without a value";

/// Name of the format in messages.
const FORMAT: &str = "Excel";

struct SheetChunks(std::vec::IntoIter<TextChunk>);

struct ReadyChunk(TextChunk);

/// Reads the non-empty rows of a sheet.
struct SheetReader<'a, R: Read + Seek> {
    cells: XlsxCellReader<'a, R>,
    /// Rows that were read ahead, with their numbers.
    ahead: VecDeque<(u32, Vec<FilledCell<'a>>)>,
    /// The row number and the first cell of the next row.
    next: Option<(u32, FilledCell<'a>)>,
    /// Whether all cells have been read; reading on would be an error.
    is_at_end: bool,
}

/// A non-empty cell, and its column.
type FilledCell<'a> = (u32, Cell<'a>);

pub fn open(input: Input, selection: &ColumnSelection) -> Result<TextPieces, Error> {
    Ok(Box::new(SheetChunks(with_sheet(input, selection, |sheet| chunks(sheet, selection))?.into_iter())))
}

/// Shows the cells of the first `max` rows of the first visible sheet.
pub fn first_rows(input: Input, max: usize, visit: &mut CellVisitor) -> Result<Vec<String>, Error> {
    with_sheet(input, &ColumnSelection::unknown(), |sheet| {
        let (location, header) = (sheet.location.clone(), sheet.header.clone());
        let (columns, names): (Vec<_>, Vec<_>) = header.into_iter().map(|(column, name)| (Some(column), name)).unzip();
        let mut rows = 0;
        let read = sheet.read_rows(&columns, |_, cells| {
            cells.iter().enumerate().for_each(|(column, cell)| cell.visit(column, visit));
            rows += 1;
            Ok(rows < max)
        })?;
        Ok(read.and_then(|()| if rows == 0 { Err(location.error(TableProblem::NoRows)) } else { Ok(names) }))
    })
}

/// Calls a function with the sheet of a workbook below its header. The outer error of the result is
/// that of the decoder, the inner one that of the table or a cell.
fn with_sheet<T>(
    input: Input,
    selection: &ColumnSelection,
    read: impl FnOnce(Sheet<Cursor<&[u8]>>) -> Result<Result<T, Error>, XlsxError>,
) -> Result<T, Error> {
    let (file_name, meter) = (input.name().to_owned(), Arc::clone(input.meter()));
    let content = input.content()?;
    check_archive(&content)
        .map_err(damaged(&file_name, FORMAT))?
        .map_or(Ok(()), |problem| Err(ErrorLocation::file(&file_name).error(problem)))?;
    let result = catch_decoder_panic(|| {
        let mut workbook = Xlsx::new(Cursor::new(&content[..]))?;
        let name = match find_sheet(&workbook, selection.columns.sheet.name()) {
            Ok(name) => name,
            Err(problem) => return Ok(Err(ErrorLocation::file(&file_name).error(problem))),
        };
        let location = ErrorLocation::file(&file_name).sheet(&name);
        match Sheet::new(&mut workbook, location, &name, selection, meter.as_ref())? {
            Ok(sheet) => read(sheet),
            Err(error) => Ok(Err(error)),
        }
    });
    result.map_err(damaged(&file_name, FORMAT))?
}

impl Pieces<TextChunk> for SheetChunks {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        Ok(self.0.next().map(|chunk| Box::new(ReadyChunk(chunk)) as _))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}

impl Piece<TextChunk> for ReadyChunk {
    fn read(self: Box<Self>) -> Result<ChunkAndRest<TextChunk>, Error> {
        Ok((Some(self.0), None))
    }
}

/// Returns the problem of a zip archive that is not a readable workbook. The size of its parts is
/// measured by decompression, since their headers may be wrong.
fn check_archive(content: &[u8]) -> Result<Option<TableProblem>, String> {
    catch_decoder_panic(|| {
        let mut zip = ZipArchive::new(Cursor::new(content)).map_err(|e| e.to_string())?;
        let names: Vec<String> = zip.file_names().flatten().map(Into::into).collect();
        let has = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if has("xl/workbook.bin") {
            return Ok(Some(TableProblem::FileKind { found: "a binary workbook (.xlsb); save it as .xlsx or CSV" }));
        }
        if !has("[Content_Types].xml") || !names.iter().any(|name| name.starts_with("xl/")) {
            return Ok(Some(TableProblem::FileKind {
                found: "a zip archive but not an Excel workbook; save it as .xlsx or CSV",
            }));
        }
        let (packed, mut total) = (content.len() as u64, 0);
        for part in 0..zip.len() {
            let part = zip.by_index(part).map_err(|e| e.to_string())?;
            let rest = inflation::max_unpacked_size(packed) - total;
            let size = io::copy(&mut part.take(rest + 1), &mut io::sink()).map_err(|e| e.to_string())?;
            if size > rest {
                let megabytes = usize::try_from((total + size) >> 20).unwrap_or(usize::MAX);
                return Ok(Some(TableProblem::DecompressionLimit { packed, megabytes }));
            }
            total += size;
        }
        Ok::<_, String>(None)
    })
}

/// Returns the name of the requested sheet, or of the first visible sheet.
fn find_sheet<R: Read + Seek>(workbook: &Xlsx<R>, requested: Option<&str>) -> Result<String, TableProblem> {
    let sheets = || workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let sheet = match requested {
        Some(name) => sheets().find(|sheet| sheet.name == name),
        None => sheets().find(|sheet| sheet.visible == SheetVisible::Visible),
    };
    sheet.map(|sheet| sheet.name.clone()).ok_or_else(|| match requested {
        Some(name) => TableProblem::SheetUnknown {
            sheet: name.to_owned(),
            sheets: sheets().map(|sheet| sheet.name.clone()).collect(),
        },
        None => TableProblem::FileEmpty,
    })
}

/// A sheet below its header.
struct Sheet<'a, R: Read + Seek> {
    reader: SheetReader<'a, R>,
    location: ErrorLocation,
    header: Vec<(u32, String)>,
    /// The merged ranges below the header, by their first row.
    merged_ranges: Vec<Dimensions>,
}

impl<'a, R: Read + Seek> Sheet<'a, R> {
    fn new(
        workbook: &'a mut Xlsx<R>,
        location: ErrorLocation,
        name: &str,
        selection: &ColumnSelection,
        meter: &dyn Meter,
    ) -> Result<Result<Self, Error>, XlsxError> {
        let mut merged_ranges = workbook.merge_cells_by_sheet_name(name)?;
        let mut reader = SheetReader::new(workbook.worksheet_cells_reader(name)?);
        let first_rows = reader.peek_texts(MAX_TITLE_ROWS)?;
        if first_rows.is_empty() {
            return Ok(Err(location.error(TableProblem::FileEmpty)));
        }
        let above = selection.find_header(&first_rows);
        let mut row = Vec::new();
        let mut number = reader.advance(&mut row)?;
        for _ in 0..above {
            number = reader.advance(&mut row)?;
        }
        if let Some(number) = number.filter(|_| above > 0) {
            meter.note(&format!("note: {location}the header is in row {}, below titles", number + 1));
        }
        merged_ranges.retain(|range| Some(range.start.0) > number);
        merged_ranges.sort_unstable_by_key(|range| range.start);
        let header = row.iter().map(|(column, cell)| (*column, cell.as_text().to_owned())).collect();
        Ok(Ok(Self { reader, location, header, merged_ranges }))
    }

    /// Calls a function with the number and the cells of each row in these columns, while it returns
    /// `true`. Columns that are missing have empty cells.
    fn read_rows(
        mut self,
        columns: &[Option<u32>],
        mut visit: impl FnMut(u32, &[Cell]) -> Result<bool, Error>,
    ) -> Result<Result<(), Error>, XlsxError> {
        let (mut row, mut cells): (Vec<FilledCell>, Vec<Cell>) = (Vec::new(), Vec::new());
        let mut merged_ranges = self.merged_ranges.iter().peekable();
        // For each column, the last row of a merged range and its value, which only the first cell stores.
        let mut merged: Vec<(u32, Cell)> = vec![(0, Cell::Empty); columns.len()];
        while let Some(number) = self.reader.advance(&mut row)? {
            let find = |column: u32| row.iter().rfind(|(known, _)| *known == column).map(|(_, cell)| cell.clone());
            while let Some(range) = merged_ranges.next_if(|range| range.start.0 <= number) {
                let value = find(range.start.1).filter(|_| range.start.0 == number).unwrap_or(Cell::Empty);
                let is_inside = |column: u32| (range.start.1..=range.end.1).contains(&column);
                for (merged, _) in merged.iter_mut().zip(columns).filter(|(_, column)| column.is_some_and(is_inside)) {
                    *merged = (range.end.0, value.clone());
                }
            }
            cells.clear();
            cells.extend(columns.iter().zip(&merged).map(|(column, (last, value))| {
                let cell = column.and_then(find);
                cell.or_else(|| (number <= *last).then(|| value.clone())).unwrap_or(Cell::Empty)
            }));
            match visit(number, &cells) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    }
}

/// Reads all rows below the header.
fn chunks<R: Read + Seek>(
    sheet: Sheet<R>,
    selection: &ColumnSelection,
) -> Result<Result<Vec<TextChunk>, Error>, XlsxError> {
    let (location, header) = (sheet.location.clone(), &sheet.header);
    let columns = CellColumns::new(selection, |name| header.iter().any(|(_, known)| known == name));
    let names = header.iter().map(|(_, name)| name.as_str());
    let find = |(index, name): (usize, &String)| match find_column(names.clone(), name) {
        Err(TableProblem::ColumnUnknown { .. }) if columns.is_optional(index) => Ok(None),
        found => found.map(|index| Some(header[index].0)),
    };
    let positions: Vec<Option<u32>> = match columns.names().iter().enumerate().map(find).collect::<Result<_, _>>() {
        Ok(positions) => positions,
        Err(problem) => return Ok(Err(location.error(problem))),
    };
    let (mut chunks, mut rows) = (Vec::new(), CheckedRows::new(&columns));
    let read = sheet.read_rows(&positions, |number, cells| {
        let at = |column: usize| {
            let cell = Position::Cell { row: number, column: positions[column].expect("a column with a cell") };
            location.clone().at(cell).column(&columns.names()[column])
        };
        for (column, cell) in cells.iter().enumerate() {
            match cell {
                Cell::Other(text) if text == FORMULA => {
                    return Err(at(column).error(TableProblem::FormulaWithoutValue));
                }
                Cell::Number(text) if selection.by.contains(&columns.names()[column]) && !is_exact(text) => {
                    return Err(at(column).error(TableProblem::DigitsLost { number: text.to_string() }));
                }
                _ => {}
            }
        }
        rows.push(u64::from(number) + 1, &(cells, at))?;
        if rows.len() == MAX_ROWS {
            chunks.push(std::mem::replace(&mut rows, CheckedRows::new(&columns)).chunk());
        }
        Ok(true)
    })?;
    if let Err(error) = read {
        return Ok(Err(error));
    }
    chunks.push(rows.chunk());
    for column in 0..selection.by.len() {
        add_midnights(chunks.iter_mut().map(|chunk| &mut chunk.by[column]).collect());
    }
    Ok(Ok(chunks))
}

/// Adds the time to the dates of a column if another date has one: midnight is stored as a whole
/// number.
fn add_midnights(mut chunks: Vec<&mut TextColumn>) {
    let is_date = |text: &str| {
        let digits = text.split('-').map(|part| part.len() * usize::from(part.bytes().all(|c| c.is_ascii_digit())));
        digits.eq([4, 2, 2])
    };
    let has_time = |text: &str| text.split_once('T').is_some_and(|(date, _)| is_date(date));
    if !chunks.iter().flat_map(|texts| texts.iter().flatten()).any(has_time) {
        return;
    }
    let with_time =
        |text: Option<&str>| text.map(|text| if is_date(text) { format!("{text}T00:00:00") } else { text.to_owned() });
    for texts in &mut chunks {
        **texts = texts.iter().map(with_time).collect();
    }
}

impl<'a, R: Read + Seek> SheetReader<'a, R> {
    fn new(cells: XlsxCellReader<'a, R>) -> Self {
        Self { cells, ahead: VecDeque::new(), next: None, is_at_end: false }
    }

    /// Returns the texts of the next non-empty rows, up to a number of rows, without moving.
    fn peek_texts(&mut self, max: usize) -> Result<Vec<Vec<String>>, XlsxError> {
        let mut row = Vec::new();
        while self.ahead.len() < max
            && let Some(number) = self.read_row(&mut row)?
        {
            self.ahead.push_back((number, std::mem::take(&mut row)));
        }
        let texts = |row: &Vec<FilledCell>| row.iter().map(|(_, cell)| cell.as_text().to_owned()).collect();
        Ok(self.ahead.iter().map(|(_, row)| texts(row)).collect())
    }

    /// Moves to the next non-empty row and stores its cells; returns the number of the row, from 0.
    fn advance(&mut self, row: &mut Vec<FilledCell<'a>>) -> Result<Option<u32>, XlsxError> {
        let Some((number, cells)) = self.ahead.pop_front() else { return self.read_row(row) };
        *row = cells;
        Ok(Some(number))
    }

    /// Reads the next non-empty row, after those that were read ahead.
    fn read_row(&mut self, row: &mut Vec<FilledCell<'a>>) -> Result<Option<u32>, XlsxError> {
        row.clear();
        let mut number = self.next.take().map(|(number, cell)| {
            row.push(cell);
            number
        });
        while !self.is_at_end {
            let Some(stored) = self.cells.next_cell_with_formula_metadata()? else {
                self.is_at_end = true;
                break;
            };
            let (row_number, column) = stored.pos;
            let is_uncalculated = stored.formula.is_some() && stored.value == DataRef::Empty;
            let uncalculated = is_uncalculated.then(|| Cell::Other(FORMULA.to_owned()));
            let Some(cell) = uncalculated.or_else(|| cell(&stored.value)) else { continue };
            if *number.get_or_insert(row_number) == row_number {
                row.push((column, cell));
            } else {
                self.next = Some((row_number, (column, cell)));
                break;
            }
        }
        Ok(number)
    }
}

/// Converts a cell, or returns `None` if it is empty.
fn cell<'a>(stored: &DataRef<'a>) -> Option<Cell<'a>> {
    let text =
        |text: &str| Some(text.trim()).filter(|text| !text.is_empty()).map(|text| Cell::Text(text.to_owned().into()));
    Some(match stored {
        DataRef::Empty => return None,
        DataRef::Int(value) => Cell::Number(value.to_string().into()),
        DataRef::Float(value) => Cell::Number(value.to_string().into()),
        DataRef::Bool(value) => Cell::Truth(*value),
        DataRef::String(value) => return text(value),
        DataRef::SharedString(value) => return text(value),
        DataRef::DateTimeIso(value) | DataRef::DurationIso(value) => Cell::Text(value.clone().into()),
        DataRef::DateTime(value) if value.is_duration() => Cell::Number(value.as_f64().to_string().into()),
        DataRef::DateTime(value) => Cell::Text(date(value).into()),
        DataRef::Error(error) => Cell::Other(format!("the error {error}")),
    })
}

/// Returns whether a cell keeps all digits of a number, as it does up to 2⁵³.
fn is_exact(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|number| number.abs() <= 9_007_199_254_740_992.0)
}

/// Returns a date, a time of day or both. A cell's number below 1 is a time without a day.
fn date(value: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let fraction = if milli > 0 { format!(".{milli:03}") } else { String::new() };
    let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    match (value.as_f64() < 1.0, hour, minute, second, milli) {
        (true, ..) => time,
        (false, 0, 0, 0, 0) => date,
        (false, ..) => format!("{date}T{time}"),
    }
}
