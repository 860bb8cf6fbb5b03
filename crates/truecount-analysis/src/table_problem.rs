//! Problems of files, tables and tallies, in addition to the library's problems.
//!
//! A sentence follows the location of the error and names no option. Interfaces with options add the option that helps.

use crate::SentenceText;
use std::fmt;
use truecount::error::{ErrorKind, ErrorLocation};
use truecount::{Error, conditions};

conditions! {
    /// A problem of a file, a table or a tally. Codes stay as they are once published.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[allow(missing_docs)] // the sentences say what the values are
    pub enum TableProblem, kind: ErrorKind {
        /// The file, or a part of it, cannot be read.
        #[condition("file-unreadable", File, "{reason}")]
        FileUnreadable { reason: String },

        /// An experiment has an invalid design or unsuitable files.
        #[condition("experiment-not-possible", File, "{problem}")]
        #[hint("{hint}")]
        ExperimentNotPossible { problem: SentenceText, hint: SentenceText },

        /// Long work was interrupted, and its finished parts are kept.
        #[condition("work-interrupted", File, "interrupted: {finished} of {total} {parts} are in {folder}")]
        #[hint("the same command continues there")]
        WorkInterrupted { finished: usize, total: usize, parts: &'static str, folder: String },

        /// A folder is named instead of a file.
        #[condition("folder-not-file", File, "{file} is a folder")]
        #[hint("name a file, or all of them: '{file}/*'")]
        FolderNotFile { file: String },

        /// Two inputs would be read from standard input.
        #[condition("standard-input-twice", Options, "only one input can be standard input")]
        StandardInputTwice,

        /// A file is named twice.
        #[condition(
            "file-twice", Options, "{file} is {} (file {number}), so its rows would count twice",
            if file == first { "named twice".to_owned() } else { format!("the same file as {first}") }
        )]
        #[hint("name each file once")]
        FileTwice { file: String, first: String, number: usize },

        /// A pipe is named twice.
        #[condition("pipe-reused", Options, "{file} is named twice, but a pipe can be read only once")]
        #[hint("copy its content to a file")]
        PipeReused { file: String },

        /// A pattern for file names is invalid.
        #[condition("pattern-invalid", Options, "'{pattern}': {reason}")]
        PatternInvalid { pattern: String, reason: String },

        /// No file matches the pattern.
        #[condition("no-such-files", File, "no file is named '{pattern}'")]
        NoSuchFiles { pattern: String },

        /// The file is of a kind that cannot be read.
        #[condition("file-kind", File, "is {found}")]
        FileKind { found: &'static str },

        /// A small compressed file expands to more than a limit.
        #[condition("decompression-limit", File, "{packed} bytes unpack to more than {megabytes} MB")]
        #[hint("unpack the file and check its content")]
        DecompressionLimit { packed: u64, megabytes: usize },

        /// The file is empty.
        #[condition("file-empty", File, "is empty")]
        #[hint("it needs a header line and rows")]
        FileEmpty,

        /// The header is in an unknown encoding.
        #[condition("header-not-text", File, "the header is text neither in UTF-8 nor in Windows-1252")]
        #[hint("save the file as UTF-8")]
        HeaderNotText,

        /// Lines end in carriage returns only.
        #[condition("carriage-returns", File, "lines end in carriage returns alone")]
        #[hint("save the file with ordinary line ends")]
        CarriageReturns,

        /// A group has no size.
        #[condition("size-missing", File, "the group '{group}' has no size")]
        #[hint("add a row for it; names must be spelt alike")]
        SizeMissing { group: String },

        /// A group has several sizes.
        #[condition("size-twice", File, "the group '{group}' has {rows} sizes")]
        #[hint("keep one row for it")]
        SizeTwice { group: String, rows: usize },

        /// A group without scores has a size.
        #[condition("size-unused", File, "the group '{group}' has a size but no scores")]
        #[hint("remove its row, merge it with another group, or give it the size 0 in a standard population")]
        SizeUnused { group: String },

        /// A table of sizes has no column of the groups.
        #[condition("sizes-without-groups", File, "there is none of the grouping columns {}", columns.join(", "))]
        #[hint("the table needs one of these columns at least, and a column size")]
        SizesWithoutGroups { columns: Vec<String> },

        /// A group with an audited row has no other rows.
        #[condition("audit-unused", File, "the group '{group}' has an audited row but no test scores")]
        #[hint("remove the row, or add the group's scores")]
        AuditUnused { group: String },

        /// A size is not a number above 0.
        #[condition("not-a-size", File, "'{value}' is not the size of a group")]
        #[hint("sizes are numbers above 0")]
        NotASize { value: String },

        /// A column of sizes is not the same throughout a group.
        #[condition("sizes-differ", File, "the column '{column}' has both {values} in the group '{group}'")]
        #[hint("a group has one size")]
        SizesDiffer { column: String, group: String, values: String },

        /// A table of counts has several rows of one group.
        #[condition("group-twice", File, "{} more than one row",
            group.as_ref().map_or_else(|| "the table has".to_owned(), |group| format!("the group '{group}' has")))]
        #[hint("add them up, or name the columns that tell them apart")]
        GroupTwice { group: Option<String> },

        /// The table has only a header.
        #[condition("no-rows", File, "there are no rows below the header")]
        NoRows,

        /// A formula of a workbook has no value, because the workbook was not calculated.
        #[condition("formula-without-value", File, "is a formula without a value")]
        #[hint("open the workbook in Excel or LibreOffice, and save it")]
        FormulaWithoutValue,

        /// A number of a workbook that names groups is so large that its last digits are lost.
        #[condition("digits-lost", File, "is the number {number}, which has more digits than Excel keeps")]
        #[hint("store such numbers as text in the workbook, or use CSV or Parquet")]
        DigitsLost { number: String },

        /// No sheet has that name.
        #[condition("sheet-unknown", File, "there is no sheet '{sheet}'")]
        #[hint("the sheets are {}", nearest(sheet, sheets))]
        SheetUnknown { sheet: String, sheets: Vec<String> },

        /// A sheet is named for a file that is not a workbook.
        #[condition("sheet-without-workbook", File, "is not an Excel workbook, so it has no sheet '{sheet}'")]
        #[hint("leave out the sheet")]
        SheetWithoutWorkbook { sheet: String },

        /// No column has that name.
        #[condition("column-unknown", File, "there is no column '{column}'")]
        #[hint("the columns are {}", nearest(column, columns))]
        ColumnUnknown { column: String, columns: Vec<String> },

        /// No column has that name, and the first line contains numbers instead of names.
        #[condition("header-missing", File, "there is no column '{column}'")]
        #[hint("the columns are {}; is the header line missing?", nearest(column, columns))]
        HeaderMissing { column: String, columns: Vec<String> },

        /// Several columns have that name.
        #[condition("column-ambiguous", File, "several columns are called '{column}'")]
        #[hint("rename all but one")]
        ColumnAmbiguous { column: String },

        /// Commas cannot separate both cells and decimals.
        #[condition("commas-both", File, "commas cannot separate both cells and decimals")]
        #[hint("separate the cells with semicolons or tabs, or write numbers with a decimal point")]
        CommasBoth,

        /// A row is too large.
        #[condition("row-too-large", File, "the row is longer than {megabytes} MB")]
        #[hint("is a quote missing, or is the file not a table?")]
        RowTooLarge { megabytes: usize },

        /// A row has too many lines, probably because a closing quote is missing.
        #[condition("row-too-long", File, "the row is longer than {lines} lines")]
        #[hint("is a closing quote missing?")]
        RowTooLong { lines: u64 },

        /// A row of a JSON file is not an object.
        #[condition("row-not-object", File, "the row is not a JSON object ({reason})")]
        #[hint("write one object per line, or all objects in one array")]
        RowNotObject { reason: String },

        /// A row has more or fewer cells than the header.
        #[condition("row-width", File, "the row has {cells} {}, the header {columns}",
            if *cells == 1 { "cell" } else { "cells" })]
        #[hint("{}check quotes, delimiters and decimal commas", if *cells == columns + 1 {
            "if rows begin with names, as R writes them, leave the names out (row.names = FALSE); otherwise "
        } else { "" })]
        RowWidth { cells: usize, columns: usize },

        /// The table ends within a quote.
        #[condition("quote-never-closed", File, "a quote that opens in line {line} is never closed")]
        QuoteNeverClosed { line: u64 },

        /// A quote ends in the middle of a cell.
        #[condition(
            "quote-closed-early", File,
            "text follows a closing quote in line {line} (the quote opens in line {opened})"
        )]
        #[hint("is there a quote missing, or one too many, or do spaces separate the cells?")]
        QuoteClosedEarly { line: u64, opened: u64 },

        /// The cell is empty.
        #[condition("value-empty", Scores, "is empty")]
        #[hint("correct it or remove the row")]
        ValueEmpty,

        /// A value is null.
        #[condition("value-null", Scores, "is null")]
        #[hint("fill it in or remove the row")]
        ValueNull,

        /// A row has no value for a column.
        #[condition("value-missing", Scores, "is missing")]
        #[hint("add it or remove the row")]
        ValueMissing,

        /// A word stands for a missing value.
        #[condition("value-none", Scores, "is '{value}', not a number")]
        #[hint("correct it or remove the row")]
        ValueNone { value: String },

        /// Some rows have no value in a column that needs one.
        #[condition(
            "rows-without-value", Scores, "{rows} of {total} rows {} in {first}",
            if *rows == 1 { "has no value," } else { "have no value, the first" }
        )]
        #[hint("fill the cells in, or remove these rows")]
        RowsWithoutValue { rows: u64, total: u64, first: String, policy: Option<String> },

        /// No row has a value in a column that needs one.
        #[condition("column-without-values", Scores, "none of {rows} rows has a value")]
        #[hint("name another column")]
        ColumnWithoutValues { rows: u64 },

        /// A value that should be a number is something else.
        #[condition("value-not-number", Scores, "is {found}, not a number")]
        #[hint("{remedy}")]
        ValueNotNumber { found: String, remedy: SentenceText },

        /// A value cannot define a group.
        #[condition("value-not-group", Scores, "is {found}")]
        #[hint("groups are made of texts, numbers, dates, times and booleans")]
        ValueNotGroup { found: String },

        /// A cell is in an unknown encoding.
        #[condition("value-not-text", Scores, "is text neither in UTF-8 nor in Windows-1252")]
        #[hint("correct it or remove the row")]
        ValueNotText,

        /// A number is written with a comma.
        #[condition("decimal-comma", Scores, "is '{value}'")]
        #[hint(
            "write numbers with a decimal point and without separators between thousands; correct it or remove \
             the row"
        )]
        DecimalComma { value: String, separator: Option<String> },

        /// A number is written with a point where others have commas.
        #[condition("decimal-point", Scores, "is '{value}', but numbers here have a decimal comma")]
        #[hint("write all numbers so, without separators between thousands")]
        DecimalPoint { value: String },

        /// A number other than a score is NaN or infinite.
        #[condition("value-not-finite", Scores, "is '{value}', not a finite number")]
        #[hint("correct it or remove the row")]
        ValueNotFinite { value: String },

        /// A column has numbers of several forms.
        #[condition("forms-mixed", Scores, "is '{value}', but the column begins with {others}")]
        #[hint("write all numbers in one form")]
        FormsMixed { value: String, others: &'static str },

        /// A test has more than two verdicts.
        #[condition("third-verdict", Scores, "is '{value}', but the verdicts are '{positive}' and '{negative}'")]
        #[hint("correct it or remove the row")]
        ThirdVerdict { value: String, positive: String, negative: String },

        /// A predicted class is neither a label nor a verdict on a labelled row.
        #[condition(
            "verdict-unknown", Scores, "is '{value}', but the labelled rows have only {}", verdicts.join(", ")
        )]
        #[hint("correct it, leave its rows out, or label some of them; probabilities need a column for each class")]
        VerdictUnknown { value: String, verdicts: Vec<String> },

        /// A label of the pool is not among those of the labelled rows.
        #[condition("label-unknown", Labels, "'{value}' is a label here, but not one of {}", labels.join(", "))]
        #[hint("remove its rows, or add labelled rows of it")]
        LabelUnknown { value: String, labels: Vec<String> },

        /// A value that should be a count is not a whole number.
        #[condition("value-not-whole", Scores, "is '{value}', not a whole number of 0 or more")]
        #[hint("counts are numbers of rows, not shares or percent; correct it or remove the row")]
        ValueNotWhole { value: String },

        /// A denominator stands in a table without its rate.
        #[condition(
            "denominator-without-rate", Scores, "is a denominator, but the table has no {rate} here"
        )]
        #[hint("name the column of the denominator, or write the rate as a fraction such as 97/100")]
        DenominatorWithoutRate { rate: String },

        /// A method is not among the model's.
        #[condition(
            "method-not-in-model", Scores,
            "is '{value}', but the model has the methods {}", methods.join(", ")
        )]
        #[hint("correct it or remove the row")]
        MethodNotInModel { value: String, methods: Vec<String> },

        /// Any other problem of a cell, with a remedy.
        #[condition("value-invalid", Scores, "{what}")]
        #[hint("{remedy}")]
        ValueInvalid { what: String, remedy: &'static str },

        /// A column does not have numbers.
        #[condition("column-not-numbers", File, "the column '{column}' holds {kind}, not numbers")]
        #[hint("name another column, or write it as numbers")]
        ColumnNotNumbers { column: String, kind: String },

        /// The values of a column cannot define groups.
        #[condition("column-not-groups", File, "the column '{column}' holds {kind}")]
        #[hint("groups are made of texts, numbers, dates, times and booleans")]
        ColumnNotGroups { column: String, kind: String },

        /// A grouping column has another type than in another file.
        #[condition("column-types", File, "the column '{column}' holds {kind} here, but {first_kind} in {first}")]
        #[hint("use one type in all files")]
        ColumnTypes { column: String, kind: String, first: String, first_kind: String },

        /// There are more groups than can be compared with one another.
        #[condition(
            "too-many-groups", File,
            "there are more than {most} groups, too many for a check that corrects for their number"
        )]
        #[hint("check them together, or group by columns with fewer values")]
        TooManyGroups { most: usize },

        /// Values cannot be compared.
        #[condition("groups-not-comparable", File, "grouping: {reason}")]
        GroupsNotComparable { reason: String },

        /// A Parquet or Arrow file is damaged.
        #[condition("file-damaged", File, "is not a complete {format} file ({reason})")]
        #[hint("get a complete copy")]
        FileDamaged { format: &'static str, reason: String },

        /// Several files were concatenated; readers would see only the last one.
        #[condition(
            "files-joined", File,
            "contains several {format} files, one after another, of which only the last would be read"
        )]
        #[hint("put each into its own file")]
        FilesJoined { format: &'static str },

        /// A Parquet or Arrow file is damaged after a row.
        #[condition("rows-damaged", File, "cannot be read ({reason})")]
        #[hint("get a complete copy")]
        RowsDamaged { reason: String },

        /// The number of different labels is not two.
        #[condition("labels-not-two", Labels, "two labels are needed, found {found}")]
        #[hint("correct the others or remove their rows")]
        LabelsNotTwo { found: String },

        /// All rows have the same label.
        #[condition("one-label", Labels, "two labels are needed, found {found}")]
        #[hint("label some of the other class too")]
        OneLabel { found: String },

        /// A row has the id of another one, so that labels cannot be joined.
        #[condition("duplicate-id", Labels, "has the id '{id}' of another row")]
        #[hint("an id must identify one row")]
        DuplicateId { id: String },

        /// Labels have no score.
        #[condition("unmatched-id", Labels, "has the id '{id}', which is not in {file} ({rows} of {total} labels have no score)")]
        #[hint("ids must be written alike in both tables")]
        UnmatchedId { rows: usize, total: usize, id: String, file: String },

        /// No row has the label of positives. The first label is an example.
        #[condition("positive-unknown", Labels, "no label is '{positive}'; found {found}")]
        #[hint("name the positive label")]
        PositiveUnknown { positive: String, found: String, example: String },

        /// The path of an output file is not that of a regular file.
        #[condition("not-replaceable", File, "{file} is not a file that can be replaced")]
        NotReplaceable { file: String },

        /// The path of an output folder is that of a file.
        #[condition("not-a-folder", File, "{file} is a file")]
        #[hint("name a folder")]
        NotAFolder { file: String },

        /// The folder of an output file does not exist.
        #[condition("folder-missing", File, "the folder {folder} does not exist")]
        FolderMissing { folder: String },

        /// A file cannot be written.
        #[condition("file-unwritable", File, "cannot be written: {reason}")]
        FileUnwritable { reason: String },

        /// The results exceed a limit of Excel.
        #[condition("excel-limit", File, "the results do not fit into an Excel sheet: {limit}")]
        #[hint("write them as CSV or Parquet")]
        ExcelLimit { limit: &'static str },

        /// The tally file is damaged.
        #[condition("tally-damaged", Tally, "the tally is damaged ({reason})")]
        #[hint("get a good copy, or tally again")]
        TallyDamaged { reason: String },

        /// The tally file is cut off.
        #[condition("tally-cut-off", Tally, "the file is cut off")]
        #[hint("get a complete copy, or tally again")]
        TallyCutOff,

        /// The file is of another kind.
        #[condition("tally-file-unknown", Tally, "is not a tally file")]
        #[hint("name a file that contains a saved tally")]
        TallyFileUnknown,

        /// The file is another kind of Parquet.
        #[condition("not-a-tally-file", Tally, "is a Parquet file, but not a tally")]
        NotATallyFile,

        /// The file is neither a tally nor a table of bins.
        #[condition(
            "neither-tally-nor-bins", Tally,
            "is neither a tally file nor a table with the columns {}", columns.join(", ")
        )]
        NeitherTallyNorBins { columns: Vec<String> },

        /// Tallies and tables of bins are named together.
        #[condition("tally-and-table", Tally, "{tally} is a tally file, {table} is not")]
        #[hint("read one kind of file at a time")]
        TallyAndTable { tally: String, table: String },

        /// The tally is of a later version.
        #[condition(
            "tally-version", Tally,
            "the tally has version {found}, but this truecount reads version {known}"
        )]
        #[hint("use a newer truecount")]
        TallyVersion { found: u64, known: u64 },

        /// The tally belongs to other methods.
        #[condition("tally-methods", Tally, "the tally has the methods {}, but the model has {}",
            tally.join(", "), model.join(", "))]
        #[hint("name the model that the tally was made with")]
        TallyMethods { tally: Vec<String>, model: Vec<String> },

        /// The tally belongs to another model with the same methods.
        #[condition(
            "tally-model-mismatch", Tally,
            "the tally was made with another model (fingerprint {tally}, but this model has {model})"
        )]
        #[hint("name that model")]
        TallyModelMismatch { tally: String, model: String },

        /// The same tally would count twice.
        #[condition("tally-twice", Tally, "is the same tally as {first}")]
        #[hint("name each tally once")]
        TallyTwice { first: String },

        /// One tally has other groups.
        #[condition("tally-groups", Tally, "{}, but {first} {}", by(columns), by(first_columns))]
        #[hint("tally both in the same way")]
        TallyGroups { columns: Vec<String>, first: String, first_columns: Vec<String> },

        /// Only one of the tallies has weighted scores.
        #[condition("tally-weights", Tally, "{found}, but {first} {expected}")]
        #[hint("tally both in the same way")]
        TallyWeights { found: &'static str, first: String, expected: &'static str },

        /// A grouping column has another type than in another tally.
        #[condition(
            "tally-types", Tally,
            "the column '{column}' has the type {kind} here, but {first_kind} in {first}"
        )]
        #[hint("use one type")]
        TallyTypes { column: String, kind: String, first: String, first_kind: String },

        /// The tally has no grouping column with that name.
        #[condition("tally-column-unknown", Tally, "there is no grouping column '{column}'")]
        #[hint("the tally {}", by(columns))]
        TallyColumnUnknown { column: String, columns: Vec<String> },

        /// Tables of bins have different grouping columns.
        #[condition("bins-groups", Tally, "the grouping columns differ from those of {first}")]
        BinsGroups { first: String },

        /// No score was counted.
        #[condition("no-scores", Scores, "there are no scores")]
        NoScores,

        /// No score was counted for one of the methods.
        #[condition("no-scores-of-method", Scores, "there are no scores{} for {method}", in_group(group.as_deref()))]
        #[hint("leave that group out")]
        NoScoresOfMethod { group: Option<String>, method: String },
    }
}

