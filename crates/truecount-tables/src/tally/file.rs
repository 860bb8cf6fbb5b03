//! Tally files: Parquet with one row per group.
//!
//! The grouping columns are followed by the column `tally`, a structure with a field for each method and for the shift
//! check. Each field has n, counts of bins, and sums (both parts of compensated sums, or the values of all scores).

use super::metadata::{self, CheckTallies, KEY, TallyMetadata};
use crate::groups::{Groups, Keys};
use crate::input::Input;
use crate::key_types::is_groupable;
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
use truecount::error::ErrorLocation;
use truecount::model::{CheckState, MethodState};
use truecount::{Error, Model, Tally, TallyState};
use truecount_analysis::TableProblem;
use truecount_analysis::groups::GroupNames;
use truecount_text::catch_decoder_panic;

/// Magic bytes at both ends of a Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// The name of the column with the tallies.
pub const COLUMN: &str = "tally";

/// Number of groups that are converted to columns at a time.
const ROWS: usize = 1 << 14;

/// The tallies of one file.
pub struct TallyFile {
    pub(super) name: String,
    pub(super) metadata: TallyMetadata,
    /// The groups with their tallies.
    pub groups: Groups<Tally>,
}

/// Returns the settings for writing tally files.
pub fn properties() -> WriterProperties {
    let written_by = concat!("truecount ", env!("CARGO_PKG_VERSION")).to_owned();
    let compression = Compression::ZSTD(ZstdLevel::default());
    WriterProperties::builder().set_compression(compression).set_created_by(written_by).build()
}

/// Returns the content of a tally file. `sources` names the files of the scores, and `rows` is the
/// fingerprint of their rows, if known.
pub fn bytes(
    groups: &Groups<Tally>,
    model: &Model,
    weighted: bool,
    sources: Vec<String>,
    rows: Option<u64>,
) -> Vec<u8> {
    let by = groups.keys.columns().map(str::to_owned).collect();
    let shift = match &groups.shift_total {
        Some(tally) => CheckTallies::Total(tally.plain().counts),
        None if groups.contents.iter().all(Tally::has_shift) => CheckTallies::PerGroup,
        None => CheckTallies::None,
    };
    let scores = groups.contents.iter().map(Tally::n).sum();
    let sizes = [groups.contents.len() as u64, scores];
    let metadata = TallyMetadata::new(model, by, weighted, shift, sources, rows, sizes);
    let mut file = encode(groups, model, &metadata).expect("columns of one schema in memory");
    metadata::insert_checksum(&mut file);
    file
}

fn encode(groups: &Groups<Tally>, model: &Model, metadata: &TallyMetadata) -> Result<Vec<u8>, ParquetError> {
    let keys = groups.keys.batch();
    // If a method counts in the bins of the check, its counts serve both.
    let first = groups.contents.first().map(Tally::state);
    let has_own_shift = matches!(first, Some(TallyState { shift: CheckState::Own(_), .. }));
    let batch = |from: usize, rows: usize| {
        let plain: Vec<TallyState> = groups.contents[from..from + rows].iter().map(Tally::state).collect();
        let method_column = |index: usize| tally_column(plain.iter().map(|tallies| &tallies.methods[index]));
        let mut fields: Vec<(FieldRef, ArrayRef)> = Vec::new();
        for (index, quantifier) in model.quantifiers().iter().enumerate() {
            let column = method_column(index);
            fields.push((
                Arc::new(Field::new(quantifier.method().to_string(), column.data_type().clone(), false)),
                column,
            ));
        }
        if has_own_shift {
            let column = tally_column(plain.iter().filter_map(|tallies| match &tallies.shift {
                CheckState::Own(tally) => Some(tally),
                CheckState::None | CheckState::Shared => None,
            }));
            fields.push((Arc::new(Field::new("shift", column.data_type().clone(), false)), column));
        }
        let tallies = StructArray::from(fields);
        let field = Field::new(COLUMN, tallies.data_type().clone(), false);
        let schema: Vec<FieldRef> = keys.schema_ref().fields().iter().cloned().chain([Arc::new(field)]).collect();
        let columns = keys.slice(from, rows).columns().iter().cloned().chain([Arc::new(tallies) as ArrayRef]).collect();
        RecordBatch::try_new(Arc::new(Schema::new(schema)), columns)
    };
    // Statistics would only repeat keys in the metadata.
    let properties = properties().into_builder().set_statistics_enabled(EnabledStatistics::None).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch(0, 0)?.schema(), Some(properties))?;
    for from in (0..groups.contents.len()).step_by(ROWS) {
        writer.write(&batch(from, ROWS.min(groups.contents.len() - from))?)?;
    }
    writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), metadata.to_json()));
    writer.into_inner()
}

/// Encodes the tallies of one method as a structure of n and lists. Lists that the method does not need are empty.
fn tally_column<'a>(tallies: impl Iterator<Item = &'a MethodState>) -> ArrayRef {
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
    /// Reads the tallies in an input, which must be of this model.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, is damaged or not a tally, or is of another
    /// model.
    pub fn read(input: Input, model: &Model) -> Result<Self, Error> {
        let name = input.name().to_owned();
        Self::parse(input.content()?, model)
            .map(|file| Self { name: name.clone(), ..file })
            .map_err(|problem| ErrorLocation::file(name).error(problem))
    }

    /// Parses the content of a tally file, without a file name.
    ///
    /// # Errors
    /// Returns an error if the content is damaged or not a tally, or is of another model.
    pub fn parse(content: Vec<u8>, model: &Model) -> Result<Self, TableProblem> {
        let (metadata, groups) = parse(content, model)?;
        Ok(Self { name: String::new(), metadata, groups })
    }

    /// Returns the names of the files with the scores.
    pub fn sources(&self) -> &[String] {
        &self.metadata.sources
    }
}

