//! Tables of results as R's face takes them.

use crate::value::Value;
use truecount::{Condition, Warning};
use truecount_analysis::results::{Note, ResultRow, ResultTable};
use truecount_analysis::table_values::{ColumnValues, TableValues, group_values, table_values};

/// Rows with their groups, all of which people see.
pub fn rows<R: ResultRow>(rows: &[R]) -> Vec<(String, Value)> {
    of(rows, &ResultTable::new(rows), &ResultTable::new(rows))
}

/// Rows with their groups: the one table is for R, the other for people.
pub fn of<R: ResultRow>(rows: &[R], table: &ResultTable, shown: &ResultTable) -> Vec<(String, Value)> {
    let mut listed = tables(table, shown);
    if let Some(groups) = group_values(rows).into_iter().collect::<Option<Vec<_>>>() {
        listed.push(("groups".to_owned(), Value::places(groups)));
    }
    listed
}

/// The one table is for R, the other for people.
pub fn tables(table: &ResultTable, shown: &ResultTable) -> Vec<(String, Value)> {
    let TableValues { columns, header, names, lines, explained, .. } = table_values(table, shown);
    let (mut listed, mut warnings) = (Vec::new(), Vec::new());
    for (name, values) in columns {
        let values = match values {
            ColumnValues::Text(texts) => Value::Texts(texts),
            ColumnValues::Whole(counts) => Value::Wholes(counts),
            ColumnValues::Number(numbers) => {
                Value::Numbers(numbers.into_iter().map(|x| Some(x).filter(|x| !x.is_nan())).collect())
            }
            ColumnValues::Flag(flags) => Value::Flags(flags),
            ColumnValues::Warnings(of) => {
                warnings =
                    of.into_iter().enumerate().flat_map(|(row, of)| of.iter().map(move |one| (row, one))).collect();
                continue;
            }
        };
        listed.push((name, values));
    }
    let shown = Value::named([
        ("header", Value::texts(header)),
        ("names", Value::whole(names as u64)),
        ("lines", Value::texts(lines.into_iter().flatten())),
        ("explained", Value::texts(explained)),
    ]);
    vec![
        ("columns".to_owned(), Value::List(listed)),
        ("shown".to_owned(), shown),
        ("warnings".to_owned(), self::warnings(&warnings)),
    ]
}

/// With these warnings of rows in the place of the rows' own.
pub fn warned(mut listed: Vec<(String, Value)>, of: &[(usize, &Warning)]) -> Vec<(String, Value)> {
    listed.retain(|(name, _)| name != "warnings");
    listed.push(("warnings".to_owned(), warnings(of)));
    listed
}

/// Warnings of rows, one after the other.
fn warnings(of: &[(usize, &Warning)]) -> Value {
    Value::named([
        ("row", Value::places(of.iter().map(|(row, _)| *row))),
        ("code", Value::texts(of.iter().map(|(_, warning)| warning.code()))),
        ("severity", Value::texts(of.iter().map(|(_, warning)| warning.severity().to_string()))),
        ("message", Value::texts(of.iter().map(|(_, warning)| warning.to_string()))),
        ("fields", Value::Items(of.iter().map(|(_, warning)| Value::List(Value::fields(*warning))).collect())),
    ])
}

/// Notes below a table, a text each.
pub fn notes(notes: &[Note]) -> Value {
    Value::texts(notes.iter().map(Note::sentence))
}
