//! What to type: the one place where errors and warnings learn the names of the command's options.

use crate::results::Description;
use truecount::{Condition, Error, ErrorKind, Field, Warning, fill};

/// What the sentences of these codes lack. Where a word stands in braces it is a field; without that field the advice is
/// left out.
const ADVICE: &[(&str, &str)] = &[
    ("audit-outside", "; if they come besides the rows of --test, add --audit-outside-test"),
    ("class-too-small-to-check", " (without --test the families alone are checked)"),
    ("classes-inverted", " (--positive {other})"),
    ("classes-not-separated-at-cutoff", " (--cutoff)"),
    ("decimal-comma", ", or name the decimal comma, as {separator} part the cells: --decimal ,"),
    ("few-values", " (--rates labels, or a method such as es, ac or pacc)"),
    ("interval-of-population", " (--interval wilson)"),
    ("prior-shift-rejected", "; see `truecount check`"),
    ("prior-shift-doubtful", "; see `truecount check`"),
    ("bins-groups", "; choose them with --by"),
    ("not-a-tally-file", "; `truecount tally` makes one of scores"),
    ("pool-too-small", " (--size)"),
    ("positive-unknown", ", as in --positive {example}"),
    (
        "score-outside-unit-interval",
        "; scores of any size are for --transform none or rank, with any --family but beta",
    ),
    ("stratum-labels-few", " (--small-strata pool)"),
    ("tally-twice", ", or allow it if they are of shards that happen to be equal (--allow-equal)"),
    ("threshold-not-reached", " (o-cs, o-ms), or another method"),
    ("too-few-values-to-check", " (without --test the families alone are checked)"),
];

/// Sentences in the words of options, in the place of the library's.
const INSTEAD: &[(&str, &str)] = &[
    (
        "bootstrap-of-weighted",
        "--interval bootstrap and --weight do not go together: drawing weighted scores anew would not imitate the survey; \
         leave out one of them",
    ),
    (
        "family-unused",
        "no family is fitted for {methods}: leave out --family, or add --rates family (for es), or --method with one of {able}",
    ),
    (
        "transform-unused",
        "scores are not transformed for {methods}: leave out --transform, or add --rates family (for es), or --method with one \
         of {able}",
    ),
    (
        "bootstrap-of-clusters",
        "--interval bootstrap and --label-cluster do not go together: it draws scores, not clusters; leave out one of them",
    ),
    (
        "label-design-not-possible",
        "--label-weight and --label-cluster are not possible for {method}; the methods that take them are {able} (those of posterior \
         probabilities with --prob)",
    ),
    ("family-transform-conflict", "--family beta is for the scores as they are: leave out --transform"),
    (
        "neither-tally-nor-bins",
        "is no tally: neither a file of `truecount tally` nor a table with the columns {columns}",
    ),
    ("all-weights-zero", "all weights of '{group}' are 0; remove these rows, or weigh some of them"),
    ("all-weights-zero", "all weights are 0; remove these rows, or weigh some of them"),
    ("probabilities-missing", "the model was fitted with probabilities: name their column with --prob"),
    (
        "probabilities-unexpected",
        "the model was fitted without probabilities: leave out --prob, or fit it with --prob too",
    ),
    ("sql-column-twice", "--by has '{column}' twice (engines do not tell upper from lower case)"),
    ("threshold-unknown", "--threshold is '{text}'; it must be 'optimal' or a number between 0 and 1"),
    (
        "threshold-unused",
        "--threshold belongs to the method cs, which is not asked for; o-cs and t-cs have thresholds of their own (use \
         --method cs, or leave --method out), and the score at which cc and ac call one positive is --cutoff",
    ),
    (
        "too-few-resamples",
        "--resamples is {resamples}; an interval of level {level} needs at least {least}, and many more to be exact",
    ),
    ("too-many-resamples", "--resamples is {resamples}; at most {most} are possible"),
];

