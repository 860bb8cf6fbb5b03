//! `truecount audit`: estimates from labels inside the target, the number of
//! rows to label, and the draw. The target is the spam data's pool, which has all labels.

use crate::common::{Folder, spam};
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

fn column(csv: &str, name: &str) -> Vec<String> {
    let mut lines = csv.lines();
    let column = lines.next().unwrap().split(',').position(|known| known == name).unwrap();
    lines.map(|line| line.split(',').nth(column).unwrap().to_owned()).collect()
}

fn numbers(csv: &str, name: &str) -> Vec<f64> {
    column(csv, name).iter().map(|text| text.parse().unwrap()).collect()
}

/// The total is the audit of all rows with the groups as strata.
#[test]
fn the_total_counts_groups_by_their_numbers_of_rows() {
    let folder = folder();
    for options in ["", "--train train.csv --margin 0.1", "--target population"] {
        let audit = format!("audit --test all.csv --audit audited.csv {options} --format csv");
        let [groups, strata] =
            ["--by half --total", "--stratum half"].map(|by| folder.stdout(&format!("{audit} {by}")));
        let sources = column(&strata, "source").len();
        assert_eq!(column(&groups, "table").len(), 3 * sources);
        for name in ["table", "source", "raw", "se", "lower", "upper", "recommended", "p_value", "verdict"] {
            let total = column(&groups, name).split_off(2 * sources);
            if name == "table" {
                assert_eq!(total, vec!["total"; sources]);
            } else {
                assert_eq!(total, column(&strata, name), "{options} {name}");
            }
        }
    }
    let text = folder.stdout("audit --test all.csv --audit audited.csv --by half --total");
    assert!(text.lines().any(|line| line.starts_with("total   labels")), "{text}");
}

