//! `--stratum`, `--cluster`, `--population` and `--replicates`: the design of the test rows.

use crate::common::Folder;
use crate::compare;
use serde_json::Value;
use std::fmt::Write;

/// A folder with labelled rows and a survey: three strata with clusters of six rows, weights, the
/// size of each stratum and four columns of replicate weights.
pub fn folder() -> Folder {
    let mut train = "label,score\n".to_owned();
    for i in 0..40_u32 {
        let score = if i < 20 { 0.3 + 0.035 * f64::from((i * 7) % 20) } else { 0.035 * f64::from(((i - 20) * 3) % 20) };
        writeln!(train, "{},{score}", u32::from(i < 20)).unwrap();
    }
    let mut test = "stratum,cluster,weight,size,half,score,rep1,rep2,rep3,rep4,one\n".to_owned();
    for j in 0..60_u32 {
        let (stratum, weight, size) =
            [("a", 10, 300), ("b", 5, 90), ("c", 2, 24)][usize::from(j >= 30) + usize::from(j >= 48)];
        let score = f64::from((j * j * 7 + 13 * j) % 29) / 28.0;
        write!(test, "{stratum},{},{weight},{size},{},{score}", j / 6, if j % 2 == 0 { "x" } else { "y" }).unwrap();
        for r in 1..5 {
            let factor = if (j / 6 + r) % 3 == 0 { 0.5 } else { 1.25 };
            write!(test, ",{}", factor * f64::from(weight)).unwrap();
        }
        writeln!(test, ",{}", j / 59).unwrap();
    }
    Folder::new().file("train.csv", train).file("test.csv", test)
}

const DATA: &str = "--train train.csv --test test.csv --method ac --cutoff 0.5 --weight weight";

#[track_caller]
fn assert_numbers(row: &Value, raw: f64, se: f64) {
    let (own_raw, own_se) = (row["raw"].as_f64().unwrap(), row["se"].as_f64().unwrap());
    assert!((own_raw - raw).abs() < 1e-11 && (own_se - se).abs() < 1e-11, "{own_raw} {own_se}, not {raw} {se}");
}

/// The numbers are those of R's package survey 4.1.1 for the share of scores from 0.5 on, with `svymean`,
/// corrected by the rates of the labelled rows, 0.7 and 0.25, and with their binomial variance.
#[test]
fn standard_errors_are_those_of_r() {
    let folder = folder();
    let estimate = |options: &str| folder.json(&format!("estimate {DATA} {options}"));
    let raw = 0.711_218_464_842;
    for (options, se) in [
        // svydesign(ids = ~1, strata = ~stratum, weights = ~weight)
        ("--stratum stratum", 0.239_488_033_433),
        // svydesign(ids = ~cluster, strata = ~stratum, weights = ~weight)
        ("--stratum stratum --cluster cluster", 0.192_810_591_196),
        // svrepdesign(repweights = rep1 to rep4, type = "BRR", mse = TRUE)
        ("--replicates rep* --replicate-type brr", 0.180_267_372_325),
    ] {
        let output = estimate(options);
        assert_numbers(&output["estimates"][0], raw, se);
        assert_eq!(output["estimates"][0]["target"], "population");
    }
    // subset(design, half == "x"), and "y".
    let groups = estimate("--stratum stratum --cluster cluster --by half --total");
    assert_numbers(&groups["estimates"][0], 0.829_307_568_438, 0.269_249_295_950);
    assert_numbers(&groups["estimates"][1], 0.593_129_361_245, 0.276_133_346_200);
    assert_numbers(&groups["total"][0], raw, 0.192_810_591_196);
    // The covariance of svyby(covmat = TRUE), and the labelled rows' part by hand.
    let compare = folder.json(&format!("compare {DATA} --stratum stratum --cluster cluster --by half --reference y"));
    let row = &compare["differences"][0];
    let (difference, se) = (row["difference"].as_f64().unwrap(), row["se"].as_f64().unwrap());
    assert!((difference - 0.236_178_2).abs() < 1e-7 && (se - 0.385_727_78).abs() < 1e-8, "{difference} {se}");
}

/// The pattern leaves out the column of the weights themselves.
#[test]
fn a_pattern_names_the_replicate_weights() {
    let folder = folder();
    let text = folder.read("test.csv");
    let renamed = text.replacen("weight", "rep", 1);
    let folder = folder.file("renamed.csv", renamed);
    let estimate =
        |options: &str| folder.json(&format!("estimate --train train.csv --method ac --cutoff 0.5 {options}"));
    let one = estimate("--test test.csv --weight weight --replicates rep* --replicate-type brr");
    let other = estimate("--test renamed.csv --weight rep --replicates rep* --replicate-type brr");
    assert_eq!(one["estimates"], other["estimates"]);
}

