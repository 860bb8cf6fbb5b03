//! Features from a table; all files of the competition have the same columns.

use crate::shared::{
    CliError, NoProgress, ProgressBars,
    input::{self, TextTable},
};
use ndarray::Array2;
use std::path::Path;

const LABEL: &str = "label";

/// The largest feature allowed; means and standard deviations of larger features could overflow.
const MAX_FEATURE: f64 = 1e100;

/// The training data.
pub struct TrainingData {
    pub features: FeatureNames,
    /// One row for each label.
    pub rows: Array2<f64>,
    pub positive: Vec<bool>,
}

/// The names of the features, in their order.
pub struct FeatureNames(Vec<String>);

impl TrainingData {
    /// Reads a table with features and labels, which are 0 or 1.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let mut table = input::open_table(path, None, &ProgressBars)?;
        let label = table.column(LABEL)?;
        let columns = columns(&table);
        let (mut values, mut positive) = (Vec::new(), Vec::new());
        while table.advance()? {
            positive.push(match table.number(label)? {
                0.0 => false,
                1.0 => true,
                _ => {
                    let text = table.text(label)?;
                    return Err(table
                        .cell_error(label, &format!("is '{text}'; the binary task has the labels 0 and 1"))
                        .into());
                }
            });
            push_row(&table, &columns, &mut values)?;
        }
        let features = FeatureNames(columns.iter().map(|column| table.header()[*column].clone()).collect());
        Ok(Self { features, rows: matrix(values, columns.len(), &table)?, positive })
    }
}

impl FeatureNames {
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Checks that a sample has the features of the training data, and returns whether it also has
    /// labels, which are never read.
    pub fn check(&self, sample: &Path) -> Result<bool, CliError> {
        self.open(sample).map(|table| table.header().iter().any(|column| column == LABEL))
    }

    /// Reads the rows of a sample.
    pub fn read(&self, sample: &Path) -> Result<Array2<f64>, CliError> {
        let mut table = self.open(sample)?;
        let columns = columns(&table);
        let mut values = Vec::new();
        while table.advance()? {
            push_row(&table, &columns, &mut values)?;
        }
        matrix(values, columns.len(), &table)
    }

    fn open(&self, sample: &Path) -> Result<TextTable, CliError> {
        let table = input::open_table(sample, None, &NoProgress)?;
        let columns = columns(&table);
        let name = table.name();
        if columns.len() != self.count() {
            let (count, expected) = (columns.len(), self.count());
            return Err(CliError::Data(format!(
                "{name}, line 1: the header has {count} features, that of the training data {expected}; all files need \
                 the same"
            ).into()));
        }
        let different = columns.iter().zip(&self.0).find(|(column, feature)| table.header()[**column] != **feature);
        if let Some((column, feature)) = different {
            let actual = &table.header()[*column];
            return Err(CliError::Data(format!(
                "{name}, line 1: column {} is '{actual}', where the training data has '{feature}'; all files need the \
                 same header",
                column + 1
            ).into()));
        }
        Ok(table)
    }
}

/// Returns the indices of the features, which are all columns except the label.
fn columns(table: &TextTable) -> Vec<usize> {
    (0..table.header().len()).filter(|column| table.header()[*column] != LABEL).collect()
}

fn push_row(table: &TextTable, columns: &[usize], values: &mut Vec<f64>) -> Result<(), CliError> {
    columns.iter().try_for_each(|column| {
        let value = table.number(*column)?;
        if value.abs() > MAX_FEATURE {
            let text = table.text(*column)?;
            return Err(table
                .cell_error(*column, &format!("is '{text}'; features lie between -1e100 and 1e100"))
                .into());
        }
        values.push(value);
        Ok(())
    })
}

fn matrix(values: Vec<f64>, columns: usize, table: &TextTable) -> Result<Array2<f64>, CliError> {
    if columns == 0 {
        return Err(CliError::Data(format!("{}: there are no features beside the labels", table.name()).into()));
    }
    if values.is_empty() {
        return Err(table.without_rows().into());
    }
    Ok(Array2::from_shape_vec((values.len() / columns, columns), values).expect("whole rows"))
}
