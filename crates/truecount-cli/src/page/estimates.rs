//! What `truecount estimate` prints: read once, with no more memory than the method's tally takes.

use super::asked::Asked;
use crate::failure::Failure;
use crate::output::{self, Answer, Whole};
use crate::report::command;
use serde::Deserialize;
use serde_json::{Value, json};
use truecount_io::groups::Groups;
use truecount_io::results::{self, Sort};

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Csv,
    Json,
}

pub fn estimates(asked: &Asked, form: Form) -> Result<Value, Failure> {
    let (form, typed) = match form {
        Form::Csv => (results::Form::Csv, output::Form::Csv),
        Form::Json => (results::Form::Json, output::Form::Json),
    };
    let reporting = asked.reporting()?;
    let model = asked.model()?;
    let found = Groups::estimated(&asked.tests(&model, typed, &output::columns(&[]))?, &model, &reporting)?;
    let answer = Answer::new(&model, Whole::of(found), None)?.sorted(&Sort::Groups);
    let mut text = Vec::new();
    answer.results().write(form, &mut text).map_err(Failure::at("the estimates"))?;
    let mut words = asked.words("estimate");
    words.extend(["--format".to_owned(), typed.name()]);
    Ok(json!({ "text": String::from_utf8_lossy(&text), "command": command(&words), "warnings": answer.warnings() }))
}
