//! What `truecount estimate`, `truecount compare` and `truecount counts` print.

use crate::error::PageError;
use crate::request::{FORM, PageRequest};
use serde_json::{Value, json};
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
use truecount_report::command_line;
use truecount_report::tables::results_html;

/// Estimates as a table: read once, with no more memory than the method's tally takes.
pub fn estimates(request: &PageRequest) -> Result<Value, PageError> {
    let reporting = request.reporting()?;
    let model = request.model()?;
    let groups = request.tests(Some(&columns(&[])))?.estimates(&model, &reporting)?;
    let answer = EstimateOutput::from_estimates(&model, groups, None)?.sorted(&Sort::Groups);
    let mut text = Vec::new();
    answer.results().write(&Sequential, ResultFormat::Csv, &mut text).map_err(PageError::at("the estimates"))?;
    let mut words = request.words("estimate");
    words.extend(["--format", FORM].map(str::to_owned));
    Ok(json!({ "text": String::from_utf8_lossy(&text), "command": command_line(&words) }))
}

/// Differences between groups.
pub fn differences(request: &PageRequest, reference_name: Option<&str>) -> Result<Value, PageError> {
    let reference =
        reference_name.filter(|against| !against.is_empty()).map_or(ReferenceOption::Usual, ReferenceOption::parse);
    let model = request.model()?;
    let tests = request.tests(None)?;
    let reporting = request.reporting()?;
    if !request.has_groups() {
        return Err(PageError::new(Message::new("only groups can be compared", "name their columns with --by")));
    }
    let NamedGroups { keys, contents, shift_total } = tests.tallies(&model)?;
    let levels = Levels::new(&keys);
    let against_groups = levels.resolve_reference(&reference, &keys)?;
    let groups = TalliedGroups::new(&model, &contents, shift_total.as_ref());
    let comparison = Some((&levels, &against_groups));
    let estimates = estimate_groups(&Sequential, &groups, &TotalOptions::new(reporting), comparison)?;
    let differences = estimates.differences.map(|differences| differences.named(&keys));
    let answer = EstimateOutput::new(&model, (keys, GroupEstimates { differences, ..estimates }), None);
    let answer = answer.only_differences().sorted_differences(&Sort::Groups);
    let mut words = request.words("compare");
    words.extend(reference_name.into_iter().flat_map(|against| ["--reference", against]).map(str::to_owned));
    Ok(json!({ "html": results_html(&answer.results().concise()), "command": command_line(&words) }))
}

/// Counts that are typed: the options and what is typed behind them.
pub struct CountsRequest<'a>([(&'static str, Option<&'a str>); 4]);

impl<'a> CountsRequest<'a> {
    /// What is typed by the names of the options.
    pub fn new(typed: impl Fn(&str) -> Option<&'a str>) -> Self {
        let options = ["--positives", "--tested", "--sensitivity", "--specificity"];
        Self(options.map(|option| (option, typed(&option[2..]).map(str::trim).filter(|text| !text.is_empty()))))
    }

    /// The prevalence of the population with the usual interval.
    pub fn answer(&self) -> Result<Value, PageError> {
        let [positives, tested, sensitivity, specificity] = self.0.map(|(_, text)| text);
        let typed = TypedCounts { positives, tested, sensitivity, specificity, ..TypedCounts::default() };
        let (interval, target) = (RateInterval::default(), Target::Population);
        let reporting = IntervalOptions::new(IntervalOptions::default().level(), target)?;
        let rows = vec![typed.estimate(interval, &reporting).map_err(PageError::new)?];
        let answer = CountOutput { keys: TextNames::none(), rows, interval, target };
        let typed = self.0.iter().filter_map(|(option, text)| text.map(|text| [option, text])).flatten();
        let words: Vec<String> = std::iter::once("counts").chain(typed).map(str::to_owned).collect();
        Ok(json!({ "html": results_html(&answer.results().concise()), "command": command_line(&words) }))
    }
}
