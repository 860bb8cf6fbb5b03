//! Tables of results as named lists for R.

use crate::value::Value;
use truecount::error::{Condition, Severity};
use truecount::{Estimate, Warning};
use truecount_analysis::advice::describe_warning;
use truecount_analysis::results::{Note, ResultRow, ResultTable};
use truecount_analysis::spelling::Interface;
use truecount_analysis::table_values::{ColumnValues, TableValues, group_values, table_values};

/// Converts rows of groups to a list; all columns are printed.
pub fn from_rows<R: ResultRow>(rows: &[R]) -> Vec<(String, Value)> {
    from_grouped(rows, &ResultTable::new(rows), &ResultTable::new(rows))
}

/// Converts rows of groups to a list: `table` has the columns of the data frame, `printed` those
/// for people.
pub fn from_grouped<R: ResultRow>(rows: &[R], table: &ResultTable, printed: &ResultTable) -> Vec<(String, Value)> {
    let mut list = from_tables(table, printed);
    if let Some(groups) = group_values(rows).into_iter().collect::<Option<Vec<_>>>() {
        list.push(("groups".to_owned(), Value::indices(groups)));
    }
    list
}

/// Converts a table to a list: `table` has the columns of the data frame, `printed` those for
/// people.
pub fn from_tables(table: &ResultTable, printed: &ResultTable) -> Vec<(String, Value)> {
    let TableValues { columns, header, names, lines, explained, .. } = table_values(table, printed);
    let (mut list, mut row_warnings) = (Vec::new(), Vec::new());
    for (name, values) in columns {
        let values = match values {
            ColumnValues::Text(texts) => Value::Texts(texts),
            ColumnValues::Whole(counts) => Value::Counts(counts),
            ColumnValues::Number(numbers) => {
                Value::Numbers(numbers.into_iter().map(|x| Some(x).filter(|x| !x.is_nan())).collect())
            }
            ColumnValues::Flag(flags) => Value::Flags(flags),
            ColumnValues::Warnings(by_row) => {
                for (row, estimate) in by_row.into_iter().enumerate() {
                    let estimate = estimate.into_iter();
                    row_warnings.extend(
                        estimate
                            .flat_map(Estimate::warnings_by_stratum)
                            .map(|(stratum, warning)| (row, stratum, warning)),
                    );
                }
                continue;
            }
        };
        list.push((name, values));
    }
    let printed = Value::named([
        ("header", Value::texts(header)),
        ("names", Value::count(names as u64)),
        ("lines", Value::texts(lines.into_iter().flatten())),
        ("explained", Value::texts(explained)),
    ]);
    vec![
        ("columns".to_owned(), Value::List(list)),
        ("printed".to_owned(), printed),
        ("warnings".to_owned(), row_warnings_value(&row_warnings)),
    ]
}

/// Replaces the warnings of a list by these; each has the index of its row.
pub fn with_warnings(mut list: Vec<(String, Value)>, row_warnings: &[(usize, &Warning)]) -> Vec<(String, Value)> {
    list.retain(|(name, _)| name != "warnings");
    let row_warnings: Vec<_> = row_warnings.iter().map(|(row, warning)| (*row, None, *warning)).collect();
    list.push(("warnings".to_owned(), row_warnings_value(&row_warnings)));
    list
}

/// Returns warnings with the indices of their rows and, of a warning about one, with their stratum.
fn row_warnings_value(row_warnings: &[(usize, Option<&str>, &Warning)]) -> Value {
    let message = |(_, stratum, warning): &(usize, Option<&str>, &Warning)| {
        let message = describe_warning(warning, Interface::R);
        stratum.map_or(message.clone(), |stratum| format!("stratum {stratum}: {message}"))
    };
    let with_message =
        row_warnings.iter().map(|warning| (warning.0, warning.2.severity(), message(warning), warning.2));
    warnings(&with_message.collect::<Vec<_>>())
}

/// Returns warnings with the indices of their rows, their severities and messages.
pub fn warnings<W: Condition + ?Sized>(row_warnings: &[(usize, Severity, String, &W)]) -> Value {
    let each = || row_warnings.iter();
    Value::named([
        ("row", Value::indices(each().map(|(row, ..)| *row))),
        ("code", Value::texts(each().map(|(.., warning)| warning.code()))),
        ("severity", Value::texts(each().map(|(_, severity, ..)| severity.to_string()))),
        ("message", Value::texts(each().map(|(_, _, message, _)| message))),
        ("fields", Value::Items(each().map(|(.., warning)| Value::List(Value::fields(*warning))).collect())),
    ])
}

/// Returns the texts of the notes below a table.
pub fn notes(notes: &[Note]) -> Value {
    Value::texts(notes.iter().map(Note::sentence))
}
