//! Labelled scores from a file of any format. For a text, the rows must be those of the reference
//! reader.

use crate::disk::with_file;
use crate::{Target, reference, table};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use truecount_tables::input::{self, FileFormat};
use truecount_tables::{LabelledFile, NoProgress};

/// The target of labelled files.
pub const TARGET: Target = Target { name: "labelled", seeds, words: &WORDS, read };

const WORDS: [&[u8]; 17] = [
    b",", b"\n", b"\"", b"1", b"0", b"1.0", b"-0", b"nan", b"1e308", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd",
    b"\x50\x2a\x4d\x18", b"{", b"}", b"[", b"\"score\":", b"null",
];

fn seeds() -> Vec<Vec<u8>> {
    let text: &[u8] = b"score,label\n0.5,1\n-1e-3,0\n2,\"1\"\n1.5,1.0\n-2,0\n0.25,1\n-7,0\n";
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text).expect("room in memory");
    let zstd = zstd::encode_all(text, 3).expect("room in memory");
    let mut skipped = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc".to_vec();
    skipped.extend_from_slice(&zstd);
    let objects: &[u8] = b"{\"score\":0.5,\"label\":1}\n\n{\"label\":\"0\",\"x\":{\"y\":[]},\"score\":-1e-3}\n";
    let array: &[u8] = b"[{\"score\":0.5,\"label\":1},\n{\"label\":\"\\u0030\",\"x\":{\"y\":[]},\"score\":-1e-3}]";
    vec![objects.to_vec(), array.to_vec(), text.to_vec(), gzip.finish().expect("room in memory"), zstd, skipped]
}

fn read(input: &[u8]) {
    with_file(input, |path| {
        let (columns, progress) = (table::SCORES, &NoProgress);
        let file = LabelledFile::new(path, columns, ("label", "1"));
        let Ok(labelled) = file.read(progress) else { return };
        let counts = labelled.positive().len() + labelled.negative().len();
        let input = input::open(path, progress).expect("it was opened before");
        if input.kind() != FileFormat::Text {
            return;
        }
        let text = input.content().expect("it was read before");
        let expected = reference::read(&text).unwrap_or_else(|errors| panic!("{errors:?} went unseen"));
        // Otherwise the header is below titles.
        let Some(column) = expected.header.iter().position(|name| name == "score") else { return };
        assert!(expected.errors.is_empty(), "{:?} went unseen", expected.errors);
        // Numbers may be percentages or Booleans.
        let numbers = expected.rows.iter().map(|(_, cells)| number(&cells[column]));
        let Some(mut scores) = numbers.collect::<Option<Vec<f64>>>() else { return };
        let mut actual = [labelled.positive(), labelled.negative()].concat();
        assert_eq!(counts, scores.len());
        scores.sort_by(f64::total_cmp);
        actual.sort_by(f64::total_cmp);
        assert!(
            actual.iter().zip(&scores).all(|(actual, score)| actual.to_bits() == score.to_bits()),
            "{actual:?}: {scores:?}"
        );
    });
}

/// Returns a plain number. The reader drops the sign of 0.
fn number(cell: &[u8]) -> Option<f64> {
    reference::decode(cell)?.trim().parse::<f64>().ok().map(|number| number + 0.0)
}
