//! Names of columns with commas.

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
    let commands: [&[&str]; 3] = [
        &["estimate", "--train", "train.csv", "--format", "csv", "--method", "es,cc", "--total"],
        &["compare", "--train", "train.csv", "--format", "csv", "--reference", "all"],
        &["check", "--train", "train.csv", "--format", "csv", "--resamples", "99"],
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
