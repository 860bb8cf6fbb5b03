//! The page that `truecount report` writes.

use super::asked::Asked;
use crate::failure::Failure;
use crate::output::Form;
use crate::report::{ARE, How, ITEMS, Models, Provenance, Words, made};
use serde_json::{Value, json};
use truecount_analysis::results::{Sort, visible};

/// What rows, and the positives among them, are called.
pub struct Called<'a> {
    items: &'a str,
    are: &'a str,
}

pub fn report(asked: &Asked, called: &Called) -> Result<Value, Failure> {
    let how = How { reporting: asked.reporting()?, resampling: None };
    let models = Models::new(asked.model()?, asked.is_weighted())?;
    let rows = asked.tests(&models.asked, Form::Table, &[])?.kept(&models.every)?;
    let (items, are) = (visible(called.items), visible(called.are));
    let words = Words { items: &items, are: &are, target: how.reporting.target() };
    let provenance = Provenance::of_files(&called.words(asked), asked.inputs())?;
    let sort = asked.has_groups().then_some(Sort::Groups);
    let (page, _) = made(&models, rows, None, sort.as_ref(), &how, &words, &provenance)?;
    Ok(json!({ "page": page, "command": provenance.command() }))
}

impl<'a> Called<'a> {
    pub fn new(items: Option<&'a str>, are: Option<&'a str>) -> Self {
        Self { items: items.unwrap_or(ITEMS), are: are.unwrap_or(ARE) }
    }

    fn words(&self, asked: &Asked) -> Vec<String> {
        let mut words = asked.words("report");
        for (option, name, usual) in [("--items", self.items, ITEMS), ("--are", self.are, ARE)] {
            if name != usual {
                words.extend([option, name].map(str::to_owned));
            }
        }
        words.extend(["--output", "report.html"].map(str::to_owned));
        words
    }
}
