//! `truecount reference DIR`: the book's reference pages, generated from the command itself.
//!
//! There is a page for each command, in Markdown with Sphinx's directives `program` and `option`, a
//! page of all errors and warnings, and a page of all columns of results.

mod columns;
mod conditions;
mod markdown;
pub mod schemas;

use crate::error::CliError;
use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use truecount_analysis::results::TableDescription;
use truecount_tables::whole_file;

/// Writes the pages of the command's reference.
#[derive(clap::Args)]
pub struct ReferenceArgs {
    /// Folder for the pages, made if need be
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(
    ReferenceArgs { folder }: &ReferenceArgs,
    mut command: Command,
    tables: &[(&str, Vec<TableDescription>)],
) -> Result<(), CliError> {
    command.build();
    whole_file::create_folder(folder)?;
    whole_file::write(&folder.join("conditions.md"), conditions::page().as_bytes())?;
    whole_file::write(&folder.join("columns.md"), columns::page(tables).as_bytes())?;
    write_pages(folder, "index", &command)
}

/// Writes the pages of a command and its subcommands.
fn write_pages(folder: &Path, name: &str, command: &Command) -> Result<(), CliError> {
    whole_file::write(&folder.join(format!("{name}.md")), page(name, command).as_bytes())?;
    subcommands(command).try_for_each(|subcommand| write_pages(folder, &page_name(name, subcommand), subcommand))
}

/// Returns the visible subcommands except `help`.
fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set() && subcommand.get_name() != "help")
}

fn page_name(parent: &str, command: &Command) -> String {
    let name = command.get_name();
    if parent == "index" { name.to_owned() } else { format!("{parent}-{name}") }
}

fn page(name: &str, command: &Command) -> String {
    let full = command.get_bin_name().unwrap_or(command.get_name());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let about = markdown(command.get_long_about().or(command.get_about()));
    let period = if about.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut page = format!("# {full}\n\n{about}{period}\n\n```text\n{usage}\n```\n");
    for (number, subcommand) in subcommands(command).enumerate() {
        let (file, about) = (page_name(name, subcommand), markdown(subcommand.get_about()));
        let header = if number == 0 { "\n| command | |\n|---|---|\n" } else { "" };
        let shown = subcommand.get_bin_name().unwrap_or(subcommand.get_name());
        let _ = writeln!(page, "{header}| [`{shown}`]({file}.md) | {about} |");
    }
    let (mut positional, mut options): (Vec<_>, Vec<_>) =
        command.get_arguments().filter(|arg| is_shown(arg)).partition(|arg| arg.is_positional());
    positional.sort_by_key(|arg| arg.get_index());
    options.sort_by_key(|arg| arg.get_display_order());
    for (heading, arguments) in [("Arguments", positional), ("Options", options)] {
        if !arguments.is_empty() {
            let _ = write!(page, "\n## {heading}\n\n```{{program}} {full}\n```\n");
            page.extend(arguments.iter().map(|arg| entry(arg, command)));
        }
    }
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        let _ = write!(page, "\n## More\n\n{}\n", markdown(Some(after)));
    }
    let files: Vec<_> = subcommands(command).map(|subcommand| page_name(name, subcommand)).collect();
    if files.is_empty() { page } else { format!("{page}\n```{{toctree}}\n:hidden:\n\n{}\n```\n", files.join("\n")) }
}

/// Returns whether the page lists an argument: every one except help and version, which all commands have.
fn is_shown(arg: &Arg) -> bool {
    let action = arg.get_action();
    !arg.is_hide_set()
        && !matches!(action, ArgAction::Help | ArgAction::HelpLong | ArgAction::HelpShort | ArgAction::Version)
}

