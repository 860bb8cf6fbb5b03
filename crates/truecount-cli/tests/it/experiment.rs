//! `truecount experiment`: experiment files, their results, and continued runs.

use crate::common::Folder;
use arrow_array::cast::AsArray;
use std::fs;

/// Returns reviews with stars. The score rises with the stars, and is a little higher for films
/// than for books. Multiples of 0.618… are evenly spread.
fn reviews(rows: u32, start: u32) -> String {
    let noise = |i: u32| f64::from((u64::from(i) * 2_654_435_769 % 10_007) as u32) / 10_007.0;
    let row = |i: u32| {
        let (stars, films) = (1 + (i / 2) % 5, i.is_multiple_of(2));
        let score = 0.8 * f64::from(stars) + f64::from(u8::from(films)) * 0.3 + 3.0 * noise(i);
        let (label, domain) = (u8::from(stars >= 3), if films { "films" } else { "books" });
        format!("{score:.4},{label},{domain},{stars}\n")
    };
    "score,label,domain,stars\n".to_owned() + &(start..start + rows).map(row).collect::<String>()
}

/// An experiment with two data sets, every kind of shift, and two kinds of labelled samples.
const ALL: &str = r#"
methods = ["es", "sld", "pcc", "dys"]
samples = 21
sizes = [40, 60]
seed = 7

[[training]]
size = 100
repeats = 2

[[training]]
size = 80
prevalence = 0.3

[[scores]]
data = "first"
classifier = "one"
train = "train.csv"
pool = "pool.csv"

[[scores]]
data = "second"
classifier = "one"
train = "other.csv"
pool = "pool.csv"

[[protocol]]
prevalences = "grid"

[[protocol]]
name = "some"
prevalences = [0.1, 0.5]

[[protocol]]
shift = "covariate"
domain = "domain"
is = "films"
prevalences = [0.5]

[[protocol]]
name = "mixed"
shift = "covariate"
domain = "domain"
shares = [0.2, 0.8]

[[protocol]]
shift = "local"
domain = "domain"

[[protocol]]
shift = "concept"
grade = "stars"
cuts = [2, 3, 4]
"#;

pub fn folder() -> Folder {
    let folder = Folder::new().file("train.csv", reviews(400, 0)).file("other.csv", reviews(300, 1000));
    folder.file("pool.csv", reviews(3000, 5000)).file("all.toml", ALL)
}

fn rows(folder: &Folder, name: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let batch = folder.parquet(name);
    let column_texts = |name: &&str| {
        let column = batch.column_by_name(name).unwrap_or_else(|| panic!("{name}"));
        arrow_cast::cast(column, &arrow_schema::DataType::Utf8).unwrap()
    };
    let texts: Vec<_> = columns.iter().map(column_texts).collect();
    let row = |row: usize| texts.iter().map(|text| text.as_string::<i32>().value(row).to_owned()).collect();
    (0..batch.num_rows()).map(row).collect()
}

/// A complete run, a run that continues with half of the cells, one of them damaged, on one thread, and a run with
/// nothing left to do give the same bytes.
#[test]
fn a_run_continues_where_it_stopped() {
    let folder = folder();
    let run = folder.run_ok("experiment all.toml --out whole");
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    let cells = folder.names("whole/cells");
    // score files × labelled samples × protocols × sizes
    assert_eq!(cells.len(), 2 * 2 * 6 * 2);
    fs::create_dir_all(folder.path().join("half/cells")).unwrap();
    for name in cells.iter().step_by(2) {
        fs::copy(folder.path().join("whole/cells").join(name), folder.path().join("half/cells").join(name)).unwrap();
    }
    fs::write(folder.path().join("half/cells").join(&cells[0]), "damaged").unwrap();
    let continued = folder.run("experiment all.toml --out half --threads 1");
    assert_eq!((continued.code, &continued.stdout), (0, &run.stdout));
    assert!(continued.stderr.starts_with("23 of 48 cells are in half/cells\n"), "{}", continued.stderr);
    let files = folder.names("whole");
    assert_eq!(files, folder.names("half"));
    for name in files.iter().filter(|name| *name != "cells") {
        assert_eq!(folder.bytes(&format!("half/{name}")), folder.bytes(&format!("whole/{name}")), "{name}");
    }
    assert_eq!(folder.stdout("experiment all.toml --out whole"), run.stdout);

    // data sets × sizes × labelled samples × settings × samples × methods
    let settings = 1 + 2 + 5 + 2 + 5 + 3;
    let samples = rows(
        &folder,
        "whole/samples.parquet",
        &["protocol", "labelled", "labelled_prevalence", "setting", "n", "truth"],
    );
    assert_eq!(samples.len(), 2 * 2 * 3 * settings * 21 * 4);
    assert!(samples.iter().filter(|row| row[1] == "80").all(|row| row[2] == "0.3"));
    assert!(samples.iter().filter(|row| row[0] == "some").all(|row| row[3] == row[5]));
    assert!(samples.iter().filter(|row| row[0] == "covariate").all(|row| row[5] == "0.5"));
    let grid = samples.iter().filter(|row| row[0] == "prior, grid" && row[4] == "40").step_by(4).take(21);
    let twentieths: Vec<String> = (0..=20).map(|k| (f64::from(k) / 20.0).to_string()).collect();
    assert!(grid.map(|row| row[5].parse::<f64>().unwrap().to_string()).eq(twentieths));
}

/// What a killed run or an earlier version of the experiment left is removed, and other files are kept.
#[test]
fn only_files_of_the_experiment_are_replaced() {
    let small = |methods: &str| {
        format!(
            "methods = [{methods}]\nsamples = 5\nsizes = [40]\n[[scores]]\ndata = \"a\"\ntrain = \"train.csv\"\n\
             pool = \"pool.csv\"\n"
        )
    };
    let folder = folder().file("small.toml", small("\"cc\"")).file("summary.json", "mine");
    folder.run_ok("experiment small.toml --out out");
    let (files, first) = (folder.names("out"), folder.names("out/cells"));
    let folder = folder.file("out/.truecount-x1", "half").file("out/cells/.truecount-x2", "half");
    let folder = folder.file("out/notes.txt", "mine").file("small.toml", small("\"cc\", \"ac\""));
    folder.run_ok("experiment small.toml --out out");
    let second = folder.names("out/cells");
    assert!(second.len() == 1 && second != first, "{second:?}");
    let with_notes: Vec<String> = folder.names("out").into_iter().filter(|name| name != "notes.txt").collect();
    assert!(files.iter().all(|name| with_notes.contains(name)), "{with_notes:?}");
    assert!(folder.names("out").iter().all(|name| !name.starts_with('.')));
    assert_eq!(folder.bytes("out/notes.txt"), b"mine");
}
