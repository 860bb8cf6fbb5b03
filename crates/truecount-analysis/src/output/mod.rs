//! Results of estimation as the command prints them and the page shows them: estimates of all
//! groups by all methods, their differences, notes and warnings.

mod accuracy;
mod blocks;
mod class_checks;
mod class_shares;
mod counts;
mod warnings;

pub use accuracy::{AccuracyOutput, ConfusionCounts};
pub use blocks::GroupBlocks;
pub use class_checks::ClassCheckOutput;
pub use class_shares::ClassShareOutput;
pub use counts::CountOutput;
pub use warnings::{WarningKind, method_list, warning_kinds, warning_lines};

use crate::advice::format_warning;
use crate::compare::DifferenceResult;
use crate::groups::{GroupKeys, GroupNames, NamedGroups};
use crate::notes::{self, diagnostics, fit_notes, strata_note};
use crate::results::{
    APPARENT, ColumnDescription, DifferenceRow, EstimateRow, LEFT_OUT, Note, OPTIONAL_COLUMNS, PUBLISH,
    PublicationRule, Results, Sort, StandardisedSets, describe_table,
};
use crate::totals::GroupEstimates;
use serde_json::{Value, json};
use std::borrow::Cow;
use truecount::bootstrap::Resamples;
use truecount::quantifier::Quantifier;
use truecount::{Error, Estimates, Model, Warning};
use warnings::{add_set_warnings, warning_line};

/// The option that gives standard errors to methods without a formula.
pub const BOOTSTRAP: &str = "--interval bootstrap";

/// A stratum with its model.
pub struct Stratum {
    /// The value of the column of strata.
    pub name: String,
    /// The model of its labelled scores.
    pub model: Model,
}

/// The estimates of all groups by all methods, with notes and warnings.
pub struct EstimateOutput<'a, N> {
    /// The model of all methods; with strata, the model of the first stratum.
    pub model: Cow<'a, Model>,
    /// The column of strata and the strata with their models; `None` without strata.
    strata: Option<(String, Vec<Stratum>)>,
    /// The names of the groups.
    pub keys: N,
    /// The estimates, group by group, followed by the total.
    pub rows: Vec<EstimateRow>,
    /// The number of rows at the end of `rows` that belong to the total of all groups.
    total_rows: usize,
    /// The crude and standardised shares, if requested.
    standardised: Option<StandardisedSets>,
    differences: Option<DifferenceResult>,
    /// Whether only the differences are written.
    only_differences: bool,
    /// The names of the optional columns that are shown.
    shown_columns: Vec<String>,
    /// The shift check's warning about all groups together; `None` if each group is checked.
    total_warning: Option<Warning>,
    /// Sentences on whose shares the estimates are.
    target_notes: Vec<String>,
    publication_rule: Option<PublicationRule>,
    /// The number of bootstrap resamples; `None` if standard errors and intervals come from formulas.
    resamples: Option<Resamples>,
}

impl<'a, N: GroupKeys> EstimateOutput<'a, N> {
    /// Creates the output of groups with an estimate by each of the model's methods, without total or differences.
    ///
    /// # Errors
    /// Returns an error if the check's tally belongs to another check.
    pub fn from_estimates(
        model: &'a Model,
        groups: NamedGroups<Estimates, N>,
        resamples: Option<Resamples>,
    ) -> Result<Self, Error> {
        Ok(Self::new(Cow::Borrowed(model), GroupEstimates::from_estimates(model, groups)?, resamples))
    }

