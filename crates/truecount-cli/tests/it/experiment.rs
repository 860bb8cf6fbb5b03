//! `truecount experiment`: experiment files, their results, and continued runs.

use crate::common::Folder;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use insta::assert_snapshot;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs;
use std::fs::File;
use std::path::Path;

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

fn folder() -> Folder {
    let folder = Folder::new().file("train.csv", reviews(400, 0)).file("other.csv", reviews(300, 1000));
    folder.file("pool.csv", reviews(3000, 5000)).file("all.toml", ALL)
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).unwrap()
}

fn names(folder: &Folder, name: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join(name)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn batches(path: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
    reader.collect::<Result<_, _>>().unwrap()
}

/// Returns the values of these columns as texts, row by row.
fn rows(folder: &Folder, name: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for batch in batches(&folder.path().join(name)) {
        let column_texts = |name: &&str| {
            let column = batch.column_by_name(name).unwrap_or_else(|| panic!("{name}"));
            arrow_cast::cast(column, &arrow_schema::DataType::Utf8).unwrap()
        };
        let texts: Vec<_> = columns.iter().map(column_texts).collect();
        rows.extend(
            (0..batch.num_rows())
                .map(|row| texts.iter().map(|text| text.as_string::<i32>().value(row).to_owned()).collect::<Vec<_>>()),
        );
    }
    rows
}

/// A complete run, a run that continues with half of the cells on one thread, and a run with
/// nothing left to do give the same bytes.
#[test]
fn a_run_continues_where_it_stopped() {
    let folder = folder();
    let run = folder.run("experiment all.toml --out whole");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    let cells = names(&folder, "whole/cells");
    // score files × labelled samples × protocols × sizes
    assert_eq!(cells.len(), 2 * 2 * 6 * 2);
    fs::create_dir_all(folder.path().join("half/cells")).unwrap();
    for name in cells.iter().step_by(2) {
        fs::copy(folder.path().join("whole/cells").join(name), folder.path().join("half/cells").join(name)).unwrap();
    }
    let continued = folder.run("experiment all.toml --out half --threads 1");
    assert_eq!((continued.code, &continued.stdout), (0, &run.stdout));
    assert!(continued.stderr.starts_with("24 of 48 cells are in half/cells\n"), "{}", continued.stderr);
    let files = names(&folder, "whole");
    assert_eq!(files, names(&folder, "half"));
    for name in files.iter().filter(|name| *name != "cells") {
        assert_eq!(bytes(&folder, &format!("half/{name}")), bytes(&folder, &format!("whole/{name}")), "{name}");
    }
    let table = |run: &crate::common::Run| run.stdout.clone();
    assert_eq!(table(&folder.run("experiment all.toml --out whole")), run.stdout);

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

/// A protocol may be restricted to some data sets and set its own number of samples. Labelled
/// samples of another prevalence are a separate training. A damaged part is computed again.
#[test]
fn protocols_and_trainings_are_distinguished() {
    let file = r#"
        methods = ["es", "cc"]
        samples = 10
        sizes = [40]
        [[training]]
        size = 100
        prevalence = 0.3
        [[training]]
        size = 100
        prevalence = 0.7
        [[scores]]
        data = "first"
        train = "train.csv"
        pool = "pool.csv"
        [[scores]]
        data = "second"
        training = "others"
        train = "other.csv"
        pool = "pool.csv"
        [[protocol]]
        [[protocol]]
        prevalences = "grid"
        data = ["second"]
        samples = 21
    "#;
    let folder = folder().file("two.toml", file);
    let run = folder.run("experiment two.toml --out two");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let samples = rows(&folder, "two/samples.parquet", &["data", "training", "protocol"]);
    let mut distinct: Vec<String> = samples.iter().map(|row| row.join(" | ")).collect();
    assert_eq!(distinct.len(), 2 * (2 * 2 * 10 + 2 * 21));
    distinct.dedup();
    assert_snapshot!(distinct.join("\n"), @r#"
    first | prevalence 0.3 | prior, uniform
    first | prevalence 0.7 | prior, uniform
    second | others, prevalence 0.3 | prior, uniform
    second | others, prevalence 0.3 | prior, grid
    second | others, prevalence 0.7 | prior, uniform
    second | others, prevalence 0.7 | prior, grid
    "#);
    let part = folder.path().join("two/cells").join(&names(&folder, "two/cells")[0]);
    fs::write(part, "no table").unwrap();
    let again = folder.run("experiment two.toml --out two");
    assert_eq!((again.code, &again.stdout), (0, &run.stdout), "{}", again.stderr);
}

/// The smallest experiment gives the same estimates, intervals and errors as `evaluate`.
#[test]
fn the_smallest_experiment_agrees_with_evaluate() {
    let small = "methods = [\"es\", \"t-ms\"]\nsamples = 30\nsizes = [50]\nseed = 4\n[[scores]]\n\
                 data = \"a\"\ntrain = \"train.csv\"\npool = \"pool.csv\"\n";
    let folder = folder().file("small.toml", small);
    let run = folder.run("experiment small.toml --out small --format json");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let evaluated = folder.run(
        "evaluate --train train.csv --pool pool.csv --method es,t-ms --samples 30 --size 50 --seed 4 --output e.csv \
         --format json",
    );
    assert_eq!(evaluated.code, 0, "{}", evaluated.stderr);
    let table = String::from_utf8(bytes(&folder, "e.csv")).unwrap();
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let index = |name: &str| header.iter().position(|column| *column == name).unwrap_or_else(|| panic!("{name}"));
    let batch = &batches(&folder.path().join("small/samples.parquet"))[0];
    let column = |name: &str| batch.column_by_name(name).unwrap().as_primitive::<Float64Type>().clone();
    let (truth, prevalence, lower, upper) = (column("truth"), column("prevalence"), column("lower"), column("upper"));
    for (sample, line) in lines.enumerate() {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
        let (es, tms) = (2 * sample, 2 * sample + 1);
        let values = [truth.value(es), prevalence.value(es), lower.value(es), upper.value(es), prevalence.value(tms)];
        let names = ["truth", "es", "es_lower", "es_upper", "t-ms"];
        assert_eq!(values, names.map(|name| cells[index(name)]), "sample {sample}");
    }
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (ranking, methods) = (&json(&run.stdout)["ranking"], &json(&evaluated.stdout)["methods"]);
    for (ranked, method) in ranking.as_array().unwrap().iter().zip(methods.as_array().unwrap()) {
        assert_eq!(ranked["method"], method["method"]);
        for measure in ["mae", "mrae", "mkld", "rmse", "coverage", "width"] {
            let [a, b] = [ranked, method].map(|row| row[measure].as_f64());
            assert!(a.zip(b).is_none_or(|(a, b)| (a - b).abs() <= 1e-14 * b), "{measure}: {a:?}, {b:?}");
        }
    }
}

/// A method that cannot be fitted on one data set ranks last there, and the table has the reason.
#[test]
fn failed_methods_rank_last() {
    let few = "score,label\n0.1,0\n0.3,0\n0.2,1\n0.9,1\n0.8,1\n0.4,0\n";
    let file = r#"
        methods = ["ac", "es"]
        samples = 20
        sizes = [10]
        [[scores]]
        data = "few"
        train = "few.csv"
        pool = "pool.csv"
        [[scores]]
        data = "many"
        train = "train.csv"
        pool = "pool.csv"
    "#;
    let folder = folder().file("few.csv", few).file("few.toml", file);
    let run = folder.run("experiment few.toml --out few --format json");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let reasons = rows(&folder, "few/samples.parquet", &["data", "method", "error"]);
    let failed: Vec<&Vec<String>> = reasons.iter().filter(|row| !row[2].is_empty()).collect();
    assert_eq!(failed.len(), 20);
    assert!(failed.iter().all(|row| row[0] == "many" && row[1] == "ac"), "{:?}", failed[0]);
    assert_snapshot!(failed[0][2], @"Adjusted Count is undefined at the cutoff 0: the true positive rate 1.0000 is not above the false positive rate 1.0000; choose a cutoff between the classes");
    let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let ac = object["ranking"].as_array().unwrap().iter().find(|row| row["method"] == "ac").unwrap();
    assert_eq!((ac["failed"].as_u64(), ac["rank"].as_f64()), (Some(20), Some(1.75)), "{ac}");
}

#[test]
fn invalid_experiments_are_refused_before_they_run() {
    let scores = "[[scores]]\ndata = \"a\"\ntrain = \"train.csv\"\npool = \"pool.csv\"\n";
    let folder = folder();
    let fails = |file: &str| {
        fs::write(folder.path().join("e.toml"), file).unwrap();
        let error = folder.fails(1, "experiment e.toml --out out");
        assert!(!folder.path().join("out/samples.parquet").exists());
        error
    };
    let error = |before: &str, after: &str| fails(&format!("{before}\n{scores}{after}"));
    assert_snapshot!(error("smaples = 3", ""), @"error: e.toml, line 1: unknown field `smaples`, expected one of `methods`, `family`, `transform`, `rates`, `samples`, `sizes`, `seed`, `level`, `measure`, `reference`, `training`, `scores`, `protocol`");
    assert_snapshot!(error("methods = [\"es\", \"nosuch\"]", ""), @"error: e.toml: there is no method 'nosuch'; the methods are es, o-cs, t-cs, o-ms, t-ms, ms-quapy, ms2, cc, ac, max, t50, x, pcc, pacc, friedman, smm, edy, sld, sld-bcts, ml, kdey-ml, dys, dys-topsoe, mm, hdy, bcc, pq, and cs with a threshold");
    assert_snapshot!(error("against = \"sld\"\nmethods = \"es\"", ""), @"error: e.toml, line 1: unknown field `against`, expected one of `methods`, `family`, `transform`, `rates`, `samples`, `sizes`, `seed`, `level`, `measure`, `reference`, `training`, `scores`, `protocol`");
    assert_snapshot!(error("measure = \"error\"", ""), @"error: e.toml: measure is 'error'; it must be one of mae, mse, mnae, mrae, mnrae, mkld, mnkld, bias");
    assert_snapshot!(error("sizes = [2000]", ""), @"error: pool.csv, prior, uniform: the pool has 1800 positive scores, but a sample may need 2000; draw smaller samples");
    assert_snapshot!(error("samples = 100", "[[protocol]]\nprevalences = \"grid\""), @"
    error: e.toml: samples = 100, but 'prior, grid' takes 21 prevalences in turn
    hint: use a multiple of 21, such as 105
    ");
    assert_snapshot!(error("", scores), @r#"
    error: e.toml: [[scores]]: two have data = "a", classifier = "", training = ""
    hint: give them different names
    "#);
    assert_snapshot!(error("", "[[training]]\nsize = 500"), @"error: train.csv, [[training]]: the pool has 400 scores, but a sample may need 500; draw smaller samples");
    assert_snapshot!(error("", "[[protocol]]\nshift = \"covariate\""), @r#"
    error: e.toml: [[protocol]]: shift = "covariate" has no domain, a column of the pools
    hint: add it
    "#);
    assert_snapshot!(error("", "[[protocol]]\nshift = \"covariate\"\ndomain = \"genre\""), @"
    error: pool.csv: there is no column 'genre'
    hint: the columns are 'score', 'label', 'domain', 'stars'
    ");
    assert_snapshot!(error("", "[[protocol]]\nshift = \"covariate\"\ndomain = \"domain\"\nis = \"music\""), @"
    error: pool.csv, column domain: no row is 'music'
    hint: the values are films, books
    ");
    assert_snapshot!(error("", "[[protocol]]\nshift = \"covariate\"\ngrade = \"stars\""), @r#"
    error: e.toml: [[protocol]]: shift = "covariate" does not take grade
    hint: it takes domain, is, shares, prevalences
    "#);
    assert_snapshot!(error("", "[[protocol]]\nshift = \"concept\"\ngrade = \"domain\"\ncuts = [3]"), @"
    error: pool.csv, column domain: 'films' is not a number
    hint: write grades as numbers
    ");
    assert_snapshot!(error("", "[[protocol]]\nshift = \"concept\"\ngrade = \"stars\"\ncuts = [9]"), @"error: pool.csv, stars ≥ 9: only one class is labelled: 0 scores are positive and 3000 negative; check which label is the positive one, or add labelled rows of the other class");
    assert_snapshot!(error("", "[[protocol]]\nshift = \"local\"\ndomain = \"domain\"\nprevalences = [0.1]"), @"error: pool.csv, local: the prevalence of the samples is 0.1; it must be between ¼ and 1");
    assert_snapshot!(error("", "[[protocol]]\n[[protocol]]"), @r#"
    error: e.toml: [[protocol]]: two have the name 'prior-uniform'
    hint: give each its own name (name = "…")
    "#);
    assert_snapshot!(fails("[[scores]]\ndata = \"a\"\ntrain = \"train.csv\"\npool = \"train.csv\"\n"), @"
    error: e.toml: [[scores]] of a: the errors would be too small, as train and pool are the same file
    hint: divide the labelled scores at random into two files, one for each
    ");
    assert_snapshot!(error("methods = []", ""), @r#"
    error: e.toml: methods = []
    hint: name one or more, or "all"
    "#);
    assert_snapshot!(error("level = 2", ""), @"error: e.toml: level is 2; it must be between 0 and 1, both excluded");
    assert_snapshot!(error("sizes = [20, 20]", ""), @"
    error: e.toml: sizes: 20 is there twice
    hint: name each size once
    ");
    assert_snapshot!(error("", "[[training]]\nsize = 50\n[[training]]\nsize = 50\nrepeats = 2"), @"
    error: e.toml: [[training]]: two entries are equal
    hint: keep one, with more repeats
    ");
    assert_snapshot!(error("", "[[protocol]]\nprevalences = [0.3, 0.3]"), @"
    error: e.toml: [[protocol]]: prevalences is empty or has a number twice
    hint: list one or more different numbers
    ");
    assert_snapshot!(error("", "[[protocol]]\nname = \"–\""), @"
    error: e.toml: [[protocol]]: the name '–' has no letter
    hint: choose a name with letters
    ");
    assert_snapshot!(error("", "[[protocol]]\ndata = [\"b\"]"), @"
    error: e.toml: [[protocol]]: no [[scores]] are of the data set 'b'
    hint: name a data set of [[scores]]
    ");
    fs::copy(folder.path().join("train.csv"), folder.path().join("copy.csv")).unwrap();
    assert_snapshot!(fails("[[scores]]\ndata = \"a\"\ntrain = \"train.csv\"\npool = \"copy.csv\"\n"), @"
    error: the errors would be too small, as train.csv and copy.csv have the same scores
    hint: divide the labelled scores at random into two files, one for each
    ");
    assert_snapshot!(folder.fails(1, "experiment nosuch.toml --out out"), @"error: nosuch.toml: No such file or directory (os error 2)");
}