/// Maximum number of names in a message, and of characters of each.
const MAX_NAMES: usize = 10;
const MAX_NAME: usize = 100;

impl TableProblem {
    /// Returns a function for `map_err` that creates the error for an unreadable file.
    pub fn unreadable<E: fmt::Display>(file: impl fmt::Display) -> impl FnOnce(E) -> Error {
        move |error| ErrorLocation::file(file).error(Self::FileUnreadable { reason: error.to_string() })
    }

    /// Returns the problem of a text that is empty or stands for a missing value.
    pub fn without_value(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::ValueEmpty);
        }
        Self::is_missing_word(text).then(|| Self::ValueNone { value: text.to_owned() })
    }

    /// Returns whether programs write this word for a missing value.
    pub fn is_missing_word(text: &str) -> bool {
        // Words of pandas, R, Excel, SAS and Stata.
        let words = [
            "na", "n/a", "#n/a", "#na", "#n/a n/a", "<na>", "nan", "-nan", "nat", "null", "none", "1.#ind", "-1.#ind",
            "1.#qnan", "-1.#qnan", ".",
        ];
        words.iter().any(|word| text.eq_ignore_ascii_case(word))
    }

    /// Creates the problem of a text that should be a finite number.
    pub fn not_a_number(text: String) -> Self {
        if Self::is_missing_word(&text) {
            return Self::ValueNone { value: text };
        }
        if text.parse::<f64>().is_ok() {
            return Self::ValueNotFinite { value: text };
        }
        let remedy = SentenceText("correct it or remove the row".to_owned());
        Self::ValueNotNumber { found: format!("'{text}'"), remedy }
    }

    /// Creates the problem of a value whose type is not numeric.
    pub fn not_of_numbers(found: String) -> Self {
        let remedy = SentenceText("write it as a number, or name another column".to_owned());
        Self::ValueNotNumber { found, remedy }
    }
}

