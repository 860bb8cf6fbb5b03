//! Command lines as people type them: column names with commas, and option names of other programs.

use crate::common::Folder;

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
    let report = folder.read("report.html");
    assert!(report.contains("City, ") && report.contains("Graz"));
}

#[test]
fn option_names_of_other_programs_get_a_tip() {
    let folder = Folder::with_train();
    let tip = |options: &str| {
        let error = folder.fails(2, &format!("estimate --train train.csv --test train.csv {options}"));
        error.lines().find_map(|line| line.trim().strip_prefix("tip: ")).unwrap_or(&error).to_owned()
    };
    for (option, ours) in [
        ("--group-by", "--by"),
        ("--groupby", "--by"),
        ("--target-column", "--label"),
        ("--label-column", "--label"),
        ("--label-col", "--label"),
        ("--score-column", "--score"),
        ("--scores", "--score"),
        ("--input", "--test"),
        ("--data", "--test"),
        ("--pos-label", "--positive"),
        ("--positive-label", "--positive"),
        ("--labelled", "--train"),
        ("--unlabeled", "--test"),
        ("--confidence", "--level"),
        ("--ci", "--level"),
        ("--methods", "--method"),
        ("--quantifier", "--method"),
        ("--probability", "--prob"),
        ("--weights", "--weight"),
        ("--n-jobs", "--threads"),
        ("--random-state", "--seed"),
        ("--out", "--output"),
    ] {
        assert_eq!(tip(&format!("{option} x")), format!("a similar argument exists: '{ours}'"), "{option}");
    }
    assert_eq!(tip("--group-by=week"), "a similar argument exists: '--by'");
    assert_eq!(tip("--alpha 0.05"), "--level is 1 minus alpha, such as --level 0.95 for an alpha of 0.05");
    assert_eq!(tip("--format CSV"), "a similar value exists: 'csv'");
    let error = folder.fails(2, "evaluate --train train.csv --pool train.csv --protocol APP");
    assert!(error.contains("tip: a similar value exists: 'grid'"), "{error}");
    // Names with a few letters in common are not similar.
    let error = folder.fails(2, "estimate --train train.csv --test train.csv --sensitivity 0.9");
    assert!(error.starts_with("error: unexpected argument '--sensitivity' found\n\nUsage: "), "{error}");
}
