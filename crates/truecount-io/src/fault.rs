//! Every fault a table, a tally or a file can have: its code, its sentence and its values, each in one place.
//!
//! A sentence follows the place that it is about, and names no option of any program: whoever has options says which
//! one helps.

use std::fmt;
use truecount::{Condition, Field};

/// The values of a fault are read by name in its sentence, which is written as for `format!`.
macro_rules! faults {
    ($(
        $(#[doc = $meaning:literal])+
        #[fault($code:literal, $($sentence:tt)+)]
        $variant:ident $({ $($field:ident: $type:ty),+ })?,
    )+) => {
        /// What is wrong. Codes stay as they are once published.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(missing_docs)] // the sentences say what the values are
        pub enum Fault {
            $($(#[doc = $meaning])+ $variant $({ $($field: $type),+ })?,)+
            /// The library refuses the contents.
            Library(truecount::Error),
            /// Positives score lower than those with this label.
            Inverted { error: truecount::Error, negatives: String },
        }

        impl Fault {
            /// All that are not the library's own: code, meaning.
            pub const TABLE: &'static [(&'static str, &'static str)] =
                &[$(($code, concat!($($meaning),+).trim_ascii())),+];

            /// What is the matter, in a few words joined by hyphens.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)+
                    Self::Library(error) | Self::Inverted { error, .. } => error.code(),
                }
            }

            /// The values it is about, by name.
            pub fn fields(&self) -> Vec<(&'static str, Field)> {
                match self {
                    $(Self::$variant $({ $($field),+ })? => vec![$($((stringify!($field), $field.tell())),+)?],)+
                    Self::Library(error) => error.fields(),
                    Self::Inverted { error, negatives } => {
                        error.fields().into_iter().chain([("negatives", negatives.tell())]).collect()
                    }
                }
            }
        }

        impl fmt::Display for Fault {
            #[allow(unused_variables)] // a value need not stand in the sentence
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => write!(f, $($sentence)+),)+
                    Self::Library(error) | Self::Inverted { error, .. } => error.fmt(f),
                }
            }
        }
    };
}

