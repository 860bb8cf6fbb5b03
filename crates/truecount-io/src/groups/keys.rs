//! The values that define groups: the grouping columns, typed as in the file, one row per group.

use super::values::Values;
use crate::kernels::{ArrayFormatter, FormatOptions};
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::Schema;
use std::sync::Arc;

/// The values that define groups: one row per group, and no columns where all rows form one group.
#[derive(Clone, Debug)]
pub struct Keys(RecordBatch);

impl Keys {
    /// The keys of groups with these values.
    pub fn new(values: RecordBatch) -> Self {
        Self(values)
    }

    /// The keys of a single group without grouping columns.
    pub fn none() -> Self {
        let options = RecordBatchOptions::new().with_row_count(Some(1));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options);
        Self(batch.expect("a row of nothing"))
    }

    /// The same of these columns.
    #[must_use]
    pub fn of_columns(&self, columns: impl IntoIterator<Item = usize>) -> Self {
        let places: Vec<usize> = columns.into_iter().collect();
        Self(self.0.project(&places).expect("columns that are there"))
    }

    /// The values, typed.
    pub fn batch(&self) -> &RecordBatch {
        &self.0
    }

    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.schema_ref().fields().iter().map(|field| field.name().as_str())
    }

    /// The values of one group, for messages; `None` where all rows form one group.
    pub fn name(&self, group: usize) -> Option<String> {
        (self.0.num_columns() > 0).then(|| self.texts().of(group).collect::<Vec<_>>().join(", "))
    }

    /// The values as JSON.
    pub(crate) fn values(&self) -> Values<'_> {
        Values::new(&self.0)
    }

    /// The values as text; a missing value is an empty text.
    pub fn texts(&self) -> Texts<'_> {
        static OPTIONS: FormatOptions = FormatOptions::new();
        let formatter = |column| ArrayFormatter::try_new(column, &OPTIONS).expect("a type that can be shown");
        Texts(self.0.columns().iter().map(|column| formatter(column.as_ref())).collect())
    }
}

/// The values of every group as text.
pub struct Texts<'a>(Vec<ArrayFormatter<'a>>);

impl Texts<'_> {
    /// The values of one group.
    pub fn of(&self, group: usize) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(move |column| column.value(group).to_string())
    }
}
