//! The page that `truecount report` writes.

use crate::error::PageError;
use crate::read::input_file;
use crate::request::PageRequest;
use serde_json::{Value, json};
use truecount_analysis::executor::Sequential;
use truecount_analysis::results::{Sort, escape_untrusted};
use truecount_report::{
    Figures, POSITIVE_NAME, Provenance, ROW_NAME, ReportData, ReportModels, ReportOptions, Words, command_line, page,
};

/// What rows, and the positives among them, are called.
pub struct ReportNames<'a> {
    items: &'a str,
    positive_name: &'a str,
}

/// The report, and the command that writes it.
pub fn report(request: &PageRequest, names: &ReportNames) -> Result<Value, PageError> {
    let options = ReportOptions { reporting: request.reporting()?, resampling: None };
    let models = ReportModels::new(request.model()?, request.is_weighted())?;
    let rows = request.tests(None)?.scores(&models.every)?;
    let (items, are) = (escape_untrusted(names.items), escape_untrusted(names.positive_name));
    let words = Words { items: &items, positive_name: &are, target: options.reporting.target() };
    let command = command_line(&names.words(request));
    let files = request.inputs().map(|path| input_file(path)).collect::<Result<_, _>>()?;
    let provenance = Provenance::Files { command: command.clone(), files };
    let sort = request.has_groups().then_some(Sort::Groups);
    let data = ReportData::new(&Sequential, &models, &rows, None, sort.as_ref(), &options)?;
    Ok(json!({ "page": page(&data, &Figures::new(&data), &words, &provenance), "command": command }))
}

impl<'a> ReportNames<'a> {
    /// These names, or else the usual ones.
    pub fn new(items: Option<&'a str>, are: Option<&'a str>) -> Self {
        Self { items: items.unwrap_or(ROW_NAME), positive_name: are.unwrap_or(POSITIVE_NAME) }
    }

    fn words(&self, request: &PageRequest) -> Vec<String> {
        let mut words = request.words("report");
        for (option, name, usual) in
            [("--items", self.items, ROW_NAME), ("--positive-name", self.positive_name, POSITIVE_NAME)]
        {
            if name != usual {
                words.extend([option, name].map(str::to_owned));
            }
        }
        words.extend(["--output", "report.html"].map(str::to_owned));
        words
    }
}
