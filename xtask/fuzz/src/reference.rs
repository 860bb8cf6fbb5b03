//! A slow reference reader of delimited text, one byte after another, without blocks or lookahead.

/// The code of an error, and the line that the error names.
pub type CodeAndLine = (&'static str, Option<u64>);

/// Rows with their first lines.
pub type Rows = Vec<(u64, Vec<Vec<u8>>)>;

/// The contents of a text.
pub struct ReferenceTable {
    pub header: Vec<String>,
    /// The rows before the first error.
    pub rows: Rows,
    /// The first error in the rows, and the first in the quotes. A reader may report either.
    pub errors: Vec<CodeAndLine>,
}

/// Maximal number of lines of a row. A longer row has lost a quote.
const MAX_LINES: u64 = 1000;

/// A row with the text of its cells.
struct Row {
    line: u64,
    lines: u64,
    /// Whether the row has no bytes, so not even an empty cell in quotes.
    empty: bool,
    cells: Vec<Vec<u8>>,
}

impl Row {
    /// Returns whether the row has only spaces.
    fn is_blank(&self) -> bool {
        self.cells.len() == 1 && self.cells[0].trim_ascii().is_empty()
    }
}

/// Reads a text. Returns the errors if there is no valid header.
pub fn read(text: &[u8]) -> Result<ReferenceTable, Vec<CodeAndLine>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let first = text.split(|b| *b == b'\n').next().unwrap_or_default();
    if first.strip_suffix(b"\r").unwrap_or(first).contains(&b'\r') {
        return Err(vec![("carriage-returns", None)]);
    }
    let delimiter = delimiter(first);
    let (rows, quote_error) = rows(text, delimiter);
    let fail = |error| Err([error].into_iter().chain(quote_error).collect());
    let Some(header_index) = rows.iter().position(|row| !row.is_blank() || row.lines > MAX_LINES) else {
        return Err(vec![quote_error.unwrap_or(("file-empty", None))]);
    };
    let header = &rows[header_index];
    if header.lines > MAX_LINES {
        return fail(("row-too-long", Some(header.line)));
    }
    let names = header.cells.iter().map(|cell| decode(cell).map(|name| name.trim().to_owned()));
    let Some(names) = names.collect::<Option<Vec<_>>>() else { return fail(("header-not-text", None)) };
    let mut table = ReferenceTable { header: names, rows: Vec::new(), errors: Vec::new() };
    let rows = &rows[header_index + 1..];
    for (index, row) in rows.iter().enumerate() {
        // In a single column, an empty line is an empty cell, except at the end of the text.
        let at_end = || rows[index..].iter().all(|row| row.empty) && quote_error.is_none();
        let is_row = !row.is_blank() || table.header.len() == 1 && !at_end();
        let code = if row.lines > MAX_LINES {
            Some("row-too-long")
        } else {
            (is_row && row.cells.len() != table.header.len()).then_some("row-width")
        };
        if let Some(code) = code {
            table.errors.push((code, Some(row.line)));
            break;
        }
        if is_row {
            table.rows.push((row.line, row.cells.clone()));
        }
    }
    table.errors.extend(quote_error);
    Ok(table)
}

/// Decodes a cell as UTF-8, or else as Windows-1252.
pub fn decode(cell: &[u8]) -> Option<String> {
    const HIGH: &str = "€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ";
    if let Ok(text) = std::str::from_utf8(cell) {
        return Some(text.to_owned());
    }
    let character = |byte: &u8| match *byte {
        byte @ 0x80..0xa0 => HIGH.chars().nth(usize::from(byte) - 0x80),
        byte => Some(char::from(byte)),
    };
    let text: String = cell.iter().filter_map(character).collect();
    (!text.contains('\u{fffd}')).then_some(text)
}

/// Returns the most frequent delimiter in the first line.
fn delimiter(first: &[u8]) -> u8 {
    let mut best = (b',', 0);
    for delimiter in *b",\t;|" {
        let count = first.split(|b| *b == delimiter).count() - 1;
        if count > best.1 {
            best = (delimiter, count);
        }
    }
    best.0
}

/// Returns all rows up to the first misplaced quote, and the error of that quote.
fn rows(text: &[u8], delimiter: u8) -> (Vec<Row>, Option<CodeAndLine>) {
    let mut rows = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let (start, mut row) = (at, Row { line, lines: 0, empty: false, cells: Vec::new() });
        loop {
            let cell = match cell(&text[at..], delimiter, line) {
                Ok(cell) => cell,
                Err(error) => return (rows, Some(error)),
            };
            row.cells.push(cell.value);
            at += cell.length;
            line += cell.lines;
            // A delimiter is followed by another cell, which may be empty.
            if text.get(at) != Some(&delimiter) {
                break;
            }
            at += 1;
        }
        row.empty = matches!(text[start..at], [] | [b'\r']);
        at += 1;
        line += 1;
        row.lines = line - row.line;
        rows.push(row);
    }
    (rows, None)
}

struct Cell {
    value: Vec<u8>,
    /// Number of bytes, including quotes.
    length: usize,
    /// Number of line ends within the cell.
    lines: u64,
}

/// Returns the cell at the beginning of a text.
fn cell(text: &[u8], delimiter: u8, line: u64) -> Result<Cell, CodeAndLine> {
    let ends = |b: &u8| *b == delimiter || *b == b'\n';
    if text.first() != Some(&b'"') {
        let length = text.iter().position(ends).unwrap_or(text.len());
        return Ok(Cell { value: text[..length].to_vec(), length, lines: 0 });
    }
    let (mut value, mut at, mut lines) = (Vec::new(), 1, 0);
    loop {
        match text[at..] {
            [] => return Err(("quote-never-closed", Some(line))),
            [b'"', b'"', ..] => {
                value.push(b'"');
                at += 2;
            }
            [b'"', ..] => break,
            [byte, ..] => {
                lines += u64::from(byte == b'\n');
                value.push(byte);
                at += 1;
            }
        }
    }
    at += 1;
    // Between the quote and the end of the cell there may be spaces.
    let after = text[at..].iter().position(ends).unwrap_or(text.len() - at);
    let spaces = &text[at..at + after];
    if !spaces.iter().all(|b| matches!(b, b' ' | b'\r')) {
        return Err(("quote-closed-early", Some(line + lines)));
    }
    value.extend_from_slice(spaces);
    Ok(Cell { value, length: at + after, lines })
}
