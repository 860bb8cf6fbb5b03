//! The results of `truecount estimate`, `truecount compare` and `truecount counts`.

use crate::error::PageError;
use crate::request::{FORMAT, PageRequest, command};
use serde_json::{Value, json};
use std::borrow::Cow;
use truecount::counts::RateInterval;
use truecount::{IntervalOptions, Target};
use truecount_analysis::executor::Sequential;
use truecount_analysis::groups::TextNames;
use truecount_analysis::output::{CountOutput, EstimateOutput, TypedCounts, columns};
use truecount_analysis::results::{ResultFormat, Sort};
use truecount_analysis::spelling::Interface;
use truecount_report::tables::results_html;
use truecount_report::{TESTED_NAME, TRUE_POSITIVE_NAME, Words};

/// Estimates the groups as CSV. Test scores are read once, and only their tallies are kept in
/// memory.
pub fn estimates(request: &Value) -> Result<Value, PageError> {
    let command = command("estimate", request, &["--format", FORMAT]);
    let request = PageRequest::new(request)?;
    request.analysis.estimate.check()?;
    let model = request.model()?;
    let estimates = request.analysis.estimate.run(&Sequential, &request.rows(&model, &columns(&[]))?, &model)?;
    let output = EstimateOutput::new(Cow::Borrowed(&model), estimates, None).sorted(&Sort::Groups);
    let mut text = Vec::new();
    output.results().write(&Sequential, ResultFormat::Csv, &mut text).map_err(PageError::at("the estimates"))?;
    Ok(json!({ "text": String::from_utf8_lossy(&text), "command": command }))
}

/// Compares the groups with a reference.
pub fn differences(request: &Value) -> Result<Value, PageError> {
    let command = command("compare", request, &[]);
    let request = PageRequest::new(request)?;
    request.analysis.check()?;
    let model = request.model()?;
    let estimates = request.analysis.run(&Sequential, &request.rows(&model, &[])?, &model)?;
    let output = EstimateOutput::new(Cow::Borrowed(&model), estimates, None);
    let output = output.only_differences().sorted_differences(&Sort::Groups);
    let mut results = output.results().concise();
    // The first note describes the main difference.
    let answer = results.notes.remove(0).sentence().to_owned();
    Ok(json!({ "answer": answer, "html": results_html(&results), "command": command }))
}

/// Estimates the prevalence of the population from typed counts.
pub fn counts(request: &Value) -> Result<Value, PageError> {
    let text = |name: &str| request[name].as_str();
    let [positives, tested, sensitivity, specificity] = ["positives", "tested", "sensitivity", "specificity"].map(text);
    let counts = TypedCounts { positives, tested, sensitivity, specificity, ..TypedCounts::default() };
    let (interval, target) = (RateInterval::default(), Target::Population);
    let options = IntervalOptions::new(IntervalOptions::default().level(), target)?;
    let row = counts.estimate(interval, &options).map_err(PageError::new)?;
    let words = Words::new(TESTED_NAME, TRUE_POSITIVE_NAME, target, Interface::Page);
    let answer = words.answer(&row.row.estimate, row.row.estimate.method, None, None);
    let output = CountOutput {
        keys: TextNames::none(),
        rows: vec![row],
        interval,
        target,
        standardised: None,
        differences: None,
    };
    let html = results_html(&output.results().concise());
    Ok(json!({ "answer": answer, "html": html, "command": command("counts", request, &[]) }))
}
