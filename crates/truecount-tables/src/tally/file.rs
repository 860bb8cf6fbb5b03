//! Tally files: Parquet, a row for each group, its columns first and then the column `tally` with a structure for each method and the
//! shift check: n, and counts of bins, or sums (of compensated sums both parts, or the values of all scores).

use super::about::{self, About, KEY, ShiftTallies};
use crate::groups::{Groups, Keys};
use crate::guard::catch_decoder_panic;
use crate::input::Input;
use crate::key_types::makes_groups;
use arrow_array::builder::{Float64Builder, LargeListBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, LargeListArray, RecordBatch, RecordBatchOptions, RecordBatchReader, StructArray, UInt64Array,
};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema};
use arrow_select::concat::concat_batches;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaDataReader};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::sync::Arc;
use truecount::{Error, ErrorLocation, Model, PlainShift, PlainTallies, PlainTally, Tallies};
use truecount_analysis::TableProblem;
use truecount_analysis::groups::GroupNames;

/// What tells a Parquet file, at its beginning and its end.
const PARQUET: &[u8] = b"PAR1";

/// The name of the column with the tallies.
pub const COLUMN: &str = "tally";

/// Groups that are made into columns at a time.
const ROWS: usize = 1 << 14;

/// The tallies of one file.
pub struct TallyFile {
    pub(super) name: String,
    pub(super) about: About,
    /// The groups with their tallies.
    pub groups: Groups<Tallies>,
}

/// How Parquet files are written.
pub fn properties() -> WriterProperties {
    let written_by = concat!("truecount ", env!("CARGO_PKG_VERSION")).to_owned();
    let compression = Compression::ZSTD(ZstdLevel::default());
    WriterProperties::builder().set_compression(compression).set_created_by(written_by).build()
}

/// The content of a file of these tallies, which were made of scores from the sources, with their fingerprint if it is known.
pub fn bytes(
    groups: &Groups<Tallies>,
    model: &Model,
    weighted: bool,
    sources: Vec<String>,
    rows: Option<u64>,
) -> Vec<u8> {
    let by = groups.keys.columns().map(str::to_owned).collect();
    let shift = match &groups.shift_total {
        Some(tally) => ShiftTallies::Together(tally.plain().counts),
        None if groups.contents.iter().all(Tallies::has_shift) => ShiftTallies::Each,
        None => ShiftTallies::None,
    };
    let scores = groups.contents.iter().map(Tallies::n).sum();
    let sizes = [groups.contents.len() as u64, scores];
    let about = About::new(model, by, weighted, shift, sources, rows, sizes);
    let mut file = written(groups, model, &about).expect("columns of one schema in memory");
    about::seal(&mut file);
    file
}

fn written(groups: &Groups<Tallies>, model: &Model, about: &About) -> Result<Vec<u8>, ParquetError> {
    let keys = groups.keys.batch();
    // Where a method counts in the check's bins, it has no counts of its own.
    let first = groups.contents.first().map(Tallies::plain);
    let checked = matches!(first, Some(PlainTallies { shift: PlainShift::Own(_), .. }));
    let batch = |from: usize, rows: usize| {
        let plain: Vec<PlainTallies> = groups.contents[from..from + rows].iter().map(Tallies::plain).collect();
        let of_method = |place: usize| column(plain.iter().map(|tallies| &tallies.methods[place]));
        let mut fields: Vec<(FieldRef, ArrayRef)> = Vec::new();
        for (place, quantifier) in model.quantifiers().iter().enumerate() {
            let column = of_method(place);
            fields.push((
                Arc::new(Field::new(quantifier.method().to_string(), column.data_type().clone(), false)),
                column,
            ));
        }
        if checked {
            let column = column(plain.iter().filter_map(|tallies| match &tallies.shift {
                PlainShift::Own(own) => Some(own),
                PlainShift::None | PlainShift::Shared => None,
            }));
            fields.push((Arc::new(Field::new("shift", column.data_type().clone(), false)), column));
        }
        let tallies = StructArray::from(fields);
        let own = Field::new(COLUMN, tallies.data_type().clone(), false);
        let schema: Vec<FieldRef> = keys.schema_ref().fields().iter().cloned().chain([Arc::new(own)]).collect();
        let columns = keys.slice(from, rows).columns().iter().cloned().chain([Arc::new(tallies) as ArrayRef]).collect();
        RecordBatch::try_new(Arc::new(Schema::new(schema)), columns)
    };
    // Statistics would hold keys in the metadata, and help nobody.
    let properties = properties().into_builder().set_statistics_enabled(EnabledStatistics::None).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch(0, 0)?.schema(), Some(properties))?;
    for from in (0..groups.contents.len()).step_by(ROWS) {
        writer.write(&batch(from, ROWS.min(groups.contents.len() - from))?)?;
    }
    writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), about.to_json()));
    writer.into_inner()
}

