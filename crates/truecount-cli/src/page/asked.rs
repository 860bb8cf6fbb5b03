//! Which files and columns, which methods, which intervals: what has no value has the command's default.

use crate::failure::Failure;
use crate::models::learn;
use crate::options::{LABEL, POSITIVE};
use crate::output::{Form, check_by};
use crate::progress::Bars;
use serde::Deserialize;
use std::path::PathBuf;
use truecount::{Label, Model, Reporting, Request};
use truecount_analysis::results::Description;
use truecount_tables::LabelledFile;
use truecount_tables::groups::{ScoreColumns, TestFiles};

#[derive(Deserialize)]
pub struct Asked {
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

impl Asked {
    /// What is learnt from the labelled scores.
    pub fn model(&self) -> Result<Model, Failure> {
        let transform = self.transform.as_deref().map(str::parse).transpose()?;
        let settings = Request { methods: self.method.clone(), transform, ..Request::default() }.settings()?;
        let positive = self.positive.as_deref().unwrap_or(POSITIVE);
        let file = LabelledFile {
            path: &self.train,
            columns: self.columns(),
            label: self.label.as_deref().unwrap_or(LABEL),
            positive,
            weight: None,
            cluster: None,
            unit_interval: settings.unit_interval(false),
        };
        Ok(learn(&file.read(&Bars)?, &settings, &self.train)?.with_positive(Label::from(positive)))
    }

    /// Where the test scores are; groups may not be called as these columns of the results in that form.
    pub fn tests(&self, model: &Model, form: Form, own: &[Description]) -> Result<TestFiles<'_>, Failure> {
        check_by(&self.by, form, own)?;
        let columns = self.columns().of_tests(model);
        let Self { test: paths, by, weight, .. } = self;
        Ok(TestFiles { paths, columns, weight: weight.as_deref(), by, fingerprint: None, progress: &Bars })
    }

    pub fn reporting(&self) -> Result<Reporting, Failure> {
        let usual = Reporting::default();
        let target = self.target.as_deref().map_or(Ok(usual.target()), str::parse)?;
        Ok(Reporting::new(self.level.unwrap_or_else(|| usual.level()), target)?)
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

    fn columns(&self) -> ScoreColumns<'_> {
        ScoreColumns { score: self.score.as_deref(), probability: None, decimal: None, sheet: None }
    }
}

/// The name of a column as `--by` takes it.
fn quoted(name: &str) -> String {
    let plain = !name.contains(',') && !name.starts_with('"');
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
