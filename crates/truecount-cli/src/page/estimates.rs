//! What `truecount estimate` prints: read once, with no more memory than the method's tally takes.

use super::asked::Asked;
use crate::failure::Failure;
use crate::output::{self, Answer, Form, Whole};
use crate::report::command;
use serde_json::{Value, json};
use truecount_analysis::results::{self, Sort};
use truecount_tables::parallel::AllThreads;

pub fn estimates(asked: &Asked) -> Result<Value, Failure> {
    let form = Form::Csv;
    let reporting = asked.reporting()?;
    let model = asked.model()?;
    let found = asked.tests(&model, form, &output::columns(&[]))?.estimated(&model, &reporting)?;
    let answer = Answer::new(&model, Whole::of(found), None)?.sorted(&Sort::Groups);
    let mut text = Vec::new();
    answer.results().write(&AllThreads, results::Form::Csv, &mut text).map_err(Failure::at("the estimates"))?;
    let mut words = asked.words("estimate");
    words.extend(["--format".to_owned(), form.name()]);
    Ok(json!({ "text": String::from_utf8_lossy(&text), "command": command(&words) }))
}
