//! Runs the command in a temporary folder, and writes the tables that it reads.

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_select::concat::concat_batches;
use assert_cmd::Command;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Replaces the version of the command by X.Y.Z, so that a new version changes no test.
pub fn any_version(text: &str) -> String {
    text.replace(env!("CARGO_PKG_VERSION"), "X.Y.Z")
}

/// Returns a file of the spam data.
pub fn spam(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/spam").join(name)).unwrap()
}

/// The result of a run.
#[derive(Clone)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A folder with input files. Commands run inside it, so that messages contain no path of this
/// machine.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

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

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.path().join(name), content).unwrap();
        self
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
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

    pub fn run(&self, arguments: &str) -> Run {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &str, stdin: impl Into<Vec<u8>>) -> Run {
        self.run_all(arguments.split_whitespace(), stdin)
    }

    /// Runs the command with arguments that may contain spaces.
    pub fn run_words(&self, words: &[String]) -> Run {
        self.run_all(words, "")
    }

    fn run_all(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>, stdin: impl Into<Vec<u8>>) -> Run {
        let output = Command::cargo_bin("truecount")
            .unwrap()
            .current_dir(self.path())
            .env("SOURCE_DATE_EPOCH", "1795694400")
            .args(words)
            .write_stdin(stdin)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
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

    /// Returns the stderr of a run that must fail with this code and print nothing to stdout.
    #[track_caller]
    pub fn fails(&self, code: i32, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{}", run.stderr);
        run.stderr.trim_end().to_owned()
    }
}

/// Returns the rows of a table in CSV, by the names of the columns.
pub fn csv_rows(text: &str) -> Vec<HashMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

pub fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 3).unwrap()
}

/// Returns a Parquet file with this many rows in each row group.
pub fn parquet(batch: &RecordBatch, rows: usize) -> Vec<u8> {
    parquet_compressed(batch, rows, "uncompressed")
}

pub fn parquet_compressed(batch: &RecordBatch, rows: usize, codec: &str) -> Vec<u8> {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows));
    let properties = properties.set_compression(codec.parse().unwrap()).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

/// Returns slices of this many rows.
fn parts(batch: &RecordBatch, rows: usize) -> impl Iterator<Item = RecordBatch> {
    (0..batch.num_rows().max(1)).step_by(rows).map(move |from| batch.slice(from, rows.min(batch.num_rows() - from)))
}

fn ipc_options(compression: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(compression).unwrap()
}

/// Returns an Arrow file with this many rows in each batch.
pub fn arrow_file(batch: &RecordBatch, rows: usize, compression: Option<CompressionType>) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), ipc_options(compression)).unwrap();
    parts(batch, rows).for_each(|part| writer.write(&part).unwrap());
    writer.into_inner().unwrap()
}

pub fn arrow_stream(batch: &RecordBatch, rows: usize, compression: Option<CompressionType>) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), ipc_options(compression)).unwrap();
    parts(batch, rows).for_each(|part| writer.write(&part).unwrap());
    writer.into_inner().unwrap()
}