    /// Creates the output of group estimates with their total and differences, if there are any.
    pub fn new(model: Cow<'a, Model>, (keys, estimates): (N, GroupEstimates), resamples: Option<Resamples>) -> Self {
        let GroupEstimates { groups, total, standardised, differences, warning, notes, publication_rule } = estimates;
        // There may be a million estimates, so they are moved rather than cloned.
        let mut rows = Vec::with_capacity(groups.len() * model.quantifiers().len());
        for (group, estimates) in groups.into_iter().enumerate() {
            rows.extend(estimates.into_iter().map(|estimate| EstimateRow::new(group, estimate)));
        }
        let total = total.into_iter().flatten();
        let before = rows.len();
        rows.extend(total.map(EstimateRow::total));
        let weighted = rows.first().is_some_and(|row: &EstimateRow| row.estimate.effective_n.is_some());
        let shown = if weighted { vec![OPTIONAL_COLUMNS[0].to_owned()] } else { Vec::new() };
        let mut standardised = standardised.map(|standardised| StandardisedSets::new(keys.clone(), standardised));
        if let Some(rule) = publication_rule {
            rule.apply(rows.iter_mut().chain(standardised.iter_mut().flat_map(StandardisedSets::estimates_mut)));
        }
        Self {
            model,
            strata: None,
            standardised,
            keys,
            total_rows: rows.len() - before,
            rows,
            differences,
            only_differences: false,
            shown_columns: shown,
            total_warning: warning,
            target_notes: notes,
            publication_rule,
            resamples,
        }
    }

    /// Creates the output of estimates with a model for each stratum. The strata are values of `column`.
    pub fn new_stratified(estimates: (N, GroupEstimates), strata: Vec<Stratum>, column: &str) -> Self {
        let model = strata.first().expect("a stratum at least").model.clone();
        let output = Self::new(Cow::Owned(model), estimates, None);
        Self { strata: Some((column.to_owned(), strata)), total_warning: None, ..output }
    }

    /// Shows these optional columns as well.
    #[must_use]
    pub fn showing(mut self, columns: &[&str]) -> Self {
        self.shown_columns.extend(columns.iter().map(|name| (*name).to_owned()));
        self
    }

    /// Leaves out the estimates, so that only their differences are written.
    #[must_use]
    pub fn only_differences(self) -> Self {
        Self { only_differences: true, ..self }
    }

    /// Sorts the estimates by group, and the differences with them if the order is that of the groups.
    #[must_use]
    pub fn sorted(mut self, sort: &Sort) -> Self {
        sort.sort(&mut self.rows, &self.keys);
        if let Some(sets) = &mut self.standardised {
            sort.sort(&mut sets.rows, &self.keys);
        }
        if let Sort::Groups | Sort::Appearance = sort {
            return self.sorted_differences(sort);
        }
        self
    }

    /// Sorts the differences.
    #[must_use]
    pub fn sorted_differences(mut self, sort: &Sort) -> Self {
        if let Some(differences) = &mut self.differences {
            sort.sort(&mut differences.rows, &self.keys);
        }
        self
    }

    /// Returns the names of the groups or, with a standard population, of the sets that are compared.
    fn compared_names(&self) -> &dyn GroupNames {
        match &self.standardised {
            Some(sets) if sets.names.columns().next().is_some() => sets.names.as_ref(),
            _ => &self.keys,
        }
    }

