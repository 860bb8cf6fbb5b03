//! What a tally file says of itself, as JSON text in the Parquet file's metadata.

use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::hash::Hasher;
use std::ops::Range;
use truecount::Model;
use truecount_analysis::TableProblem;
use twox_hash::XxHash64;

/// The metadata's key.
pub const KEY: &str = "truecount tally";
const VERSION: u64 = 2;

/// What stands before the checksum in the text, and in its place until it is known.
const MARK: &[u8] = b"\"checksum\":\"";
const UNKNOWN: &str = "0000000000000000";

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    format: String,
    version: u64,
    written_by: String,
    /// The model's fingerprint.
    model: String,
    methods: Vec<String>,
    /// The grouping columns.
    pub by: Vec<String>,
    pub weighted: bool,
    pub shift: ShiftTallies,
    /// Where the scores came from.
    pub sources: Vec<String>,
    /// The fingerprint of the rows that were tallied, in hexadecimal: the same rows are the same, whatever their file is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<String>,
    /// How many groups, and how many scores in all of them.
    pub groups: u64,
    pub scores: u64,
    /// XXH64 of the whole file, in hexadecimal, with zeros in its own place. The last field.
    pub checksum: String,
}

/// What there is of the shift check.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShiftTallies {
    None,
    /// A tally with each group.
    Each,
    /// The counts of all groups together.
    Together(Vec<u64>),
}

impl About {
    pub fn new(
        model: &Model,
        by: Vec<String>,
        weighted: bool,
        shift: ShiftTallies,
        sources: Vec<String>,
        rows: Option<u64>,
        sizes: [u64; 2],
    ) -> Self {
        Self {
            format: KEY.to_owned(),
            version: VERSION,
            written_by: concat!("truecount ", env!("CARGO_PKG_VERSION")).to_owned(),
            model: model.fingerprint(),
            methods: methods(model),
            by,
            weighted,
            shift,
            sources,
            rows: rows.map(|rows| format!("{rows:016x}")),
            groups: sizes[0],
            scores: sizes[1],
            checksum: UNKNOWN.to_owned(),
        }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("nothing that JSON cannot hold")
    }

    /// From the file's metadata.
    pub fn read(text: &str) -> Result<Self, TableProblem> {
        let damaged = |e: serde_json::Error| TableProblem::TallyDamaged { reason: e.to_string() };
        let value: Value = serde_json::from_str(text).map_err(damaged)?;
        match value["version"].as_u64() {
            Some(found) if found > VERSION => Err(TableProblem::TallyVersion { found, known: VERSION }),
            _ => serde_json::from_value(value).map_err(damaged),
        }
    }

    /// What tells the tally from others: the rows it is of, or its whole file where they are not known.
    pub fn identity(&self) -> &str {
        self.rows.as_ref().unwrap_or(&self.checksum)
    }

    /// Refuses a tally that was not made with this model.
    pub fn check(&self, model: &Model) -> Result<(), TableProblem> {
        if self.methods != methods(model) {
            return Err(TableProblem::TallyMethods { tally: self.methods.clone(), model: methods(model) });
        }
        if self.model != model.fingerprint() {
            return Err(TableProblem::TallyModelMismatch { tally: self.model.clone(), model: model.fingerprint() });
        }
        Ok(())
    }
}

fn methods(model: &Model) -> Vec<String> {
    model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect()
}

/// Writes the checksum of a finished file into it.
pub fn seal(file: &mut [u8]) {
    let place = place(file).expect("a file with this metadata");
    let checksum = format!("{:016x}", XxHash64::oneshot(0, file));
    file[place].copy_from_slice(checksum.as_bytes());
}

/// Whether the file is as it was written.
pub fn is_whole(file: &[u8], checksum: &str) -> bool {
    let Some(place) = place(file) else { return false };
    let mut hash = XxHash64::with_seed(0);
    hash.write(&file[..place.start]);
    hash.write(UNKNOWN.as_bytes());
    hash.write(&file[place.end..]);
    format!("{:016x}", hash.finish()) == checksum
}

/// Where the checksum stands.
fn place(file: &[u8]) -> Option<Range<usize>> {
    let start = memmem::rfind(file, MARK)? + MARK.len();
    (start + UNKNOWN.len() <= file.len()).then(|| start..start + UNKNOWN.len())
}
