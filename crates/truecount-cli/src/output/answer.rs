//! Estimates as the command reports them: all groups and methods, what they are based on, and warnings.

use super::kinds::{warning, warnings_of, whose};
use super::learnt::learnt;
use super::{Differences, Form, Stratum, Whole, say, say_wrapped, variances};
use crate::advice::worded;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use truecount::quantifier::Quantifier;
use truecount::{Estimates, Method, Model, Resamples, Warning};
use truecount_analysis::results::{
    Description, DifferenceRow, EstimateRow, Note, ON_REQUEST, Results, Sort, Table, described,
};
use truecount_analysis::told::{fitted, in_strata};
use truecount_tables::groups::{Groups, Keys};

/// All estimates, with what they are based on.
pub struct Answer<'a> {
    pub model: Cow<'a, Model>,
    /// The strata with their models, if there are some, and their column.
    strata: Option<(String, Vec<Stratum>)>,
    pub keys: Keys,
    pub rows: Vec<EstimateRow>,
    /// How many of the rows, the last ones, are of all groups together.
    totals: usize,
    differences: Option<Differences>,
    /// Whether the differences are all that is asked for.
    only_differences: bool,
    /// The columns on request that are shown.
    shown: Vec<String>,
    /// The shift check's warning about all groups together, if it does not look at each.
    together: Option<Warning>,
    /// The number of resamples behind standard errors and intervals, unless formulas give these.
    resamples: Option<Resamples>,
}

impl<'a> Answer<'a> {
    /// Each group with an estimate by each of the model's methods.
    pub fn new(model: &'a Model, whole: Whole, resamples: Option<Resamples>) -> Result<Self, Failure> {
        let Whole { groups: Groups { keys, contents, together }, total, differences, .. } = whole;
        let together = match model.check().zip(together) {
            Some((check, tally)) => check.warning(&tally, 1)?,
            None => None,
        };
        // There may be a million: they are moved once.
        let mut rows = Vec::with_capacity(contents.len() * model.quantifiers().len());
        for (group, estimates) in contents.into_iter().enumerate() {
            rows.extend(estimates.into_iter().map(|estimate| EstimateRow { group, is_total: false, estimate }));
        }
        let total = total.into_iter().flatten();
        let before = rows.len();
        rows.extend(total.map(|estimate| EstimateRow { group: 0, is_total: true, estimate }));
        let weighted = rows.first().is_some_and(|row: &EstimateRow| row.estimate.effective_n.is_some());
        let shown = if weighted { vec![ON_REQUEST[0].to_owned()] } else { Vec::new() };
        Ok(Self {
            model: Cow::Borrowed(model),
            strata: None,
            keys,
            totals: rows.len() - before,
            rows,
            differences,
            only_differences: false,
            shown,
            together,
            resamples,
        })
    }

    /// The same where there is a model for each value of a column.
    pub fn in_strata(mut whole: Whole, column: &str) -> Result<Self, Failure> {
        let strata = std::mem::take(&mut whole.strata);
        let model = strata.first().expect("a stratum at least").model.clone();
        let answer = Answer::new(&model, whole, None)?;
        let Answer { keys, rows, totals, differences, shown, .. } = answer;
        Ok(Self {
            model: Cow::Owned(model.clone()),
            strata: Some((column.to_owned(), strata)),
            keys,
            rows,
            totals,
            differences,
            only_differences: false,
            shown,
            together: None,
            resamples: None,
        })
    }

    /// With these columns besides those that are always there.
    #[must_use]
    pub fn showing(mut self, columns: &[&str]) -> Self {
        self.shown.extend(columns.iter().map(|name| (*name).to_owned()));
        self
    }

    /// Without the estimates that the differences are of.
    #[must_use]
    pub fn only_differences(self) -> Self {
        Self { only_differences: true, ..self }
    }

    /// The groups in this order.
    #[must_use]
    pub fn sorted(mut self, sort: &Sort) -> Self {
        sort.sort(&mut self.rows, &self.keys);
        if let Sort::Groups | Sort::Appearance = sort {
            return self.sorted_differences(sort);
        }
        self
    }

    /// The differences in this order.
    #[must_use]
    pub fn sorted_differences(mut self, sort: &Sort) -> Self {
        if let Some(differences) = &mut self.differences {
            sort.sort(&mut differences.rows, &self.keys);
        }
        self
    }

    /// What one method's standard errors and intervals account for; `None` if it has none.
    pub fn variance(&self, method: Method) -> Option<String> {
        self.variance_of(self.model.quantifiers().iter().find(|quantifier| quantifier.method() == method)?)
    }

    /// Writes the results to the file if there is one, else to stdout; and the warnings to stderr.
    pub fn print(&self, form: Form, file: Option<&Path>) -> Result<(), Failure> {
        let results = self.results();
        super::print(&results, form, file)?;
        results.warnings.iter().for_each(|warning| say_wrapped(warning));
        Ok(())
    }

