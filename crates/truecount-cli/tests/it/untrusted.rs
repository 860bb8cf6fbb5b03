//! Misleading inputs: concatenated files, one file with several names, pipes, decompression bombs,
//! and damaged files.

use crate::common::{Folder, gzip};
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use insta::assert_snapshot;
use parquet::arrow::ArrowWriter;
use std::sync::Arc;

const ESTIMATE: &str = "estimate --train train.csv --format csv --test";

fn table(from: u8, rows: u8) -> RecordBatch {
    let scores: Vec<f64> = (from..from + rows).map(|i| f64::from(i) / 20.0).collect();
    RecordBatch::try_from_iter([("score", Arc::new(Float64Array::from(scores)) as ArrayRef)]).unwrap()
}

fn parquet(table: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), table.schema(), None).unwrap();
    writer.write(table).unwrap();
    writer.into_inner().unwrap()
}

fn ipc_options(compression: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(compression).unwrap()
}

fn arrow(table: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &table.schema(), ipc_options(compression)).unwrap();
    writer.write(table).unwrap();
    writer.into_inner().unwrap()
}

fn stream(table: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &table.schema(), ipc_options(compression)).unwrap();
    writer.write(table).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn concatenated_files_are_refused() {
    let (a, b, empty) = (table(0, 50), table(50, 7), table(0, 0));
    let folder = Folder::with_train();
    let fails = |name: &str, parts: [Vec<u8>; 2]| {
        std::fs::write(folder.path().join(name), parts.concat()).unwrap();
        folder.fails(1, &format!("{ESTIMATE} {name}"))
    };
    for (name, parts) in [
        ("ab.parquet", [parquet(&a), parquet(&b)]),
        ("ab.arrow", [arrow(&a, None), arrow(&b, None)]),
        ("longer.parquet", [parquet(&b), parquet(&a)]),
        ("empty-last.parquet", [parquet(&a), parquet(&empty)]),
        ("longer.arrow", [arrow(&b, None), arrow(&a, None)]),
        ("empty-last.arrow", [arrow(&a, None), arrow(&empty, None)]),
        ("empty-first.arrow", [arrow(&empty, None), arrow(&a, None)]),
    ] {
        assert!(fails(name, parts).contains("one after another"), "{name}");
    }
}

