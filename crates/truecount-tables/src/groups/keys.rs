//! The values that define groups: the grouping columns, typed as in the file, one row per group.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch, RecordBatchOptions, StringArray, UInt32Array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{can_cast_types, cast};
use arrow_schema::{DataType, Schema};
use arrow_select::take::take_record_batch;
use std::any::Any;
use std::sync::Arc;
use truecount_analysis::groups::{DateFormat, GroupNames, GroupRanks, NameReader, NameValue};

/// Words that name a total row.
const TOTAL_WORDS: [&str; 8] = ["total", "totals", "grand total", "sum", "summe", "gesamt", "insgesamt", "totale"];

/// The values that define groups: one row per group, without columns if all rows form one group.
#[derive(Clone, Debug)]
pub struct Keys(RecordBatch);

impl Keys {
    /// Creates keys from the values of the groups.
    pub fn new(values: RecordBatch) -> Self {
        Self(values)
    }

    /// Returns the keys of a single group without grouping columns.
    pub fn single_group() -> Self {
        let options = RecordBatchOptions::new().with_row_count(Some(1));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options);
        Self(batch.expect("a row without columns"))
    }

    /// Returns the keys with only these columns; groups may then have equal keys.
    #[must_use]
    pub fn select_columns(&self, columns: impl IntoIterator<Item = usize>) -> Self {
        let indices: Vec<usize> = columns.into_iter().collect();
        Self(self.0.project(&indices).expect("columns that are there"))
    }

    /// Returns the keys of only these groups, in this order.
    #[must_use]
    pub fn select_groups(&self, groups: &[u32]) -> Self {
        Self(take_record_batch(&self.0, &UInt32Array::from(groups.to_vec())).expect("groups that are there"))
    }

    /// Returns the columns of texts that are dates in which day and month may be in either order, each with an example.
    pub(super) fn ambiguous_dates(&self) -> impl Iterator<Item = (&str, &str)> {
        self.columns().zip(self.0.columns()).filter_map(|(name, values)| {
            let texts = values.as_string_opt::<i32>()?;
            let known = || texts.iter().flatten().filter(|text| !text.is_empty());
            Some((name, DateFormat::ambiguous_date(known)?))
        })
    }

    /// Returns the name of the last group if a total row would have it.
    pub(super) fn last_total(&self) -> Option<String> {
        let last = self.number().checked_sub(1)?;
        let is_total = |text: &String| TOTAL_WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
        self.texts().group_texts(last).find(is_total)
    }

    /// Returns the values with their types.
    pub fn batch(&self) -> &RecordBatch {
        &self.0
    }
}

impl GroupNames for Keys {
    fn columns(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.0.schema_ref().fields().iter().map(|field| field.name().as_str()))
    }

    fn number(&self) -> usize {
        self.0.num_rows()
    }

    fn reader(&self) -> Box<dyn NameReader + '_> {
        static OPTIONS: FormatOptions = FormatOptions::new();
        let texts = |values| ArrayFormatter::try_new(values, &OPTIONS).expect("a type that can be formatted");
        let columns = self.0.columns().iter().map(AsRef::as_ref);
        Box::new(KeyColumns(columns.map(|values| (values, texts(values))).collect()))
    }

    fn ranks(&self) -> Vec<GroupRanks> {
        self.0.columns().iter().map(|column| ranks(column.as_ref())).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A reader of all grouping columns, each with its type.
struct KeyColumns<'a>(Vec<(&'a dyn Array, ArrayFormatter<'a>)>);

impl NameReader for KeyColumns<'_> {
    fn text(&self, group: usize, column: usize) -> String {
        self.0[column].1.value(group).to_string()
    }

    fn value(&self, group: usize, column: usize) -> NameValue {
        let values = self.0[column].0;
        if values.is_null(group) {
            return NameValue::Missing;
        }
        let text = self.text(group, column);
        // Every number is written so that it can be read back.
        let value = match values.data_type() {
            kind if kind.is_signed_integer() => text.parse().map(NameValue::Signed).ok(),
            kind if kind.is_unsigned_integer() => text.parse().map(NameValue::Unsigned).ok(),
            DataType::Float16 | DataType::Float32 => text.parse().map(NameValue::Single).ok(),
            DataType::Float64 => text.parse().map(NameValue::Double).ok(),
            DataType::Boolean => text.parse().map(NameValue::Logical).ok(),
            _ => None,
        };
        value.unwrap_or(NameValue::Text(text))
    }
}

fn ranks(column: &dyn Array) -> GroupRanks {
    let cast_to = |to: &DataType| cast(column, to).expect("a type that can be cast");
    match column.data_type() {
        DataType::UInt64 => GroupRanks::from_values(cast_to(&DataType::UInt64).as_primitive::<UInt64Type>().iter()),
        kind if kind.is_floating() => {
            GroupRanks::from_numbers(cast_to(&DataType::Float64).as_primitive::<Float64Type>().iter())
        }
        kind if !kind.is_string() && !kind.is_decimal() && can_cast_types(kind, &DataType::Int64) => {
            GroupRanks::from_values(cast_to(&DataType::Int64).as_primitive::<Int64Type>().iter())
        }
        kind if can_cast_types(kind, &DataType::Utf8) => {
            let texts = cast_to(&DataType::Utf8);
            let texts: &StringArray = texts.as_string();
            GroupRanks::from_texts(|| texts.iter())
        }
        _ => GroupRanks::all_equal(column.len()),
    }
}
