//! The page of all result columns, generated from their descriptions.

use super::markdown::{section, table};
use truecount_analysis::results::{TableDescription, Unit};

const INTRODUCTION: &str = "\
Results are tables, whatever their form: `--format` or the extension of `--output` chooses among CSV, JSON, \
JSON lines, Parquet, Excel, Markdown, LaTeX and the table on the terminal. Grouping columns come first, under their \
own names, in JSON as the object `group`. In CSV and Excel a missing value is an empty cell, and `inf` stands for \
unlimited; in JSON and Parquet both are null. Where a command has several tables, CSV, JSON lines, Parquet and Excel \
have one, whose first own column, `table`, says which row belongs to which. Parquet's fields carry unit and \
meaning.
";

/// Returns the page of the commands' tables.
pub fn page(commands: &[(&str, Vec<TableDescription>)]) -> String {
    let mut page = format!("# Columns of results\n\n{INTRODUCTION}");
    for (command, tables) in commands {
        for TableDescription { name, columns } in tables {
            section(&mut page, &format!("{command}: {name}"));
            let rows = columns.iter().map(|column| {
                let json = if column.unit == Unit::Nested { " (JSON only)" } else { "" };
                let optional = if column.optional { "may be missing" } else { "" };
                let unit = format!("{}{json}", column.unit.name());
                [format!("`{}`", column.name), unit, optional.to_owned(), column.meaning.replace('|', "\\|")]
            });
            table(&mut page, ["column", "unit", "", "meaning"], rows);
        }
    }
    page
}
