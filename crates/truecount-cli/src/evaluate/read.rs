//! Estimates from a wide table: one row per sample, one column per method.

use super::wide::interval_columns;
use super::{Evaluate, reference};
use crate::failure::CliError;
use crate::progress::ProgressBars;
use std::collections::HashMap;
use std::path::Path;
use truecount_analysis::evaluation::{MethodEstimates, SampleEstimates, SampleTruth};
use truecount_tables::input::{self, TextTable};

/// Columns that are never methods, besides that of the truth. Either name can label samples.
const SAMPLE: [&str; 2] = ["sample", "id"];
const SIZE: &str = "n";
const TRUTH: &str = "truth";

/// Where a method's numbers are.
struct EstimateColumns {
    estimate: usize,
    interval: Option<[usize; 2]>,
}

pub fn estimates(path: &Path, args: &Evaluate) -> Result<SampleEstimates, CliError> {
    let decimal = args.columns.get().decimal;
    let mut table = input::open_table(path, decimal, &ProgressBars)?;
    let truth = args.truth.as_deref().unwrap_or(TRUTH);
    let truth_column = table.column(truth)?;
    let optional = |name: &str| table.header().iter().any(|c| c == name).then(|| table.column(name)).transpose();
    let [sample, id] = SAMPLE.map(optional);
    let (sample, size) = (sample?, optional(SIZE)?);
    let sample = sample.or(id?);
    if size.is_some() && args.size.is_some() {
        return Err(CliError::Usage(format!(
            "{} has the sizes of its samples in the column n: leave out --size",
            table.name()
        )));
    }
    let names = methods(&table, truth, args.train.typed_methods())?;
    reference(&names, args.reference.as_deref())?;
    let columns = names.iter().map(|name| columns(&table, name)).collect::<Result<Vec<_>, _>>()?;
    if decimal.is_none() {
        table.see_decimal(&[truth_column].into_iter().chain(columns.iter().map(|of| of.estimate)).collect::<Vec<_>>());
    }
    let mut methods: Vec<MethodEstimates> = names
        .into_iter()
        .zip(&columns)
        .map(|(name, columns)| MethodEstimates {
            name,
            estimates: Vec::new(),
            intervals: columns.interval.map(|_| Vec::new()),
        })
        .collect();
    let mut samples = Vec::new();
    let mut lines: HashMap<String, u64> = HashMap::new();
    while table.advance()? {
        let id = match sample {
            Some(column) => table.text(column)?.to_owned(),
            None => samples.len().to_string(),
        };
        if let (Some(column), Some(first)) = (sample, lines.insert(id.clone(), table.line())) {
            let what = format!("is '{id}', as that of line {first}; every sample has one row");
            return Err(table.wrong(column, &what).into());
        }
        let n = size.map(|column| count(&table, column)).transpose()?.or(args.size.map(u64::from));
        samples.push(SampleTruth { id, n, truth: share(&table, truth_column, "correct it or remove the row")? });
        for (method, columns) in methods.iter_mut().zip(&columns) {
            method.estimates.push(share(&table, columns.estimate, NO_ESTIMATE)?);
            if let (Some(intervals), Some(ends)) = (&mut method.intervals, columns.interval) {
                intervals.push(interval(&table, ends)?);
            }
        }
    }
    if samples.is_empty() {
        return Err(table.without_rows().into());
    }
    Ok(SampleEstimates { samples, methods, design: None, checks: None })
}

/// The methods' names: those asked for, or all columns without another meaning.
fn methods(table: &TextTable, truth: &str, asked: &[String]) -> Result<Vec<String>, CliError> {
    let header = table.header();
    let other = |name: &str| SAMPLE.contains(&name) || [SIZE, truth].contains(&name);
    if !asked.is_empty() {
        let mut names: Vec<String> = Vec::new();
        for name in asked.iter().map(|name| name.trim()) {
            if other(name) {
                return Err(CliError::Usage(format!(
                    "--method {name} is no method but another column of {}",
                    table.name()
                )));
            }
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        return Ok(names);
    }
    if let Some(place) = header.iter().position(String::is_empty) {
        let what =
            format!("column {} has no name; call it 'sample' if it numbers the samples, or remove it", place + 1);
        return Err(CliError::Data(format!("{}: {what}", table.name())));
    }
    if truth != TRUTH && header.iter().any(|name| name == TRUTH) {
        return Err(CliError::Usage(format!(
            "--truth is {truth}, but {} has a column '{TRUTH}' too, which would be taken for a method: name the methods with --method",
            table.name()
        )));
    }
    let is_end = |name: &String| header.iter().any(|method| !other(method) && interval_columns(method).contains(name));
    let names: Vec<String> = header.iter().filter(|name| !other(name) && !is_end(name)).cloned().collect();
    let without = |end: &String| {
        let method = ["_lower", "_upper"].iter().find_map(|suffix| end.strip_suffix(suffix))?;
        let both = interval_columns(method).iter().all(|end| header.contains(end));
        both.then(|| (end.clone(), method.to_owned()))
    };
    if let Some((end, method)) = names.iter().find_map(without) {
        let what =
            format!("column '{end}' is the end of an interval, but there is no column '{method}' with the estimates");
        return Err(CliError::Data(format!("{}: {what}; add it, or name the methods with --method", table.name())));
    }
    if names.is_empty() {
        let what = format!("there is no column with estimates beside '{truth}'");
        return Err(CliError::Data(format!("{}: {what}; add one that is called after its method", table.name())));
    }
    Ok(names)
}

fn columns(table: &TextTable, name: &str) -> Result<EstimateColumns, CliError> {
    let ends = interval_columns(name);
    let has_interval = table.header().iter().any(|column| ends.contains(column));
    let interval = || -> Result<[usize; 2], CliError> { Ok([table.column(&ends[0])?, table.column(&ends[1])?]) };
    Ok(EstimateColumns { estimate: table.column(name)?, interval: has_interval.then(interval).transpose()? })
}

fn interval(table: &TextTable, [lower, upper]: [usize; 2]) -> Result<[f64; 2], CliError> {
    let ends = [table.number(lower)?, table.number(upper)?];
    if ends[0] <= ends[1] {
        return Ok(ends);
    }
    Err(table.wrong(upper, &format!("is '{}', below the interval's lower end {}", table.text(upper)?, ends[0])).into())
}

/// What to do about an estimate outside [0, 1].
const NO_ESTIMATE: &str =
    "clip estimates that are outside; if the column is none of estimates, name those with --method";

/// A true or estimated share of positives, from 0 to 1.
fn share(table: &TextTable, column: usize, remedy: &'static str) -> Result<f64, CliError> {
    let share = table.number(column)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    let what = format!("is '{}'; prevalences lie between 0 and 1", table.text(column)?);
    Err(table.refused(column, &what, remedy).into())
}

/// A whole number of at least 1.
fn count(table: &TextTable, column: usize) -> Result<u64, CliError> {
    match table.text(column)? {
        "" => Err(table.wrong(column, "is empty").into()),
        text => match text.parse() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(table.wrong(column, &format!("is '{text}', not a whole number from 1")).into()),
        },
    }
}
