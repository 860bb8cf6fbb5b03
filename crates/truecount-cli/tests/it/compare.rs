//! `truecount compare`, and the options of `estimate` for several groups: totals, differences,
//! populations, strata and clusters.

use crate::common::Folder;
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
    let month = |month: &str| {
        let rows = test.split_inclusive('\n').filter(|line| line.contains(month));
        "score,other,site,month,household,size\n".to_owned() + &rows.collect::<String>()
    };
    let folder = Folder::new().file("january.csv", month("2026-01")).file("february.csv", month("2026-02"));
    folder.file("train.csv", train).file("test.csv", test)
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
