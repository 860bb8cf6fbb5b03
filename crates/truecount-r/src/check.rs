//! The check for prior probability shift, and the fit of the families.

use crate::error::{CallResult, respond};
use crate::executor::RThreads;
use crate::model::{Model, labelled_scores};
use crate::request::RequestList;
use crate::result_list;
use crate::test_columns::NewDataColumns;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::LabelledScores;
use truecount::scores::PerClass;
use truecount::shift_test::{AdjustedCountAt, FoldComparison, ShiftVerdict};
use truecount_analysis::family_test::{FAMILIES_SHOWN, describe_fits, omitted_families};
use truecount_analysis::request::CheckRequest;
use truecount_analysis::results::{CheckRow, ContaminationRow, ResultTable};
use truecount_analysis::sets::TestSets;
use truecount_analysis::shift_test::{CheckResult, describe_causes, describe_folds, split_by_class};
use truecount_analysis::spelling::Interface;

struct ScoreCheck<'a> {
    labelled: &'a LabelledScores,
    folds: Option<PerClass<Vec<u32>>>,
    request: CheckRequest,
    test_columns: Option<NewDataColumns>,
}

/// Checks test scores, if there are any, against the labelled scores of a model.
#[savvy]
pub fn check_model(model: &Model, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let model = model.fitted.model();
        let (labelled, list) = (model.labelled(), RequestList::from(request));
        let request = CheckRequest { transform: model.settings().transform.to_string(), ..list.read()? };
        let test_columns = NewDataColumns::optional(&columns.into())?;
        ScoreCheck { labelled, folds: None, request, test_columns }.run(&list, threads)
    })
}

/// Checks test scores, if there are any, against labelled rows, which may have folds.
#[savvy]
pub fn check_rows(rows: ListSexp, columns: ListSexp, request: ListSexp, threads: i32) -> Result<Sexp> {
    respond(|| {
        let (rows, list) = (RequestList::from(rows), RequestList::from(request));
        let labelled = &labelled_scores(&rows)?;
        let positive: Vec<bool> = rows.flags("positive")?.map_or_else(Vec::new, |flags| flags.iter().collect());
        let folds = rows.indices("folds")?.map(|numbers| split_by_class(&numbers, &positive));
        let request = list.read()?;
        let test_columns = NewDataColumns::optional(&columns.into())?;
        ScoreCheck { labelled, folds, request, test_columns }.run(&list, threads)
    })
}

impl ScoreCheck<'_> {
    fn run(&self, list: &RequestList, threads: i32) -> CallResult {
        let families = list.flag("families")?;
        let shift = self.shift(threads)?;
        let mut list = result_list::from_grouped(&shift.rows, &shift.table(), &shift.readable_table());
        let meaning = ShiftVerdict::meaning(shift.rows.iter().map(|row| &row.result));
        let fold_note = shift.folds.as_ref().map(describe_folds);
        let notes = meaning.into_iter().chain(describe_causes(&shift.rows)).chain(fold_note);
        list.extend([
            ("notes".to_owned(), Value::texts(notes)),
            ("curves".to_owned(), Value::Items(shift.rows.iter().map(curve_value).collect())),
            ("folds".to_owned(), shift.folds.as_ref().map_or(Value::Null, folds_value)),
            ("contamination".to_owned(), shift.contamination.as_deref().map_or(Value::Null, contamination_value)),
        ]);
        if families {
            list.push(("families".to_owned(), self.families(threads)?));
        }
        Ok(Value::List(list))
    }

    fn shift(&self, threads: i32) -> CallResult<CheckResult> {
        if self.test_columns.is_none() && self.folds.is_none() {
            return Ok(CheckResult { rows: Vec::new(), folds: None, contamination: None });
        }
        let no_sets = TestSets { sets: Vec::new(), groups: None };
        let sets = self.test_columns.as_ref().map_or(Ok(no_sets), NewDataColumns::sets)?;
        let order: Vec<usize> = (0..sets.sets.len()).collect();
        let threads = RThreads::new(threads, sets.number_of_scores());
        Ok(self.request.run(&threads, self.labelled, self.folds.as_ref(), &sets, &order)?)
    }

    fn families(&self, threads: i32) -> CallResult {
        let rows = self.request.families(&RThreads::all(threads), self.labelled)?;
        let printed = ResultTable::new(&rows).view(&FAMILIES_SHOWN);
        let mut list = result_list::from_tables(&ResultTable::new(&rows), &printed);
        let notes = omitted_families(&rows, Interface::R).into_iter().chain([describe_fits(&rows, Interface::R)]);
        list.push(("notes".to_owned(), Value::texts(notes)));
        Ok(Value::List(list))
    }
}

/// Adjusted Count at every threshold, with its standard error.
fn curve_value(row: &CheckRow) -> Value {
    let column = |value: fn(&AdjustedCountAt) -> f64| Value::numbers(row.result.adjusted_counts.iter().map(value));
    Value::named([
        ("theta", column(|point| point.theta)),
        ("prevalence", column(|point| point.prevalence)),
        ("se", column(|point| point.std_error)),
    ])
}

fn folds_value(folds: &FoldComparison) -> Value {
    Value::named([
        ("folds", Value::count(folds.folds as u64)),
        ("statistic", Value::number(folds.statistic)),
        ("p_value", Value::number(folds.p_value)),
    ])
}

fn contamination_value(rows: &[ContaminationRow]) -> Value {
    let mut list = result_list::from_rows(rows);
    list.push(("title".to_owned(), Value::texts(rows.first().map(ContaminationRow::title))));
    Value::List(list)
}
