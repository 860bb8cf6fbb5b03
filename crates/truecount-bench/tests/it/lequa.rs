//! The LeQua task on a small folder in the competition's format: results, reproducibility on any
//! number of threads, and errors.

use crate::common::Folder;
use insta::assert_snapshot;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use std::fs;
use std::path::Path;
use truecount::evaluation::{Measure, Outcome};
use truecount_tables::groups::ScoreColumns;
use truecount_tables::{LabelledFile, NoProgress};

const FEATURES: usize = 6;
const SAMPLES: usize = 20;
const SIZE: usize = 60;

/// A document: its class and its features.
type Row = (bool, [f64; FEATURES]);

/// Draws features given the classes: normal, with means that differ in the first three features.
fn given_classes(classes: &[bool], rng: &mut ChaCha8Rng) -> Vec<Row> {
    let mut feature = |positive: bool, i: usize| {
        let x: f64 = rng.sample(StandardNormal);
        let shift = if positive && i < 3 { 1.0 } else { 0.0 };
        (x + shift) * (1.0 + i as f64)
    };
    classes.iter().map(|&positive| (positive, std::array::from_fn(|i| feature(positive, i)))).collect()
}

/// Draws features from a normal distribution around `shift`, and the class given the features.
fn given_covariates(shift: f64, rng: &mut ChaCha8Rng) -> Row {
    let x: [f64; FEATURES] = std::array::from_fn(|_| shift + rng.sample::<f64, _>(StandardNormal));
    let probability = 1.0 / (1.0 + (-x.iter().take(3).sum::<f64>()).exp());
    (rng.random::<f64>() < probability, x)
}

