//! Files as people have them: missing values, other encodings, titles, and values in other forms.

use crate::common::{Folder, batch, parquet, workbook};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray};
use insta::assert_snapshot;
use rust_xlsxwriter::{Workbook, Worksheet};
use std::sync::Arc;

const ESTIMATE: &str = "estimate --train train.csv --method cc --format csv --test";

/// Returns the output and the messages about the input of a run that must succeed.
#[track_caller]
fn outputs(folder: &Folder, arguments: &str) -> (String, String) {
    let run = folder.run_ok(arguments);
    // Other warnings are about the few rows of these files.
    let is_about_input = |line: &&str| line.starts_with("note: ") || line.starts_with("warning: left out: ");
    (run.stdout, run.stderr.lines().filter(is_about_input).collect::<Vec<_>>().join("\n"))
}

/// Returns the notes of a run whose answer must be that for the same rows as plain text.
#[track_caller]
fn notes(folder: &Folder, arguments: &str, plain: &str) -> String {
    let (output, notes) = outputs(folder, arguments);
    assert_eq!(output, outputs(folder, plain).0, "{arguments}");
    notes
}

fn columns(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    parquet(&batch(columns), 1000)
}

fn write_row(sheet: &mut Worksheet, row: u32, cells: &[&str]) {
    cells.iter().zip(0..).for_each(|(cell, column)| _ = sheet.write_string(row, column, *cell).unwrap());
}

