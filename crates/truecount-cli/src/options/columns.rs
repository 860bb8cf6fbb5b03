//! Options for columns: their names, the format of their numbers, grouping and sorting.

use super::one_of;
use crate::error::CliError;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use std::ops::Deref;
use truecount::DatePeriod;
use truecount_analysis::groups::{ColumnBands, ColumnPeriods, TimeZone, time_zone};
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::{ResultRow, Sort, sortable};
use truecount_tables::groups::{ScoreColumns, ScoreWords, SheetChoice};
use truecount_tables::input::{Decimal, MissingPolicy};

/// The grouping columns, from one `--by` or several.
pub struct ByArgs(Vec<String>);

/// The column names in one argument.
#[derive(Clone)]
pub struct ColumnList(pub Vec<String>);

const BY: &str = "by";

impl Deref for ByArgs {
    type Target = Vec<String>;

    fn deref(&self) -> &Vec<String> {
        &self.0
    }
}

impl clap::Args for ByArgs {
    fn augment_args(command: Command) -> Command {
        let by = Arg::new(BY).long(BY).value_name("COL").action(ArgAction::Append).value_parser(names);
        let details = "One estimate for every combination of values of these columns. Names are separated by \
                       commas or given in several --by; a name with a comma is in double quotes, as in \
                       --by '\"City, State\",week'.";
        let line = "Columns to group by, separated by commas";
        command.arg(by.help(line).long_help(format!("{line}\n\n{details}")))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ByArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = matches.get_many::<ColumnList>(BY).into_iter().flatten();
        Ok(Self(typed.flat_map(|ColumnList(names)| names.clone()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|by| *self = by)
    }
}

/// The period that replaces the dates of the last grouping column.
#[derive(clap::Args)]
pub struct EveryArgs {
    /// Group the dates of the last --by column by hour, day, week, month, quarter or year
    ///
    /// As in --by date --every week. A week begins on Monday. Dates look like 2026-01-31, with a
    /// time or without, 31.1.2026, or 31/1/2026 or 1/31/2026 if a date in the column shows whether
    /// the day comes first. Hour and day are taken as written, unless --zone names a time zone.
    #[arg(long, value_name = "PERIOD", value_parser = one_of(DatePeriod::TABLE), requires = "by")]
    every: Option<DatePeriod>,
    /// Convert times to this zone, such as Europe/Berlin, before they are grouped [default: as written]
    ///
    /// A time without an offset is taken as UTC.
    #[arg(long, value_name = "NAME", value_parser = time_zone, requires = "every")]
    zone: Option<TimeZone>,
}

impl EveryArgs {
    /// Returns the periods that replace the dates of the last grouping column.
    pub fn for_columns(&self, by: &[String]) -> Option<ColumnPeriods<'_>> {
        let (column, period) = by.len().checked_sub(1).zip(self.every)?;
        Some(ColumnPeriods { column, period, zone: self.zone.as_ref() })
    }

    /// Returns an error for an option that needs the groups as they are written in the tables.
    pub fn reject_with(&self, option: &str, hint: &'static str) -> Result<(), CliError> {
        match self.every {
            Some(_) => Err(CliError::usage(format!("--every cannot be used with {option}"), hint)),
            None => Ok(()),
        }
    }
}

/// Parses a column with the limits of its bands.
pub fn bands(text: &str) -> Result<ColumnBands, String> {
    ColumnBands::parse(text).ok_or_else(|| "a column and ascending numbers, as in age=50,60,70".to_owned())
}

/// Parses names separated by commas. Two double quotes within double quotes stand for one.
pub fn names(word: &str) -> Result<ColumnList, String> {
    let mut names = Vec::new();
    let mut rest = word;
    loop {
        let (name, after) = if let Some(quoted) = rest.strip_prefix('"') {
            unquoted(quoted).ok_or("a double quote is never closed")?
        } else {
            let (name, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
            (name.to_owned(), after)
        };
        names.push(name);
        match after.strip_prefix(',') {
            Some(more) => rest = more,
            None if after.is_empty() => return Ok(ColumnList(names)),
            None => return Err(format!("'{after}' follows a name in double quotes; a comma should")),
        }
    }
}

/// Splits a text after the opening quote into the quoted text and the rest.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (before, after) = text.split_once('"')?;
    match after.strip_prefix('"') {
        Some(more) => unquoted(more).map(|(name, rest)| (format!("{before}\"{name}"), rest)),
        None => Some((before.to_owned(), after)),
    }
}

/// The names of the score columns.
#[derive(clap::Args)]
pub struct ScoreNames {
    /// Column with the scores [default: score]
    ///
    /// Without --score and with --prob, the column of --prob is read if the labelled table has no column score.
    #[arg(long, value_name = "COL")]
    score: Option<String>,
    /// Column with the probabilities of being positive
    #[arg(long, value_name = "COL")]
    prob: Option<String>,
}

/// The columns with the probabilities of several classes.
#[derive(clap::Args)]
pub struct ClassScoreArgs {
    /// Columns with the probabilities of several classes, such as p_good,p_wrong or 'p_*', or the predicted class
    ///
    /// --label has the true classes. The name of a column ends with the label of its class, or the label is written
    /// before it, as in good=p1,partly=p2,wrong=p3. The methods for estimates are ml, the default, cc, ac, pacc
    /// and sld. A single column has the predicted classes, perhaps with other verdicts such as unsure; its methods are
    /// ac, the default, and cc.
    #[arg(long, value_name = "COL", value_parser = names, conflicts_with_all = WITHOUT_CLASSES)]
    class_scores: Option<ColumnList>,
    /// Column of all tables with the number of equal rows that each line stands for
    ///
    /// With predicted classes, --train is a confusion matrix. Probabilities are rounded to two decimals.
    #[arg(long, value_name = "COL", requires = "class_scores")]
    class_count: Option<String>,
}

/// The options that no command takes with `--class-scores`.
const WITHOUT_CLASSES: [&str; 10] = [
    "score", "prob", "score_positive", "train_score", "train_prob", "positive", "rest", "model", "family", "transform",
];

impl ClassScoreArgs {
    /// Returns the request with the columns as typed.
    pub fn add_to(&self, request: EstimateRequest) -> EstimateRequest {
        let class_scores = self.class_scores.as_ref().map_or(Vec::new(), |ColumnList(names)| names.clone());
        EstimateRequest { class_scores, class_count: self.class_count.clone(), ..request }
    }
}

/// The score columns of every file, and the format of its numbers.
#[derive(clap::Args)]
pub struct ColumnNames {
    #[command(flatten)]
    names: ScoreNames,
    /// Score value that counts as positive, if scores are words
    ///
    /// As in --score-positive bad where the column of scores has the verdicts bad and good. The other verdict is 0.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    score_positive: Option<String>,
    #[command(flatten)]
    table_format: TableFormatArgs,
    /// Rows without a score, label or weight: error, or drop to leave them out
    ///
    /// Clusters and strata need a value too. A note says how many rows are left out, of each group
    /// where there are groups. A cell without a value is empty, null, NaN, or a word such as NA or n/a.
    #[arg(long, value_name = "POLICY", value_parser = one_of(&MISSING), default_value = "error")]
    missing: MissingPolicy,
}

/// The columns and the sheet of the labelled table, where they differ from those of other tables.
#[derive(Clone, clap::Args)]
pub struct TrainColumnArgs {
    /// Column with the scores in the labelled table [default: that of --score]
    #[arg(long = "train-score", value_name = "COL", id = "train_score", requires = "train")]
    score: Option<String>,
    /// Column with the probabilities in the labelled table [default: that of --prob]
    #[arg(long = "train-prob", value_name = "COL", id = "train_prob", requires_all = ["train", "prob"])]
    prob: Option<String>,
    /// Sheet of the labelled workbook [default: that of --sheet]
    #[arg(long = "train-sheet", value_name = "NAME", id = "train_sheet", requires = "train")]
    sheet: Option<String>,
}

impl TrainColumnArgs {
    /// Returns the columns of the labelled table, given those of the other tables.
    pub fn for_labelled_table<'a>(&'a self, columns: ScoreColumns<'a>) -> ScoreColumns<'a> {
        ScoreColumns {
            score: self.score.as_deref().or(columns.score),
            probability: self.prob.as_deref().or(columns.probability),
            sheet: columns.sheet.for_other_table(self.sheet.as_deref()),
            ..columns
        }
    }
}

/// The format of the input tables.
#[derive(clap::Args)]
pub struct TableFormatArgs {
    /// Decimal mark of numbers in text files [default: detected]
    ///
    /// Detection: a comma if semicolons separate the cells and the first scores have commas; a point otherwise.
    #[arg(long, value_name = "MARK", value_parser = one_of(&DECIMALS))]
    pub decimal: Option<Decimal>,
    /// Sheet of Excel workbooks [default: the first visible]
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
}

/// The policies for rows without a value.
pub const MISSING: [(&str, MissingPolicy, &str); 2] =
    [("error", MissingPolicy::Error, "an error that counts them"), ("drop", MissingPolicy::Drop, "left out")];

const DECIMALS: [(&str, Decimal, &str); 2] = [(".", Decimal::Point, "as in 0.25"), (",", Decimal::Comma, "as in 0,25")];

impl ScoreNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        ScoreColumns { score: self.score.as_deref(), probability: self.prob.as_deref(), ..ScoreColumns::default() }
    }
}

