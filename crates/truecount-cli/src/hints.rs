//! Tips for people who type the options of other programs, added to clap's error messages.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};

/// Options of other programs, and the options that mean the same here. The tip names the first one
/// that the command has.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["--group", "--groups", "--group-by", "--groupby"], &["--by"]),
    (&["--target-column", "--target-col", "--label-column", "--label-col"], &["--label"]),
    (&["--pos-label", "--positive-class"], &["--positive"]),
    (&["--score-column", "--score-col"], &["--score"]),
    (&["--labelled", "--labeled", "--training-data"], &["--train"]),
    (&["--input", "--file", "--files", "--data", "--unlabelled", "--unlabeled"], &["--test", "--train"]),
    (&["--confidence", "--confidence-level", "--conf-level", "--ci"], &["--level"]),
    (&["--algorithm", "--quantifier"], &["--method"]),
    (&["--jobs", "--n-jobs"], &["--threads"]),
    (&["--random-state"], &["--seed"]),
    (&["--total-weights", "--standardize", "--direct", "--age-adjust"], &["--standardise"]),
    (&["--se", "--sens"], &["--sensitivity"]),
    (&["--sp", "--spec"], &["--specificity"]),
];

/// Values of other programs, and the values that mean the same here.
const VALUE_SYNONYMS: [(&str, &str); 4] = [("app", "grid"), ("upp", "uniform"), ("npp", "natural"), ("xls", "excel")];

/// The options that name files, in the order in which people type bare file names.
const FILE_OPTIONS: [&str; 2] = ["--train", "--test"];

/// Adds a tip to an error if there is one. `words` are the words after the program's name.
pub fn with_tip(mut error: Error, command: &Command, words: &[String]) -> Error {
    if let (ErrorKind::InvalidValue, Some(ContextValue::String(value))) =
        (error.kind(), error.get(ContextKind::InvalidValue))
    {
        let value = value.to_lowercase();
        let known = VALUE_SYNONYMS
            .into_iter()
            .find(|(foreign, _)| *foreign == value)
            .map_or(value, |(_, ours)| ours.to_owned());
        if let Some(ContextValue::Strings(possible)) = error.get(ContextKind::ValidValue)
            && possible.contains(&known)
        {
            error.insert(ContextKind::SuggestedValue, ContextValue::String(known));
        }
        return error;
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let (Some(ContextValue::String(unknown)), Some(command)) =
        (error.get(ContextKind::InvalidArg), words.first().and_then(|word| command.find_subcommand(word)))
    else {
        return error;
    };
    let unknown = unknown.clone();
    let has = |option: &str| command.get_arguments().filter_map(Arg::get_long).any(|long| option[2..] == *long);
    if unknown == "--alpha" && has("--level") {
        let tip = StyledStr::from("--level is 1 minus alpha, such as --level 0.95 for an alpha of 0.05");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    } else if unknown == "--audit" {
        let tip = StyledStr::from("`truecount audit` estimates from audited rows");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    } else if unknown.starts_with('-') {
        let synonym = SYNONYMS.iter().find(|(foreign, _)| foreign.contains(&unknown.as_str()));
        if let Some(option) = synonym.and_then(|(_, options)| options.iter().find(|option| has(option))) {
            error.insert(ContextKind::SuggestedArg, ContextValue::String((*option).to_owned()));
        } else if let Some(ContextValue::String(similar)) = error.get(ContextKind::SuggestedArg)
            && !is_similar(&unknown, similar)
        {
            error.remove(ContextKind::SuggestedArg);
        }
    } else if let Some(options) = file_options(&unknown, words, has) {
        let tip = StyledStr::from(format!("files are named by options: {options}"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Returns whether a word may mean an option: one is part of the other, or few letters differ.
fn is_similar(unknown: &str, option: &str) -> bool {
    let (word, name) = (unknown.trim_start_matches('-'), option.trim_start_matches('-'));
    let is_part = name.contains(word) || word.contains(name);
    let least = word.len().min(name.len());
    (is_part && least > 2) || 3 * strsim::damerau_levenshtein(word, name) <= word.len().max(name.len())
}

/// Returns the bare words, each with the file option that is still missing.
fn file_options(first: &str, words: &[String], has: impl Fn(&str) -> bool) -> Option<String> {
    let typed = |option: &str| words.iter().any(|word| word.split('=').next() == Some(option));
    let missing = FILE_OPTIONS
        .into_iter()
        .filter(|option| has(option) && !typed(option) && !(*option == "--train" && typed("--model")));
    let files = words.iter().skip_while(|word| *word != first).take_while(|word| !word.starts_with('-'));
    let options: Vec<String> = missing.zip(files).map(|(option, file)| format!("{option} {file}")).collect();
    (!options.is_empty()).then(|| options.join(" "))
}
