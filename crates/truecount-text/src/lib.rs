//! Scores in text: CSV and its like and JSON lines, as they are or packed with gzip, read on one thread as groups of rows.
//!
//! The crate has all that a page in a browser needs of files. Other formats and threads are those of truecount-tables, which reads text
//! with this crate.
//!
//! `source` opens files and tells their formats. `table` cuts delimited text into blocks of rows and reads their cells; `json` does so with
//! objects. `format` opens both as `pieces`, which are read as chunks of checked rows (`rows`, `cells`). `files` groups the rows of files
//! and shows the first ones. `labelled` makes labelled scores of grouped rows. `progress` shows how far reading has come.

mod cells;
mod files;
mod format;
mod json;
mod labelled;
mod pieces;
mod progress;
mod rows;
mod source;
mod table;

pub use cells::{Cell, CellColumns, CheckedRows};
pub use files::{TextFiles, first_rows};
pub use format::open;
pub use labelled::{LabelColumns, LabelValue, LabelledTable, LabelledText};
pub use pieces::{BytePiece, LinePart, Pieces};
pub use progress::{Meter, Progress, Silent};
pub use rows::{
    Decimal, GroupRows, RowPlaces, ScoreColumns, See, TextChunk, TextColumn, Wanted, at_score, invalid_probability,
    invalid_score, invalid_weight,
};
pub use source::{
    Bytes, GZIP, Input, InputStream, Kind, Packing, describe, is_file, is_stdio, is_zstd, length, name, title,
};
pub use table::{Records, TextTable};
