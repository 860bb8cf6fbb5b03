//! Reads estimates from a wide table: one row per sample, one column per method.

use super::EvaluateArgs;
use super::write_table::interval_columns;
use crate::error::CliError;
use crate::progress::ProgressBars;
use std::collections::HashMap;
use std::path::Path;
use truecount_analysis::evaluation::{MethodEstimates, SampleEstimates, SampleTruth};
use truecount_tables::input::{self, TextTable};

/// Possible names of the column that identifies samples, in order of preference. These columns,
/// [`SIZE`] and the true prevalence are never methods.
const SAMPLE: [&str; 2] = ["sample", "id"];
const SIZE: &str = "n";
const TRUTH: &str = "truth";

/// The columns of a method's estimates and intervals.
struct EstimateColumns {
    estimate: usize,
    interval: Option<[usize; 2]>,
}

pub fn estimates(path: &Path, args: &EvaluateArgs) -> Result<SampleEstimates, CliError> {
    let decimal = args.columns.get().decimal;
    let mut table = input::open_table(path, decimal, &ProgressBars)?;
    let truth = args.truth.as_deref().unwrap_or(TRUTH);
    let truth_column = table.column(truth)?;
    let optional = |name: &str| table.header().iter().any(|c| c == name).then(|| table.column(name)).transpose();
    let [sample, id] = SAMPLE.map(optional);
    let (sample, size) = (sample?, optional(SIZE)?);
    let sample = sample.or(id?);
    if size.is_some() && args.size.is_some() {
        return Err(CliError::usage(
            format!("{} has a column n with the sizes of its samples", table.name()),
            "leave out --size",
        ));
    }
    let names = methods(&table, truth, args.train.typed_methods())?;
    args.request().reference_index(names.iter())?;
    let columns = names.iter().map(|name| columns(&table, name)).collect::<Result<Vec<_>, _>>()?;
    let numbers: Vec<usize> = [truth_column]
        .into_iter()
        .chain(
            columns
                .iter()
                .flat_map(|method| [method.estimate].into_iter().chain(method.interval.into_iter().flatten())),
        )
        .collect();
    table.detect_numbers(&numbers, decimal);
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
            Some(column) => table.text(column)?.into_owned(),
            None => samples.len().to_string(),
        };
        if let (Some(column), Some(first)) = (sample, lines.insert(id.clone(), table.line())) {
            let problem = format!("is '{id}', as that of line {first}; every sample has one row");
            return Err(table.cell_error(column, &problem).into());
        }
        let n = size.map(|column| count(&table, column)).transpose()?.or(args.size.map(u64::from));
        samples.push(SampleTruth { id, n, truth: share(&table, truth_column, "correct it or remove the row")? });
        for (method, columns) in methods.iter_mut().zip(&columns) {
            method.estimates.push(share(&table, columns.estimate, ESTIMATE_REMEDY)?);
            if let (Some(intervals), Some(ends)) = (&mut method.intervals, columns.interval) {
                intervals.push(interval(&table, ends)?);
            }
        }
    }
    if samples.is_empty() {
        return Err(table.without_rows().into());
    }
    Ok(SampleEstimates { class: None, samples, methods, design: None, checks: None })
}

/// Returns the names of the methods: the requested ones, or all columns without another meaning.
fn methods(table: &TextTable, truth: &str, requested: &[String]) -> Result<Vec<String>, CliError> {
    let header = table.header();
    let is_reserved = |name: &str| SAMPLE.contains(&name) || [SIZE, truth].contains(&name);
    if !requested.is_empty() {
        let mut names: Vec<String> = Vec::new();
        for name in requested.iter().map(|name| name.trim()) {
            if is_reserved(name) {
                return Err(CliError::usage(
                    format!("--method {name} is not a method, but another column of {}", table.name()),
                    "name the columns with the estimates",
                ));
            }
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        return Ok(names);
    }
    let error = |problem: String, hint: &str| Err(CliError::data(format!("{}: {problem}", table.name()), hint));
    if let Some(index) = header.iter().position(String::is_empty) {
        let hint = "call it 'sample' if it numbers the samples, or remove it";
        return error(format!("column {} has no name", index + 1), hint);
    }
    if truth != TRUTH && header.iter().any(|name| name == TRUTH) {
        return Err(CliError::usage(
            format!("{} also has a column '{TRUTH}', which looks like a method (--truth is {truth})", table.name()),
            "name the methods with --method",
        ));
    }
    let is_limit =
        |name: &String| header.iter().any(|method| !is_reserved(method) && interval_columns(method).contains(name));
    let names: Vec<String> = header.iter().filter(|name| !is_reserved(name) && !is_limit(name)).cloned().collect();
    let limit_without_estimate = |column: &String| {
        let method = ["_lower", "_upper"].iter().find_map(|suffix| column.strip_suffix(suffix))?;
        let has_both = interval_columns(method).iter().all(|column| header.contains(column));
        has_both.then(|| (column.clone(), method.to_owned()))
    };
    if let Some((limit, method)) = names.iter().find_map(limit_without_estimate) {
        let problem = format!("column '{limit}' has limits of intervals, but there is no column '{method}'");
        return error(problem, "add the column with the estimates, or name the methods with --method");
    }
    if names.is_empty() {
        let problem = format!("there is no column with estimates in addition to '{truth}'");
        return error(problem, "add one with the name of its method");
    }
    Ok(names)
}

fn columns(table: &TextTable, name: &str) -> Result<EstimateColumns, CliError> {
    let limits = interval_columns(name);
    let has_interval = table.header().iter().any(|column| limits.contains(column));
    let interval = || -> Result<[usize; 2], CliError> { Ok([table.column(&limits[0])?, table.column(&limits[1])?]) };
    Ok(EstimateColumns { estimate: table.column(name)?, interval: has_interval.then(interval).transpose()? })
}

fn interval(table: &TextTable, [lower, upper]: [usize; 2]) -> Result<[f64; 2], CliError> {
    let ends = [table.number(lower)?, table.number(upper)?];
    if ends[0] <= ends[1] {
        return Ok(ends);
    }
    Err(table
        .cell_error(upper, &format!("is '{}', below the interval's lower end {}", table.text(upper)?, ends[0]))
        .into())
}

/// Remedy for an estimate outside [0, 1].
const ESTIMATE_REMEDY: &str =
    "clip estimates that are outside; if the column is none of estimates, name those with --method";

/// Reads a true or estimated prevalence from [0, 1].
fn share(table: &TextTable, column: usize, remedy: &'static str) -> Result<f64, CliError> {
    let share = table.number(column)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    let problem = format!("is '{}'; prevalences lie between 0 and 1", table.text(column)?);
    Err(table.cell_error_with_hint(column, &problem, remedy).into())
}

/// Reads a whole number of at least 1.
fn count(table: &TextTable, column: usize) -> Result<u64, CliError> {
    match &*table.text(column)? {
        "" => Err(table.cell_error(column, "is empty").into()),
        text => match text.parse() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(table.cell_error(column, &format!("is '{text}', not a whole number from 1")).into()),
        },
    }
}
