//! What `truecount estimate`, `truecount compare` and `truecount counts` print.

use crate::error::PageError;
use crate::request::{FORM, Request};
use serde_json::{Value, json};
use truecount::counts::RateInterval;
use truecount::quantifier::Quantifier;
use truecount::{Reporting, Target, Together};
use truecount_analysis::answer::{Answer, CountAnswer, Differences, TypedCounts, Whole, columns};
use truecount_analysis::compared::Reference;
use truecount_analysis::executor::Sequential;
use truecount_analysis::groups::{GroupNames, Groups, TextNames};
use truecount_analysis::held::Cells;
use truecount_analysis::results::{Form, Sort};
use truecount_report::command_line;
use truecount_report::tables::results_html;

/// Estimates as a table: read once, with no more memory than the method's tally takes.
pub fn estimates(request: &Request) -> Result<Value, PageError> {
    let reporting = request.reporting()?;
    let model = request.model()?;
    let groups = request.tests(Some(&columns(&[])))?.estimates(&model, &reporting)?;
    let answer = Answer::new(&model, Whole::of(groups), None)?.sorted(&Sort::Groups);
    let mut text = Vec::new();
    answer.results().write(&Sequential, Form::Csv, &mut text).map_err(PageError::at("the estimates"))?;
    let mut words = request.words("estimate");
    words.extend(["--format", FORM].map(str::to_owned));
    Ok(json!({ "text": String::from_utf8_lossy(&text), "command": command_line(&words) }))
}

/// Differences between groups.
pub fn differences(request: &Request, against: Option<&str>) -> Result<Value, PageError> {
    let reference = Reference::parse(against.unwrap_or_default());
    let model = request.model()?;
    let tests = request.tests(None)?;
    let reporting = request.reporting()?;
    if !request.has_groups() {
        return Err(PageError::new("groups are compared: name their columns with --by"));
    }
    let Groups { keys, contents: tallies, together } = tests.tallies(&model)?;
    let numbers: Vec<u32> = (0..).take(tallies.len()).collect();
    let cells = Cells::of_parts(&tallies, &numbers, keys.number(), None);
    let contents = cells.each(&Sequential, &model, |_| reporting).map_err(|(_, error)| error)?;
    let groups = Groups { keys, contents, together };
    let methods = model.quantifiers().iter().map(Quantifier::method);
    let joint = methods.map(|method| Ok((method, Together::of(&model, method)?)));
    let joint = joint.collect::<Result<Vec<_>, truecount::Error>>()?;
    let total = |level: &[u32]| cells.together(&model, level.iter().map(|group| *group as usize), &reporting);
    let differences =
        Differences::of_groups(&Sequential, &reference, (&groups, None), &joint, Some(&total), &reporting)?;
    let whole = Whole { differences: Some(differences), ..Whole::of(groups) };
    let answer = Answer::new(&model, whole, None)?.only_differences().sorted_differences(&Sort::Groups);
    let mut words = request.words("compare");
    words.extend(against.into_iter().flat_map(|against| ["--against", against]).map(str::to_owned));
    Ok(json!({ "html": results_html(&answer.results()), "command": command_line(&words) }))
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
        let reporting = Reporting::new(Reporting::default().level(), target)?;
        let rows = vec![typed.estimate(interval, &reporting).map_err(PageError::new)?];
        let answer = CountAnswer { keys: TextNames::none(), rows, interval, target };
        let typed = self.0.iter().filter_map(|(option, text)| text.map(|text| [option, text])).flatten();
        let words: Vec<String> = std::iter::once("counts").chain(typed).map(str::to_owned).collect();
        Ok(json!({ "html": results_html(&answer.results()), "command": command_line(&words) }))
    }
}
