//! `truecount counts`: counts from the command line and from tables of every format, the footer,
//! and errors.

use crate::common::{Folder, Run, gzip};
use crate::report::words;
use insta::assert_snapshot;
use std::fmt::Write;

/// The three herds of epiR's help page.
const HERDS: &str =
    "herd,positives,tested,sensitivity,specificity\nA,8,210,0.60,0.90\nB,12,189,0.65,0.95\nC,7,124,0.70,0.99\n";

const TYPED: &str = "counts --positives 35 --tested 800 --sensitivity 90/100 --specificity";

fn herds() -> Folder {
    Folder::new().file("herds.csv", HERDS)
}

/// A rate shows which mark is decimal, so that the other one separates thousands.
#[test]
fn thousands_are_separated_by_the_other_mark() {
    let run = |positives: &str, tested: &str, rates: [&str; 2]| {
        let [sensitivity, specificity] = rates;
        let words = ["counts", "--positives", positives, "--tested", tested, "--format", "csv"];
        let rates = ["--sensitivity", sensitivity, "--specificity", specificity];
        Folder::new().run_words(&words.into_iter().chain(rates).map(str::to_owned).collect::<Vec<_>>())
    };
    let expected = run("1234", "10000", ["0.9", "1900/2000"]).stdout;
    for (positives, tested, rates) in [
        ("1,234", "10,000", ["0.9", "1,900/2,000"]),
        ("1.234", "10.000", ["0,9", "1.900/2.000"]),
        ("1.234", "10.000", ["90%", "1.900/2.000"]),
        ("1 234", "10\u{202f}000", ["90 %", "1900/2000"]),
    ] {
        assert_eq!(run(positives, tested, rates).stdout, expected, "{positives} {rates:?}");
    }
    for (positives, rate) in [("1.234", "0.9"), ("1,234", "0,9"), ("12,34", "0.9"), ("0.234", "90%")] {
        let stderr = run(positives, "10000", [rate, "1900/2000"]).stderr;
        assert!(stderr.starts_with(&format!("error: --positives is '{positives}'")), "{stderr}");
    }
}

