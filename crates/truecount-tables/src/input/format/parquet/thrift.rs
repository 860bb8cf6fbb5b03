//! Reads single fields of structures in Thrift's compact protocol, and skips the others.

/// Maximum nesting of structures; Parquet needs less than ten levels.
const MAX_DEPTH: usize = 32;

/// Field types.
const STOP: u8 = 0;
const I32: u8 = 5;

/// The remaining bytes of a structure.
pub struct Fields<'a>(pub &'a [u8]);

impl Fields<'_> {
    /// Returns whether the structure has a field with this ID; `None` if the bytes are malformed.
    pub fn has(&mut self, id: i64) -> Option<bool> {
        let mut previous = 0;
        loop {
            let (current, kind) = self.next_field(previous)?;
            if kind == STOP || current == id {
                return Some(kind != STOP);
            }
            self.skip(kind, 0)?;
            previous = current;
        }
    }

    /// Returns the values of 32-bit fields with these IDs, and moves to the end of the structure;
    /// `None` if the bytes are malformed.
    pub fn numbers<const N: usize>(&mut self, ids: [i64; N]) -> Option<[Option<i64>; N]> {
        let (mut numbers, mut previous) = ([None; N], 0);
        loop {
            let (current, kind) = self.next_field(previous)?;
            match ids.iter().position(|id| *id == current) {
                _ if kind == STOP => return Some(numbers),
                Some(index) if kind == I32 => numbers[index] = Some(self.signed()?),
                _ => self.skip(kind, 0)?,
            }
            previous = current;
        }
    }

    /// Returns the ID and type of the next field, which may be encoded relative to the previous ID.
    fn next_field(&mut self, previous: i64) -> Option<(i64, u8)> {
        let head = self.byte()?;
        let id = match head >> 4 {
            0 if head != STOP => self.signed()?,
            delta => previous.checked_add(i64::from(delta))?,
        };
        Some((id, head & 15))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            1 | 2 => Some(()),
            3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.take(8),
            8 => self.varint().and_then(|length| self.take(length)),
            9 | 10 if depth < MAX_DEPTH => {
                let head = self.byte()?;
                let length = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                // In a list, a Boolean takes a byte.
                let kind = if matches!(head & 15, 1 | 2) { 3 } else { head & 15 };
                (0..length).try_for_each(|_| self.skip(kind, depth + 1))
            }
            12 if depth < MAX_DEPTH => {
                let mut previous = 0;
                loop {
                    let (current, kind) = self.next_field(previous)?;
                    if kind == STOP {
                        return Some(());
                    }
                    self.skip(kind, depth + 1)?;
                    previous = current;
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

    /// Reads a variable-length integer: seven bits per byte, the least significant first.
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

    /// Reads a zigzag-encoded integer: 0, -1, 1, -2, …
    fn signed(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Field 1 is an i32, 2 a list of structures with a text and a Boolean, and 8 an empty structure.
    #[test]
    fn fields_are_found_after_other_fields() {
        let list = [0x19, 0x2c, 0x18, 1, b'a', 0, 0x18, 2, b'b', b'c', 0x11, 0];
        let bytes = [&[0x15, 0x84, 0x01][..], &list, &[0x6c, 0, 0, 7]].concat();
        assert_eq!(Fields(&bytes).has(8), Some(true));
        assert_eq!(Fields(&bytes).has(7), Some(false));
        assert_eq!(Fields(&bytes[..9]).has(8), None);
        let mut fields = Fields(&bytes);
        assert_eq!(fields.numbers([1, 2, 3]), Some([Some(66), None, None]));
        assert_eq!(fields.0, [7]);
        // The ID of a field may be encoded in full.
        assert_eq!(Fields(&[0x05, 0x10, 0x01, 0]).numbers([8]), Some([Some(-1)]));
        // Endlessly nested structures.
        assert_eq!(Fields(&[0x1c; 100]).has(8), None);
    }
}
