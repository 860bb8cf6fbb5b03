//! Every format gives the same answers, in several files and on any number of threads. Errors name
//! the place that cannot be read.

use crate::common::{Folder, arrow_file, arrow_stream, gzip, parquet, zstd};
use arrow_array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use insta::assert_snapshot;
use std::sync::Arc;

const ESTIMATE: &str = "estimate --train train.csv --format csv --test";
const METHODS: &str = "--method o-cs,es,ac,t-ms,sld,dys,hdy";

/// Returns unsorted scores.
fn scores(n: u32) -> Vec<f64> {
    (0..n).map(|i| f64::from(i * 7919 % 10_007) / 2500.0 - 1.0).collect()
}

fn csv(scores: &[f64], group: impl Fn(usize) -> String) -> String {
    let rows = scores.iter().enumerate().map(|(i, score)| format!("{i},{score},{}\n", group(i)));
    format!("id,score,g\n{}", rows.collect::<String>())
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, values)| (name, values, true))).unwrap()
}

fn float(values: &[f64]) -> ArrayRef {
    Arc::new(Float64Array::from(values.to_vec()))
}

/// Returns a JSON object for each row of a text table.
fn objects(csv: &str) -> Vec<String> {
    let object = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        format!("{{\"id\": {}, \"found\": {{\"score\": {}}}, \"g\": \"{}\"}}", cells[0], cells[1], cells[2])
    };
    csv.lines().skip(1).map(object).collect()
}

/// Asserts that numbers differ by rounding only, because chunks have other boundaries.
#[track_caller]
fn assert_close(a: &str, b: &str) {
    assert_eq!(a.lines().count(), b.lines().count());
    for (a, b) in a.lines().zip(b.lines()) {
        assert_eq!(a.split(',').count(), b.split(',').count(), "{a}\n{b}");
        for (a, b) in a.split(',').zip(b.split(',')) {
            match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(x), Ok(y)) => assert!((x - y).abs() <= 1e-13 * x.abs().max(1.0), "{a} {b}"),
                _ => assert_eq!(a, b),
            }
        }
    }
}

#[test]
fn every_format_gives_the_same_answers() {
    // Enough for several blocks of text, and for several batches of row groups with 10,000 rows.
    let scores = scores(200_000);
    let group = |i: usize| format!("g{}", i * i % 37);
    let text = csv(&scores, group);
    let groups: StringArray = (0..scores.len()).map(|i| Some(group(i))).collect();
    let table = batch(vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..200_000))),
        ("score", float(&scores)),
        ("g", Arc::new(groups)),
    ]);
    let lines = objects(&text).join("\n");
    let folder = Folder::with_train()
        .file(
            "train-found.csv",
            std::fs::read_to_string(Folder::with_train().path().join("train.csv"))
                .unwrap()
                .replace("score", "found.score"),
        )
        .file("a.jsonl", &lines)
        .file("a.jsonl.gz", gzip(&lines))
        .file("a.json", format!("[\n{}\n]\n", lines.replace('\n', ",\n")))
        .file("a.csv", &text)
        .file("a.tsv", text.replace(',', "\t"))
        .file("a.csv.gz", gzip(&text))
        .file("a.csv.zst", zstd(&text))
        .file("a.parquet", parquet(&table, 10_000))
        .file("whole.parquet", parquet(&table, 1_000_000))
        .file("a.arrow", arrow_file(&table, 9_999, None))
        .file("a.arrows", arrow_stream(&table, 1_000_000, None));
    for options in [METHODS, "--by g", "--by g --interval bootstrap --resamples 99 --method cc"] {
        let expected = folder.stdout(&format!("{ESTIMATE} a.csv {options}"));
        for file in ["a.tsv", "a.csv.gz", "a.csv.zst", "a.parquet", "whole.parquet", "a.arrow", "a.arrows"] {
            assert_close(&folder.stdout(&format!("{ESTIMATE} {file} {options}")), &expected);
        }
        // In the JSON files the scores are in a nested object.
        let nested_estimate = "estimate --train train-found.csv --score found.score --format csv --test";
        for file in ["a.jsonl", "a.jsonl.gz", "a.json"] {
            assert_close(&folder.stdout(&format!("{nested_estimate} {file} {options}")), &expected);
        }
        let json_lines =
            |threads: u8| folder.stdout(&format!("{nested_estimate} a.jsonl {options} --threads {threads}"));
        assert_eq!(json_lines(1), json_lines(3));
        for threads in ["1", "3"] {
            for file in ["a.csv", "a.parquet"] {
                let other = format!("{ESTIMATE} {file} {options} --threads");
                assert_eq!(folder.stdout(&format!("{other} {threads}")), folder.stdout(&format!("{other} 2")));
            }
        }
    }
    let expected = folder.stdout(&format!("{ESTIMATE} a.csv --by g"));
    for bytes in [
        text.into_bytes(),
        parquet(&table, 50_000),
        arrow_file(&table, 70_000, None),
        arrow_stream(&table, 1_000_000, None),
    ] {
        let run = folder.run_with(&format!("{ESTIMATE} - --by g"), bytes);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_close(&run.stdout, &expected);
    }
}

