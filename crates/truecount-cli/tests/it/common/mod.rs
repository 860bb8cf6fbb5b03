//! Runs the command in a temporary folder, and writes the tables that it reads.

#[path = "../../../../truecount-tables/tests/it/common/encode.rs"]
pub mod encode;
mod folder;
pub mod transcript;

pub use encode::{arrow_file, arrow_stream, batch, gzip, workbook};
pub use folder::{Folder, Run, any_version};

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

const PROGRAM: &str = "truecount";

/// Returns a file of the spam data.
pub fn spam(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/spam").join(name)).unwrap()
}

impl Folder {
    /// A folder with `train.csv`: twelve positives around 2, twelve negatives around 0.
    pub fn with_train() -> Self {
        let spread = [-1.4, -0.9, -0.6, -0.4, -0.2, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1.3];
        let rows = |mean: f64, label: u8| spread.map(|s| format!("{:.1},{label}\n", s + mean)).concat();
        Self::new().file("train.csv", format!("score,label\n{}{}", rows(2.0, 1), rows(0.0, 0)))
    }

    /// A folder with the spam data's `train.csv` and `weeks.csv`.
    pub fn with_spam() -> Self {
        Self::new().file("train.csv", spam("train.csv")).file("weeks.csv", spam("weeks.csv"))
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Returns the sorted names in this folder within the folder.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn parquet(&self, name: &str) -> RecordBatch {
        let file = fs::File::open(self.path().join(name)).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let schema = builder.schema().clone();
        let batches: Vec<RecordBatch> = builder.build().unwrap().map(Result::unwrap).collect();
        concat_batches(&schema, &batches).unwrap()
    }

    pub fn run_with(&self, arguments: &str, stdin: impl Into<Vec<u8>>) -> Run {
        self.run_all(arguments.split_whitespace(), stdin)
    }

    /// Runs the command with arguments that may contain spaces.
    pub fn run_words(&self, words: &[String]) -> Run {
        self.run_all(words, "")
    }

    /// Runs the command, which must succeed.
    #[track_caller]
    pub fn run_ok(&self, arguments: &str) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
        run
    }

    #[track_caller]
    pub fn stdout(&self, arguments: &str) -> String {
        self.run_ok(arguments).stdout
    }

    #[track_caller]
    pub fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.stdout(&format!("{arguments} --format json"))).unwrap()
    }
}

/// Returns the rows of a table in CSV, by the names of the columns.
pub fn csv_rows(text: &str) -> Vec<HashMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

pub fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 3).unwrap()
}

/// Returns a Parquet file with this many rows in each row group.
pub fn parquet(batch: &RecordBatch, rows: usize) -> Vec<u8> {
    encode::parquet(batch, rows, Compression::UNCOMPRESSED)
}
