//! `truecount monitor`: scores and tallies as input, the alarm, the exit status, and errors.

use crate::common::Folder;
use std::fmt::Write;

const DATA: &str = "--train train.csv --test weeks.csv --by week";

#[test]
fn a_figure_for_a_slide_has_its_size() {
    let folder = Folder::with_spam();
    folder.run_ok(&format!("monitor {DATA} --figure slide.png --size slide"));
    assert_eq!(folder.bytes("slide.png")[16..24], [1920_u32, 1080].map(u32::to_be_bytes).concat());
}

/// The estimate of a period is that of the same group, with its standard error and misfit.
#[test]
fn periods_have_the_columns_of_estimates() {
    let folder = Folder::with_spam();
    let columns = ["n", "prevalence", "raw", "se", "lower", "upper", "misfit", "se_widened", "severity"];
    let rows = |command: &str| -> Vec<Vec<String>> {
        let run = folder.run_ok(&format!("{command} {DATA} --format csv"));
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let header = cells(run.stdout.lines().next().unwrap());
        let index = |column: &&str| header.iter().position(|name| name == column).unwrap();
        run.stdout.lines().skip(1).map(|line| columns.iter().map(|c| cells(line)[index(c)].clone()).collect()).collect()
    };
    let periods = rows("monitor");
    assert_eq!(periods, rows("estimate"));
    assert!(periods.iter().any(|row| row[3] != row[7]), "misfit widens no interval");
}

/// Returns the spam scores of 24 weeks with a time for each row: hours of successive days.
fn timed_rows(folder: &Folder) -> String {
    let weeks = folder.read("weeks.csv");
    let mut rows = "time,score\n".to_owned();
    for (i, row) in weeks.lines().skip(1).enumerate().take(2000) {
        let (day, hour) = (i / 100 + 1, i / 5 % 20);
        let score = row.split_once(',').unwrap().1;
        writeln!(rows, "2026-01-{day:02}T{hour:02}:{:02}:00Z,{score}", i % 60).unwrap();
    }
    rows
}

#[test]
fn a_series_of_times_has_periods() {
    let folder = Folder::with_spam();
    let rows = timed_rows(&folder);
    let folder = folder.file("times.csv", rows);
    let monitor = "monitor --train train.csv --test times.csv --by time";
    for bound in ["", " --above 1%"] {
        let short = folder.run(&format!("{monitor}{bound}"));
        assert_eq!(short.code, 2, "{}", short.stderr);
        let (note, error) = short.stderr.split_once('\n').unwrap();
        assert!(note.starts_with("note: column 'time': every time is a group of its own"), "{note}");
        assert!(error.starts_with("error: most periods are too short: "), "{error}");
    }
    for (every, periods, first) in [("day", 20, "2026-01-01"), ("week", 4, "2026-W01"), ("month", 1, "2026-01")] {
        let run = folder.run_ok(&format!("{monitor} --every {every} --format csv"));
        assert_eq!(run.stdout.lines().count(), periods + 1, "{every}");
        assert!(run.stdout.lines().nth(1).unwrap().starts_with(&format!("{first},")), "{}", run.stdout);
    }
    // Only the second file shows that the month comes first.
    let american = |days: std::ops::RangeInclusive<u32>| {
        let rows = timed_rows(&folder);
        let is_kept = |line: &&str| days.contains(&line[8..10].parse().unwrap());
        let row = |line: &str| line.replace("2026-01-", "1/").replacen('T', "/2026 ", 1) + "\n";
        rows.lines().skip(1).filter(is_kept).map(row).fold("time,score\n".to_owned(), |rows, row| rows + &row)
    };
    let (first, second) = (american(1..=10), american(11..=20));
    let folder = folder.file("first.csv", first).file("second.csv", second);
    let weeks = |files: &str| {
        folder.stdout(&format!("monitor --train train.csv --test {files} --by time --every week --format csv"))
    };
    assert_eq!(weeks("first.csv second.csv"), weeks("times.csv"));
    // Rows without a score are counted by period too.
    let gaps = timed_rows(&folder) + "2026-01-20T23:00:00Z,\n";
    let folder = folder.file("gaps.csv", gaps);
    let run = folder.run("estimate --train train.csv --test gaps.csv --by time --every week --missing drop");
    assert!(run.stderr.contains("(by group: '2026-W04' 1)"), "{}", run.stderr);
    let zone = "--by time --every day --zone Pacific/Auckland";
    let run = folder.run(&format!("estimate --train train.csv --test gaps.csv {zone} --missing drop"));
    assert!(run.stderr.contains("(by group: '2026-01-21' 1)") && run.stdout.contains("\n2026-01-21"), "{}", run.stderr);
    // Tallies of weeks are those of the same weeks in another table.
    folder.run_ok("fit --train train.csv -o model.json");
    let tally = "tally --model model.json --test times.csv --by time --every week -o weeks.tally";
    folder.run_ok(tally);
    let scores = folder.run("monitor --model model.json --test times.csv --by time --every week --format csv");
    assert_eq!(folder.run("monitor --model model.json weeks.tally --format csv").stdout, scores.stdout);
}
