//! What `truecount counts` prints of counts that are typed.

use super::html;
use crate::counts;
use crate::failure::Failure;
use crate::report::command;
use serde_json::{Value, json};

/// The options and what is typed behind them.
pub struct Counts<'a>([(&'static str, Option<&'a str>); 4]);

impl<'a> Counts<'a> {
    /// What is typed by the names of the options.
    pub fn new(typed: impl Fn(&str) -> Option<&'a str>) -> Self {
        let options = ["--positives", "--tested", "--sensitivity", "--specificity"];
        Self(options.map(|option| (option, typed(&option[2..]).map(str::trim).filter(|text| !text.is_empty()))))
    }

    pub fn found(&self) -> Result<Value, Failure> {
        let [positives, tested, sensitivity, specificity] = self.0.map(|(_, text)| text);
        let typed = counts::Written { positives, tested, sensitivity, specificity, ..counts::Written::default() };
        let counted = counts::counted(&typed)?;
        let typed = self.0.iter().filter_map(|(option, text)| text.map(|text| [option, text])).flatten();
        let words: Vec<String> = std::iter::once("counts").chain(typed).map(str::to_owned).collect();
        Ok(json!({ "html": html::of(&counted.results()), "command": command(&words) }))
    }
}
