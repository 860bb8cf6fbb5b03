//! Names of columns, several in one word: commas part them, and one with a comma in it stands in double quotes, as in CSV.

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use std::ops::Deref;

/// The columns that make groups: all that were typed, in one `--by` or several.
pub struct By(Vec<String>);

/// The names in one word.
#[derive(Clone)]
pub struct Names(pub Vec<String>);

const BY: &str = "by";

impl Deref for By {
    type Target = Vec<String>;

    fn deref(&self) -> &Vec<String> {
        &self.0
    }
}

impl clap::Args for By {
    fn augment_args(command: Command) -> Command {
        let by = Arg::new(BY).long(BY).value_name("COL").action(ArgAction::Append).value_parser(names);
        command.arg(by.help(
            "One estimate for every combination of values of these columns, separated by commas or each with a --by of its own; a name \
             with a comma in double quotes: --by '\"City, State\",week'",
        ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for By {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = matches.get_many::<Names>(BY).into_iter().flatten();
        Ok(Self(typed.flat_map(|Names(names)| names.clone()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|by| *self = by)
    }
}

/// The names in a word. Two quotes within quotes are one.
pub fn names(word: &str) -> Result<Names, String> {
    let mut names = Vec::new();
    let mut rest = word;
    loop {
        let (name, after) = if let Some(quoted) = rest.strip_prefix('"') {
            unquoted(quoted).ok_or("a double quote is never closed")?
        } else {
            let (name, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
            (name.to_owned(), after)
        };
        names.push(name);
        match after.strip_prefix(',') {
            Some(more) => rest = more,
            None if after.is_empty() => return Ok(Names(names)),
            None => return Err(format!("'{after}' follows a name in double quotes; a comma should")),
        }
    }
}

/// What is in quotes, of which the first was taken, and what follows the last.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let (before, after) = text.split_once('"')?;
    match after.strip_prefix('"') {
        Some(more) => unquoted(more).map(|(name, rest)| (format!("{before}\"{name}"), rest)),
        None => Some((before.to_owned(), after)),
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn commas_part_names_and_quotes_hold_them_together() {
        let of = |word| names(word).map_or_else(|e| e, |names| names.0.join("|"));
        assert_eq!(of("week"), "week");
        assert_eq!(of("City, State"), "City| State");
        assert_eq!(of(r#""City, State""#), "City, State");
        assert_eq!(of(r#"a,"b,c",d"#), "a|b,c|d");
        assert_eq!(of(r#""say ""hi""",x"#), r#"say "hi"|x"#);
        assert_eq!(of(r#"5" pipe"#), r#"5" pipe"#);
        assert_eq!(of("a,"), "a|");
        assert_eq!(of(r#""a"#), "a double quote is never closed");
        assert_eq!(of(r#""a"b"#), "'b' follows a name in double quotes; a comma should");
    }
}
