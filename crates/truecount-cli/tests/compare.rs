//! `truecount compare` and what `estimate` says of groups together: totals, differences, populations, strata, clusters.

mod common;

use common::Folder;
use insta::assert_snapshot;
use serde_json::Value;
use std::fmt::Write;

/// Evenly spread numbers between 0 and 1, the same everywhere.
fn spread(i: u32) -> f64 {
    (f64::from(i) * 0.618_033_988_75).fract()
}

/// Labelled and unlabelled items with scores of two classifiers, a site, a month, a household and the size of the site.
fn folder() -> Folder {
    let mut train = "score,other,label,site\n".to_owned();
    for i in 0..200_u32 {
        let positive = i % 2;
        let site = ["north", "south"][usize::from(i % 8 < 3)];
        let of = |k: u32, apart: f64| apart * f64::from(positive) + spread(i * 7 + k * 31);
        writeln!(train, "{:.4},{:.4},{positive},{site}", of(1, 0.5), of(2, 0.7)).unwrap();
    }
    let mut test = "score,other,site,month,household,size\n".to_owned();
    for i in 0..600_u32 {
        let positive = f64::from(u32::from(i % 3 == 0));
        let (site, size) = [("north", 9000), ("south", 3000)][usize::from(i % 5 < 2)];
        let month = ["2026-02", "2026-01", "2025-12"][(i % 3) as usize];
        let of = |k: u32, apart: f64| apart * positive + spread(i * 11 + k * 17);
        writeln!(test, "{:.4},{:.4},{site},{month},{},{size}", of(1, 0.5), of(2, 0.7), i / 4).unwrap();
    }
    Folder::new().file("train.csv", train).file("test.csv", test)
}

const DATA: &str = "--train train.csv --test test.csv";

