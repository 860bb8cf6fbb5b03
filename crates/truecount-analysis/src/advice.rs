//! What to type: the one place where errors and warnings learn the names of the command's options.

use crate::results::Description;
use truecount::{Condition, Digits, Field};

/// What the sentences of these codes lack. Where a word stands in braces it is a field; without that field the advice is
/// left out.
const ADVICE: &[(&str, &str)] = &[
    ("audit-outside", "; if they come besides the rows of --test, add --beside"),
    ("class-too-small-to-check", " (without --test the families alone are checked)"),
    ("classes-inverted", " (--positive {other})"),
    ("classes-not-separated-at-cutoff", " (--cutoff)"),
    ("decimal-comma", ", or name the decimal comma, as {separator} part the cells: --decimal ,"),
    ("few-values", " (--anchor sample, or a method such as es, ac or pacc)"),
    ("interval-of-population", " (--interval wilson)"),
    ("no-mixture", "; see `truecount check`"),
    ("poor-mixture", "; see `truecount check`"),
    ("bins-groups", "; choose them with --by"),
    ("not-a-tally-file", "; `truecount tally` makes one of scores"),
    ("pool-too-small", " (--size)"),
    ("positive-unknown", ", as in --positive {example}"),
    (
        "score-outside-unit-interval",
        "; scores of any size are for --transform none or rank, with any --family but beta",
    ),
    ("stratum-labels-few", " (--few pool)"),
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
        "no family is fitted for {methods}: leave out --family, or add --anchor model (for es), or --method with one of {able}",
    ),
    (
        "transform-unused",
        "scores are not transformed for {methods}: leave out --transform, or add --anchor model (for es), or --method with one \
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
    ("family-of-bare-scores", "--family beta is for the scores as they are: leave out --transform"),
    (
        "neither-tally-nor-bins",
        "{file}: is no tally: neither a file of `truecount tally` nor a table with the columns {columns}",
    ),
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

/// What is the matter, and what to type.
pub fn worded(condition: &impl Condition) -> String {
    let (code, fields) = (condition.code(), condition.fields());
    let of = |table: &[(&str, &str)]| {
        let (_, text) = table.iter().find(|(known, _)| *known == code)?;
        filled(text, &fields)
    };
    of(INSTEAD).unwrap_or_else(|| format!("{condition}{}", of(ADVICE).unwrap_or_default()))
}

/// The text with fields in place of their names; none if it names one that is not there.
fn filled(advice: &str, fields: &[(&str, Field)]) -> Option<String> {
    let Some((before, rest)) = advice.split_once('{') else { return Some(advice.to_owned()) };
    let (name, after) = rest.split_once('}')?;
    let value = fields.iter().find(|(known, _)| *known == name).map(|(_, field)| shown(field))?;
    Some(format!("{before}{value}{}", filled(after, fields)?))
}

fn shown(field: &Field) -> String {
    match field {
        Field::Whole(n) => n.to_string(),
        Field::Number(x) => Digits(*x).to_string(),
        Field::Text(text) => text.clone(),
        Field::Texts(texts) => texts.join(", "),
        other => format!("{other:?}"),
    }
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
    use truecount::{Operation, Problem, Warning};

    #[test]
    fn advice_is_for_codes_that_there_are() {
        for (code, _) in ADVICE.iter().chain(INSTEAD) {
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
        let filled = |advice| filled(advice, &fields);
        assert_eq!(filled(" (--cutoff)").as_deref(), Some(" (--cutoff)"));
        assert_eq!(filled(" (--positive {other}, {n})").as_deref(), Some(" (--positive ham, 3)"));
        assert_eq!(filled(" (--positive {label})"), None);
    }
}
