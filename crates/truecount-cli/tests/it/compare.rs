//! `truecount compare`, and the options of `estimate` for several groups: totals, differences,
//! populations, strata and clusters.

use crate::common::Folder;
use serde_json::Value;
use std::fmt::Write;
use std::fs;

/// Evenly spread and reproducible numbers between 0 and 1.
fn spread(i: u32) -> f64 {
    (f64::from(i) * 0.618_033_988_75).fract()
}

/// A folder with labelled and unlabelled items: scores of two classifiers, site, month, household,
/// and size of the site.
pub fn folder() -> Folder {
    let mut train = "score,other,label,site\n".to_owned();
    for i in 0..200_u32 {
        let positive = i % 2;
        let site = ["north", "south"][usize::from(i % 8 < 3)];
        let score = |k: u32, distance: f64| distance * f64::from(positive) + spread(i * 7 + k * 31);
        writeln!(train, "{:.4},{:.4},{positive},{site}", score(1, 0.5), score(2, 0.7)).unwrap();
    }
    let mut test = "score,other,site,month,household,size\n".to_owned();
    for i in 0..600_u32 {
        let positive = f64::from(u32::from(i % 3 == 0));
        let (site, size) = [("north", 9000), ("south", 3000)][usize::from(i % 5 < 2)];
        let month = ["2026-02", "2026-01", "2025-12"][(i % 3) as usize];
        let score = |k: u32, distance: f64| distance * positive + spread(i * 11 + k * 17);
        writeln!(test, "{:.4},{:.4},{site},{month},{},{size}", score(1, 0.5), score(2, 0.7), i / 4).unwrap();
    }
    Folder::new().file("train.csv", train).file("test.csv", test)
}

const DATA: &str = "--train train.csv --test test.csv";

/// Separate files for the months give the same differences.
#[test]
fn files_are_compared_as_groups_are() {
    let folder = folder();
    let text = folder.read("test.csv");
    let of_month = |month: &str| {
        let rows = text.lines().filter(|line| line.contains(month)).collect::<Vec<_>>().join("\n");
        format!("score,other,site,month,household,size\n{rows}\n")
    };
    let folder = folder.file("january.csv", of_month("2026-01")).file("february.csv", of_month("2026-02"));
    let files = folder.json("compare --train train.csv --test february.csv --other-test january.csv");
    for (reference, pairs) in [("previous", 2), ("all", 3), ("2026-01", 2), ("total", 3), ("rest", 3)] {
        let groups = folder.json(&format!("compare {DATA} --by month --reference {reference}"));
        assert_eq!(groups["differences"].as_array().unwrap().len(), pairs, "{reference}");
        for name in
            ["difference", "se", "lower", "upper", "ratio", "p_value"].iter().filter(|_| reference == "previous")
        {
            assert_eq!(files["differences"][0][name], groups["differences"][1][name], "{name}");
        }
    }
}

/// Each site has the weighted mean of its months, and sites are compared. With the numbers of scores as
/// sizes, the standardised share by a mean of a function of the score is the crude one.
#[test]
fn sets_of_groups_are_standardised() {
    let folder = folder()
        .file("months.csv", "size,month\n0,2026-01\n3,2025-12\n1,2026-02\n0,2026-03\n")
        .file("own.csv", "month,size\n2025-12,200\n2026-01,200\n2026-02,200\n");
    let command = format!("estimate {DATA} --by site,month --standardise");
    let printed = folder.json(&format!("{command} months.csv --compare"));
    let raw = |row: &Value| row["raw"].as_f64().unwrap();
    let sites = folder.json(&format!("estimate {DATA} --by site"));
    for (set, first) in [(0, 0), (1, 3)] {
        let [months, set, site] = [&printed["estimates"], &printed["standardised"][set], &sites["estimates"][set]];
        let expected = 0.75 * raw(&months[first]) + 0.25 * raw(&months[first + 2]);
        assert!((raw(set) - expected).abs() < 1e-14);
        assert_eq!((&set["crude"], &set["crude_se"]), (&site["prevalence"], &site["se"]));
        assert_eq!(set["group"], site["group"]);
    }
    let difference = printed["differences"][0]["difference"].as_f64().unwrap();
    let [north, south] = [0, 1].map(|set| printed["standardised"][set]["prevalence"].as_f64().unwrap());
    assert!((difference - (south - north)).abs() < 1e-14);
    let own = folder.json(&format!("estimate {DATA} --by month --standardise own.csv --method ac --cutoff 0.5"));
    let own = &own["standardised"][0];
    let [crude, crude_se, share, se] = ["crude", "crude_se", "raw", "se"].map(|name| own[name].as_f64().unwrap());
    assert!((crude - share).abs() < 1e-12 && (crude_se - se).abs() < 1e-12, "{own}");
    for format in ["parquet", "xlsx"] {
        folder.run_ok(&format!("{command} months.csv -o all.{format}"));
        folder.run_ok(&format!("compare {DATA} --by site,month --standardise months.csv -o sites.{format}"));
    }
    let page = folder.run_ok(&format!("report {DATA} --by site,month --standardise months.csv -o -")).stdout;
    assert!(page.contains("Crude shares, and shares standardised to the standard population of months.csv:"), "{page}");
}

/// Adds moved.csv, in which the scores of 2025-12 are of another scale.
pub fn folder_with_a_moved_month() -> Folder {
    let text = fs::read_to_string(folder().path().join("test.csv")).unwrap();
    let moved = |line: &str| match line.split_once(',') {
        Some((score, rest)) if line.contains("2025-12") => {
            format!("{:.4},{rest}\n", 0.75 + 0.1 * score.parse::<f64>().unwrap())
        }
        _ => format!("{line}\n"),
    };
    folder().file("moved.csv", text.lines().map(moved).collect::<String>())
}
