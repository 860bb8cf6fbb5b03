//! The report, as `truecount report` writes it.

use crate::error::PageError;
use crate::read::input_file;
use crate::request::{PageRequest, command};
use serde_json::{Value, json};
use truecount_analysis::executor::Sequential;
use truecount_analysis::results::Sort;
use truecount_analysis::rows::TestRows;
use truecount_analysis::spelling::Interface;
use truecount_report::drawing::FigureSize;
use truecount_report::{
    Figures, Origin, POSITIVE_NAME, Provenance, ROW_NAME, ReportData, ReportModels, Words, class_page, page,
};

/// Returns the report, and the command line that writes it.
pub fn report(request: &Value) -> Result<Value, PageError> {
    let command = command("report", request, &["--output", "report.html"]);
    let request = PageRequest::new(request)?;
    let estimate = &request.analysis.estimate;
    estimate.check()?;
    let items = request.items.as_deref().unwrap_or(ROW_NAME);
    let positive_name = request.positive_name.as_deref().unwrap_or(POSITIVE_NAME);
    let words = Words::new(items, positive_name, estimate.interval_options()?.target(), Interface::Page);
    let files = [&request.train].into_iter().chain(&request.test).map(|path| input_file(path));
    let files = files.collect::<Result<_, _>>()?;
    let provenance = Provenance::today(Origin::Files { command: command.clone(), files });
    if let Some((model, rows)) = request.classes(&[])? {
        let (overall, groups, population) = estimate.report_classes(&Sequential, &model, rows)?;
        let groups = groups.map(|groups| groups.sorted(&Sort::Groups));
        let page = class_page(&overall, groups.as_ref(), (&words, population.as_deref()), &provenance);
        return Ok(json!({ "page": page, "command": command }));
    }
    let models = ReportModels::new(request.model()?, estimate.weight.is_some(), estimate.has_simple_groups())?;
    let rows = request.rows(&[])?;
    let rows = rows.read(models.extended.unit_interval())?;
    let sort = (!estimate.by.is_empty()).then_some(Sort::Groups);
    let data = ReportData::new(&Sequential, &models, &rows, None, sort.as_ref(), estimate)?;
    let page = page(&data, &Figures::new(&data, &words, FigureSize::Page), &words, &provenance);
    Ok(json!({ "page": page, "command": command }))
}
