//! Messages in terms of the command's options: the only place where errors and warnings name
//! options.

use crate::AnalysisProblem;
use crate::results::{ColumnDescription, escape_untrusted};
use crate::spelling::Interface;
use std::fmt;
use truecount::error::{Condition, ErrorKind, Field};
use truecount::internal::fill;
use truecount::{Error, Warning};

/// Hints that name options and replace the library's hints, by code. A word in braces is replaced
/// by the field with that name; a hint without one of its fields is passed over.
const HINTS: &[(&str, &str)] = &[
    ("all-weights-zero", "remove these rows, or give some of them a weight above 0"),
    ("audit-outside", "if they are not among the rows of --test, add --audit-outside-test"),
    ("bins-groups", "choose the grouping columns with --by"),
    ("class-too-small-to-check", "label more rows, or leave out --test to check only the families"),
    (
        "classes-inverted",
        "if '{other}' is the label of the positives, add --positive {other}; otherwise negate the scores",
    ),
    ("classes-not-separated-at-cutoff", "choose a --cutoff between the classes"),
    (
        "decimal-comma",
        "write numbers with a decimal point, without separators between thousands, or, as {separator} separate the \
         cells, add --decimal ,",
    ),
    (
        "denominator-without-rate",
        "if it belongs to the rate on the command line, add --{rate}-of {column}; otherwise leave out the column",
    ),
    ("family-transform-conflict", "leave out --transform"),
    ("family-unused", "leave out --family, add --rates family (for es), or use --method with one of {able}"),
    ("interval-of-population", "use --interval wilson, or --target population"),
    (
        "label-design-not-possible",
        "the methods that accept them are {able} (those that read posterior probabilities need --prob)",
    ),
    ("not-a-tally-file", "`truecount tally` makes a tally from scores"),
    (
        "periods-too-short",
        "use longer periods: --every day, week, month, quarter or year (of tallies, in `truecount tally`)",
    ),
    ("pool-too-small", "draw smaller samples with --size"),
    ("positive-unknown", "name the label of a positive, as in --positive {example}"),
    ("probabilities-missing", "name the column of the probabilities with --prob"),
    ("probabilities-unexpected", "leave out --prob, or fit the model with --prob too"),
    ("rows-without-value", "fill the cells in, or add --missing {policy} to leave these rows out"),
    ("score-outside-unit-interval", "use --transform none or rank, and any --family except beta"),
    ("sheet-without-workbook", "leave out --sheet; --train-sheet names a sheet of the labelled workbook alone"),
    (
        "stratum-labels-few",
        "label at least {least} of each class, or add --small-strata pool to let them share one model",
    ),
    (
        "strata-need-weights",
        "add a column with the size of the row's stratum over the number of rows drawn there, and name it in --weight",
    ),
    ("tally-twice", "name each tally once, or add --allow-equal if two shards happen to have equal scores"),
    ("threshold-not-reached", "choose a smaller --threshold, or the optimal one (o-cs, o-ms)"),
    (
        "threshold-unused",
        "use --method cs, or leave out --threshold; the score at which cc and ac call a row positive is --cutoff",
    ),
    ("too-few-resamples", "use --resamples {least} or more; many more make the interval accurate"),
    ("too-few-values-to-check", "leave out --test to check only the families"),
    ("too-many-resamples", "the limit of --resamples is {most}"),
    ("transform-unused", "leave out --transform, add --rates family (for es), or use --method with one of {able}"),
];

/// Sentences that name options and replace the library's sentences, by code. Of several with one
/// code the first applies whose fields are all known.
const PROBLEMS: &[(&str, &str)] = &[
    ("all-weights-zero", "all weights of '{group}' are 0"),
    (
        "bootstrap-of-weighted",
        "--interval bootstrap cannot be used with --weight, as resampling weighted scores would not imitate the survey",
    ),
    (
        "bootstrap-of-clusters",
        "--interval bootstrap cannot be used with --label-cluster and --label-stratum, as it resamples single scores",
    ),
    ("family-transform-conflict", "--family beta needs untransformed scores"),
    ("family-unused", "--family has no effect on {methods}"),
    ("label-design-not-possible", "--label-weight, --label-cluster and --label-stratum cannot be used with {method}"),
    ("neither-tally-nor-bins", "is neither a file written by `truecount tally` nor a table with the columns {columns}"),
    ("small-population", "the population of '{group}', {size}, is smaller than its sample of {n} scores"),
    ("sql-column-twice", "--by has '{column}' twice (SQL does not distinguish upper and lower case)"),
    ("threshold-unknown", "--threshold is '{text}'"),
    ("threshold-unused", "--threshold has an effect on the method cs only (o-cs and t-cs choose their own thresholds)"),
    ("too-few-resamples", "--resamples is {resamples}, too few for an interval of level {level}"),
    ("too-many-resamples", "--resamples is {resamples}"),
    ("transform-unused", "--transform has no effect on {methods}"),
];

/// Sentences about the content of a cell that replace the library's sentences, by code.
const CELL_PROBLEMS: &[(&str, &str)] = &[
    ("probability-out-of-range", "is '{value}'"),
    ("score-not-finite", "is '{value}', not a finite number"),
    ("score-outside-unit-interval", "is '{value}'; {needed_by} needs scores above 0 and below 1"),
    ("weight-out-of-range", "is '{value}'"),
];

