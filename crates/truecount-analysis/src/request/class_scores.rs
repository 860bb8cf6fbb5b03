//! Requests for the shares of several classes.

use super::{EstimateRequest, Sizes};
use crate::AnalysisProblem;
use crate::compare::{ComparisonSets, DifferenceResult};
use crate::executor::Executor;
use crate::groups::{GroupKeys, Partition, TextNames};
use crate::output::ClassShareOutput;
use crate::rows::GroupCells;
use crate::standard::GroupSizes;
use crate::totals::{GroupEstimates, GroupSource, estimate_groups};
use indexmap::IndexSet;
use std::borrow::Cow;
use std::collections::BTreeMap;
use truecount::compare::Reference;
use truecount::model::TestDesign;
use truecount::multiclass::{
    ClassProbabilities, LabelledProbabilities, MulticlassEstimate, MulticlassMethod, MulticlassModel,
};
use truecount::{Error, IntervalOptions, Warning};

/// Parses the method for several classes. Without a name it is `ac` for predicted classes, and otherwise the default.
///
/// # Errors
/// Returns an error for several methods, and for an unknown name.
pub fn class_method(methods: &[String], is_predicted: bool) -> Result<MulticlassMethod, Error> {
    match methods {
        [] => Ok(if is_predicted { MulticlassMethod::Ac } else { MulticlassMethod::default() }),
        [method] => method.parse(),
        _ => Err(AnalysisProblem::option_conflict(
            "{--class-scores} can be used with one method only",
            "name one of them in {--method}; {truecount evaluate} compares several",
        )),
    }
}

/// Fits methods for several classes. `all` stands for every one that the labelled rows allow, and the errors of the
/// others are returned, too.
///
/// # Errors
/// Returns the errors of [`class_method`] and [`MulticlassModel::fit`].
pub fn fit_class_methods(
    labelled: &LabelledProbabilities,
    methods: &[String],
    is_predicted: bool,
) -> Result<(Vec<MulticlassModel>, Vec<Error>), Error> {
    let fit = |method| MulticlassModel::fit(labelled, method);
    if methods == ["all"] {
        let fitted =
            MulticlassMethod::TABLE.iter().map(|(_, method, _)| fit(*method).map_err(|error| error.for_method(method)));
        let (mut models, mut omitted) = (Vec::new(), Vec::new());
        for result in fitted {
            result.map_or_else(|error| omitted.push(error), |model| models.push(model));
        }
        return if models.is_empty() { Err(omitted.swap_remove(0)) } else { Ok((models, omitted)) };
    }
    let names = if methods.is_empty() { vec![methods] } else { methods.chunks(1).collect() };
    let methods = names.into_iter().map(|name| class_method(name, is_predicted));
    let methods: IndexSet<MulticlassMethod> = methods.collect::<Result<_, _>>()?;
    Ok((methods.into_iter().map(fit).collect::<Result<_, _>>()?, Vec::new()))
}

/// The shares of all rows together and of the groups, and the population of a total of groups with known sizes.
pub type ClassReport<N> = (ClassShareOutput<TextNames>, Option<ClassShareOutput<N>>, Option<String>);

/// Groups of rows with the probabilities of several classes.
struct ClassGroups<'a> {
    model: &'a MulticlassModel,
    rows: &'a [ClassProbabilities],
    partition: Partition,
    /// The sampling design of the rows, if they are not simple random samples.
    design: Option<TestDesign<'a, ClassProbabilities>>,
}

impl GroupSource for ClassGroups<'_> {
    type Estimate = MulticlassEstimate;

    fn number(&self) -> usize {
        self.partition.number()
    }

    fn combined(&self, groups: &[usize], options: &IntervalOptions) -> Result<MulticlassEstimate, Error> {
        let parts: Vec<usize> = groups.iter().flat_map(|group| self.partition.parts(*group).iter().copied()).collect();
        if let Some(design) = &self.design {
            return self.model.estimate_design(design, &parts, options);
        }
        let rows: Vec<_> = parts.iter().map(|part| &self.rows[*part]).collect();
        self.model.estimate(&ClassProbabilities::concat(&rows), options)
    }

    fn joint_errors(&self) -> Result<Cow<'_, MulticlassModel>, Error> {
        Ok(Cow::Borrowed(self.model))
    }

    fn warning(&self) -> Result<Option<Warning>, Error> {
        Ok(None)
    }
}

