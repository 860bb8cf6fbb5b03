//! On a terminal the table has bars, where there is room for them; anywhere else it has none.
#![cfg(target_os = "linux")] // `script` of util-linux runs a command on a terminal

use crate::common::Folder;
use insta::assert_snapshot;
use std::process::{Command, Stdio};

const ESTIMATE: &str = "estimate --train train.csv --test test.csv --by day";

fn folder() -> Folder {
    let inside = [0.4, 0.7, 0.9, 1.0, 1.1, 1.3, 1.6].map(|score| format!("{score},thu\n")).concat();
    Folder::with_train().file("test.csv", format!("score,day\n1,mon\n0.1,tue\n2.2,tue\n-3,wed\n-2,wed\n{inside}"))
}

/// What a terminal of so many columns is sent, in an environment with these variables besides; warnings left out.
fn on_terminal(folder: &Folder, columns: u16, variables: &[(&str, &str)], arguments: &str) -> String {
    let command = env!("CARGO_BIN_EXE_truecount");
    let typed = format!("stty cols {columns} rows 50; exec '{command}' {arguments} 2>/dev/null");
    let mut script = Command::new("script");
    script.args(["-qec", &typed, "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null());
    script.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
    let shown = script.env("TERM", "xterm-256color").envs(variables.iter().copied()).output().unwrap();
    assert!(shown.status.success(), "{shown:?}");
    String::from_utf8(shown.stdout).unwrap().replace("\r\n", "\n")
}

/// The table with bars, then the same lines without.
#[test]
fn a_terminal_with_room_gets_bars() {
    let folder = folder();
    let shown = on_terminal(&folder, 100, &[("NO_COLOR", "1")], ESTIMATE);
    assert_snapshot!(shown, @"
    day   n   prevalence       se     95 % interval   misfit  0                                      1
    ──────────────────────────────────────────────────────────────────────────────────────────────────
    mon   1       0.2645   0.3298   0.0000 – 1.0000    1.0 †  ━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
    thu   7       0.4763   0.1579   0.1714 – 0.8217    1.5          ╺━━━━━━━━━━━━●━━━━━━━━━━━━━
    tue   2       0.5246   0.2722   0.0336 – 1.0000    1.0     ━━━━━━━━━━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━
    wed   2       0.0000   0.0666   0.0000 – 1.0000    2.4 †  ●━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

    † unreliable: see the warnings
    misfit: distance of the scores from any mix of the classes; 1: chance alone
    uncertainty: sampling of the new and the labelled rows
    fitted to 12 positive and 12 negative scores
    ");
    let printed = folder.run(ESTIMATE).stdout;
    for (shown, printed) in shown.lines().zip(printed.lines()) {
        assert!(shown.starts_with(printed), "{shown}");
    }
    assert_eq!(shown.lines().count(), printed.lines().count());
}

/// Tallies too, and methods instead of groups.
#[test]
fn finished_tallies_get_bars() {
    let folder = folder();
    assert_eq!(folder.run("fit --train train.csv --method cc,ac -o model.json").code, 0);
    assert_eq!(folder.run("tally --model model.json --test test.csv -o test.parquet").code, 0);
    assert!(on_terminal(&folder, 100, &[], "finish --model model.json test.parquet").contains('●'));
}

#[test]
fn no_bars_without_room_or_another_row() {
    let folder = folder();
    let width = folder.run(ESTIMATE).stdout.lines().nth(1).unwrap().chars().count();
    let columns = |columns: usize, arguments: &str| {
        on_terminal(&folder, u16::try_from(columns).unwrap(), &[], arguments).contains('●')
    };
    assert!(columns(width + 16, ESTIMATE));
    assert!(!columns(width + 15, ESTIMATE));
    assert!(!columns(0, ESTIMATE), "a terminal that does not tell its size");
    assert!(!columns(120, "estimate --train train.csv --test test.csv"));
    assert!(!columns(120, &format!("{ESTIMATE} --format markdown")));
    // A file is the same wherever the command runs.
    assert!(!columns(120, &format!("{ESTIMATE} -o out.txt")));
    assert_eq!(std::fs::read_to_string(folder.path().join("out.txt")).unwrap(), folder.run(ESTIMATE).stdout);
}

#[test]
fn warned_bars_have_a_colour_unless_it_is_not_wanted() {
    let folder = folder();
    let shown = |variables: &[(&str, &str)]| on_terminal(&folder, 100, variables, ESTIMATE);
    let coloured = shown(&[]);
    let bars = coloured.lines().filter(|line| line.contains('●'));
    let marked_and_yellow: Vec<_> =
        bars.map(|line| (line.contains(" *") || line.contains(" †"), line.contains("\u{1b}[33m"))).collect();
    assert_eq!(marked_and_yellow, [(true, true), (false, false), (false, false), (true, true)]);
    let plain = coloured.replace("\u{1b}[33m", "").replace("\u{1b}[0m", "");
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb"), ("CLICOLOR", "0")] {
        assert_eq!(shown(&[variable]), plain);
    }
}
