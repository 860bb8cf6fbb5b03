//! Structures in Thrift's compact protocol, of which single fields are wanted: the others are skipped.

/// How deep structures may be nested: those of Parquet are less than ten.
const DEEPEST: usize = 32;

/// The types of fields that matter here.
const STOP: u8 = 0;
const I32: u8 = 5;

/// What is left of the fields of a structure.
pub struct Fields<'a>(pub &'a [u8]);

impl Fields<'_> {
    /// Whether there is a field of this number; `None` if these are no fields.
    pub fn has(&mut self, wanted: i64) -> Option<bool> {
        let mut number = 0;
        loop {
            let (found, kind) = self.field(number)?;
            if kind == STOP || found == wanted {
                return Some(kind != STOP);
            }
            self.skip(kind, 0)?;
            number = found;
        }
    }

    /// The 32-bit numbers of these fields, and the end of the structure found; `None` if these are no fields.
    pub fn numbers<const N: usize>(&mut self, wanted: [i64; N]) -> Option<[Option<i64>; N]> {
        let (mut numbers, mut number) = ([None; N], 0);
        loop {
            let (found, kind) = self.field(number)?;
            match wanted.iter().position(|wanted| *wanted == found) {
                _ if kind == STOP => return Some(numbers),
                Some(place) if kind == I32 => numbers[place] = Some(self.signed()?),
                _ => self.skip(kind, 0)?,
            }
            number = found;
        }
    }

    /// The number and type of the next field, after the one with this number.
    fn field(&mut self, before: i64) -> Option<(i64, u8)> {
        let head = self.byte()?;
        let number = match head >> 4 {
            0 if head != STOP => self.signed()?,
            more => before.checked_add(i64::from(more))?,
        };
        Some((number, head & 15))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            1 | 2 => Some(()),
            3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.take(8),
            8 => self.varint().and_then(|length| self.take(length)),
            9 | 10 if depth < DEEPEST => {
                let head = self.byte()?;
                let length = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                // Booleans take a byte each in a list.
                let kind = if matches!(head & 15, 1 | 2) { 3 } else { head & 15 };
                (0..length).try_for_each(|_| self.skip(kind, depth + 1))
            }
            12 if depth < DEEPEST => {
                let mut number = 0;
                loop {
                    let (found, kind) = self.field(number)?;
                    if kind == STOP {
                        return Some(());
                    }
                    self.skip(kind, depth + 1)?;
                    number = found;
                }
            }
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, length: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(length).ok()?..)?;
        Some(())
    }

    /// Seven bits a byte, the least first.
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// Signs alternate: 0, -1, 1, -2, …
    fn signed(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the protocol's description has it: field 1 an i32, 2 a list of structures with a text and a boolean, 8 an empty structure.
    #[test]
    fn fields_are_found_behind_others() {
        let list = [0x19, 0x2c, 0x18, 1, b'a', 0, 0x18, 2, b'b', b'c', 0x11, 0];
        let bytes = [&[0x15, 0x84, 0x01][..], &list, &[0x6c, 0, 0, 7]].concat();
        assert_eq!(Fields(&bytes).has(8), Some(true));
        assert_eq!(Fields(&bytes).has(7), Some(false));
        assert_eq!(Fields(&bytes[..9]).has(8), None);
        let mut fields = Fields(&bytes);
        assert_eq!(fields.numbers([1, 2, 3]), Some([Some(66), None, None]));
        assert_eq!(fields.0, [7]);
        // The number of a field may stand by itself.
        assert_eq!(Fields(&[0x05, 0x10, 0x01, 0]).numbers([8]), Some([Some(-1)]));
        // A structure that never ends.
        assert_eq!(Fields(&[0x1c; 100]).has(8), None);
    }
}
