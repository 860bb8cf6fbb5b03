//! The report, as `truecount report` writes it.

use crate::error::PageError;
use crate::read::input_file;
use crate::request::PageRequest;
use serde_json::{Value, json};
use truecount_analysis::executor::Sequential;
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::{Sort, escape_untrusted};
use truecount_analysis::rows::{GroupParts, MemoryRows};
use truecount_report::{
    Figures, Origin, POSITIVE_NAME, Provenance, ROW_NAME, ReportData, ReportModels, Words, command_line, page,
};

/// The names of rows and positives in the report's sentences.
pub struct ReportNames<'a> {
    items: &'a str,
    positive_name: &'a str,
}

/// Returns the report, and the command line that writes it.
pub fn report(request: &PageRequest, names: &ReportNames) -> Result<Value, PageError> {
    let options = request.interval_options()?;
    let models = ReportModels::new(request.model()?, request.is_weighted(), true)?;
    let rows = MemoryRows::new(GroupParts::from_groups(request.tests(None)?.scores(&models.extended)?));
    let (items, positive_name) = (escape_untrusted(names.items), escape_untrusted(names.positive_name));
    let words = Words { items: &items, positive_name: &positive_name, target: options.target() };
    let command = command_line(&names.arguments(request));
    let files = request.inputs().map(|path| input_file(path)).collect::<Result<_, _>>()?;
    let provenance = Provenance::today(Origin::Files { command: command.clone(), files });
    let sort = request.has_groups().then_some(Sort::Groups);
    let data = ReportData::new(&Sequential, &models, &rows, None, sort.as_ref(), &EstimateRequest::new(&options))?;
    Ok(json!({ "page": page(&data, &Figures::new(&data), &words, &provenance), "command": command }))
}

impl<'a> ReportNames<'a> {
    /// Creates names, with the default for a missing one.
    pub fn new(items: Option<&'a str>, positive_name: Option<&'a str>) -> Self {
        Self { items: items.unwrap_or(ROW_NAME), positive_name: positive_name.unwrap_or(POSITIVE_NAME) }
    }

    /// Returns the arguments of the command that writes the report.
    fn arguments(&self, request: &PageRequest) -> Vec<String> {
        let mut arguments = request.arguments("report");
        for (option, name, default) in
            [("--items", self.items, ROW_NAME), ("--positive-name", self.positive_name, POSITIVE_NAME)]
        {
            if name != default {
                arguments.extend([option, name].map(str::to_owned));
            }
        }
        arguments.extend(["--output", "report.html"].map(str::to_owned));
        arguments
    }
}
