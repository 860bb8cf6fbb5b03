//! The output of results: formats, files, and atomic writing.

use crate::common::{Folder, parquet};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float32Array, Float64Array, Int16Array, RecordBatch, StringArray,
    TimestampMillisecondArray,
};
use arrow_schema::DataType;
use calamine::{Data, Reader, Xlsx};
use insta::assert_snapshot;
use serde_json::Value;
use std::sync::Arc;

const ESTIMATE: &str = "estimate --train train.csv --test test.csv --method o-cs,dys --by day";

fn folder() -> Folder {
    Folder::with_train().file("test.csv", "score,day\n1,mon\n0.1,tue\n2.2,tue\n-3,wed\n-2,wed\n")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A workbook has the columns of the table with the values of the CSV, and the notes on a second sheet.
#[test]
fn excel_has_the_table_with_every_digit() {
    let test = "score,day,store,ok\n1,2026-03-01,7,true\n0.1,2026-03-02,7,false\n2.2,2026-03-02,12,true\n";
    let folder = folder().file("days.csv", test);
    let estimate = "estimate --train train.csv --test days.csv --by day,store,ok --total --percent";
    let csv = folder.run(&format!("{estimate} --format csv")).stdout;
    folder.run_ok(&format!("{estimate} -o out.xlsx"));
    let bytes = folder.bytes("out.xlsx");
    let mut workbook: Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(bytes.clone())).unwrap();
    assert_eq!(workbook.sheet_names(), ["estimates", "notes"]);
    let sheet = workbook.worksheet_range("estimates").unwrap();
    let cells: Vec<Vec<Data>> = sheet.rows().map(<[Data]>::to_vec).collect();
    let header: Vec<String> = cells[0].iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(header.join("; "), @"day; store; ok; n; prevalence; 95 % interval, lower; 95 % interval, upper; positives; positives lower; positives upper;");
    let columns = ["day", "store", "ok", "n", "prevalence", "lower", "upper", "positives"];
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len() + 1, cells.len());
    for (record, row) in records.iter().zip(&cells[1..]) {
        for (name, cell) in columns.iter().zip(row) {
            let text = &record[names.iter().position(|other| other == name).unwrap()];
            match cell {
                Data::Float(number) => assert_eq!(Ok(*number), text.parse(), "{name}"),
                Data::Bool(flag) => assert_eq!(flag.to_string(), text, "{name}"),
                Data::Empty => assert_eq!(text, "", "{name}"),
                other if text.is_empty() => assert_eq!(other.to_string(), "total"),
                // Values of groups are text.
                other => assert_eq!(other.to_string(), text, "{name}"),
            }
        }
    }
    let notes = workbook.worksheet_range("notes").unwrap();
    assert!(notes.rows().any(|row| row[0].to_string().starts_with("share: for ")));
    // The command reads it, and equal results are equal files.
    folder.run_ok(&format!("{estimate} -o again.xlsx"));
    assert_eq!(folder.bytes("again.xlsx"), bytes);
    folder.run_ok("estimate --train train.csv --train-score score --test out.xlsx --score positives --method cc");
}

