//! Damages an input, as disks, networks and people do.

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

    /// A number below this one; 0 below 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).expect("less than a usize")
    }
}

/// Sizes and places that programs get wrong.
const NUMBERS: [u64; 8] = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff];

/// Changes a few things in an input, which has at most so many bytes then; `other` is one to take parts of.
pub fn mutate(input: &mut Vec<u8>, other: &[u8], target: &Target, most: usize, random: &mut Random) {
    for _ in 0..=random.below(4) {
        once(input, other, target.words, random);
    }
    input.truncate(most);
}

fn once(input: &mut Vec<u8>, other: &[u8], words: &[&[u8]], random: &mut Random) {
    let place = random.below(input.len());
    let part = |bytes: &[u8], random: &mut Random| {
        let start = random.below(bytes.len());
        let most = 1 << random.below(12);
        start..start + random.below((bytes.len() - start).min(most) + 1)
    };
    match random.below(8) {
        0 if !input.is_empty() => input[place] ^= 1 << random.below(8),
        1 if !input.is_empty() => {
            let width = 1 << random.below(4);
            let end = input.len().min(place + width);
            let mut number = [0; 8];
            number[..end - place].copy_from_slice(&input[place..end]);
            let number = match random.below(2) {
                0 => NUMBERS[random.below(NUMBERS.len())],
                _ => u64::from_le_bytes(number).wrapping_add(random.below(33) as u64).wrapping_sub(16),
            };
            input[place..end].copy_from_slice(&number.to_le_bytes()[..end - place]);
        }
        2 => input.truncate(place),
        3 => drop(input.drain(part(input, random))),
        4 => {
            let copy = input[part(input, random)].to_vec();
            input.splice(place..place, copy);
        }
        5 => {
            let copy = other[part(other, random)].to_vec();
            let end = if random.below(2) == 0 { place } else { input.len().min(place + copy.len()) };
            input.splice(place..end, copy);
        }
        _ => {
            let word = words[random.below(words.len())];
            let end = if random.below(2) == 0 { place } else { input.len().min(place + word.len()) };
            input.splice(place..end, word.iter().copied());
        }
    }
}
