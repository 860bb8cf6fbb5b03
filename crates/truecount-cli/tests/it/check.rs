//! `truecount check`: its output, its reproducibility by seed, and its errors.

use crate::common::Folder;

const CHECK: &str = "check --train train.csv --test weeks.csv";

#[test]
fn every_format_has_the_same_results() {
    let folder = Folder::with_spam();
    let options = "--by week --resamples 99 --seed 7";
    let table = folder.run(&format!("{CHECK} {options}")).stdout;
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let rejected =
        "The new scores of 1 of 24 groups do not fit any mix of the labelled classes (p\n(Holm) below 0.01): ";
    assert!(table.contains(&format!("\n{rejected}")), "{table}");
    let object = folder.json(&format!("{CHECK} {options}"));
    let groups = object["shift"].as_array().unwrap();
    assert_eq!(groups.len(), 24);
    let fourth = &groups[3];
    assert_eq!((&fourth["group"]["week"], &fourth["verdict"]), (&"2026-W04".into(), &"rejected".into()));
    assert!(fourth["adjusted_count"].as_array().unwrap().len() > 40);
    let p = fourth["p_value"].as_f64().unwrap();
    assert!((p * 24.0 / fourth["p_value_holm"].as_f64().unwrap() - 1.0).abs() < 1e-12);
    let csv = folder.run(&format!("{CHECK} {options} --format csv")).stdout;
    let rows: Vec<csv::StringRecord> = csv::Reader::from_reader(csv.as_bytes()).records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 24 + 2 * 5);
    assert_eq!((&rows[3][0], rows[3][6].parse()), ("2026-W04", Ok(p)));
    // The beta family cannot be fitted; every format has the reason.
    let beta = object["families"].as_array().unwrap().iter().find(|fit| fit["family"] == "beta").unwrap();
    assert!(beta["p_value"].is_null() && beta["reason"].as_str().unwrap().contains("strictly between 0 and 1"));
    assert!(table.contains("\nleft out, beta: the labelled positive score -0.967352 is impossible"));
    // The same seed gives the same bits on any number of threads; another seed draws other samples.
    let families = |seed: u32, threads: &str| {
        let arguments = format!("check --train train.csv --resamples 99 --format csv --seed {seed}");
        let mut command = assert_cmd::Command::cargo_bin("truecount").unwrap();
        command.current_dir(folder.path()).args(arguments.split(' ')).env("RAYON_NUM_THREADS", threads);
        command.output().unwrap().stdout
    };
    assert_eq!(families(3, "1"), families(3, "3"));
    let p_values = |seed| {
        let object = folder.json(&format!("check --train train.csv --transform rank --resamples 99 --seed {seed}"));
        object["families"].as_array().unwrap().iter().map(|fit| fit["p_value"].clone()).collect::<Vec<_>>()
    };
    assert!((1..6).any(|seed| p_values(seed) != p_values(9)));
}
