//! The wide table of all estimates.

use crate::failure::CliError;
use std::path::Path;
use truecount_analysis::evaluation::SampleEstimates;
use truecount_analysis::results::all_digits;
use truecount_tables::whole_file;

/// Writes the wide table of all estimates, every digit, which `--estimates` reads. It holds the sizes if all are
/// known.
///
/// # Errors
/// If the file cannot be written.
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

/// The index of the method with this name; the first if none is given.
pub fn reference(names: &[impl AsRef<str>], against: Option<&str>) -> Result<usize, CliError> {
    let Some(name) = against else { return Ok(0) };
    names.iter().position(|known| known.as_ref() == name).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        CliError::Usage(format!("--reference {name} is none of the methods evaluated: {}", known.join(", ")))
    })
}

/// The names of the columns of a method's interval.
pub fn interval_columns(method: &str) -> [String; 2] {
    ["lower", "upper"].map(|end| format!("{method}_{end}"))
}
