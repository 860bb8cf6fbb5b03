//! `truecount monitor`: scores and tallies as input, the alarm, the exit status, and errors.

use crate::common::Folder;
use insta::assert_snapshot;
use serde_json::Value;
use std::fs;

const DATA: &str = "--train train.csv --test weeks.csv --by week";

#[test]
fn tallies_and_scores_give_the_same_result() {
    let folder = Folder::with_spam();
    assert_eq!(folder.run("fit --train train.csv -o model.json").code, 0);
    let weeks = fs::read_to_string(folder.path().join("weeks.csv")).unwrap();
    let (header, rows) = weeks.split_once('\n').unwrap();
    let (odd, even): (Vec<&str>, Vec<&str>) =
        rows.lines().partition(|row| row.as_bytes()[7].is_ascii_digit() && row.as_bytes()[7] % 2 == 1);
    let mut folder = folder;
    for (name, rows) in [("odd", odd), ("even", even)] {
        folder = folder.file(&format!("{name}.csv"), format!("{header}\n{}\n", rows.join("\n")));
        let run = folder.run(&format!("tally --model model.json --test {name}.csv --by week -o {name}.tally"));
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let scores = folder.run(&format!("monitor {DATA} --above 90% --format csv"));
    let tallies = folder.run("monitor --model model.json odd.tally even.tally --above 90% --format csv");
    assert_eq!((scores.code, tallies.code), (3, 3));
    assert_eq!(scores.stdout, tallies.stdout);
    assert_eq!(scores.stderr.lines().next(), Some("alarm: above 90 % since 2026-W19, raised at 2026-W19 (e = 1481)"));
    // A tally without groups has no dates.
    assert_eq!(folder.run("tally --model model.json --test odd.csv -o all.tally").code, 0);
}

/// All output is written even if the exit status reports an alarm.
#[test]
fn an_alarm_sets_the_exit_status() {
    let folder = Folder::with_spam();
    let quiet = folder.run(&format!("monitor {DATA} --above 99% -o quiet.json"));
    assert_eq!((quiet.code, quiet.stdout.as_str()), (0, ""));
    let loud = folder.run(&format!("monitor {DATA} --below 0.5 -o loud.json --figure loud.svg"));
    assert_eq!(loud.code, 3);
    let json =
        |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(folder.path().join(name)).unwrap()).unwrap() };
    let (quiet, loud) = (json("quiet.json"), json("loud.json"));
    assert_eq!((&quiet["monitor"]["alarm"], &loud["monitor"]["alarm_at"]), (&Value::Null, &"2026-W01".into()));
    let rows = loud["periods"].as_array().unwrap();
    assert_eq!(rows.len(), 24);
    assert!(rows.iter().all(|row| row["alarm"] == true && row["change_point"].is_string()));
    assert_eq!((&loud["monitor"]["unit"], &loud["monitor"]["bound"]["below"]), (&"week".into(), &0.5.into()));
    let svg = fs::read_to_string(folder.path().join("loud.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("Alarm: below 50 % since 2026-W01"), "{}", &svg[..300]);
    let unbounded = folder.run(&format!("monitor {DATA} --format csv"));
    assert_eq!(unbounded.code, 0);
    assert!(unbounded.stdout.lines().skip(1).all(|row| row.ends_with(",,,,")), "{}", unbounded.stdout);
}

#[test]
fn the_table_fits_80_columns() {
    let run = Folder::with_spam().run(&format!("monitor {DATA} --above 50%"));
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
}

#[test]
fn incomplete_series_have_warnings() {
    let folder = Folder::with_spam()
        .file("one.csv", "day,score\n2026-01-01,1.5\n2026-01-01,-1.5\n,2.5\n")
        .file("few.csv", "day,score\n2026-01-01,1.5\n2026-01-02,1.5\n");
    assert_snapshot!(folder.run("monitor --train train.csv --test one.csv --by day").stderr.lines().next().unwrap(), @"warning: scores without a date, which are left out: 1");
    let run = folder.run("monitor --train train.csv --test few.csv --by day --above 1%");
    assert_eq!(run.code, 0);
    assert_snapshot!(run.stderr.lines().next().unwrap(), @"warning: no period has a reliable estimate, so there is no smoothed line and no alarm");
}
