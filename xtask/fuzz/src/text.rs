//! Delimited text, row by row. The result must equal the reference reader's for any block size, and
//! for any partition of the bytes into reads.

use crate::Target;
use crate::reference::{self, CodeAndLine, ReferenceTable};
use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};
use truecount::Error;
use truecount::error::{Condition, Field};
use truecount_tables::input::TextTable;

/// The target of delimited text.
pub const TARGET: Target = Target { name: "text", seeds, words: &WORDS, read };

const WORDS: [&[u8]; 16] = [
    b",", b";", b"\t", b"\n", b"\r\n", b"\"", b"\"\"", b"\",\"", b"\n\n", b" ", b"\xef\xbb\xbf", b"\"\n", b"0.5",
    b"-1e-3", b"inf", b"a,b\n",
];

fn seeds() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 6] = [
        b"score,label\n0.5,1\n-1e-3,0\n",
        b"\xef\xbb\xbfscore;\"a \"\"b\"\"\"\r\n\"1\" ;\"x\ny;z\"\r\n\r\n2;\r\n\n",
        b"score\n1\n2\n\n\n",
        b"a\tb\tc\n\t\t\n  \n1\t\"\"\t\"2\"",
        b"\n \nscore,g\n.5,\xc3\xa9\n+1,\"\"\n",
        b"score,g\n1,\"a\"\"\n\n\"\"b\"\n\n\n3,c\n",
    ];
    texts.map(<[u8]>::to_vec).to_vec()
}

fn read(text: &[u8]) {
    let expected = reference::read(text);
    for pattern in [ReadPattern { block: 1 << 12, max_bytes: usize::MAX, interrupted: false }, ReadPattern::new(text)] {
        compare(text, &pattern, &expected);
    }
}

/// The sizes in which the bytes arrive.
#[derive(Debug)]
struct ReadPattern {
    /// The size of a block.
    block: usize,
    /// Maximal number of bytes that one read returns.
    max_bytes: usize,
    /// Whether each read is interrupted once.
    interrupted: bool,
}

impl ReadPattern {
    /// Returns a pattern that depends on the bytes alone, so that a failure can be reproduced.
    fn new(text: &[u8]) -> Self {
        let hash = text.iter().fold(text.len(), |hash, b| hash.wrapping_mul(31).wrapping_add(usize::from(*b)));
        Self { block: 1 + hash % 13, max_bytes: 1 + hash / 13 % 7, interrupted: hash / 91 % 2 == 0 }
    }
}

fn compare(text: &[u8], pattern: &ReadPattern, expected: &Result<ReferenceTable, Vec<CodeAndLine>>) {
    let bytes = Box::new(SlowReader {
        bytes: text.to_vec(),
        position: 0,
        max_bytes: pattern.max_bytes,
        interrupted: pattern.interrupted,
        interrupt_next: pattern.interrupted,
    });
    let context = || format!("{pattern:?} {:?}", String::from_utf8_lossy(text));
    let mut table = match (TextTable::in_blocks(String::new(), bytes, pattern.block, None), expected) {
        (Ok(table), Ok(reference)) if *table.header() == reference.header => table,
        (Ok(table), Ok(reference)) => {
            panic!("header {:?}, not {:?}: {}", table.header(), reference.header, context())
        }
        (Ok(table), Err(errors)) => panic!("header {:?}, not {errors:?}: {}", table.header(), context()),
        // The reader may report a later quote first.
        (Err(error), Ok(ReferenceTable { errors, .. }) | Err(errors)) => {
            assert!(errors.contains(&code_and_line(&error)), "{error}, not {errors:?}: {}", context());
            return;
        }
    };
    let reference = expected.as_ref().expect("a valid header");
    let (rows, error) = rows(&mut table);
    match &error {
        Some(error) => {
            let is_expected = reference.errors.contains(&code_and_line(error));
            assert!(is_expected, "{error}, not {:?}: {}", reference.errors, context());
        }
        None => assert!(reference.errors.is_empty(), "{:?} went unseen: {}", reference.errors, context()),
    }
    // Before an error, the reader may have returned fewer rows than the reference.
    let expected_rows = reference.rows.get(..rows.len());
    let expected_rows = expected_rows.filter(|rows| error.is_some() || rows.len() == reference.rows.len());
    let expected_rows: Option<Vec<_>> =
        expected_rows.map(|rows| rows.iter().map(|(line, cells)| (*line, cell_values(cells))).collect());
    assert!(expected_rows.as_ref() == Some(&rows), "{rows:?}, not {:?}: {}", reference.rows, context());
}

/// The text of a cell if it is text, and the bits of its number if it is one.
type CellValue = (Option<String>, Option<u64>);

/// Returns the rows of a table before the first error, and the error.
fn rows(table: &mut TextTable) -> (Vec<(u64, Vec<CellValue>)>, Option<Error>) {
    let mut rows = Vec::new();
    loop {
        match table.advance() {
            Ok(true) => {}
            Ok(false) => return (rows, None),
            Err(error) => return (rows, Some(error)),
        }
        let cell = |column| (table.text(column).ok().map(Cow::into_owned), table.number(column).ok().map(f64::to_bits));
        rows.push((table.line(), (0..table.header().len()).map(cell).collect()));
    }
}

fn cell_values(cells: &[Vec<u8>]) -> Vec<CellValue> {
    let value = |cell: &Vec<u8>| {
        let text = reference::decode(cell).map(|text| text.trim().to_owned());
        let number = text.as_ref().and_then(|text| text.parse::<f64>().ok()).filter(|number| number.is_finite());
        (text, number.map(f64::to_bits))
    };
    cells.iter().map(value).collect()
}

fn code_and_line(error: &Error) -> CodeAndLine {
    let line = error.fields().into_iter().find_map(|(name, field)| match field {
        Field::Integer(line) if name == "line" => Some(line),
        _ => None,
    });
    (error.code(), line)
}

/// A reader that returns a few bytes at a time, and may interrupt each read once.
struct SlowReader {
    bytes: Vec<u8>,
    position: usize,
    max_bytes: usize,
    interrupted: bool,
    /// Whether the next read is interrupted.
    interrupt_next: bool,
}

impl io::Read for SlowReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.bytes[self.position..self.position + length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for SlowReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if std::mem::take(&mut self.interrupt_next) {
            return Err(ErrorKind::Interrupted.into());
        }
        self.interrupt_next = self.interrupted;
        let rest = &self.bytes[self.position..];
        Ok(&rest[..rest.len().min(self.max_bytes)])
    }

    fn consume(&mut self, length: usize) {
        self.position += length;
    }
}
