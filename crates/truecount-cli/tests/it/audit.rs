//! `truecount audit`: estimates from labels inside the target, the number of
//! rows to label, and the draw. The target is the spam data's pool, which has all labels.

use crate::common::{Folder, csv_rows, spam};
use std::fmt::Write;

fn pool() -> Vec<(String, String)> {
    let cells = |line: &str| line.split_once(',').map(|(score, label)| (score.to_owned(), label.to_owned())).unwrap();
    spam("pool.csv").lines().skip(1).map(cells).collect()
}

pub fn folder() -> Folder {
    folder_with_scores_less(0.0)
}

/// A folder with the pool in two halves without labels, and every fifteenth row with its label;
/// `shift` is subtracted from all scores.
pub fn folder_with_scores_less(shift: f64) -> Folder {
    let (mut all, mut audited) = ("score,half\n".to_owned(), "score,half,label\n".to_owned());
    for (row, (score, label)) in pool().iter().enumerate() {
        let (score, half) = (score.parse::<f64>().unwrap() - shift, ["a", "b"][row % 2]);
        writeln!(all, "{score:.6},{half}").unwrap();
        if row % 15 == 0 {
            writeln!(audited, "{score:.6},{half},{label}").unwrap();
        }
    }
    Folder::with_spam().file("all.csv", all).file("audited.csv", audited)
}

/// The folder with the rows that people labelled: Anna has the label of `audited.csv` except in every
/// twentieth row, and Ben left out every tenth row and errs in others.
pub fn folder_of_people() -> Folder {
    let (mut audited, other) = ("score,half,anna,ben\n".to_owned(), |label: &str| if label == "1" { "0" } else { "1" });
    for (row, (score, label)) in pool().iter().step_by(15).enumerate() {
        let anna = if row % 20 == 3 { other(label) } else { label.as_str() };
        let ben = if row % 10 == 0 {
            ""
        } else if row % 20 == 7 {
            other(label)
        } else {
            label.as_str()
        };
        writeln!(audited, "{score},{},{anna},{ben}", ["a", "b"][15 * row % 2]).unwrap();
    }
    folder().file("people.csv", audited)
}

fn numbers(csv: &str, name: &str) -> Vec<f64> {
    csv_rows(csv).iter().map(|row| row[name].parse().unwrap()).collect()
}

/// The drawn rows can be read back once they are labelled; their weights are found by name. The
/// true share of spam is 0.3929.
#[test]
fn a_drawn_sample_can_be_audited() {
    let folder = folder();
    let sample = folder.stdout("audit --test all.csv --train train.csv --draw 300 --seed 7 --format csv");
    assert_eq!(sample.lines().next(), Some("row,score,audit_weight"));
    let (rows, weights) = (numbers(&sample, "row"), numbers(&sample, "audit_weight"));
    assert_eq!(rows.len(), 300);
    assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
    // Weights are inverse inclusion probabilities, so they add up to about 3001.
    let sum: f64 = weights.iter().sum();
    assert!((2700.0..3300.0).contains(&sum), "{sum}");
    let pool = pool();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // row numbers
    let label = |row: f64| &pool[row as usize - 1].1;
    let lines = sample.lines().skip(1).zip(&rows).map(|(line, row)| format!("{line},{}\n", label(*row)));
    let labelled = format!("row,score,audit_weight,label\n{}", lines.collect::<String>());
    let folder = folder.file("labelled.csv", labelled);
    let audit = "audit --test all.csv --audit labelled.csv --format csv";
    let estimates = folder.stdout(audit);
    assert_eq!(folder.stdout(&format!("{audit} --audit-weight audit_weight")), estimates);
    let truth = pool.iter().filter(|(_, label)| label == "1").count() as f64 / pool.len() as f64;
    let (lower, upper) = (numbers(&estimates, "lower"), numbers(&estimates, "upper"));
    assert!((0..2).all(|row| lower[row] < truth && truth < upper[row]), "{estimates}");
    let uniform = folder.stdout("audit --test all.csv --train train.csv --draw 300 --uniform --format csv");
    assert!(numbers(&uniform, "audit_weight").iter().all(|weight| (weight - 3001.0 / 300.0).abs() < 1e-9));
}

/// A folder with the pool as users of ten rows each, with views and bands of the score. All rows of every
/// seventh user are audited; `rest.csv` has the others.
pub fn folder_with_design() -> Folder {
    let (mut all, mut audited) = ("score,user,views,band\n".to_owned(), "score,user,views,band,label\n".to_owned());
    let mut rest = all.clone();
    for (row, (score, label)) in pool().iter().enumerate() {
        let band = if score.starts_with('-') { "low" } else { "high" };
        let line = format!("{score},u{},{},{band}", row / 10, 1 + row * row % 17);
        writeln!(all, "{line}").unwrap();
        if (row / 10).is_multiple_of(7) {
            writeln!(audited, "{line},{label}").unwrap();
        } else {
            writeln!(rest, "{line}").unwrap();
        }
    }
    Folder::with_spam().file("all.csv", all).file("audited.csv", audited).file("rest.csv", rest)
}

/// The forest map of Olofsson et al. (2014): sites by map class and reference class, and map areas.
pub fn forest_map() -> Folder {
    let classes = ["deforestation", "forest gain", "stable forest", "stable non-forest"];
    let matrix = [[66, 0, 5, 4], [0, 55, 8, 12], [1, 0, 153, 11], [2, 1, 9, 313]];
    let (mut counts, mut sites) = ("map,reference,n\n".to_owned(), "region,map,reference\n".to_owned());
    for (map, row) in classes.iter().zip(matrix) {
        for (reference, n) in classes.iter().zip(row).filter(|(_, n)| *n > 0) {
            writeln!(counts, "{map},{reference},{n}").unwrap();
            (0..n).for_each(|site| writeln!(sites, "{},{map},{reference}", site % 2).unwrap());
        }
    }
    let [mut areas, mut parts, mut pixels] = ["map,size\n", "region,map,size\n", "map\n"].map(str::to_owned);
    for (map, size) in classes.iter().zip([2_000, 1_500, 32_000, 64_500]) {
        writeln!(areas, "{map},{size}").unwrap();
        write!(parts, "0,{map},{size}\n1,{map},{size}\n").unwrap();
        pixels += &format!("{map}\n").repeat(size);
    }
    let regions = "region,size\n0,3\n1,2\n".to_owned();
    let files = [
        ("counts", counts),
        ("sites", sites),
        ("areas", areas),
        ("parts", parts),
        ("pixels", pixels),
        ("regions", regions),
    ];
    files.into_iter().fold(Folder::new(), |folder, (name, text)| folder.file(&format!("{name}.csv"), text))
}
