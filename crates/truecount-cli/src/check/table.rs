//! The checks for people: a row a group, a row for each family and class, and what it means.

use super::words;
use super::{Report, families::Fit};
use crate::output::{aligned, short_p, visible, wrapped};
use indexmap::IndexMap;
use std::io::{self, Write};
use truecount::check::Verdict;

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut lines = Vec::new();
    if !report.checked.is_empty() {
        lines.extend(groups(report));
        lines.push(String::new());
    }
    if report.families.iter().any(|fit| fit.found.is_ok()) {
        lines.extend(families(&report.families));
        lines.push(String::new());
    }
    for text in left_out(&report.families).into_iter().chain(words::meaning(report)) {
        lines.extend(wrapped(&text));
    }
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn groups(report: &Report) -> Vec<String> {
    let several = report.checked.len() > 1;
    let mut header: Vec<String> = report.columns.iter().map(|column| visible(column).into_owned()).collect();
    let left = header.len();
    header.extend(["n", "statistic", "p"].map(str::to_owned));
    if several {
        header.push("p (Holm)".to_owned());
    }
    header.push("too many".to_owned());
    let rows = report.groups().map(|(values, checked)| {
        let mut cells: Vec<String> = values.iter().map(|value| visible(value).into_owned()).collect();
        cells.extend([
            checked.shift.n.to_string(),
            format!("{:.2}", checked.shift.statistic),
            short_p(checked.shift.p_value),
        ]);
        if several {
            cells.push(short_p(checked.adjusted));
        }
        cells.push(match checked.verdict() {
            Verdict::Mixture => String::new(),
            Verdict::Doubtful | Verdict::NoMixture => checked.worst.to_string(),
        });
        cells
    });
    aligned(header, rows, left)
}

fn families(fits: &[Fit]) -> Vec<String> {
    let header = ["class", "family", "n", "W²", "p"].map(str::to_owned).to_vec();
    let rows = fits.iter().filter_map(|fit| {
        let found = fit.found.as_ref().ok()?;
        let statistic = format!("{:.3}", found.goodness.statistic());
        Some(vec![fit.class.to_string(), fit.family.to_string(), fit.n.to_string(), statistic, short_p(found.p_value)])
    });
    aligned(header, rows, 2)
}

/// Why families are not in the table, once for each.
fn left_out(fits: &[Fit]) -> Vec<String> {
    let mut reasons: IndexMap<String, String> = IndexMap::new();
    for fit in fits {
        if let Err(error) = &fit.found {
            reasons.entry(fit.family.to_string()).or_insert_with(|| error.to_string());
        }
    }
    reasons.into_iter().map(|(family, reason)| format!("left out, {family}: {reason}")).collect()
}
