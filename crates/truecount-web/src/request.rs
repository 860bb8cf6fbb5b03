//! Requests about files: those of the analysis, with the files and their columns. A missing value
//! stands for the command's default.

use crate::error::PageError;
use crate::parse;
use crate::read::{PageProgress, PageRows};
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;
use truecount::model::{Label, OmittedMethod};
use truecount::multiclass::{ClassProbabilities, MulticlassModel};
use truecount::{Error, Model};
use truecount_analysis::advice::check_by;
use truecount_analysis::groups::TextNames;
use truecount_analysis::options::SettingsArgs;
use truecount_analysis::request::{ClassColumn, CompareRequest, class_method};
use truecount_analysis::results::ColumnDescription;
use truecount_analysis::rows::GroupCells;
use truecount_analysis::{LABEL, POSITIVE};
use truecount_report::{POSITIVE_NAME, ROW_NAME, command_line};
use truecount_text::{ClassFiles, LabelClasses, LabelColumns, MissingPolicy, ScoreColumns, TextFiles, name};

/// Format of saved tables.
pub const FORMAT: &str = "csv";

/// The options whose defaults are left out of command lines.
const DEFAULTS: [(&str, &str); 4] =
    [("label", LABEL), ("positive", POSITIVE), ("items", ROW_NAME), ("positive_name", POSITIVE_NAME)];

/// The keys that only `truecount report` has as options.
const ONLY_REPORT: [&str; 2] = ["items", "positive_name"];

/// A model for several classes, and the new rows.
type ModelAndRows = (MulticlassModel, GroupCells<ClassProbabilities, TextNames>);

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PageRequest {
    pub train: PathBuf,
    pub test: Vec<PathBuf>,
    score: Option<String>,
    train_score: Option<String>,
    label: Option<String>,
    positive: Option<String>,
    every: Option<String>,
    method: Vec<String>,
    transform: Option<String>,
    cutoff: Option<f64>,
    /// Whether all labels but that of positives are those of negatives.
    rest: bool,
    /// `drop` leaves out rows without a value.
    missing: Option<String>,
    pub items: Option<String>,
    pub positive_name: Option<String>,
    #[serde(skip)]
    pub analysis: CompareRequest,
}

impl PageRequest {
    /// Parses a request.
    pub fn new(request: &Value) -> Result<Self, PageError> {
        // Much smaller as a program than a flattened field.
        let reference = request["reference"].as_str().map(str::to_owned);
        let analysis = CompareRequest { estimate: parse(request)?, reference, ..CompareRequest::default() };
        Ok(Self { analysis, ..parse(request)? })
    }

    /// Fits the model to the labelled scores.
    pub fn model(&self) -> Result<Model, PageError> {
        let Self { train, method, transform, cutoff, .. } = self;
        let (methods, transform, cutoff) = (method.clone(), transform.clone(), *cutoff);
        let settings = SettingsArgs { methods, transform, cutoff, ..SettingsArgs::default() }.parse()?;
        let positive = self.positive.as_deref().unwrap_or(POSITIVE);
        let (columns, label) = (self.columns(), self.label.as_deref().unwrap_or(LABEL));
        let columns = ScoreColumns { score: self.train_score.as_deref().or(columns.score), ..columns };
        let classes = LabelClasses { rest: self.rest, ..LabelClasses::two(positive) };
        let labels = LabelColumns { path: train, label, classes, cluster: None, label_stratum: None, stratum: None };
        let labelled = labels.read_text(columns, settings.unit_interval(false), &PageProgress)?;
        let in_file = |error: Error| PageError::from(error.in_file(name(train)));
        let model = Model::fit(&labelled, &settings).map_err(in_file)?;
        for OmittedMethod { method, error } in model.omitted() {
            eprintln!("warning: left out: {}", in_file(error.clone().for_method(*method)));
        }
        Ok(model.with_positive(Label::from(positive)))
    }

    /// Returns the model and the new rows of several classes; `None` if rows have a single score.
    pub fn classes(&self, saved_columns: &[ColumnDescription]) -> Result<Option<ModelAndRows>, PageError> {
        let estimate = &self.analysis.estimate;
        let columns: Vec<ClassColumn> = estimate.class_scores.iter().map(|text| ClassColumn::parse(text)).collect();
        if columns.is_empty() {
            return Ok(None);
        }
        let read_rows = |files: &TextFiles| files.numbered_rows();
        let (train, label) = ([self.train.clone()], [self.label.clone().unwrap_or_else(|| LABEL.to_owned())]);
        let labelled = TextFiles { required: &label, ..TextFiles::new(&train, self.columns(), &label, &PageProgress) };
        let labelled = ClassFiles { files: &labelled, read_rows: &read_rows, replicates: &[] };
        let labelled = labelled.read_labelled(&columns, None, (&LabelClasses::two(POSITIVE), [None, None]))?;
        let model = MulticlassModel::fit(&labelled, class_method(&self.method, columns.len() == 1)?)?;
        let rows = self.rows(saved_columns)?;
        let rows = rows.parts(|files| {
            ClassFiles { files, read_rows: &read_rows, replicates: &[] }.read(&columns, &model, estimate)
        })?;
        Ok(Some((model, rows)))
    }

    /// Returns the test scores. If results are saved, their columns must have other names than the
    /// grouping columns.
    pub fn rows(&self, saved_columns: &[ColumnDescription]) -> Result<PageRows<'_>, PageError> {
        let estimate = &self.analysis.estimate;
        check_by(&estimate.by, Some(FORMAT), saved_columns).map_err(PageError::new)?;
        let every = self.every.as_deref().map(str::parse).transpose()?;
        let every = estimate.by.len().checked_sub(1).zip(every);
        let files = TextFiles::new(&self.test, self.columns(), &estimate.by, &PageProgress);
        Ok(PageRows { files: TextFiles { weight: estimate.weight.as_deref(), every, ..files }, request: estimate })
    }

    fn columns(&self) -> ScoreColumns<'_> {
        let drops = self.missing.as_deref() == Some("drop");
        let missing = Some(if drops { MissingPolicy::Drop } else { MissingPolicy::Error });
        ScoreColumns { score: self.score.as_deref(), missing, ..ScoreColumns::default() }
    }
}

/// Returns the line of the command that answers a request, whose keys are the command's options.
pub fn command(name: &str, request: &Value, more: &[&str]) -> String {
    let mut words = vec![name.to_owned()];
    let is_option = |key: &str| key != "ask" && (name == "report" || !ONLY_REPORT.contains(&key));
    for (key, value) in request.as_object().into_iter().flatten().filter(|(key, _)| is_option(key)) {
        let values: Vec<String> = match value {
            Value::Array(files) if key == "test" => files.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Value::Array(names) => {
                vec![names.iter().filter_map(Value::as_str).map(quoted).collect::<Vec<_>>().join(",")]
            }
            Value::Bool(true) => {
                words.push(format!("--{key}"));
                continue;
            }
            Value::String(text) => vec![text.clone()],
            number => vec![number.to_string()],
        };
        let first = values.first().map_or("", String::as_str);
        if !first.is_empty() && !DEFAULTS.contains(&(key.as_str(), first)) {
            words.push(format!("--{}", key.replace('_', "-")));
            words.extend(values);
        }
    }
    words.extend(more.iter().map(|word| (*word).to_owned()));
    command_line(&words)
}

/// Quotes the name of a column for `--by`, if it needs quotes.
fn quoted(name: &str) -> String {
    let is_plain = !name.contains(',') && !name.starts_with('"');
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
