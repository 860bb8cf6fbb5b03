//! Probabilities of several classes, in a column for each class, or predicted classes in a single column.

use crate::files::{NumberedRows, TextFiles, check_weights};
use crate::labelled::{LabelClasses, LabelUnits};
use crate::numbers::LabelValue;
use crate::rows::{ScoreColumns, ScoreWords};
use crate::source::{is_file, title};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use truecount::Error;
use truecount::error::{ErrorLocation, Position, Problem};
use truecount::model::SampledRows;
use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassModel};
use truecount_analysis::TableProblem;
use truecount_analysis::groups::{GroupKeys, NamedGroups};
use truecount_analysis::request::{ClassColumn, EstimateRequest, class_labels, predicted_class};

/// The first row with a predicted class, the number of such rows, and the rows.
type PredictedRows = (u64, u64, NumberedRows);

type ReadRows<'a, N> = &'a dyn Fn(&TextFiles) -> Result<NamedGroups<NumberedRows, N>, Error>;

/// Files with the probabilities of several classes, or with predicted classes in a single column.
pub struct ClassFiles<'a, N> {
    /// The files, and their columns except those of the classes.
    pub files: &'a TextFiles<'a>,
    /// Reads the rows of these files with the columns of the classes.
    pub read_rows: ReadRows<'a, N>,
    /// The columns of replicate weights, which are read as those of the classes.
    pub replicates: &'a [String],
}