    /// Returns the results, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let level = self.rows.first().map_or(0.0, |row| row.estimate.level);
        let hide_unused = |shown: &[String]| {
            EstimateRow::hide_unused_columns(&self.rows, shown, self.model.quantifiers().len(), level)
        };
        let for_programs = || hide_unused(&self.shown_columns).for_programs();
        let (groups, all) = (self.rows.len() - self.total_rows, self.rows.len());
        let (several, names) = (self.model.quantifiers().len() > 1, self.compared_names());
        let mut tables = Vec::new();
        if !self.only_differences {
            tables.push(hide_unused(&self.columns_for_people()).with_groups(&self.keys).for_people());
            tables.push(for_programs().with_groups(&self.keys).only((0..groups).collect()));
            if self.total_rows > 0 {
                tables.push(for_programs().only((groups..all).collect()).named("total"));
            }
            tables.extend(self.standardised.as_ref().map(|sets| sets.table(several)));
        }
        let mut notes = Vec::new();
        if let Some(differences) = &self.differences {
            if self.only_differences {
                tables.extend(differences.tables_with_shares(names, level, several));
            } else {
                tables.push(differences.table(names, level, several));
            }
            notes.extend(differences.describe_main_difference(names).map(Note::new));
        }
        notes.extend(match self.rows.first() {
            Some(first) if self.only_differences => Some(Note::target(first.estimate.target, None)),
            _ => EstimateRow::target_note(&self.rows),
        });
        notes.extend(self.publication_rule.map(|rule| Note::new(format!("{PUBLISH}: {}", rule.citation()))));
        notes.extend(self.target_notes.iter().map(|sentence| Note::line(sentence.as_str())));
        notes.extend(self.differences.as_ref().and_then(|differences| differences.population_note(names)));
        let resamples = self.resamples.map(Resamples::number);
        notes.extend(notes::variance_notes(self.model.quantifiers().iter(), resamples, BOOTSTRAP));
        match &self.strata {
            None => {
                notes.extend(fit_notes(&self.model).into_iter().map(Note::source));
                notes.extend(diagnostics(&self.model).into_iter().map(Note::diagnostic));
            }
            Some((column, strata)) => {
                let models = strata.iter().map(|stratum| (stratum.name.as_str(), &stratum.model));
                notes.push(Note::new(strata_note(column, models)));
            }
        }
        notes.extend(self.differences.as_ref().and_then(|differences| DifferenceRow::note(&differences.rows)));
        Results {
            about: vec![("model", self.model_json())],
            tables,
            notes,
            warnings: self.warnings(),
            ..Results::default()
        }
    }

    /// Returns the optional columns that people see: lines of 80 characters have room for the apparent
    /// prevalence only if few other columns are shown.
    fn columns_for_people(&self) -> Vec<String> {
        let has_room = self.model.quantifiers().len() == 1 && self.keys.columns().nth(1).is_none();
        match self.shown_columns.as_slice() {
            [] if has_room && self.publication_rule.is_none() => vec![APPARENT.to_owned()],
            shown => shown.to_vec(),
        }
    }

    /// Returns the parameters of the model as JSON. `threshold` and `region` are those of the first
    /// Continuous Sweep among the methods, or null; `methods` has the parameters of all methods.
    fn model_json(&self) -> Value {
        if let Some((column, strata)) = &self.strata {
            let models = strata.iter().map(|stratum| (stratum.name.clone(), parameters_json(&stratum.model)));
            return json!({ "stratum": column, "strata": models.collect::<serde_json::Map<_, _>>() });
        }
        let mut parameters = parameters_json(&self.model);
        let first = self.model.quantifiers().iter().find_map(Quantifier::sweep);
        parameters["threshold"] = json!(first.map(|sweep| sweep.threshold().value()));
        parameters["region"] = json!(first.map(|sweep| sweep.region().intervals()));
        for quantifier in self.model.quantifiers() {
            parameters["methods"][quantifier.method().to_string()]["variance"] =
                json!(notes::variance_of(quantifier, self.resamples.map(Resamples::number)));
        }
        parameters
    }

    /// Returns the warnings as sentences that are safe to show on a terminal, most severe first:
    /// one for each kind, with the groups and methods that have it.
    pub fn warnings(&self) -> Vec<String> {
        let total_warning = self.total_warning.iter().map(total_warning_line);
        let methods = self.model.quantifiers().len();
        let rows = self.rows.iter().filter(|row| !row.is_suppressed());
        let mut warnings = warning_lines(rows, &self.keys, methods);
        add_set_warnings(&mut warnings, self.standardised.as_ref(), methods);
        total_warning.chain(warnings).collect()
    }
}

/// Returns the shift check's warning about all groups together as a line.
fn total_warning_line(warning: &Warning) -> String {
    warning_line(&format!("all groups together: {}", format_warning(warning)))
}

/// Returns the columns of the estimates, with the optional columns only if they are `shown`.
pub fn columns(shown: &[&str]) -> Vec<ColumnDescription> {
    let mut columns = describe_table::<EstimateRow>().columns;
    let is_on_request = |name: &str| LEFT_OUT.contains(&name) || name == PUBLISH;
    columns.retain(|column| !is_on_request(&column.name) || shown.contains(&&*column.name));
    columns
}

/// Returns the fitted parameters of a model as JSON: families with their parameters, thresholds, regions, rates.
pub fn parameters_json(model: &Model) -> Value {
    serde_json::from_str(&model.parameters_json()).expect("JSON that the library wrote")
}