/// Tallies of one method as a structure of n and lists, of which those are empty that the method does not need.
fn column<'a>(tallies: impl Iterator<Item = &'a PlainTally>) -> ArrayRef {
    let item = |kind| Arc::new(Field::new_list_field(kind, false));
    let mut counts = LargeListBuilder::new(UInt64Builder::new()).with_field(item(DataType::UInt64));
    let mut sums = LargeListBuilder::new(Float64Builder::new()).with_field(item(DataType::Float64));
    let mut sizes = Vec::new();
    for plain in tallies {
        sizes.push(plain.n);
        counts.values().append_slice(&plain.counts);
        counts.append(true);
        sums.values().append_slice(&plain.sums);
        sums.append(true);
    }
    let columns: Vec<ArrayRef> =
        vec![Arc::new(UInt64Array::from(sizes)), Arc::new(counts.finish()), Arc::new(sums.finish())];
    let fields = ["n", "counts", "sums"].iter().zip(&columns);
    let fields: Fields = fields.map(|(name, column)| Field::new(*name, column.data_type().clone(), false)).collect();
    Arc::new(StructArray::new(fields, columns, None))
}

impl TallyFile {
    /// The tallies in an input, which this model must have made.
    ///
    /// # Errors
    /// If it cannot be read, is damaged or no tally, or is one of another model.
    pub fn read(input: Input, model: &Model) -> Result<Self, Error> {
        let name = input.name().to_owned();
        Self::parse(input.content()?, model)
            .map(|file| Self { name: name.clone(), ..file })
            .map_err(|problem| ErrorLocation::file(name).error(problem))
    }

    /// The tallies in the content of a file, which has no name then.
    ///
    /// # Errors
    /// If it is damaged or no tally, or one of another model.
    pub fn parse(content: Vec<u8>, model: &Model) -> Result<Self, TableProblem> {
        let (about, groups) = parse(content, model)?;
        Ok(Self { name: String::new(), about, groups })
    }

    /// Where the scores came from.
    pub fn sources(&self) -> &[String] {
        &self.about.sources
    }
}

