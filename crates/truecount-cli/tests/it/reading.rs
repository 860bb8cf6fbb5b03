//! Nested keys and numbers of JSON, and decimal commas. The tests of `matrix` and of `truecount-tables` read every
//! format.

use crate::common::Folder;

const ESTIMATE: &str = "estimate --train train.csv --format csv --test";
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
fn decimal_commas_are_read() {
    let folder = Folder::with_train();
    let train = folder.read("train.csv");
    let row = |line: &str| {
        let (score, label) = line.split_once(',').unwrap();
        format!("{score};{label};{label}.25;0.{label};{label}.5;7.5\n")
    };
    let points = "score;label;w;p;g;size\n".to_owned() + &train.lines().skip(1).map(row).collect::<String>();
    let folder = folder
        .file("commas.csv", points.replace('.', ","))
        .file("points.csv", points)
        .file("points-sizes.csv", "g;size\n0.5;100\n1.5;50.5\n")
        .file("commas-sizes.csv", "g;size\n0,5;100\n1,5;50,5\n")
        .file("late.csv", format!("score;g\n{}0,5;a\n", "1;a\n".repeat(200_000)));
    for options in [
        "--label-weight w --weight w --prob p --method ac,pcc",
        "--by g --standardise size --decimal",
        "--by g --standardise NAME-sizes.csv",
    ] {
        let [points, commas] = [("points", "."), ("commas", ",")].map(|(name, mark)| {
            let options = options.replace("NAME", name).replace("--decimal", &format!("--decimal {mark}"));
            folder
                .stdout(&format!("estimate --train {name}.csv --test {name}.csv --format csv {options}"))
                .replace('"', "")
        });
        assert_eq!(commas.replace("0,5", "0.5").replace("1,5", "1.5"), points, "{options}");
    }
    // The decimal mark is detected before the first comma.
    let late = folder.fails(1, &format!("{ESTIMATE} late.csv"));
    assert!(late.starts_with("error: late.csv, line 200002, column 'score': the cell is '0,5'\n"), "{late}");
}
