//! Labelled scores from a table of any format.

use crate::Progress;
use crate::groups::{RowCollector, ScoreColumns, TestFiles};
use crate::label_file::LabelFile;
use std::path::Path;
use truecount::error::ErrorLocation;
use truecount::model::SampledRows;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassModel};
use truecount::{Error, LabelledScores};
use truecount_analysis::TableProblem;
use truecount_analysis::evaluation::ClassPool;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::request::{ClassColumn, EstimateRequest, predicted_class};
use truecount_text::{LabelClasses, LabelColumns, LabelValue, LabelledTable, name};

/// The file with labelled scores, and the columns to read.
pub struct LabelledFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The columns with scores and probabilities.
    pub columns: ScoreColumns<'a>,
    /// The column with the labels.
    pub label: &'a str,
    /// The class of each label.
    pub classes: LabelClasses<'a>,
    /// The table with the labels, if it is another one.
    pub labels: Option<LabelFile<'a>>,
    /// The column with weights.
    pub weight: Option<&'a str>,
    /// The column with the cluster of each row.
    pub cluster: Option<&'a str>,
    /// The column with the stratum that each row was drawn in.
    pub label_stratum: Option<&'a str>,
    /// The feature that needs scores strictly between 0 and 1, if any; named in messages.
    pub unit_interval: Option<&'static str>,
}

impl<'a> LabelledFile<'a> {
    /// Returns the file of a simple random sample: without weights, clusters and strata.
    pub fn new(path: &'a Path, columns: ScoreColumns<'a>, (label, positive): (&'a str, &'a str)) -> Self {
        let (classes, labels) = (LabelClasses::two(positive), None);
        let (weight, cluster, label_stratum, unit_interval) = (None, None, None, None);
        Self { path, columns, label, classes, labels, weight, cluster, label_stratum, unit_interval }
    }

    /// Reads all scores with their labels.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not have exactly two labels including
    /// the positive label.
    pub fn read(&self, progress: &dyn Progress) -> Result<LabelledScores, Error> {
        self.table(None, progress)?.scores(None)
    }

    /// Reads the rows of several classes, whose columns are named or matched by patterns. Also returns the columns.
    /// `count` is a column with numbers of equal rows.
    ///
    /// # Errors
    /// Returns the errors of [`TestFiles::class_columns`] and
    /// [`ClassFiles::read_labelled`](truecount_text::ClassFiles::read_labelled).
    pub fn read_classes(
        &self,
        (typed, count): (&[String], Option<&str>),
        progress: &dyn Progress,
    ) -> Result<(Vec<ClassColumn>, LabelledProbabilities), Error> {
        let Self { path, columns, label, classes, weight, cluster, label_stratum, .. } = *self;
        let by = LabelColumns { path, label, classes, cluster, label_stratum, stratum: None }.by();
        let paths = [path.to_owned()];
        let files = TestFiles { weight, required: &by, ..TestFiles::new(&paths, columns, &by, progress) };
        let columns = files.class_columns(typed)?;
        let units = [cluster, label_stratum];
        let labelled = files.with_class_files(|files| files.read_labelled(&columns, count, (&classes, units)))?;
        Ok((columns, labelled))
    }

    /// Reads rows with labels, to draw samples for a model that was fitted to rows with the same columns.
    ///
    /// # Errors
    /// Returns the errors of [`ClassFiles::read`](truecount_text::ClassFiles::read), and an error if a label is not
    /// among the model's.
    pub fn read_class_pool(
        &self,
        columns: &[ClassColumn],
        model: &MulticlassModel,
        request: &EstimateRequest,
        progress: &dyn Progress,
    ) -> Result<ClassPool, Error> {
        let (by, paths) = ([self.label.to_owned()], [self.path.to_owned()]);
        let files = TestFiles { required: &by, ..TestFiles::new(&paths, self.columns, &by, progress) };
        let groups = files.with_class_files(|files| files.read(columns, model, request))?;
        let texts = groups.keys.reader();
        let (mut tables, mut counts) = (Vec::new(), vec![0; model.names().len()]);
        for (group, table) in groups.contents.iter().enumerate() {
            let label = texts.text(group, 0);
            match predicted_class(&label, model.names()) {
                Some(class) => {
                    counts[class] += usize::try_from(table.n()).expect("a row in memory");
                    tables.push((class, table));
                }
                None if self.classes.is_ignored(&LabelValue::new(&label)) => (),
                None => {
                    let problem = TableProblem::LabelUnknown { value: label, labels: model.names().to_vec() };
                    return Err(ErrorLocation::file(name(self.path)).column(self.label).error(problem));
                }
            }
        }
        tables.sort_by_key(|(class, _)| *class);
        let tables: Vec<&ClassProbabilities> = tables.into_iter().map(|(_, table)| table).collect();
        let rows = if tables.is_empty() {
            ClassProbabilities::new(&[], model.verdicts().len())?
        } else {
            ClassProbabilities::concat(&tables).expanded().into_owned()
        };
        Ok(ClassPool { names: model.verdicts().to_vec(), rows, counts })
    }

    /// Reads all rows, with their strata if a column of strata is named.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn table(&self, stratum: Option<&str>, progress: &dyn Progress) -> Result<LabelledTable, Error> {
        let Self { columns, label, classes, labels, weight, cluster, label_stratum, unit_interval, .. } = *self;
        let path = labels.map_or(self.path, |labels| labels.path);
        let label = LabelColumns { path, label, classes, cluster, label_stratum, stratum };
        let paths = [self.path.to_owned()];
        let table = if let Some(labels) = labels {
            let by = LabelColumns { stratum: None, ..label }.by();
            let stratum: Vec<String> = stratum.into_iter().map(str::to_owned).collect();
            let scores = TestFiles { required: &stratum, ..TestFiles::new(&paths, columns, &stratum, progress) };
            LabelledTable::new(&label, labels.join((&by, &by, weight), &scores, unit_interval)?)?
        } else {
            let by = label.by();
            let files = TestFiles { weight, required: &by, ..TestFiles::new(&paths, columns, &by, progress) };
            LabelledTable::new(&label, files.read(unit_interval, label.max_groups(), &RowCollector)?.into_rows())?
        };
        table.notes().iter().for_each(|note| progress.note(&name(path), note));
        Ok(table)
    }
}
