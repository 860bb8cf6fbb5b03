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
    assert_snapshot!(folder.fails(2, "monitor --model model.json all.tally"), @"
    error: a series has one column of dates, but the tallies are grouped by no columns
    hint: name the column with --by, or tally by it
    ");
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
fn invalid_series_are_refused() {
    let folder = Folder::with_spam();
    assert_snapshot!(folder.fails(2, "monitor --train train.csv --test weeks.csv --by score"), @"
    error: '5.590005' in the column 'score' is not a date
    hint: dates look like 2026-01-31 (a time may follow), 2026-W05, 2026-01 or 2026-Q1
    ");
    assert_snapshot!(folder.fails(2, &format!("monitor {DATA} --method es,ac")), @"
    error: a series has one method
    hint: name one with --method
    ");
    assert_snapshot!(folder.fails(2, &format!("monitor {DATA} --method sld")), @"
    error: there is no formula for the covariance of estimates by sld
    hint: the methods with a formula are es, o-cs, t-cs, ac, max, t50, x, pacc, friedman, smm, edy
    ");
    assert_snapshot!(folder.fails(2, &format!("monitor {DATA} --above 0")), @"
    error: the bound is 0
    hint: it must be between 0 and 1, both excluded
    ");
    assert_snapshot!(folder.fails(2, &format!("monitor {DATA} --baseline 2025-01..2025-06")), @"
    error: no group has week = '2025-01..2025-06'
    hint: name the value of an existing group
    ");
    assert_snapshot!(folder.fails(2, &format!("monitor {DATA} --baseline 2026-W09..2026-W03")), @r"
    error: invalid value '2026-W09..2026-W03' for '--baseline <DATE|FROM..TO>': it must be a date such as 2026-W05, or two: 2026-01..2026-03

    For more information, try '--help'.
    ");
    let one = folder.file("one.csv", "day,score\n2026-01-01,1.5\n2026-01-01,-1.5\n,2.5\n");
    let by_day = "monitor --train train.csv --test one.csv --by day";
    assert_snapshot!(one.fails(1, &format!("{by_day} --figure one.svg")), @"
    error: --figure needs at least two dates, but there is one
    hint: leave it out
    ");
    assert!(!one.path().join("one.svg").exists());
    assert_snapshot!(one.run(by_day).stderr.lines().next().unwrap(), @"warning: scores without a date, which are left out: 1");
    let undated = one.file("none.csv", "day,score\n,1.5\n,-1.5\n");
    assert_snapshot!(undated.fails(1, "monitor --train train.csv --test none.csv --by day"), @"error: no group has a date in the column 'day'");
    let few = undated.file("few.csv", "day,score\n2026-01-01,1.5\n2026-01-02,1.5\n");
    let run = few.run("monitor --train train.csv --test few.csv --by day --above 1%");
    assert_eq!(run.code, 0);
    assert_snapshot!(run.stderr.lines().next().unwrap(), @"warning: no period has a reliable estimate, so there is no smoothed line and no alarm");
}