faults! {
    /// The file, or a part of it, cannot be read.
    #[fault("unreadable", "{reason}")]
    Unreadable { reason: String },

    /// A folder stands where a file should be named.
    #[fault("folder", "{file} is a folder; name a file, or all of them: '{file}/*'")]
    Folder { file: String },

    /// Two inputs would be read from standard input.
    #[fault("standard-input-twice", "only one input can be standard input")]
    StandardInputTwice,

    /// A file is named twice.
    #[fault("file-twice", "{file} is named twice (file {number}); its rows would count twice")]
    NamedTwice { file: String, number: usize },

    /// A pattern for names of files is none.
    #[fault("pattern", "'{pattern}': {reason}")]
    Pattern { pattern: String, reason: String },

    /// No file has such a name.
    #[fault("no-such-files", "no file is named '{pattern}'")]
    NoSuchFiles { pattern: String },

    /// The file is of a kind that cannot be read.
    #[fault("file-kind", "is {found}")]
    FileKind { found: &'static str },

    /// There is nothing in the file.
    #[fault("file-empty", "is empty; it needs a header line and rows")]
    FileEmpty,

    /// The header is in another encoding.
    #[fault("header-not-utf8", "the header is not UTF-8 text; save the file as UTF-8")]
    HeaderNotUtf8,

    /// Lines end as they did on old machines.
    #[fault("carriage-returns", "lines end in carriage returns alone; save the file with ordinary line ends")]
    CarriageReturns,

    /// There is a header and nothing else.
    #[fault("no-rows", "there are no rows below the header")]
    NoRows,

    /// No column has that name.
    #[fault("column-unknown", "there is no column '{column}'; the columns are {}", quoted(columns))]
    ColumnUnknown { column: String, columns: Vec<String> },

    /// No column has that name, for the first line has numbers.
    #[fault(
        "header-missing",
        "there is no column '{column}'; the columns are {}; is the header line missing?", quoted(columns)
    )]
    HeaderMissing { column: String, columns: Vec<String> },

    /// Several columns have that name.
    #[fault("column-ambiguous", "several columns are called '{column}'; rename all but one")]
    ColumnAmbiguous { column: String },

    /// A row has no end.
    #[fault(
        "row-too-large",
        "the row goes on for more than {megabytes} MB; is a quote missing, or is this no table?"
    )]
    RowTooLarge { megabytes: usize },

    /// A row has so many lines that a quote must have been forgotten.
    #[fault("row-too-long", "the row goes on for {lines} lines; a quote that opens there is closed too late")]
    RowTooLong { lines: u64 },

    /// A row has more or fewer cells than the header.
    #[fault(
        "row-width",
        "the row has {cells} {}, the header {columns}; check quotes, delimiters and decimal commas",
        if *cells == 1 { "cell" } else { "cells" }
    )]
    RowWidth { cells: usize, columns: usize },

    /// The table ends within a quote.
    #[fault("quote-never-closed", "a quote that opens in line {line} is never closed")]
    QuoteNeverClosed { line: u64 },

    /// A quote ends in the middle of a cell.
    #[fault(
        "quote-closed-early",
        "text follows a closing quote in line {line}, of a cell whose quote opens in line {opened}; \
         is a quote missing, or one too many?"
    )]
    QuoteClosedEarly { line: u64, opened: u64 },

    /// Nothing is in the cell.
    #[fault("empty", "is empty; correct it or remove the row")]
    Empty,

    /// A value is null.
    #[fault("null", "is null; fill it in or remove the row")]
    Null,

    /// A cell is in another encoding.
    #[fault("not-utf8", "is not UTF-8 text; correct it or remove the row")]
    NotUtf8,

    /// A number is written with a comma.
    #[fault(
        "decimal-comma",
        "is '{value}'; write numbers with a decimal point and nothing between thousands; correct it or remove the row"
    )]
    DecimalComma { value: String },

    /// A score or another number is NaN, infinite, or no number at all.
    #[fault("not-finite", "is '{value}', not a finite number; correct it or remove the row")]
    NotFinite { value: String },

    /// A score is not strictly between 0 and 1, which the transform or the family needs.
    #[fault("score-outside-unit-interval", "is '{value}'; {needed_by} needs scores above 0 and below 1")]
    OutsideUnitInterval { value: f64, needed_by: &'static str },

    /// A probability is not between 0 and 1.
    #[fault(
        "probability-out-of-range",
        "is '{value}'; probabilities lie between 0 and 1; correct it or remove the row"
    )]
    NotAProbability { value: f64 },

    /// A weight is negative, or too small or too large to be squared.
    #[fault(
        "weight-out-of-range",
        "is '{value}'; weights are 0 or positive, from 1e-100 to 1e100; correct it or remove the row"
    )]
    NotAWeight { value: String },

    /// A count is none.
    #[fault("not-whole", "is '{value}', not a whole number from 0; correct it or remove the row")]
    NotWhole { value: String },

    /// A method is none of the model's.
    #[fault(
        "method-not-in-model",
        "is '{value}', the methods of the model are {}; correct it or remove the row", methods.join(", ")
    )]
    MethodNotInModel { value: String, methods: Vec<String> },

    /// Something else is wrong with a cell, with what to do about it.
    #[fault("cell", "{what}; {remedy}")]
    Cell { what: String, remedy: &'static str },

    /// A column does not hold numbers.
    #[fault(
        "column-not-numbers",
        "the column '{column}' holds {kind}, not numbers; name another column, or write it as numbers"
    )]
    NotNumbers { column: String, kind: String },

    /// The values of a column cannot make groups.
    #[fault(
        "column-not-groups",
        "the column '{column}' holds {kind}; groups are made of texts, numbers, dates, times and booleans"
    )]
    NotGroups { column: String, kind: String },

    /// A column that makes groups is of another type than in another file.
    #[fault("column-types", "the column '{column}' holds {kind}, in {first} {first_kind}; groups need one type")]
    ColumnTypes { column: String, kind: String, first: String, first_kind: String },

    /// Values cannot be compared.
    #[fault("grouping", "grouping: {reason}")]
    Grouping { reason: String },

    /// A Parquet or Arrow file is damaged.
    #[fault("file-damaged", "is no whole {format} file ({reason}); get a complete copy")]
    FileDamaged { format: &'static str, reason: String },

    /// A Parquet or Arrow file is damaged from a row on.
    #[fault("rows-damaged", "cannot be read ({reason}); get a complete copy")]
    RowsDamaged { reason: String },

    /// No row counts.
    #[fault("nothing-weighed", "all weights{} are 0; remove these rows, or weigh some of them", of(group.as_deref()))]
    NothingWeighed { group: Option<String> },

    /// There are not two labels.
    #[fault("label-number", "two labels are needed, found {found}; {remedy}")]
    LabelNumber { found: String, remedy: &'static str },

    /// No label is the positive one. The first one found is an example.
    #[fault("positive-unknown", "no label is '{positive}', found {found}; name the positive one")]
    PositiveUnknown { positive: String, found: String, example: String },

    /// Something that is not a file stands in the way of one.
    #[fault("not-replaceable", "{file} is not a file that can be replaced")]
    NotReplaceable { file: String },

    /// A file stands in the way of a folder.
    #[fault("not-a-folder", "{file} is a file; name a folder")]
    NotAFolder { file: String },

    /// The folder that a file should be written to is not there.
    #[fault("folder-missing", "the folder {folder} does not exist")]
    FolderMissing { folder: String },

    /// A file cannot be written.
    #[fault("unwritable", "cannot be written: {reason}")]
    Unwritable { reason: String },

    /// The file is not as it was written.
    #[fault("tally-damaged", "the tally is damaged ({reason}); get a good copy, or tally again")]
    TallyDamaged { reason: String },

    /// The file has no end.
    #[fault("tally-cut-off", "the file is cut off; get a complete copy, or tally again")]
    TallyCutOff,

    /// The file is of another kind.
    #[fault("not-a-tally", "is no tally file; name one that `truecount tally`, or a tally in Python, wrote")]
    NotATally,

    /// The file is another kind of Parquet.
    #[fault("not-a-tally-file", "is Parquet, but no tally; `truecount tally` makes one of scores")]
    NotATallyFile,

    /// The file is neither a tally nor a table of bins.
    #[fault(
        "neither-tally-nor-bins",
        "is no tally: neither a file of `truecount tally` nor a table with the columns {}", columns.join(", ")
    )]
    NeitherTallyNorBins { columns: Vec<String> },

    /// The tally is of a later version.
    #[fault("tally-version", "the tally is of version {found}, this truecount reads version {known}; use a newer truecount")]
    TallyVersion { found: u64, known: u64 },

    /// The tally is of other methods.
    #[fault(
        "tally-methods",
        "the tally is of the methods {}, the model of {}; name the model that it was made with",
        tally.join(", "), model.join(", ")
    )]
    TallyMethods { tally: Vec<String>, model: Vec<String> },

    /// The tally is of another model with these methods.
    #[fault(
        "tally-of-another",
        "the tally was made with another model (fingerprint {tally}, that of this model is {model}); name that one"
    )]
    TallyOfAnother { tally: String, model: String },

    /// The same tally would count twice.
    #[fault("tally-twice", "is the same tally as {first}; name each once")]
    TallyTwice { first: String },

    /// One tally has other groups.
    #[fault("tally-groups", "{}, {first} {}; tally both in the same way", by(columns), by(first_columns))]
    TallyGroups { columns: Vec<String>, first: String, first_columns: Vec<String> },

    /// One tally is of weighted scores.
    #[fault("tally-weights", "{found}, {first} {expected}; tally both in the same way")]
    TallyWeights { found: &'static str, first: String, expected: &'static str },

    /// A column that makes groups is of another type than in another tally.
    #[fault("tally-types", "the column '{column}' is of type {kind}, in {first} of type {first_kind}; make them the same")]
    TallyTypes { column: String, kind: String, first: String, first_kind: String },

    /// The tally has no groups by that column.
    #[fault("tally-column-unknown", "there is no grouping column '{column}'; the tally {}", by(columns))]
    TallyColumnUnknown { column: String, columns: Vec<String> },

    /// Tables of bins have different grouping columns.
    #[fault("bins-groups", "other grouping columns than {first}")]
    BinsGroups { first: String },

    /// No score was counted.
    #[fault("no-scores", "there are no scores")]
    NoScores,

    /// No score was counted for one of the methods.
    #[fault("no-scores-of-method", "there are no scores{} for {method}; leave that group out", of(group.as_deref()))]
    NoScoresOfMethod { group: Option<String>, method: String },
}

impl From<truecount::Error> for Fault {
    fn from(error: truecount::Error) -> Self {
        Self::Library(error)
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
}

fn of(group: Option<&str>) -> String {
    group.map_or_else(String::new, |group| format!(" of '{group}'"))
}

fn by(columns: &[String]) -> String {
    if columns.is_empty() { "has no groups".to_owned() } else { format!("has groups by {}", columns.join(", ")) }
}

/// What can be a value of a fault.
trait Tell {
    fn tell(&self) -> Field;
}

macro_rules! tell {
    ($($type:ty: |$value:ident| $field:expr;)+) => {
        $(impl Tell for $type {
            fn tell(&self) -> Field {
                let $value = self;
                $field
            }
        })+
    };
}

tell! {
    usize: |n| Field::Whole(*n as u64);
    u64: |n| Field::Whole(*n);
    f64: |x| Field::Number(*x);
    &'static str: |text| Field::Text((*text).to_owned());
    String: |text| Field::Text(text.clone());
    Option<String>: |text| Field::Text(text.clone().unwrap_or_default());
    Vec<String>: |names| Field::Texts(names.clone());
}