impl EstimateRequest {
    /// Estimates the shares of the classes in all groups, with their total and differences.
    ///
    /// # Errors
    /// Returns the errors of [`MulticlassModel::estimate_design`] with the name of the group, and those of
    /// [`CellDesign::with_units`](crate::design_tallies::CellDesign::with_units) with that of the stratum.
    pub fn run_classes<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        model: &MulticlassModel,
        cells: GroupCells<ClassProbabilities, N>,
    ) -> Result<(N, GroupEstimates<MulticlassEstimate>), Error> {
        let estimates = self.with_class_groups(model, &cells, |groups, sizes| {
            self.estimate_groups(executor, groups, &cells.names, sizes)
        })?;
        Ok((cells.names, estimates))
    }

    /// Estimates the shares of the classes in all rows together, and in the groups if there are any.
    ///
    /// # Errors
    /// Returns the errors of [`run_classes`](Self::run_classes).
    pub fn report_classes<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        model: &MulticlassModel,
        cells: GroupCells<ClassProbabilities, N>,
    ) -> Result<ClassReport<N>, Error> {
        let request = Self { total: !self.by.is_empty(), ..self.clone() };
        let (keys, mut estimates) = request.run_classes(executor, model, cells)?;
        let notes = std::mem::take(&mut estimates.notes);
        let is_by_set = estimates.standardised.as_ref().is_some_and(|sets| !sets.columns.is_empty());
        let total = if is_by_set { estimates.total.take() } else { estimates.take_total() };
        let overall = total.or_else(|| estimates.groups.pop()).expect("all rows or groups");
        let overall = GroupEstimates { notes, ..vec![overall].into() };
        let groups = request.total.then(|| ClassShareOutput::new(model, (keys, estimates.groups.into())));
        let population = request.population_of_total().filter(|_| !is_by_set);
        Ok((ClassShareOutput::new(model, (TextNames::none(), overall)), groups, population))
    }

    /// Compares the shares of the classes in all groups, which are divided into sets, with a reference.
    ///
    /// # Errors
    /// Returns the errors of [`run_classes`](Self::run_classes), and an error if there is nothing to compare.
    pub fn compare_classes<N: GroupKeys>(
        &self,
        executor: &impl Executor,
        model: &MulticlassModel,
        cells: &GroupCells<ClassProbabilities, N>,
        comparison: (&ComparisonSets, &Reference),
    ) -> Result<DifferenceResult, Error> {
        let estimates = self.with_class_groups(model, cells, |groups, sizes| {
            estimate_groups(executor, groups, &self.total_options(sizes)?, Some(comparison))
        })?;
        Ok(estimates.differences.expect("a comparison was requested"))
    }

    /// Calls `work` with the groups and their sizes.
    fn with_class_groups<T, N: GroupKeys>(
        &self,
        model: &MulticlassModel,
        cells: &GroupCells<ClassProbabilities, N>,
        work: impl FnOnce(&ClassGroups, &GroupSizes) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut sizes = cells.sizes.clone();
        if let (Some(Sizes::Number(size)), None) = (&self.population, &sizes.populations) {
            sizes.populations = Some(vec![*size as f64; cells.names.number()]);
        }
        let design = cells.design.with_units(&cells.contents).map_err(|error| cells.design_error(error))?;
        let partition = Partition::new(&cells.groups, cells.names.number());
        let groups = ClassGroups { model, rows: &cells.contents, partition, design };
        work(&groups, &sizes).map_err(|error| cells.names.name_set(error))
    }
}

/// Returns the label that each column of class scores stands for. A column is written as label=column, or
/// its name ends with the label. `rows` has the number of labelled rows of each label.
///
/// # Errors
/// Returns an error unless each column has a label and each label a column.
pub fn class_labels(columns: &[ClassColumn], rows: &BTreeMap<String, usize>) -> Result<Vec<String>, Error> {
    let labels: Vec<String> = rows.keys().cloned().collect();
    let matches: Vec<Option<&String>> = columns.iter().map(|column| column.find_label(&labels)).collect();
    let hint = "write the label before each column, as in {--class-scores=good=p1,wrong=p2}";
    let listed = labels.join(", ");
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
    for (label, rows) in rows {
        let number = matches.iter().filter(|name| *name == label).count();
        if number != 1 {
            let (number, hint) = if number == 0 {
                let hint = format!(
                    "{hint}; if the classifier does not know {label}, leave out its {rows} rows with \
                     {{--ignore-label={label}}}"
                );
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

/// Returns the index of the class that was predicted. Numbers match by value, so 1 and 1.0 are the same class.
pub fn predicted_class(predicted: &str, names: &[String]) -> Option<usize> {
    let number = |text: &str| text.parse::<f64>().ok();
    let is_predicted = |name: &String| name == predicted || number(name).is_some_and(|x| number(predicted) == Some(x));
    names.iter().position(is_predicted)
}

/// A column with the probabilities of a class, or the only column, with the predicted classes.
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

    /// Returns the label that the column stands for: the one written before it, or the longest that its name ends with.
    pub fn find_label<'a>(&self, labels: &'a [String]) -> Option<&'a String> {
        match &self.label {
            Some(label) => labels.iter().find(|known| *known == label),
            None => labels.iter().filter(|label| self.name.ends_with(*label)).max_by_key(|label| label.len()),
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
            let rows = labels.iter().map(|label| (label.to_string(), 2)).collect();
            class_labels(&columns, &rows).map_err(|error| error.sentence())
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