/// A stratified jackknife has a column for each cluster, and its squared deviation from the estimate counts
/// (m - 1)/m for the m clusters of its stratum. The part of the labelled rows is that of other kinds.
#[test]
fn a_stratified_jackknife_has_the_factors_of_its_strata() {
    let folder = folder();
    let text = std::fs::read_to_string(folder.path().join("test.csv")).unwrap();
    let stratum_of =
        |cluster: usize| [0..5, 5..8, 8..10].into_iter().find(|clusters| clusters.contains(&cluster)).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let mut table = format!("{header},{}\n", (0..10).map(|r| format!("jk{r}")).collect::<Vec<_>>().join(","));
    for row in rows.lines() {
        let cells: Vec<&str> = row.split(',').collect();
        let (cluster, weight): (usize, f64) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        table += row;
        for deleted in 0..10 {
            let m = stratum_of(cluster).len() as f64;
            let factor = if deleted == cluster {
                0.0
            } else if stratum_of(cluster).contains(&deleted) {
                m / (m - 1.0)
            } else {
                1.0
            };
            write!(table, ",{}", factor * weight).unwrap();
        }
        table += "\n";
    }
    let folder = folder.file("test.csv", table);
    let number = |options: &str, name: &str| {
        let output = folder.json(&format!("estimate {DATA} {options}"));
        output["estimates"][0][name].as_f64().unwrap()
    };
    let variance = |kind: &str| number(&format!("--replicates jk* --replicate-type {kind}"), "se").powi(2);
    let raw = number("", "raw");
    let data = DATA.replace("--weight weight", "");
    let deviation = |r: usize| {
        let output = folder.json(&format!("estimate {data} --weight jk{r}"));
        (output["estimates"][0]["raw"].as_f64().unwrap() - raw).powi(2)
    };
    let expected: f64 = (0..10).map(|r| (1.0 - 1.0 / stratum_of(r).len() as f64 - 0.1) * deviation(r)).sum();
    let difference = variance("jkn") - variance("bootstrap");
    assert!((difference - expected).abs() < 1e-12, "{difference}, not {expected}");
    for (kind, columns) in [("jk1", "jk*"), ("jk2", "jk*"), ("jkn", "rep*")] {
        let run = folder.run(&format!("estimate {DATA} --replicates {columns} --replicate-type {kind}"));
        assert!(run.stderr.starts_with(&format!("error: --replicate-type {kind}: ")), "{}", run.stderr);
    }
}

/// A population of the size of the sample leaves the errors given the classes, those of the sample.
#[test]
fn a_population_as_large_as_the_sample_is_the_sample() {
    let folder = folder();
    let text = folder.read("test.csv");
    let counted = text.replace(",10,300,", ",1,30,").replace(",5,90,", ",1,18,").replace(",2,24,", ",1,12,");
    let folder = folder.file("all.csv", counted);
    let estimate = |options: &str| {
        let output =
            folder.json(&format!("estimate --train train.csv --test all.csv --method ac --cutoff 0.5 {options}"));
        output["estimates"][0].clone()
    };
    let (sample, census) = (estimate(""), estimate("--stratum stratum --population size"));
    assert_numbers(&census, sample["raw"].as_f64().unwrap(), sample["se"].as_f64().unwrap());
}

/// In a finite population, a share n/N of the variance between clusters is that of independent errors.
#[test]
fn a_finite_population_has_less_variance_between_clusters() {
    let folder = folder();
    let variance = |options: &str| {
        let data = "--train train.csv --test test.csv --method ac --cutoff 0.5";
        let output = folder.json(&format!("estimate {data} {options}"));
        output["estimates"][0]["se"].as_f64().unwrap().powi(2)
    };
    let (unlimited, sample) = (variance("--cluster cluster --target population"), variance(""));
    let finite = variance("--cluster cluster --population 240");
    assert!((finite - (0.75 * unlimited + 0.25 * sample)).abs() < 1e-12, "{finite} {unlimited} {sample}");
}

/// A report has the interval of `estimate` for all rows.
#[test]
fn a_report_knows_the_design() {
    let folder = compare::folder();
    let data = "--train train.csv --test test.csv";
    for design in [
        "--cluster household --target population",
        "--by site --standardise size",
        "--by site --population size --cluster household",
    ] {
        let total = if design.contains("--population") { "--total" } else { "" };
        let estimates = folder.json(&format!("estimate {data} {design} {total}"));
        let tables = ["standardised", "total", "estimates"].map(|table| &estimates[table][0]);
        let all = tables.into_iter().find(|row| row.is_object()).unwrap();
        let [lower, upper] = ["lower", "upper"].map(|name| 100.0 * all[name].as_f64().unwrap());
        let run = folder.run_ok(&format!("report {data} {design} -o -"));
        let text = run.stdout.replace(char::is_whitespace, " ");
        assert!(text.contains(&format!("{lower:.1} to {upper:.1} %")), "{design}: {lower} to {upper}");
    }
}

/// Tallies by group and cluster have the standard errors of their rows, and so do periods.
#[test]
fn tallies_and_periods_know_the_design() {
    let folder = folder();
    let data = "--test test.csv --weight weight";
    folder.run_ok("fit --train train.csv --method ac --cutoff 0.5 -o m.json");
    folder.run_ok(&format!("tally --model m.json {data} --by half,cluster,stratum,size -o t.parquet"));
    for design in [
        "--by half --cluster cluster --total --target population",
        "--by half --stratum stratum --cluster cluster --population size",
        "--by stratum --standardise size --cluster cluster",
    ] {
        let of_rows = folder.json(&format!("estimate --model m.json {data} {design}"));
        let of_tallies = folder.json(&format!("finish --model m.json t.parquet {design}"));
        for table in ["estimates", "total", "standardised"] {
            assert_eq!(of_tallies[table], of_rows[table]);
        }
    }
    let text = folder.read("test.csv");
    let dated = text.replace(",x,", ",2026-01,").replace(",y,", ",2026-02,");
    let folder = folder.file("dated.csv", dated);
    let options = "--model m.json --test dated.csv --weight weight --by half --stratum stratum --cluster cluster";
    let se = |row: &Value| row["se"].as_f64().unwrap();
    let estimates = folder.json(&format!("estimate {options}"));
    let periods = folder.json(&format!("monitor {options}"));
    let [first, second] = [&estimates, &periods].map(|output| output.as_object().unwrap().values());
    let rows = |mut values: serde_json::map::Values| -> Vec<f64> {
        let rows = values.find_map(|value| value.as_array().filter(|rows| rows.iter().all(|row| row["se"].is_f64())));
        rows.expect("rows").iter().map(se).collect()
    };
    assert_eq!(rows(first), rows(second));
}