impl<N: GroupKeys> ClassFiles<'_, N> {
    /// Reads the probabilities or the predicted classes of every group of new rows.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if the probabilities of a row do not have the sum 1, if a number of
    /// rows is not whole, if all weights of a group are 0, and if a predicted class is not among the model's verdicts.
    pub fn read(
        &self,
        columns: &[ClassColumn],
        model: &MulticlassModel,
        request: &EstimateRequest,
    ) -> Result<NamedGroups<ClassProbabilities, N>, Error> {
        self.read_together(columns, model, request).map_err(|error| {
            // Several files have their rows numbered together: the file with the error has it if it is read alone.
            let is_unnamed = error.location().file.as_ref().is_some_and(|file| *file == title(self.files.paths));
            let can_be_read_again = self.files.paths.len() > 1 && self.files.paths.iter().all(|path| is_file(path));
            let alone = self.files.paths.chunks(1).filter(|_| is_unnamed && can_be_read_again);
            let mut errors = alone.filter_map(|paths| {
                let files = &TextFiles { paths, ..*self.files };
                ClassFiles { files, ..*self }.read_together(columns, model, request).err()
            });
            errors.find(|other| other.code() == error.code()).unwrap_or(error)
        })
    }

    /// Reads the rows, which errors number over all files.
    fn read_together(
        &self,
        columns: &[ClassColumn],
        model: &MulticlassModel,
        request: &EstimateRequest,
    ) -> Result<NamedGroups<ClassProbabilities, N>, Error> {
        let count = request.class_count.as_deref();
        if let [column] = columns {
            return self.read_predicted_classes(column, count, model);
        }
        let kind = (columns.len(), model.takes_decision_values());
        let rows = self.read_class_rows(columns, count)?.map(|rows| self.probabilities(&rows, kind, count))?;
        // Only parts of groups, such as a cluster, may be without weight; counts are not weights.
        if request.has_design() || count.is_some() {
            Ok(rows)
        } else {
            check_weights(self.files.paths, rows, |rows| rows.n() > 0)
        }
    }

    /// Reads the rows with these columns for the classes. `count` is a column with numbers of equal rows.
    fn read_class_rows(
        &self,
        columns: &[ClassColumn],
        count: Option<&str>,
    ) -> Result<NamedGroups<NumberedRows, N>, Error> {
        let mut names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        names.extend_from_slice(self.replicates);
        let columns = ScoreColumns { score: Some(&names[0]), classes: &names, ..self.files.columns };
        self.read_counted(&TextFiles { columns, ..*self.files }, count)
    }

    /// Reads the rows of files, with counts as weights.
    fn read_counted(&self, files: &TextFiles, count: Option<&str>) -> Result<NamedGroups<NumberedRows, N>, Error> {
        let rows = (self.read_rows)(&TextFiles { weight: count.or(files.weight), ..*files });
        rows.map_err(|error| match (count, error.problem()) {
            (Some(_), Some(Problem::WeightOutOfRange { value })) => {
                error.location().clone().error(TableProblem::ValueNotWhole { value: value.to_string() })
            }
            _ => error,
        })
    }

    /// Returns the probabilities of rows in the order of their numbers, with their weights or counts. Scores of counted
    /// rows are rounded to two decimals, in both tables alike.
    fn probabilities(
        &self,
        rows: &NumberedRows,
        (classes, are_decision_values): (usize, bool),
        count: Option<&str>,
    ) -> Result<ClassProbabilities, Error> {
        let mut order: Vec<usize> = (0..rows.rows.len()).collect();
        order.sort_by_key(|row| rows.rows[*row]);
        let width = classes + self.replicates.len();
        let values = |row: &usize| &rows.classes[row * width..row * width + classes];
        let rounded = |value: &f64| if count.is_some() { (100.0 * value).round() / 100.0 } else { *value };
        let values: Vec<f64> = order.iter().flat_map(values).map(rounded).collect();
        let number = |row: usize| usize::try_from(rows.rows[order[row]]).expect("a row in memory");
        let in_row = |error: Error| error.renumber_row(number).in_file(title(self.files.paths));
        let weights = rows.numbers.weights.as_ref();
        let weights: Option<Vec<f64>> = weights.map(|weights| order.iter().map(|row| weights[*row]).collect());
        let table = ClassProbabilities::from_scores(&values, classes, are_decision_values).map_err(in_row)?;
        let (Some(counts), Some(column)) = (&weights, count) else {
            return self.with_replicates(table.with_weights(weights).map_err(in_row)?, (rows, &order));
        };
        let counts = whole_counts(counts);
        table.with_counts(counts.map_err(|(row, problem)| self.at(rows.rows[order[row]], column).error(problem))?)
    }

    /// Adds the replicate weights of rows, in this order.
    fn with_replicates(
        &self,
        table: ClassProbabilities,
        (rows, order): (&NumberedRows, &[usize]),
    ) -> Result<ClassProbabilities, Error> {
        let width = rows.classes.len() / order.len();
        let add = |table: ClassProbabilities, (index, name): (usize, &String)| {
            let column = width - self.replicates.len() + index;
            let weights = order.iter().map(|row| rows.classes[row * width + column]).collect();
            let in_column = |error: Error| match error.problem::<Problem>() {
                Some(problem) => {
                    self.at(rows.rows[order[error.location().row.unwrap_or(0)]], name).error(problem.clone())
                }
                None => error,
            };
            table.with_replicate(weights).map_err(in_column)
        };
        self.replicates.iter().enumerate().try_fold(table, add)
    }

    /// Counts the rows of each group and predicted class, or adds up the column `count`. The predicted class is the
    /// last grouping column. Rows may have weights.
    fn read_predictions(
        &self,
        column: &ClassColumn,
        count: Option<&str>,
    ) -> Result<NamedGroups<PredictedRows, N>, Error> {
        let predicted = [column.name.clone()];
        let [by, required] = [self.files.by, self.files.required].map(|columns| [columns, &predicted].concat());
        let score = Some(column.name.as_str());
        let (classes, words) = (self.replicates, Some(ScoreWords::Any));
        let columns = ScoreColumns { score, probability: None, classes, words, ..self.files.columns };
        let files = TextFiles { columns, by: &by, required: &required, ..*self.files };
        self.read_counted(&files, count)?.map(|mut rows| {
            let first = rows.rows.iter().copied().min().expect("a group has rows");
            let (Some(counts), Some(column)) = (&rows.numbers.weights, count) else {
                return Ok((first, rows.rows.len() as u64, rows));
            };
            let n = sum_counts(counts).map_err(|(index, problem)| self.at(rows.rows[index], column).error(problem))?;
            rows.numbers.weights = None;
            Ok((first, n, rows))
        })
    }

    /// Returns the location of a cell.
    fn at(&self, row: u64, column: &str) -> ErrorLocation {
        ErrorLocation::file(title(self.files.paths)).at(Position::Row(row)).column(column)
    }

    /// Reads the predicted classes of every group, as one table for each group and class.
    fn read_predicted_classes(
        &self,
        column: &ClassColumn,
        count: Option<&str>,
        model: &MulticlassModel,
    ) -> Result<NamedGroups<ClassProbabilities, N>, Error> {
        let NamedGroups { keys, contents, shift_total } = self.read_predictions(column, count)?;
        let verdicts = model.verdicts();
        let table = |(group, (first, n, mut rows)): (usize, PredictedRows)| {
            let value = keys.reader().text(group, self.files.by.len());
            let class = predicted_class(&value, verdicts).ok_or_else(|| {
                let problem = TableProblem::VerdictUnknown { value, verdicts: verdicts.to_vec() };
                self.at(first, &column.name).error(problem)
            })?;
            let table = ClassProbabilities::predicted(class, verdicts.len(), n)?;
            let (table, order) = (table.with_weights(rows.numbers.weights.take())?, 0..rows.rows.len());
            self.with_replicates(table, (&rows, &order.collect::<Vec<_>>()))
        };
        let contents = contents.into_iter().enumerate().map(table).collect::<Result<_, Error>>()?;
        Ok(NamedGroups { keys, contents, shift_total })
    }

    /// Reads labelled probabilities or decision values, with these columns for the classes, or predicted classes in a
    /// single column. The grouping columns have the labels, clusters and strata, and `units` names the last two.
    /// `count` is a column with numbers of rows.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, if the probabilities of a row do not have the sum 1, if a
    /// column has no label or a label no column, and if no predicted class is a label; and the errors of
    /// [`LabelledProbabilities::with_units`].
    pub fn read_labelled(
        &self,
        columns: &[ClassColumn],
        count: Option<&str>,
        (classes, units): (&LabelClasses, [Option<&str>; 2]),
    ) -> Result<LabelledProbabilities, Error> {
        let is_kept = |label: &String| !classes.is_ignored(&LabelValue::new(label));
        let mut units = LabelUnits::new(units);
        if let [column] = columns {
            let NamedGroups { keys, contents, .. } = self.read_predictions(column, count)?;
            let text = |row: usize, column: usize| keys.reader().text(row, column);
            let rows =
                (0..contents.len()).map(|row| ((row, text(row, 0)), text(row, self.files.by.len()), &contents[row]));
            let rows: Vec<_> = rows.filter(|((_, label), _, row)| is_kept(label) && row.1 > 0).collect();
            let mut names: Vec<String> = rows.iter().map(|((_, label), ..)| label.clone()).collect();
            names.sort_by(|a, b| compare_classes(a, b));
            names.dedup();
            // Other verdicts follow the classes.
            let classes = names.len();
            for (_, verdict, _) in &rows {
                if predicted_class(verdict, &names).is_none() {
                    names.push(verdict.clone());
                }
            }
            let is_class = |verdict: &String| predicted_class(verdict, &names[..classes]).is_some();
            if let Some((_, value, row)) = rows.first().filter(|_| !rows.iter().any(|row| is_class(&row.1))) {
                let problem =
                    TableProblem::VerdictUnknown { value: value.clone(), verdicts: names[..classes].to_vec() };
                return Err(self.at(row.0, &column.name).error(problem));
            }
            let table = |((row, label), class, (_, n, rows)): ((_, _), String, &PredictedRows)| {
                let class = predicted_class(&class, &names).expect("a verdict");
                let table = ClassProbabilities::predicted(class, names.len(), *n)?;
                let table = table.with_weights(rows.numbers.weights.clone())?;
                units.extend(&mut (1..).map(|column| text(row, column)), table.len());
                Ok((label, table))
            };
            let tables = rows.into_iter().map(table).collect::<Result<Vec<_>, Error>>()?;
            return self.combine_tables(&names, &tables, &units);
        }
        let NamedGroups { keys, contents, .. } = self.read_class_rows(columns, count)?;
        let texts = keys.reader();
        let rows_of_labels = contents.into_iter().enumerate().map(|(group, rows)| (group, texts.text(group, 0), rows));
        let kept: Vec<(usize, String, NumberedRows)> = rows_of_labels.filter(|(_, label, _)| is_kept(label)).collect();
        let mut labels: BTreeMap<String, usize> = BTreeMap::new();
        for (_, label, rows) in &kept {
            *labels.entry(label.clone()).or_default() += rows.rows.len();
        }
        let names = class_labels(columns, &labels)?;
        let scores: Vec<f64> = kept.iter().flat_map(|(.., rows)| rows.classes.iter().copied()).collect();
        let are_decision_values = ClassProbabilities::are_decision_values(&scores, columns.len());
        let table = |(group, label, rows): (_, _, NumberedRows)| {
            units.extend(&mut (1..).map(|column| texts.text(group, column)), rows.rows.len());
            Ok((label, self.probabilities(&rows, (columns.len(), are_decision_values), count)?))
        };
        let tables = kept.into_iter().map(table).collect::<Result<Vec<_>, Error>>()?;
        self.combine_tables(&names, &tables, &units)
    }

    /// Combines labelled rows, from a table for each label.
    fn combine_tables(
        &self,
        names: &[String],
        tables: &[(String, ClassProbabilities)],
        units: &LabelUnits,
    ) -> Result<LabelledProbabilities, Error> {
        let in_file = |error: Error| error.in_file(title(self.files.paths));
        if tables.is_empty() {
            return Err(in_file(Problem::TooFewClasses { classes: 0 }.into()));
        }
        let class = |label: &String| names.iter().position(|name| name == label).expect("a label with a name");
        let labels: Vec<usize> = tables.iter().flat_map(|(label, table)| vec![class(label); table.len()]).collect();
        let tables: Vec<_> = tables.iter().map(|(_, table)| table).collect();
        let rows = ClassProbabilities::concat(&tables);
        let labelled = LabelledProbabilities::with_units(names, rows, &labels, units.columns());
        labelled.map_err(|error| units.locate(in_file(error)))
    }
}

/// Compares the names of classes: numbers by size, before texts.
pub fn compare_classes(a: &str, b: &str) -> Ordering {
    let number = |name: &str| name.parse().unwrap_or(f64::INFINITY);
    number(a).total_cmp(&number(b)).then(a.cmp(b))
}

/// Returns the sum of counts, which were read as weights.
///
/// # Errors
/// Returns the problem of a count that is not whole, with its index.
pub fn sum_counts(counts: &[f64]) -> Result<u64, (usize, TableProblem)> {
    Ok(whole_counts(counts)?.into_iter().fold(0, u64::saturating_add))
}

/// Returns counts, which were read as weights, or the problem of one that is not whole, with its index.
fn whole_counts(counts: &[f64]) -> Result<Vec<u64>, (usize, TableProblem)> {
    let problem = |(index, count): (usize, &f64)| {
        let value = truecount::internal::Digits(*count).to_string();
        whole(*count).ok_or((index, TableProblem::ValueNotWhole { value }))
    };
    counts.iter().enumerate().map(problem).collect()
}

/// Converts an integer from 0 to 2^53; `None` for any other number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an integer in the range
pub fn whole(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
    is_whole.then_some(number as u64)
}
