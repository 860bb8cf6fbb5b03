//! Requests about files: the files, columns, methods and intervals. A missing value stands for the
//! command's default.

use crate::error::PageError;
use crate::read::{LabelledSource, TestSource, name};
use serde::Deserialize;
use std::path::PathBuf;
use truecount::model::{Label, OmittedMethod};
use truecount::{Error, IntervalOptions, Model};
use truecount_analysis::advice::check_by;
use truecount_analysis::results::ColumnDescription;

/// Default name of the label column.
pub const LABEL: &str = "label";
/// Default label of positives.
const POSITIVE: &str = "1";

/// Format of saved tables.
pub const FORMAT: &str = "csv";

#[derive(Deserialize)]
pub struct PageRequest {
    train: PathBuf,
    test: Vec<PathBuf>,
    score: Option<String>,
    label: Option<String>,
    positive: Option<String>,
    weight: Option<String>,
    #[serde(default)]
    by: Vec<String>,
    every: Option<String>,
    #[serde(default)]
    method: Vec<String>,
    transform: Option<String>,
    cutoff: Option<f64>,
    target: Option<String>,
    level: Option<f64>,
}

impl PageRequest {
    /// Fits the model to the labelled scores.
    pub fn model(&self) -> Result<Model, PageError> {
        let transform = self.transform.as_deref().map(str::parse).transpose()?;
        let settings = truecount::model::Request {
            methods: self.method.clone(),
            transform,
            cutoff: self.cutoff,
            ..truecount::model::Request::default()
        }
        .settings()?;
        let positive = self.positive.as_deref().unwrap_or(POSITIVE);
        let source = LabelledSource {
            path: &self.train,
            score: self.score.as_deref(),
            label: self.label.as_deref().unwrap_or(LABEL),
            positive,
            unit_interval: settings.unit_interval(false),
        };
        let in_file = |error: Error| PageError::from(error.in_file(name(&self.train)));
        let (model, left_out) = settings.fit(&source.read()?).map_err(in_file)?;
        for OmittedMethod { method, error } in left_out {
            eprintln!("warning: left out: {}", in_file(error.for_method(method)));
        }
        Ok(model.with_positive(Label::from(positive)))
    }

    /// Returns the source of the test scores. If results are saved, their columns must have other
    /// names than the grouping columns.
    pub fn tests(&self, saved_columns: Option<&[ColumnDescription]>) -> Result<TestSource<'_>, PageError> {
        let format = saved_columns.map(|_| FORMAT);
        check_by(&self.by, format, saved_columns.unwrap_or_default()).map_err(PageError::new)?;
        let Self { test, score, by, weight, .. } = self;
        let every = self.every.as_deref().map(str::parse).transpose()?;
        Ok(TestSource { paths: test, score: score.as_deref(), weight: weight.as_deref(), by, every })
    }

    /// Returns the level and target of the intervals.
    pub fn interval_options(&self) -> Result<IntervalOptions, PageError> {
        let default = IntervalOptions::default();
        let target = self.target.as_deref().map_or(Ok(default.target()), str::parse)?;
        Ok(IntervalOptions::new(self.level.unwrap_or_else(|| default.level()), target)?)
    }

    pub fn is_weighted(&self) -> bool {
        self.weight.is_some()
    }

    pub fn has_groups(&self) -> bool {
        !self.by.is_empty()
    }

    /// Returns the paths of all files, the labelled table first.
    pub fn inputs(&self) -> impl Iterator<Item = &PathBuf> + Clone {
        std::iter::once(&self.train).chain(&self.test)
    }

    /// Returns the arguments of the command that answers the same request.
    pub fn arguments(&self, command: &str) -> Vec<String> {
        let path = |path: &PathBuf| path.display().to_string();
        let mut arguments = vec![command.to_owned(), "--train".to_owned(), path(&self.train), "--test".to_owned()];
        arguments.extend(self.test.iter().map(path));
        let mut option = |name: &str, value: Option<String>| {
            arguments.extend(value.map(|value| [format!("--{name}"), value]).into_iter().flatten());
        };
        let unless_default = |value: &Option<String>, default| value.clone().filter(|value| value != default);
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        option("score", self.score.clone());
        option("label", unless_default(&self.label, LABEL));
        option("positive", unless_default(&self.positive, POSITIVE));
        option("by", list(&self.by.iter().map(|name| quoted(name)).collect::<Vec<_>>()));
        option("every", self.every.clone());
        option("weight", self.weight.clone());
        option("method", list(&self.method));
        option("transform", self.transform.clone());
        option("cutoff", self.cutoff.map(|cutoff| cutoff.to_string()));
        option("target", self.target.clone());
        option("level", self.level.map(|level| level.to_string()));
        arguments
    }
}

/// Quotes the name of a column for `--by`, if it needs quotes.
fn quoted(name: &str) -> String {
    let is_plain = !name.contains(',') && !name.starts_with('"');
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
