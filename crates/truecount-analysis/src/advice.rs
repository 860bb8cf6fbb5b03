//! The catalogue of messages that name options and commands, in the spelling of each interface.

use crate::AnalysisProblem;
use crate::results::{ColumnDescription, escape_untrusted};
use crate::spelling::{Interface, spell};
use std::fmt;
use truecount::error::{Condition, ErrorKind, Field};
use truecount::internal::fill;
use truecount::{Error, Warning};

/// A code with a sentence. A word in braces is an option, a command, or a field with that name; a
/// sentence without one of its fields is passed over.
type CodeSentence = (&'static str, &'static str);

/// Entries about cells of files, for interfaces that read files, and for all interfaces.
type ScopedSentences = [&'static [CodeSentence]; 3];

/// Hints that replace the library's hints. The first that applies is used.
const HINTS: ScopedSentences = [
    &[
        ("probability-out-of-range", "probabilities lie between 0 and 1; correct it or remove the row"),
        ("score-not-finite", "correct it or remove the row"),
        ("weight-out-of-range", "weights are 0 or positive, from 1e-100 to 1e100; correct it or remove the row"),
    ],
    &[
        ("all-weights-zero", "remove these rows, or give some of them a weight above 0"),
        ("bins-groups", "choose the grouping columns with {--by}"),
        ("class-too-small-to-check", "label more rows, or leave out {--test} to check only the families"),
        (
            "classes-inverted",
            "if '{other}' is the label of the positives, add {--positive} {other}; otherwise negate the scores",
        ),
        (
            "decimal-comma",
            "write numbers with a decimal point, without separators between thousands, or, as {separator} separate \
             the cells, add {--decimal} ,",
        ),
        (
            "denominator-without-rate",
            "if it belongs to the rate on the command line, add --{rate}-of {column}; otherwise leave out the column",
        ),
        ("duplicate-id", "name a column that identifies one row with {--id}"),
        (
            "labels-not-two",
            "correct the others, or leave them out with {--ignore-label}, or count them as negatives with {--rest}",
        ),
        ("unmatched-id", "write ids alike in both tables, or add {--missing} drop to leave these labels out"),
        ("not-a-tally-file", "{truecount tally} makes a tally from scores"),
        (
            "periods-too-short",
            "use longer periods: {--every} day, week, month, quarter or year (of tallies, in {truecount tally})",
        ),
        ("positive-unknown", "name the label of a positive, as in {--positive} {example}"),
        ("probabilities-missing", "name the column of the probabilities with {--prob}"),
        ("probabilities-unexpected", "leave out {--prob}, or fit the model with {--prob} too"),
        ("rows-without-value", "fill the cells in, or add {--missing} {policy} to leave these rows out"),
        ("score-outside-unit-interval", "use {--transform} none or rank, and any {--family} except beta"),
        ("sheet-without-workbook", "leave out {--sheet}; {--train-sheet} names a sheet of the labelled workbook alone"),
        (
            "stratum-labels-few",
            "label at least {least} of each class, or add {--small-strata=pool} to let them share one model",
        ),
        (
            "strata-need-weights",
            "add a column with the size of the row's stratum over the number of rows drawn there, and name \
             it in {--weight}",
        ),
        ("tally-twice", "name each tally once, or add {--allow-equal} if two shards happen to have equal scores"),
        ("too-few-resamples", "use {--resamples} {least} or more; many more make the interval accurate"),
        ("too-few-values-to-check", "leave out {--test} to check only the families"),
    ],
    &[
        ("single-row-clusters", "leave out the sizes of the clusters, or add {--lonely-psu=adjust}"),
        (
            "single-unit-test-strata",
            "join such strata with others, or choose their variance with {--lonely-psu}; certainty if all of the \
             stratum was drawn",
        ),
        ("audit-outside", "if they are not among the rows of {--test}, add {--audit-outside-test}"),
        ("classes-not-separated-at-cutoff", "choose a {--cutoff} between the classes"),
        ("family-transform-conflict", "leave out {--transform}"),
        ("family-unused", "leave out {--family}, add {--rates=family} (for es), or use {--method} with one of {able}"),
        ("interval-of-population", "use {--interval=wilson}, or {--target=population}"),
        ("folds-not-comparable", "leave out {--fold}"),
        ("label-design-not-possible", "{why}, the methods that accept them are {able}"),
        (
            "label-design-not-possible",
            "the methods that accept them are {able} (those that read posterior probabilities need {--prob})",
        ),
        ("pool-too-small", "draw smaller samples with {--size}"),
        ("class-pool-too-small", "draw smaller samples with {--size}, or use {--protocol=natural}"),
        ("sql-only-counts", "add {--counts} for {truecount finish}, or fit a model with {able} alone"),
        (
            "sql-not-possible",
            "use {--method} with some of {able} (those that read posterior probabilities need {--prob}), or tally the \
             scores with {truecount tally}",
        ),
        ("threshold-not-reached", "choose a smaller {--threshold}, or the optimal one (o-cs, o-ms)"),
        (
            "threshold-unused",
            "use {--method=cs}, or leave out {--threshold}; the score at which cc and ac call a row positive is \
             {--cutoff}",
        ),
        ("too-many-resamples", "the limit of {--resamples} is {most}"),
        (
            "transform-unused",
            "leave out {--transform}, add {--rates=family} (for es), or use {--method} with one of {able}",
        ),
    ],
];

/// Sentences that replace the library's sentences. The first that applies is used.
const PROBLEMS: ScopedSentences = [
    &[
        ("probability-out-of-range", "is '{value}'"),
        ("score-not-finite", "is '{value}', not a finite number"),
        ("score-outside-unit-interval", "is '{value}'; {needed_by} needs scores above 0 and below 1"),
        ("weight-out-of-range", "is '{value}'"),
    ],
    &[
        ("all-weights-zero", "all weights of '{group}' are 0"),
        ("no-test-scores", "'{group}' has no rows"),
        ("option-invalid", "{--samples} is {samples}, but {--protocol=grid} takes {grid} prevalences in turn"),
        (
            "neither-tally-nor-bins",
            "is neither a file written by {truecount tally} nor a table with the columns {columns}",
        ),
        ("small-population", "the population of '{group}', {size}, is smaller than its sample of {n} scores"),
        (
            "single-unit-test-strata",
            "the stratum '{group}' has a single row or cluster among the new rows, so the variance within it is \
             not known (such strata: {strata})",
        ),
        ("small-stage", "{drawn} {what} were drawn in '{group}', but its population has {size}"),
        (
            "single-unit-strata",
            "the stratum '{group}' has a single row or cluster among the labelled rows, so the variance within it is \
             not known (such strata: {strata})",
        ),
    ],
    &[
        (
            "bootstrap-of-weighted",
            "{--interval=bootstrap} cannot be used with {--weight}, as resampling weighted scores would not imitate \
             the survey",
        ),
        (
            "bootstrap-of-clusters",
            "{--interval=bootstrap} cannot be used with {--label-cluster} and {--label-stratum}, as it resamples \
             single scores",
        ),
        ("family-transform-conflict", "{--family=beta} needs untransformed scores"),
        ("family-unused", "{--family} has no effect on {methods}"),
        (
            "label-design-not-possible",
            "{--label-weight}, {--label-cluster} and {--label-stratum} cannot be used with {method}",
        ),
        ("sql-column-twice", "{--by} has '{column}' twice (SQL does not distinguish upper and lower case)"),
        ("threshold-unknown", "{--threshold} is '{text}'"),
        (
            "threshold-unused",
            "{--threshold} has an effect on the method cs only (o-cs and t-cs choose their own thresholds)",
        ),
        ("too-few-resamples", "{--resamples} is {resamples}, too few for an interval of level {level}"),
        ("too-many-resamples", "{--resamples} is {resamples}"),
        ("transform-unused", "{--transform} has no effect on {methods}"),
    ],
];

/// Text that follows the sentences of warnings.
const ADDITIONS: &[CodeSentence] = &[
    ("few-values", " ({--rates=labels}, or a method such as es, ac or pacc)"),
    ("misfit-widened", "; see {truecount check}"),
    ("prior-shift-rejected", "; see {truecount check}"),
];

/// Warnings in the words of reports, by code.
const PLAIN_WARNINGS: &[(&str, &str)] = &[
    (
        "outside-unit-interval",
        "the formula gives a share below 0 % or above 100 %, and the nearest possible one is shown",
    ),
    (
        "far-outside-unit-interval",
        "the formula gives a share far below 0 % or above 100 %: the new scores look different from the labelled \
         ones: another scale, model version or kind of case?",
    ),
    ("groups-shifted", "its classes may have moved, as the groups together show"),
    ("other-groups-contradict", "other groups contradict the labelled rows or rates that this group also relies on"),
    ("groups-unreliable", "groups without a reliable share weigh much in it"),
    ("single-score", "a single score says next to nothing"),
    ("uneven-weights", "a few large weights decide the estimate"),
    (
        "none-in-region",
        "no score lies in the region that separates the two kinds, so only the number of scores on each side of it \
         counts",
    ),
    ("no-spread", "all scores count the same for this method, so they carry no information about the share"),
    (
        "single-cut-used",
        "no threshold separates the two kinds as well as the method requires, so the best single threshold was used",
    ),
    ("not-converged", "the computation stopped before it reached an answer"),
    ("em-not-converged", "the stopping rule ended the computation before it reached the best answer"),
    (
        "zero-standard-error",
        "the standard error is too small because the labelled scores hardly vary; label more rows that the classifier \
         was not trained on",
    ),
    (
        "perfect-separation",
        "the labelled scores separate the two kinds almost perfectly; if the classifier was trained on these rows, the \
         share may be far off",
    ),
    ("useless-cutoff", "the threshold does not separate the two kinds"),
    ("boundary-fit", "the fitted curve is at its limit because the labelled scores end abruptly or are too few"),
    ("few-labelled", "fewer than ten rows of one kind are labelled, too few for a reliable standard error"),
    ("empty-replicates", "some replicates give these rows no weight, so the standard error is that of the others"),
    ("few-labelled-units", "given their weights or clusters, too few rows are labelled for a reliable standard error"),
    ("missing-code", "a labelled score looks like a code for a missing value"),
    ("copied-labels", "the labelled rows seem to be copies of each other, so the standard error is too small"),
    ("few-values", "the labelled scores have few different values, which a fitted curve cannot follow"),
    ("family-in-doubt", "the labelled scores follow the fitted curves only roughly"),
    (
        "family-contradicted",
        "the labelled scores do not follow the fitted curves, and the interval does not allow for this error",
    ),
    ("weak-separation", "the scores hardly separate the two kinds; label more rows or use a better classifier"),
    ("misfit-widened", "the scores differ from the labelled ones by more than chance, so the interval is wider"),
    (
        "prior-shift-rejected",
        "the new scores do not fit any mix of the labelled ones, so more than the share has \
     changed",
    ),
    (
        "scores-outside-range",
        "most new scores lie outside the range of the labelled ones, as on another scale or from another version of \
         the classifier",
    ),
    (
        "not-corrected",
        "the classifier's errors are not corrected: if it errs more often in one direction, the true share is \
         different",
    ),
    (
        "not-calibrated",
        "the estimate is off because the probabilities are not calibrated: they are not right as often \
     as they say",
    ),
    (
        "probabilities-prior-mismatch",
        "the estimate is off because the probabilities assume another share of positives than the labelled rows have",
    ),
    (
        "rates-contradicted",
        "no share explains this number of positive tests at these error rates; the test must have had other error \
         rates here",
    ),
    ("missing-scores", "rows without a score are not counted"),
    ("resamples-lost", "some bootstrap samples gave no estimate and are left out"),
    ("too-many-resamples-lost", "most bootstrap samples gave no estimate, so there is no interval"),
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

    /// Returns the problem and the hint in one line.
    pub fn line(&self) -> String {
        let hint = self.hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
        format!("{}{hint}", self.problem)
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
    let message = describe_error(error, Interface::Shell);
    let location = if error.kind() == ErrorKind::Options { String::new() } else { error.location().to_string() };
    Message { problem: location + &message.problem, ..message }
}

/// Returns the message of an error without its location in files, naming the options of an interface.
pub fn describe_error(error: &Error, interface: Interface) -> Message {
    if let Some(AnalysisProblem::OptionConflict { problem, hint }) = error.problem() {
        return Message::new(spell(&problem.0, interface), spell(&hint.0, interface));
    }
    let condition = error.condition();
    let fields = [condition.fields(), error.fields()].concat();
    let applies = [error.location().position.is_some(), interface.reads_files(), true];
    let filled = |table: ScopedSentences| {
        let tables = table.into_iter().zip(applies).filter(|(_, applies)| *applies);
        tables.into_iter().find_map(|(entries, _)| fill_sentence(entries, condition.code(), &fields, interface))
    };
    let problem = || if interface.reads_files() { condition.problem() } else { error.sentence() };
    Message { problem: filled(PROBLEMS).unwrap_or_else(problem), hint: filled(HINTS).or_else(|| condition.hint()) }
}

/// Returns the message of a warning, naming the command's options.
pub fn format_warning(warning: &Warning) -> String {
    describe_warning(warning, Interface::Shell)
}

/// Returns the message of a warning, naming the options of an interface.
pub fn describe_warning(warning: &Warning, interface: Interface) -> String {
    let addition = fill_sentence(ADDITIONS, warning.code(), &warning.fields(), interface);
    format!("{warning}{}", addition.unwrap_or_default())
}

/// Describes a warning in the words of reports.
pub fn plain_warning(warning: &Warning) -> &'static str {
    let known = PLAIN_WARNINGS.iter().find(|(code, _)| *code == warning.code());
    known.map(|(_, words)| *words).expect("every warning has words for reports")
}

/// Fills in the first sentence for this code whose fields are all present.
fn fill_sentence(
    entries: &[CodeSentence],
    code: &str,
    fields: &[(&str, Field)],
    interface: Interface,
) -> Option<String> {
    let mut entries = entries.iter().filter(|(known, _)| *known == code);
    entries.find_map(|(_, text)| fill(&spell(text, interface), fields))
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
        for (code, _) in [HINTS.concat(), PROBLEMS.concat(), ADDITIONS.to_vec()].concat() {
            let operations = Operation::table();
            let problems =
                Problem::TABLE.iter().chain(&operations).chain(TableProblem::TABLE).chain(AnalysisProblem::TABLE);
            let mut known = problems.map(|(known, ..)| known).chain(Warning::TABLE.iter().map(|(known, ..)| known));
            assert!(known.any(|known| *known == code), "{code}");
        }
    }

    #[test]
    fn every_entry_is_spelled_in_every_interface() {
        let [[cells, files, all], [others @ .., problems]] = [HINTS, PROBLEMS];
        for (code, text) in [cells, files, others[0], others[1]].concat() {
            assert_eq!(spell(text, Interface::Shell), spell(text, Interface::Page), "{code}");
        }
        for (code, text) in [all, problems, ADDITIONS].concat() {
            let [shell, python, r, page] = Interface::ALL.map(|interface| spell(text, interface));
            assert_eq!(shell, page, "{code}");
            for spelled in [python, r] {
                let is_shell = spelled.split_whitespace().any(|word| word.contains("--") || word.contains('`'));
                assert!(!is_shell, "{code}: {spelled}");
            }
        }
        let unused = |interface| describe_error(&Problem::TooManyResamples { resamples: 9, most: 8 }.into(), interface);
        let [shell, python, r, page] = Interface::ALL.map(|interface| unused(interface).line());
        assert_eq!(shell, "--resamples is 9; the limit of --resamples is 8");
        assert_eq!(python, "resamples is 9; the limit of resamples is 8");
        assert_eq!((r, page), (python, shell));
    }

    #[test]
    fn every_warning_has_plain_words() {
        let mut codes: Vec<&str> = PLAIN_WARNINGS.iter().map(|(code, _)| *code).collect();
        let mut warnings: Vec<&str> = Warning::TABLE.iter().map(|(code, ..)| *code).collect();
        codes.sort_unstable();
        warnings.sort_unstable();
        assert_eq!(codes, warnings);
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