    /// The results, for every form.
    pub fn results(&self) -> Results<'_> {
        let level = self.rows.first().map_or(0.0, |row| row.estimate.level);
        let estimates = || self.narrowed(Table::new(&self.rows), level);
        let (groups, all) = (self.rows.len() - self.totals, self.rows.len());
        let mut tables = match self.totals {
            _ if self.only_differences => Vec::new(),
            0 => vec![estimates().with_groups(&self.keys)],
            _ => vec![
                estimates().with_groups(&self.keys).for_people(),
                estimates().with_groups(&self.keys).only((0..groups).collect()).for_programs(),
                estimates().only((groups..all).collect()).named("total").for_programs(),
            ],
        };
        let several = self.model.quantifiers().len() > 1;
        tables.extend(self.differences.iter().map(|differences| differences.table(&self.keys, level, several)));
        let mut notes = variances(self.model.quantifiers().iter(), |quantifier| self.variance_of(quantifier));
        match &self.strata {
            None => notes.extend(fitted(&self.model).into_iter().map(Note::source)),
            Some((column, strata)) => {
                let each = strata.iter().map(|stratum| (stratum.name.as_str(), &stratum.model));
                notes.push(Note::new(in_strata(column, each)));
            }
        }
        notes.extend(self.differences.as_ref().and_then(|differences| DifferenceRow::note(&differences.rows)));
        Results { about: vec![("model", self.learnt())], tables, notes, warnings: self.warnings() }
    }

    /// Without what nobody asked for.
    fn narrowed<'t>(&self, table: Table<'t>, level: f64) -> Table<'t> {
        EstimateRow::narrowed(table, &self.rows, &self.shown, self.model.quantifiers().len(), level)
    }

    /// What was fitted. `threshold` and `region` are those of the first Continuous Sweep asked for, null if there is
    /// none; `methods` has all.
    fn learnt(&self) -> Value {
        if let Some((column, strata)) = &self.strata {
            let each = strata.iter().map(|stratum| (stratum.name.clone(), learnt(&stratum.model)));
            return json!({ "stratum": column, "strata": each.collect::<serde_json::Map<_, _>>() });
        }
        let mut learnt = learnt(&self.model);
        let first = self.model.quantifiers().iter().find_map(Quantifier::sweep);
        learnt["threshold"] = json!(first.map(|sweep| sweep.threshold().value()));
        learnt["region"] = json!(first.map(|sweep| sweep.region().intervals()));
        for quantifier in self.model.quantifiers() {
            learnt["methods"][quantifier.method().to_string()]["variance"] = json!(self.variance_of(quantifier));
        }
        learnt
    }

    /// What a method's standard errors and intervals account for; `None` if it has none.
    fn variance_of(&self, quantifier: &Quantifier) -> Option<String> {
        match self.resamples {
            Some(resamples) => Some(quantifier.method().variance_of_bootstrap(resamples.number())),
            None => quantifier.variance_of().map(str::to_owned),
        }
    }

    /// Whether the scores have weights.
    pub fn weighted(&self) -> bool {
        self.rows.first().is_some_and(|row| row.estimate.effective_n.is_some())
    }

    /// Warnings as sentences, safe to show on a terminal, the gravest first: one for each kind, with the groups and the methods it
    /// is of.
    pub fn warnings(&self) -> Vec<String> {
        let together = self.together.iter().map(|found| warning(&format!("all groups together: {}", worded(found))));
        let methods = self.model.quantifiers().len();
        let number = self.rows.len() / methods.max(1);
        together.chain(warnings_of(self.rows.iter(), &self.keys, number, methods)).collect()
    }
}

/// The columns of the results; those on request only if they are shown.
pub fn columns(shown: &[&str]) -> Vec<Description> {
    let mut columns = described::<EstimateRow>().columns;
    columns.retain(|column| !ON_REQUEST.contains(&&*column.name) || shown.contains(&&*column.name));
    columns
}

/// Each warning once, with the methods that have it.
fn by_methods<'a, W: PartialEq>(warnings: impl Iterator<Item = (Method, &'a [W])>) -> Vec<(&'a W, Vec<Method>)> {
    let mut once: Vec<(&W, Vec<Method>)> = Vec::new();
    for (method, of_method) in warnings {
        for warning in of_method {
            match once.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, methods)) => methods.push(method),
                None => once.push((warning, vec![method])),
            }
        }
    }
    once
}

/// Summarises the warnings about many samples: those that every sample has, as they are about the model; and of the
/// others the first one, and how many samples have any, by method.
pub fn warn<I: fmt::Display>(model: &Model, ids: impl Iterator<Item = I>, estimates: &[Estimates]) {
    let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
    let (mut of_model, mut of_samples) = (Vec::new(), Vec::new());
    for (i, quantifier) in model.quantifiers().iter().enumerate() {
        let method = quantifier.method();
        let texts = |of_sample: &Estimates| of_sample[i].warnings.iter().map(worded).collect();
        let each: Vec<Vec<String>> = estimates.iter().map(texts).collect();
        let mut shared = each.first().cloned().unwrap_or_default();
        shared.retain(|warning| each.iter().all(|warnings| warnings.contains(warning)));
        let own = |warnings: &Vec<String>| warnings.iter().find(|warning| !shared.contains(warning)).cloned();
        let mut warned = ids.iter().zip(&each).filter_map(|(id, warnings)| own(warnings).map(|warning| (id, warning)));
        if let Some((id, warning)) = warned.next() {
            let (some, all) = (1 + warned.count(), estimates.len());
            of_samples.push(format!("{method}: {some} of {all} samples have warnings; sample {id}: {warning}"));
        }
        of_model.push((method, shared));
    }
    let of_all = by_methods(of_model.iter().map(|(method, shared)| (*method, shared.as_slice())));
    let lines = of_all.iter().map(|(warning, methods)| format!("{}: {warning}", whose(methods, of_model.len())));
    lines.chain(of_samples).for_each(|warning| say(&format!("warning: {warning}")));
}
