//! What `truecount counts` prints of counts that are typed.

use super::html;
use crate::counts;
use crate::failure::Failure;
use crate::report::command;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub struct Counts {
    positives: Option<String>,
    tested: Option<String>,
    sensitivity: Option<String>,
    specificity: Option<String>,
}

impl Counts {
    pub fn found(&self) -> Result<Value, Failure> {
        let Self { positives, tested, sensitivity, specificity } = self;
        let written = [positives, tested, sensitivity, specificity]
            .map(|text| text.as_deref().map(str::trim).filter(|text| !text.is_empty()));
        let [positives, tested, sensitivity, specificity] = written;
        let typed = counts::Written { positives, tested, sensitivity, specificity, ..counts::Written::default() };
        let counted = counts::counted(&typed)?;
        let options = ["--positives", "--tested", "--sensitivity", "--specificity"].into_iter().zip(written);
        let typed = options.filter_map(|(option, text)| text.map(|text| [option, text])).flatten();
        let words: Vec<String> = std::iter::once("counts").chain(typed).map(str::to_owned).collect();
        Ok(json!({ "html": html::of(&counted.results()), "command": command(&words) }))
    }
}