/// Lists names in quotes: all, or the ten of many that are most like the wanted one.
fn nearest(wanted: &str, names: &[String]) -> String {
    let start = |name: &str| name.chars().take(MAX_NAME).collect::<String>();
    let mut listed: Vec<String> = names.iter().map(|name| start(name)).collect();
    if names.len() > MAX_NAMES {
        let wanted = start(&wanted.to_lowercase());
        listed.sort_by_cached_key(|name| strsim::damerau_levenshtein(&wanted, &name.to_lowercase()));
    }
    abridged_list(listed.iter().map(|name| format!("'{name}'")))
}

/// Lists the first ten of some items, and the number of the others.
pub fn abridged_list(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(MAX_NAMES);
    let shown = items.take(MAX_NAMES).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn in_group(group: Option<&str>) -> String {
    group.map_or_else(String::new, |group| format!(" of '{group}'"))
}

fn by(columns: &[String]) -> String {
    if columns.is_empty() { "has no groups".to_owned() } else { format!("has groups by {}", columns.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_have_several_words() {
        let codes: BTreeSet<_> = TableProblem::TABLE.iter().map(|(code, ..)| *code).collect();
        assert_eq!(codes.len(), TableProblem::TABLE.len());
        for code in codes {
            let is_a_word = |word: &str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_lowercase() || c == b'8');
            assert!(code.contains('-') && code.split('-').all(is_a_word), "{code}");
        }
    }

    #[test]
    fn codes_shared_with_the_library_have_the_same_kind() {
        for (code, kind, _) in TableProblem::TABLE {
            if let Some((_, library_kind, _)) =
                truecount::error::Problem::TABLE.iter().find(|(known, ..)| known == code)
            {
                assert_eq!(kind, library_kind, "{code}");
            }
        }
    }

    #[test]
    fn lists_end_after_the_ten_most_similar_names() {
        let mut columns: Vec<String> = (0..20_000).map(|column| format!("gene_{column}")).collect();
        columns.push("Score".to_owned());
        let error = Error::from(TableProblem::ColumnUnknown { column: "score".to_owned(), columns });
        let hint = truecount::error::Condition::hint(&error).unwrap();
        assert!(hint.starts_with("the columns are 'Score', 'gene_") && hint.ends_with(" and 19991 more"), "{hint}");
        assert!(hint.len() < 200, "{hint}");
    }

    /// Only the interfaces know options and commands.
    #[test]
    fn sentences_name_no_options_and_no_commands() {
        let (_, sentences) = include_str!("table_problem.rs").split_once("\n    pub enum TableProblem").unwrap();
        let (sentences, _) = sentences.split_once("\n    }\n").unwrap();
        for line in sentences.lines().filter(|line| !line.trim_start().starts_with("///")) {
            assert!(!line.contains("--") && !line.contains('`'), "{line}");
        }
    }
}