/// The tallies in the content of a file.
fn parse(file: Vec<u8>, model: &Model) -> Result<(About, Groups<Tallies>), TableProblem> {
    let damaged = |reason: &dyn std::fmt::Display| TableProblem::TallyDamaged { reason: reason.to_string() };
    if !file.starts_with(PARQUET) {
        return Err(TableProblem::NotATally);
    }
    if !file.ends_with(PARQUET) {
        return Err(TableProblem::TallyCutOff);
    }
    let file = Bytes::from(file);
    // The checksum first: nothing is made of contents that may be damaged.
    let metadata =
        catch_decoder_panic(|| ParquetMetaDataReader::new().parse_and_finish(&file)).map_err(|e| damaged(&e))?;
    let entries = metadata.file_metadata().key_value_metadata();
    let text = entries.and_then(|entries| entries.iter().find(|entry| entry.key == KEY)?.value.as_deref());
    let Some(text) = text else { return Err(TableProblem::NotATallyFile) };
    let about = About::read(text)?;
    if !about::is_whole(&file, &about.checksum) {
        return Err(damaged(&"its contents do not match its checksum"));
    }
    about.check(model)?;
    let mut reader = catch_decoder_panic(|| {
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::default())?;
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata).with_batch_size(ROWS).build()
    })
    .map_err(|e| damaged(&e))?;
    check_columns(&reader.schema(), about.by.len(), model)?;
    let mut read = Read { keys: Vec::new(), contents: Vec::new() };
    while let Some(batch) = catch_decoder_panic(|| reader.next().transpose()).map_err(|e| damaged(&e))? {
        read.add(&batch, &about, model).map_err(|e| damaged(&e))?;
    }
    let together = match (&about.shift, model.check()) {
        (ShiftTallies::Together(counts), Some(check)) => {
            let n = counts.iter().copied().fold(0, u64::saturating_add);
            let plain = PlainTally { n, counts: counts.clone(), sums: Vec::new() };
            Some(check.tally_from(plain).map_err(|e| damaged(&e))?)
        }
        _ => None,
    };
    let Some(first) = read.keys.first() else { return Err(damaged(&"it has no groups")) };
    let keys = Keys::new(concat_batches(&first.schema(), &read.keys).map_err(|e| damaged(&e))?);
    Ok((about, Groups { keys, contents: read.contents, shift_total: together }))
}

/// Refuses a table without the columns that tallies have: a checksum shows damage, and not who computed it.
fn check_columns(schema: &Schema, by: usize, model: &Model) -> Result<(), TableProblem> {
    let own = column(std::iter::empty()).data_type().clone();
    let known = schema.fields().len() == by + 1
        && schema.fields()[..by].iter().all(|key| makes_groups(key.data_type()))
        && matches!(schema.field(by).data_type(), DataType::Struct(fields)
            if fields.len() >= model.quantifiers().len() && fields.iter().all(|field| *field.data_type() == own));
    let reason = "its columns are not those of a tally".to_owned();
    if known { Ok(()) } else { Err(TableProblem::TallyDamaged { reason }) }
}

/// Groups, as far as they are read.
struct Read {
    keys: Vec<RecordBatch>,
    contents: Vec<Tallies>,
}

impl Read {
    fn add(&mut self, batch: &RecordBatch, about: &About, model: &Model) -> Result<(), Error> {
        let (by, methods) = (about.by.len(), model.quantifiers().len());
        let columns: Vec<usize> = (0..by).collect();
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let keys = batch.project(&columns).expect("the columns of the groups");
        self.keys
            .push(RecordBatch::try_new_with_options(keys.schema(), keys.columns().to_vec(), &rows).expect("the same"));
        let tallies = batch.column(by).as_struct();
        let plain: Vec<Plain> = tallies.columns().iter().map(|column| Plain::new(column.as_struct())).collect();
        for row in 0..batch.num_rows() {
            let shift = match (&about.shift, plain.get(methods)) {
                (ShiftTallies::Each, Some(own)) => PlainShift::Own(own.plain_tally(row)),
                (ShiftTallies::Each, None) => PlainShift::Shared,
                (ShiftTallies::None | ShiftTallies::Together(_), _) => PlainShift::None,
            };
            let methods = plain[..methods].iter().map(|column| column.plain_tally(row)).collect();
            self.contents.push(model.tallies_from(PlainTallies { weighted: about.weighted, methods, shift })?);
        }
        Ok(())
    }
}

/// A column of tallies.
struct Plain<'a> {
    n: &'a UInt64Array,
    counts: &'a LargeListArray,
    sums: &'a LargeListArray,
}

impl<'a> Plain<'a> {
    fn new(column: &'a StructArray) -> Self {
        Self {
            n: column.column(0).as_primitive::<UInt64Type>(),
            counts: column.column(1).as_list::<i64>(),
            sums: column.column(2).as_list::<i64>(),
        }
    }

    fn plain_tally(&self, row: usize) -> PlainTally {
        PlainTally {
            n: self.n.value(row),
            counts: self.counts.value(row).as_primitive::<UInt64Type>().values().to_vec(),
            sums: self.sums.value(row).as_primitive::<Float64Type>().values().to_vec(),
        }
    }
}