/// Output of evaluation frameworks: nested objects, keys that some rows lack, and boolean labels.
#[test]
fn nested_json_lines_are_read() {
    let rows = |n: u32, key: &str| {
        let row = |i: u32| {
            let grade = f64::from(i * 7 % 10) / 2.0 + 0.25 * f64::from(i % 3);
            let more = if i.is_multiple_of(4) { ", \"tags\": {\"lang\": \"fr\"}" } else { "" };
            format!(
                "{{\"scores\": {{\"judge\": {grade}, \"a.b\": 0}}, \"{key}\": {}{more}}}\n",
                grade > 2.4 || i.is_multiple_of(9)
            )
        };
        (0..n).map(row).collect::<String>()
    };
    let folder = Folder::new()
        .file("graded.jsonl", rows(90, "correct"))
        .file("answers.jsonl", rows(20_000, "unknown"))
        .file("late.jsonl", format!("{}{{\"score\": 1, \"g\": \"x\"}}\n", "{\"score\": 1}\n".repeat(99_999)));
    let estimate = "estimate --train graded.jsonl --label correct --positive true --score scores.judge --format csv";
    let result = folder.stdout(&format!("{estimate} --test answers.jsonl --by tags.lang --method cc --cutoff 2.4"));
    let sizes: Vec<_> =
        result.lines().skip(1).map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(sizes, ["fr,cc,5000", ",cc,15000"]);
    // A column that only the last row has is recognised.
    let late = folder.file("train.csv", "score,label\n0.5,1\n0.75,1\n1,1\n0.25,0\n0,0\n");
    let result = late.stdout(&format!("{ESTIMATE} late.jsonl --by g --method cc"));
    assert!(result.contains("x,cc,1,") && result.contains(",cc,99999,"), "{result}");
}