/// Hints about the content of a cell that replace the library's hints, by code.
const CELL_HINTS: &[(&str, &str)] = &[
    ("probability-out-of-range", "probabilities lie between 0 and 1; correct it or remove the row"),
    ("score-not-finite", "correct it or remove the row"),
    ("weight-out-of-range", "weights are 0 or positive, from 1e-100 to 1e100; correct it or remove the row"),
];

/// Text that follows the sentences of warnings with these codes.
const ADDITIONS: &[(&str, &str)] = &[
    ("few-values", " (--rates labels, or a method such as es, ac or pacc)"),
    ("misfit-widened", "; see `truecount check`"),
    ("prior-shift-rejected", "; see `truecount check`"),
];

/// An error message: a problem and, if there is one, a hint. Displays as two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The problem, after its location.
    pub problem: String,
    /// How to solve the problem.
    pub hint: Option<String>,
}

impl Message {
    /// Creates a message with a hint.
    pub fn new(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { problem: problem.into(), hint: Some(hint.into()) }
    }

    /// Adds the place where the problem is, in front of it.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> Self {
        Self { problem: format!("{place}: {}", self.problem), ..self }
    }
}

/// Creates a message without a hint.
impl From<String> for Message {
    fn from(problem: String) -> Self {
        Self { problem, hint: None }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&escape_untrusted(&self.problem))?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\nhint: {}", escape_untrusted(hint)))
    }
}

/// Returns the message of an error, naming the command's options. An error in the options
/// themselves has no location in the data, so its message has none.
pub fn format_error(error: &Error) -> Message {
    if let Some([problem, hint]) = AnalysisProblem::spell_conflict(error, Interface::Shell) {
        return Message::new(problem, hint);
    }
    let (condition, location) = (error.condition(), error.location());
    let fields = [condition.fields(), error.fields()].concat();
    let is_cell = location.position.is_some();
    let filled = |table| fill_template(table, condition.code(), &fields);
    let of_cell = |table| if is_cell { filled(table) } else { None };
    let problem = of_cell(CELL_PROBLEMS).or_else(|| filled(PROBLEMS)).unwrap_or_else(|| condition.problem());
    let hint = of_cell(CELL_HINTS).or_else(|| filled(HINTS)).or_else(|| condition.hint());
    let location = if error.kind() == ErrorKind::Options { String::new() } else { location.to_string() };
    Message { problem: location + &problem, hint }
}

/// Returns the message of a warning, naming the command's options.
pub fn format_warning(warning: &Warning) -> String {
    format!("{warning}{}", fill_template(ADDITIONS, warning.code(), &warning.fields()).unwrap_or_default())
}

/// Fills in the first template for this code whose fields are all present.
fn fill_template(table: &[(&str, &str)], code: &str, fields: &[(&str, Field)]) -> Option<String> {
    table.iter().filter(|(known, _)| *known == code).find_map(|(_, text)| fill(text, fields))
}

/// Checks the names of the grouping columns. `flat_format` names a format that puts grouping
/// columns and result columns into one table, if the results have such a format.
///
/// # Errors
/// Returns a message that names the option if a name is empty or appears twice, or if a flat
/// format has a result column with that name.
pub fn check_by(by: &[String], flat_format: Option<&str>, result_columns: &[ColumnDescription]) -> Result<(), Message> {
    if let Some((i, column)) = by.iter().enumerate().find(|(i, column)| by[..*i].contains(column) || column.is_empty())
    {
        let problem = if column.is_empty() { "an empty column name" } else { "a column twice" };
        return Err(Message::new(format!("--by has {problem} (name {})", i + 1), "name each column once"));
    }
    let Some(format) = flat_format else { return Ok(()) };
    match by.iter().find(|name| result_columns.iter().any(|column| column.name == **name)) {
        Some(column) => Err(Message::new(
            format!("--by {column} and --format {format} would give two columns called '{column}'"),
            "rename that column, or use --format json",
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableProblem;
    use truecount::error::{Operation, Problem};

    #[test]
    fn advice_is_for_existing_codes() {
        for (code, _) in [HINTS, PROBLEMS, CELL_PROBLEMS, CELL_HINTS, ADDITIONS].concat() {
            let operations = Operation::table();
            let problems =
                Problem::TABLE.iter().chain(&operations).chain(TableProblem::TABLE).chain(AnalysisProblem::TABLE);
            let mut known = problems.map(|(known, ..)| known).chain(Warning::TABLE.iter().map(|(known, ..)| known));
            assert!(known.any(|known| *known == code), "{code}");
        }
    }

    #[test]
    fn names_in_braces_are_replaced_by_fields() {
        let fields = [("other", Field::Text("ham".to_owned())), ("n", Field::Integer(3))];
        let fill = |advice| fill(advice, &fields);
        assert_eq!(fill(" (--cutoff)").as_deref(), Some(" (--cutoff)"));
        assert_eq!(fill(" (--positive {other}, {n})").as_deref(), Some(" (--positive ham, 3)"));
        assert_eq!(fill(" (--positive {label})"), None);
    }

    #[test]
    fn only_errors_about_a_group_name_a_group() {
        let error = Error::from(Problem::AllWeightsZero).in_file("scores.csv");
        assert_eq!(format_error(&error).problem, "scores.csv: all weights are 0");
        assert_eq!(format_error(&error.in_group("a")).problem, "scores.csv: all weights of 'a' are 0");
    }
}
