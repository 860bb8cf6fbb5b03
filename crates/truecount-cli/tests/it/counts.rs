//! `truecount counts`: counts from the command line and from tables of every format, the footer,
//! and errors.

use crate::common::{Folder, gzip};
use crate::report::words;
use insta::assert_snapshot;
use std::fmt::Write;

/// The three herds of epiR's help page.
const HERDS: &str =
    "herd,positives,tested,sensitivity,specificity\nA,8,210,0.60,0.90\nB,12,189,0.65,0.95\nC,7,124,0.70,0.99\n";

fn herds() -> Folder {
    Folder::new().file("herds.csv", HERDS)
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
    herd tested positive results estimate 95 % interval s.e.
    (points) uncorrected share A 210 8 0.9 % 0.0 to 6.1 % 2.48 3.8 % B 189 12 3.8 % 0.0 to 9.7 % 2.79 6.3 % C 124 7 3.0 % 0.0 to 10.0 % 3.06 5.6 % all together 523 27 2.5 % 0.0 to 6.5 % 2.22 5.2 % Differences, with 95 % intervals: herd reference difference (points) interval (points) ratio interval p (Holm) B A +2.92 −1.55 – +7.82 4.14 0.00 – ∞ 0.5999 C A +2.11 −2.38 – +8.21 3.27 0.00 – ∞ 0.7138 C B −0.81 −6.10 – +5.59 0.79 0.00 – ∞ 0.8042 uncertainty: sampling of the tested, and of those behind each rate with a denominator interval: Lang and Reiczigel (2014), of the prevalence of the population sensitivity 90/100, specificity 97/100 B: 2.9 points more than A (−1.5 to 7.8), which may be chance ∞: the reference prevalence may be 0, so the ratio has no upper limit What this rests on: the assumption The estimate assumes that the test has the given sensitivity among those of the cows that are infected, and the given specificity among the others.
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
    tested positive results estimate 95 % interval s.e.
    (points) uncorrected share 800 35 1.6 % 0.0 to 5.2 % 2.11 4.4 % uncertainty: sampling of the tested, and of those behind each rate with a denominator interval: Lang and Reiczigel (2014), of the prevalence of the population sensitivity 90/100, specificity 97/100 What this rests on: the assumption The estimate assumes that the test has the given sensitivity among those of the tested that are truly positive, and the given specificity among the others.
    Counts alone cannot show whether it does.
    Where it does not, estimates are off by more than their intervals say.
    ");
    let months: Vec<String> = (1..=6).map(|month| format!("2025-0{month},{},210", 10 * month)).collect();
    let folder = folder.file("months.csv", format!("month,positives,tested\n{}\n", months.join("\n")));
    folder.run_ok(&format!("counts --table months.csv --by month {rates} --report months.html"));
    let page = folder.read("months.html");
    assert!(page.contains("intervals against time"), "{page}");
}

#[test]
fn every_format_is_read() {
    let folder = herds().file("herds.tsv", HERDS.replace(',', "\t")).file("herds.csv.gz", gzip(HERDS));
    let plain = folder.stdout("counts --table herds.csv --by herd --format csv");
    for file in ["herds.tsv", "herds.csv.gz"] {
        assert_eq!(folder.stdout(&format!("counts --table {file} --by herd --format csv")), plain, "{file}");
    }
    let piped = folder.run_with("counts --table - --by herd --format csv", HERDS);
    assert_eq!(piped.stdout, plain);
}

/// Infants with Down syndrome by birth order and age of the mother (Fleiss 1981, p. 249), and the ages of all mothers.
pub fn births() -> Folder {
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
    Folder::new().file("standard.csv", standard).file("births.csv", table)
}

/// Standardised to the ages of all mothers: the rates per 100,000 of Fay and Feuer (1997, Table 1), as R's epitools
/// computes them. The standard error is the root of the sum of w²p(1 − p)/n.
#[test]
fn published_rates_are_standardised() {
    let folder = births();
    let counts = "counts --table births.csv --by order,age --sensitivity 1 --specificity 1 --standardise standard.csv";
    let printed = folder.json(counts);
    let number = |row: &serde_json::Value, name: &str| 1e5 * row[name].as_f64().unwrap();
    for (row, expected) in [(0, [56.3, 92.3, 6.248_068_751_869]), (1, [167.1, 75.5, 4.099_700_769_850])] {
        let row = &printed["standardised"][row];
        let [crude, share, se] = ["crude", "raw", "se"].map(|name| number(row, name));
        assert!((crude - expected[0]).abs() < 0.05 && (share - expected[1]).abs() < 0.05, "{row}");
        assert!((se - expected[2]).abs() < 1e-10, "{row}");
    }
}
