//! Is prior probability shift plausible, and if not, why?

use super::estimates::first_error;
use super::refused::{Failure, Refused};
use super::sets::{Set, Sets};
use crate::executor::Executor;
use crate::results::{CheckRow, SupposedRow, Table};
use truecount::check::{Checked, Folds, Look, Seen, ShiftCheck, ShiftTally};
use truecount::{LabelledScores, PerClass};

/// What the check says.
pub struct Shift {
    /// Of every set.
    pub rows: Vec<CheckRow>,
    /// Of the folds among themselves.
    pub folds: Option<Folds>,
    /// What is supposed, two rows of each set.
    pub supposed: Option<Vec<SupposedRow>>,
}

impl Shift {
    /// What programs read.
    pub fn table(&self) -> Table<'_> {
        Table::new(&self.rows)
    }

    /// What people read: beside groups there is no room for how much is unexplained, and of one group both p-values are the same.
    pub fn shown(&self) -> Table<'_> {
        self.table().hidden(if self.rows.len() > 1 { "unexplained" } else { "p_value_holm" })
    }
}

/// The numbers of rows by the class of each.
pub fn of_classes(numbers: &[u32], positive: &[bool]) -> PerClass<Vec<u32>> {
    let of = |class: bool| {
        let rows = numbers.iter().zip(positive).filter(|(_, flag)| **flag == class);
        rows.map(|(number, _)| *number).collect()
    };
    PerClass { positive: of(true), negative: of(false) }
}

/// What the check says of every set, in this order, which has each once. `folds` are those of the labelled scores; with a share, `suppose`,
/// also what follows if so much of a class scores otherwise.
///
/// # Errors
/// Those of [`ShiftCheck`], of the set; [`Refused::OneFold`].
pub fn check(
    executor: &impl Executor,
    labelled: &LabelledScores,
    folds: Option<&PerClass<Vec<u32>>>,
    sets: &Sets,
    order: &[usize],
    suppose: Option<f64>,
) -> Result<Shift, Failure> {
    let check = ShiftCheck::new(labelled)?;
    let folds = folds.map(|numbers| compared(&check, labelled, numbers)).transpose()?;
    let look = Look::new(labelled.scores());
    let one = |set: &Set| {
        let (mut tally, mut seen) = (check.tally(), Seen::default());
        check.push(&mut tally, set.batch()?)?;
        look.see(&mut seen, set.scores, set.weights);
        // Failing here rather than later tells which set is wrong.
        check.test(&tally).map(|_| (tally, seen))
    };
    let found = first_error(executor.map(&sets.sets, one)).map_err(|at| sets.refused(at))?;
    let (tallies, seen): (Vec<ShiftTally>, Vec<Seen>) = found.into_iter().unzip();
    let of_first = |error| sets.refused((0, error));
    let mut checked: Vec<Option<Checked>> = check.test_all(&tallies).map_err(of_first)?.into_iter().map(Some).collect();
    let row = |group: &usize| {
        let checked = checked[*group].take().expect("each set stands once in the order");
        let causes = check.causes(&checked, &tallies[*group], (&look, &seen[*group]), folds.as_ref())?;
        Ok(CheckRow { group: *group, checked, causes })
    };
    let rows = order.iter().map(row).collect::<Result<Vec<_>, _>>().map_err(of_first)?;
    let supposed = suppose.map(|share| SupposedRow::of_groups(share, labelled, &rows, &tallies)).transpose();
    Ok(Shift { supposed: supposed.map_err(of_first)?, rows, folds })
}

fn compared(check: &ShiftCheck, labelled: &LabelledScores, numbers: &PerClass<Vec<u32>>) -> Result<Folds, Failure> {
    let folds = check.folds(labelled.scores(), numbers)?;
    folds.ok_or_else(|| Refused::OneFold { name: "fold" }.into())
}
