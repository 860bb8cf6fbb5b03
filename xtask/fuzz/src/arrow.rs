//! Arrow IPC files and streams with dictionaries, compressed or not.

use crate::{Target, table};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};

/// The target of Arrow IPC files and streams.
pub const TARGET: Target = Target { name: "arrow", seeds, words: &table::WORDS, read };

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        let options = || IpcWriteOptions::default().try_with_compression(compression).expect("a compression");
        let (batch, schema) = (table::batch(9), table::batch(0).schema());
        let mut file = FileWriter::try_new_with_options(Vec::new(), &schema, options()).expect("a schema");
        let mut stream = StreamWriter::try_new_with_options(Vec::new(), &schema, options()).expect("a schema");
        for part in [batch.slice(0, 4), batch.slice(4, 5)] {
            file.write(&part).expect("room in memory");
            stream.write(&part).expect("room in memory");
        }
        seeds.push(file.into_inner().expect("room in memory"));
        seeds.push(stream.into_inner().expect("room in memory"));
    }
    seeds
}

fn read(input: &[u8]) {
    table::read(input);
}