fn parse(file: Vec<u8>, model: &Model) -> Result<(TallyMetadata, Groups<Tally>), TableProblem> {
    let damaged = |reason: &dyn std::fmt::Display| TableProblem::TallyDamaged { reason: reason.to_string() };
    if !file.starts_with(MAGIC) {
        return Err(TableProblem::TallyFileUnknown);
    }
    if !file.ends_with(MAGIC) {
        return Err(TableProblem::TallyCutOff);
    }
    let file = Bytes::from(file);
    // The checksum is verified before contents are decoded.
    let parquet_metadata =
        catch_decoder_panic(|| ParquetMetaDataReader::new().parse_and_finish(&file)).map_err(|e| damaged(&e))?;
    let entries = parquet_metadata.file_metadata().key_value_metadata();
    let text = entries.and_then(|entries| entries.iter().find(|entry| entry.key == KEY)?.value.as_deref());
    let Some(text) = text else { return Err(TableProblem::NotATallyFile) };
    let metadata = TallyMetadata::read(text)?;
    if !metadata::matches_checksum(&file, &metadata.checksum) {
        return Err(damaged(&"its contents do not match its checksum"));
    }
    metadata.check(model)?;
    let mut reader = catch_decoder_panic(|| {
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::default())?;
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata).with_batch_size(ROWS).build()
    })
    .map_err(|e| damaged(&e))?;
    check_columns(&reader.schema(), metadata.by.len(), model)?;
    let mut groups = DecodedGroups { keys: Vec::new(), contents: Vec::new() };
    while let Some(batch) = catch_decoder_panic(|| reader.next().transpose()).map_err(|e| damaged(&e))? {
        groups.add(&batch, &metadata, model).map_err(|e| damaged(&e))?;
    }
    let shift_total = match (&metadata.shift, model.check()) {
        (CheckTallies::Total(counts), Some(check)) => {
            let n = counts.iter().copied().fold(0, u64::saturating_add);
            let plain = MethodState { n, counts: counts.clone(), sums: Vec::new() };
            Some(check.tally_from(plain).map_err(|e| damaged(&e))?)
        }
        _ => None,
    };
    let Some(first) = groups.keys.first() else { return Err(damaged(&"it has no groups")) };
    let keys = Keys::new(concat_batches(&first.schema(), &groups.keys).map_err(|e| damaged(&e))?);
    Ok((metadata, Groups { keys, contents: groups.contents, shift_total }))
}

/// Returns an error for a table without the columns of a tally; another program may have written it
/// with a valid checksum.
fn check_columns(schema: &Schema, by: usize, model: &Model) -> Result<(), TableProblem> {
    let tally_type = tally_column(std::iter::empty()).data_type().clone();
    let is_tally_column = |column: &Field| match column.data_type() {
        DataType::Struct(fields) => {
            fields.len() >= model.quantifiers().len() && fields.iter().all(|field| *field.data_type() == tally_type)
        }
        _ => false,
    };
    let is_tally = schema.fields().len() == by + 1
        && schema.fields()[..by].iter().all(|key| is_groupable(key.data_type()))
        && is_tally_column(schema.field(by));
    let reason = "its columns are not those of a tally".to_owned();
    if is_tally { Ok(()) } else { Err(TableProblem::TallyDamaged { reason }) }
}

/// The groups that have been decoded so far.
struct DecodedGroups {
    keys: Vec<RecordBatch>,
    contents: Vec<Tally>,
}

impl DecodedGroups {
    fn add(&mut self, batch: &RecordBatch, metadata: &TallyMetadata, model: &Model) -> Result<(), Error> {
        let (by, methods) = (metadata.by.len(), model.quantifiers().len());
        let columns: Vec<usize> = (0..by).collect();
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let keys = batch.project(&columns).expect("the columns of the groups");
        self.keys
            .push(RecordBatch::try_new_with_options(keys.schema(), keys.columns().to_vec(), &rows).expect("the same"));
        let tallies = batch.column(by).as_struct();
        let plain: Vec<TallyColumn> =
            tallies.columns().iter().map(|column| TallyColumn::new(column.as_struct())).collect();
        for row in 0..batch.num_rows() {
            let shift = match (&metadata.shift, plain.get(methods)) {
                (CheckTallies::PerGroup, Some(column)) => CheckState::Own(column.plain_tally(row)),
                (CheckTallies::PerGroup, None) => CheckState::Shared,
                (CheckTallies::None | CheckTallies::Total(_), _) => CheckState::None,
            };
            let methods = plain[..methods].iter().map(|column| column.plain_tally(row)).collect();
            let state = TallyState { model: model.fingerprint_number(), weighted: metadata.weighted, methods, shift };
            self.contents.push(Tally::from_state(model, state)?);
        }
        Ok(())
    }
}

struct TallyColumn<'a> {
    n: &'a UInt64Array,
    counts: &'a LargeListArray,
    sums: &'a LargeListArray,
}

impl<'a> TallyColumn<'a> {
    fn new(column: &'a StructArray) -> Self {
        Self {
            n: column.column(0).as_primitive::<UInt64Type>(),
            counts: column.column(1).as_list::<i64>(),
            sums: column.column(2).as_list::<i64>(),
        }
    }

    fn plain_tally(&self, row: usize) -> MethodState {
        MethodState {
            n: self.n.value(row),
            counts: self.counts.value(row).as_primitive::<UInt64Type>().values().to_vec(),
            sums: self.sums.value(row).as_primitive::<Float64Type>().values().to_vec(),
        }
    }
}