/// Without external labels the groups are independent: the interval is Newcombe's (1998). External labels
/// are common to both groups, so the difference is more precise than that of independent estimates.
#[test]
fn groups_are_compared_by_their_recommended_estimates() {
    let folder = folder();
    let audit = "audit --test all.csv --audit audited.csv --by half --compare --format csv";
    let csv = folder.stdout(audit);
    let row = |csv: &str, table: &str, number: usize| {
        let is_row = |row: &usize| column(csv, "table")[*row] == table;
        (0..column(csv, "table").len()).filter(is_row).nth(number).unwrap()
    };
    let number = |csv: &str, row: usize, name: &str| column(csv, name)[row].parse::<f64>().unwrap();
    // The second source of each group is recommended.
    let [a, b] = [1, 3].map(|group| {
        let row = row(&csv, "evidence", group);
        assert_eq!(column(&csv, "recommended")[row], "true");
        ["prevalence", "lower", "upper", "se"].map(|name| number(&csv, row, name))
    });
    let difference = row(&csv, "differences", 0);
    let expected = (b[0] - a[0], (b[0] - b[1]).hypot(a[2] - a[0]), (b[2] - b[0]).hypot(a[0] - a[1]));
    for (name, expected) in [
        ("difference", expected.0),
        ("lower", expected.0 - expected.1),
        ("upper", expected.0 + expected.2),
        ("se", a[3].hypot(b[3])),
    ] {
        assert!((number(&csv, difference, name) - expected).abs() < 1e-14, "{name} {csv}");
    }
    assert_eq!((column(&csv, "reference")[difference].as_str(), column(&csv, "half")[difference].as_str()), ("a", "b"));
    let csv = folder.stdout(&format!("{audit} --train train.csv"));
    let [a, b] = [3, 7].map(|group| number(&csv, row(&csv, "evidence", group), "se"));
    let se = number(&csv, row(&csv, "differences", 0), "se");
    assert!(se < a.hypot(b) && se > 0.9 * a.hypot(b), "{csv}");
    // Without audited rows the estimate of the group c, whose scores are on another scale, is unreliable.
    let all = folder.read("all.csv");
    let other = (0..60).map(|i| format!("{},c", 90 + i % 7)).collect::<Vec<_>>().join("\n") + "\n";
    let folder = folder.file("three.csv", all + &other);
    let csv = folder.stdout(&format!("{} --train train.csv", audit.replace("all.csv", "three.csv")));
    let unreliable = [0, 1].map(|number| column(&csv, "unreliable")[row(&csv, "differences", number)].clone());
    assert_eq!(unreliable, ["false", "true"], "{csv}");
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

/// Rows that were drawn as JSON, where groups are an object, are read back as those of CSV.
#[test]
fn rows_drawn_as_json_are_read_back() {
    let test = (1..=40).fold("score,half\n".to_owned(), |text, row| format!("{text}{},{}\n", row % 7, row % 2));
    let train = "score,label\n1,0\n2,0\n3,0\n2,1\n4,1\n6,1\n";
    let folder = Folder::new().file("train.csv", train).file("all.csv", test);
    let draw = "audit --test all.csv --train train.csv --by half --draw 5 --format csv";
    let plain = folder.stdout(draw);
    let [objects, document] = ["jsonl", "json"].map(|form| {
        folder
            .stdout(&draw.replace("--format csv", &format!("--format {form}")))
            .replace("\"row\"", "\"label\":1,\"row\"")
    });
    let labelled = format!("{},1\n", plain.trim_end().replace('\n', ",1\n"));
    let folder = folder.file("drawn.csv", labelled.replacen("weight,1", "weight,label", 1));
    let folder = folder.file("drawn.jsonl", objects).file("drawn.json", document);
    let audit =
        |file: &str| folder.stdout(&format!("audit --test all.csv --by half --format csv --audit drawn.{file}"));
    assert_eq!(audit("jsonl"), audit("csv"));
    assert_eq!(audit("json"), audit("csv"));
}

/// The options for designs reach the estimates, whose formulas the library's tests check: the table has users
/// of ten rows each, views, and bands of the score, and all rows of every seventh user are audited.
#[test]
fn designs_have_columns() {
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
    let folder = Folder::with_spam().file("all.csv", all).file("audited.csv", audited).file("rest.csv", rest);
    let audit = |options: &str| folder.stdout(&format!("audit --train train.csv --audit audited.csv {options}"));
    let csv = |options: &str| audit(&format!("--test all.csv --format csv {options}"));
    let [plain, clusters, strata, weights] = ["", "--cluster user", "--stratum band", "--weight views"].map(csv);
    assert_eq!(numbers(&clusters, "raw")[0], numbers(&plain, "raw")[0]);
    assert_ne!(numbers(&clusters, "se")[0], numbers(&plain, "se")[0]);
    // The external labels do not show how far errors agree within clusters.
    assert!(numbers(&clusters, "se")[2] > numbers(&plain, "se")[2]);
    let population = csv("--cluster user --target population");
    assert!(numbers(&population, "se").iter().zip(numbers(&clusters, "se")).all(|(a, b)| *a >= b), "{population}");
    // Clusters are those of each group.
    assert_eq!(column(&csv("--cluster user --by band"), "band").len(), 8);
    assert!(numbers(&strata, "se")[0] < numbers(&plain, "se")[0], "{strata}");
    let external =
        folder.stdout("estimate --test all.csv --train train.csv --weight views --target sample --format csv");
    for name in ["raw", "se"] {
        assert_eq!(column(&weights, name)[2], column(&external, name)[0]);
    }
    // Audited rows outside the test table are added with their weights.
    let outside = audit("--test rest.csv --weight views --audit-outside-test --format csv");
    let [outside, weights] = [&outside, &weights].map(|csv| numbers(csv, "raw"));
    assert!(outside.iter().zip(&weights).all(|(a, b)| (a - b).abs() < 1e-12), "{outside:?} {weights:?}");
    for (options, note) in [
        ("--cluster user", "standard errors allow for rows of the same user that were drawn together"),
        ("--stratum band", "the audited rows of each band stand for all its rows"),
        ("--weight views", "each row counts by its views"),
    ] {
        let text = audit(&format!("--test all.csv {options}")).replace('\n', " ");
        assert!(text.contains(note), "{text}");
    }
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