/// Returns the description of an argument with its values and its default.
fn entry(arg: &Arg, command: &Command) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    // A default that clap does not know is in the help text, in clap's notation.
    let (help, default) =
        match help.split_once(" [default: ").and_then(|(before, rest)| Some((before, rest.split_once(']')?))) {
            Some((before, (default, after))) => {
                let default = if default.contains(' ') { default.to_owned() } else { format!("`{default}`") };
                (format!("{before}{after}"), Some(default))
            }
            None => (help, None),
        };
    let clap_default: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = default
        .or_else(|| (takes_value(arg) && !clap_default.is_empty()).then(|| format!("`{}`", clap_default.join(" "))));
    let mut text = markdown(Some(&StyledStr::from(help)));
    if arg.get_value_delimiter().is_some() && !text.contains("commas") {
        text.push_str(" (several between commas)");
    }
    let values: String =
        arg.get_possible_values().iter().filter(|_| takes_value(arg)).fold(String::new(), |list, value| {
            let help = value.get_help().map_or(String::new(), |help| format!(": {}", markdown(Some(help))));
            format!("{list}- `{}`{help}\n", value.get_name())
        });
    let conflicts = command.get_arg_conflicts_with(arg).into_iter().filter(|other| is_shown(other));
    // Names on the command line, as Markdown code.
    let conflicts: Vec<_> = conflicts
        .map(|arg| format!("`{}`", arg.get_long().map_or_else(|| arg.get_id().to_string(), |long| format!("--{long}"))))
        .collect();
    let facts = [
        arg.is_required_set().then(|| "Required.".to_owned()),
        default.map(|default| format!("Default: {default}.")),
        (!conflicts.is_empty()).then(|| format!("Not together with {}.", conflicts.join(", "))),
    ];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts: Vec<_> =
        [text.as_str(), values.trim_end(), &facts].into_iter().filter(|part| !part.is_empty()).collect();
    format!("\n````{{option}} {}\n{}\n````\n", signature(arg), parts.join("\n\n"))
}

fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

/// Returns an argument with its values, such as `-o <FILE>, --output <FILE>`.
fn signature(arg: &Arg) -> String {
    let names =
        arg.get_value_names().unwrap_or_default().iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" ");
    let many = arg.get_num_args().is_some_and(|number| number.max_values() > 1);
    let value = if takes_value(arg) { format!("{names}{}", if many { "..." } else { "" }) } else { String::new() };
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let forms: Vec<_> = short.into_iter().chain(long).map(|name| format!("{name} {value}").trim().to_owned()).collect();
    if forms.is_empty() { value } else { forms.join(", ") }
}

/// Converts help text to Markdown: indented lines and `--options` become code, and special
/// characters other than list marks and backquotes are escaped.
fn markdown(text: Option<&StyledStr>) -> String {
    let text = text.map(ToString::to_string).unwrap_or_default();
    let mut lines = Vec::new();
    let mut in_code = false;
    for line in text.trim().lines() {
        let is_code = line.starts_with("  ");
        if is_code != in_code {
            lines.push(if is_code { "\n```text".to_owned() } else { "```".to_owned() });
            in_code = is_code;
        }
        lines.push(if is_code { line.trim().to_owned() } else { markdown_line(line) });
    }
    if in_code {
        lines.push("```".to_owned());
    }
    lines.join("\n")
}

/// Converts a line of text. In a list item `- name: meaning` the name becomes code.
fn markdown_line(line: &str) -> String {
    let (prefix, rest) = match line.strip_prefix("- ").and_then(|item| item.split_once(": ")) {
        Some((name, meaning)) if !name.contains(' ') => (format!("- `{name}`: "), meaning),
        _ => (String::new(), line),
    };
    prefix + &rest.split(' ').map(markdown_word).collect::<Vec<_>>().join(" ")
}

fn markdown_word(word: &str) -> String {
    let end = word.trim_end_matches(|c: char| ",.;:)".contains(c)).len();
    match word {
        _ if word.starts_with("--") && end > 2 => format!("`{}`{}", &word[..end], &word[end..]),
        _ if word.contains('`') => word.to_owned(),
        _ => word.chars().flat_map(|c| "*_<>[]$|\\".contains(c).then_some('\\').into_iter().chain([c])).collect(),
    }
}
