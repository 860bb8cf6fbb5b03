//! The help: options in groups with the essential ones first, and the pages `truecount help
//! methods`, `families`, `output` and `schemas`.
//!
//! `-h` lists the essential options, `--help` all of them, each on one line; `truecount help
//! COMMAND`, the manual pages and the reference add the details.

use crate::error::CliError;
use crate::output::{self, OutputFormat};
use crate::reference::schemas::document;
use clap::{Arg, ArgAction, Command, ValueEnum};
use std::fmt::Write as _;
use std::io::Write as _;
use truecount::Method;
use truecount::distribution::Family;
use truecount::scores::Transform;
use truecount_analysis::results::TableDescription;
use truecount_analysis::results::text::{LINE_WIDTH, wrap};

/// The groups of options, in the order of the help: the heading, the essential options, and all others.
const GROUPS: [(&str, &[&str], &[&str]); 7] = [
    (
        "Input",
        &[
            "train", "model", "test", "pool", "tally", "audit", "table", "other_test", "estimates", "positives",
            "tested", "sensitivity", "specificity", "out",
        ],
        &[
            "other_score", "other_train", "other_model", "sensitivity_of", "specificity_of", "audit_outside_test",
            "allow_equal", "label_file", "id", "sheet", "train_sheet", "audit_sheet", "decimal", "missing",
        ],
    ),
    (
        "Columns",
        &["score", "label", "positive", "by", "every"],
        &[
            "band", "zone", "ignore_label", "rest", "class_scores", "class_count", "prob", "train_score", "train_prob",
            "score_positive", "weight", "cluster", "stratum", "replicates", "replicate_type", "label_weight",
            "label_cluster", "label_stratum", "audit_weight", "audit_label", "prediction", "audit_count", "fold",
            "truth",
        ],
    ),
    (
        "Task",
        &[
            "above", "below", "baseline", "half_width", "design_effect", "margin", "draw", "keep", "se", "difference",
            "prevalence", "allocate", "reference", "contamination", "protocol", "counts", "dialect",
        ],
        &["power", "separate_labels", "unlabelled", "labelled", "assurance", "uniform", "samples", "size"],
    ),
    ("Method", &["method"], &["family", "transform", "rates", "threshold", "cutoff", "model_stratum", "small_strata"]),
    (
        "Uncertainty",
        &["level", "target", "interval"],
        &["misfit", "population", "cluster_population", "lonely_psu", "resamples", "seed"],
    ),
    ("Totals and comparisons", &["total", "compare"], &["standardise", "columns", "publish"]),
    (
        "Output",
        &["format", "output", "figure", "figures", "figure_size", "report", "items", "positive_name", "help"],
        &["sort", "percent", "locale", "verbose", "threads", "short_help"],
    ),
];

/// Arguments whose values are listed on a separate help page.
const WITHOUT_VALUES: [&str; 2] = ["family", "format"];

/// The extent of a command's help.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HelpExtent {
    /// The options that a first use needs, on one screen.
    Essential,
    /// All options.
    All,
}

impl HelpExtent {
    /// Returns the extent that the typed words ask for.
    pub fn from_words(words: &[String]) -> Self {
        let short = words.iter().any(|word| word == "-h") && !words.iter().any(|word| word == "--help");
        if short { Self::Essential } else { Self::All }
    }
}

/// Arranges the options of the program's commands in groups.
pub fn arrange_options(program: Command, extent: HelpExtent) -> Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort).help("Print help");
    program.disable_help_flag(true).arg(help).mut_subcommands(|command| group_options(command, extent))
}

/// Arranges the options of a command; a command without such options stays as it is.
fn group_options(command: Command, extent: HelpExtent) -> Command {
    let help = |name, text| Arg::new(name).action(ArgAction::HelpShort).help(text);
    let command = command
        .disable_help_flag(true)
        .arg(help("short_help", "Print the essential options").short('h'))
        .arg(help("help", "Print all options; `truecount help COMMAND` explains them").long("help"));
    GROUPS.iter().fold(command, |command, (heading, essential, others)| {
        let names = essential.iter().chain(*others).enumerate();
        names.fold(command, |command, (index, name)| {
            let is_option = |arg: &Arg| arg.get_id() == name && !arg.is_positional();
            if !command.get_arguments().any(is_option) {
                return command;
            }
            // `mut_arg` puts the argument last, so that the headings come in the order of the groups.
            command.mut_arg(name, |arg| {
                arg.help_heading(*heading)
                    .display_order(index)
                    .hide_short_help(extent == HelpExtent::Essential && index >= essential.len())
                    .hide_possible_values(WITHOUT_VALUES.contains(name))
            })
        })
    })
}