#[test]
fn counts_on_the_command_line() {
    let folder = Folder::new();
    assert_snapshot!(folder.stdout(&format!("{TYPED} 0.97")), @"
      n   positives   prevalence       se     95 % interval
    ─────────────────────────────────────────────────────────
    800          35       0.0158   0.0083   0.0018 – 0.0354

    uncertainty: sampling of the tested, and of those behind each rate with a
    denominator
    interval: Lang and Reiczigel (2014), of the prevalence of the population
    sensitivity 90/100, specificity 0.97 (exact)
    ");
    // 97/100 gives the same result as a share with a separate denominator.
    let plain = folder.stdout(&format!("{TYPED} 97/100 --format csv"));
    assert_eq!(folder.stdout(&format!("{TYPED} 97% --specificity-of 100 --format csv")), plain);
    assert_snapshot!(plain, @"
    n,positives,apparent,sensitivity,sensitivity_of,specificity,specificity_of,prevalence,raw,se,lower,upper,level,target,severity,warnings
    800,35,0.04375,0.9,100,0.97,100,0.01580459770114934,0.01580459770114934,0.021120144785856394,0,0.05210377252910134,0.95,population,,
    ");
    let sample = folder.stdout(&format!("{TYPED} 97/100 --target sample --interval wilson --level 0.9"));
    assert!(sample.contains("90 % interval\n") && sample.contains("   0.0000 – 0.0396\n"), "{sample}");
    assert!(sample.contains("\ninterval: Wilson-type, of the share among the tested themselves\n"), "{sample}");
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
    let sorted = herds().stdout("counts --table herds.csv --by herd --sort -prevalence --format jsonl");
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
    let output = |file: &str, rates: &str| folder.stdout(&format!("counts --table {file}.csv {counts} {rates}"));
    let cells = output("cells", "--sensitivity se --specificity sp");
    assert_eq!(output("bare", "--sensitivity 60/100 --specificity 45/50"), cells);
    let columns = "--sensitivity se --specificity sp --sensitivity-of m --specificity-of l";
    assert_eq!(output("columns", columns), cells);
    assert_eq!(output("columns", "--sensitivity 60% --specificity sp --sensitivity-of m --specificity-of 50"), cells);
    assert!(cells.contains(",0.6,100,0.9,50,"), "{cells}");
}

/// A published interval gives the denominator, typed and in a table.
#[test]
fn rates_with_intervals_have_denominators() {
    let folder = Folder::new()
        .file(
            "cells.csv",
            "h,positives,tested,sensitivity,specificity\n1,35,800,66.8% (60.3–72.5),\"97,5 % (91,7-99,3)\"\n",
        )
        .file(
            "comma.csv",
            "h;positives;tested;sensitivity;specificity\n1;35;800;66,8% (60,3-72,5);97,5 % (91,7, 99,3)\n",
        );
    let rates = ["--sensitivity", "66.8% (60.3–72.5)", "--specificity", "97,5 % (91,7-99,3)"];
    let words = "counts --positives 35 --tested 800 --format csv".split(' ').chain(rates);
    let Run { stderr, stdout: plain, .. } = folder.run_words(&words.map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(stderr, "");
    assert!(plain.contains(",0.668,226,0.975,87,"), "{plain}");
    for table in ["cells.csv", "comma.csv --decimal ,"] {
        let output = folder.stdout(&format!("counts --table {table} --by h --format csv"));
        assert_eq!(output.lines().nth(1), plain.lines().nth(1).map(|line| format!("1,{line}")).as_deref());
    }
}

/// The warning names the rates without a denominator.
#[test]
fn exact_rates_are_warned_about() {
    let folder = herds()
        .file("some.csv", "herd,positives,tested,sensitivity,specificity\nA,8,210,0.8,90/100\nB,9,189,80/100,90/100\n");
    let stderr = |arguments: &str| folder.run(arguments).stderr;
    let advice = "give the number of cases behind a rate (97/100) or its published 95 % interval ('97% (91-99)')\n";
    let warning = |exact: &str| format!("warning: the interval may be too narrow: {exact}; {advice}");
    assert_eq!(stderr(&format!("{TYPED} 97%")), warning("the specificity is taken as exact"));
    assert_eq!(stderr(&format!("{TYPED} 97/100")), "");
    let typed = "counts --positives 35 --tested 800 --sensitivity 0.9 --specificity";
    assert_eq!(stderr(&format!("{typed} 97/100")), warning("the sensitivity is taken as exact"));
    assert_eq!(stderr(&format!("{typed} 0.97")), warning("sensitivity and specificity are taken as exact"));
    assert_eq!(stderr(&format!("{typed} 0.97 --interval exact-rates")), "");
    let some = stderr("counts --table some.csv --by herd");
    assert!(some.ends_with(&warning("the sensitivity is taken as exact in some groups")), "{some}");
    let different = "herd,positives,tested,sensitivity,specificity\nA,8,210,60/100,0.9\nB,12,189,0.65,95/100\n";
    let folder = folder.file("different.csv", different);
    let stderr = folder.run("counts --table different.csv --by herd").stderr;
    let both = "the sensitivity is taken as exact in some groups, and the specificity in some groups";
    assert!(stderr.ends_with(&warning(both)), "{stderr}");
}

/// The total is the estimate from the sums of the counts.
#[test]
fn a_total_adds_the_counts() {
    let folder = herds();
    let rates = "--sensitivity 90/100 --specificity 97/100";
    let table = folder.stdout(&format!("counts --table herds.csv --by herd --total {rates}"));
    assert!(table.lines().any(|line| line.starts_with("total   523          27 ")), "{table}");
    let csv = folder.stdout(&format!("counts --table herds.csv --by herd --total {rates} --format csv"));
    let typed = folder.stdout(&format!("counts --positives 27 --tested 523 {rates} --format csv"));
    assert_eq!(csv.lines().last(), typed.lines().nth(1).map(|line| format!(",total,{line}")).as_deref());
}

/// The weights are 210/523, 189/523 and 124/523.
#[test]
fn a_total_of_different_rates_weights_the_groups() {
    let folder = herds();
    let csv = folder.stdout("counts --table herds.csv --by herd --total --format csv");
    let cell = |line: &str, column: usize| line.split(',').nth(column).unwrap().parse::<f64>().unwrap();
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    // With exact rates, the errors of the groups are independent.
    let column = |name: &str| csv.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    let weighted = |name: &str, power: i32| {
        let terms = rows[..3].iter().map(|row| (cell(row, column("n")) / 523.0 * cell(row, column(name))).powi(power));
        terms.sum::<f64>()
    };
    assert!((cell(rows[3], column("raw")) - weighted("raw", 1)).abs() < 1e-15);
    assert!((cell(rows[3], column("se")) - weighted("se", 2).sqrt()).abs() < 1e-15);
    let table = folder.stdout("counts --table herds.csv --by herd --total");
    assert!(
        table.contains("\ntotal: groups weighted by the number tested in each, with an interval from the\n"),
        "{table}"
    );
}

/// A herd that no share explains makes the total unreliable, and rates of few cases mark it.
#[test]
fn a_total_inherits_the_marks_of_its_groups() {
    let table = "herd,positives,tested,specificity\na,1,900,970/1000\nb,300,900,970/1000\n";
    let folder = Folder::new()
        .file("herds.csv", table)
        .file("few.csv", "herd,positives,tested,specificity\na,90,900,97/100\nb,300,900,8/8\n");
    let counts = |table: &str| folder.run(&format!("counts --table {table} --by herd --sensitivity 90/100 --total"));
    let run = counts("herds.csv");
    assert!(run.stdout.lines().any(|line| line.starts_with("total ") && line.ends_with(" †")), "{}", run.stdout);
    assert!(
        run.stderr.contains("do not rely on this total: groups without a reliable estimate have 50.0 % of its weight")
    );
    let run = counts("few.csv");
    assert!(run.stdout.lines().any(|line| line.starts_with("total ") && line.ends_with(" †")), "{}", run.stdout);
}

#[test]
fn groups_are_compared() {
    let folder = herds();
    let compared = "counts --table herds.csv --by herd --sensitivity 90/100 --specificity 97/100 --compare";
    assert_snapshot!(folder.stdout(compared), @"
    herd     n   positives   prevalence       se     95 % interval
    ────────────────────────────────────────────────────────────────
    A      210           8       0.0093   0.0248   0.0000 – 0.0605
    B      189          12       0.0385   0.0279   0.0000 – 0.0966
    C      124           7       0.0304   0.0306   0.0000 – 0.1004

    Differences, with 95 % intervals:
    herd   reference   difference            interval   ratio   interval   p (Holm)
    ───────────────────────────────────────────────────────────────────────────────
    B      A              +0.0292   -0.0155 – +0.0782    4.14   0.00 – ∞     0.5999
    C      A              +0.0211   -0.0238 – +0.0821    3.27   0.00 – ∞     0.7138
    C      B              -0.0081   -0.0610 – +0.0559    0.79   0.00 – ∞     0.8042

    uncertainty: sampling of the tested, and of those behind each rate with a
    denominator
    interval: Lang and Reiczigel (2014), of the prevalence of the population
    sensitivity 90/100, specificity 97/100
    B: 2.9 points more than A (-1.5 to 7.8), which may be chance
    ∞: the reference prevalence may be 0, so the ratio has no upper limit
    ");
}

/// Rows without a count or a rate are an error that counts them, or are left out.
#[test]
fn rows_without_a_value_are_counted_or_left_out() {
    let complete = "herd,positives,tested,sensitivity,specificity\nA,8,210,60/100,90/100\n";
    let folder = Folder::new()
        .file("complete.csv", complete)
        .file("gaps.csv", format!("{complete}B,,189,65/100,95/100\nC,7,NA,70/100,99/100\nD,7,124,,99/100\n"));
    let refused = folder.run("counts --table gaps.csv --by herd");
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.starts_with("error: gaps.csv, column 'positives': 1 of 4 rows"), "{}", refused.stderr);
    let dropped = folder.run("counts --table gaps.csv --by herd --missing drop");
    assert_eq!(dropped.stdout, folder.stdout("counts --table complete.csv --by herd"));
    let columns: Vec<&str> =
        dropped.stderr.lines().filter_map(|line| line.strip_prefix("warning: left out: gaps.csv, column ")).collect();
    assert_eq!(
        columns.iter().map(|line| line.split(':').next().unwrap()).collect::<Vec<_>>(),
        ["'positives'", "'tested'", "'sensitivity'"],
        "{}",
        dropped.stderr
    );
    // A group without a rate has no part in comparisons.
    let folder = folder.file(
        "rates.csv",
        "herd,positives,tested,sensitivity,specificity\nA,28,210,0.6,0.9\nB,12,189,,0.95\nC,7,124,0.7,0.99\n",
    );
    let compared = folder.stdout("counts --table rates.csv --by herd --missing drop --compare --total --format jsonl");
    let rows: Vec<serde_json::Value> = compared.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<Option<&str>> = rows.iter().map(|row| row["group"]["herd"].as_str()).collect();
    assert_eq!(names, [Some("A"), Some("C"), None, Some("C")]);
}

/// The page has the total as the answer, the groups, the differences, and what reproduces it.
#[test]
fn a_page_reports_the_counts() {
    let folder = herds();
    let page = |arguments: &str, names: &str| {
        let plain = folder.stdout(&format!("counts {arguments}"));
        let run = folder.run(&format!("counts {arguments} --report page.html{names}"));
        assert_eq!((run.code, run.stdout), (0, plain), "{}", run.stderr);
        assert!(run.stderr.starts_with("wrote page.html\n"), "{}", run.stderr);
        let page = folder.read("page.html");
        let text = words(&page);
        let shown = text[..text.find(" How to reproduce").unwrap()].replace(". ", ".\n");
        (page, shown)
    };
    let rates = "--sensitivity 90/100 --specificity 97/100";
    let (source, text) =
        page(&format!("--table herds.csv --by herd --compare {rates}"), " --items cows --positive-name infected");
    assert!(source.contains("<code>truecount counts --table herds.csv --by herd"), "{source}");
    assert_eq!(source.matches("<svg").count(), 2);
    assert_snapshot!(text, @"
    An estimated 2.5 % (95 % interval 0.0 to 6.5 %) of the population that the 523 cows were drawn from are infected.
    How many of the cows are infected ? 26 November 2026, from “herds.csv” An estimated 2.5 % (95 % interval 0.0 to 6.5 %) of the population that the 523 cows were drawn from are infected.
    27 of the 523 cows had a positive result; uncorrected share: 5.2 %.
    Standard error 2.2 points.
    In 95 of 100 such studies the interval covers the true share.
    By herd Figure 1.
    Estimated share of the cows that are infected by herd, with 95 % intervals.
    herd n positives prevalence (%) se (%) 95 % interval (%) A 210 8 0.93 2.48 0.00 – 6.05 B 189 12 3.85 2.79 0.00 – 9.66 C 124 7 3.04 3.06 0.00 – 10.04 Differences, with 95 % intervals: herd reference difference (points) interval (points) ratio interval p (Holm) B A +2.92 −1.55 – +7.82 4.14 0.00 – ∞ 0.5999 C A +2.11 −2.38 – +8.21 3.27 0.00 – ∞ 0.7138 C B −0.81 −6.10 – +5.59 0.79 0.00 – ∞ 0.8042 uncertainty: sampling of the tested, and of those behind each rate with a denominator interval: Lang and Reiczigel (2014), of the prevalence of the population sensitivity 90/100, specificity 97/100 B: 2.9 points more than A (-1.5 to 7.8), which may be chance ∞: the reference prevalence may be 0, so the ratio has no upper limit What this rests on: the assumption The estimate assumes that the test has the given sensitivity among those of the cows that are infected, and the given specificity among the others.
    Counts alone cannot show whether it does.
    Where it does not, estimates are off by more than their intervals say.
    ");
    let (_, text) = page(&format!("--positives 35 --tested 800 {rates}"), "");
    assert_snapshot!(text, @"
    An estimated 1.6 % (95 % interval 0.0 to 5.2 %) of the population that the 800 tested were drawn from are truly positive.
    How many of the tested are truly positive ? 26 November 2026 An estimated 1.6 % (95 % interval 0.0 to 5.2 %) of the population that the 800 tested were drawn from are truly positive.
    35 of the 800 tested had a positive result; uncorrected share: 4.4 %.
    Standard error 2.1 points.
    In 95 of 100 such studies the interval covers the true share.
    The estimate Figure 1.
    Where 1.6 % are positive, the classifier counts 4.4 %: 1.4 % true positives and 3.0 % false alarms.
    n positives prevalence (%) se (%) 95 % interval (%) 800 35 1.58 2.11 0.00 – 5.21 uncertainty: sampling of the tested, and of those behind each rate with a denominator interval: Lang and Reiczigel (2014), of the prevalence of the population sensitivity 90/100, specificity 97/100 What this rests on: the assumption The estimate assumes that the test has the given sensitivity among those of the tested that are truly positive, and the given specificity among the others.
    Counts alone cannot show whether it does.
    Where it does not, estimates are off by more than their intervals say.
    ");
    let months: Vec<String> = (1..=6).map(|month| format!("2025-0{month},{},210", 10 * month)).collect();
    let folder = folder.file("months.csv", format!("month,positives,tested\n{}\n", months.join("\n")));
    folder.run_ok(&format!("counts --table months.csv --by month {rates} --report months.html"));
    let page = folder.read("months.html");
    assert!(page.contains("intervals against time"), "{page}");
}

/// The usual note names a total row at the end of the table.
#[test]
fn a_total_row_is_named() {
    let folder = Folder::new().file("t.csv", format!("{HERDS}Total,27,523,0.65,0.95\n"));
    let Run { stderr, .. } = folder.run("counts --table t.csv --by herd --interval exact-rates");
    assert!(stderr.contains("note: the last group is 'Total'; if it is a total row, remove the row"), "{stderr}");
}

#[test]
fn every_format_is_read_and_written() {
    let folder = herds().file("herds.tsv", HERDS.replace(',', "\t")).file("herds.csv.gz", gzip(HERDS));
    let plain = folder.stdout("counts --table herds.csv --by herd --format csv");
    for file in ["herds.tsv", "herds.csv.gz"] {
        assert_eq!(folder.stdout(&format!("counts --table {file} --by herd --format csv")), plain, "{file}");
    }
    let piped = folder.run_with("counts --table - --by herd --format csv", HERDS);
    assert_eq!(piped.stdout, plain);
    // The output has the columns that the command reads.
    folder.run_ok("counts --table herds.csv --by herd --output herds.parquet");
    assert_eq!(folder.stdout("counts --table herds.parquet --by herd --tested n --format csv"), plain);
    assert_snapshot!(folder.stdout("counts --table herds.csv --by herd --format markdown").lines().take(3).collect::<Vec<_>>().join("\n"), @r"
    | herd | n | positives | prevalence | se | 95 % interval |
    |---|---:|---:|---:|---:|---:|
    | A | 210 | 8 | 0.0000 | 0.0414 | 0.0000 – 0.0024 † |
    ");
    let object = folder.json(&format!("{TYPED} 97/100"));
    assert_eq!(object["interval"], "lang-reiczigel");
    assert_eq!(object["target"], "population");
    assert_eq!(object["accounts_for"], "sampling of the tested, and of those behind each rate with a denominator");
    assert_eq!(object["counts"][0]["sensitivity_of"], 100);
}

/// The table's own denominators are read, so that the output of the command is input again. A row
/// without a denominator has an exact rate.
#[test]
fn denominators_come_from_the_table() {
    let columns = "x,n,sensitivity,sensitivity_of,specificity,specificity_of";
    let folder = Folder::new()
        .file("both.csv", format!("h,{columns}\na,35,800,0.9,100,0.97,100\nb,35,800,0.9,,0.97,\n"))
        .file(
            "both.jsonl",
            "{\"h\":\"a\",\"x\":35,\"n\":800,\"sensitivity\":0.9,\"sensitivity_of\":100,\"specificity\":0.97,\
             \"specificity_of\":100}\n{\"h\":\"b\",\"x\":35,\"n\":800,\"sensitivity\":0.9,\"specificity\":0.97}\n",
        )
        .file("exact.jsonl", "{\"h\":\"b\",\"x\":35,\"n\":800,\"sensitivity\":0.9,\"specificity\":0.97}\n")
        .file("exact.csv", "h,x,n,sensitivity,specificity\nb,35,800,0.9,0.97\n");
    let counts = "--positives x --tested n --by h";
    let plain = folder.stdout(&format!("counts --table both.csv {counts} --format csv"));
    assert_snapshot!(plain, @"
    h,n,positives,apparent,sensitivity,sensitivity_of,specificity,specificity_of,prevalence,raw,se,lower,upper,level,target,severity,warnings
    a,800,35,0.04375,0.9,100,0.97,100,0.01580459770114934,0.01580459770114934,0.021120144785856394,0,0.05210377252910134,0.95,population,,
    b,800,35,0.04375,0.9,,0.97,,0.01580459770114934,0.01580459770114934,0.008312095161929689,0.0016772624510979356,0.03494426000600457,0.95,population,,
    ");
    let rows: Vec<&str> = plain.lines().collect();
    for table in ["both.jsonl", "exact.csv", "exact.jsonl"] {
        let output = folder.stdout(&format!("counts --table {table} {counts} --format csv"));
        let expected = if table == "both.jsonl" { &rows[1..] } else { &rows[2..] };
        assert_eq!(output.lines().skip(1).collect::<Vec<_>>(), expected, "{table}");
    }
    // The output in every format, with and without denominators.
    for format in ["csv", "jsonl", "parquet"] {
        let write = format!("counts --table both.csv {counts} --output written.{format}");
        folder.run_ok(&write);
        let read = if format == "jsonl" { "--by group.h" } else { "--by h" };
        let output = folder.stdout(&format!("counts --table written.{format} --tested n {read} --format csv"));
        assert_eq!(output.lines().skip(1).collect::<Vec<_>>(), rows[1..], "{format}");
    }
    // Typed rates replace those of the table, with their denominators.
    let typed = "--sensitivity 90/100 --specificity 0.97";
    let output = folder.stdout(&format!("counts --table both.csv {counts} {typed} --format csv"));
    assert!(output.lines().skip(1).all(|line| line.contains(",0.9,100,0.97,,")), "{output}");
    let named = "--sensitivity-of sensitivity_of --specificity-of specificity_of";
    assert_eq!(folder.stdout(&format!("counts --table both.csv {counts} {named} --format csv")), plain);
}

/// Infants with Down syndrome by birth order and age of the mother (Fleiss 1981, p. 249), standardised to the
/// ages of all mothers: the rates per 100,000 of Fay and Feuer (1997, Table 1), as R's epitools computes
/// them. The standard error is the root of the sum of w²p(1 − p)/n.
#[test]
fn published_rates_are_standardised() {
    let ages = ["<20", "20-24", "25-29", "30-34", "35-39", "40+"];
    let mothers = [319_933, 931_318, 786_511, 488_235, 237_863, 61_313];
    let first = ([107, 141, 60, 40, 39, 25], [230_061, 329_449, 114_920, 39_487, 14_208, 3052]);
    let fifth = ([0, 8, 63, 112, 262, 295], [327, 30_666, 123_419, 149_919, 104_088, 34_392]);
    let (mut standard, mut table) = ("age,size\n".to_owned(), "age,order,positives,tested\n".to_owned());
    for (row, age) in ages.into_iter().enumerate() {
        writeln!(standard, "{age},{}", mothers[row]).unwrap();
        for (order, (infants, births)) in [("1", first), ("5+", fifth)] {
            writeln!(table, "{age},{order},{},{}", infants[row], births[row]).unwrap();
        }
    }
    let folder = Folder::new().file("standard.csv", standard).file("births.csv", table);
    let counts = "counts --table births.csv --by order,age --sensitivity 1 --specificity 1 --standardise standard.csv";
    let printed = folder.json(counts);
    let number = |row: &serde_json::Value, name: &str| 1e5 * row[name].as_f64().unwrap();
    for (row, expected) in [(0, [56.3, 92.3, 6.248_068_751_869]), (1, [167.1, 75.5, 4.099_700_769_850])] {
        let row = &printed["standardised"][row];
        let [crude, share, se] = ["crude", "raw", "se"].map(|name| number(row, name));
        assert!((crude - expected[0]).abs() < 0.05 && (share - expected[1]).abs() < 0.05, "{row}");
        assert!((se - expected[2]).abs() < 1e-10, "{row}");
    }
    assert_snapshot!(folder.run(counts).stdout.split_once("\n\n").unwrap().1, @r"
    Shares, crude and standardised to the standard population of standard.csv:
    order        n    crude     95 % interval   standardised     95 % interval
    ────────────────────────────────────────────────────────────────────────────
    1       731177   0.0006   0.0005 – 0.0006         0.0009   0.0008 – 0.0011
    5+      442811   0.0017   0.0016 – 0.0018         0.0008   0.0007 – 0.0021

    uncertainty: sampling of the tested, and of those behind each rate with a
    denominator
    interval: Lang and Reiczigel (2014), of the prevalence of the population
    sensitivity 1 (exact), specificity 1 (exact)
    standardised: for the standard population of standard.csv, with an interval from
    the Wilson intervals of all counts and rates
    ");
}
