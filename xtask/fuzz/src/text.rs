//! Delimited text, row by row: it says what the slow reading of it says, in blocks of any size and however its bytes come.

use crate::Target;
use crate::reference::{self, Read, Refusal};
use std::io::{self, BufRead, ErrorKind};
use truecount::Error;
use truecount::{Condition, Field};
use truecount_tables::input::TextTable;

/// Its target.
pub const TARGET: Target = Target { name: "text", seeds, words: &WORDS, read };

const WORDS: [&[u8]; 16] = [
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r\n",
    b"\"",
    b"\"\"",
    b"\",\"",
    b"\n\n",
    b" ",
    b"\xef\xbb\xbf",
    b"\"\n",
    b"0.5",
    b"-1e-3",
    b"inf",
    b"a,b\n",
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
    let way = Way::of(text);
    for way in [Way { block: 1 << 12, most: usize::MAX, interrupted: false }, way] {
        compare(text, &way, &expected);
    }
}

/// How the bytes come.
#[derive(Debug)]
struct Way {
    /// The size of a block.
    block: usize,
    /// The most bytes at a time.
    most: usize,
    /// Whether each time is interrupted once.
    interrupted: bool,
}

impl Way {
    /// One that depends on the bytes alone, so that an input does the same again.
    fn of(text: &[u8]) -> Self {
        let hash = text.iter().fold(text.len(), |hash, b| hash.wrapping_mul(31).wrapping_add(usize::from(*b)));
        Self { block: 1 + hash % 13, most: 1 + hash / 13 % 7, interrupted: hash / 91 % 2 == 0 }
    }
}

fn compare(text: &[u8], way: &Way, expected: &Result<Read, Vec<Refusal>>) {
    let bytes = Box::new(Dribble {
        bytes: text.to_vec(),
        at: 0,
        most: way.most,
        interrupted: way.interrupted,
        next: way.interrupted,
    });
    let shown = || String::from_utf8_lossy(text).into_owned();
    let mut table = match (TextTable::in_blocks(String::new(), bytes, way.block, None), expected) {
        (Ok(table), Ok(read)) if *table.header() == read.header => table,
        (Ok(table), Ok(read)) => panic!("header {:?}, not {:?}: {way:?} {:?}", table.header(), read.header, shown()),
        (Ok(table), Err(refusals)) => panic!("header {:?}, not {refusals:?}: {way:?} {:?}", table.header(), shown()),
        // A quote further on may be seen first.
        (Err(error), Ok(Read { refusals, .. }) | Err(refusals)) => {
            assert!(refusals.contains(&refusal(&error)), "{error}, not {refusals:?}: {way:?} {:?}", shown());
            return;
        }
    };
    let read = expected.as_ref().expect("its header is known");
    let (rows, error) = rows(&mut table);
    match &error {
        Some(error) => {
            let refused = refusal(error);
            assert!(read.refusals.contains(&refused), "{error}, not {:?}: {way:?} {:?}", read.refusals, shown());
        }
        None => assert!(read.refusals.is_empty(), "{:?} went unseen: {way:?} {:?}", read.refusals, shown()),
    }
    let known = read.rows.get(..rows.len());
    let known = known.filter(|known| error.is_some() || known.len() == read.rows.len());
    let cells: Option<Vec<_>> = known.map(|known| known.iter().map(|(line, cells)| (*line, meant(cells))).collect());
    assert!(cells.as_ref() == Some(&rows), "{rows:?}, not {:?}: {way:?} {:?}", read.rows, shown());
}

/// A cell as its text, and as a number; or neither.
type Meaning = (Option<String>, Option<u64>);

/// The rows of a table up to an error.
fn rows(table: &mut TextTable) -> (Vec<(u64, Vec<Meaning>)>, Option<Error>) {
    let mut rows = Vec::new();
    loop {
        match table.advance() {
            Ok(true) => {}
            Ok(false) => return (rows, None),
            Err(error) => return (rows, Some(error)),
        }
        let cell = |column| (table.text(column).ok().map(str::to_owned), table.number(column).ok().map(f64::to_bits));
        rows.push((table.line(), (0..table.header().len()).map(cell).collect()));
    }
}

fn meant(cells: &[Vec<u8>]) -> Vec<Meaning> {
    let meaning = |cell: &Vec<u8>| {
        let text = std::str::from_utf8(cell).ok().map(str::trim);
        let number = text.and_then(|text| text.parse::<f64>().ok()).filter(|number| number.is_finite());
        (text.map(str::to_owned), number.map(f64::to_bits))
    };
    cells.iter().map(meaning).collect()
}

/// The code of an error, and its line.
fn refusal(error: &Error) -> Refusal {
    let line = error.fields().into_iter().find_map(|(name, field)| match field {
        Field::Whole(line) if name == "line" => Some(line),
        _ => None,
    });
    (error.code(), line)
}

/// Bytes that come a few at a time, or after an interruption.
struct Dribble {
    bytes: Vec<u8>,
    at: usize,
    most: usize,
    interrupted: bool,
    /// Whether an interruption comes next.
    next: bool,
}

impl io::Read for Dribble {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.bytes[self.at..self.at + length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Dribble {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if std::mem::take(&mut self.next) {
            return Err(ErrorKind::Interrupted.into());
        }
        self.next = self.interrupted;
        let rest = &self.bytes[self.at..];
        Ok(&rest[..rest.len().min(self.most)])
    }

    fn consume(&mut self, length: usize) {
        self.at += length;
    }
}
