//! The study command: the files in its folder, interruption, continuation, and errors.

use crate::common::transcript::Program;
use crate::common::{Folder, any_version};
use insta::assert_snapshot;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A complete run, and a run that continues with half of the settings on one thread, write the same
/// bytes. This is a property of the runner, which all studies share.
#[test]
fn a_study_continues_where_it_stopped() {
    let folder = Folder::new();
    let run = folder.run_ok("study audit --reps 1 --seed 3 --out whole/a");
    assert_snapshot!(any_version(&folder.read("whole/a/study.json")), @r#"
    {
      "study": "audit",
      "seed": 3,
      "reps": 1,
      "version": "X.Y.Z"
    }
    "#);
    let cells = folder.read("whole/a/cells.csv");
    let rows: Vec<&str> = cells.lines().take(1 + 20 * 6).collect();
    fs::create_dir(folder.path().join("half")).unwrap();
    fs::copy(folder.path().join("whole/a/study.json"), folder.path().join("half/study.json")).unwrap();
    let folder = folder.file("half/cells.csv", rows.join("\n") + "\n");
    assert_eq!(folder.run_ok("study audit --reps 1 --seed 3 --out half --threads 1").stdout, run.stdout);
    for name in ["cells.csv", "summary.json", "study.json"] {
        assert_eq!(folder.read(&format!("half/{name}")), folder.read(&format!("whole/a/{name}")), "{name}");
    }
    // A further run has nothing to do, and prints the same.
    assert_eq!(folder.run_ok("study audit --reps 1 --seed 3 --out half").stdout, run.stdout);
}

/// Returns the lines of printed tables without their numbers.
fn words(output: &str) -> String {
    let lines = output.lines().map(|line| {
        let cut = line.find("  ").filter(|cut| line[*cut..].contains(|c: char| c.is_ascii_digit()));
        &line[..cut.unwrap_or(line.len())]
    });
    lines.filter(|line| !line.starts_with('─')).collect::<Vec<_>>().join("\n")
}

/// Each study writes a row for every setting and arm, and a summary; its output fits 80 columns. Of the tables that
/// it prints only the words are compared, because the last digits of the numbers depend on the machine.
#[test]
fn every_study_writes_its_files() {
    let folder = Folder::new();
    let (mut headers, mut tables) = (Vec::new(), HashMap::new());
    // replications, settings, arms, summaries, titles of printed tables, and figures
    for (study, reps, settings, arms, summaries, titles, figures) in [
        ("audit", 1, 30, 6, Some(10 * 6), None, &[][..]),
        ("breach", 1, 152, 6, Some(19 * 6), Some((": 8 settings", 7)), &["breach"]),
        ("coverage", 1, 324 + 108 + 108, 4, Some(3 * 4), Some((" settings", 3)), &["coverage"]),
        ("monitor", 1, 22, 2, None, None, &[]),
        ("together", 1, 144, 24, Some(24), Some((": 144 settings", 6)), &["together"]),
        ("1", 2, 54, 7, None, None, &["mae", "rmse"]),
        ("2", 2, 324, 9, None, None, &["mae", "rmse"]),
        ("3", 2, 72, 11, None, None, &["shape-1-mae", "shape-2-rmse", "shape-4-mae", "shape-4-rmse"]),
        ("lequa", 20, 20, 6, None, None, &[]),
    ] {
        let run = folder.run_ok(&format!("study {study} --reps {reps} --seed 3 --out {study}"));
        assert_eq!(run.stderr, "");
        let cells = folder.read(&format!("{study}/cells.csv"));
        assert_eq!(cells.lines().count(), 1 + settings * arms, "{study}");
        headers.push(format!("{study}: {}", cells.lines().next().unwrap()));
        let summary = folder.json(&format!("{study}/summary.json"));
        assert_eq!((&summary["study"], summary["summaries"].as_array().map(Vec::len)), (&study.into(), summaries));
        if let Some((end, number)) = titles {
            assert_eq!(run.stdout.lines().filter(|line| line.ends_with(end)).count(), number, "{}", run.stdout);
        }
        assert!(figures.iter().all(|name| folder.read(&format!("{study}/{name}.svg")).starts_with("<svg")), "{study}");
        tables.insert(study, words(&run.stdout));
    }
    assert_snapshot!(headers.join("\n"), @"
    audit: shift,audited,alpha,arm,estimates,inverted,refused,vacuous,unbounded,rejected,coverage,coverage_error,width,bias,sd,mean_se,rmse,mae,mae_error
    breach: kind,size,labels,n,alpha,arm,estimates,inverted,refused,vacuous,unbounded,rejected,coverage,coverage_error,width,bias,sd,mean_se,rmse,mae,mae_error
    coverage: scenario,sd_pos,sd_neg,alpha,n,n_train,alpha_train,arm,estimates,inverted,refused,vacuous,unbounded,rejected,coverage,coverage_error,width,bias,sd,mean_se,rmse,mae,mae_error
    monitor: shape,positives,negatives,n,bound,rise,from,arm,series,none,early,early_error,found,delay,coverage,coverage_error,width_early,width_late
    together: labels,distance,target,first,second,n_first,n_second,arm,estimates,inverted,refused,vacuous,unbounded,rejected,coverage,coverage_error,width,bias,sd,mean_se,rmse,mae,mae_error
    1: sd_pos,sd_neg,alpha,n,arm,estimates,refused,bias,bias_se,variance,variance_se,mse,mse_se,rmse,rmse_se,mae,mae_se,mse_difference,mse_difference_se,mae_difference,mae_difference_se
    2: sd_pos,sd_neg,alpha,n,n_train,alpha_train,arm,estimates,refused,bias,bias_se,variance,variance_se,mse,mse_se,rmse,rmse_se,mae,mae_se,mse_difference,mse_difference_se,mae_difference,mae_difference_se
    3: shape,sd_pos,sd_neg,alpha,n,arm,estimates,refused,bias,bias_se,variance,variance_se,mse,mse_se,rmse,rmse_se,mae,mae_se,mse_difference,mse_difference_se,mae_difference,mae_difference_se
    lequa: training_sample,arm,samples,mae,rmse,rae,bias,first_closer
    ");
    assert_snapshot!(tables["1"], @"
    Study 1: known parameters, normal classes
    54 settings, 2 replications of each

    method      MAE     RMSE   |bias|       sd   failed
    o-cs
    t-cs
    o-ms
    t-ms
    dys
    sld
    es

    settings with                     paper   MAE   open   RMSE   open
    o-cs best of the sweeps
    sld best of the paper's methods
    o-cs ahead of dys

    MAE, RMSE, |bias|, sd: means over the settings; estimates are not kept in [0, 1]
    none: replications without an estimate, which its errors leave out, %
    settings with: by the MAE, and by the RMSE; – where the paper says nothing
    open: settings closer than two Monte Carlo standard errors, either way
    ");
    assert_snapshot!(tables["lequa"], @"
    LeQua 2022, emulated: skew-normal scores as the paper fitted them
    20 training samples of 5000, 20 test samples of 250 for each

    method          MAE     ± sd    paper     RMSE    paper      RAE    paper
    o-cs
    t-ms
    dys
    sld
    es
    sld fitted

    o-cs closer than   of the test samples    paper
    t-ms
    dys
    sld
    es
    sld fitted

    sld < dys < o-cs < t-ms by the MAE, as in the paper: 9 of 20 training samples
    MAE, RMSE, RAE: means over the training samples, of which the paper has one
    ± sd: standard deviation of the MAE between training samples
    ");
    let summary = folder.json("1/summary.json");
    let claim = &summary["parts"][0]["claims"][2];
    assert_eq!((&claim["claim"], &claim["paper"]), (&"o-cs ahead of dys".into(), &"9".into()));
}

/// Returns labelled scores on a grid, with higher scores of the positives on average.
fn pool(positives: u32, negatives: u32) -> String {
    let scores = |n: u32, lowest: u32, label: u32| (0..n).map(move |i| format!("{},{label}\n", lowest + i * i % 401));
    let rows: String = scores(positives, 200, 1).chain(scores(negatives, 0, 0)).collect();
    format!("score,label\n{rows}")
}

/// One of two pools allows a hundred labels. Pools are recognised by their content.
#[test]
fn pools_are_named_in_the_folder() {
    let folder = Folder::new().file("small.csv", pool(300, 600)).file("large.csv", pool(400, 600));
    let run = folder.run_ok("study pools small.csv large.csv --reps 2 --seed 3 --out whole");
    assert_eq!(run.stderr, "");
    let titles = run.stdout.lines().filter_map(|line| line.split_once(" % positives: "));
    let pools = ["2 settings", "2 settings", "2 settings", "1 setting", "1 setting", "1 setting"];
    assert!(titles.map(|(_, settings)| settings).eq(pools), "{}", run.stdout);
    let cells = folder.read("whole/cells.csv");
    assert!(
        cells.starts_with("pool,labels,alpha,n,arm,estimates,inverted,refused,vacuous,unbounded,rejected,coverage,"),
        "{cells}"
    );
    assert_eq!(cells.lines().count(), 1 + (3 + 6) * 8);
    assert!(folder.read("whole/pools.svg").starts_with("<svg"));
    let study = folder.json("whole/study.json");
    let pools = study["pools"].as_array().unwrap();
    let first = serde_json::json!({
        "name": "small.csv",
        "positives": 300,
        "negatives": 600,
        "hash": "1d3f019dcc68926b477d2a6ea62773a5c768ca4c73f73d2ebfbcc7c049200823",
    });
    assert_eq!((&pools[0], pools.len()), (&first, 2));
    let summary = folder.json("whole/summary.json");
    assert_eq!(summary["summaries"].as_array().unwrap().len(), 6 * 8);
    // The file has the same name, but other scores.
    let folder = folder.file("large.csv", pool(401, 600));
    let refused = folder.fails(1, "study pools small.csv large.csv --reps 2 --seed 3 --out whole");
    assert_snapshot!(refused, @"error: whole/study.json is of another run; name another folder");
}

#[test]
fn refusals_are_those_of_the_transcript() {
    let folder = |_: &str| Folder::new().file("small.csv", pool(279, 600)).file("cells.csv", pool(300, 600));
    let program = Program { folder, run: |folder, command, _| folder.run(command) };
    let faults = program.check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/refusals.txt"));
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Ctrl-C keeps the settings that are finished. `env` restores the signal's default, since a job in the
/// background ignores it.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_study_keeps_what_it_has() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = Folder::new();
    let child = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_truecount-bench")])
        .args(["study", "coverage", "--reps", "100", "--out", "out"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let cells = folder.path().join("out/cells.csv");
    let start = Instant::now();
    while !Path::exists(&cells) {
        assert!(start.elapsed() < Duration::from_mins(1), "nothing is kept");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
    let cells = folder.read("out/cells.csv");
    let rows = cells.lines().count() - 1;
    // The setting that was interrupted is discarded, so that each has all its replications.
    for row in cells.lines().skip(1) {
        let counts: Vec<u32> = row.split(',').skip(8).take(3).map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(counts.iter().sum::<u32>(), 100, "{row}");
    }
    let said = format!(
        "error: interrupted: {} of 540 settings are in out\nhint: the same command continues there\n",
        rows / 4
    );
    assert_eq!((String::from_utf8(output.stderr).unwrap(), rows % 4), (said, 0));
}
