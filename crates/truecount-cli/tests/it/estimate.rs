//! `truecount estimate` on the spam data, and its input and output formats.

use crate::common::{Folder, csv_rows, spam};
use std::collections::HashMap;
use truecount::Method;

const WEEKS: &str = "estimate --train train.csv --test weeks.csv --by week";

fn number(row: &HashMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap()
}

/// A method's estimate of a week's share of spam, and the true share.
type Week = (HashMap<String, String>, f64);

/// Returns the estimates of the 24 weeks by each method.
fn weeks<const N: usize>(methods: [&str; N]) -> [Vec<Week>; N] {
    let truth = csv_rows(&spam("truth.csv"));
    let truth: HashMap<_, _> = truth.iter().map(|row| (&row["week"], number(row, "prevalence"))).collect();
    let rows = csv_rows(&Folder::with_spam().stdout(&format!("{WEEKS} --method {} --format csv", methods.join(","))));
    methods.map(|method| {
        let rows = rows.iter().filter(|row| row["method"] == method);
        assert_eq!(rows.clone().count(), 24);
        rows.map(|row| (row.clone(), truth[&row["week"]])).collect()
    })
}

fn mean_error(weeks: &[Week]) -> f64 {
    weeks.iter().map(|(row, truth)| (number(row, "prevalence") - truth).abs()).sum::<f64>() / 24.0
}

fn covered(weeks: &[Week]) -> usize {
    weeks.iter().filter(|(row, truth)| (number(row, "lower")..=number(row, "upper")).contains(truth)).count()
}

/// Checks the mean absolute error over the 24 weeks and the number of intervals that cover the truth.
#[test]
fn errors_and_coverage_on_the_spam_data() {
    let by_method = weeks(["o-cs", "t-cs", "cc", "ac"]);
    let expected = [(0.0194, 20), (0.0244, 19), (0.0346, 11), (0.0135, 22)];
    for (weeks, (error, coverage)) in by_method.iter().zip(expected) {
        let (method, mean) = (&weeks[0].0["method"], mean_error(weeks));
        assert!((mean - error).abs() < 5e-5, "{method}: {mean}");
        assert_eq!(covered(weeks), coverage, "{method}");
    }
}

/// The README fits a page, and its numbers are those of the command.
#[test]
fn the_readme_is_short_and_up_to_date() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    assert!(readme.lines().count() <= 100, "the README is longer than a page: {} lines", readme.lines().count());
    let [counted, estimated] = weeks(["cc", "es"]);
    for ((counted, _), (row, truth)) in counted.iter().zip(&estimated).step_by(4) {
        let shown = format!(
            "| {} | {} | {:.3} | **{:.3}** | {:.3} – {:.3} | {:.3} |",
            row["week"],
            row["n"],
            number(counted, "prevalence"),
            number(row, "prevalence"),
            number(row, "lower"),
            number(row, "upper"),
            truth
        );
        assert!(readme.contains(&shown), "the README has not\n{shown}");
    }
    let sentence = format!(
        "Over all 24 weeks the filter's count is off by {:.3} on average and truecount by {:.3}; {} of its 24 \
         intervals cover the truth.",
        mean_error(&counted),
        mean_error(&estimated),
        covered(&estimated)
    );
    assert!(readme.contains(&sentence), "the README has not\n{sentence}");
}

#[test]
fn the_table_fits_a_terminal() {
    let folder = Folder::with_spam();
    for options in ["", "--method all"] {
        let run = folder.run_ok(&format!("{WEEKS} {options}"));
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= 80 && *line == line.trim_end()));
        // Groups are in order, and decimal points are aligned.
        let weeks: Vec<&str> = lines.iter().copied().filter(|line| line.starts_with("2026-W")).collect();
        assert_eq!(weeks.len(), if options.is_empty() { 24 } else { 24 * Method::ALL.len() });
        assert!(weeks.is_sorted_by_key(|line| &line[..8]));
        assert!(weeks.iter().all(|line| line.find('.') == weeks[0].find('.')));
        assert!(run.stdout.contains("uncertainty: sampling of the new and the labelled rows\n"));
        let details = "es: information 3.1144, bins 65, smoothing 10000\n";
        assert!(!run.stdout.contains(details));
        assert!(folder.run(&format!("{WEEKS} {options} --verbose")).stdout.contains(details));
        // A family is mentioned only if one is fitted.
        let labelled = "634 positive and 966 negative scores\n";
        let fitted = "o-cs: max J 0.7895 at -0.17, threshold 0.6183, region [-3.21, 2.75]\n";
        assert_eq!(run.stdout.contains(&format!("\nfitted to {labelled}")), options.is_empty());
        assert_eq!(run.stdout.contains(&format!("fitted: normal distributions to {labelled}")), !options.is_empty());
        let verbose = folder.run(&format!("{WEEKS} {options} --verbose"));
        assert_eq!(verbose.stdout.contains(fitted), !options.is_empty());
    }
    let run = folder.run(&format!("{WEEKS} --method all --family auto --transform rank"));
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
    let run = folder.run(&format!("{WEEKS} --method o-cs --family auto"));
    assert!(run.stdout.contains("fitted: kernel distributions to "));
}