/// Rows without a value are an error that counts them, or left out with a warning that counts them.
#[test]
fn rows_without_a_value_are_counted() {
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.5), None, Some(f64::NAN), Some(0.5), None]));
    let groups: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "b", "a", "a"]));
    let folder = Folder::with_train()
        .file("plain.csv", "score,g\n1.5,a\n0.5,a\n")
        .file("test.csv", "g,score\na,1.5\nb,\nb,NA\na,0.5\na,\n")
        .file("test.jsonl", "{\"score\": 1.5, \"g\": \"a\"}\n{\"g\": \"b\"}\n{\"score\": 0.5, \"g\": \"a\"}\n")
        .file("test.parquet", columns(vec![("score", scores), ("g", groups)]))
        .file("total.csv", "g,score\na,1.5\na,0.5\nTotal,\n")
        .file("labelled.csv", "score,label\n3,1\n2,1\n,0\n1,\n0,0\n-1,0\n");
    let plain = format!("{ESTIMATE} plain.csv --by g");
    assert_snapshot!(folder.fails(1, &format!("{ESTIMATE} test.csv --by g")), @"
    error: test.csv, column 'score': 3 of 5 rows have no value, the first in line 3
    hint: fill the cells in, or add --missing drop to leave these rows out
    ");
    let drop = |file: &str| notes(&folder, &format!("{ESTIMATE} {file} --by g --missing drop"), &plain);
    assert_snapshot!(drop("test.csv"), @"warning: left out: test.csv, column 'score': 3 of 5 rows have no value, the first in line 3 (by group: 'a' 1, 'b' 2)");
    assert_snapshot!(drop("test.jsonl"), @"warning: left out: test.jsonl, column 'score': 1 of 3 rows has no value, in line 2 (by group: 'b' 1)");
    assert_snapshot!(drop("test.parquet"), @"warning: left out: test.parquet, column 'score': 3 of 5 rows have no value, the first in row 2 (by group: 'a' 1, 'b' 2)");
    assert_snapshot!(drop("total.csv"), @"warning: left out: total.csv, column 'score': 1 of 3 rows has no value, in line 4, the last row: is it a total? (by group: 'Total' 1)");
    let labelled = "estimate --train labelled.csv --test plain.csv --missing drop";
    assert_snapshot!(outputs(&folder, labelled).1.lines().take(2).collect::<Vec<_>>().join("\n"), @"
    warning: left out: labelled.csv, column 'score': 1 of 6 rows has no value, in line 4 (by group: '0' 1)
    warning: left out: labelled.csv, column 'label': 1 of 6 rows has no value, in line 5
    ");
    // Clusters, strata and labels need a value too, also a cluster of tallies and of audited rows.
    let rows = "score,g\n1.5,a\n2,a\n0.5,b\n0,b\n";
    let folder = folder.file("units.csv", rows).file("lost.csv", format!("{rows}1,\n1,n/a\n"));
    let folder = folder.file("audited.csv", "score,g,label\n1.5,a,1\n2,a,1\n0.5,b,0\n0,b,.\n1,a,1\n0.5,,0\n");
    let folder = folder.file("none.csv", "score,label\n3,1\n2,1\n5,None\n0,0\n-1,0\n6,NaN\n");
    let lost = |unit: &str| {
        let estimate = format!("{} {unit}", ESTIMATE.replace("cc", "ac"));
        let dropped = notes(
            &folder,
            &estimate.replace("--test", "--missing drop --test lost.csv"),
            &estimate.replace("--test", "--test units.csv"),
        );
        [folder.fails(1, &estimate.replace("--test", "--test lost.csv")), dropped].join("\n")
    };
    assert_eq!(lost("--cluster g --target population"), lost("--stratum g"));
    assert_snapshot!(lost("--stratum g"), @"
    error: lost.csv, column 'g': 2 of 6 rows have no value, the first in line 6
    hint: fill the cells in, or add --missing drop to leave these rows out
    warning: left out: lost.csv, column 'g': 2 of 6 rows have no value, the first in line 6
    ");
    let audit = "audit --test units.csv --audit audited.csv --audit-outside-test --missing drop";
    assert_snapshot!(outputs(&folder, audit).1, @"warning: left out: audited.csv, column 'label': 1 of 6 rows has no value, in line 5 ('.')");
    assert_snapshot!(folder.fails(1, "audit --test units.csv --audit audited.csv --audit-label label,label --cluster g"), @"
    error: audited.csv, column 'g': 1 of 6 rows has no value, in line 7, the last row: is it a total?
    hint: fill the cells in, or add --missing drop to leave these rows out
    ");
    assert_snapshot!(outputs(&folder, "estimate --train none.csv --test plain.csv --missing drop").1, @"warning: left out: none.csv, column 'label': 2 of 6 rows have no value, the first in line 4 ('None')");
    folder.run("fit --train train.csv -o m.json");
    folder.run("tally --model m.json --test lost.csv --by g -o t.parquet");
    assert_snapshot!(folder.fails(1, "finish --model m.json t.parquet --cluster g --target population"), @"
    error: column 'g': 2 of 6 rows have no value, the first in tally 3
    hint: fill the cells in, or remove these rows
    ");
    // The numbers of rows count those that are left out.
    let influence = outputs(&folder, "influence --train train.csv --test test.csv --missing drop --format csv").0;
    assert!(influence.lines().nth(2).unwrap().starts_with("4,"), "{influence}");
}

#[test]
fn labels_of_more_than_two_values_are_left_out_or_the_rest() {
    let rows = "score,label\n2,bad\n1.5,bad\n1,odd\n0,good\n-1,good\n0.5,unsure\n3,unsure\n";
    let kept = |labels: &[&str], other: &str| {
        let is_kept = |line: &&str| !labels.iter().any(|label| line.ends_with(label));
        let lines: Vec<&str> = rows.lines().filter(is_kept).collect();
        lines.join("\n").replace("odd", other)
    };
    let folder = Folder::with_train()
        .file("test.csv", "score\n1.5\n0.25\n")
        .file("labelled.csv", rows)
        .file("two.csv", kept(&["odd", "unsure"], ""))
        .file("rest.csv", kept(&["unsure"], "good"))
        .file("audited.csv", rows);
    let from = |file: &str, options: &str| {
        format!("estimate --train {file} --positive bad --method ac --format csv --test test.csv {options}")
    };
    assert_snapshot!(folder.fails(1, &from("labelled.csv", "")), @"
    error: labelled.csv, column 'label': two labels are needed, found 'bad' (2 rows, first in line 2), 'odd' (1 row, first in line 4), 'good' (2 rows, first in line 5), 'unsure' (2 rows, first in line 7)
    hint: correct the others, or leave them out with --ignore-label, or count them as negatives with --rest
    ");
    let ignored = from("labelled.csv", "--ignore-label unsure,odd");
    assert_snapshot!(notes(&folder, &ignored, &from("two.csv", "")), @"note: left out: labelled.csv: rows labelled 'unsure' (2), 'odd' (1)");
    let rest = from("labelled.csv", "--ignore-label unsure --rest");
    assert_snapshot!(notes(&folder, &rest, &from("rest.csv", "")), @"
    note: left out: labelled.csv: rows labelled 'unsure' (2)
    note: labelled.csv: counted as negative: 'odd' (1), 'good' (2)
    ");
    let audit = |file: &str, options: &str| {
        format!("audit --test test.csv --audit {file} --audit-outside-test --positive bad --format csv {options}")
    };
    let audit_notes = notes(&folder, &audit("audited.csv", "--ignore-label unsure --rest"), &audit("rest.csv", ""));
    assert_snapshot!(audit_notes, @"
    note: left out: audited.csv: rows labelled 'unsure' (2)
    note: audited.csv: counted as negative: 'odd' (1), 'good' (2)
    ");
}

#[test]
fn labels_in_a_table_of_their_own_are_joined_by_an_id() {
    let rows = |row: &dyn Fn(usize) -> String| (0..48).map(row).collect::<String>();
    let score = |i: usize| [-1.5, -0.5, 0.0, 0.5, 1.0, 2.5][i % 6] + if i < 24 { 1.5 } else { 0.0 };
    let label = |i: usize| u8::from(i < 24);
    let folder = Folder::new()
        .file(
            "joined.csv",
            format!("score,label,w,g\n{}", rows(&|i| format!("{},{},{},{}\n", score(i), label(i), 1 + i % 3, i % 2))),
        )
        .file("scores.csv", format!("id,score,g\nzz,9,0\n{}", rows(&|i| format!("r{i},{},{}\n", score(i), i % 2))))
        .file(
            "labels.csv",
            format!("id,label,w\n{}", rows(&|i| format!("r{0},{1},{2}\n", 47 - i, label(47 - i), 1 + (47 - i) % 3))),
        )
        .file(
            "more.jsonl",
            format!(
                "{}{{\"id\": \"q\", \"label\": 1}}\n",
                rows(&|i| format!("{{\"id\": \"r{i}\", \"label\": {}}}\n", label(i)))
            ),
        )
        .file("other.csv", "id,label\nR1,1\nR2,0\n")
        .file("twice.csv", "id,label\nr1,1\nr2,0\nr1,1\n")
        .file("test.csv", "score,g\n1.5,0\n0.25,1\n0.5,0\n2,1\n");
    let from = |train: &str, options: &str| format!("estimate --train {train} --test test.csv --format csv {options}");
    let joined = from("scores.csv", "--label-file labels.csv --id id --label-weight w");
    assert_snapshot!(notes(&folder, &joined, &from("joined.csv", "--label-weight w")), @"note: 48 labels of labels.csv have a score in scores.csv; one row of scores.csv has no label");
    let strata = "--model-stratum g --method ac --interval wald";
    let joined = from("scores.csv", &format!("--label-file labels.csv --id id {strata}"));
    notes(&folder, &joined, &from("joined.csv", strata));
    let more = from("scores.csv", "--label-file more.jsonl --id id");
    assert_snapshot!(folder.fails(1, &more), @"
    error: more.jsonl, line 49, column 'id': the cell has the id 'q', which is not in scores.csv (1 of 49 labels have no score)
    hint: write ids alike in both tables, or add --missing drop to leave these labels out
    ");
    let run = folder.run_ok(&format!("{more} --missing drop"));
    assert_eq!(run.stdout, folder.run_ok(&from("joined.csv", "")).stdout);
    assert_snapshot!(run.stderr.lines().next().unwrap(), @"warning: left out: more.jsonl, line 49, column 'id': the cell has the id 'q', which is not in scores.csv (1 of 49 labels have no score)");
    assert_snapshot!(folder.fails(1, &from("scores.csv", "--label-file twice.csv --id id")), @"
    error: twice.csv, line 2, column 'id': the cell has the id 'r1' of another row
    hint: name a column that identifies one row with --id
    ");
    assert_snapshot!(folder.fails(1, &from("scores.csv", "--label-file test.csv --id score --label g")), @"
    error: scores.csv, line 5, column 'score': the cell has the id '1.5' of another row
    hint: name a column that identifies one row with --id
    ");
    assert_snapshot!(folder.fails(1, &from("scores.csv", "--label-file other.csv --id id")), @"
    error: other.csv, line 2, column 'id': the cell has the id 'R1', which is not in scores.csv (2 of 2 labels have no score)
    hint: write ids alike in both tables, or add --missing drop to leave these labels out
    ");
    assert_snapshot!(folder.fails(2, &from("joined.csv", "--id id")), @"
    error: the following required arguments were not provided:
      <--label-file <FILE>>

    Usage: truecount estimate --test <FILE>... --format <FORMAT> --id <COL> <--train <FILE>|--model <FILE>> <--label-file <FILE>>

    For more information, try '--help'.
    ");
    // Labels of an audit have their scores and groups in the table of all rows.
    let audit = "audit --test scores.csv --by g --format csv --audit";
    let audited = folder.run_ok(&format!("{audit} labels.csv --id id"));
    assert_eq!(audited.stdout, folder.run_ok(&format!("{audit} joined.csv")).stdout);
}

#[test]
fn values_in_other_forms_are_numbers() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["150 %", "25%"]));
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false]));
    let folder = Folder::with_train()
        .file("plain.csv", "score\n1.5\n0.25\n")
        .file("percent.csv", "score;g\n150 %;a\n25,0%;b\n")
        .file("texts.parquet", columns(vec![("score", texts)]))
        .file("texts.jsonl", "{\"score\": \"1.5\"}\n{\"score\": \"0.25\"}\n")
        .file(
            "texts.xlsx",
            workbook(|sheet| {
                (0..).zip(["score", "1,5", "0,25"]).for_each(|(row, cell)| write_row(sheet, row, &[cell]));
            }),
        )
        .file("binary.csv", "score\n1\n0\n")
        .file("flags.parquet", columns(vec![("score", flags)]))
        .file("flags.csv", "score\nTRUE\nFALSE\n")
        .file("words.csv", "score\nbad\ngood\n");
    let read = |file: &str, plain: &str| notes(&folder, &format!("{ESTIMATE} {file}"), &format!("{ESTIMATE} {plain}"));
    for file in ["percent.csv", "texts.parquet", "texts.jsonl", "texts.xlsx"] {
        assert_eq!(read(file, "plain.csv"), "", "{file}");
    }
    for file in ["flags.parquet", "flags.csv"] {
        assert_eq!(read(file, "binary.csv"), "", "{file}");
    }
    // A test with two verdicts, and labels that are flags.
    let labelled = "verdict,label\nbad,true\nbad,true\ngood,true\ngood,false\ngood,false\nbad,false\ngood,false\n";
    let numbers = labelled.replace("verdict", "score").replace("bad", "1").replace("good", "0");
    let folder = folder
        .file("labelled.csv", labelled)
        .file("numbers.csv", numbers)
        .file("verdicts.csv", "verdict\ngood\nbad\nbad\ngood\n")
        .file("zeros.csv", "score\n0\n1\n1\n0\n")
        .file("unclear.csv", "verdict\ngood\nbad\nunclear\n");
    let words = "estimate --train labelled.csv --score verdict --score-positive bad --method ac --format csv --test";
    let plain = "estimate --train numbers.csv --method ac --format csv --test zeros.csv";
    assert_eq!(outputs(&folder, &format!("{words} verdicts.csv")), outputs(&folder, plain));
    assert_snapshot!(folder.fails(1, &format!("{words} unclear.csv")), @"
    error: unclear.csv, line 4, column 'verdict': the cell is 'unclear', but the verdicts are 'bad' and 'good'
    hint: correct it or remove the row
    ");
}

/// Dates that may be read in two ways are read in one way throughout a column.
#[test]
fn groups_that_are_dates_are_in_order() {
    let order = |days: &[&str]| {
        let folder = Folder::with_train().file("test.csv", format!("score,day\n1,{}\n", days.join("\n1,")));
        let (output, notes) = outputs(&folder, &format!("{ESTIMATE} test.csv --by day"));
        let groups: Vec<&str> = output.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
        (groups.join(" "), notes)
    };
    assert_eq!(order(&["01.04.2025", "02.03.2025", "01.03.2025"]).0, "01.03.2025 02.03.2025 01.04.2025");
    assert_eq!(order(&["01.04.", "02.03.", "01.03."]).0, "01.03. 02.03. 01.04.");
    assert_eq!(order(&["20250601", "20241231"]).0, "20241231 20250601");
    assert_eq!(order(&["6/1/2025", "13/5/2025"]), ("6/1/2025 13/5/2025".to_owned(), String::new()));
    assert_eq!(order(&["10/1/2025", "9/13/2025"]), ("9/13/2025 10/1/2025".to_owned(), String::new()));
    let (groups, note) = order(&["10/1/2025", "9/2/2025"]);
    assert_eq!(groups, "9/2/2025 10/1/2025");
    assert_snapshot!(note, @"note: column 'day': dates such as 10/1/2025 are read as month, day and year; write them as 2026-01-31 if the day is first");
    assert_snapshot!(order(&["2025-06-01 12:30", "2025-06-01 12:31:07"]).1, @"note: column 'day': every time is a group of its own, 2 groups for 2 rows; add --every day to group by day");
    assert_snapshot!(order(&["a", "Total"]).1, @"note: the last group is 'Total'; if it is a total row, remove the row");
}

/// The sheets of a workbook have titles, and the labelled one has other columns.
#[test]
fn titles_are_left_out_and_the_labelled_table_may_have_other_columns() {
    let mut workbook = Workbook::new();
    let labelled = workbook.add_worksheet().set_name("Checked").unwrap();
    write_row(labelled, 0, &["Checked messages"]);
    write_row(labelled, 3, &["id", "p_bad", "label"]);
    for (row, (score, label)) in (4..).zip([(3.0, 1.0), (2.5, 1.0), (1.0, 1.0), (0.5, 0.0), (0.0, 0.0), (-1.0, 0.0)]) {
        labelled.write_number(row, 1, score).unwrap().write_number(row, 2, label).unwrap();
    }
    let new = workbook.add_worksheet().set_name("May").unwrap();
    write_row(new, 0, &["All messages", "of May"]);
    write_row(new, 1, &["day", "score"]);
    for (row, score) in [2.0, 0.25, 0.75].into_iter().enumerate() {
        let row = 2 + u32::try_from(row).unwrap();
        new.write_string(row, 0, "2025-05-01").unwrap().write_number(row, 1, score).unwrap();
    }
    let folder = Folder::new()
        .file("book.xlsx", workbook.save_to_buffer().unwrap())
        .file("labelled.csv", "p_bad,label\n3,1\n2.5,1\n1,1\n0.5,0\n0,0\n-1,0\n")
        .file("titled.csv", "\"Scores\nof May\"\n\nday;score\n2025-05-01;2\n2025-05-01;0,25\n2025-05-01;0,75\n")
        .file("test.csv", "day,score\n2025-05-01,2\n2025-05-01,0.25\n2025-05-01,0.75\n");
    let estimate = "estimate --by day --method ac --format csv --train-score p_bad";
    let plain = format!("{estimate} --train labelled.csv --test test.csv");
    let sheets = format!("{estimate} --train book.xlsx --train-sheet Checked --test book.xlsx --sheet May");
    assert_snapshot!(notes(&folder, &sheets, &plain), @"
    note: book.xlsx, sheet 'Checked': the header is in row 4, below titles
    note: book.xlsx, sheet 'May': the header is in row 2, below titles
    ");
    let titled = format!("{estimate} --train labelled.csv --test titled.csv");
    assert_snapshot!(notes(&folder, &titled, &plain), @"note: titled.csv: the header is in line 4, below titles");
    assert_snapshot!(folder.fails(1, "estimate --train labelled.csv --test titled.csv --train-score p_bad --score skore"), @"
    note: titled.csv: the header is in line 4, below titles
    error: titled.csv: there is no column 'skore'
    hint: the columns are 'day', 'score'
    ");
    let train = std::fs::read_to_string(Folder::with_train().path().join("train.csv")).unwrap();
    let folder = folder.file("many.csv", train.replace("score", "p_bad"));
    for command in ["check", "compare --other-test test.csv", "report -o report.html", "tally -o t.tally"] {
        folder.run_ok(&format!("{command} --train many.csv --train-score p_bad --test test.csv"));
    }
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
