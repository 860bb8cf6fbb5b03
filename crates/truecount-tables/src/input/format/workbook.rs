//! Workbooks of Excel (.xlsx): one sheet, whose first row that is not empty has the names of the columns. A workbook is read as a whole.
//!
//! Dates are written as elsewhere (2026-01-31, and 2026-01-31T12:30:00 with a time), other cells as a table of text has them: numbers
//! with as few digits as tell them, texts without the spaces around them.

use super::{FormatChunk, FormatPart, OpenFile, OpenPiece, ROWS, damaged, typed, unpacked};
use crate::guard::catch_decoder_panic;
use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxCellReader, XlsxError};
use std::io::{self, Cursor, Read, Seek};
use truecount::{Error, ErrorLocation, Position};
use truecount_analysis::TableProblem;
use truecount_text::{Cell, CellColumns, CheckedRows, ColumnSelection, Input, Piece, Pieces};
use zip::ZipArchive;

/// What messages call the format.
const FORMAT: &str = "Excel";

/// Chunks that have been read.
struct SheetChunks(std::vec::IntoIter<FormatChunk>);

struct Ready(FormatChunk);

/// The rows of a sheet that are not empty.
struct Sheet<'a, R: Read + Seek> {
    cells: XlsxCellReader<'a, R>,
    /// The first cell of the next row, and that row.
    next: Option<(u32, Filled<'a>)>,
    /// Whether there are no more cells: beyond the last one there is an error.
    ended: bool,
}

/// A cell with something in it, and its column.
type Filled<'a> = (u32, Cell<'a>);

pub fn open(input: Input, wanted: &ColumnSelection) -> Result<OpenFile, Error> {
    let place = input.name().to_owned();
    let content = input.content()?;
    check(&content)
        .map_err(damaged(&place, FORMAT))?
        .map_or(Ok(()), |problem| Err(ErrorLocation::file(&place).error(problem)))?;
    let read = catch_decoder_panic(|| {
        let mut workbook = Xlsx::new(Cursor::new(content))?;
        Ok::<_, XlsxError>(match name_of_sheet(&workbook, wanted.columns.sheet) {
            Ok(name) => chunks(&mut workbook, &ErrorLocation::file(&place).sheet(&name), &name, wanted)?,
            Err(problem) => Err(ErrorLocation::file(&place).error(problem)),
        })
    });
    Ok(Box::new(SheetChunks(read.map_err(damaged(&place, FORMAT))??.into_iter())))
}

impl Pieces<FormatChunk> for SheetChunks {
    fn next(&mut self) -> Result<Option<OpenPiece>, Error> {
        Ok(self.0.next().map(|chunk| Box::new(Ready(chunk)) as _))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Row
    }
}

impl Piece<FormatChunk> for Ready {
    fn read(self: Box<Self>) -> Result<FormatPart, Error> {
        Ok((Some(self.0), None))
    }
}

/// What keeps a zip archive from being a workbook that can be read. What its parts unpack to is counted, not believed.
fn check(content: &[u8]) -> Result<Option<TableProblem>, String> {
    catch_decoder_panic(|| {
        let mut zip = ZipArchive::new(Cursor::new(content)).map_err(|e| e.to_string())?;
        let names: Vec<String> = zip.file_names().flatten().map(Into::into).collect();
        let has = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if has("xl/workbook.bin") {
            return Ok(Some(TableProblem::FileKind { found: "a binary workbook (.xlsb); save it as .xlsx or CSV" }));
        }
        if !has("[Content_Types].xml") || !names.iter().any(|name| name.starts_with("xl/")) {
            return Ok(Some(TableProblem::FileKind {
                found: "a zip archive, but no Excel workbook (.xlsx); save it as one, or as CSV",
            }));
        }
        let (packed, mut all) = (content.len() as u64, 0);
        for part in 0..zip.len() {
            let part = zip.by_index(part).map_err(|e| e.to_string())?;
            let rest = unpacked::most(packed) - all;
            let size = io::copy(&mut part.take(rest + 1), &mut io::sink()).map_err(|e| e.to_string())?;
            if size > rest {
                let megabytes = usize::try_from((all + size) >> 20).unwrap_or(usize::MAX);
                return Ok(Some(TableProblem::Inflated { packed, megabytes }));
            }
            all += size;
        }
        Ok::<_, String>(None)
    })
}

