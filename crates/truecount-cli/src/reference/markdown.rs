//! Sections and tables in Markdown.

use std::fmt::{Display, Write};

pub fn section(page: &mut String, title: &str) {
    let _ = write!(page, "\n## {title}\n");
}

pub fn table<const N: usize>(page: &mut String, header: [&str; N], rows: impl Iterator<Item = [impl Display; N]>) {
    let _ = write!(page, "\n| {} |\n|{}\n", header.join(" | "), "---|".repeat(N));
    for row in rows {
        let _ = writeln!(page, "| {} |", row.map(|cell| cell.to_string()).join(" | "));
    }
}
