//! What `truecount compare` prints of groups.

use super::asked::Asked;
use super::html;
use crate::failure::Failure;
use crate::groups::GroupRequest;
use crate::options::{TotalArgs, reference};
use crate::output::{Answer, Form};
use crate::report::command;
use serde_json::{Value, json};
use truecount_analysis::results::Sort;

pub fn differences(asked: &Asked, against: Option<&str>) -> Result<Value, Failure> {
    let reference = reference(against.unwrap_or_default()).map_err(Failure::Usage)?;
    let (model, reporting) = (asked.model()?, asked.reporting()?);
    let files = asked.tests(&model, Form::Table, &[])?;
    let request = GroupRequest { totals: &TotalArgs::default(), reference: Some(&reference), reporting: &reporting };
    let answer = Answer::new(&model, request.estimate(&files, &model)?, None)
        .only_differences()
        .sorted_differences(&Sort::Groups);
    let mut words = asked.words("compare");
    words.extend(against.into_iter().flat_map(|against| ["--against", against]).map(str::to_owned));
    Ok(json!({ "html": html::of(&answer.results()), "command": command(&words) }))
}
