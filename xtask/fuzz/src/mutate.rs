//! Random damage to an input, such as disks, networks and people cause.

use crate::Target;

/// SplitMix64 (Steele, Lea & Flood 2014).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Returns a random number in [0, end), or 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).expect("less than a usize")
    }
}

/// Sizes and offsets that programs often get wrong.
const NUMBERS: [u64; 8] = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff];

/// Changes an input in one to four steps, and truncates it to `max_size` bytes. Some steps copy
/// parts of `other`.
pub fn mutate(input: &mut Vec<u8>, other: &[u8], target: &Target, max_size: usize, random: &mut Random) {
    for _ in 0..=random.below(4) {
        mutate_once(input, other, target.words, random);
    }
    input.truncate(max_size);
}

fn mutate_once(input: &mut Vec<u8>, other: &[u8], words: &[&[u8]], random: &mut Random) {
    let offset = random.below(input.len());
    let part = |bytes: &[u8], random: &mut Random| {
        let start = random.below(bytes.len());
        let max_length = 1 << random.below(12);
        start..start + random.below((bytes.len() - start).min(max_length) + 1)
    };
    match random.below(8) {
        0 if !input.is_empty() => input[offset] ^= 1 << random.below(8),
        1 if !input.is_empty() => {
            let width = 1 << random.below(4);
            let end = input.len().min(offset + width);
            let mut number = [0; 8];
            number[..end - offset].copy_from_slice(&input[offset..end]);
            let number = match random.below(2) {
                0 => NUMBERS[random.below(NUMBERS.len())],
                _ => u64::from_le_bytes(number).wrapping_add(random.below(33) as u64).wrapping_sub(16),
            };
            input[offset..end].copy_from_slice(&number.to_le_bytes()[..end - offset]);
        }
        2 => input.truncate(offset),
        3 => drop(input.drain(part(input, random))),
        4 => {
            let copy = input[part(input, random)].to_vec();
            input.splice(offset..offset, copy);
        }
        5 => {
            let copy = other[part(other, random)].to_vec();
            let end = if random.below(2) == 0 { offset } else { input.len().min(offset + copy.len()) };
            input.splice(offset..end, copy);
        }
        _ => {
            let word = words[random.below(words.len())];
            let end = if random.below(2) == 0 { offset } else { input.len().min(offset + word.len()) };
            input.splice(offset..end, word.iter().copied());
        }
    }
}
