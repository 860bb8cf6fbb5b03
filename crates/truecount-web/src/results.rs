//! The results of `truecount estimate`, `truecount compare` and `truecount counts`.

use crate::error::PageError;
use crate::parse;
use crate::request::{FORMAT, PageRequest, command};
use serde_json::{Value, json};
use std::borrow::Cow;
use truecount_analysis::executor::Sequential;
use truecount_analysis::groups::TextNames;
use truecount_analysis::output::{ClassShareOutput, EstimateOutput, columns};
use truecount_analysis::request::CountsRequest;
use truecount_analysis::results::{ClassShareRow, ResultFormat, Sort, describe_table};
use truecount_analysis::spelling::Interface;
use truecount_report::tables::results_html;
use truecount_report::{TESTED_NAME, TRUE_POSITIVE_NAME, Words};

/// Estimates the groups as CSV. Test scores are read once, and only their tallies are kept in
/// memory.
pub fn estimates(request: &Value) -> Result<Value, PageError> {
    let command = command("estimate", request, &["--format", FORMAT]);
    let request = PageRequest::new(request)?;
    let estimate = &request.analysis.estimate;
    estimate.check()?;
    let (classes, groups);
    let results = if let Some((model, rows)) = request.classes(&describe_table::<ClassShareRow>().columns)? {
        let output = ClassShareOutput::new(&model, estimate.run_classes(&Sequential, &model, rows)?);
        classes = output.sorted(&Sort::Groups);
        classes.results()
    } else {
        let model = request.model()?;
        let estimates = estimate.run(&Sequential, &request.rows(&columns(&[]))?, &model)?;
        groups = EstimateOutput::new(Cow::Owned(model), estimates, None).sorted(&Sort::Groups);
        groups.results()
    };
    let mut text = Vec::new();
    results.write(&Sequential, ResultFormat::Csv, &mut text).map_err(PageError::at("the estimates"))?;
    Ok(json!({ "text": String::from_utf8_lossy(&text), "command": command }))
}

/// Compares the groups with a reference.
pub fn differences(request: &Value) -> Result<Value, PageError> {
    let command = command("compare", request, &[]);
    let request = PageRequest::new(request)?;
    request.analysis.check()?;
    let (classes, groups);
    let results = if let Some((model, rows)) = request.classes(&[])? {
        let estimates = request.analysis.of_groups().run_classes(&Sequential, &model, rows)?;
        let output = ClassShareOutput::new(&model, estimates);
        classes = output.only_differences().sorted_differences(&Sort::Groups);
        classes.results()
    } else {
        let model = request.model()?;
        let estimates = request.analysis.run(&Sequential, &request.rows(&[])?, &model)?;
        let output = EstimateOutput::new(Cow::Owned(model), estimates, None);
        groups = output.only_differences().sorted_differences(&Sort::Groups);
        groups.results()
    };
    let mut results = results.concise();
    // The first note describes the main difference.
    let answer = results.notes.remove(0).sentence().to_owned();
    Ok(json!({ "answer": answer, "html": results_html(&results), "command": command }))
}

/// Estimates the prevalence of the population from typed counts.
pub fn counts(request: &Value) -> Result<Value, PageError> {
    let counts: CountsRequest = parse(request)?;
    let output = counts.run(TextNames::none(), &[counts.typed().map_err(PageError::new)?], &[])?;
    let words = Words::new(TESTED_NAME, TRUE_POSITIVE_NAME, output.target, Interface::Page);
    let estimate = &output.rows[0].row.estimate;
    let answer = words.answer(estimate, estimate.method, None, None);
    let html = results_html(&output.results().concise());
    Ok(json!({ "answer": answer, "html": html, "command": command("counts", request, &[]) }))
}
