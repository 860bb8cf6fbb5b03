//! Is prior probability shift plausible, and if not, why; and do the families fit?

use crate::asked::RequestList;
use crate::executor::RThreads;
use crate::failure::{RError, answer};
use crate::listed;
use crate::model::{Model, labelled};
use crate::tested::TestColumns;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::check::{AdjustedCountAt, Folds, ShiftVerdict};
use truecount::{LabelledScores, PerClass, Transform};
use truecount_analysis::family_test::{FAMILIES_SHOWN, FitResampling, describe_fits, family_test};
use truecount_analysis::results::{CheckRow, ContaminationRow, ResultTable};
use truecount_analysis::sets::TestSets;
use truecount_analysis::shift_test::{ShiftTestResult, describe_causes, describe_folds, shift_test, split_by_class};

/// What a check looks at.
struct Looked<'a> {
    labelled: &'a LabelledScores,
    folds: Option<PerClass<Vec<u32>>>,
    transform: Transform,
    tested: Option<TestColumns>,
}

/// What the check says of test scores, if there are any, beside the labelled ones of a model.
#[savvy]
pub fn check_model(model: &Model, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| {
        let model = model.fitted.model();
        let (labelled, transform) = (model.labelled(), model.settings().transform);
        let looked = Looked { labelled, folds: None, transform, tested: tested(&columns.into())? };
        looked.found(&asked.into(), threads)
    })
}

/// The same beside labelled rows, which may be of several folds.
#[savvy]
pub fn check_rows(rows: ListSexp, columns: ListSexp, asked: ListSexp, threads: i32) -> Result<Sexp> {
    answer(|| {
        let (rows, asked) = (RequestList::from(rows), RequestList::from(asked));
        let labelled = &labelled(&rows)?;
        let positive: Vec<bool> = rows.flags("positive")?.map_or_else(Vec::new, |flags| flags.iter().collect());
        let folds = rows.numbered("folds")?.map(|numbers| split_by_class(&numbers, &positive));
        let transform = asked.text("transform")?.unwrap_or_default().parse()?;
        Looked { labelled, folds, transform, tested: tested(&columns.into())? }.found(&asked, threads)
    })
}

fn tested(columns: &RequestList) -> Result<Option<TestColumns>> {
    let there = columns.numbers("scores")?.is_some();
    there.then(|| TestColumns::new(columns)).transpose()
}

impl Looked<'_> {
    fn found(&self, asked: &RequestList, threads: i32) -> std::result::Result<Value, RError> {
        let shift = self.shift(asked.number("contamination")?, threads)?;
        let mut found = listed::of(&shift.rows, &shift.table(), &shift.readable_table());
        let meaning = ShiftVerdict::meaning(shift.rows.iter().map(|row| &row.result));
        let folded = shift.folds.as_ref().map(describe_folds);
        let notes = meaning.into_iter().chain(describe_causes(&shift.rows)).chain(folded);
        found.extend([
            ("notes".to_owned(), Value::texts(notes)),
            ("curves".to_owned(), Value::Items(shift.rows.iter().map(curve).collect())),
            ("folds".to_owned(), shift.folds.as_ref().map_or(Value::Null, folds)),
            ("supposed".to_owned(), shift.contamination.as_deref().map_or(Value::Null, supposed)),
        ]);
        if asked.flag("families")? {
            found.push(("families".to_owned(), self.families(asked, threads)?));
        }
        Ok(Value::List(found))
    }

    fn shift(&self, suppose: Option<f64>, threads: i32) -> std::result::Result<ShiftTestResult, RError> {
        if self.tested.is_none() && self.folds.is_none() {
            return Ok(ShiftTestResult { rows: Vec::new(), folds: None, contamination: None });
        }
        let none = TestSets { sets: Vec::new(), groups: None };
        let sets = self.tested.as_ref().map_or(Ok(none), TestColumns::sets)?;
        let order: Vec<usize> = (0..sets.sets.len()).collect();
        let threads = RThreads::new(threads, sets.number_of_scores());
        Ok(shift_test(&threads, self.labelled, self.folds.as_ref(), &sets, &order, suppose)?)
    }

    fn families(&self, asked: &RequestList, threads: i32) -> std::result::Result<Value, RError> {
        let (resamples, seed) = (asked.count("resamples")?, asked.count("seed")? as u64);
        let resampling =
            (resamples > 0).then(|| FitResampling { resamples: u32::try_from(resamples).unwrap_or(u32::MAX), seed });
        let rows = family_test(&RThreads::all(threads), self.labelled, self.transform, resampling)?;
        let shown = ResultTable::new(&rows).view(&FAMILIES_SHOWN);
        let mut found = listed::tables(&ResultTable::new(&rows), &shown);
        let advice = "try family = \"kernel\", transform = \"rank\" or rates = \"labels\"";
        found.push(("meaning".to_owned(), Value::text(describe_fits(&rows, advice))));
        Ok(Value::List(found))
    }
}

/// Adjusted Count at every threshold.
fn curve(row: &CheckRow) -> Value {
    let of = |which: fn(&AdjustedCountAt) -> f64| Value::numbers(row.result.curve.iter().map(which));
    Value::named([("theta", of(|at| at.theta)), ("prevalence", of(|at| at.prevalence)), ("se", of(|at| at.se))])
}

fn folds(folds: &Folds) -> Value {
    Value::named([
        ("folds", Value::whole(folds.folds as u64)),
        ("statistic", Value::number(folds.statistic)),
        ("p_value", Value::number(folds.p_value)),
    ])
}

fn supposed(rows: &[ContaminationRow]) -> Value {
    let mut found = listed::rows(rows);
    found.push(("title".to_owned(), Value::texts(rows.first().map(ContaminationRow::title))));
    Value::List(found)
}