/// The sheet of that name, or the first that is shown.
fn name_of_sheet<R: Read + Seek>(workbook: &Xlsx<R>, named: Option<&str>) -> Result<String, TableProblem> {
    let sheets = || workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let found = match named {
        Some(name) => sheets().find(|sheet| sheet.name == name),
        None => sheets().find(|sheet| sheet.visible == SheetVisible::Visible),
    };
    found.map(|sheet| sheet.name.clone()).ok_or_else(|| match named {
        Some(name) => TableProblem::SheetUnknown {
            sheet: name.to_owned(),
            sheets: sheets().map(|sheet| sheet.name.clone()).collect(),
        },
        None => TableProblem::FileEmpty,
    })
}

/// All rows below the header. What the decoder cannot read is its error, what is wrong with a table or a cell is ours.
fn chunks<R: Read + Seek>(
    workbook: &mut Xlsx<R>,
    place: &ErrorLocation,
    name: &str,
    wanted: &ColumnSelection,
) -> Result<Result<Vec<FormatChunk>, Error>, XlsxError> {
    let mut sheet = Sheet { cells: workbook.worksheet_cells_reader(name)?, next: None, ended: false };
    let mut row = Vec::new();
    if sheet.advance(&mut row)?.is_none() {
        return Ok(Err(place.clone().error(TableProblem::FileEmpty)));
    }
    let header: Vec<(u32, String)> = row.iter().map(|(column, cell)| (*column, cell.as_text().to_owned())).collect();
    let columns = CellColumns::new(wanted, |name| header.iter().any(|(_, known)| known == name));
    let places = columns.names().iter().map(|name| find(&header, name));
    let places: Vec<u32> = match places.collect::<Result<_, _>>() {
        Ok(places) => places,
        Err(problem) => return Ok(Err(place.clone().error(problem))),
    };
    let (mut chunks, mut rows) = (Vec::new(), CheckedRows::new(&columns));
    let mut cells: Vec<Cell> = Vec::new();
    while let Some(number) = sheet.advance(&mut row)? {
        cells.clear();
        cells.extend(places.iter().map(|place| {
            let found = row.iter().rposition(|(column, _)| column == place);
            found.map_or(Cell::Empty, |at| row[at].1.clone())
        }));
        let at = |column: usize| {
            let cell = Position::Cell { row: number, column: places[column] };
            place.clone().at(cell).column(&columns.names()[column])
        };
        if let Err(error) = rows.push(u64::from(number) + 1, &cells, at) {
            return Ok(Err(error));
        }
        if rows.len() == ROWS {
            chunks.push(typed(std::mem::replace(&mut rows, CheckedRows::new(&columns)).chunk()));
        }
    }
    chunks.push(typed(rows.chunk()));
    Ok(Ok(chunks))
}

/// The column of that name.
fn find(header: &[(u32, String)], name: &str) -> Result<u32, TableProblem> {
    let mut found = header.iter().filter(|(_, known)| known == name).map(|(column, _)| *column);
    match (found.next(), found.next()) {
        (Some(column), None) => Ok(column),
        (Some(_), Some(_)) => Err(TableProblem::ColumnAmbiguous { column: name.to_owned() }),
        _ => Err(TableProblem::ColumnUnknown {
            column: name.to_owned(),
            columns: header.iter().map(|(_, name)| name.clone()).collect(),
        }),
    }
}

impl<'a, R: Read + Seek> Sheet<'a, R> {
    /// Moves to the next row with anything in it, and takes what is; the number of the row, from 0.
    fn advance(&mut self, row: &mut Vec<Filled<'a>>) -> Result<Option<u32>, XlsxError> {
        row.clear();
        let mut number = self.next.take().map(|(number, cell)| {
            row.push(cell);
            number
        });
        while !self.ended {
            let Some(found) = self.cells.next_cell()? else {
                self.ended = true;
                break;
            };
            let (at, column) = found.get_position();
            let Some(cell) = cell(found.get_value()) else { continue };
            if *number.get_or_insert(at) == at {
                row.push((column, cell));
            } else {
                self.next = Some((at, (column, cell)));
                break;
            }
        }
        Ok(number)
    }
}

/// What is in a cell, if anything is.
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

fn date(value: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second, milli) {
        (0, 0, 0, 0) => date,
        (.., 0) => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
        _ => format!("{date}T{hour:02}:{minute:02}:{second:02}.{milli:03}"),
    }
}
