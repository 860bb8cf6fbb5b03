//! Misleading inputs: control characters, pipes, decompression bombs and unsupported encodings.

use crate::common::{Folder, gzip, parquet};
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use insta::assert_snapshot;
use std::sync::Arc;

const ESTIMATE: &str = "estimate --train train.csv --format csv --test";

fn table(from: u8, rows: u8) -> RecordBatch {
    let scores: Vec<f64> = (from..from + rows).map(|i| f64::from(i) / 20.0).collect();
    RecordBatch::try_from_iter([("score", Arc::new(Float64Array::from(scores)) as ArrayRef)]).unwrap()
}

#[test]
fn reading_stops_if_the_file_is_not_a_model() {
    let zeros = gzip("\0".repeat(40 << 20));
    let text = gzip(format!("{{\"format\": \"{}", "a".repeat(40 << 20)));
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
}

#[test]
fn control_characters_are_escaped() {
    let folder = Folder::with_train().file("test.csv", "score,g\n1,\x1b[31mred\u{202e}\n");
    let estimate = "estimate --train train.csv --test test.csv --by";
    let run = folder.run(&format!("{estimate} g"));
    assert!(run.stdout.contains("\n\\u{1b}[31mred\\u{202e} "), "{}", run.stdout);
    assert!(run.stderr.starts_with("warning: \\u{1b}[31mred"), "{}", run.stderr);
    assert!(folder.fails(1, &format!("{estimate} \x1b[31m")).contains("'\\u{1b}[31m'"));
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
        let folder = Folder::with_train();
        pipe(&folder, "a", vec![bytes("score\n0.5\n1\n")]);
        assert_snapshot!(folder.fails(2, "estimate --train a --test a"), @"
        error: a is named twice, but a pipe can be read only once
        hint: copy its content to a file
        ");
    }

    #[test]
    fn tallies_and_models_are_read_from_pipes() {
        let folder = Folder::with_train().file("test.csv", "score\n0.5\n1\n");
        folder.run_ok("fit --train train.csv --output m.json");
        folder.run_ok("tally --model m.json --test test.csv --output t.tally");
        pipe(&folder, "tally", vec![folder.bytes("t.tally")]);
        pipe(&folder, "model", vec![folder.bytes("m.json")]);
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
        let columns = parquet(&table(0, 7), 1000);
        pipe(&folder, "parquet", vec![columns[..2].to_owned(), columns[2..].to_owned()]);
        for (name, n) in [("header", 1), ("gzip", 2), ("parquet", 7)] {
            let run = folder.run(&format!("{ESTIMATE} {name}"));
            assert!(run.stdout.contains(&format!("\nes,{n},")), "{name}: {}", run.stderr);
        }
    }
}