/// Explains a command, the methods, the families or the formats.
#[derive(clap::Args)]
pub struct HelpArgs {
    /// Command, or one of methods, families, output and schemas
    #[arg(value_name = "COMMAND|TOPIC")]
    topic: Option<String>,
}

/// The result tables of commands.
type CommandTables<'a> = [(&'a str, Vec<TableDescription>)];

/// A topic that is not a command, and the function that writes its text.
type Topic = (&'static str, fn(&CommandTables) -> String);

const TOPICS: [Topic; 4] =
    [("methods", |_| methods()), ("families", |_| families()), ("output", |_| formats()), ("schemas", document)];

pub fn run(args: &HelpArgs, mut command: Command, tables: &CommandTables) -> Result<(), CliError> {
    command.build();
    let text = match args.topic.as_deref() {
        None => command.render_help().to_string(),
        Some(topic) => match TOPICS.iter().find(|(name, _)| *name == topic) {
            Some((_, text)) => text(tables),
            None => match command.find_subcommand_mut(topic) {
                Some(command) => command.render_long_help().to_string(),
                None => {
                    return Err(CliError::usage(
                        format!("there is no command or topic '{topic}'"),
                        "`truecount help` lists the commands; the topics are methods, families, output and schemas",
                    ));
                }
            },
        },
    };
    output::to_stdout(|out| out.write_all(text.as_bytes()))
}

/// Lays out names and their meanings in two columns.
fn two_columns<'a>(rows: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().fold(String::new(), |mut lines, (name, meaning)| {
        let _ = writeln!(lines, "  {name:width$}  {meaning}");
        lines
    })
}

fn methods() -> String {
    let names: Vec<_> = Method::ALL.iter().map(|method| (method.to_string(), method.summary())).collect();
    let threshold = ("cs", "Continuous Sweep with the threshold of --threshold, by default the optimal one");
    let rows = names.iter().map(|(name, summary)| (name.as_str(), *summary)).chain([threshold]);
    let with_family: Vec<_> = Method::ALL.iter().filter(|method| method.fits_family()).map(Method::to_string).collect();
    let note = format!(
        "{} and cs depend on the fitted --family, and so does es with --rates family. Methods that read posterior \
         probabilities do not if --prob gives them. See `truecount help families`. The documentation compares the \
         methods on real data.",
        with_family.join(", ")
    );
    format!(
        "Methods for --method, several separated by commas, or all. The default is es.\n\n{}\n{}\n",
        two_columns(rows),
        wrap(&note, LINE_WIDTH, "").join("\n")
    )
}

fn families() -> String {
    let family = two_columns(Family::TABLE.iter().map(|(name, _, meaning)| (*name, *meaning)));
    let transform = two_columns(Transform::TABLE.iter().map(|(name, _, meaning)| (*name, *meaning)));
    format!(
        "Families of distributions for --family. The default is normal.\n\n{family}\n\
         Transforms for --transform, applied before the family is fitted. The default is none.\n\n{transform}\n\
         `truecount check` tests whether each family fits the labelled scores.\n"
    )
}

fn formats() -> String {
    let values: Vec<_> = OutputFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
    let rows = values.iter().map(|value| (value.get_name(), value.get_help().map(ToString::to_string)));
    let rows: Vec<_> = rows.map(|(name, meaning)| (name.to_owned(), meaning.unwrap_or_default())).collect();
    format!(
        "Formats for --format. Without --format the extension of --output decides, else the format is table.\n\n{}\n\
         Results go to standard output or to the file of --output, which is written whole or not at all.\n\
         Warnings and progress go to standard error. `truecount help schemas` prints the JSON Schemas.\n",
        two_columns(rows.iter().map(|(name, meaning)| (name.as_str(), meaning.as_str())))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_in_a_group() {
        let program = arrange_options(crate::program::command(), HelpExtent::All);
        for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
            let options: Vec<_> = command.get_arguments().filter(|arg| !arg.is_positional()).collect();
            for option in &options {
                assert!(option.get_help_heading().is_some(), "{} {}", command.get_name(), option.get_id());
            }
            for name in options.iter().filter_map(|option| option.get_long()) {
                assert_eq!(options.iter().filter(|option| option.get_long() == Some(name)).count(), 1, "{name}");
            }
        }
    }
}
