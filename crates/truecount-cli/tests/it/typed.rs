//! Command lines as people type them: column names with commas, and option names of other programs.

use crate::common::Folder;
use insta::assert_snapshot;

/// Returns scores of three cities in two weeks; `city_column` is the name of the first grouping
/// column.
fn table(city_column: &str) -> String {
    let row = |i: u32| {
        let score = f64::from(i * 7919 % 1009) / 250.0 - 1.0;
        format!("{score},{},W{}\n", ["Bonn", "Ulm", "Graz"][(i % 3) as usize], 1 + i % 2)
    };
    format!("score,{city_column},week\n{}", (0..600).map(row).collect::<String>())
}

fn run(folder: &Folder, words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let run = folder.run_words(&words);
    assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    run.stdout
}

#[test]
fn every_command_accepts_names_with_commas() {
    let folder =
        Folder::with_train().file("plain.csv", table("city")).file("comma.csv", table("\"City, \"\"State\"\"\""));
    let named = r#""City, ""State""""#;
    let commands: [&[&str]; 4] = [
        &["estimate", "--train", "train.csv", "--format", "csv", "--method", "es,cc", "--total"],
        &["compare", "--train", "train.csv", "--format", "csv", "--reference", "all"],
        &["check", "--train", "train.csv", "--format", "csv", "--resamples", "99"],
        &["influence", "--train", "train.csv", "--format", "csv"],
    ];
    for command in commands {
        let output = |file: &str, by: &[&str]| run(&folder, &[command, &["--test", file], by].concat());
        for (plain, comma) in [
            (&["--by", "city"][..], &["--by", named][..]),
            (&["--by", "city,week"], &["--by", &format!("{named},week")]),
            (&["--by", "week", "--by", "city"], &["--by", "week", "--by", named]),
            (
                &["--by", "city", "--by", "week", "--sort", "week,-city"],
                &["--by", named, "--by", "week", "--sort", r#"week,"-City, ""State""""#],
            ),
        ] {
            if command[0] == "influence" && plain.contains(&"--sort") {
                continue;
            }
            let result = output("comma.csv", comma);
            let expected = output("plain.csv", plain);
            assert_eq!(result.replace(r#""City, ""State""""#, "city"), expected, "{command:?}, {comma:?}");
            assert!(result.contains(named), "{result}");
        }
    }
    let tally = |file: &str, by: &str| {
        run(&folder, &["fit", "--train", "train.csv", "-o", "m.json"]);
        run(&folder, &["tally", "--model", "m.json", "--test", file, "--by", by, "--by", "week", "-o", "t.tally"]);
        run(&folder, &["finish", "--model", "m.json", "t.tally", "--by", by, "--format", "csv"])
    };
    assert_eq!(tally("comma.csv", named).replace(r#""City, ""State""""#, "city"), tally("plain.csv", "city"));
    run(&folder, &["report", "--train", "train.csv", "--test", "comma.csv", "--by", named, "-o", "report.html"]);
    let report = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("City, ") && report.contains("Graz"));
    let fails = |by: &str| {
        let words = ["estimate", "--train", "train.csv", "--test", "comma.csv", "--by", by].map(str::to_owned);
        let run = folder.run_words(&words);
        format!("{}: {}", run.code, run.stderr.trim_end())
    };
    assert_snapshot!(fails("City, State"), @r#"
    1: error: comma.csv: there is no column 'City'
    hint: the columns are 'score', 'City, "State"', 'week'
    "#);
    assert_snapshot!(fails("\"City, State"), @r#"
    2: error: invalid value '"City, State' for '--by <COL>': a double quote is never closed

    For more information, try '--help'.
    "#);
    assert_snapshot!(fails("\"City\" State"), @r#"
    2: error: invalid value '"City" State' for '--by <COL>': ' State' follows a name in double quotes; a comma should

    For more information, try '--help'.
    "#);
}

/// Returns the error of an invalid command line, without its empty lines.
fn error(folder: &Folder, arguments: &str) -> String {
    folder.fails(2, arguments).lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn option_names_of_other_programs_get_a_tip() {
    let folder = Folder::with_train();
    let fails = |arguments: &str| error(&folder, arguments);
    let tip = |options: &str| {
        let error = fails(&format!("estimate --train train.csv --test train.csv {options}"));
        error.lines().find_map(|line| line.trim().strip_prefix("tip: ")).unwrap_or(&error).to_owned()
    };
    let options = [
        "--group-by",
        "--groupby",
        "--target-column",
        "--label-column",
        "--label-col",
        "--score-column",
        "--scores",
        "--input",
        "--data",
        "--pos-label",
        "--positive-label",
        "--labelled",
        "--unlabeled",
        "--confidence",
        "--ci",
        "--methods",
        "--quantifier",
        "--probability",
        "--weights",
        "--n-jobs",
        "--random-state",
        "--out",
    ];
    let tips: Vec<String> = options.iter().map(|option| format!("{option}: {}", tip(&format!("{option} x")))).collect();
    assert_snapshot!(tips.join("\n"), @"
    --group-by: a similar argument exists: '--by'
    --groupby: a similar argument exists: '--by'
    --target-column: a similar argument exists: '--label'
    --label-column: a similar argument exists: '--label'
    --label-col: a similar argument exists: '--label'
    --score-column: a similar argument exists: '--score'
    --scores: a similar argument exists: '--score'
    --input: a similar argument exists: '--test'
    --data: a similar argument exists: '--test'
    --pos-label: a similar argument exists: '--positive'
    --positive-label: a similar argument exists: '--positive'
    --labelled: a similar argument exists: '--train'
    --unlabeled: a similar argument exists: '--test'
    --confidence: a similar argument exists: '--level'
    --ci: a similar argument exists: '--level'
    --methods: a similar argument exists: '--method'
    --quantifier: a similar argument exists: '--method'
    --probability: a similar argument exists: '--prob'
    --weights: a similar argument exists: '--weight'
    --n-jobs: a similar argument exists: '--threads'
    --random-state: a similar argument exists: '--seed'
    --out: a similar argument exists: '--output'
    ");
    assert_snapshot!(tip("--group-by=week"), @"a similar argument exists: '--by'");
    assert_snapshot!(fails("fit --input train.csv"), @"
    error: unexpected argument '--input' found
      tip: a similar argument exists: '--train'
    Usage: truecount fit [OPTIONS] --output <FILE>
    For more information, try '--help'.
    ");
}

#[test]
fn files_without_an_option_get_a_tip() {
    let folder = Folder::with_train();
    let fails = |arguments: &str| error(&folder, arguments);
    assert_snapshot!(fails("estimate a.csv b.csv"), @"
    error: unexpected argument 'a.csv' found
      tip: files are named by options: --train a.csv --test b.csv
    Usage: truecount estimate [OPTIONS] --test <FILE>... <--train <FILE>|--model <FILE>>
    For more information, try '--help'.
    ");
    assert_snapshot!(fails("estimate a.csv b.csv --by week"), @"
    error: unexpected argument 'a.csv' found
      tip: files are named by options: --train a.csv --test b.csv
    Usage: truecount estimate [OPTIONS] --test <FILE>... <--train <FILE>|--model <FILE>>
    For more information, try '--help'.
    ");
    assert_snapshot!(fails("estimate --train a.csv b.csv"), @"
    error: unexpected argument 'b.csv' found
      tip: files are named by options: --test b.csv
    Usage: truecount estimate [OPTIONS] --test <FILE>... <--train <FILE>|--model <FILE>>
    For more information, try '--help'.
    ");
    assert_snapshot!(fails("check a.csv --test b.csv"), @"
    error: unexpected argument 'a.csv' found
      tip: files are named by options: --train a.csv
    Usage: truecount check [OPTIONS] <--train <FILE>|--model <FILE>>
    For more information, try '--help'.
    ");
    assert_snapshot!(fails("estimate --model m.json b.csv"), @"
    error: unexpected argument 'b.csv' found
      tip: files are named by options: --test b.csv
    Usage: truecount estimate [OPTIONS] --test <FILE>... <--train <FILE>|--model <FILE>>
    For more information, try '--help'.
    ");
    assert_snapshot!(fails("fit a.csv -o m.json"), @"
    error: unexpected argument 'a.csv' found
      tip: files are named by options: --train a.csv
    Usage: truecount fit [OPTIONS] --output <FILE>
    For more information, try '--help'.
    ");
    assert_snapshot!(fails("estimate --train a.csv --test b.csv --by week c.csv"), @"
    error: unexpected argument 'c.csv' found
    Usage: truecount estimate [OPTIONS] --test <FILE>... <--train <FILE>|--model <FILE>>
    For more information, try '--help'.
    ");
}
