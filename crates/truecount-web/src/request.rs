//! What is asked of files: which files and columns, which methods, which intervals. What has no
//! value has the command's default.

use crate::error::PageError;
use crate::read::{PageLabels, Tests, name};
use serde::Deserialize;
use std::path::PathBuf;
use truecount::{Error, IntervalOptions, Label, Model};
use truecount_analysis::advice::check_by;
use truecount_analysis::results::ColumnDescription;

/// Where labels are, and what a positive's is, where nothing is said.
pub const LABEL: &str = "label";
const POSITIVE: &str = "1";

/// The form of tables that are saved.
pub const FORM: &str = "csv";

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
    #[serde(default)]
    method: Vec<String>,
    transform: Option<String>,
    target: Option<String>,
    level: Option<f64>,
}

impl PageRequest {
    /// What is learnt from the labelled scores.
    pub fn model(&self) -> Result<Model, PageError> {
        let transform = self.transform.as_deref().map(str::parse).transpose()?;
        let settings = truecount::Request { methods: self.method.clone(), transform, ..truecount::Request::default() }
            .settings()?;
        let positive = self.positive.as_deref().unwrap_or(POSITIVE);
        let file = PageLabels {
            path: &self.train,
            score: self.score.as_deref(),
            label: self.label.as_deref().unwrap_or(LABEL),
            positive,
            unit_interval: settings.unit_interval(false),
        };
        let within = |error: Error| PageError::from(error.in_file(name(&self.train)));
        let (model, left_out) = Model::fit_available(&file.read()?, &settings).map_err(within)?;
        for (method, error) in left_out {
            eprintln!("warning: left out: {}", within(error.for_method(method)));
        }
        Ok(model.with_positive(Label::from(positive)))
    }

    /// Where the test scores are. Groups may not be called as these columns of results that are
    /// saved.
    pub fn tests(&self, own: Option<&[ColumnDescription]>) -> Result<Tests<'_>, PageError> {
        check_by(&self.by, own.map(|_| FORM), own.unwrap_or_default()).map_err(PageError::new)?;
        let Self { test, score, by, weight, .. } = self;
        Ok(Tests { paths: test, score: score.as_deref(), weight: weight.as_deref(), by })
    }

    /// Which intervals.
    pub fn reporting(&self) -> Result<IntervalOptions, PageError> {
        let usual = IntervalOptions::default();
        let target = self.target.as_deref().map_or(Ok(usual.target()), str::parse)?;
        Ok(IntervalOptions::new(self.level.unwrap_or_else(|| usual.level()), target)?)
    }

    pub fn is_weighted(&self) -> bool {
        self.weight.is_some()
    }

    pub fn has_groups(&self) -> bool {
        !self.by.is_empty()
    }

    /// All files.
    pub fn inputs(&self) -> impl Iterator<Item = &PathBuf> + Clone {
        std::iter::once(&self.train).chain(&self.test)
    }

    /// What is typed behind `truecount` for the same.
    pub fn words(&self, command: &str) -> Vec<String> {
        let path = |path: &PathBuf| path.display().to_string();
        let mut words = vec![command.to_owned(), "--train".to_owned(), path(&self.train), "--test".to_owned()];
        words.extend(self.test.iter().map(path));
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| [format!("--{name}"), value]).into_iter().flatten());
        };
        let unusual = |value: &Option<String>, usual| value.clone().filter(|value| value != usual);
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        option("score", self.score.clone());
        option("label", unusual(&self.label, LABEL));
        option("positive", unusual(&self.positive, POSITIVE));
        option("by", list(&self.by.iter().map(|name| quoted(name)).collect::<Vec<_>>()));
        option("weight", self.weight.clone());
        option("method", list(&self.method));
        option("transform", self.transform.clone());
        option("target", self.target.clone());
        option("level", self.level.map(|level| level.to_string()));
        words
    }
}

/// The name of a column as `--by` takes it.
fn quoted(name: &str) -> String {
    let plain = !name.contains(',') && !name.starts_with('"');
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
