//! Text in other encodings than UTF-8: UTF-16, which is decoded as it is read, and Windows-1252,
//! whose cells are decoded one by one.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// Number of bytes that are decoded at a time.
const CHUNK: usize = 1 << 16;

/// The characters of the bytes 0x80 to 0x9f in Windows-1252; the replacement character for bytes
/// without one. All other bytes are those of Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8, or else as Windows-1252; ASCII is the same in both. Returns `None` for
/// bytes that are text in neither.
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text.into());
    }
    let character = |byte: u8| match byte {
        0x80..=0x9f => Some(WINDOWS_1252[usize::from(byte - 0x80)]).filter(|c| *c != '\u{fffd}'),
        _ => Some(char::from(byte)),
    };
    bytes.iter().copied().map(character).collect::<Option<String>>().map(Cow::Owned)
}

/// The byte order of UTF-16.
#[derive(Clone, Copy)]
pub struct Utf16 {
    unit: fn([u8; 2]) -> u16,
}

impl Utf16 {
    /// Detects UTF-16 in the first bytes of a file: by its byte order mark, or because most
    /// characters have a zero byte.
    pub fn detect(start: &[u8]) -> Option<Self> {
        let (little, big) = (Self { unit: u16::from_le_bytes }, Self { unit: u16::from_be_bytes });
        let (units, _) = start.as_chunks::<2>();
        if units.contains(&[0, 0]) {
            return None;
        }
        match start {
            [0xff, 0xfe, ..] => Some(little),
            [0xfe, 0xff, ..] => Some(big),
            _ => {
                let is_latin = |order: &Self| {
                    let latin = units.iter().filter(|unit| (1..=0xff).contains(&(order.unit)(**unit))).count();
                    2 * latin > units.len()
                };
                [little, big].into_iter().find(|order| units.len() > 1 && is_latin(order))
            }
        }
    }

    /// Returns the text of a stream as UTF-8.
    pub fn decode<R: BufRead>(self, bytes: R) -> Utf16Reader<R> {
        Utf16Reader { bytes, order: self, text: Vec::new(), read: 0, lines: 0 }
    }
}

/// Decodes UTF-16 as it is read.
pub struct Utf16Reader<R> {
    bytes: R,
    order: Utf16,
    /// The decoded text, and how much of it has been read.
    text: Vec<u8>,
    read: usize,
    /// The number of line ends so far.
    lines: usize,
}

impl<R: BufRead> Utf16Reader<R> {
    /// Decodes the next bytes.
    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(CHUNK + 2);
        self.bytes.by_ref().take(CHUNK as u64).read_to_end(&mut bytes)?;
        let unit = |pair: &[u8; 2]| (self.order.unit)(*pair);
        let is_first_half = |unit: u16| (0xd800..0xdc00).contains(&unit);
        if bytes.as_chunks::<2>().0.last().is_some_and(|last| is_first_half(unit(last))) {
            self.bytes.by_ref().take(2).read_to_end(&mut bytes)?;
        }
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut text = String::with_capacity(bytes.len());
        let decoded = char::decode_utf16(pairs.iter().map(unit)).try_for_each(|c| c.map(|c| text.push(c)));
        self.lines += text.matches('\n').count();
        if decoded.is_err() || !rest.is_empty() {
            let message = format!("invalid UTF-16 in line {}", self.lines + 1);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        (self.text, self.read) = (text.into_bytes(), 0);
        Ok(())
    }
}

impl<R: BufRead> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.fill()?;
        }
        let mut rest = &self.text[self.read..];
        let read = rest.read(buffer)?;
        self.read += read;
        Ok(read)
    }
}