/// Spreadsheets write decimal commas in many countries.
#[test]
#[allow(clippy::too_many_lines)] // one folder of files, read in many ways
fn decimal_commas_are_read() {
    let scores = scores(60_000);
    let points = csv(&scores, |i| format!("{}.5", i % 3));
    let points = points.replace(',', ";");
    let commas: Vec<String> = points
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(';').collect();
            format!("{};{};{}\n", cells[0], cells[1].replace('.', ","), cells[2])
        })
        .collect();
    let commas = commas.concat();
    let folder = Folder::with_train();
    let train = folder.read("train.csv");
    let (semicolons, weighed) = (train.replace(',', ";"), |mark: &str| {
        format!(
            "score;label;w;p\n{}",
            train
                .lines()
                .skip(1)
                .map(|line| {
                    let (score, label) = line.split_once(',').unwrap();
                    format!("{score};{label};{label}.25;0.{label}\n").replace('.', mark)
                })
                .collect::<String>()
        )
    });
    let folder = folder
        .file("points.csv", &points)
        .file("commas.csv", &commas)
        .file("commas.tsv", commas.replace(';', "\t"))
        .file("thousands.tsv", "score\tg\n1,250\ta\n")
        .file("single.csv", "score\n0,5\n1,5\n")
        .file("single-points.csv", "score\n0.5\n1.5\n")
        .file("train-commas.csv", semicolons.replace('.', ","))
        .file("weighed.csv", weighed("."))
        .file("weighed-commas.csv", weighed(","))
        .file("sizes.csv", "g,size\n0.5,100\n1.5,50.5\n2.5,10\n")
        .file("sizes-commas.csv", "g;size\n0.5;100\n1.5;50,5\n2.5;10\n")
        .file("column.csv", "score;g;size\n0.5;a;1.5\n1.5;b;2.5\n")
        .file("column-commas.csv", "score;g;size\n0,5;a;1,5\n1,5;b;2,5\n")
        .file("late.csv", format!("score;g\n{}0,5;a\n", "1;a\n".repeat(200_000)));
    let estimate =
        |train: &str, rest: &str| folder.stdout(&format!("estimate --train {train} --format csv --test {rest}"));
    let expected = estimate("train.csv", "points.csv --by g");
    for (train, test) in [
        ("train.csv", "commas.csv"),
        ("train-commas.csv", "points.csv"),
        ("train-commas.csv", "commas.csv --decimal ,"),
        ("train-commas.csv", "commas.tsv"),
        ("train-commas.csv", "commas.tsv --decimal ,"),
    ] {
        assert_eq!(estimate(train, &format!("{test} --by g")), expected, "{train}, {test}");
    }
    assert_eq!(estimate("train-commas.csv", "single.csv --decimal ,"), estimate("train.csv", "single-points.csv"));
    // Weights and probabilities of either table.
    let all = "--label-weight w --weight w --prob p --method ac,pcc";
    assert_eq!(
        estimate("weighed-commas.csv", &format!("weighed-commas.csv {all}")),
        estimate("weighed.csv", &format!("weighed.csv {all}"))
    );
    // Sizes of groups.
    let by_size = "points.csv --by g --standardise";
    assert_eq!(
        estimate("train.csv", &format!("{by_size} sizes-commas.csv")),
        estimate("train.csv", &format!("{by_size} sizes.csv"))
    );
    assert_eq!(
        estimate("train-commas.csv", "column-commas.csv --by g --standardise size --decimal ,"),
        estimate("train.csv", "column.csv --by g --standardise size")
    );
    // The decimal mark is detected before the first comma.
    let late = folder.fails(1, &format!("{ESTIMATE} late.csv"));
    assert!(late.starts_with("error: late.csv, line 200002, column 'score': the cell is '0,5'\n"), "{late}");
    // Between tabs, a comma before three digits may separate thousands.
    let tabs = folder.fails(1, &format!("{ESTIMATE} thousands.tsv"));
    assert!(tabs.ends_with("or, as tabs separate the cells, add --decimal ,"), "{tabs}");
}

