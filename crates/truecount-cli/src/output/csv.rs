//! One line per estimate, every digit.

use super::Report;
use crate::failure::Failure;

const COLUMNS: [&str; 9] = ["method", "n", "prevalence", "raw", "se", "lower", "upper", "level", "warnings"];

pub fn render(report: &Report) -> Result<String, Failure> {
    if let Some(column) = report.columns.iter().find(|column| COLUMNS.contains(&column.as_str())) {
        return Err(Failure::Usage(format!(
            "--by {column} and --format csv would give two columns called '{column}'; \
             rename that column, or use --format json"
        )));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = Failure::at::<csv::Error>("CSV output");
    let mut write = || -> Result<(), csv::Error> {
        writer.write_record(report.columns.iter().map(String::as_str).chain(COLUMNS))?;
        for row in &report.rows {
            let e = &row.estimate;
            let shares = [e.prevalence, e.raw, e.se, e.lower, e.upper, e.level].map(|share| share.to_string());
            let warnings: Vec<String> = e.warnings.iter().map(ToString::to_string).collect();
            let cells = report.values(row).iter().cloned();
            let cells = cells.chain([row.method.to_string(), e.n.to_string()]).chain(shares);
            writer.write_record(cells.chain([warnings.join("; ")]))?;
        }
        Ok(())
    };
    write().map_err(failed)?;
    let bytes = writer.into_inner().map_err(|e| Failure::Data(e.to_string()))?;
    Ok(String::from_utf8(bytes).expect("text was written"))
}
