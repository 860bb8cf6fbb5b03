//! `truecount reference DIR`: the pages of the book that say what can be typed, from what the command itself knows. A
//! page for each command, in Markdown with the directives `program` and `option` of Sphinx, and one of all errors and
//! warnings and one of all columns of results.

mod columns;
mod conditions;
mod markdown;

use crate::failure::CliError;
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
    whole_file::folder(folder)?;
    whole_file::write(&folder.join("conditions.md"), conditions::page().as_bytes())?;
    whole_file::write(&folder.join("columns.md"), columns::page(tables).as_bytes())?;
    write(folder, "index", &command)
}

/// The pages of a command and of those below it.
fn write(folder: &Path, name: &str, command: &Command) -> Result<(), CliError> {
    whole_file::write(&folder.join(format!("{name}.md")), page(name, command).as_bytes())?;
    below(command).try_for_each(|below| write(folder, &file(name, below), below))
}

/// What stands below a command in the help.
fn below(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
}

fn file(above: &str, command: &Command) -> String {
    let name = command.get_name();
    if above == "index" { name.to_owned() } else { format!("{above}-{name}") }
}

fn page(name: &str, command: &Command) -> String {
    let full = command.get_bin_name().unwrap_or(command.get_name());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let long = command.get_long_about().or(command.get_about());
    let about = prose(long);
    let dot = if about.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut page = format!("# {full}\n\n{about}{dot}\n\n```text\n{usage}\n```\n");
    for (number, below) in below(command).enumerate() {
        let (file, about) = (file(name, below), prose(below.get_about()));
        let bar = if number == 0 { "\n| command | |\n|---|---|\n" } else { "" };
        let shown = below.get_bin_name().unwrap_or(below.get_name());
        let _ = writeln!(page, "{bar}| [`{shown}`]({file}.md) | {about} |");
    }
    let (mut positional, mut options): (Vec<_>, Vec<_>) =
        command.get_arguments().filter(|of| is_shown(of)).partition(|of| of.is_positional());
    positional.sort_by_key(|of| of.get_index());
    options.sort_by_key(|of| of.get_display_order());
    for (heading, arguments) in [("Arguments", positional), ("Options", options)] {
        if !arguments.is_empty() {
            let _ = write!(page, "\n## {heading}\n\n```{{program}} {full}\n```\n");
            page.extend(arguments.iter().map(|of| entry(of, command)));
        }
    }
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        let _ = write!(page, "\n## More\n\n{}\n", prose(Some(after)));
    }
    let files: Vec<_> = below(command).map(|below| file(name, below)).collect();
    if files.is_empty() { page } else { format!("{page}\n```{{toctree}}\n:hidden:\n\n{}\n```\n", files.join("\n")) }
}

/// Help and version are the same for every command.
fn is_shown(of: &Arg) -> bool {
    !of.is_hide_set()
        && !matches!(of.get_action(), ArgAction::Help | ArgAction::HelpLong | ArgAction::HelpShort | ArgAction::Version)
}

/// What an argument is, its values and its default.
fn entry(of: &Arg, command: &Command) -> String {
    let help = of.get_long_help().or(of.get_help()).map(ToString::to_string).unwrap_or_default();
    // Where a default is none of clap's, the help names it in clap's words.
    let (help, default) =
        match help.split_once(" [default: ").and_then(|(what, rest)| Some((what, rest.split_once(']')?))) {
            Some((what, (default, rest))) => {
                let default = if default.contains(' ') { default.to_owned() } else { format!("`{default}`") };
                (format!("{what}{rest}"), Some(default))
            }
            None => (help, None),
        };
    let of_clap: Vec<_> = of.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default =
        default.or_else(|| (takes_value(of) && !of_clap.is_empty()).then(|| format!("`{}`", of_clap.join(" "))));
    let mut text = prose(Some(&StyledStr::from(help)));
    if of.get_value_delimiter().is_some() && !text.contains("commas") {
        text.push_str(" (several between commas)");
    }
    let values: String =
        of.get_possible_values().iter().filter(|_| takes_value(of)).fold(String::new(), |all, value| {
            let help = value.get_help().map_or(String::new(), |help| format!(": {}", prose(Some(help))));
            format!("{all}- `{}`{help}\n", value.get_name())
        });
    let not_with: Vec<_> =
        command.get_arg_conflicts_with(of).into_iter().filter(|other| is_shown(other)).map(typed).collect();
    let facts = [
        of.is_required_set().then(|| "Required.".to_owned()),
        default.map(|default| format!("Default: {default}.")),
        (!not_with.is_empty()).then(|| format!("Not together with {}.", not_with.join(", "))),
    ];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts: Vec<_> =
        [text.as_str(), values.trim_end(), &facts].into_iter().filter(|part| !part.is_empty()).collect();
    format!("\n````{{option}} {}\n{}\n````\n", signature(of), parts.join("\n\n"))
}

fn takes_value(of: &Arg) -> bool {
    of.get_action().takes_values()
}

/// The name that is typed, as code.
fn typed(of: &Arg) -> String {
    of.get_long().map_or_else(|| format!("`{}`", of.get_id()), |long| format!("`--{long}`"))
}

/// `-o <FILE>, --output <FILE>`
fn signature(of: &Arg) -> String {
    let names =
        of.get_value_names().unwrap_or_default().iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" ");
    let many = of.get_num_args().is_some_and(|number| number.max_values() > 1);
    let value = if takes_value(of) { format!("{names}{}", if many { "..." } else { "" }) } else { String::new() };
    let short = of.get_short().map(|short| format!("-{short}"));
    let long = of.get_long().map(|long| format!("--{long}"));
    let spelled: Vec<_> =
        short.into_iter().chain(long).map(|name| format!("{name} {value}").trim().to_owned()).collect();
    if spelled.is_empty() { value } else { spelled.join(", ") }
}

/// Plain text as Markdown: what is indented is code, `--options` are, and nothing else means anything but lists and
/// backquotes.
fn prose(text: Option<&StyledStr>) -> String {
    let text = text.map(ToString::to_string).unwrap_or_default();
    let mut lines = Vec::new();
    let mut in_code = false;
    for line in text.trim().lines() {
        let is_code = line.starts_with("  ");
        if is_code != in_code {
            lines.push(if is_code { "\n```text".to_owned() } else { "```".to_owned() });
            in_code = is_code;
        }
        lines.push(if is_code { line.trim().to_owned() } else { marked(line) });
    }
    if in_code {
        lines.push("```".to_owned());
    }
    lines.join("\n")
}

/// A line of text; in one of a list, `- name: meaning`, the name is code.
fn marked(line: &str) -> String {
    let (named, rest) = match line.strip_prefix("- ").and_then(|item| item.split_once(": ")) {
        Some((name, meaning)) if !name.contains(' ') => (format!("- `{name}`: "), meaning),
        _ => (String::new(), line),
    };
    named + &rest.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn word(word: &str) -> String {
    let end = word.trim_end_matches(|c: char| ",.;:)".contains(c)).len();
    match word {
        _ if word.starts_with("--") && end > 2 => format!("`{}`{}", &word[..end], &word[end..]),
        _ if word.contains('`') => word.to_owned(),
        _ => word.chars().flat_map(|c| "*_<>[]$|\\".contains(c).then_some('\\').into_iter().chain([c])).collect(),
    }
}
