//! What is printed: a report in one of the formats on stdout, its warnings on stderr.

mod csv;
mod json;
mod table;

pub use table::fitted;

use crate::args::Format;
use crate::failure::Failure;
use crate::input::Groups;
use std::io::{ErrorKind, Write};
use truecount::{Estimate, Method, Model, Reporting};

/// Warnings printed in full; the rest are counted.
const WARNINGS: usize = 20;

/// One estimate: of one group by one method.
pub struct Row {
    pub group: usize,
    pub method: Method,
    pub estimate: Estimate,
}

/// All estimates, with what they rest on.
pub struct Report<'a> {
    pub model: &'a Model,
    pub columns: Vec<String>,
    /// Each group's values of those columns.
    pub groups: Vec<Vec<String>>,
    pub rows: Vec<Row>,
}

impl<'a> Report<'a> {
    pub fn new(model: &'a Model, groups: Groups, reporting: &Reporting) -> Result<Self, Failure> {
        let mut rows = Vec::with_capacity(groups.groups.len() * model.quantifiers().len());
        for (group, tallied) in groups.groups.iter().enumerate() {
            let estimates = model.finish(&tallied.tallies, reporting)?;
            let methods = model.quantifiers().iter().map(truecount::quantifier::Quantifier::method);
            rows.extend(methods.zip(estimates).map(|(method, estimate)| Row { group, method, estimate }));
        }
        let values = groups.groups.into_iter().map(|group| group.values).collect();
        Ok(Self { model, columns: groups.columns, groups: values, rows })
    }

    /// The values of the row's group.
    pub fn values(&self, row: &Row) -> &[String] {
        &self.groups[row.group]
    }

    /// Every warning with the estimate it belongs to, in words.
    fn warnings(&self) -> impl Iterator<Item = String> + '_ {
        self.rows.iter().flat_map(move |row| {
            let group = self.values(row).join(", ");
            let place = if group.is_empty() { String::new() } else { format!("{group}, ") };
            row.estimate.warnings.iter().map(move |warning| format!("{place}{}: {warning}", row.method))
        })
    }
}

pub fn print(report: &Report, format: Format) -> Result<(), Failure> {
    let text = match format {
        Format::Table => table::render(report),
        Format::Json => json::render(report),
        Format::Csv => csv::render(report)?,
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // Who reads only the beginning, as `head` does, has what it wanted.
        Err(e) if e.kind() != ErrorKind::BrokenPipe => return Err(Failure::at("standard output")(e)),
        _ => {}
    }
    let mut warnings = report.warnings();
    warnings.by_ref().take(WARNINGS).for_each(|warning| eprintln!("warning: {warning}"));
    let more = warnings.count();
    if more > 0 {
        eprintln!("warning: {more} more; --format csv or json shows each beside its estimate");
    }
    Ok(())
}
