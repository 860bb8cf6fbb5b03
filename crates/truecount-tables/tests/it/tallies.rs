//! Tally files: a round trip to the bit, merging, and files that are refused.

use crate::common::{Folder, batch, model, parquet, spread, test_files, texts};
use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use parquet::basic::Compression;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use truecount::Model;
use truecount_tables::groups::TestFiles;
use truecount_tables::input::{self, Fingerprint};
use truecount_tables::tally::{self, TallyFile, TallyMerger};
use truecount_tables::{NoProgress, whole_file};

/// Methods that add up, count in bins, and keep all scores.
const METHODS: [&str; 5] = ["es", "cc", "ms-quapy", "t-ms", "o-cs"];

/// Rows with typed groups.
fn table(from: u32, rows: u32) -> Vec<(&'static str, ArrayRef)> {
    let day = |i: u32| (i % 7 != 3).then_some(i64::from(20_000 + i % 4));
    let days: ArrayRef = Arc::new((from..from + rows).map(day).collect::<Int64Array>());
    let days = cast(&cast(&days, &DataType::Int32).unwrap(), &DataType::Date32).unwrap();
    let word = |i: u32| Some(["a", "", "é, \"x\""][(i % 3) as usize]);
    vec![
        ("score", Arc::new(Float64Array::from_iter_values((from..from + rows).map(|i| 3.0 * spread(i) - 1.0)))),
        ("day", days),
        ("word", Arc::new((from..from + rows).map(word).collect::<StringArray>())),
        ("w", Arc::new(Float64Array::from_iter_values((from..from + rows).map(|i| f64::from(i % 5) / 8.0)))),
    ]
}

struct Tallies {
    folder: Folder,
    model: Model,
}

impl Tallies {
    fn new(methods: &[&str]) -> Self {
        Self { folder: Folder::new(), model: model(methods) }
    }

    fn write(&self, name: &str, rows: Vec<(&str, ArrayRef)>, by: &[&str], weight: Option<&str>) -> PathBuf {
        let content = parquet(&batch(rows), 97, Compression::UNCOMPRESSED);
        let (paths, by) = ([self.folder.file(&format!("{name}.parquet"), content)], texts(by));
        let fingerprint = Fingerprint::default();
        let files = TestFiles { weight, fingerprint: Some(&fingerprint), ..test_files(&paths, &by) };
        let groups = files.tally(&self.model).unwrap();
        let sources = vec![format!("{name}.parquet")];
        let content = tally::bytes(&groups, &self.model, weight.is_some(), sources, Some(fingerprint.value()));
        let path = self.folder.path().join(name);
        whole_file::write(&path, &content).unwrap();
        path
    }

    fn read(&self, path: &Path) -> Result<TallyFile, truecount::Error> {
        TallyFile::read(input::open(path, &NoProgress).unwrap(), &self.model)
    }

    /// Merges files, and returns the content of the merged tally file.
    fn merge(&self, paths: &[&PathBuf], by: &[&str]) -> Result<Vec<u8>, truecount::Error> {
        let mut merger = TallyMerger::new(self.read(paths[0])?, &texts(by), false)?;
        for path in &paths[1..] {
            merger.add(self.read(path)?)?;
        }
        Ok(tally::bytes(&merger.finish(), &self.model, false, Vec::new(), None))
    }
}

#[test]
fn tallies_survive_a_file_to_the_bit() {
    for (methods, weight) in [(&METHODS[..], None), (&["es", "cc", "o-cs"][..], Some("w"))] {
        let tallies = Tallies::new(methods);
        for by in [&["day", "word"][..], &["day"], &[]] {
            let path = tallies.write("a", table(0, 500), by, weight);
            let file = tallies.read(&path).unwrap();
            assert_eq!(file.sources(), ["a.parquet"]);
            let (paths, names) = ([tallies.folder.path().join("a.parquet")], texts(by));
            let groups = TestFiles { weight, ..test_files(&paths, &names) }.tally(&tallies.model).unwrap();
            assert!(file.groups.contents == groups.contents, "{by:?}");
            assert_eq!(file.groups.keys.batch(), groups.keys.batch(), "{by:?}");
            assert!(file.groups.shift_total == groups.shift_total, "{by:?}");
        }
    }
}

/// Parts that are tallied on their own and merged have the counts of all rows at once, and the sums
/// up to rounding; merging is a round trip, too.
#[test]
fn merged_tallies_are_those_of_all_rows() {
    let tallies = Tallies::new(&["ms-quapy"]);
    let parts = [(0, 300), (300, 10), (310, 690)];
    let parts: Vec<PathBuf> = (0..3)
        .map(|part| tallies.write(&part.to_string(), table(parts[part].0, parts[part].1), &["day", "word"], None))
        .collect();
    let whole = tallies.write("whole", table(0, 1000), &["day", "word"], None);
    let paths: Vec<&PathBuf> = parts.iter().collect();
    let merged = tallies.merge(&paths, &[]).unwrap();
    assert!(merged == tallies.merge(&[&whole], &[]).unwrap());
    let by_day = tallies.write("by-day", table(0, 1000), &["day"], None);
    assert!(tallies.merge(&paths, &["day"]).unwrap() == tallies.merge(&[&by_day], &[]).unwrap());
    let mut days_as_texts = table(0, 10);
    days_as_texts[1].1 = cast(&days_as_texts[1].1, &DataType::Utf8).unwrap();
    let of_texts = tallies.write("texts", days_as_texts, &["day"], None);
    assert_eq!(tallies.merge(&[&by_day, &of_texts], &[]).unwrap_err().code(), "tally-types");
    let by_none = tallies.write("none", table(0, 1000), &[], None);
    let merged = TallyMerger::new(tallies.read(&by_none).unwrap(), &[], false).unwrap().finish();
    assert_eq!((merged.contents.len(), merged.contents[0].n()), (1, 1000));
}

/// Any flipped bit and any missing end is noticed.
#[test]
fn damaged_tallies_are_refused() {
    let tallies = Tallies::new(&["es"]);
    let path = tallies.write("a", table(0, 60), &["day"], None);
    let whole = std::fs::read(path).unwrap();
    let read = |content: Vec<u8>| TallyFile::parse(content, &tallies.model).map(drop);
    assert!(read(whole.clone()).is_ok());
    for position in 0..whole.len() {
        let mut content = whole.clone();
        content[position] ^= 1 << (position % 8);
        assert!(read(content).is_err(), "byte {position} of {}", whole.len());
        assert!(read(whole[..position].to_vec()).is_err(), "{position} of {} bytes", whole.len());
    }
    assert!(read([whole.as_slice(), &whole].concat()).is_err());
    let replaced = |from: &str, to: &str| {
        let position = whole.windows(from.len()).rposition(|bytes| bytes == from.as_bytes()).unwrap();
        [&whole[..position], to.as_bytes(), &whole[position + from.len()..]].concat()
    };
    let message = |content| read(content).unwrap_err().to_string();
    assert!(message(replaced("\"version\":2", "\"version\":3")).contains("has version 3"));
    assert!(message(replaced("\"groups\":", "\"graups\":")).contains("the tally is damaged"));
    assert!(message(whole[..100].to_vec()).contains("cut off"));
    let plain = parquet(&batch(table(0, 5)), 5, Compression::UNCOMPRESSED);
    assert!(message(plain).contains("is a Parquet file, but not a tally"));
}