/// Returns a table of rows, with or without labels.
fn table(rows: &[Row], labels: bool) -> String {
    let columns = (0..FEATURES).map(|i| i.to_string());
    let header: Vec<String> = labels.then(|| "label".to_owned()).into_iter().chain(columns).collect();
    let mut text = header.join(",") + "\n";
    for (positive, features) in rows {
        let label = labels.then(|| u8::from(*positive).to_string());
        let cells = features.iter().map(|x| format!("{x:.6}"));
        text += &(label.into_iter().chain(cells).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// Returns n shuffled classes, of which `positives` are positive.
fn classes(positives: usize, n: usize, rng: &mut ChaCha8Rng) -> Vec<bool> {
    let mut classes: Vec<bool> = (0..n).map(|i| i < positives).collect();
    classes.shuffle(rng);
    classes
}

/// Returns 400 training rows, half of them positive, and twenty samples of sixty with prevalences
/// uniform on [0, 1].
fn prior_shift() -> (Vec<Row>, Vec<Vec<Row>>) {
    let mut rng = ChaCha8Rng::seed_from_u64(2022);
    let rows = classes(200, 400, &mut rng);
    let training = given_classes(&rows, &mut rng);
    let sample = |_| {
        let share: f64 = rng.random();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of SIZE
        let positives = (share * SIZE as f64).round() as usize;
        let rows = classes(positives, SIZE, &mut rng);
        given_classes(&rows, &mut rng)
    };
    (training, (0..SAMPLES).map(sample).collect())
}

/// Returns 400 training rows centred at 0, and twenty samples of sixty, each with another centre.
fn covariate_shift() -> (Vec<Row>, Vec<Vec<Row>>) {
    let mut rng = ChaCha8Rng::seed_from_u64(2024);
    let training = (0..400).map(|_| given_covariates(0.0, &mut rng)).collect();
    let sample = |_| {
        let shift = rng.random_range(-1.5..1.5);
        (0..SIZE).map(|_| given_covariates(shift, &mut rng)).collect()
    };
    (training, (0..SAMPLES).map(sample).collect())
}

/// A task's folder with the files of the competition's archives; `kind` is `test` or `dev`.
fn unpacked(task: &str, kind: &str, labelled: bool, (training, samples): &(Vec<Row>, Vec<Vec<Row>>)) -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join(task).join(format!("{kind}_samples"))).unwrap();
    let mut prevalences = vec!["id,0,1".to_owned()];
    for (id, rows) in samples.iter().enumerate() {
        fs::write(folder.path().join(format!("{task}/{kind}_samples/{id}.txt")), table(rows, labelled)).unwrap();
        let share = rows.iter().filter(|(positive, _)| *positive).count() as f64 / SIZE as f64;
        prevalences.push(format!("{id},{},{share}", 1.0 - share));
    }
    folder
        .file(&format!("{task}/training_data.txt"), table(training, true))
        .file(&format!("{task}/{kind}_prevalences.txt"), prevalences.join("\n"))
        .file(&format!("{task}/label_map.txt"), "negative 0\npositive 1\n")
        .file(&format!("{task}/dummy_{kind}_predictions.txt"), "id,0,1\n0,0.5,0.5\n")
}

fn competition(labelled_samples: bool) -> Folder {
    unpacked("T1A", "test", labelled_samples, &prior_shift())
}

/// Returns the names and contents of a folder's files, in the order of the names.
fn content(path: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let file = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

#[test]
fn lequa_writes_predictions_and_evaluates_them() {
    let folder = competition(false);
    let run = folder.run_ok("lequa T1A --method es,sld,dys,o-cs,t-ms -o out");
    assert_snapshot!(run.stderr, @"
    training data: 400 rows, 6 features
    classifier: logistic regression, C 1
    area under the ROC curve: 0.8992, mean of 5 folds
    fitted: skew-normal distributions to 200 positive and 200 negative scores
    posterior probabilities: from the input
    es: information 1.9244, bins 64, smoothing 10000
    sld: training prevalence 0.5000
    dys: bins 8
    o-cs: max J 0.6175 at 0.01, threshold 0.3691, region [-2.24, 2.19]
    t-ms: threshold 0.2500
    wrote out/train_scores.csv
    wrote out/predictions-es.csv
    wrote out/predictions-sld.csv
    wrote out/predictions-dys.csv
    wrote out/predictions-o-cs.csv
    wrote out/predictions-t-ms.csv
    warning: es: 1 of 20 samples have warnings; sample 4: the share is reported as 1, because there are more positives than if every row were positive (raw estimate 1.0226); 1 is as uncertain as its standard error says
    warning: o-cs: 1 of 20 samples have warnings; sample 4: the share is reported as 1, because there are more positives than if every row were positive (raw estimate 1.0622); 1 is as uncertain as its standard error says
    warning: t-ms: 2 of 20 samples have warnings; sample 4: the share is reported as 1, because there are more positives than if every row were positive (raw estimate 1.0944); 1 is as uncertain as its standard error says
    wrote out/estimates.csv
    wrote out/diagonal.svg
    wrote out/error-by-prevalence.svg
    wrote out/errors.svg
    wrote out/absolute-errors.svg
    wrote out/differences.svg
    wrote out/differences-by-prevalence.svg
    ");
    assert_snapshot!(run.stdout, @"
    method      MAE     RMSE      RAE      bias   coverage    width
    ─────────────────────────────────────────────────────────────────
    sld      0.0691   0.0805   0.2333   +0.0129     90.0 %   0.2450
    es       0.0702   0.0812   0.2380   +0.0114     95.0 %   0.2510
    t-ms     0.0688   0.0871   0.2414   +0.0365          –        –
    o-cs     0.0696   0.0812   0.2460   +0.0200     95.0 %   0.2511
    dys      0.0725   0.0835   0.2819   +0.0106          –        –

    o-cs against   wins   losses   ties   difference       se   p (Holm)
    ──────────────────────────────────────────────────────────────────────
    sld               9       11      0      -0.0005   0.0036     1.0000
    es                9       10      1      +0.0006   0.0042     1.0000
    t-ms             11        8      1      -0.0009   0.0058     1.0000
    dys              12        8      0      +0.0028   0.0057     1.0000

    ranked by RAE, the official measure of LeQua's binary tasks
    MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute
    error over 20 samples; bias: mean error; prevalences are clipped to [0, 1]
    coverage, width: share of the intervals that contain the true prevalence, and
    their mean width
    largest standard errors, from sample to sample: MAE 0.0122, RMSE 0.0136, RAE
    0.0702, bias 0.0190, coverage 6.9 %
    wins, losses: number of samples on which o-cs is closer to the truth, or farther
    from it; difference: the other method's mean absolute error minus that of o-cs,
    with its standard error; p: Wilcoxon's signed-rank test of the differences, with
    Holm's correction for 4 comparisons
    ");
    // The competition's format: sorted by number, with both classes' shares, which add to 1.
    let predictions = folder.read("out/predictions-o-cs.csv");
    let mut lines = predictions.lines();
    assert_eq!(lines.next(), Some("id,0,1"));
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), SAMPLES);
    assert!(rows.iter().enumerate().all(|(id, row)| row[0] == id as f64 && (row[1] + row[2] - 1.0).abs() < 1e-15));
    // The evaluated estimates are the predictions, and every sample has its true prevalence.
    let estimates = folder.read("out/estimates.csv");
    let columns = |text: &str, names: [&str; 2]| -> Vec<[String; 2]> {
        let mut table = csv::Reader::from_reader(text.as_bytes());
        let header = table.headers().unwrap().clone();
        let indices = names.map(|name| header.iter().position(|column| column == name).unwrap());
        table.records().map(|row| indices.map(|index| row.as_ref().unwrap()[index].to_owned())).collect()
    };
    assert_eq!(columns(&estimates, ["sample", "o-cs"]), columns(&predictions, ["id", "1"]));
    let truths = folder.read("T1A/test_prevalences.txt");
    assert_eq!(columns(&estimates, ["sample", "truth"]), columns(&truths, ["id", "1"]));
    let scores = folder.read("out/train_scores.csv");
    assert_eq!((scores.lines().count(), scores.lines().next()), (401, Some("score,probability,label")));
    let labels = |text: &str, cell: usize| -> Vec<String> {
        text.lines().skip(1).map(|line| line.split(',').nth(cell).unwrap().to_owned()).collect()
    };
    assert_eq!(labels(&scores, 2), labels(&folder.read("T1A/training_data.txt"), 0));
    let path = folder.path().join("out/train_scores.csv");
    let columns = ScoreColumns { score: Some("score"), probability: Some("probability"), ..ScoreColumns::default() };
    let (label, positive) = ("label", "1");
    let file = LabelledFile::new(&path, columns, (label, positive));
    let labelled = file.read(&NoProgress).unwrap();
    assert_eq!((labelled.positive().len(), labelled.negative().len()), (200, 200));
}

/// Reads both classes' shares of every sample from a file in the competition's format.
fn shares(folder: &Folder, name: &str) -> Vec<[f64; 2]> {
    let text = folder.read(name);
    let row = |line: &str| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        [cells[1], cells[2]]
    };
    text.lines().skip(1).map(row).collect()
}

/// Returns the absolute error and the relative absolute error of the official scripts of both
/// editions, as means over samples and classes. For the latter, shares p are replaced by (p +
/// ε)/(2ε + 1), ε = 1/(2 · size).
fn official_errors(truths: &[[f64; 2]], predictions: &[[f64; 2]], size: usize) -> [f64; 2] {
    let epsilon = 1.0 / (2.0 * size as f64);
    let smooth = |share: f64| (share + epsilon) / (2.0 * epsilon + 1.0);
    let mean = |error: &dyn Fn(f64, f64) -> f64| {
        let sample = |(truth, share): (&[f64; 2], &[f64; 2])| {
            f64::midpoint(error(truth[0], share[0]), error(truth[1], share[1]))
        };
        truths.iter().zip(predictions).map(sample).sum::<f64>() / truths.len() as f64
    };
    [mean(&|p, q| (q - p).abs()), mean(&|p, q| (smooth(p) - smooth(q)).abs() / smooth(p))]
}

/// Returns the methods in the order of the first table.
fn ranking(stdout: &str) -> Vec<&str> {
    stdout
        .lines()
        .skip(2)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// Both editions have a task with prior shift; the second also has one with covariate shift, for
/// which the mean of calibrated probabilities is consistent.
#[test]
fn errors_and_ranking_agree_with_the_official_scripts() {
    const METHODS: [&str; 4] = ["pcc", "ac", "sld", "es"];
    const PRIOR: [f64; 4] = [0.7795, 0.2414, 0.2333, 0.2380]; // these are in docs/evidence/paper.md
    const COVARIATE: [f64; 4] = [0.1027, 0.5201, 0.5038, 0.5060];
    for (task, kind, data, raes) in [
        ("T1A/public", "test", prior_shift(), PRIOR),
        ("T1/public", "dev", prior_shift(), PRIOR),
        ("T4/public", "test", covariate_shift(), COVARIATE),
    ] {
        let folder = unpacked(task, kind, false, &data);
        let run = folder.run_ok(&format!("lequa {task} --samples {kind} --method {} -o out", METHODS.join(",")));
        let truths = shares(&folder, &format!("{task}/{kind}_prevalences.txt"));
        let errors = METHODS
            .map(|method| official_errors(&truths, &shares(&folder, &format!("out/predictions-{method}.csv")), SIZE));
        let mut order: Vec<usize> = (0..METHODS.len()).collect();
        order.sort_by(|&a, &b| errors[a][1].total_cmp(&errors[b][1]));
        assert_eq!(ranking(&run.stdout), order.iter().map(|&i| METHODS[i]).collect::<Vec<_>>(), "{task}");
        assert!(errors.iter().zip(raes).all(|([_, mrae], rae)| (mrae - rae).abs() < 5e-5), "{task}: {errors:?}");
        assert!(
            run.stdout.contains("\nranked by RAE, the official measure of LeQua's binary tasks\n"),
            "{}",
            run.stdout
        );
        for (method, official) in METHODS.iter().zip(errors) {
            let predictions = shares(&folder, &format!("out/predictions-{method}.csv"));
            for (measure, official) in
                [Measure::AbsoluteError, Measure::RelativeAbsoluteError].into_iter().zip(official)
            {
                let error = |([_, truth], [_, share]): (&[f64; 2], &[f64; 2])| {
                    measure.evaluate(&Outcome::new(*truth, *share, Some(SIZE as u64)).unwrap()).unwrap()
                };
                let ours = truths.iter().zip(&predictions).map(error).sum::<f64>() / SAMPLES as f64;
                assert!((ours - official).abs() <= 1e-14 * (1.0 + official), "{task} {method}: {ours}, not {official}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_results() {
    for options in ["", "--classifier svm"] {
        let folder = competition(false);
        let one = folder.run_ok(&format!("lequa T1A {options} -o one --threads 1"));
        let many = folder.run_ok(&format!("lequa T1A {options} -o many --threads 3"));
        assert_eq!(one.stdout, many.stdout);
        assert_eq!(content(&folder.path().join("one")), content(&folder.path().join("many")));
        let other = folder.run_ok(&format!("lequa T1A {options} -o other --seed 2"));
        assert_ne!(other.stdout, one.stdout);
    }
}

#[test]
fn tuning_maximises_the_area_under_the_curve() {
    let folder = competition(false);
    let messages = |options: &str| {
        let run = folder.run_ok(&format!("lequa T1A {options} -o out"));
        run.stderr.lines().take(3).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(messages("--tune"), @"
    training data: 400 rows, 6 features
    classifier: logistic regression, C 0.01
    area under the ROC curve: 0.9006, mean of 5 folds, the largest of 7 settings
    ");
    assert_snapshot!(messages("--classifier svm"), @"
    training data: 400 rows, 6 features
    classifier: SVM with a radial basis function, C 1, gamma 1.667e-1
    area under the ROC curve: 0.8830, mean of 5 folds
    ");
    assert_snapshot!(messages("--classifier svm --tune"), @"
    training data: 400 rows, 6 features
    classifier: SVM with a radial basis function, C 0.25, gamma 2.604e-3
    area under the ROC curve: 0.9011, mean of 5 folds, the largest of 20 settings
    ");
}

#[test]
fn without_prevalences_there_are_predictions_only() {
    let folder = competition(false);
    let known = folder.run_ok("lequa T1A --method o-cs -o known");
    fs::remove_file(folder.path().join("T1A/test_prevalences.txt")).unwrap();
    let run = folder.run_ok("lequa T1A --method o-cs -o new/folder");
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("predictions only: there is no T1A/test_prevalences.txt\n"), "{}", run.stderr);
    let names: Vec<String> = content(&folder.path().join("new/folder")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["predictions-o-cs.csv", "train_scores.csv"]);
    assert_eq!(folder.read("new/folder/predictions-o-cs.csv"), folder.read("known/predictions-o-cs.csv"));
    assert!(!known.stdout.is_empty());

    // The same samples as development samples.
    fs::rename(folder.path().join("T1A/test_samples"), folder.path().join("T1A/dev_samples")).unwrap();
    let folder = folder.file("T1A/dev_prevalences.txt", "id,0,1\n");
    assert_snapshot!(folder.fails(1, "lequa T1A --samples dev -o dev"), @"error: T1A/dev_prevalences.txt: there is no row with id 0 for T1A/dev_samples/0.txt; add it, or remove the sample");
}

/// Files of another run are refused if the new run would not replace them.
#[test]
fn results_of_another_run_are_refused() {
    let folder = competition(false);
    folder.run_ok("lequa T1A --method o-cs,sld -o out");
    // A run that replaces all files is allowed.
    folder.run_ok("lequa T1A --method sld,o-cs,t-ms --seed 2 -o out");
    assert_snapshot!(folder.fails(1, "lequa T1A --method o-cs,t-ms -o out"), @"error: out: holds predictions-sld.csv of another run, which this one would not replace; name another folder, or empty it");
    fs::remove_file(folder.path().join("T1A/test_prevalences.txt")).unwrap();
    assert_snapshot!(folder.fails(1, "lequa T1A --method sld,o-cs,t-ms -o out"), @"error: out: holds estimates.csv of another run, which this one would not replace; name another folder, or empty it");
    fs::create_dir_all(folder.path().join("blocked/predictions-sld.csv")).unwrap();
    assert_snapshot!(folder.fails(1, "lequa T1A --method sld -o blocked"), @"error: blocked/predictions-sld.csv is not a file that can be replaced");
}

#[test]
fn labels_of_samples_are_not_read() {
    let (plain, labelled) = (competition(false), competition(true));
    let run = labelled.run_ok("lequa T1A -o out");
    assert!(run.stderr.starts_with("note: the samples have labels, which are not read\n"), "{}", run.stderr);
    assert_eq!(run.stdout, plain.run_ok("lequa T1A -o out").stdout);
}

#[test]
fn wrong_folders_are_refused() {
    let folder = competition(false);
    let refused = || folder.fails(1, "lequa T1A -o out");
    assert_snapshot!(folder.fails(1, "lequa T1B -o out"), @"error: T1B/training_data.txt: there is no such file; name the folder that holds it, as T1A/public of LeQua2022, or T1/public or T4/public of LeQua2024");
    assert_snapshot!(folder.fails(1, "lequa T1A --samples dev -o out"), @"error: T1A/dev_samples: there is no such folder; unpack the samples there");
    assert_snapshot!(folder.fails(1, "lequa T1A -o T1A/training_data.txt"), @"
    error: T1A/training_data.txt is a file
    hint: name a folder
    ");
    assert!(folder.fails(2, "lequa T1A").contains("--output <DIR>"));
    assert_snapshot!(folder.fails(2, "lequa T1A --method sweep -o out").lines().next().unwrap(), @"error: there is no method 'sweep'");
    let samples = folder.path().join("T1A/test_samples");
    fs::write(samples.join(".listing"), "").unwrap();
    fs::write(samples.join("07.txt"), "").unwrap();
    assert_snapshot!(refused(), @"error: T1A/test_samples/07.txt: is not called as a sample is, by its number, as 12.txt; rename or remove it");
    fs::rename(samples.join("07.txt"), samples.join("20.txt")).unwrap();
    assert_snapshot!(refused(), @"error: T1A/test_prevalences.txt: there is no row with id 20 for T1A/test_samples/20.txt; add it, or remove the sample");
    fs::remove_file(samples.join("20.txt")).unwrap();
    fs::remove_file(samples.join("3.txt")).unwrap();
    assert_snapshot!(refused(), @"
    error: T1A/test_prevalences.txt, line 5, column 'id': the cell is 3, but there is no sample 3.txt
    hint: correct it or remove the row
    ");
    // Nothing is written before all inputs are checked.
    assert!(!folder.path().join("out").exists());
}

/// Returns the problem of a folder with one changed file, which must be named; the run must write
/// nothing.
#[track_caller]
fn error_after_change(name: &str, change: impl Fn(&str) -> String) -> String {
    let folder = competition(false);
    let name = format!("T1A/{name}");
    let content = change(&folder.read(&name));
    let folder = folder.file(&name, content);
    let error = folder.fails(1, "lequa T1A -o out");
    assert_eq!(fs::read_dir(folder.path().join("out")).map_or(0, Iterator::count), 0);
    let place = format!("error: {name}");
    let problem = error.lines().find_map(|line| line.strip_prefix(&place)).unwrap_or_else(|| panic!("{error}"));
    problem.trim_start_matches([':', ',', ' ']).to_owned()
}

/// Replaces the cell in a line (from 1) and column (from 0).
fn with_cell(text: &str, line: usize, column: usize, cell: &str) -> String {
    let edit = |(i, row): (usize, &str)| {
        let mut cells: Vec<&str> = row.split(',').collect();
        if i + 1 == line {
            cells[column] = cell;
        }
        cells.join(",") + "\n"
    };
    text.lines().enumerate().map(edit).collect()
}

/// Wrong cells and files, each with the problem that is named; the file is not repeated.
#[test]
fn wrong_files_are_refused() {
    let cells = [
        ("test_prevalences.txt", 2, 0, "none", "line 2, column 'id': the cell is 'none', not the number of a sample"),
        ("test_prevalences.txt", 2, 0, "5", "line 7, column 'id': the cell is 5 a second time"),
        (
            "test_prevalences.txt",
            3,
            1,
            "0.9",
            "line 3, column '1': the cell is 0.13333333333333333; with 0.9 it does not add to 1",
        ),
        ("test_prevalences.txt", 3, 2, "1.5", "line 3, column '1': the cell is '1.5'"),
        (
            "training_data.txt",
            9,
            0,
            "2",
            "line 9, column 'label': the cell is '2'; the binary task has the labels 0 and 1",
        ),
        ("training_data.txt", 9, 0, "", "line 9, column 'label': the cell is empty"),
        ("training_data.txt", 9, 3, "NaN", "line 9, column '2': the cell is 'NaN', not a number"),
        (
            "training_data.txt",
            9,
            3,
            "-1e308",
            "line 9, column '2': the cell is '-1e308'; features lie between -1e100 and 1e100",
        ),
        ("training_data.txt", 9, 3, "0.1,0.2", "line 9: the row has 8 cells, the header 7"),
        ("training_data.txt", 1, 0, "class", "there is no column 'label'"),
        ("test_samples/13.txt", 61, 5, "inf", "line 61, column '5': the cell is 'inf', not a finite number"),
        ("test_samples/13.txt", 61, 5, "0.1,0.2", "line 61: the row has 7 cells, the header 6"),
        (
            "test_samples/13.txt",
            1,
            5,
            "six",
            "line 1: column 6 is 'six', where the training data has '5'; all files need the same header",
        ),
        (
            "test_samples/13.txt",
            1,
            5,
            "5,6",
            "line 1: the header has 7 features, that of the training data 6; all files need the same",
        ),
    ];
    for (name, line, column, cell, problem) in cells {
        assert_eq!(error_after_change(name, |text| with_cell(text, line, column, cell)), problem, "{name}");
    }
    let first_cell = |line: &str| format!("{}\n", line.split(',').next().unwrap());
    let few = |text: &str| text.lines().take(6).collect::<Vec<_>>().join("\n");
    let problem = error_after_change("test_prevalences.txt", |text| text.replace("id,0,1", "id,negative,positive"));
    assert_eq!(problem, "there is no column '0'");
    let problem = error_after_change("training_data.txt", few);
    assert_eq!(problem, "3 rows have label 1 and 2 label 0; cross-validation needs 5 of each");
    let problem = error_after_change("training_data.txt", |text| text.lines().map(first_cell).collect());
    assert_eq!(problem, "there are no features beside the labels");
    let problem = error_after_change("test_samples/13.txt", |text| text.lines().next().unwrap().to_owned());
    assert_eq!(problem, "there are no rows below the header");
    assert_eq!(error_after_change("test_samples/13.txt", |_| String::new()), "is empty");
}

/// Without information, a held-out row is scored by the share of positives among the other rows,
/// which is lower for a positive row. So the scores are inverted.
#[test]
fn uninformative_features_are_refused() {
    let zero = |(i, line): (usize, &str)| {
        if i == 0 { line.to_owned() } else { format!("{},0,0,0,0,0,0", u8::from(i % 3 == 0)) }
    };
    let blank = |text: &str| text.lines().enumerate().map(zero).collect::<Vec<_>>().join("\n");
    assert_snapshot!(error_after_change("training_data.txt", blank), @"the classifier learns nothing of the labels from these features: rows it has not seen score lower with label 1 than with label 0 in 50.7 % of pairs; check the labels, or try --tune or another --classifier");
}
