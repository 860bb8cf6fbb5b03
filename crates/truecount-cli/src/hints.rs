//! What people type who come from other programs, and what it is called here: a tip beside what clap says.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command};

/// Options of other programs, and those that mean the same here; of these the first that the command has.
const OTHERS: &[(&[&str], &[&str])] = &[
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
];

/// The options of files, in the order in which people name these without them.
const FILES: [&str; 2] = ["--train", "--test"];

/// The error, with a tip if there is one: of these words, typed behind the program's name.
pub fn with_tip(mut error: Error, command: &Command, words: &[String]) -> Error {
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
    if unknown.starts_with('-') {
        let known = OTHERS.iter().find(|(others, _)| others.contains(&unknown.as_str()));
        if let Some(option) = known.and_then(|(_, options)| options.iter().find(|option| has(option))) {
            error.insert(ContextKind::SuggestedArg, ContextValue::String((*option).to_owned()));
        }
    } else if let Some(named) = named(&unknown, words, has) {
        let tip = StyledStr::from(format!("files are named by options: {named}"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Bare words as files of the options that are not typed yet.
fn named(first: &str, words: &[String], has: impl Fn(&str) -> bool) -> Option<String> {
    let typed = |option: &str| words.iter().any(|word| word.split('=').next() == Some(option));
    let missing =
        FILES.into_iter().filter(|option| has(option) && !typed(option) && !(*option == "--train" && typed("--model")));
    let bare = words.iter().skip_while(|word| *word != first).take_while(|word| !word.starts_with('-'));
    let named: Vec<String> = missing.zip(bare).map(|(option, file)| format!("{option} {file}")).collect();
    (!named.is_empty()).then(|| named.join(" "))
}
