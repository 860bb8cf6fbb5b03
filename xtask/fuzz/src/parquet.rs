//! Parquet files with every compression and several layouts.

use crate::{Target, table};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

/// The target of Parquet files.
pub const TARGET: Target = Target { name: "parquet", seeds, words: &table::WORDS, read };

fn seeds() -> Vec<Vec<u8>> {
    let properties = WriterProperties::builder;
    let layouts = [
        properties().set_compression(Compression::ZSTD(ZstdLevel::default())).set_max_row_group_row_count(Some(4)),
        properties().set_compression(Compression::SNAPPY).set_writer_version(WriterVersion::PARQUET_2_0),
        properties().set_compression(Compression::GZIP(GzipLevel::default())).set_dictionary_enabled(false),
        properties().set_compression(Compression::LZ4_RAW).set_data_page_row_count_limit(2).set_write_batch_size(1),
        properties().set_compression(Compression::BROTLI(BrotliLevel::default())).set_max_row_group_row_count(Some(5)),
        properties().set_dictionary_enabled(false).set_bloom_filter_enabled(true),
    ];
    let file = |properties: WriterProperties| {
        let batch = table::batch(9);
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).expect("a schema");
        writer.write(&batch).expect("room in memory");
        writer.into_inner().expect("room in memory")
    };
    layouts.map(|properties| file(properties.build())).to_vec()
}

fn read(input: &[u8]) {
    table::read(input);
}
