//! One line per estimate, every digit.

use super::Report;
use std::io::{self, Write};
use truecount::Uncertainty;

/// What follows the grouping columns; the effective number only with weights.
pub fn columns(weighted: bool) -> Vec<&'static str> {
    let columns = ["method", "n", "n_eff", "prevalence", "raw", "se", "lower", "upper", "level", "warnings"];
    columns.into_iter().filter(|column| weighted || *column != "n_eff").collect()
}

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(report.keys.columns().chain(columns(report.weighted())))?;
    let texts = report.keys.texts();
    for row in &report.rows {
        let e = &row.estimate;
        let uncertain = |of: fn(&Uncertainty) -> f64| e.uncertainty.as_ref().map(of);
        let (se, lower, upper) = (uncertain(|u| u.se), uncertain(|u| u.lower), uncertain(|u| u.upper));
        // What has no formula is an empty cell.
        let shares = [Some(e.prevalence), Some(e.raw), se, lower, upper, Some(e.level)]
            .map(|share| share.map_or_else(String::new, digits));
        let warnings: Vec<String> = e.warnings.iter().map(ToString::to_string).collect();
        let cells = texts.of(row.group);
        let cells =
            cells.chain([row.method.to_string(), e.n.to_string()]).chain(e.effective_n.map(digits)).chain(shares);
        writer.write_record(cells.chain([warnings.join("; ")]))?;
    }
    writer.flush()
}

/// Every digit, with an exponent where there are many zeros before them.
pub fn digits(x: f64) -> String {
    if x == 0.0 || (1e-5..1e16).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}
