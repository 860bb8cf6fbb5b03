//! Metadata of a tally file: JSON in the key-value metadata of the Parquet file.

use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::hash::Hasher;
use std::ops::Range;
use truecount::Model;
use truecount_analysis::TableProblem;
use twox_hash::XxHash64;

/// Key of the metadata, and value of its field `format`.
pub const KEY: &str = "truecount tally";
const VERSION: u64 = 2;

/// The text before the checksum.
const CHECKSUM_KEY: &[u8] = b"\"checksum\":\"";
/// Placeholder for the checksum while it is computed.
const PLACEHOLDER: &str = "0000000000000000";

/// Metadata of a tally file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyMetadata {
    format: String,
    version: u64,
    written_by: String,
    model: String,
    methods: Vec<String>,
    /// The grouping columns.
    pub by: Vec<String>,
    pub weighted: bool,
    pub shift: CheckTallies,
    /// The names of the files with the scores.
    pub sources: Vec<String>,
    /// The fingerprint of the tallied rows, in hexadecimal; independent of file names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<String>,
    /// The number of groups.
    pub groups: u64,
    /// The number of scores in all groups.
    pub scores: u64,
    /// XXH64 of the whole file, in hexadecimal, computed with zeros in place of the checksum. The last field.
    pub checksum: String,
}

/// The tallies of the shift check in a tally file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckTallies {
    /// No tally.
    None,
    /// A tally for each group.
    #[serde(rename = "each")]
    PerGroup,
    /// The counts of all groups together.
    #[serde(rename = "together")]
    Total(Vec<u64>),
}

impl TallyMetadata {
    pub fn new(
        model: &Model,
        by: Vec<String>,
        weighted: bool,
        shift: CheckTallies,
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
            checksum: PLACEHOLDER.to_owned(),
        }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("fields that JSON can represent")
    }

    /// Parses the metadata of a file.
    pub fn read(text: &str) -> Result<Self, TableProblem> {
        let damaged = |e: serde_json::Error| TableProblem::TallyDamaged { reason: e.to_string() };
        let value: Value = serde_json::from_str(text).map_err(damaged)?;
        match value["version"].as_u64() {
            Some(version) if version > VERSION => Err(TableProblem::TallyVersion { found: version, known: VERSION }),
            _ => serde_json::from_value(value).map_err(damaged),
        }
    }

    /// Returns the identity of the tallied rows: their fingerprint, or else the checksum of the file.
    pub fn identity(&self) -> &str {
        self.rows.as_ref().unwrap_or(&self.checksum)
    }

    /// Returns an error if the tally was made with another model.
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

/// Inserts the checksum into a complete file.
pub fn insert_checksum(file: &mut [u8]) {
    let range = checksum_range(file).expect("a file with this metadata");
    let checksum = format!("{:016x}", XxHash64::oneshot(0, file));
    file[range].copy_from_slice(checksum.as_bytes());
}

/// Returns whether the file matches its checksum.
pub fn matches_checksum(file: &[u8], checksum: &str) -> bool {
    let Some(range) = checksum_range(file) else { return false };
    let mut hash = XxHash64::with_seed(0);
    hash.write(&file[..range.start]);
    hash.write(PLACEHOLDER.as_bytes());
    hash.write(&file[range.end..]);
    format!("{:016x}", hash.finish()) == checksum
}

/// Returns the range of the checksum in a file.
fn checksum_range(file: &[u8]) -> Option<Range<usize>> {
    let start = memmem::rfind(file, CHECKSUM_KEY)? + CHECKSUM_KEY.len();
    (start + PLACEHOLDER.len() <= file.len()).then(|| start..start + PLACEHOLDER.len())
}
