//! Names of input files: patterns, pipes, and several files. The tests of the command's inputs have files
//! that are named twice or cannot be read.

use crate::common::{Folder, message, read, test_files};
use std::path::PathBuf;
use truecount_tables::input::{check_used_once, expand_patterns};

#[test]
fn patterns_stand_for_files_in_the_order_of_their_names() {
    let folder = Folder::new();
    for name in ["b.csv", "a.csv", "c.txt", "[x].csv", "a10.csv"] {
        folder.file(name, "score\n1\n");
    }
    std::fs::create_dir(folder.path().join("folder.csv")).unwrap();
    let names = |named: &[&str]| {
        let named: Vec<PathBuf> = named.iter().map(|name| folder.path().join(name)).collect();
        let files = expand_patterns(&named).map_err(|error| error.code())?;
        Ok(files.iter().map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    let list = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    assert_eq!(names(&["*.csv"]), list(&["[x].csv", "a.csv", "a10.csv", "b.csv"]));
    assert_eq!(names(&["c.txt", "a?.csv", "a*.csv"]), Err("no-such-files"));
    assert_eq!(names(&["c.txt", "a??.csv", "[ab].csv"]), list(&["c.txt", "a10.csv", "a.csv", "b.csv"]));
    // A file whose name looks like a pattern is that file.
    assert_eq!(names(&["[x].csv"]), list(&["[x].csv"]));
    assert_eq!(names(&["none.csv"]), list(&["none.csv"]));
    assert_eq!(names(&["z*.csv"]), Err("no-such-files"));
    assert_eq!(names(&["folder*"]), Err("no-such-files"));
    assert_eq!(names(&["***"]), Err("pattern-invalid"));
}

#[test]
fn an_input_that_cannot_be_read_again_is_used_once() {
    let folder = Folder::new();
    let (file, stdin) = (folder.file("a.csv", "score\n1\n"), PathBuf::from("-"));
    let code = |inputs: &[&PathBuf]| check_used_once(inputs.iter().copied()).err().map(|error| error.code());
    assert_eq!(code(&[&file, &file, &stdin]), None);
    assert_eq!(code(&[&stdin, &file, &stdin]), Some("standard-input-twice"));
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(code(&[&pipe, &file]), None);
        assert_eq!(code(&[&pipe, &folder.path().join("./pipe")]), Some("pipe-reused"));
    }
}

/// Several files are one table, and an error in the last is reported before the first is read.
#[test]
fn several_files_are_one_table() {
    let folder = Folder::new();
    let a = folder.file("a.csv", "score,g\n1,x\n2,y\n");
    let b = folder.file("b.tsv", "g\tscore\ny\t3\n");
    let c = folder.file("c.jsonl", "{\"score\": 4, \"g\": \"x\"}\n");
    let by = ["g".to_owned()];
    let groups = read(&test_files(&[a.clone(), b.clone(), c], &by)).unwrap();
    assert_eq!(groups.iter().map(|group| group.scores.clone()).collect::<Vec<_>>(), [[1.0, 4.0], [2.0, 3.0]]);
    let other = folder.file("d.csv", "score\nx\n");
    let invalid = folder.file("e.csv", "score,g\nx,x\n");
    let error = read(&test_files(&[invalid, a, b, other], &by)).unwrap_err();
    assert_eq!(message(&error, &folder), "d.csv: there is no column 'g'; the columns are 'score'");
}
