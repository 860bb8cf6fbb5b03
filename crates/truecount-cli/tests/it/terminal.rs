//! The table has bars on a terminal with enough room, and nowhere else.
#![cfg(target_os = "linux")] // `script` of util-linux runs a command on a terminal

use crate::common::Folder;
use insta::assert_snapshot;
use std::process::{Command, Stdio};

const ESTIMATE: &str = "estimate --train train.csv --test test.csv --by day";

fn folder() -> Folder {
    let inside = [0.4, 0.7, 0.9, 1.0, 1.1, 1.3, 1.6].map(|score| format!("{score},thu\n")).concat();
    Folder::with_train().file("test.csv", format!("score,day\n1,mon\n0.1,tue\n2.2,tue\n-3,wed\n-2,wed\n{inside}"))
}

/// Returns the output on a terminal with this many columns and these additional environment
/// variables, without warnings.
fn on_terminal(folder: &Folder, columns: u16, variables: &[(&str, &str)], arguments: &str) -> String {
    let command = env!("CARGO_BIN_EXE_truecount");
    let shell_line = format!("stty cols {columns} rows 50; exec '{command}' {arguments} 2>/dev/null");
    let mut script = Command::new("script");
    script.args(["-qec", &shell_line, "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null());
    script.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
    let shown = script.env("TERM", "xterm-256color").envs(variables.iter().copied()).output().unwrap();
    assert!(shown.status.success(), "{shown:?}");
    String::from_utf8(shown.stdout).unwrap().replace("\r\n", "\n")
}

/// The lines with bars begin with the lines that are printed without a terminal.
#[test]
fn a_terminal_with_room_gets_bars() {
    let folder = folder();
    let shown = on_terminal(&folder, 100, &[("NO_COLOR", "1")], ESTIMATE);
    assert_snapshot!(shown, @"
    day   n   apparent   prevalence     95 % interval   positives   from – to  0                       1
    ────────────────────────────────────────────────────────────────────────────────────────────────────
    mon   1     1.0000       0.1488   0.0000 – 0.9484           0     0 – 1 †  ━━━●━━━━━━━━━━━━━━━━━━━━
    thu   7     1.0000       0.4757   0.1497 – 0.8046           3     1 – 6       ╺━━━━━━━●━━━━━━━━╸
    tue   2     1.0000       0.5224   0.0000 – 1.0000           1     0 – 2    ━━━━━━━━━━━━━●━━━━━━━━━━━
    wed   2     0.0000       0.0000   0.0000 – 1.0000           0     0 – 2 †  ●━━━━━━━━━━━━━━━━━━━━━━━━

    † unreliable: see the warnings
    apparent: share of the scores at or above the cutoff, without correction
    share: for these 12 rows
    uncertainty: sampling of the new and the labelled rows
    fitted to 12 positive and 12 negative scores
    ");
    let printed = folder.run(ESTIMATE).stdout;
    for (shown, printed) in shown.lines().zip(printed.lines()) {
        assert!(shown.starts_with(printed), "{shown}");
    }
    assert_eq!(shown.lines().count(), printed.lines().count());
}

#[test]
fn no_bars_without_room_or_a_second_row() {
    let folder = folder();
    let width = folder.run(ESTIMATE).stdout.lines().nth(1).unwrap().chars().count();
    let has_bars = |columns: usize, arguments: &str| {
        on_terminal(&folder, u16::try_from(columns).unwrap(), &[], arguments).contains('●')
    };
    assert!(has_bars(width + 16, ESTIMATE));
    assert!(!has_bars(width + 15, ESTIMATE));
    assert!(!has_bars(0, ESTIMATE), "a terminal that does not report its size");
    assert!(!has_bars(120, "estimate --train train.csv --test test.csv"));
    assert!(!has_bars(120, &format!("{ESTIMATE} --format markdown")));
    // A file is the same whether or not the command runs on a terminal.
    assert!(!has_bars(120, &format!("{ESTIMATE} -o out.txt")));
    assert_eq!(folder.read("out.txt"), folder.run(ESTIMATE).stdout);
}

#[test]
fn bars_with_warnings_are_yellow_unless_colour_is_off() {
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
