//! What a text with a header says, found the slow way: one byte after another, nothing in blocks, nothing ahead of its turn.

/// What is wrong with a text: the code of the error, and the line that it names.
pub type Refusal = (&'static str, Option<u64>);

/// Rows with the line that each begins on.
pub type Rows = Vec<(u64, Vec<Vec<u8>>)>;

pub struct Read {
    pub header: Vec<String>,
    /// The rows before what is wrong.
    pub rows: Rows,
    /// What is wrong, if anything is: with the rows first, and with quotes, which a reader may see before the rows.
    pub refusals: Vec<Refusal>,
}

/// A row with more lines than this has lost a quote.
const LINES: u64 = 1000;

/// A row before anything is made of its cells.
struct Row {
    line: u64,
    lines: u64,
    /// Whether it has no cell, not even an empty one in quotes.
    empty: bool,
    cells: Vec<Vec<u8>>,
}

impl Row {
    /// Whether there is nothing in it but spaces.
    fn is_blank(&self) -> bool {
        self.cells.len() == 1 && self.cells[0].trim_ascii().is_empty()
    }
}

pub fn read(text: &[u8]) -> Result<Read, Vec<Refusal>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let first = text.split(|b| *b == b'\n').next().unwrap_or_default();
    if first.strip_suffix(b"\r").unwrap_or(first).contains(&b'\r') {
        return Err(vec![("carriage-returns", None)]);
    }
    let delimiter = delimiter(first);
    let (rows, broken) = rows(text, delimiter);
    let refused = |refusal| Err([refusal].into_iter().chain(broken).collect());
    let filled = rows.iter().position(|row| !row.is_blank() || row.lines > LINES);
    let Some(header) = filled.map(|place| &rows[place]) else {
        return match broken {
            Some(broken) => Err(vec![broken]),
            None => Err(vec![("file-empty", None)]),
        };
    };
    if header.lines > LINES {
        return refused(("row-too-long", Some(header.line)));
    }
    let names = header.cells.iter().map(|cell| std::str::from_utf8(cell).map(|name| name.trim().to_owned()));
    let Ok(names) = names.collect::<Result<Vec<_>, _>>() else { return refused(("header-not-utf8", None)) };
    let mut read = Read { header: names, rows: Vec::new(), refusals: Vec::new() };
    let rows = &rows[filled.unwrap_or_default() + 1..];
    for (place, row) in rows.iter().enumerate() {
        let wrong = if row.lines > LINES {
            Some("row-too-long")
        } else if read.header.len() > 1 {
            (!row.is_blank() && row.cells.len() != read.header.len()).then_some("row-width")
        } else if row.is_blank() {
            // Empty lines are missing values unless nothing follows them.
            let ends = rows[place..].iter().all(|row| row.empty) && broken.is_none();
            (!ends).then_some("value-empty")
        } else {
            (row.cells.len() != 1).then_some("row-width")
        };
        if let Some(wrong) = wrong {
            read.refusals.push((wrong, Some(row.line)));
            break;
        }
        if !row.is_blank() {
            read.rows.push((row.line, row.cells.clone()));
        }
    }
    read.refusals.extend(broken);
    Ok(read)
}

/// The most frequent one in the first line.
fn delimiter(first: &[u8]) -> u8 {
    let mut best = (b',', 0);
    for delimiter in *b",\t;" {
        let count = first.split(|b| *b == delimiter).count() - 1;
        if count > best.1 {
            best = (delimiter, count);
        }
    }
    best.0
}

/// All rows up to a quote that stands where none may, if there is one.
fn rows(text: &[u8], delimiter: u8) -> (Vec<Row>, Option<Refusal>) {
    let mut rows = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let (start, mut row) = (at, Row { line, lines: 0, empty: false, cells: Vec::new() });
        loop {
            let cell = match cell(&text[at..], delimiter, line) {
                Ok(cell) => cell,
                Err(refusal) => return (rows, Some(refusal)),
            };
            row.cells.push(cell.value);
            at += cell.length;
            line += cell.lines;
            // A delimiter leads to another cell, though there be nothing in it.
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
    /// How many bytes it has, quotes and all, and how many line ends are within them.
    length: usize,
    lines: u64,
}

/// The cell at the beginning of a text.
fn cell(text: &[u8], delimiter: u8, line: u64) -> Result<Cell, Refusal> {
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
