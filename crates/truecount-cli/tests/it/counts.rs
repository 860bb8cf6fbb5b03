//! `truecount counts`: counts from the command line and from tables of every format, the footer,
//! and errors.

use crate::common::{Folder, Run, gzip};
use insta::assert_snapshot;
use std::fs;

/// The three herds of epiR's help page.
const HERDS: &str =
    "herd,positives,tested,sensitivity,specificity\nA,8,210,0.60,0.90\nB,12,189,0.65,0.95\nC,7,124,0.70,0.99\n";

const TYPED: &str = "counts --positives 35 --tested 800 --sensitivity 90/100 --specificity";

fn herds() -> Folder {
    Folder::new().file("herds.csv", HERDS)
}

#[track_caller]
fn stdout(folder: &Folder, arguments: &str) -> String {
    let Run { code, stdout, stderr } = folder.run(arguments);
    assert_eq!(code, 0, "{stderr}");
    stdout
}

#[test]
fn counts_on_the_command_line() {
    let folder = Folder::new();
    assert_snapshot!(stdout(&folder, &format!("{TYPED} 0.97")), @"
      n   positives   prevalence       se     95 % interval
    ─────────────────────────────────────────────────────────
    800          35       0.0158   0.0083   0.0018 – 0.0354

    uncertainty: sampling of the tested, and of those behind each rate with a
    denominator
    interval: Lang and Reiczigel (2014), of the prevalence of the population
    sensitivity 90/100, specificity 0.97 (exact)
    ");
    // 97/100 gives the same result as a share with a separate denominator.
    let plain = stdout(&folder, &format!("{TYPED} 97/100 --format csv"));
    assert_eq!(stdout(&folder, &format!("{TYPED} 97% --specificity-of 100 --format csv")), plain);
    assert_snapshot!(plain, @r"
    n,positives,apparent,sensitivity,sensitivity_of,specificity,specificity_of,prevalence,raw,se,lower,upper,level,severity,warnings
    800,35,0.04375,0.9,100,0.97,100,0.01580459770114934,0.01580459770114934,0.021120144785856394,0,0.05210377252910134,0.95,,
    ");
    assert_snapshot!(stdout(&folder, &format!("{TYPED} 97/100 --target sample --interval wilson --level 0.9")), @"
      n   positives   prevalence       se     90 % interval
    ─────────────────────────────────────────────────────────
    800          35       0.0158   0.0207   0.0000 – 0.0412

    uncertainty: sampling of the tested, and of those behind each rate with a
    denominator
    interval: Wilson-type, of the share among the tested themselves
    sensitivity 90/100, specificity 97/100
    ");
}

/// epiR 2.0.57 gives -0.161 – -0.053, -0.022 – 0.096 and 0.026 – 0.148 with Wilson's method.
#[test]
fn a_table_has_a_row_for_each_group() {
    let run = herds().run("counts --table herds.csv --by herd --interval exact-rates");
    assert_snapshot!(run.stdout, @"
    herd     n   positives   prevalence       se       95 % interval
    ──────────────────────────────────────────────────────────────────
    A      210           8       0.0000   0.0414   0.0000 – 0.0024 †
    B      189          12       0.0225   0.0296   0.0000 – 0.0961
    C      124           7       0.0673   0.0300   0.0255 – 0.1478

    † unreliable: see the warnings
    uncertainty: sampling of the tested only; both rates are taken as exact
    interval: Wilson (1927), at exact rates, of the prevalence of the population
    ");
    assert_snapshot!(run.stderr, @"warning: A: do not rely on this estimate: its raw value -0.1238 lies 2.9903 standard errors outside [0, 1], so no prevalence explains these positives; the test must have had another sensitivity or specificity here");
    let sorted = stdout(&herds(), "counts --table herds.csv --by herd --sort -prevalence --format jsonl");
    let herds: Vec<&str> = sorted.lines().map(|line| &line[..22]).collect();
    assert_eq!(herds, ["{\"group\":{\"herd\":\"C\"},", "{\"group\":{\"herd\":\"B\"},", "{\"group\":{\"herd\":\"A\"},"]);
}

/// Rates come from cells such as 60/100, from two columns, or from the command line for all rows.
#[test]
fn rates_come_from_columns_or_from_the_command_line() {
    let folder = Folder::new()
        .file("cells.csv", "h,x,n,se,sp\n1,8,210,60/100,45/50\n")
        .file("columns.csv", "h,x,n,se,m,sp,l\n1,8,210,0.6,100,0.9,50\n")
        .file("bare.csv", "h,x,n\n1,8,210\n");
    let counts = "--positives x --tested n --by h --format csv";
    let output = |file: &str, rates: &str| stdout(&folder, &format!("counts --table {file}.csv {counts} {rates}"));
    let cells = output("cells", "--sensitivity se --specificity sp");
    assert_eq!(output("bare", "--sensitivity 60/100 --specificity 45/50"), cells);
    let columns = "--sensitivity se --specificity sp --sensitivity-of m --specificity-of l";
    assert_eq!(output("columns", columns), cells);
    assert_eq!(output("columns", "--sensitivity 60% --specificity sp --sensitivity-of m --specificity-of 50"), cells);
    assert!(cells.contains(",0.6,100,0.9,50,"), "{cells}");
}

#[test]
fn every_format_is_read_and_written() {
    let folder = herds().file("herds.tsv", HERDS.replace(',', "\t")).file("herds.csv.gz", gzip(HERDS));
    let plain = stdout(&folder, "counts --table herds.csv --by herd --format csv");
    for file in ["herds.tsv", "herds.csv.gz"] {
        assert_eq!(stdout(&folder, &format!("counts --table {file} --by herd --format csv")), plain, "{file}");
    }
    let piped = folder.run_with("counts --table - --by herd --format csv", HERDS);
    assert_eq!(piped.stdout, plain);
    // The output has the columns that the command reads.
    let write = "counts --table herds.csv --by herd --output herds.parquet";
    assert_eq!(folder.run(write).code, 0);
    let read = "counts --table herds.parquet --by herd --tested n --format csv";
    assert_eq!(stdout(&folder, read), plain);
    assert_snapshot!(stdout(&folder, "counts --table herds.csv --by herd --format markdown").lines().take(3).collect::<Vec<_>>().join("\n"), @r"
    | herd | n | positives | prevalence | se | 95 % interval |
    |---|---:|---:|---:|---:|---:|
    | A | 210 | 8 | 0.0000 | 0.0414 | 0.0000 – 0.0024 † |
    ");
    let json = stdout(&folder, &format!("{TYPED} 97/100 --format json"));
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["interval"], "lang-reiczigel");
    assert_eq!(object["target"], "population");
    assert_eq!(object["accounts_for"], "sampling of the tested, and of those behind each rate with a denominator");
    assert_eq!(object["counts"][0]["sensitivity_of"], 100);
    let before = fs::read(folder.path().join("herds.csv")).unwrap();
    assert_snapshot!(folder.fails(2, "counts --table herds.csv --by herd --output herds.csv"), @"
    error: --output would overwrite the input herds.csv
    hint: name another file
    ");
    assert_eq!(fs::read(folder.path().join("herds.csv")).unwrap(), before);
}

#[test]
fn invalid_options_are_refused() {
    let fails = |arguments: &str| Folder::new().fails(2, arguments);
    assert_snapshot!(fails("counts --positives 35 --tested 800 --sensitivity 0.9"), @"
    error: --specificity is missing
    hint: add it, or name a table that has it in a column (--table FILE)
    ");
    assert_snapshot!(fails("counts --positives 35.5 --tested 800 --sensitivity 0.9 --specificity 0.9"), @"
    error: --positives is '35.5'
    hint: it must be a whole number, or with --table the name of a column
    ");
    assert_snapshot!(fails(&format!("{TYPED} high")), @"
    error: --specificity: 'high' is not a share
    hint: write it as 0.97, 97% or 97/100
    ");
    assert_snapshot!(fails(&format!("{TYPED} 97")), @"
    error: specificity is 97
    hint: it must be a share between 0 and 1, or a fraction such as 97/100
    ");
    assert_snapshot!(fails(&format!("{TYPED} 101/100")), @"
    error: specificity: the count 101 is larger than the total 100
    hint: check which number is which
    ");
    assert_snapshot!(fails(&format!("{TYPED} 0.1")), @"
    error: at sensitivity 0.9 and specificity 0.1 the test is positive as often for negatives as for positives
    hint: check which result counts as positive, and that these are not error rates
    ");
    assert_snapshot!(fails(&format!("{TYPED} 3%")), @"
    error: at sensitivity 0.9 and specificity 0.03 the test is positive more often for negatives than for positives
    hint: check which result counts as positive, and that these are not error rates
    ");
    assert_snapshot!(fails(&format!("{TYPED} 0.97 --sensitivity-of 100")), @"
    error: --sensitivity: is '90/100', but its denominator is also given as 100
    hint: keep one of them
    ");
    assert_snapshot!(fails(&format!("{TYPED} 0.97 --target sample")), @"
    error: the interval lang-reiczigel describes the population, not the tested units themselves
    hint: use --interval wilson, or --target population
    ");
    assert_snapshot!(fails(&format!("{TYPED} 0.97 --level 95")), @"
    error: level is 95
    hint: it must be between 0 and 1, both excluded
    ");
    assert_snapshot!(fails("counts --positives 9 --tested 8 --sensitivity 0.9 --specificity 0.9"), @"
    error: positives: the count 9 is larger than the total 8
    hint: check which number is which
    ");
    assert_snapshot!(fails("counts --positives 0 --tested 0 --sensitivity 0.9 --specificity 0.9"), @"
    error: positives: the total is 0
    hint: correct the number, or leave it out
    ");
}

#[test]
fn invalid_tables_are_refused() {
    let fails = |from: &str, to: &str| {
        Folder::new().file("herds.csv", HERDS.replace(from, to)).fails(1, "counts --table herds.csv --by herd")
    };
    assert_snapshot!(fails("0.65,0.95", "0.65,0.35"), @"
    error: herds.csv, line 3: at sensitivity 0.65 and specificity 0.35 the test is positive as often for negatives as for positives
    hint: check which result counts as positive, and that these are not error rates
    ");
    assert_snapshot!(fails("0.65", "65"), @"
    error: herds.csv, line 3: sensitivity is 65
    hint: it must be a share between 0 and 1, or a fraction such as 97/100
    ");
    assert_snapshot!(fails("0.65", "high"), @"
    error: herds.csv, line 3, column 'sensitivity': the cell 'high' is not a share
    hint: write it as 0.97, 97% or 97/100
    ");
    assert_snapshot!(fails("0.65", ""), @"
    error: herds.csv, line 3, column 'sensitivity': the cell is empty
    hint: correct it or remove the row
    ");
    assert_snapshot!(fails("12,189", "12,189.5"), @"
    error: herds.csv, line 3, column 'tested': the cell is '189.5', not a whole number of 0 or more
    hint: correct it or remove the row
    ");
    assert_snapshot!(fails("12,189", "12.5,189"), @"
    error: herds.csv, line 3, column 'positives': the cell is '12.5', not a whole number of 0 or more
    hint: correct it or remove the row
    ");
    assert_snapshot!(fails("12,189", "190,189"), @"
    error: herds.csv, line 3: positives: the count 190 is larger than the total 189
    hint: check which number is which
    ");
    assert_snapshot!(fails("\nB,", "\nA,"), @"
    error: herds.csv: the group 'A' has more than one row
    hint: add them up, or name the columns that tell them apart
    ");
    assert_snapshot!(fails("tested", "number"), @"
    error: herds.csv: there is no column 'tested'
    hint: the columns are 'herd', 'positives', 'number', 'sensitivity', 'specificity'
    ");
    let folder = herds();
    assert_snapshot!(folder.fails(1, "counts --table herds.csv"), @"
    error: herds.csv: the table has more than one row
    hint: add them up, or name the columns that tell them apart
    ");
    // Two equal rows are still two rows.
    let twice = Folder::new().file("twice.csv", "x,n\n3,40\n3,40\n");
    assert_snapshot!(twice.fails(1, "counts --table twice.csv --positives x --tested n --sensitivity 1 --specificity 1"), @"
    error: twice.csv: the table has more than one row
    hint: add them up, or name the columns that tell them apart
    ");
    let both = Folder::new().file("both.csv", "x,n,se,m\n3,40,9/10,10\n");
    assert_snapshot!(both.fails(1, "counts --table both.csv --positives x --tested n --sensitivity se --sensitivity-of m --specificity 1"), @"
    error: both.csv, line 2, column 'se': the cell is '9/10', but its denominator is also given as 10
    hint: keep one of them
    ");
}
