//! Files as people have them, for `outputs/real_files.txt`: missing values, titles, values in other forms, and
//! labels in a table of their own.

use crate::common::{Folder, batch, parquet, workbook};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray};
use rust_xlsxwriter::{Workbook, Worksheet};
use std::sync::Arc;

fn columns(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    parquet(&batch(columns), 1000)
}

fn write_row(sheet: &mut Worksheet, row: u32, cells: &[&str]) {
    cells.iter().zip(0..).for_each(|(cell, column)| _ = sheet.write_string(row, column, *cell).unwrap());
}

/// Parquet files and workbooks, whose sheets have titles.
pub fn folder() -> Folder {
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.5), None, Some(f64::NAN), Some(0.5), None]));
    let groups: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "b", "a", "a"]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["150 %", "25%"]));
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false]));
    let commas = |sheet: &mut Worksheet| {
        (0..).zip(["score", "1,5", "0,25"]).for_each(|(row, cell)| write_row(sheet, row, &[cell]));
    };
    let mut book = Workbook::new();
    let labelled = book.add_worksheet().set_name("Checked").unwrap();
    write_row(labelled, 0, &["Checked messages"]);
    write_row(labelled, 3, &["id", "p_bad", "label"]);
    for (row, (score, label)) in (4..).zip([(3.0, 1.0), (2.5, 1.0), (1.0, 1.0), (0.5, 0.0), (0.0, 0.0), (-1.0, 0.0)]) {
        labelled.write_number(row, 1, score).unwrap().write_number(row, 2, label).unwrap();
    }
    let new = book.add_worksheet().set_name("May").unwrap();
    write_row(new, 0, &["All messages", "of May"]);
    write_row(new, 1, &["day", "score"]);
    for (row, score) in (2..).zip([2.0, 0.25, 0.75]) {
        new.write_string(row, 0, "2025-05-01").unwrap().write_number(row, 1, score).unwrap();
    }
    let folder = Folder::with_train();
    let train = folder.read("train.csv");
    folder
        .file("many.csv", train.replace("score", "p_bad"))
        .file("gaps.parquet", columns(vec![("score", scores), ("g", groups)]))
        .file("texts.parquet", columns(vec![("score", texts)]))
        .file("flags.parquet", columns(vec![("score", flags)]))
        .file("texts.xlsx", workbook(|sheet| commas(sheet)))
        .file("book.xlsx", book.save_to_buffer().unwrap())
}

/// Scores with labels, and the same with the labels in tables of their own, in the other order or as JSON.
pub fn labels() -> Folder {
    let rows = |row: &dyn Fn(usize) -> String| (0..48).map(row).collect::<String>();
    let score = |i: usize| [-1.5, -0.5, 0.0, 0.5, 1.0, 2.5][i % 6] + if i < 24 { 1.5 } else { 0.0 };
    let label = |i: usize| u8::from(i < 24);
    let joined = rows(&|i| format!("{},{},{},{}\n", score(i), label(i), 1 + i % 3, i % 2));
    let scores = rows(&|i| format!("r{i},{},{}\n", score(i), i % 2));
    let labels = rows(&|i| format!("r{0},{1},{2}\n", 47 - i, label(47 - i), 1 + (47 - i) % 3));
    let more = rows(&|i| format!("{{\"id\": \"r{i}\", \"label\": {}}}\n", label(i)));
    Folder::new()
        .file("joined.csv", format!("score,label,w,g\n{joined}"))
        .file("scores.csv", format!("id,score,g\nzz,9,0\n{scores}"))
        .file("labels.csv", format!("id,label,w\n{labels}"))
        .file("more.jsonl", format!("{more}{{\"id\": \"q\", \"label\": 1}}\n"))
}

/// All rows, the labelled ones and the audited ones may be sheets of one workbook.
#[test]
fn audited_rows_are_a_sheet_of_the_workbook() {
    let text = |labelled: bool, rows: std::ops::Range<u32>| -> String {
        let score = |row: u32| f64::from(row % 2) + f64::from(row * 37 % 997) / 600.0;
        let row = |row: u32| {
            let label = if labelled { format!(",{}", row % 2) } else { String::new() };
            format!("{},{}{label}\n", score(row), ["a", "b"][(row / 2 % 2) as usize])
        };
        rows.map(row).fold(format!("score,half{}\n", if labelled { ",label" } else { "" }), |text, row| text + &row)
    };
    let sheets = [("Labelled", text(true, 500..600)), ("All", text(false, 0..200)), ("Audited", text(true, 0..40))];
    let mut workbook = Workbook::new();
    for (name, text) in &sheets {
        let sheet = workbook.add_worksheet().set_name(*name).unwrap();
        for (row, line) in (0..).zip(text.lines()) {
            write_row(sheet, row, &line.split(',').collect::<Vec<_>>());
        }
    }
    let mut folder = Folder::new().file("book.xlsx", workbook.save_to_buffer().unwrap());
    for (name, text) in &sheets {
        folder = folder.file(&format!("{name}.csv"), text);
    }
    for (command, options) in [("audit --by half --format csv", ""), ("report --by half --output", "page.html")] {
        let sheets = "--train book.xlsx --train-sheet Labelled --test book.xlsx --sheet All --audit book.xlsx \
                      --audit-sheet Audited";
        let run = folder.run_ok(&format!("{command} {options} {sheets}"));
        let plain = folder.run(&format!("{command} {options} --train Labelled.csv --test All.csv --audit Audited.csv"));
        assert_eq!((plain.code, plain.stdout), (0, run.stdout), "{}", plain.stderr);
    }
}