#[test]
fn one_file_with_several_names_is_refused() {
    let folder = Folder::with_train().file("a.csv", "score\n0.5\n1\n").file("b.csv", "score\n0.5\n1\n");
    let fails = |names: &str| folder.fails(2, &format!("{ESTIMATE} {names}"));
    let absolute = folder.path().join("a.csv");
    assert!(fails(&format!("a.csv {}", absolute.display())).contains("is the same file as a.csv"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.csv", folder.path().join("link.csv")).unwrap();
        std::fs::hard_link(&absolute, folder.path().join("hard.csv")).unwrap();
        assert!(fails("b.csv a.csv link.csv").starts_with("error: link.csv is the same file as a.csv (file 3)"));
        assert!(fails("hard.csv a.csv").starts_with("error: a.csv is the same file as hard.csv (file 2)"));
    }
    // Two different files may have equal contents.
    assert!(folder.run(&format!("{ESTIMATE} a.csv b.csv")).stdout.contains("\nes,4,"));
}

#[test]
fn equal_tallies_are_refused_by_their_content() {
    let folder = Folder::with_train().file("a.csv", "score\n0.5\n1\n").file("c.csv", "score\n1\n0.5\n");
    std::fs::create_dir(folder.path().join("x")).unwrap();
    let folder = folder.file("x/a.csv", "score\n0.55\n1.1\n");
    assert_eq!(folder.run("fit --train train.csv --output m.json").code, 0);
    for (file, tally) in [("a.csv", "a"), ("./a.csv", "again"), ("c.csv", "c"), ("x/a.csv", "x")] {
        let run = folder.run(&format!("tally --model m.json --test {file} --output {tally}.tally"));
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let again = folder.fails(1, "finish --model m.json a.tally again.tally");
    assert!(again.starts_with("error: again.tally: is the same tally as a.tally\n"), "{again}");
    let finished = |tallies: &str| folder.run(&format!("finish --model m.json --format csv {tallies}")).stdout;
    assert!(finished("a.tally again.tally --allow-equal").contains("\nes,4,"));
    // These have other rows, or the same rows in another order.
    assert!(finished("a.tally c.tally x.tally").contains("\nes,6,"));
}

/// In a table of one column, an empty line is a missing score, wherever blocks end. Empty lines at
/// the end of the file are ignored.
#[test]
fn empty_lines_are_missing_scores_except_at_the_end() {
    let block = 1 << 19;
    for header in ["score\n", "\"score\"\n"] {
        let rows = "1.25\n".repeat((block - header.len()) / 5 - 2);
        let filled = header.len() + rows.len();
        // The empty line is at the end of the block, at the start of the next one, or later.
        for gap in [1, 2, 3, 8, 9] {
            let whole = format!("{header}{rows}{}\n", "1".repeat(block - filled - gap));
            let folder = Folder::with_train()
                .file("end.csv", format!("{whole}\n"))
                .file("crlf.csv", format!("{whole}\r\n\r\n"))
                .file("middle.csv", format!("{whole}\n\n0.5\n"));
            let line = 2 + whole.lines().count() - 1;
            let n = line + 1;
            let expected = format!("column 'score': 2 of {n} rows have no value, the first in line {line}");
            assert!(folder.fails(1, &format!("{ESTIMATE} middle.csv")).contains(&expected), "{header}, {gap}");
            let n = format!("\nes,{},", line - 2);
            for file in ["end.csv", "crlf.csv"] {
                let run = folder.run(&format!("{ESTIMATE} {file}"));
                assert!(run.stdout.contains(&n), "{file}, {header}, {gap}: {} {}", run.stdout, run.stderr);
            }
        }
    }
}

#[test]
fn equal_numbers_are_the_same_label() {
    let folder = Folder::with_train();
    let train = std::fs::read_to_string(folder.path().join("train.csv")).unwrap();
    let (first, second) = train.split_at(train.len() / 4);
    let folder = folder
        .file(
            "mixed.csv",
            format!("{}{}", first.replace(",1\n", ",01\n"), second.replace(",0\n", ",-0.0\n").replace(",1\n", ",+1\n")),
        )
        .file("one.csv", train.replace(",0\n", ",1.0\n"))
        .file("test.csv", "score\n0.5\n1\n");
    let run = |train: &str| folder.run(&format!("estimate --train {train} --test test.csv --format csv"));
    assert_eq!(run("mixed.csv").stdout, run("train.csv").stdout);
    assert!(run("one.csv").stderr.contains("two labels are needed, found '1' (24 rows, first in line 2)"));
}

#[test]
fn reading_stops_if_the_file_is_not_a_model() {
    let zeros = gzip(&"\0".repeat(40 << 20));
    let text = gzip(&format!("{{\"format\": \"{}", "a".repeat(40 << 20)));
    let folder = Folder::with_train()
        .file("test.csv", "score\n1\n")
        .file("zeros", &zeros)
        .file("text", text)
        .file("zeros.csv", zeros);
    let estimate = |model: &str| folder.fails(1, &format!("estimate --model {model} --test test.csv"));
    assert!(estimate("zeros").starts_with("error: zeros: not a truecount model: it is not JSON"));
    assert!(estimate("text").contains("more than 32 MB"));
    assert_snapshot!(folder.fails(1, &format!("{ESTIMATE} zeros.csv")), @"
    error: zeros.csv: the header is text neither in UTF-8 nor in Windows-1252
    hint: save the file as UTF-8
    ");
}

#[test]
fn unsupported_encodings_are_named() {
    let folder = Folder::with_train().file("encrypted.parquet", include_bytes!("../data/encrypted-column.parquet"));
    let encrypted = folder.fails(1, &format!("{ESTIMATE} encrypted.parquet"));
    assert_eq!(encrypted, "error: encrypted.parquet: is Parquet with encrypted columns; decrypt it first");
    // zstd with a skippable frame is supported.
    let table = zstd::encode_all(&b"score\n0.5\n1\n"[..], 0).unwrap();
    let folder = folder.file("skip.zst", [b"\x52\x2a\x4d\x18\x03\0\0\0xyz", table.as_slice()].concat());
    assert!(folder.run(&format!("{ESTIMATE} skip.zst")).stdout.contains("\nes,2,"));
}

/// A flipped bit leads to an error message or to other numbers, never to a panic.
#[test]
fn damaged_tables_never_panic() {
    let table = table(0, 40);
    let folder = Folder::with_train();
    for (name, bytes) in [
        ("a.parquet", parquet(&table)),
        ("a.arrow", arrow(&table, None)),
        ("lz4.arrow", arrow(&table, Some(CompressionType::LZ4_FRAME))),
        ("a.arrows", stream(&table, None)),
        ("zstd.arrows", stream(&table, Some(CompressionType::ZSTD))),
    ] {
        for (round, position) in (0..bytes.len()).step_by(29).enumerate() {
            let mut bytes = bytes.clone();
            bytes[position] ^= 1 << (round % 8);
            std::fs::write(folder.path().join(name), bytes).unwrap();
            let run = folder.run(&format!("{ESTIMATE} {name}"));
            assert!(matches!(run.code, 0 | 1), "{name}, byte {position}: {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{name}, byte {position}: {}", run.stderr);
            assert!(run.code == 0 || run.stderr.starts_with(&format!("error: {name}")), "{}", run.stderr);
        }
    }
}

#[cfg(unix)]
mod pipes {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::process::Command;
    use std::thread;
    use std::time::Duration;

    /// Creates a named pipe and writes the parts to it, one after another.
    fn pipe(folder: &Folder, name: &str, parts: Vec<Vec<u8>>) {
        let path = folder.path().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        thread::spawn(move || {
            let mut pipe = OpenOptions::new().write(true).open(path).unwrap();
            for part in parts {
                pipe.write_all(&part).unwrap();
                pipe.flush().unwrap();
                thread::sleep(Duration::from_millis(30));
            }
        });
    }

    fn bytes(text: &str) -> Vec<u8> {
        text.as_bytes().to_owned()
    }

    #[test]
    fn pipes_are_read_once() {
        let folder = Folder::with_train().file("file.csv", "score\n0.5\n1\n");
        pipe(&folder, "a", vec![bytes("score\n0.5\n1\n")]);
        pipe(&folder, "b", vec![parquet(&table(0, 7))]);
        assert!(folder.run(&format!("{ESTIMATE} a file.csv b")).stdout.contains("\nes,11,"));
        let stdin = folder.run_with(&format!("{ESTIMATE} file.csv /dev/stdin"), "score\n1\n");
        assert!(stdin.stdout.contains("\nes,3,"), "{}", stdin.stderr);
        assert_snapshot!(folder.fails(2, "estimate --train a --test a"), @"
        error: a is named twice, but a pipe can be read only once
        hint: copy its content to a file
        ");
        let twice = folder.run_with(&format!("{ESTIMATE} - /dev/stdin"), "score\n1\n");
        assert_eq!(twice.code, 2, "{}", twice.stderr);
    }

    #[test]
    fn tallies_and_models_are_read_from_pipes() {
        let folder = Folder::with_train().file("test.csv", "score\n0.5\n1\n");
        assert_eq!(folder.run("fit --train train.csv --output m.json").code, 0);
        assert_eq!(folder.run("tally --model m.json --test test.csv --output t.tally").code, 0);
        let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        pipe(&folder, "tally", vec![read("t.tally")]);
        pipe(&folder, "model", vec![read("m.json")]);
        let run = folder.run("finish --model model tally --format csv");
        assert!(run.stdout.contains("\nes,2,"), "{}", run.stderr);
    }

    /// The first part may be shorter than a line, or than the format's signature.
    #[test]
    fn the_first_part_of_a_pipe_may_be_short() {
        let folder = Folder::with_train();
        pipe(&folder, "header", vec![bytes("sco"), bytes("re;g\n0.5;a,b,c\n")]);
        let packed = gzip("score\n0.5\n1\n");
        pipe(&folder, "gzip", vec![packed[..1].to_owned(), packed[1..].to_owned()]);
        let columns = parquet(&table(0, 7));
        pipe(&folder, "parquet", vec![columns[..2].to_owned(), columns[2..].to_owned()]);
        for (name, n) in [("header", 1), ("gzip", 2), ("parquet", 7)] {
            let run = folder.run(&format!("{ESTIMATE} {name}"));
            assert!(run.stdout.contains(&format!("\nes,{n},")), "{name}: {}", run.stderr);
        }
    }
}