/// The numbers of the Parquet file and of the JSON lines are bitwise equal.
#[test]
fn parquet_has_the_same_numbers() {
    let weighted = "score,day\n1,mon\n0.1,tue\n2.2,tue\n3,wed\n2,wed\n";
    let weighted_estimate = "estimate --train train.csv --test weighted.csv --method o-cs,cc --by day --weight score";
    let folder = folder().file("weighted.csv", weighted);
    for estimate in [ESTIMATE, weighted_estimate] {
        let has_weights = estimate == weighted_estimate;
        let rows = lines(&folder.run(&format!("{estimate} --format jsonl")).stdout);
        folder.run_ok(&format!("{estimate} -o out.parquet"));
        let batch = folder.parquet("out.parquet");
        assert_eq!((batch.num_rows(), rows.len()), (6, 6));
        let schema = batch.schema();
        let columns: Vec<String> = schema
            .fields()
            .iter()
            .map(|f| format!("{} {}{}", f.name(), f.data_type(), if f.is_nullable() { "?" } else { "" }))
            .collect();
        if has_weights {
            assert_eq!(columns[3], "n_eff Float64");
        } else {
            assert_snapshot!(columns.join("\n"), @"
            day Utf8?
            method Utf8
            n UInt64
            population_size Float64?
            prevalence Float64?
            raw Float64?
            se Float64?
            lower Float64?
            upper Float64?
            positives Float64?
            positives_lower Float64?
            positives_upper Float64?
            misfit Float64?
            unexplained Float64?
            widening Float64?
            se_widened Float64?
            level Float64
            target Utf8
            severity Utf8?
            warnings List(non-null Utf8)?
            ");
        }
        let column = |name: &str| batch.column_by_name(name).unwrap();
        for (i, row) in rows.iter().enumerate() {
            assert_eq!(column("day").as_string::<i32>().value(i), row["group"]["day"]);
            assert_eq!(column("method").as_string::<i32>().value(i), row["method"]);
            assert_eq!(column("n").as_primitive::<UInt64Type>().value(i), row["n"]);
            for name in ["prevalence", "raw", "se", "lower", "upper", "level"] {
                let numbers = column(name).as_primitive::<Float64Type>();
                assert_eq!(numbers.is_valid(i).then(|| numbers.value(i)), row[name].as_f64(), "{name}");
            }
            let warnings = column("warnings").as_list::<i32>().value(i);
            let texts: Vec<Value> = warnings.as_string::<i32>().iter().map(|text| Value::from(text.unwrap())).collect();
            let messages: Vec<Value> =
                row["warnings"].as_array().unwrap().iter().map(|warning| warning["message"].clone()).collect();
            assert_eq!(texts, messages);
            if has_weights {
                assert_eq!(column("n_eff").as_primitive::<Float64Type>().value(i), row["n_eff"]);
            }
        }
        assert!(rows.iter().any(|row| row["se"].is_null()) != has_weights);
        assert!(rows.iter().any(|row| row["warnings"] != Value::Array(Vec::new())));
    }
}

/// Grouping columns of a typed file keep their types; a missing value is null or an empty cell.
#[test]
fn grouping_columns_keep_their_types() {
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("score", Arc::new(Float64Array::from(vec![1.0, 0.5, 2.0])), false),
        ("whole", Arc::new(Int16Array::from(vec![Some(-7), None, Some(12)])), true),
        ("half", Arc::new(Float32Array::from(vec![0.1, 2.0, -1.5])), true),
        ("yes", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])), true),
        ("date", Arc::new(Date32Array::from(vec![Some(0), Some(20_000), None])), true),
        ("time", Arc::new(TimestampMillisecondArray::from(vec![Some(0), Some(1_763_700_000_123), None])), true),
        ("text", Arc::new(StringArray::from(vec![Some("a,b"), Some(""), None])), true),
    ];
    let kinds: Vec<DataType> = columns[1..].iter().map(|(_, column, _)| column.data_type().clone()).collect();
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let folder = Folder::with_train().file("test.parquet", parquet(&batch, 1000));
    let estimate =
        "estimate --train train.csv --test test.parquet --method cc --by whole,half,yes,date,time,text --sort none";
    let run = folder.run(&format!("{estimate} --format jsonl"));
    let groups: Vec<String> = lines(&run.stdout).iter().map(|line| line["group"].to_string()).collect();
    assert_snapshot!(groups.join("\n"), @r#"
    {"whole":-7,"half":0.1,"yes":true,"date":"1970-01-01","time":"1970-01-01T00:00:00","text":"a,b"}
    {"whole":null,"half":2.0,"yes":false,"date":"2024-10-04","time":"2025-11-21T04:40:00.123","text":""}
    {"whole":12,"half":-1.5,"yes":null,"date":null,"time":null,"text":null}
    "#);
    let run = folder.run(&format!("{estimate} --format csv"));
    let cells: Vec<&str> = run.stdout.lines().map(|line| line.split(",cc").next().unwrap()).collect();
    assert_snapshot!(cells.join("\n"), @r#"
    whole,half,yes,date,time,text,method,n,population_size,prevalence,raw,se,lower,upper,positives,positives_lower,positives_upper,misfit,unexplained,widening,se_widened,level,target,severity,warnings
    -7,0.1,true,1970-01-01,1970-01-01T00:00:00,"a,b"
    ,2.0,false,2024-10-04,2025-11-21T04:40:00.123,
    12,-1.5,,,,
    "#);
    folder.run_ok(&format!("{estimate} -o out.parquet"));
    let written = folder.parquet("out.parquet");
    for (i, kind) in kinds.iter().enumerate() {
        assert_eq!(written.column(i).data_type(), kind);
        assert_eq!(written.column(i), batch.column(i + 1));
    }
}

/// Results beyond the limits of Excel are an error that names the limit, and leave no file behind.
#[test]
fn results_beyond_a_sheet_are_refused() {
    let columns: Vec<String> = (0..16_384).map(|i| format!("c{i}")).collect();
    let cells = ",a".repeat(columns.len());
    let long = "a".repeat(32_768);
    let folder = Folder::with_train()
        .file("wide.csv", format!("score,{}\n{}", columns.join(","), format!("0.5{cells}\n").repeat(3)))
        .file("long.csv", format!("score,g\n0.5,{long}\n0.7,b\n"));
    for (file, by, limit) in [
        ("wide.csv", columns.join(","), "a sheet has at most 1,048,576 rows and 16,384 columns"),
        ("long.csv", "g".to_owned(), "a cell has at most 32,767 characters"),
    ] {
        let message = folder.fails(1, &format!("estimate --train train.csv --test {file} --by {by} -o out.xlsx"));
        let expected = format!("error: out.xlsx: the results do not fit into an Excel sheet: {limit}\nhint: write ");
        assert!(message.starts_with(&expected), "{message}");
        assert!(!folder.names(".").contains(&"out.xlsx".to_owned()));
    }
}

/// Without enough memory, the command ends with a sentence and leaves no file behind, whatever it was doing.
#[cfg(target_os = "linux")]
#[test]
fn running_out_of_memory_is_an_error() {
    let rows: Vec<String> = (0..30_000).map(|i| format!("{},g{i}\n", f64::from(i % 50) / 10.0 - 1.0)).collect();
    let folder = Folder::with_train().file("test.csv", "score,g\n".to_owned() + &rows.concat());
    folder.run_ok("fit --train train.csv -o model.json");
    let before = folder.names(".");
    let estimate = "estimate --train train.csv --test test.csv --by g -o out.xlsx";
    for (words, kilobytes) in [
        ("tally --model model.json --test test.csv --by g -o out.tally", 100_000),
        ("report --train train.csv --test test.csv --by g -o out.html", 100_000),
        ("estimate --train train.csv --test test.csv --cluster g --target population -o out.csv", 100_000),
        (estimate, 100_000),
    ] {
        let script = format!("ulimit -v {kilobytes}; exec '{}' {words}", env!("CARGO_BIN_EXE_truecount"));
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script]).env("RAYON_NUM_THREADS", "1").current_dir(folder.path());
        let refused = command.output().unwrap();
        let stderr = String::from_utf8(refused.stderr).unwrap();
        // Memory may run out when a thread needs its stack.
        let sentence = match refused.status.code() {
            Some(1) => "error: there is not enough memory\nhint: allow more memory",
            _ => "error: the threads cannot be started: ",
        };
        assert!(!refused.status.success() && stderr.starts_with(sentence), "{words}, {kilobytes}: {stderr}");
        assert_eq!(folder.names("."), before, "{words}, {kilobytes}");
    }
}

