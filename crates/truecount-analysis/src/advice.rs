//! Messages in terms of the command's options: the only place where errors and warnings name
//! options.

use crate::results::ColumnDescription;
use truecount::{Condition, Error, ErrorKind, Field, Warning, fill};

/// Advice to append to the sentences with these codes. A word in braces is replaced by the field
/// with that name; without the field, the advice is left out.
const ADVICE: &[(&str, &str)] = &[
    ("audit-outside", "; if they are not among the rows of --test, add --audit-outside-test"),
    ("class-too-small-to-check", " (without --test, only the families are checked)"),
    ("classes-inverted", " (--positive {other})"),
    ("classes-not-separated-at-cutoff", " (--cutoff)"),
    ("decimal-comma", ", or, as {separator} separate the cells, add --decimal ,"),
    ("few-values", " (--rates labels, or a method such as es, ac or pacc)"),
    ("interval-of-population", " (--interval wilson)"),
    ("prior-shift-rejected", "; see `truecount check`"),
    ("prior-shift-doubtful", "; see `truecount check`"),
    ("bins-groups", "; choose them with --by"),
    ("not-a-tally-file", "; `truecount tally` makes a tally from scores"),
    ("pool-too-small", " (--size)"),
    ("positive-unknown", ", as in --positive {example}"),
    ("score-outside-unit-interval", "; for other scores, use --transform none or rank, and any --family except beta"),
    ("stratum-labels-few", " (--small-strata pool)"),
    ("tally-twice", ", or add --allow-equal if two shards happen to have equal scores"),
    ("threshold-not-reached", " (o-cs, o-ms), or another method"),
    ("too-few-values-to-check", " (without --test, only the families are checked)"),
];

/// Sentences that name options and replace the library's sentences, by code.
const REPLACEMENTS: &[(&str, &str)] = &[
    (
        "bootstrap-of-weighted",
        "--interval bootstrap cannot be used with --weight, as resampling weighted scores would not imitate the \
         survey; leave out one of them",
    ),
    (
        "family-unused",
        "--family has no effect on {methods}; leave it out, add --rates family (for es), or use --method with one \
         of {able}",
    ),
    (
        "transform-unused",
        "--transform has no effect on {methods}; leave it out, add --rates family (for es), or use --method with \
         one of {able}",
    ),
    (
        "bootstrap-of-clusters",
        "--interval bootstrap cannot be used with --label-cluster, as it resamples scores, not clusters; leave out \
         one of them",
    ),
    (
        "label-design-not-possible",
        "--label-weight and --label-cluster cannot be used with {method}; the methods that accept them are {able} \
         (those that read posterior probabilities need --prob)",
    ),
    ("family-transform-conflict", "--family beta needs untransformed scores; leave out --transform"),
    ("neither-tally-nor-bins", "is neither a file written by `truecount tally` nor a table with the columns {columns}"),
    ("all-weights-zero", "all weights of '{group}' are 0; remove these rows, or give some of them a weight above 0"),
    ("all-weights-zero", "all weights are 0; remove these rows, or give some of them a weight above 0"),
    ("probabilities-missing", "the model was fitted with probabilities; name their column with --prob"),
    (
        "probabilities-unexpected",
        "the model was fitted without probabilities; leave out --prob, or fit the model with --prob too",
    ),
    (
        "sql-column-twice",
        "--by has '{column}' twice (SQL does not distinguish upper and lower case); name each column once",
    ),
    ("threshold-unknown", "--threshold is '{text}'; it must be 'optimal' or a number between 0 and 1"),
    (
        "threshold-unused",
        "--threshold has an effect on the method cs only (o-cs and t-cs choose their own thresholds); use --method \
         cs, or leave out --method; the score at which cc and ac call a row positive is --cutoff",
    ),
    (
        "too-few-resamples",
        "--resamples is {resamples}; an interval of level {level} needs at least {least}, and many more to be \
         accurate",
    ),
    ("too-many-resamples", "--resamples is {resamples}; at most {most} are possible"),
];

/// Sentences about the content of a cell that replace the library's sentences, by code.
const CELL_SENTENCES: &[(&str, &str)] = &[
    ("probability-out-of-range", "is '{value}'; probabilities lie between 0 and 1; correct it or remove the row"),
    ("score-not-finite", "is '{value}', not a finite number; correct it or remove the row"),
    ("score-outside-unit-interval", "is '{value}'; {needed_by} needs scores above 0 and below 1"),
    (
        "weight-out-of-range",
        "is '{value}'; weights are 0 or positive, from 1e-100 to 1e100; correct it or remove the row",
    ),
];

