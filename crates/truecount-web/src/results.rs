//! The results of `truecount estimate`, `truecount compare` and `truecount counts`.

use crate::error::PageError;
use crate::request::{FORMAT, PageRequest};
use serde_json::{Value, json};
use std::borrow::Cow;
use truecount::counts::RateInterval;
use truecount::{IntervalOptions, Target};
use truecount_analysis::advice::Message;
use truecount_analysis::compare::{Levels, ReferenceOption};
use truecount_analysis::executor::Sequential;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::output::{CountOutput, EstimateOutput, TypedCounts, columns};
use truecount_analysis::results::{ResultFormat, Sort};
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::{GroupEstimates, TotalOptions, estimate_groups};
use truecount_report::tables::results_html;
use truecount_report::{TESTED_NAME, TRUE_POSITIVE_NAME, Words, command_line};

/// Estimates the groups as CSV. Test scores are read once, and only their tallies are kept in
/// memory.
pub fn estimates(request: &PageRequest) -> Result<Value, PageError> {
    let options = request.interval_options()?;
    let model = request.model()?;
    let groups = request.tests(Some(&columns(&[])))?.estimates(&model, &options)?;
    let output = EstimateOutput::from_estimates(&model, groups, None)?.sorted(&Sort::Groups);
    let mut text = Vec::new();
    output.results().write(&Sequential, ResultFormat::Csv, &mut text).map_err(PageError::at("the estimates"))?;
    let mut arguments = request.arguments("estimate");
    arguments.extend(["--format", FORMAT].map(str::to_owned));
    Ok(json!({ "text": String::from_utf8_lossy(&text), "command": command_line(&arguments) }))
}

/// Compares the groups with a reference.
pub fn differences(request: &PageRequest, reference_name: Option<&str>) -> Result<Value, PageError> {
    let reference =
        reference_name.filter(|name| !name.is_empty()).map_or(ReferenceOption::Auto, ReferenceOption::parse);
    let model = request.model()?;
    let tests = request.tests(None)?;
    let options = request.interval_options()?;
    if !request.has_groups() {
        return Err(PageError::new(Message::new("only groups can be compared", "name their columns with --by")));
    }
    let NamedGroups { keys, contents, shift_total } = tests.tallies(&model)?;
    let levels = Levels::new(&keys);
    let reference = levels.resolve_reference(&reference, &keys)?;
    let groups = TalliedGroups::new(&model, &contents, shift_total.as_ref());
    let comparison = Some((&levels, &reference));
    let estimates = estimate_groups(&Sequential, &groups, &TotalOptions::new(options), comparison)?;
    let differences = estimates.differences.map(|differences| differences.named(&keys));
    let output = EstimateOutput::new(Cow::Borrowed(&model), (keys, GroupEstimates { differences, ..estimates }), None);
    let output = output.only_differences().sorted_differences(&Sort::Groups);
    let mut arguments = request.arguments("compare");
    arguments.extend(reference_name.into_iter().flat_map(|name| ["--reference", name]).map(str::to_owned));
    let mut results = output.results().concise();
    // The first note describes the main difference.
    let answer = results.notes.remove(0).sentence().to_owned();
    Ok(json!({ "answer": answer, "html": results_html(&results), "command": command_line(&arguments) }))
}

/// A request about typed counts: the options with their texts.
pub struct CountsRequest<'a>([(&'static str, Option<&'a str>); 4]);

impl<'a> CountsRequest<'a> {
    /// Creates a request from a function that returns the text of an option by its name.
    pub fn new(text: impl Fn(&str) -> Option<&'a str>) -> Self {
        let options = ["--positives", "--tested", "--sensitivity", "--specificity"];
        Self(options.map(|option| (option, text(&option[2..]).map(str::trim).filter(|text| !text.is_empty()))))
    }

    /// Estimates the prevalence of the population with the default interval.
    pub fn answer(&self) -> Result<Value, PageError> {
        let [positives, tested, sensitivity, specificity] = self.0.map(|(_, text)| text);
        let counts = TypedCounts { positives, tested, sensitivity, specificity, ..TypedCounts::default() };
        let (interval, target) = (RateInterval::default(), Target::Population);
        let options = IntervalOptions::new(IntervalOptions::default().level(), target)?;
        let row = counts.estimate(interval, &options).map_err(PageError::new)?;
        let words = Words { items: TESTED_NAME, positive_name: TRUE_POSITIVE_NAME, target };
        let answer = words.answer(&row.row.estimate, row.row.estimate.method, None, None);
        let rows = vec![row];
        let output = CountOutput { keys: TextNames::none(), rows, interval, target, differences: None };
        let typed = self.0.iter().filter_map(|(option, text)| text.map(|text| [option, text])).flatten();
        let arguments: Vec<String> = std::iter::once("counts").chain(typed).map(str::to_owned).collect();
        Ok(
            json!({ "answer": answer, "html": results_html(&output.results().concise()), "command": command_line(&arguments) }),
        )
    }
}
