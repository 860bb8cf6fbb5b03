//! Results as Parquet: one row per result, with full precision and typed grouping columns.
//!
//! The metadata of the fields describes the columns. Missing values and unlimited counts are null.

use crate::groups::Keys;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array, new_null_array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::take::take;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;
use truecount::Estimate;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::flat::{FlatTable, MergedTable};
use truecount_analysis::results::{ColumnDescription, ResultCell, Results, Unit};

/// Number of rows that are converted to columns at a time.
const ROWS: usize = 1 << 16;

/// Writes the results.
///
/// # Errors
/// Returns the error of the writer; the kind of an I/O error, such as a closed pipe, is preserved.
pub fn write(results: &Results, out: &mut (impl Write + Send)) -> io::Result<()> {
    write_batches(results, out).map_err(|error| match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
    })
}

fn write_batches(results: &Results, out: &mut (impl Write + Send)) -> Result<(), ParquetError> {
    let flat = FlatTable::new(results);
    let schema = Arc::new(schema(&flat));
    let about = results.about.iter().map(|(name, value)| KeyValue::new((*name).to_owned(), value.to_string()));
    let properties = properties().set_key_value_metadata(Some(about.collect())).build();
    let mut writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
    for part in flat.parts() {
        for first in (0..part.table.len()).step_by(ROWS) {
            let rows: Vec<usize> = (first..part.table.len().min(first + ROWS)).collect();
            writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns(&flat, part, &rows)?)?)?;
        }
    }
    writer.close().map(|_| ())
}

/// Returns the settings for writing Parquet files.
pub fn properties() -> WriterPropertiesBuilder {
    let written_by = concat!("truecount ", env!("CARGO_PKG_VERSION")).to_owned();
    let compression = Compression::ZSTD(ZstdLevel::default());
    WriterProperties::builder().set_compression(compression).set_created_by(written_by)
}

/// Returns the grouping columns as Arrow arrays.
///
/// # Panics
/// Panics if the names of the groups are not [`Keys`]: only tables that this crate has read are
/// written as Parquet.
fn keys(flat: &FlatTable) -> Option<Keys> {
    flat.keys.map(|names| {
        let keys: &Keys = names.as_any().downcast_ref().expect("names that come from a file");
        let column = |name| keys.columns().position(|column| column == name).expect("a column of the keys");
        keys.select_columns(names.columns().map(column))
    })
}

fn schema(flat: &FlatTable) -> Schema {
    let keys = keys(flat);
    let keys = keys.iter().flat_map(|keys| keys.batch().schema_ref().fields().iter());
    let mut fields: Vec<Field> = keys.map(|field| field.as_ref().clone()).collect();
    if flat.is_several() {
        fields = fields.into_iter().map(|field| field.with_nullable(true)).collect();
    }
    if flat.is_several() {
        fields.push(Field::new("table", DataType::Utf8, false));
    }
    fields.extend(flat.columns.iter().map(|column| field(column, column.optional || flat.is_several())));
    Schema::new(fields)
}

fn field(column: &ColumnDescription, nullable: bool) -> Field {
    let kind = match column.unit {
        Unit::Text | Unit::Nested => DataType::Utf8,
        Unit::Count => DataType::UInt64,
        Unit::Share | Unit::Number | Unit::PValue | Unit::Score => DataType::Float64,
        Unit::Flag => DataType::Boolean,
        Unit::Warnings => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, false))),
    };
    let about = [("description", column.meaning.as_ref()), ("unit", column.unit.name())];
    let about: HashMap<String, String> = about.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    Field::new(column.name.as_ref(), kind, nullable).with_metadata(about)
}

fn columns(flat: &FlatTable, part: &MergedTable, rows: &[usize]) -> Result<Vec<ArrayRef>, ArrowError> {
    let mut columns = Vec::new();
    if let Some(keys) = keys(flat) {
        let group =
            |row: &usize| part.table.group(*row).map(|group| u32::try_from(group).expect("groups are fewer than 2^32"));
        let groups: UInt32Array = rows.iter().map(group).collect();
        for (column, is_shown) in keys.batch().columns().iter().zip(&part.has_key) {
            let no_value = || new_null_array(column.data_type(), rows.len());
            columns.push(if *is_shown { take(column, &groups, None)? } else { no_value() });
        }
    }
    if flat.is_several() {
        columns.push(Arc::new(StringArray::from_iter_values(rows.iter().map(|_| part.table.name()))));
    }
    for (index, column) in flat.columns.iter().enumerate() {
        columns.push(array(column.unit, rows.iter().map(|row| part.cell(*row, index))));
    }
    Ok(columns)
}

fn array<'r>(unit: Unit, cells: impl Iterator<Item = ResultCell<'r>>) -> ArrayRef {
    match unit {
        Unit::Text | Unit::Nested => {
            let text = |cell| if let ResultCell::Text(text) = cell { Some(text) } else { None };
            Arc::new(cells.map(text).collect::<StringArray>())
        }
        Unit::Count => {
            let count = |cell| if let ResultCell::Whole(count) = cell { Some(count) } else { None };
            Arc::new(cells.map(count).collect::<UInt64Array>())
        }
        Unit::Share | Unit::Number | Unit::PValue | Unit::Score => {
            let number = |cell| if let ResultCell::Number(number) = cell { Some(number) } else { None };
            Arc::new(cells.map(number).collect::<Float64Array>())
        }
        Unit::Flag => {
            let flag = |cell| if let ResultCell::Flag(flag) = cell { Some(flag) } else { None };
            Arc::new(cells.map(flag).collect::<BooleanArray>())
        }
        Unit::Warnings => {
            let texts = ListBuilder::new(StringBuilder::new());
            let mut texts = texts.with_field(Field::new_list_field(DataType::Utf8, false));
            for cell in cells {
                let estimate = if let ResultCell::Warnings(estimate) = cell { Some(estimate) } else { None };
                let sentences = estimate.into_iter().flat_map(Estimate::warning_sentences);
                sentences.for_each(|sentence| texts.values().append_value(sentence));
                texts.append(estimate.is_some());
            }
            Arc::new(texts.finish())
        }
    }
}
