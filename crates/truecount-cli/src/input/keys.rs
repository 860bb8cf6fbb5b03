//! The values that make groups: the `--by` columns, typed as in the file, a row for each group.

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};

/// One row for each group; no columns without `--by`.
#[derive(Clone, Debug)]
pub struct Keys(RecordBatch);

impl Keys {
    pub fn new(values: RecordBatch) -> Self {
        Self(values)
    }

    /// The values, typed.
    pub fn batch(&self) -> &RecordBatch {
        &self.0
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.schema_ref().fields().iter().map(|field| field.name().as_str())
    }

    /// The values as text; what is missing is an empty one.
    pub fn texts(&self) -> Texts<'_> {
        static OPTIONS: FormatOptions = FormatOptions::new();
        let formatter = |column| ArrayFormatter::try_new(column, &OPTIONS).expect("a type that can be shown");
        Texts(self.0.columns().iter().map(|column| formatter(column.as_ref())).collect())
    }
}

/// The values of every group as text.
pub struct Texts<'a>(Vec<ArrayFormatter<'a>>);

impl Texts<'_> {
    /// Those of one group.
    pub fn of(&self, group: usize) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(move |column| column.value(group).to_string())
    }
}