#[test]
fn several_files_are_one_table() {
    let scores = scores(9_000);
    let part = |from: usize, to: usize| {
        let group = |i: usize| format!("{}", (from + i) % 5);
        csv(&scores[from..to], group)
    };
    let ints: Int32Array = (6_000..9_000).map(|i| Some(i % 5)).collect();
    let folder = Folder::with_train()
        .file("all.csv", part(0, 9_000))
        .file("part-1.csv", part(0, 2_000))
        .file("part-2.csv.gz", gzip(part(2_000, 6_000)))
        .file("part-3.csv", part(6_000, 9_000))
        .file("none.csv", "id,score,g\n")
        .file("ints.parquet", parquet(&batch(vec![("score", float(&scores[6_000..])), ("g", Arc::new(ints))]), 999));
    let expected = folder.stdout(&format!("{ESTIMATE} all.csv --by g"));
    let estimate = |files: &str| folder.stdout(&format!("{ESTIMATE} {files} --by g"));
    assert_close(&estimate("part-*"), &expected);
    assert_close(&estimate("part-1.csv part-2.csv.gz none.csv part-3.csv"), &expected);
    assert_close(&estimate("part-[12]* part-3.csv"), &expected);
    assert_snapshot!(folder.fails(1, &format!("{ESTIMATE} part-1.csv ints.parquet --by g")), @"
    error: ints.parquet: the column 'g' holds Int32 here, but Utf8 in part-1.csv
    hint: use one type in all files
    ");
    let none = folder.fails(1, &format!("{ESTIMATE} none.csv --by g"));
    assert_eq!(none, "error: none.csv: there are no rows below the header");
}

#[test]
fn rows_and_quotes_may_cross_block_boundaries() {
    let scores = scores(60_000);
    let plain = csv(&scores, |i| format!("{}", i % 3));
    // The same groups, but quoted in the middle of the file.
    let quoted =
        csv(&scores, |i| if (20_000..40_000).contains(&i) { format!("\"{}\"", i % 3) } else { format!("{}", i % 3) });
    let long =
        csv(&scores, |i| if i % 1000 == 7 { format!("\"a\n\"\"b\"\",{}\"", "c".repeat(900)) } else { "x".to_owned() });
    let wrong = plain.replace("\n50000,", "\n50000,oops");
    let wrong_quoted = long.replace("\n50000,", "\n50000,oops");
    let folder = Folder::with_train()
        .file("plain.csv", &plain)
        .file("quoted.csv", &quoted)
        .file("long.csv", &long)
        .file("wrong.csv", wrong)
        .file("wrong-quoted.csv", wrong_quoted)
        .file("windows.csv", plain.replace('\n', "\r\n"));
    let expected = folder.stdout(&format!("{ESTIMATE} plain.csv --by g"));
    assert_close(&folder.stdout(&format!("{ESTIMATE} quoted.csv --by g")), &expected);
    assert_close(&folder.stdout(&format!("{ESTIMATE} windows.csv --by g")), &expected);
    let long = folder.stdout(&format!("{ESTIMATE} long.csv --by g --method cc"));
    assert!(long.contains("x,cc,59940,") && long.contains(",cc,60,"), "{long}");
    // Fifty cells before the row of `wrong-quoted.csv` contain a line end.
    for (file, line) in [("wrong.csv", 50_002), ("wrong-quoted.csv", 50_052)] {
        let problem = format!("error: {file}, line {line}, column 'score': the cell is 'oops0.");
        assert!(folder.fails(1, &format!("{ESTIMATE} {file}")).starts_with(&problem), "{problem}");
    }
}

/// In the Parquet file a page header is damaged. Page checksums are optional, so damaged numbers may
/// remain undetected.
#[test]
fn damaged_tables_are_refused() {
    let mut damaged = parquet(&batch(vec![("score", float(&scores(5000)))]), 500);
    damaged[4..24].fill(0xff);
    let folder = Folder::with_train()
        .file("damaged.parquet", damaged)
        .file("cut.csv.gz", &gzip(csv(&scores(5000), |_| "x".to_owned()))[..9_000])
        .file("empty.parquet", parquet(&batch(vec![("score", float(&[]))]), 9));
    assert_snapshot!(folder.fails(1, &format!("{ESTIMATE} damaged.parquet")), @"
    error: damaged.parquet, from row 1 on: cannot be read (there is no page header at byte 4)
    hint: get a complete copy
    ");
    let cut = folder.fails(1, &format!("{ESTIMATE} cut.csv.gz"));
    assert_eq!(cut, "error: cut.csv.gz, after line 1464: the compressed file is cut off; get a complete copy");
    let empty = folder.fails(1, &format!("{ESTIMATE} empty.parquet"));
    assert_eq!(empty, "error: empty.parquet: there are no rows below the header");
}

/// With more than 20,000 groups the shift check examines all rows together.
#[test]
fn many_groups_have_one_shift_check() {
    let scores: Vec<f64> = (0..60_000).map(|i| if i % 3 == 0 { 0.9 } else { f64::from(i % 100) / 40.0 }).collect();
    let groups: Int32Array = (0..60_000).map(|i| Some(i * 7 % 25_000)).collect();
    let table = batch(vec![("score", float(&scores)), ("g", Arc::new(groups))]);
    let folder = Folder::with_train().file("a.parquet", parquet(&table, 7_000));
    let run = folder.run_ok(&format!("{ESTIMATE} a.parquet --by g --method ac"));
    assert_eq!(run.stdout.lines().count(), 25_001);
    assert_snapshot!(run.stderr.lines().next().unwrap(), @"warning: all groups together: do not rely on this estimate: the new scores do not fit any mix of the labelled classes (p = 4e-5; too many: 36.5 % between 0.650 and 1.05), so more than the share has changed; errors are about 2.6 times as large as chance explains; see `truecount check`");
}

/// Types that cannot be displayed as text are refused; other types are preserved.
#[test]
fn rare_types_of_groups() {
    use arrow_array::{DurationSecondArray, NullArray, TimestampMicrosecondArray, TimestampSecondArray};
    let score = || ("score", float(&[0.5, 1.5, 2.5]));
    let file_with_groups = |values: ArrayRef| parquet(&batch(vec![score(), ("g", values)]), 9);
    let utc = TimestampMicrosecondArray::from(vec![Some(0), None, Some(1_700_000_000_000_000)]).with_timezone("UTC");
    let paris = TimestampSecondArray::from(vec![0, 86_400, 0]).with_timezone("Europe/Paris");
    let folder = Folder::with_train()
        .file(
            "duration.arrow",
            arrow_file(&batch(vec![score(), ("g", Arc::new(DurationSecondArray::from(vec![1, 2, 3])))]), 9, None),
        )
        .file("utc.parquet", file_with_groups(Arc::new(utc)))
        .file("paris.arrow", arrow_file(&batch(vec![score(), ("g", Arc::new(paris))]), 9, None))
        .file("null.arrow", arrow_file(&batch(vec![score(), ("g", Arc::new(NullArray::new(3)))]), 9, None))
        .file("ints.parquet", file_with_groups(Arc::new(Int32Array::from(vec![4, 4, 5]))));
    let duration = folder.fails(1, &format!("{ESTIMATE} duration.arrow --by g"));
    assert!(duration.starts_with("error: duration.arrow: the column 'g' holds Duration(s)\n"), "{duration}");
    let groups = |files: &str| {
        let lines = folder.stdout(&format!("{ESTIMATE} {files} --by g --method cc"));
        lines.lines().skip(1).map(|line| line.split(",cc,").next().unwrap().to_owned()).collect::<Vec<_>>().join("; ")
    };
    assert_snapshot!(groups("utc.parquet"), @"1970-01-01T00:00:00Z; 2023-11-14T22:13:20Z; ");
    assert_snapshot!(groups("paris.arrow"), @"1970-01-01T01:00:00+01:00; 1970-01-02T01:00:00+01:00");
    assert_snapshot!(groups("null.arrow ints.parquet"), @"4; 5; ");
    folder.stdout(&format!("{ESTIMATE} paris.arrow --by g -o out.parquet").replace("--format csv ", ""));
    let table = parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(
        std::fs::File::open(folder.path().join("out.parquet")).unwrap(),
        9,
    );
    let batch = table.unwrap().next().unwrap().unwrap();
    assert_snapshot!(batch.schema().field(0).data_type(), @r#"Timestamp(ms, "Europe/Paris")"#);
}

/// Equal numbers of JSON are one group, and so is the text of their shortest form. Long integers keep
/// all digits.
#[test]
fn equal_json_numbers_are_one_group() {
    let values = ["1", "1.0", "\"1\"", "10e-1", "\"1.0\"", "-0.0", "0", "2.50", "12345678901234567891", "1e999"];
    let rows = values.map(|value| format!("{{\"score\": 0.5, \"g\": {value}}}\n"));
    let folder = Folder::with_train().file("test.jsonl", rows.concat());
    let result = folder.stdout(&format!("{ESTIMATE} test.jsonl --by g --method cc --sort none"));
    let groups: Vec<String> =
        result.lines().skip(1).map(|line| line.split(',').take(3).collect::<Vec<_>>().join(" ")).collect();
    let expected = ["1 cc 4", "1.0 cc 1", "0 cc 2", "2.5 cc 1", "12345678901234567891 cc 1", "1e999 cc 1"];
    assert_eq!(groups, expected);
}