/// Groups that are estimated while they are written have the rows and warnings of groups that are kept, also where
/// one contradicts the labels of all others.
#[test]
fn rows_of_too_many_groups_to_keep_are_those_of_kept_groups() {
    let label = |row: u32| format!("{},{}\n", f64::from(row * 619 % 1000 + 400 * (row % 2)) / 400.0 - 1.0, row % 2);
    let score = |row: u32| if row < 400 { -9.0 } else { f64::from(row % 50) / 20.0 - 1.0 };
    let row = |row: u32| format!("{},{}\n", score(row), 30_000 - row.saturating_sub(400) / 3);
    let folder = Folder::new()
        .file("train.csv", "score,label\n".to_owned() + &(0..1000).map(label).collect::<String>())
        .file("test.csv", "score,g\n".to_owned() + &(0..62_000).map(row).collect::<String>());
    folder.run_ok("fit --train train.csv --method es,ac -o model.json");
    folder.run_ok("tally --model model.json --test test.csv --by g -o all.tally");
    for format in ["csv", "csv --sort none"] {
        let [written, kept] = ["estimate --test test.csv --by g", "finish all.tally"]
            .map(|words| folder.run(&format!("{words} --model model.json --format {format}")));
        assert!(written.stderr.contains("groups contradict") && written.stdout.lines().count() > 40_000, "{format}");
        assert!(written.stdout == kept.stdout, "{format}");
        assert_eq!(written.stderr, kept.stderr, "{format}");
    }
}
