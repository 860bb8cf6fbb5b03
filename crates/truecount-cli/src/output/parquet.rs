//! One row per estimate in a Parquet file, grouping columns of their own types.

use super::{Report, Row};
use crate::advice::worded;
use arrow::array::{
    ArrayRef, Float64Array, ListBuilder, RecordBatch, StringArray, StringBuilder, UInt32Array, UInt64Array,
};
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};
use std::sync::Arc;
use truecount::Estimate;

/// Rows that are made into columns at a time.
const ROWS: usize = 1 << 16;

pub fn write(report: &Report, out: &mut (impl Write + Send)) -> io::Result<()> {
    write_batches(report, out).map_err(|error| match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
    })
}

fn write_batches(report: &Report, out: &mut (impl Write + Send)) -> Result<(), ParquetError> {
    let schema = Arc::new(schema(report));
    let mut writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties()))?;
    for rows in report.rows.chunks(ROWS) {
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns(report, rows)?)?)?;
    }
    writer.close().map(|_| ())
}

/// How Parquet files are written.
pub fn properties() -> WriterProperties {
    let written_by = concat!("truecount ", env!("CARGO_PKG_VERSION")).to_owned();
    let compression = Compression::ZSTD(ZstdLevel::default());
    WriterProperties::builder().set_compression(compression).set_created_by(written_by).build()
}

fn schema(report: &Report) -> Schema {
    let number = |name: &str, nullable| Field::new(name, DataType::Float64, nullable);
    let mut fields: Vec<Field> =
        report.keys.batch().schema_ref().fields().iter().map(|field| field.as_ref().clone()).collect();
    fields.push(Field::new("method", DataType::Utf8, false));
    fields.push(Field::new("n", DataType::UInt64, false));
    if report.weighted() {
        fields.push(number("n_eff", false));
    }
    fields.extend(["prevalence", "raw"].map(|name| number(name, false)));
    fields.extend(["se", "lower", "upper"].map(|name| number(name, true)));
    fields.push(number("level", false));
    let warning = Arc::new(Field::new_list_field(DataType::Utf8, false));
    fields.push(Field::new("warnings", DataType::List(warning), false));
    Schema::new(fields)
}

fn columns(report: &Report, rows: &[Row]) -> Result<Vec<ArrayRef>, ParquetError> {
    let groups = rows.iter().map(|row| u32::try_from(row.group).expect("groups are fewer than 2^32"));
    let groups = UInt32Array::from_iter_values(groups);
    let keys = report.keys.batch().columns().iter().map(|column| take(column, &groups, None));
    let mut columns = keys.collect::<Result<Vec<_>, _>>()?;
    let number = |of: fn(&Estimate) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| of(&row.estimate))))
    };
    let uncertain = |of: fn(&Estimate) -> Option<f64>| -> ArrayRef {
        Arc::new(rows.iter().map(|row| of(&row.estimate)).collect::<Float64Array>())
    };
    columns.push(Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.method.to_string()))));
    columns.push(Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.estimate.n))));
    if report.weighted() {
        columns.push(number(|e| e.effective_n.expect("all are weighted")));
    }
    columns.extend([number(|e| e.prevalence), number(|e| e.raw)]);
    columns.push(uncertain(|e| e.uncertainty.map(|u| u.se)));
    columns.push(uncertain(|e| e.uncertainty.map(|u| u.lower)));
    columns.push(uncertain(|e| e.uncertainty.map(|u| u.upper)));
    columns.push(number(|e| e.level));
    let mut warnings = ListBuilder::new(StringBuilder::new()).with_field(Field::new_list_field(DataType::Utf8, false));
    for row in rows {
        for warning in &row.estimate.warnings {
            warnings.values().append_value(worded(warning));
        }
        warnings.append(true);
    }
    columns.push(Arc::new(warnings.finish()));
    Ok(columns)
}
