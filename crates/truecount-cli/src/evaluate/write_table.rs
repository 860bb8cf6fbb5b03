//! Writes the wide table of all estimates.

use crate::error::CliError;
use std::path::Path;
use truecount_analysis::evaluation::SampleEstimates;
use truecount_analysis::results::all_digits;
use truecount_tables::whole_file;

/// Writes the wide table of all estimates with all digits, as `--estimates` reads it. The table has
/// the sample sizes if all of them are known.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write(evaluated: &SampleEstimates, path: &Path) -> Result<(), CliError> {
    let sizes: Option<Vec<u64>> = evaluated.samples.iter().map(|sample| sample.n).collect();
    let mut header = vec!["sample".to_owned()];
    header.extend(sizes.as_ref().map(|_| "n".to_owned()));
    header.push("truth".to_owned());
    for method in &evaluated.methods {
        header.push(method.name.clone());
        header.extend(method.intervals.iter().flat_map(|_| interval_columns(&method.name)));
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).expect("memory has room");
    for (i, sample) in evaluated.samples.iter().enumerate() {
        let mut cells = vec![sample.id.clone()];
        cells.extend(sizes.as_ref().map(|sizes| sizes[i].to_string()));
        cells.push(all_digits(sample.truth));
        for method in &evaluated.methods {
            cells.push(all_digits(method.estimates[i]));
            cells.extend(method.intervals.iter().flat_map(|intervals| intervals[i].map(all_digits)));
        }
        writer.write_record(cells).expect("memory has room");
    }
    Ok(whole_file::write(path, &writer.into_inner().expect("memory has room"))?)
}

/// Names of the columns with the limits of a method's intervals.
pub fn interval_columns(method: &str) -> [String; 2] {
    ["lower", "upper"].map(|limit| format!("{method}_{limit}"))
}
