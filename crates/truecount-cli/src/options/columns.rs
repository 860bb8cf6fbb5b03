//! Columns of tables: which are read, how their numbers are written, and which make and sort groups.

use super::one_of;
use crate::failure::CliError;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use std::ops::Deref;
use truecount_analysis::results::{ResultRow, Sort, sortable};
use truecount_tables::groups::ScoreColumns;
use truecount_tables::input::Decimal;

/// The columns that make groups: all that were typed, in one `--by` or several.
pub struct By(Vec<String>);

/// The names in one word.
#[derive(Clone)]
pub struct ColumnList(pub Vec<String>);

const BY: &str = "by";

impl Deref for By {
    type Target = Vec<String>;

    fn deref(&self) -> &Vec<String> {
        &self.0
    }
}

impl clap::Args for By {
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

impl FromArgMatches for By {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = matches.get_many::<ColumnList>(BY).into_iter().flatten();
        Ok(Self(typed.flat_map(|ColumnList(names)| names.clone()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|by| *self = by)
    }
}

/// The names in a word. Two quotes within quotes are one.
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

/// What is in quotes, of which the first was taken, and what follows the last.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (before, after) = text.split_once('"')?;
    match after.strip_prefix('"') {
        Some(more) => unquoted(more).map(|(name, rest)| (format!("{before}\"{name}"), rest)),
        None => Some((before.to_owned(), after)),
    }
}

/// The names of the columns.
#[derive(clap::Args)]
pub struct ScoreNames {
    /// Column with the scores [default: score]
    ///
    /// Without --score and with --prob, the column of --prob is read if the labelled table has no
    /// column score.
    #[arg(long, value_name = "COL")]
    score: Option<String>,
    /// Column with the probabilities of being positive
    #[arg(long, value_name = "COL")]
    prob: Option<String>,
}

/// What is read of every file.
#[derive(clap::Args)]
pub struct ColumnNames {
    #[command(flatten)]
    names: ScoreNames,
    #[command(flatten)]
    written: Written,
}

/// How tables are written.
#[derive(clap::Args)]
pub struct Written {
    /// Decimal mark of numbers in text files [default: detected]
    ///
    /// Detection: a comma if semicolons separate the cells and the first scores have commas; a
    /// point otherwise.
    #[arg(long, value_name = "MARK", value_parser = one_of(&DECIMALS))]
    pub decimal: Option<Decimal>,
    /// Sheet of Excel workbooks [default: the first]
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
}

const DECIMALS: [(&str, Decimal, &str); 2] = [(".", Decimal::Point, "as in 0.25"), (",", Decimal::Comma, "as in 0,25")];

impl ScoreNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        ScoreColumns { score: self.score.as_deref(), probability: self.prob.as_deref(), decimal: None, sheet: None }
    }
}

impl ColumnNames {
    pub fn get(&self) -> ScoreColumns<'_> {
        let Written { decimal, sheet } = &self.written;
        ScoreColumns { decimal: *decimal, sheet: sheet.as_deref(), ..self.names.get() }
    }

    /// The same with another column of scores, if there is one.
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

/// What stands for the order of appearance.
const NONE: &str = "none";

impl SortArgs {
    /// The order of such rows of groups by these columns.
    pub fn sort<R: ResultRow>(&self, by: &[String]) -> Result<Sort, CliError> {
        let columns = sortable::<R>(by);
        let typed: Vec<String> = self.sort.iter().flat_map(|ColumnList(names)| names.clone()).collect();
        let sort = match typed.as_slice() {
            [] => Sort::Groups,
            [none] if none == NONE && !columns.contains(none) => Sort::Appearance,
            columns => Sort::By(columns.to_vec()),
        };
        match sort.unknown(&columns) {
            Some(name) => Err(CliError::Usage(format!(
                "--sort {name}: there is no such column; it can be {} or {NONE}",
                columns.join(", ")
            ))),
            None => Ok(sort),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn commas_part_names_and_quotes_hold_them_together() {
        let of = |word| names(word).map_or_else(|e| e, |names| names.0.join("|"));
        assert_eq!(of("week"), "week");
        assert_eq!(of("City, State"), "City| State");
        assert_eq!(of(r#""City, State""#), "City, State");
        assert_eq!(of(r#"a,"b,c",d"#), "a|b,c|d");
        assert_eq!(of(r#""say ""hi""",x"#), r#"say "hi"|x"#);
        assert_eq!(of(r#"5" pipe"#), r#"5" pipe"#);
        assert_eq!(of("a,"), "a|");
        assert_eq!(of(r#""a"#), "a double quote is never closed");
        assert_eq!(of(r#""a"b"#), "'b' follows a name in double quotes; a comma should");
    }
}