/// Returns the message of an error, naming the command's options. An error in the options
/// themselves has no location in the data, so its message has none.
pub fn format_error(error: &Error) -> String {
    let (condition, location) = (error.condition(), error.location());
    let fields = [condition.fields(), error.fields()].concat();
    let cell_sentence = location.position.and_then(|_| fill_template(CELL_SENTENCES, condition.code(), &fields));
    let sentence = build_sentence(condition, &fields, cell_sentence);
    if error.kind() == ErrorKind::Options { sentence } else { format!("{location}{sentence}") }
}

/// Returns the message of a warning, naming the command's options.
pub fn format_warning(warning: &Warning) -> String {
    build_sentence(warning, &warning.fields(), None)
}

/// Returns the replacement for a condition's sentence; otherwise the sentence, which may be about a
/// cell, with the advice.
fn build_sentence(condition: &dyn Condition, fields: &[(&str, Field)], cell_sentence: Option<String>) -> String {
    let from_table = |table| fill_template(table, condition.code(), fields);
    from_table(REPLACEMENTS).unwrap_or_else(|| {
        let sentence = cell_sentence.unwrap_or_else(|| condition.to_string());
        format!("{sentence}{}", from_table(ADVICE).unwrap_or_default())
    })
}

/// Fills in the first template for this code whose fields are all present.
fn fill_template(table: &[(&str, &str)], code: &str, fields: &[(&str, Field)]) -> Option<String> {
    table.iter().filter(|(known, _)| *known == code).find_map(|(_, text)| fill(text, fields))
}

/// Checks the names of the grouping columns. `flat_format` names a format that puts grouping
/// columns and result columns into one table, if the results have such a format.
///
/// # Errors
/// Returns a sentence that names the option if a name is empty or appears twice, or if a flat
/// format has a result column with that name.
pub fn check_by(by: &[String], flat_format: Option<&str>, result_columns: &[ColumnDescription]) -> Result<(), String> {
    if let Some((i, column)) = by.iter().enumerate().find(|(i, column)| by[..*i].contains(column) || column.is_empty())
    {
        let problem = if column.is_empty() { "an empty column name" } else { "a column twice" };
        return Err(format!("--by has {problem} (name {})", i + 1));
    }
    let Some(format) = flat_format else { return Ok(()) };
    match by.iter().find(|name| result_columns.iter().any(|column| column.name == **name)) {
        Some(column) => Err(format!(
            "--by {column} and --format {format} would give two columns called '{column}'; rename that column, or use \
             --format json"
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnalysisProblem, TableProblem};
    use truecount::{Operation, Problem};

    #[test]
    fn advice_is_for_existing_codes() {
        for (code, _) in ADVICE.iter().chain(REPLACEMENTS).chain(CELL_SENTENCES) {
            let operations = Operation::table();
            let problems =
                Problem::TABLE.iter().chain(&operations).chain(TableProblem::TABLE).chain(AnalysisProblem::TABLE);
            let mut known = problems.map(|(known, ..)| known).chain(Warning::TABLE.iter().map(|(known, ..)| known));
            assert!(known.any(|known| known == code), "{code}");
        }
    }

    #[test]
    fn names_in_braces_are_replaced_by_fields() {
        let fields = [("other", Field::Text("ham".to_owned())), ("n", Field::Whole(3))];
        let fill = |advice| fill(advice, &fields);
        assert_eq!(fill(" (--cutoff)").as_deref(), Some(" (--cutoff)"));
        assert_eq!(fill(" (--positive {other}, {n})").as_deref(), Some(" (--positive ham, 3)"));
        assert_eq!(fill(" (--positive {label})"), None);
    }

    #[test]
    fn only_errors_about_a_group_name_a_group() {
        let error = Error::from(Problem::AllWeightsZero).in_file("scores.csv");
        assert!(format_error(&error).starts_with("scores.csv: all weights are 0;"));
        assert!(format_error(&error.in_group("a")).starts_with("scores.csv: all weights of 'a' are 0;"));
    }
}
