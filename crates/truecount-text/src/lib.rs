//! Reads scores from text and workbooks: delimited text such as CSV, JSON and JSON Lines, plain or
//! compressed with gzip, and Excel.
//!
//! The crate runs on one thread and has all file access that a page in a browser needs.
//! truecount-tables adds other formats and threads, and reads text with this crate.
//!
//! - `source` opens files and detects their formats; `encoding` decodes text that is not UTF-8.
//! - `table` splits delimited text into blocks of rows and reads their cells; `json` does the same
//!   for objects.
//! - `workbook` reads Excel; `guard` and `inflation` protect against damaged and hostile files.
//! - `format` opens them all as `pieces`, which are read as chunks of checked rows (`rows`, `cells`).
//! - `files` groups the rows of files and shows the first rows.
//! - `labelled` makes labelled scores from grouped rows, and `class_scores` reads those of several classes.
//! - `missing` counts rows without a value, which are an error or left out.
//! - `numbers` parses numbers and labels as people write them.
//! - `progress` reports how far reading has come.

mod cells;
mod class_scores;
mod encoding;
mod files;
mod format;
mod guard;
mod inflation;
mod json;
mod labelled;
mod missing;
mod numbers;
mod parts;
mod pieces;
mod progress;
mod rows;
mod source;
mod table;
mod workbook;

pub use class_scores::{ClassFiles, compare_classes, sum_counts, whole};
pub use files::{NumberedRows, TextFiles, check_weights, first_rows};
pub use format::open;
pub use guard::catch_decoder_panic;
pub use inflation::is_plausible;
pub use labelled::{LabelClasses, LabelColumns, LabelledTable};
pub use missing::{MissingPolicy, MissingRows};
pub use numbers::{LabelValue, NumberParser};
pub use parts::{SIZE, SizeFormat, group_sizes, split_into_parts};
pub use pieces::{ChunkAndRest, Piece, Pieces};
pub use progress::{Meter, NoProgress, Progress};
pub use rows::{
    CellVisitor, ColumnSelection, Decimal, GroupRows, MAX_ROWS, MAX_TITLE_ROWS, RowNumbers, ScoreColumns, ScoreWords,
    SheetChoice, TextChunk, TextColumn, as_score_error, find_column, invalid_probability, invalid_score,
    invalid_weight,
};
pub use source::{
    Bytes, Compression, FileFormat, GZIP, Input, InputStream, damaged, describe_io_error, is_file, is_stdio, is_zstd,
    length, name, title,
};
pub use table::{Records, TextTable};