/// Sentences about what stands in a cell of a file, in the place of the library's.
const OF_CELLS: &[(&str, &str)] = &[
    ("probability-out-of-range", "is '{value}'; probabilities lie between 0 and 1; correct it or remove the row"),
    ("score-not-finite", "is '{value}', not a finite number; correct it or remove the row"),
    ("score-outside-unit-interval", "is '{value}'; {needed_by} needs scores above 0 and below 1"),
    (
        "weight-out-of-range",
        "is '{value}'; weights are 0 or positive, from 1e-100 to 1e100; correct it or remove the row",
    ),
];

/// Returns the message of an error in the words of options. What is asked for is wrong wherever the data are from, so that its message
/// has no location.
pub fn worded(error: &Error) -> String {
    let (condition, location) = (error.condition(), error.location());
    let fields = [condition.fields(), error.fields()].concat();
    let of_cell = location.position.and_then(|_| text_of(OF_CELLS, condition.code(), &fields));
    let sentence = sentence(condition, &fields, of_cell);
    if error.kind() == ErrorKind::Options { sentence } else { format!("{location}{sentence}") }
}

/// Returns the message of a warning in the words of options.
pub fn worded_warning(warning: &Warning) -> String {
    sentence(warning, &warning.fields(), None)
}

fn sentence(condition: &dyn Condition, fields: &[(&str, Field)], of_cell: Option<String>) -> String {
    let of = |table| text_of(table, condition.code(), fields);
    of(INSTEAD).unwrap_or_else(|| {
        let sentence = of_cell.unwrap_or_else(|| condition.to_string());
        format!("{sentence}{}", of(ADVICE).unwrap_or_default())
    })
}

/// The first text for this code whose fields there are.
fn text_of(table: &[(&str, &str)], code: &str, fields: &[(&str, Field)]) -> Option<String> {
    table.iter().filter(|(known, _)| *known == code).find_map(|(_, text)| fill(text, fields))
}

/// Refuses, before anything is read, a grouping column that is named twice, or that has the name of one of the results' own where all columns
/// are in one table: that of a `flat` form.
///
/// # Errors
/// Returns a sentence that names the option.
pub fn check_by(by: &[String], flat: Option<&str>, own: &[Description]) -> Result<(), String> {
    if let Some((i, column)) = by.iter().enumerate().find(|(i, column)| by[..*i].contains(column) || column.is_empty())
    {
        let what = if column.is_empty() { "an empty column name" } else { "a column twice" };
        return Err(format!("--by has {what} (name {})", i + 1));
    }
    let Some(form) = flat else { return Ok(()) };
    match by.iter().find(|column| own.iter().any(|own| own.name == **column)) {
        Some(column) => Err(format!(
            "--by {column} and --format {form} would give two columns called '{column}'; rename that column, or use --format json"
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
    fn advice_is_for_codes_that_there_are() {
        for (code, _) in ADVICE.iter().chain(INSTEAD).chain(OF_CELLS) {
            let operations = Operation::table();
            let problems =
                Problem::TABLE.iter().chain(&operations).chain(TableProblem::TABLE).chain(AnalysisProblem::TABLE);
            let mut known = problems.map(|(known, ..)| known).chain(Warning::TABLE.iter().map(|(known, ..)| known));
            assert!(known.any(|known| known == code), "{code}");
        }
    }

    #[test]
    fn fields_stand_for_their_names() {
        let fields = [("other", Field::Text("ham".to_owned())), ("n", Field::Whole(3))];
        let filled = |advice| fill(advice, &fields);
        assert_eq!(filled(" (--cutoff)").as_deref(), Some(" (--cutoff)"));
        assert_eq!(filled(" (--positive {other}, {n})").as_deref(), Some(" (--positive ham, 3)"));
        assert_eq!(filled(" (--positive {label})"), None);
    }

    #[test]
    fn a_sentence_with_the_group_is_for_errors_of_a_group() {
        let error = Error::from(Problem::AllWeightsZero).in_file("scores.csv");
        assert!(worded(&error).starts_with("scores.csv: all weights are 0;"));
        assert!(worded(&error.in_group("a")).starts_with("scores.csv: all weights of 'a' are 0;"));
    }
}
