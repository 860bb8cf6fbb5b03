//! Shares of classes and the accuracy of their predictions, from audited rows, ready for output.

use super::warnings::warning_line;
use crate::groups::{GroupNames, NamedGroups};
use crate::results::{AccuracyRow, Note, ResultTable, Results, Sort, escape_untrusted, percent};
use indexmap::IndexSet;
use serde_json::json;
use truecount::audit::{AccuracyEstimate, AccuracyMeasure, ConfusionCount};
use truecount::{Error, IntervalOptions, Target};

/// The audited rows of a group, counted by stratum, label and prediction.
#[derive(Default)]
pub struct ConfusionCounts {
    /// The numbers of rows.
    pub counts: Vec<ConfusionCount>,
    /// The name and the size of each stratum.
    pub strata: Vec<(String, f64)>,
}

impl ConfusionCounts {
    /// Creates the counts of rows from columns with the stratum, the label and the prediction of each row, and the
    /// number of audited rows that it stands for. Strata have names and sizes.
    pub fn from_columns([strata, labels, predictions]: [&[u32]; 3], n: &[u64], sizes: Vec<(String, f64)>) -> Self {
        let count = |(row, n): (usize, &u64)| {
            let [stratum, label, prediction] = [strata, labels, predictions].map(|column| column[row] as usize);
            ConfusionCount { stratum, label, prediction, n: *n }
        };
        Self { counts: n.iter().enumerate().map(count).collect(), strata: sizes }
    }
}

/// The shares and accuracies in all groups, with notes.
pub struct AccuracyOutput<N> {
    keys: N,
    rows: Vec<AccuracyRow>,
    options: IntervalOptions,
}

impl<N: GroupNames> AccuracyOutput<N> {
    /// Estimates the shares and the accuracies of the named classes in each group.
    ///
    /// # Errors
    /// Returns the errors of [`AccuracyEstimate::all`], with the name of the stratum.
    pub fn estimate(
        groups: NamedGroups<ConfusionCounts, N>,
        classes: &[String],
        options: IntervalOptions,
    ) -> Result<Self, Error> {
        let mut rows = Vec::new();
        for (group, ConfusionCounts { counts, strata }) in groups.contents.iter().enumerate() {
            let sizes: Vec<f64> = strata.iter().map(|(_, size)| *size).collect();
            let estimates = AccuracyEstimate::all(counts, &sizes, classes.len(), &options);
            let estimates = estimates.map_err(|error| match error.location().set {
                Some(stratum) => error.in_group(&strata[stratum].0),
                None => error,
            })?;
            rows.extend(estimates.into_iter().map(|estimate| {
                let class = estimate.class.map(|class| classes[class].clone());
                AccuracyRow { group, class, estimate, size: sizes.iter().sum(), options }
            }));
        }
        Ok(Self { keys: groups.keys, rows, options })
    }

    /// Returns the shares and the accuracies, group by group.
    pub fn rows(&self) -> &[AccuracyRow] {
        &self.rows
    }

    /// Sorts the groups.
    #[must_use]
    pub fn sorted(mut self, sort: &Sort) -> Self {
        sort.sort(&mut self.rows, &self.keys);
        self
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.rows.iter().any(AccuracyRow::is_unreliable) {
            let text = "standard errors are unreliable with fewer than ten audited rows, or if none of these differ";
            warnings.push(warning_line(text));
        }
        // Predicted classes have a user's accuracy, and labelled ones a producer's.
        let classes = |measure| {
            let rows = self.rows.iter().filter(move |row| row.estimate.measure == measure);
            rows.filter_map(|row| row.class.as_deref()).collect::<IndexSet<_>>()
        };
        let (predicted, labelled) = (classes(AccuracyMeasure::User), classes(AccuracyMeasure::Producer));
        for (names, others, text) in [
            (&predicted, &labelled, "predicted, but not a label"),
            (&labelled, &predicted, "a label, but never predicted"),
        ] {
            warnings.extend(
                names.difference(others).map(|class| warning_line(&format!("'{}' is {text}", escape_untrusted(class)))),
            );
        }
        warnings
    }

    /// Returns the results, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let interval = || format!("{} % interval", percent(self.options.level()));
        let (shares, accuracies) = (0..self.rows.len()).partition(|row| self.rows[*row].is_share());
        let table = |rows: Vec<usize>| {
            ResultTable::new(&self.rows).with_groups(&self.keys).only(rows).headed("lower", interval())
        };
        let of_shares = ["prevalence", "size", "size_lower", "size_upper"];
        let tables = vec![
            table(shares)
                .without("measure")
                .without("accuracy")
                .headed("prevalence", "share".to_owned())
                .named("shares"),
            of_shares.into_iter().fold(table(accuracies), ResultTable::without),
        ];
        let mut notes = vec![match self.options.target() {
            Target::Sample => Note::target(Target::Sample, None),
            Target::Population => Note::line("share: for the population of the strata, by the ratios of their sizes"),
        }];
        let accuracies = AccuracyMeasure::TABLE.iter().filter(|(_, measure, _)| *measure != AccuracyMeasure::Share);
        notes.extend(accuracies.map(|(name, _, meaning)| Note::line(format!("{name}: {meaning}"))));
        let about = vec![("target", json!(self.options.target().to_string()))];
        Results { about, tables, notes, warnings: self.warnings(), ..Results::default() }
    }
}
