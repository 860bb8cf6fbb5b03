//! What `truecount compare` prints of groups.

use super::asked::Asked;
use super::html;
use crate::failure::Failure;
use crate::options::Summed;
use crate::output::{Answer, Form};
use crate::report::command;
use crate::whole;
use serde_json::{Value, json};
use truecount_analysis::compared::Reference;
use truecount_analysis::results::Sort;

pub fn differences(asked: &Asked, against: Option<&str>) -> Result<Value, Failure> {
    let reference = Reference::parse(against.unwrap_or_default());
    let of_groups = whole::Asked { summed: &Summed::default(), against: Some(&reference) };
    let model = asked.model()?;
    let found = of_groups.estimate(&asked.tests(&model, Form::Table, &[])?, &model, &asked.reporting()?)?;
    let answer = Answer::new(&model, found, None)?.only_differences().sorted_differences(&Sort::Groups);
    let mut words = asked.words("compare");
    words.extend(against.into_iter().flat_map(|against| ["--against", against]).map(str::to_owned));
    Ok(json!({ "html": html::of(&answer.results()), "command": command(&words) }))
}
