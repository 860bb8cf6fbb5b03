//! Requests for the shares of several classes.

use super::{EstimateRequest, Sizes};
use crate::AnalysisProblem;
use crate::compare::{DifferenceResult, class_differences};
use crate::estimates::first_error;
use crate::executor::Executor;
use crate::groups::{GroupKeys, GroupNames, NamedGroups, Partition};
use crate::rows::GroupCells;
use truecount::Error;
use truecount::multiclass::{ClassProbabilities, MulticlassEstimate, MulticlassMethod, MulticlassModel};

/// Returns the method for several classes that is named; the default without names.
///
/// # Errors
/// Returns an error for several methods, and for an unknown name.
pub fn class_method(methods: &[String]) -> Result<MulticlassMethod, Error> {
    match methods {
        [] => Ok(MulticlassMethod::default()),
        [method] => method.parse(),
        _ => Err(AnalysisProblem::option_conflict(
            "{--class-scores} can be used with one method only",
            "name one of them in {--method}",
        )),
    }
}

impl EstimateRequest {
    /// Estimates the shares of the classes in all groups.
    ///
    /// # Errors
    /// Returns the errors of [`MulticlassModel::estimate_design`] with the name of the group, and those of
    /// [`CellDesign::with_units`](crate::design_tallies::CellDesign::with_units) with that of the stratum.
    pub fn run_classes<N: GroupNames>(
        &self,
        executor: &impl Executor,
        model: &MulticlassModel,
        cells: GroupCells<ClassProbabilities, N>,
    ) -> Result<NamedGroups<MulticlassEstimate, N>, Error> {
        let mut options = self.interval_options()?.with_multiplicity(cells.names.number());
        if let Some(Sizes::Number(size)) = self.population {
            options = options.with_population(size);
        }
        let partition = Partition::new(&cells.groups, cells.names.number());
        let design = cells.design.with_units(&cells.contents).map_err(|error| cells.design_error(error))?;
        let groups: Vec<&[usize]> = (0..partition.number()).map(|group| partition.parts(group)).collect();
        let estimates = executor.map(&groups, |parts| {
            if let Some(design) = &design {
                return model.estimate_design(design, parts, &options);
            }
            let rows: Vec<_> = parts.iter().map(|part| &cells.contents[*part]).collect();
            model.estimate(&ClassProbabilities::concat(&rows), &options)
        });
        let contents = first_error(estimates).map_err(|error| cells.names.name_set(error))?;
        Ok(NamedGroups { keys: cells.names, contents, shift_total: None })
    }
}

impl EstimateRequest {
    /// Compares the shares of the classes in groups; `None` without a reference.
    ///
    /// # Errors
    /// Returns an error for a reference that is no group, and if there is nothing to compare.
    pub fn compare_classes<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        model: &MulticlassModel,
        groups: &NamedGroups<MulticlassEstimate, N>,
    ) -> Result<Option<DifferenceResult>, Error> {
        let Some((sets, reference)) = self.comparison(&groups.keys)? else { return Ok(None) };
        let options = self.interval_options()?;
        let differences = class_differences(executor, model, &groups.contents, (&sets, &reference), &options)?;
        Ok(Some(differences.named(&groups.keys)))
    }
}

/// Returns the label that each column of class scores stands for. A column is written as label=column, or
/// its name ends with the label.
///
/// # Errors
/// Returns an error unless each column has a label and each label a column.
pub fn class_labels(columns: &[ClassColumn], labels: &[String]) -> Result<Vec<String>, Error> {
    let of_column = |column: &ClassColumn| match &column.label {
        Some(label) => labels.iter().find(|known| *known == label),
        None => labels.iter().filter(|label| column.name.ends_with(*label)).max_by_key(|label| label.len()),
    };
    let matches: Vec<Option<&String>> = columns.iter().map(of_column).collect();
    let hint = "write the label before each column, as in {--class-scores=good=p1,wrong=p2}";
    let mut listed = labels.to_vec();
    listed.sort();
    let listed = listed.join(", ");
    if let Some(place) = matches.iter().position(Option::is_none) {
        let ClassColumn { label, name } = &columns[place];
        return Err(match label {
            Some(label) => AnalysisProblem::option_conflict(
                format!("'{label}' in {{--class-scores}} is not a label; the labels are {listed}"),
                "label rows of every class, two or more each",
            ),
            None => AnalysisProblem::option_conflict(
                format!("the column '{name}' in {{--class-scores}} ends with no label; the labels are {listed}"),
                format!("{hint}, and label rows of every class"),
            ),
        });
    }
    let matches: Vec<String> = matches.into_iter().flatten().cloned().collect();
    for label in labels {
        let number = matches.iter().filter(|name| *name == label).count();
        if number != 1 {
            let (number, hint) = if number == 0 {
                let hint = format!("{hint}, or leave out its rows with {{--ignore-label}}");
                ("no column".to_owned(), hint)
            } else {
                (format!("{number} columns"), "name one column for each label".to_owned())
            };
            return Err(AnalysisProblem::option_conflict(
                format!("{{--class-scores}} has {number} for the label '{label}'; the labels are {listed}"),
                hint,
            ));
        }
    }
    Ok(matches)
}

/// A column with the probabilities of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassColumn {
    /// The label of the class; `None` if the name of the column ends with it.
    pub label: Option<String>,
    /// The name of the column.
    pub name: String,
}

impl ClassColumn {
    /// Parses a column, or label=column.
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            Some((label, name)) => Self { label: Some(label.to_owned()), name: name.to_owned() },
            None => Self { label: None, name: text.to_owned() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_labels_that_they_end_with_or_that_are_written_before_them() {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let labels = |columns: &[&str], labels: &[&str]| {
            let columns: Vec<ClassColumn> = columns.iter().map(|text| ClassColumn::parse(text)).collect();
            class_labels(&columns, &texts(labels)).map_err(|error| error.sentence())
        };
        assert_eq!(labels(&["p_11", "p_1"], &["1", "11"]), Ok(texts(&["11", "1"])));
        assert_eq!(labels(&["wrong=a", "good=b"], &["good", "wrong"]), Ok(texts(&["wrong", "good"])));
        assert_eq!(
            labels(&["p_good", "p_bad"], &["good", "wrong"]).unwrap_err(),
            "the column 'p_bad' in class_scores ends with no label; the labels are good, wrong"
        );
        assert_eq!(
            labels(&["good=a", "bad=b"], &["good", "wrong"]).unwrap_err(),
            "'bad' in class_scores is not a label; the labels are good, wrong"
        );
        assert_eq!(
            labels(&["p_good", "q_good"], &["good", "wrong"]).unwrap_err(),
            "class_scores has 2 columns for the label 'good'; the labels are good, wrong"
        );
        assert_eq!(
            labels(&["p_good"], &["good", "wrong"]).unwrap_err(),
            "class_scores has no column for the label 'wrong'; the labels are good, wrong"
        );
    }
}