impl ColumnNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        let TableFormatArgs { decimal, sheet } = &self.table_format;
        ScoreColumns {
            decimal: *decimal,
            sheet: SheetChoice::named(sheet.as_deref()),
            words: self.score_positive.as_deref().map(ScoreWords::Verdicts),
            missing: Some(self.missing),
            ..self.names.get()
        }
    }

    /// Returns the columns with another score column, if its name is given.
    pub fn with_score<'a>(&'a self, score: Option<&'a str>) -> ScoreColumns<'a> {
        ScoreColumns { score: score.or(self.names.score.as_deref()), ..self.get() }
    }
}

/// The order in which groups are written.
#[derive(clap::Args)]
pub struct SortArgs {
    /// Columns to sort groups by; - before a name for descending order
    ///
    /// Columns of the results or of --by, separated by commas; none keeps the order in which
    /// groups appear. Dates are sorted by time, numbers by size.
    #[arg(long, value_name = "COL", value_parser = names, allow_hyphen_values = true)]
    sort: Vec<ColumnList>,
}

/// The value of `--sort` for the order of appearance.
const NONE: &str = "none";

impl SortArgs {
    /// Returns the order of result rows whose groups have these columns.
    pub fn sort<R: ResultRow>(&self, by: &[String]) -> Result<Sort, CliError> {
        let columns = sortable::<R>(by);
        let typed: Vec<String> = self.sort.iter().flat_map(|ColumnList(names)| names.clone()).collect();
        let sort = match typed.as_slice() {
            [] => Sort::Groups,
            [none] if none == NONE && !columns.contains(none) => Sort::Appearance,
            columns => Sort::By(columns.to_vec()),
        };
        match sort.unknown(&columns) {
            Some(name) => Err(CliError::usage(
                format!("--sort {name}: groups cannot be sorted by such a column"),
                format!("it can be {} or {NONE}", columns.join(", ")),
            )),
            None => Ok(sort),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn commas_separate_names_except_within_quotes() {
        let parse = |word| names(word).map_or_else(|e| e, |names| names.0.join("|"));
        assert_eq!(parse("week"), "week");
        assert_eq!(parse("City, State"), "City| State");
        assert_eq!(parse(r#""City, State""#), "City, State");
        assert_eq!(parse(r#"a,"b,c",d"#), "a|b,c|d");
        assert_eq!(parse(r#""say ""hi""",x"#), r#"say "hi"|x"#);
        assert_eq!(parse(r#"5" pipe"#), r#"5" pipe"#);
        assert_eq!(parse("a,"), "a|");
        assert_eq!(parse(r#""a"#), "a double quote is never closed");
        assert_eq!(parse(r#""a"b"#), "'b' follows a name in double quotes; a comma should");
    }
}
