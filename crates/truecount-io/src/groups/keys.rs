//! The values that make groups: the grouping columns, typed as in the file, a row for each group.

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::Schema;
use std::sync::Arc;

/// The values that make groups: one row for each group, and no columns where all rows are one group.
#[derive(Clone, Debug)]
pub struct Keys(RecordBatch);

impl Keys {
    /// Of groups with these values.
    pub fn new(values: RecordBatch) -> Self {
        Self(values)
    }

    /// Of one group without columns.
    pub fn none() -> Self {
        let options = RecordBatchOptions::new().with_row_count(Some(1));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options);
        Self(batch.expect("a row of nothing"))
    }

    /// The values, typed.
    pub fn batch(&self) -> &RecordBatch {
        &self.0
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.schema_ref().fields().iter().map(|field| field.name().as_str())
    }

    /// The values of one group, for messages; none where all rows are one group.
    pub fn name(&self, group: usize) -> Option<String> {
        (self.0.num_columns() > 0).then(|| self.texts().of(group).collect::<Vec<_>>().join(", "))
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