#[track_caller]
fn stdout(folder: &Folder, arguments: &str) -> String {
    let run = folder.run(arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

#[track_caller]
fn json(folder: &Folder, arguments: &str) -> Value {
    serde_json::from_str(&stdout(folder, &format!("{arguments} --format json"))).unwrap()
}

/// The numbers of a row, without its group.
fn numbers(row: &Value) -> Vec<f64> {
    ["raw", "se", "lower", "upper"].iter().map(|name| row[*name].as_f64().unwrap()).collect()
}

#[track_caller]
fn close(a: &Value, b: &Value, tolerance: f64) {
    for (a, b) in numbers(a).iter().zip(numbers(b)) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }
}

#[test]
fn a_total_is_the_estimate_without_groups() {
    let folder = folder();
    for options in
        ["", " --target population", " --method o-cs", " --weight size", " --interval bootstrap --resamples 50"]
    {
        let whole = json(&folder, &format!("estimate {DATA}{options}"));
        let groups = json(&folder, &format!("estimate {DATA} --by site,month --total{options}"));
        assert_eq!(groups["estimates"].as_array().unwrap().len(), 6);
        let total = &groups["total"][0];
        assert_eq!(total["n"], whole["estimates"][0]["n"]);
        // The bootstrap draws in another order.
        close(total, &whole["estimates"][0], if options.contains("bootstrap") { 0.05 } else { 1e-12 });
    }
    let lines = stdout(&folder, &format!("estimate {DATA} --by site --total --format csv"));
    let tables: Vec<&str> = lines.lines().map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(tables, ["table", "estimates", "estimates", "total"]);
}

#[test]
fn tables_of_totals_and_differences() {
    let folder = folder();
    assert_snapshot!(stdout(&folder, &format!("estimate {DATA} --by month --total --compare --columns cv")), @"");
    assert_snapshot!(stdout(&folder, &format!("compare {DATA} --by site,month")), @"");
    assert_snapshot!(stdout(&folder, &format!("compare {DATA} --by site")), @"");
    assert_snapshot!(stdout(&folder, &format!("compare {DATA} --other-score other")), @"");
    assert_snapshot!(stdout(&folder, &format!("compare {DATA} --method es,ac,o-cs --cutoff 0.7")), @"");
}

#[test]
fn differences_are_those_of_the_estimates() {
    let folder = folder();
    let estimates = json(&folder, &format!("estimate {DATA} --by month"));
    let of = |month: &str| {
        let row = estimates["estimates"].as_array().unwrap().iter().find(|row| row["group"]["month"] == month);
        row.unwrap()["prevalence"].as_f64().unwrap()
    };
    for (against, pairs) in [("previous", 2), ("all", 3), ("2026-01", 2), ("total", 3), ("rest", 3)] {
        let found = json(&folder, &format!("compare {DATA} --by month --against {against}"));
        let rows = found["differences"].as_array().unwrap();
        assert_eq!(rows.len(), pairs, "{against}");
        for row in rows {
            let (difference, month) = (row["difference"].as_f64().unwrap(), row["group"]["month"].as_str().unwrap());
            if let Some(other) = row["against"].as_str().filter(|other| other.starts_with("20")) {
                assert!((difference - (of(month) - of(other))).abs() < 1e-15);
            }
            assert_eq!(
                row["p_value"].as_f64().unwrap() < 0.05,
                row["lower"].as_f64() > Some(0.0) || row["upper"].as_f64() < Some(0.0)
            );
        }
    }
    // A file of its own for each month, and the same model.
    let both = stdout(&folder, &format!("estimate {DATA} --by month --format csv"));
    assert_eq!(both.lines().count(), 4);
    let text = std::fs::read_to_string(folder.path().join("test.csv")).unwrap();
    let of_month = |month: &str| {
        let rows = text.lines().filter(|line| line.contains(month)).collect::<Vec<_>>().join("\n");
        format!("score,other,site,month,household,size\n{rows}\n")
    };
    let folder = folder.file("january.csv", of_month("2026-01")).file("february.csv", of_month("2026-02"));
    let files = json(&folder, "compare --train train.csv --test february.csv --other-test january.csv");
    let groups = json(&folder, &format!("compare {DATA} --by month --against previous"));
    for name in ["difference", "se", "lower", "upper", "ratio", "p_value"] {
        assert_eq!(files["differences"][0][name], groups["differences"][1][name], "{name}");
    }
}

#[test]
fn sizes_come_from_a_column_or_a_table() {
    let folder = folder()
        .file("sizes.csv", "site,size\nsouth,3000\nnorth,9000\n")
        .file("few.csv", "site,size\nsouth,3000\n")
        .file("many.csv", "site,size\nsouth,3000\nnorth,9000\neast,4\n")
        .file("twice.csv", "site,size\nsouth,3000\nnorth,9000\nsouth,4\n")
        .file("none.csv", "site,size\nsouth,0\nnorth,9000\n");
    let by = format!("estimate {DATA} --by site");
    let of = |options: &str| json(&folder, &format!("{by} {options}"));
    let column = of("--total-weights size --population size");
    assert_eq!(column, of("--total-weights sizes.csv --population sizes.csv"));
    let [north, south] = [0, 1].map(|place| column["estimates"][place]["raw"].as_f64().unwrap());
    let total = column["total"][0]["raw"].as_f64().unwrap();
    assert!((total - (0.75 * north + 0.25 * south)).abs() < 1e-14);
    // Between the sample and the population.
    let se = |found: &Value| found["estimates"][1]["se"].as_f64().unwrap();
    let (sample, population) = (of(""), of("--target population"));
    assert!(se(&sample) < se(&column) && se(&column) < se(&population));

    let fails = |code, options: &str| folder.fails(code, &format!("{by} {options}"));
    assert_snapshot!(fails(1, "--total-weights few.csv"), @"");
    assert_snapshot!(fails(1, "--total-weights many.csv"), @"");
    assert_snapshot!(fails(1, "--total-weights twice.csv"), @"");
    assert_snapshot!(fails(1, "--total-weights none.csv"), @"");
    assert_snapshot!(fails(1, "--total-weights household"), @"");
    assert_snapshot!(fails(1, "--total-weights nowhere.csv"), @"");
    assert_snapshot!(fails(2, "--total-weights 7"), @"");
    assert_snapshot!(fails(2, "--population 7"), @"");
    assert_snapshot!(folder.fails(2, &format!("estimate {DATA} --population 7")), @"");
    assert_snapshot!(folder.fails(2, &format!("estimate {DATA} --total-weights size")), @"");
}

#[test]
fn strata_have_models_of_their_own() {
    let folder = folder();
    // One stratum is no stratum.
    let text = std::fs::read_to_string(folder.path().join("train.csv")).unwrap();
    let all = text.replace("north", "one").replace("south", "one");
    let tests = std::fs::read_to_string(folder.path().join("test.csv")).unwrap();
    let folder = folder.file("one.csv", all).file("ones.csv", tests.replace("north", "one").replace("south", "one"));
    for target in ["sample", "population"] {
        let options = format!("--train one.csv --test ones.csv --by month --total --target {target}");
        let (plain, strata) = (
            json(&folder, &format!("estimate {options}")),
            json(&folder, &format!("estimate {options} --stratum site")),
        );
        for month in 0..3 {
            close(&plain["estimates"][month], &strata["estimates"][month], 1e-12);
        }
        close(&plain["total"][0], &strata["total"][0], 1e-12);
    }
    // Of the sample the total is the mean by numbers of scores, with independent errors.
    let found = json(&folder, &format!("estimate {DATA} --by site --stratum site --total"));
    let rows = found["estimates"].as_array().unwrap();
    let mean = |name: &str, power: i32| {
        let term =
            |row: &Value| (row["n"].as_f64().unwrap() / 600.0).powi(power) * row[name].as_f64().unwrap().powi(power);
        rows.iter().map(term).sum::<f64>()
    };
    let total = &found["total"][0];
    assert!((total["raw"].as_f64().unwrap() - mean("raw", 1)).abs() < 1e-12);
    assert!((total["se"].as_f64().unwrap().powi(2) - mean("se", 2)).abs() < 1e-12);
    assert_snapshot!(stdout(&folder, &format!("estimate {DATA} --by month --stratum site --compare total")), @"");

    let few: String = text
        .lines()
        .enumerate()
        .filter(|(i, line)| *i == 0 || line.contains("north") || *i < 40)
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    let folder = folder.file("few.csv", few);
    let few = "estimate --train few.csv --test test.csv --stratum site";
    assert_snapshot!(folder.fails(1, few), @"");
    assert_snapshot!(stdout(&folder, &format!("{few} --few pool")), @"");
    assert_snapshot!(folder.fails(2, &format!("{few} --interval bootstrap")), @"");
    assert_snapshot!(folder.fails(1, &format!("estimate {DATA} --stratum nowhere")), @"");
}

#[test]
fn clusters_of_test_scores() {
    let folder = folder();
    let of = |options: &str| json(&folder, &format!("estimate {DATA} --target population {options}"));
    let (alone, clustered) = (of("--columns deff"), of("--cluster household --columns deff"));
    assert_eq!(alone["estimates"][0]["raw"], clustered["estimates"][0]["raw"]);
    assert_eq!(alone["estimates"][0]["deff"], 1.0);
    let (n, deff) = (600.0, clustered["estimates"][0]["deff"].as_f64().unwrap());
    assert!((clustered["estimates"][0]["n_eff"].as_f64().unwrap() - n / deff).abs() < 1e-9);
    // All in all the same whether by group or not.
    let total = of("--cluster household --by month --total");
    close(&total["total"][0], &clustered["estimates"][0], 1e-12);
    assert_snapshot!(folder.fails(2, &format!("estimate {DATA} --cluster household")), @"");
    assert_snapshot!(folder.fails(2, &format!("estimate {DATA} --target population --by site --cluster site")), @"");
    assert_snapshot!(folder.fails(2, &format!("estimate {DATA} --target population --cluster household --method dys")), @"");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = folder();
    let fails = |code, options: &str| folder.fails(code, &format!("compare {DATA} {options}"));
    assert_snapshot!(fails(2, ""), @"");
    assert_snapshot!(fails(2, "--by month --against 2026-07"), @"");
    assert_snapshot!(fails(2, "--against total"), @"");
    assert_snapshot!(fails(2, "--by site --method dys"), @"");
    assert_snapshot!(fails(2, "--by site --interval bootstrap"), @"");
    assert_snapshot!(fails(2, "--by site --other-test test.csv --against total"), @"");
}
