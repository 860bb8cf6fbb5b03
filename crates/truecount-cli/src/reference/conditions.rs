//! The page of all codes, from the library's own tables.

use std::fmt::{Display, Write};
use truecount::{Error, Severity, Subject, Warning};

const INTRODUCTION: &str = "\
Every error and every warning has a code. It stays the same from version to version, which its sentence does not: programs go by the
code, and by the fields that come with it, such as the row or the method.
";

pub fn page() -> String {
    let mut page = format!("# Errors and warnings\n\n{INTRODUCTION}");
    section(&mut page, "Warnings", "A warning stands beside an estimate, with what it means for publishing it.");
    table(&mut page, ["severity", "what to do"], Severity::TABLE.iter().map(|(name, _, what)| [name, what]));
    rows(&mut page, "severity", Warning::TABLE);
    section(&mut page, "Errors", "An error stands in the place of estimates, and is about one of these.");
    table(&mut page, ["about", "what to do"], Subject::TABLE.iter().map(|(name, _, what)| [name, what]));
    rows(&mut page, "about", Error::TABLE);
    page
}

fn section(page: &mut String, title: &str, about: &str) {
    let _ = write!(page, "\n## {title}\n\n{about}\n");
}

/// A table of codes, each with its class and its meaning.
fn rows<T: Display>(page: &mut String, class: &str, codes: &[(&str, T, &str)]) {
    let rows = codes.iter().map(|(code, of, meaning)| [format!("`{code}`"), of.to_string(), (*meaning).to_owned()]);
    table(page, ["code", class, "meaning"], rows);
}

fn table<const N: usize>(page: &mut String, head: [&str; N], rows: impl Iterator<Item = [impl Display; N]>) {
    let _ = write!(page, "\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(N));
    for row in rows {
        let _ = writeln!(page, "| {} |", row.map(|cell| cell.to_string()).join(" | "));
    }
}
