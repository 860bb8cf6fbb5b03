//! Commands with what they print: the transcripts `outputs/*.txt`, and those of commands that are refused,
//! `refusals/*.txt`. `common/transcript.rs` describes their lines. In addition, `$ page report.html` prints the
//! sentences of a report outside its folded sections, `$ show a.csv` a file, and `$ list figures` the names
//! in a folder.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test -p truecount-cli transcripts` rewrites answers that have changed.

use crate::book::words;
use crate::common::transcript::{Program, files};
use crate::common::{Folder, Run};
use crate::report::unfolded;
use crate::{
    audit, bounds, causes, classes, compare, design, evaluate, experiment, real_files, test_design, workbooks,
};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::path::Path;

fn folder(name: &str) -> Folder {
    match name {
        "empty" => Folder::new(),
        "train" => Folder::with_train(),
        "spam" => Folder::with_spam(),
        "audit" => audit::folder(),
        "compare" => compare::folder(),
        "evaluate" => evaluate::pool(),
        "experiment" => experiment::folder(),
        "test_design" => test_design::folder(),
        "audit design" => audit::folder_with_design(),
        "another scale" => audit::folder_with_scores_less(2.0),
        "cover" => classes::cover(),
        "design" => design::folder(),
        "folds" => causes::folder(),
        "rescaled" => causes::rescaled(),
        "moved" => compare::folder_with_a_moved_month(),
        "labels" => real_files::labels(),
        "many groups" => bounds::folder(),
        "map" => audit::forest_map(),
        "people" => audit::folder_of_people(),
        "real files" => real_files::folder(),
        "workbooks" => workbooks::folder(),
        _ => panic!("unknown folder: {name}"),
    }
}

fn run(folder: &Folder, command: &str, stdin: Vec<u8>) -> Run {
    let printed = |stdout: String| Run { code: 0, stdout, stderr: String::new() };
    match command.split_once(' ') {
        Some(("page", file)) => printed(unfolded(&folder.read(file)).replace(". ", ".\n")),
        Some(("show", file)) => printed(folder.read(file)),
        Some(("list", path)) => printed(folder.names(path).join(" ")),
        _ => folder.run_all(words(command), stdin),
    }
}

#[test]
fn commands_have_the_answers_of_the_transcripts() {
    let folders = ["outputs", "refusals"].map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(name));
    let paths = folders.map(|folder| files(&folder)).concat();
    assert!(!paths.is_empty());
    let program = Program { folder, run };
    let faults: Vec<String> = paths.par_iter().flat_map_iter(|path| program.check(path)).collect();
    assert!(faults.is_empty(), "{} answers differ\n\n{}", faults.len(), faults.join("\n\n"));
}
